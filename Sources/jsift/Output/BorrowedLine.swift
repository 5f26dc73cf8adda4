import JSONSift

/// A line that consists of the text of a value, or of an object with it as the only member. Small, because it is copied
/// when it is passed to a stream.
struct TextLine: Sendable {
  let names: WrittenNames
  /// Whether a line is an object with the name of the path.
  let isNamed: Bool

  // Forced inlining here and in `Worker` saves 3 % of the instructions of `get` and `records` (callgrind, 20,000 lines).
  @inline(__always)
  func append(_ text: UnsafeRawBufferPointer, ofPath path: Int, to bytes: inout [UInt8]) {
    if isNamed {
      bytes.append(UInt8(ascii: "{"))
      names.append(path, to: &bytes)
      unsafe bytes.append(withoutBreaks: text)
      bytes.append(UInt8(ascii: "}"))
    } else {
      unsafe bytes.append(withoutBreaks: text)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}

/// Encodes rows of texts, each as an object with the names of the columns.
struct RowLine: Sendable {
  let names: WrittenNames

  /// Appends a text to the row that begins at `start`.
  @inline(__always)
  func append(_ text: UnsafeRawBufferPointer, ofColumn column: Int, to bytes: inout [UInt8], from start: Int) {
    bytes.append(bytes.count == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
    names.append(column, to: &bytes)
    unsafe bytes.append(withoutBreaks: text)
  }

  /// Ends the row that begins at `start`.
  @inline(__always)
  func end(_ bytes: inout [UInt8], from start: Int) {
    if bytes.count == start { bytes.append(UInt8(ascii: "{")) }
    bytes.append(UInt8(ascii: "}"))
    bytes.append(UInt8(ascii: "\n"))
  }
}

/// The fields of a row, each with the type of its value.
struct CellRow: Sendable {
  private(set) var cells: [Cell]
  private(set) var kinds: [UInt8]

  init(count: Int) {
    cells = Array(repeating: .absent, count: count)
    kinds = Array(repeating: ColumnTypes.Kind.absent.rawValue, count: count)
  }

  mutating func set(_ column: Int, _ cell: Cell, _ kind: ColumnTypes.Kind) {
    cells[column] = cell
    kinds[column] = kind.rawValue
  }

  mutating func removeAll() {
    for column in cells.indices { set(column, .absent, .absent) }
  }
}

/// Names, encoded as JSON, each with its colon. They lie in one array: an array for each costs two changes of a reference
/// count for each line.
struct WrittenNames: Sendable {
  private var bytes: [UInt8] = []
  private var ends = [0]

  init(_ names: [String]) {
    for name in names {
      bytes.append(quoting: name)
      bytes.append(UInt8(ascii: ":"))
      ends.append(bytes.count)
    }
  }

  @inline(__always)
  func append(_ number: Int, to other: inout [UInt8]) {
    unsafe bytes.withUnsafeBytes {
      unsafe other.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[ends[number]..<ends[number + 1]]))
    }
  }
}
