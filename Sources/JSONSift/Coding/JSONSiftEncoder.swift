#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.Data
  public import struct FoundationEssentials.Date
#else
  public import struct Foundation.Data
  public import struct Foundation.Date
#endif

/// Writes values of your own types as JSON, straight into bytes.
///
/// The text says what that of Foundation's `JSONEncoder` says, and the options and their names are the same. Members
/// stand in the order in which a type encodes them. What differs else is listed in `Documentation/Codable.md`.
///
/// ```swift
/// var encoder = JSONSiftEncoder()
/// encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
/// let text = try encoder.string(of: user)
/// ```
///
/// It is a value: a copy has options of its own, and all tasks may use one at once.
public struct JSONSiftEncoder: Sendable {
  /// How the text looks.
  public struct OutputFormatting: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt

    /// Options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A line for each element and member, in the style of Foundation.
    public static let prettyPrinted = OutputFormatting(rawValue: 1 << 0)
    /// Members in the order of the UTF-8 bytes of their names.
    public static let sortedKeys = OutputFormatting(rawValue: 1 << 1)
    /// `/` is written as it is. Without this option it is `\/`.
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 1 << 3)
  }

  /// How a `Date` is written.
  public enum DateEncodingStrategy: Sendable {
    /// As `Date` does by itself: a number of seconds since 2001. The default.
    case deferredToDate
    /// A number of seconds since 1970.
    case secondsSince1970
    /// A number of milliseconds since 1970.
    case millisecondsSince1970
    /// A string of RFC 3339 in whole seconds, such as `2025-03-01T08:30:00Z`.
    case iso8601
    /// The string that the closure returns.
    case formatted(@Sendable (Date) throws -> String)
    /// What the closure encodes. If that is nothing, `{}`.
    case custom(@Sendable (Date, any Encoder) throws -> Void)
  }

  /// How `Data` is written.
  public enum DataEncodingStrategy: Sendable {
    /// As `Data` does by itself: an array of numbers.
    case deferredToData
    /// A string in Base64. The default.
    case base64
    /// What the closure encodes. If that is nothing, `{}`.
    case custom(@Sendable (Data, any Encoder) throws -> Void)
  }

  /// What becomes of NaN and infinity, which JSON has no numbers for.
  public enum NonConformingFloatEncodingStrategy: Sendable {
    /// They are an error. The default.
    case `throw`
    /// These strings stand for them.
    case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }

  /// Which name stands for a key of a type. The keys of a `[String: Value]` are no keys of a type, and stay as they
  /// are.
  public enum KeyEncodingStrategy: Sendable {
    /// The name of the key. The default.
    case useDefaultKeys
    /// `oneTwoThree` is `one_two_three`.
    case convertToSnakeCase
    /// The name of the key that the closure returns, given the path to the key.
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
  }

  /// How the text looks.
  public var outputFormatting: OutputFormatting = []
  /// How a `Date` is written.
  public var dateEncodingStrategy = DateEncodingStrategy.deferredToDate
  /// How `Data` is written.
  public var dataEncodingStrategy = DataEncodingStrategy.base64
  /// What becomes of NaN and infinity.
  public var nonConformingFloatEncodingStrategy = NonConformingFloatEncodingStrategy.throw
  /// Which name stands for a key of a type.
  public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys {
    didSet { if case .useDefaultKeys = keyEncodingStrategy { convertsKeys = false } else { convertsKeys = true } }
  }
  /// What you want to tell the types that are encoded.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Whether names are more than the keys of types.
  private(set) var convertsKeys = false

  /// An encoder with the defaults of Foundation's.
  public init() {}

  /// How deep values may lie inside one another.
  static let largestDepth = 512

  // MARK: Encoding

  /// The value as JSON text.
  ///
  /// - Throws: `EncodingError`, and what an `encode(to:)` throws.
  public func encode<T: Encodable>(_ value: T) throws -> Data {
    try unsafe withText(of: value) { unsafe Data($0) }
  }

  /// The value as JSON text in UTF-8.
  ///
  /// - Throws: As ``encode(_:)``.
  public func bytes<T: Encodable>(of value: T) throws -> [UInt8] {
    try unsafe withText(of: value) { unsafe Array($0) }
  }

  /// The value as JSON text in a string.
  ///
  /// - Throws: As ``encode(_:)``.
  public func string<T: Encodable>(of value: T) throws -> String {
    try unsafe withText(of: value) { unsafe String(utf8: $0) }
  }

  /// The value as a ``JSON``. A ``JSON`` stays what it is.
  ///
  /// - Throws: As ``encode(_:)``.
  public func json<T: Encodable>(of value: T) throws -> JSON {
    if T.self == JSON.self, let json = value as? JSON { return json }
    var plain = self
    plain.outputFormatting = [.withoutEscapingSlashes]
    return try unsafe plain.withText(of: value) { try unsafe Self.parsed($0) }
  }

  /// Text of our own, parsed.
  private static func parsed(_ text: UnsafeRawBufferPointer) throws -> JSON {
    // A value may hold a JSON that was read with other limits.
    try unsafe JSON(parsing: Array(text), options: JSONOptions(limits: .unlimited, loneSurrogates: .replace))
  }

  /// Lends the text of a value.
  private func withText<T: Encodable, Result>(
    of value: T, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let session = EncodingPool.shared.take()
    defer { EncodingPool.shared.giveBack(session) }
    let output = try session.encode(value, with: self)
    guard !outputFormatting.isDisjoint(with: [.prettyPrinted, .sortedKeys]) else {
      return try unsafe output.withBytes { try unsafe body($0) }
    }
    var options = JSONWriterOptions()
    options.isPretty = outputFormatting.contains(.prettyPrinted)
    options.sortsKeys = outputFormatting.contains(.sortedKeys)
    let written = try unsafe output.withBytes { try unsafe Self.parsed($0) }.bytes(options)
    return try unsafe written.withUnsafeBytes { try unsafe body($0) }
  }

  /// Appends the text of a value and a line feed.
  func appendLine<T: Encodable>(of value: T, to lines: inout [UInt8]) throws {
    var compact = self
    compact.outputFormatting.remove(.prettyPrinted)
    try unsafe compact.withText(of: value) { text in
      unsafe lines.append(contentsOf: text)
      lines.append(ASCII.lineFeed)
    }
  }
}

extension JSON {
  /// The JSON form of any `Encodable` value. A ``JSON`` stays what it is.
  ///
  /// - Throws: `EncodingError`, and what an `encode(to:)` throws.
  public init(encoding value: some Encodable, with encoder: JSONSiftEncoder = JSONSiftEncoder()) throws {
    self = try encoder.json(of: value)
  }
}
