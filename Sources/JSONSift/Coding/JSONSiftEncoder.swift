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
/// let encoder = JSONSiftEncoder()
/// encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
/// let text = try encoder.string(of: user)
/// ```
///
/// It is an object, as Foundation's is: what one part of a program sets, all that have it see. All tasks may use one at once,
/// and an encoding keeps the options with which it began.
public final class JSONSiftEncoder: Sendable {
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

  private let shared = SharedOptions(EncoderSettings.defaults)

  /// An encoder with the defaults of Foundation's.
  public init() {}

  /// The options as they are now: an encoding keeps them to its end.
  var settings: Frozen<EncoderSettings> { shared.frozen }

  /// How the text looks.
  public var outputFormatting: OutputFormatting {
    get { settings.value.outputFormatting }
    set { shared.change { $0.outputFormatting = newValue } }
  }

  /// How a `Date` is written.
  public var dateEncodingStrategy: DateEncodingStrategy {
    get { settings.value.dateEncodingStrategy }
    set { shared.change { $0.dateEncodingStrategy = newValue } }
  }

  /// How `Data` is written.
  public var dataEncodingStrategy: DataEncodingStrategy {
    get { settings.value.dataEncodingStrategy }
    set { shared.change { $0.dataEncodingStrategy = newValue } }
  }

  /// What becomes of NaN and infinity.
  public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
    get { settings.value.nonConformingFloatEncodingStrategy }
    set { shared.change { $0.nonConformingFloatEncodingStrategy = newValue } }
  }

  /// Which name stands for a key of a type.
  public var keyEncodingStrategy: KeyEncodingStrategy {
    get { settings.value.keyEncodingStrategy }
    set { shared.change { $0.keyEncodingStrategy = newValue } }
  }

  /// What you want to tell the types that are encoded.
  public var userInfo: [CodingUserInfoKey: any Sendable] {
    get { settings.value.userInfo }
    set { shared.change { $0.userInfo = newValue } }
  }

  /// How deep values may lie inside one another.
  static let largestDepth = 512

  // MARK: Encoding

  /// The value as JSON text.
  ///
  /// - Throws: `EncodingError`, and what an `encode(to:)` throws.
  public func encode<T: Encodable>(_ value: T) throws -> Data {
    try unsafe Self.withText(of: value, settings) { unsafe Data($0) }
  }

  /// The value as JSON text in UTF-8.
  ///
  /// - Throws: As ``encode(_:)``.
  public func bytes<T: Encodable>(of value: T) throws -> [UInt8] {
    try unsafe Self.withText(of: value, settings) { unsafe Array($0) }
  }

  /// The value as JSON text in a string.
  ///
  /// - Throws: As ``encode(_:)``.
  public func string<T: Encodable>(of value: T) throws -> String {
    try unsafe Self.withText(of: value, settings) { unsafe String(utf8: $0) }
  }

  /// The value as a ``JSON``. A ``JSON`` stays what it is.
  ///
  /// - Throws: As ``encode(_:)``.
  public func json<T: Encodable>(of value: T) throws -> JSON {
    try Self.json(of: value, settings)
  }

  static func json<T: Encodable>(of value: T, _ settings: Frozen<EncoderSettings>) throws -> JSON {
    if T.self == JSON.self, let json = value as? JSON { return json }
    return try unsafe withText(of: value, settings.with(.withoutEscapingSlashes)) { try unsafe parsed($0) }
  }

  /// Text of our own, parsed.
  private static func parsed(_ text: UnsafeRawBufferPointer) throws -> JSON {
    // A value may hold a JSON that was read with other limits.
    try unsafe JSON(
      parsingWhole: Array(text), options: JSONOptions(limits: .unlimited, loneSurrogates: .replace))
  }

  /// Lends the text of a value.
  private static func withText<T: Encodable, Result>(
    of value: T, _ settings: Frozen<EncoderSettings>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let session = EncodingPool.shared.take()
    defer { EncodingPool.shared.giveBack(session) }
    let output = try session.encode(value, with: settings)
    let formatting = settings.value.outputFormatting
    guard !formatting.isDisjoint(with: [.prettyPrinted, .sortedKeys]) else {
      return try unsafe output.withBytes { try unsafe body($0) }
    }
    var options = JSONWriterOptions()
    options.isPretty = formatting.contains(.prettyPrinted)
    options.sortsKeys = formatting.contains(.sortedKeys)
    let written = try unsafe output.withBytes { try unsafe parsed($0) }.bytes(options)
    return try unsafe written.withUnsafeBytes { try unsafe body($0) }
  }

  /// Appends the text of a value and a line feed. The settings have no line breaks in them: see ``lineSettings``.
  static func appendLine<T: Encodable>(
    of value: T, to lines: inout [UInt8], _ settings: Frozen<EncoderSettings>
  ) throws {
    try unsafe withText(of: value, settings) { text in
      unsafe lines.append(contentsOf: text)
      lines.append(ASCII.lineFeed)
    }
  }

  /// The options for values that are a line each.
  var lineSettings: Frozen<EncoderSettings> {
    let settings = settings
    return settings.with(settings.value.outputFormatting.subtracting(.prettyPrinted))
  }
}

/// What an encoder is told.
struct EncoderSettings: Sendable {
  /// Of all encoders that were told nothing.
  static let defaults = Frozen(EncoderSettings())

  var outputFormatting: JSONSiftEncoder.OutputFormatting = []
  var dateEncodingStrategy = JSONSiftEncoder.DateEncodingStrategy.deferredToDate
  var dataEncodingStrategy = JSONSiftEncoder.DataEncodingStrategy.base64
  var nonConformingFloatEncodingStrategy = JSONSiftEncoder.NonConformingFloatEncodingStrategy.throw
  var keyEncodingStrategy = JSONSiftEncoder.KeyEncodingStrategy.useDefaultKeys {
    didSet { if case .useDefaultKeys = keyEncodingStrategy { convertsKeys = false } else { convertsKeys = true } }
  }
  var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Whether names are more than the keys of types.
  private(set) var convertsKeys = false
}

extension Frozen<EncoderSettings> {
  /// The same settings with another look of the text.
  fileprivate func with(_ formatting: JSONSiftEncoder.OutputFormatting) -> Frozen<EncoderSettings> {
    guard value.outputFormatting != formatting else { return self }
    var settings = value
    settings.outputFormatting = formatting
    return Frozen(settings)
  }
}

extension JSON {
  /// The JSON form of any `Encodable` value. A ``JSON`` stays what it is.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - encoder: Options; without one, the defaults.
  /// - Throws: `EncodingError`, and what an `encode(to:)` throws.
  public init(encoding value: some Encodable, with encoder: JSONSiftEncoder? = nil) throws {
    self = try JSONSiftEncoder.json(of: value, encoder?.settings ?? EncoderSettings.defaults)
  }
}
