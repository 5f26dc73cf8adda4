import JSONSift

/// The type of a column in an Arrow stream.
///
/// Its text form, for example `list<struct<id:int64,price:decimal(10,2)>>`, is read by ``init(_:)`` and returned by
/// ``description``.
public indirect enum ArrowType: Sendable, Hashable {
  /// 64-bit integers. `1.0` and `1e3` are integers; a number with a fraction or out of range is a miss.
  case int64
  /// The nearest 64-bit floating-point numbers. A number that rounds to infinity is a miss.
  case float64
  /// `true` and `false`.
  case bool
  /// Strings, without quotes and escapes.
  case utf8
  /// The JSON text of any value, as strings of the extension type `arrow.json`.
  case json
  /// Microseconds since 1970 in UTC, from strings of RFC 3339 such as `"2026-01-31T23:59:59.25+01:00"`, also with a comma for the
  /// point, a space for `T` or before the offset, and offsets such as `+0100` and `+01`. A time with a nonzero digit below
  /// microseconds is a miss, and so is one without offset from UTC or with a leap second. Its text is `timestamp` or
  /// `timestamp(us)`.
  case timestamp
  /// Milliseconds since 1970 in UTC: `timestamp(ms)`. See ``timestamp``.
  case timestampMilliseconds
  /// Nanoseconds since 1970 in UTC: `timestamp(ns)`. A time before 1677-09-21 or after 2262-04-11 is a miss. See ``timestamp``.
  case timestampNanoseconds
  /// Days since 1970, from strings such as `"2026-01-31"`.
  case date
  /// Exact decimal numbers of up to `precision` digits, `scale` of them after the point. A number that needs more is a miss.
  case decimal(precision: Int, scale: Int)
  /// Arrays.
  case list(ArrowType)
  /// Objects, reduced to members with these names. If keys are duplicate, the first one is used.
  case structure([ArrowColumn])
  /// Strings that are stored once for each batch, with an index for each value.
  case dictionary
}

/// A named column of an Arrow stream, or a member of an ``ArrowType/structure(_:)``.
public struct ArrowColumn: Sendable, Hashable {
  /// The name.
  public let name: String
  /// The type.
  public let type: ArrowType

  /// Creates a column.
  public init(_ name: String, _ type: ArrowType) {
    self.name = name
    self.type = type
  }
}

extension ArrowType {
  /// Whether values are times, or times in arrays and objects.
  package var hasTimestamps: Bool {
    switch self {
    case .timestamp, .timestampMilliseconds, .timestampNanoseconds: true
    case .list(let element): element.hasTimestamps
    case .structure(let fields): fields.contains { $0.type.hasTimestamps }
    case .int64, .float64, .bool, .utf8, .json, .date, .decimal, .dictionary: false
    }
  }

  /// The nesting depth that a type may have. Values are read by recursion over their type.
  static let maxDepth = 64

  /// Whether a stream can have columns of the type: a decimal has 1 to 38 digits, a structure has members with distinct
  /// names, and types are nested at most 64 deep.
  public var isValid: Bool { isValid(depth: 1) }

  private func isValid(depth: Int) -> Bool {
    guard depth <= Self.maxDepth else { return false }
    switch self {
    case .decimal(let precision, let scale): return 1...38 ~= precision && scale >= 0 && scale <= precision
    case .list(let element): return element.isValid(depth: depth + 1)
    case .structure(let fields):
      return !fields.isEmpty && Set(fields.map { Array($0.name.utf8) }).count == fields.count
        && fields.allSatisfy { $0.type.isValid(depth: depth + 1) }
    default: return true
    }
  }

  /// The types in the text form, for messages.
  package static let forms =
    plain.map { $0.name + ", " }.joined() + "decimal(p,s), list<…>, struct<name:…,…> or dictionary<utf8>"

  /// The types without parameters: what ``init(_:)`` reads, ``description`` writes, and messages list.
  fileprivate static let plain: [(name: String, type: ArrowType)] = [
    ("int64", .int64), ("float64", .float64), ("bool", .bool), ("utf8", .utf8), ("json", .json),
    ("timestamp", .timestamp), ("timestamp(ms)", .timestampMilliseconds), ("timestamp(ns)", .timestampNanoseconds),
    ("date", .date),
  ]

