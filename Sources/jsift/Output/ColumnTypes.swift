import JSONSift

/// Counts, per column of the output rows, absent cells and cells of an unexpected type.
///
/// The type of a column is the type of its first value that is not null. Values of other types are written unchanged,
/// and counted.
struct ColumnTypes {
  /// The type of a cell, as workers pass it to the sink.
  enum Kind: UInt8 {
    case absent, null, boolean, number, string, array, object

    init(_ cell: JSON?) {
      switch cell?.type {
      case .none, .unknown: self = .absent
      case .null: self = .null
      case .bool: self = .boolean
      case .number: self = .number
      case .string: self = .string
      case .array: self = .array
      case .dictionary: self = .object
      }
    }

    /// The type of the value with a text, by its first byte.
    init(ofText text: UnsafeRawBufferPointer) {
      self =
        switch unsafe text.first {
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }
  }

  private struct Column {
    var type = Kind.absent
    var absent = 0
    var wrong = 0
  }

  private let names: [String]
  private var columns: [Column]
  private var rows = 0

  init(_ names: [String]) {
    self.names = names
    columns = names.map { _ in Column() }
  }

  /// Counts the cells of consecutive rows.
  mutating func add(_ kinds: ArraySlice<UInt8>) {
    guard !columns.isEmpty else { return }
    rows += kinds.count / columns.count
    for (index, byte) in kinds.enumerated() {
      let column = index % columns.count
      switch Kind(rawValue: byte) ?? .absent {
      case .absent: columns[column].absent += 1
      case .null: break
      case let kind:
        if columns[column].type == .absent { columns[column].type = kind }
        if columns[column].type != kind { columns[column].wrong += 1 }
      }
    }
  }

  /// Reports each column with absent or unexpected cells on standard error.
  func report() {
    for (name, column) in zip(names, columns) where column.absent + column.wrong > 0 {
      var parts: [String] = []
      if column.absent > 0 { parts.append("absent in \(column.absent) of \(rows) rows") }
      if column.wrong > 0 {
        let values = column.wrong == 1 ? "1 value is" : "\(column.wrong) values are"
        parts.append("\(values) not of type \(column.type), the type of the first value that is not null")
      }
      ErrorReport.write("column '\(name.utf8.printable)': " + parts.joined(separator: "; "))
    }
  }
}