  /// Parses the text form of a type. Names of members that contain other characters than letters, digits, `_`, `-`, `.` and
  /// `$` are JSON strings. Returns `nil` if the text is not a type, or the type is not valid.
  public init?(_ text: String) {
    var parser = ArrowTypeParser(text)
    guard let type = parser.type(depth: 1), parser.isAtEnd, type.isValid else { return nil }
    self = type
  }
}

extension ArrowType: CustomStringConvertible {
  /// The text form of the type.
  public var description: String {
    switch self {
    case .decimal(let precision, let scale): "decimal(\(precision),\(scale))"
    case .list(let element): "list<\(element)>"
    case .structure(let fields):
      "struct<" + fields.map { "\(Self.written($0.name)):\($0.type)" }.joined(separator: ",") + ">"
    case .dictionary: "dictionary<utf8>"
    default: Self.plain.first { $0.type == self }?.name ?? ""
    }
  }

  private static func written(_ name: String) -> String {
    if !name.isEmpty, name.utf8.allSatisfy(ArrowTypeParser.isNameByte) { return name }
    return (try? JSON(stringLiteral: name).bytes()).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}

/// Parses the text form of a type.
private struct ArrowTypeParser {
  private let text: [UInt8]
  private var index = 0

  init(_ text: String) { self.text = Array(text.utf8) }

  var isAtEnd: Bool {
    mutating get {
      skipSpaces()
      return index == text.count
    }
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    byte.isDigit || byte.isLetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "$") || byte >= 0x80
  }

  mutating func type(depth: Int) -> ArrowType? {
    guard depth <= ArrowType.maxDepth else { return nil }
    let first = word()
    switch first {
    case "timestamp":
      guard take(UInt8(ascii: "(")) else { return .timestamp }
      let unit = word()
      guard take(UInt8(ascii: ")")) else { return nil }
      return unit == "us" ? .timestamp : plain("timestamp(\(unit))")
    case "decimal":
      guard take(UInt8(ascii: "(")), let precision = Int(word()), take(UInt8(ascii: ",")), let scale = Int(word()),
        take(UInt8(ascii: ")"))
      else { return nil }
      return .decimal(precision: precision, scale: scale)
    case "list":
      guard take(UInt8(ascii: "<")), let element = type(depth: depth + 1), take(UInt8(ascii: ">")) else { return nil }
      return .list(element)
    case "struct":
      var fields: [ArrowColumn] = []
      guard take(UInt8(ascii: "<")) else { return nil }
      repeat {
        guard let name = name(), take(UInt8(ascii: ":")), let type = type(depth: depth + 1) else { return nil }
        fields.append(ArrowColumn(name, type))
      } while take(UInt8(ascii: ","))
      return take(UInt8(ascii: ">")) ? .structure(fields) : nil
    case "dictionary":
      guard take(UInt8(ascii: "<")), word() == "utf8", take(UInt8(ascii: ">")) else { return nil }
      return .dictionary
    default: return plain(first)
    }
  }

  private func plain(_ name: String) -> ArrowType? { ArrowType.plain.first { $0.name == name }?.type }

  private mutating func skipSpaces() {
    while index < text.count, text[index].isJSONWhitespace { index += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpaces()
    guard index < text.count, text[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func word() -> String {
    skipSpaces()
    let start = index
    while index < text.count, Self.isNameByte(text[index]) { index += 1 }
    return String(decoding: text[start..<index], as: UTF8.self)
  }

  private mutating func name() -> String? {
    skipSpaces()
    guard index < text.count, text[index] == UInt8(ascii: "\"") else {
      let name = word()
      return name.isEmpty ? nil : name
    }
    let start = index
    index += 1
    while index < text.count, text[index] != UInt8(ascii: "\"") { index += text[index] == UInt8(ascii: "\\") ? 2 : 1 }
    guard index < text.count else { return nil }
    index += 1
    return (try? JSON(parsing: Array(text[start..<index])))?.string
  }
}
