#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.Data
  public import struct FoundationEssentials.Date
#else
  public import struct Foundation.Data
  public import struct Foundation.Date
#endif

/// Encodes values of your own types as JSON, directly to bytes.
///
/// The text is equivalent to the text of Foundation's `JSONEncoder`, and the options have the same names. Members
/// appear in the order in which a type encodes them. `Documentation/Codable.md` lists the other differences.
///
/// ```swift
/// let encoder = JSONSiftEncoder()
/// encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
/// let text = try encoder.string(of: user)
/// ```
///
/// It is a class, like Foundation's: a change is visible to all references. All tasks may use one encoder at once. An
/// encoding uses the options from its start.
public final class JSONSiftEncoder: Sendable {
  /// The format of the text.
  public struct OutputFormatting: OptionSet, Sendable {
    /// The bits of the options.
    public let rawValue: UInt

    /// Creates options from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// One line for each element and member, indented like Foundation's output.
    public static let prettyPrinted = OutputFormatting(rawValue: 1 << 0)
    /// Members sorted by the UTF-8 bytes of their keys.
    public static let sortedKeys = OutputFormatting(rawValue: 1 << 1)
    /// `/` is written as `/`. Without this option it is written as `\/`.
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 1 << 3)
  }

  /// How a `Date` is represented in JSON.
  public enum DateEncodingStrategy: Sendable {
    /// The representation of `Date` itself: a number of seconds since 2001-01-01. The default.
    case deferredToDate
    /// A number of seconds since 1970.
    case secondsSince1970
    /// A number of milliseconds since 1970.
    case millisecondsSince1970
    /// A string in the format of RFC 3339 in whole seconds, such as `2025-03-01T08:30:00Z`.
    case iso8601
    /// A string in the format of RFC 3339 in UTC. The fraction of a second has this number of digits, from 0 to 9, and is rounded to
    /// the nearest: `2025-03-01T08:30:00.250Z` with three. A date outside the years 0 to 9999 is an error.
    case rfc3339(fractionDigits: Int)
    /// The string that the closure returns.
    case formatted(@Sendable (Date) throws -> String)
    /// The value that the closure encodes; `{}` if it encodes nothing.
    case custom(@Sendable (Date, any Encoder) throws -> Void)
  }

  /// How `Data` is represented in JSON.
  public enum DataEncodingStrategy: Sendable {
    /// The representation of `Data` itself: an array of numbers.
    case deferredToData
    /// A string in Base64. The default.
    case base64
    /// The value that the closure encodes; `{}` if it encodes nothing.
    case custom(@Sendable (Data, any Encoder) throws -> Void)
  }

  /// How NaN and infinity are represented, for which JSON has no numbers.
  public enum NonConformingFloatEncodingStrategy: Sendable {
    /// Encoding them throws. The default.
    case `throw`
    /// These strings represent them.
    case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }

  /// How keys of a type are converted to keys of the text. The keys of a `[String: Value]` are data, and are not
  /// converted.
  public enum KeyEncodingStrategy: Sendable {
    /// The text of the key. The default.
    case useDefaultKeys
    /// `oneTwoThree` becomes `one_two_three`.
    case convertToSnakeCase
    /// `oneTwoThree` becomes `one-two-three`.
    case convertToKebabCase
    /// `oneTwo` becomes `OneTwo`: only the first letter changes.
    case convertToPascalCase
    /// The text of the key that the closure returns for a coding path; the last key of the path is the key of the type.
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
  }

  private let shared = SharedOptions(EncoderSettings.defaults)

  /// Creates an encoder with the defaults of Foundation's `JSONEncoder`.
  public init() {}

  /// The current options. An encoding uses them to its end.
  var settings: Frozen<EncoderSettings> { shared.frozen }

  /// The format of the text.
  public var outputFormatting: OutputFormatting {
    get { settings.value.outputFormatting }
    set { shared.change { $0.outputFormatting = newValue } }
  }

  /// How a `Date` is represented in JSON.
  public var dateEncodingStrategy: DateEncodingStrategy {
    get { settings.value.dateEncodingStrategy }
    set { shared.change { $0.dateEncodingStrategy = newValue } }
  }

  /// How `Data` is represented in JSON.
  public var dataEncodingStrategy: DataEncodingStrategy {
    get { settings.value.dataEncodingStrategy }
    set { shared.change { $0.dataEncodingStrategy = newValue } }
  }

  /// How NaN and infinity are represented.
  public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
    get { settings.value.nonConformingFloatEncodingStrategy }
    set { shared.change { $0.nonConformingFloatEncodingStrategy = newValue } }
  }

  /// How keys of a type are converted to keys of the text.
  public var keyEncodingStrategy: KeyEncodingStrategy {
    get { settings.value.keyEncodingStrategy }
    set { shared.change { $0.keyEncodingStrategy = newValue } }
  }

  /// Values that the encoded types can read while they encode.
  public var userInfo: [CodingUserInfoKey: any Sendable] {
    get { settings.value.userInfo }
    set { shared.change { $0.userInfo = newValue } }
  }

  // MARK: Encoding

  /// Returns the JSON text of a value.
  ///
  /// - Throws: `EncodingError`, and any error that an `encode(to:)` throws.
  public func encode<T: Encodable>(_ value: T) throws -> Data {
    try unsafe Self.withText(of: value, settings) { unsafe Data($0) }
  }

  /// Returns the JSON text of a value in UTF-8.
  ///
  /// - Throws: As ``encode(_:)``.
  public func bytes<T: Encodable>(of value: T) throws -> [UInt8] {
    try unsafe Self.withText(of: value, settings) { unsafe Array($0) }
  }

  /// Returns the JSON text of a value as a string.
  ///
  /// - Throws: As ``encode(_:)``.
  public func string<T: Encodable>(of value: T) throws -> String {
    try unsafe Self.withText(of: value, settings) { unsafe String(utf8: $0) }
  }

  /// Returns the value as a ``JSON``. A ``JSON`` is returned unchanged.
  ///
  /// - Throws: As ``encode(_:)``.
  public func json<T: Encodable>(of value: T) throws -> JSON { try Self.json(of: value, settings) }

  static func json<T: Encodable>(of value: T, _ settings: Frozen<EncoderSettings>) throws -> JSON {
    if T.self == JSON.self, let json = value as? JSON { return json }
    return try unsafe withText(of: value, settings.with(.withoutEscapingSlashes)) { try unsafe parsed($0) }
  }

  /// Parses a text that this encoder wrote.
  private static func parsed(_ text: UnsafeRawBufferPointer) throws -> JSON {
    // A value may contain a ``JSON`` that was parsed with other limits.
    try unsafe JSON(parsingWhole: Array(text), options: JSONOptions(limits: .unlimited, loneSurrogates: .replace))
  }

  /// Calls `body` with the text of a value.
  private static func withText<T: Encodable, Result>(
    of value: T, _ settings: Frozen<EncoderSettings>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let session = EncodingSession.shared.take()
    defer { EncodingSession.shared.recycle(session) }
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

  /// Appends the text of a value and a line feed. The settings must not add line breaks: see ``lineSettings``.
  static func appendLine<T: Encodable>(
    of value: T, to lines: inout [UInt8], _ settings: Frozen<EncoderSettings>
  ) throws {
    try unsafe withText(of: value, settings) { text in
      unsafe lines.append(contentsOf: text)
      lines.append(ASCII.lineFeed)
    }
  }

  /// The options for values of one line each.
  var lineSettings: Frozen<EncoderSettings> {
    let settings = settings
    return settings.with(settings.value.outputFormatting.subtracting(.prettyPrinted))
  }
}

/// The options of an encoder.
struct EncoderSettings: Sendable {
  /// The defaults, shared by all encoders that were not configured.
  static let defaults = Frozen(EncoderSettings())

  var outputFormatting: JSONSiftEncoder.OutputFormatting = []
  var dateEncodingStrategy = JSONSiftEncoder.DateEncodingStrategy.deferredToDate
  var dataEncodingStrategy = JSONSiftEncoder.DataEncodingStrategy.base64
  var nonConformingFloatEncodingStrategy = JSONSiftEncoder.NonConformingFloatEncodingStrategy.throw
  var keyEncodingStrategy = JSONSiftEncoder.KeyEncodingStrategy.useDefaultKeys {
    didSet { if case .useDefaultKeys = keyEncodingStrategy { convertsKeys = false } else { convertsKeys = true } }
  }
  var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Whether a key strategy other than the default is set.
  private(set) var convertsKeys = false
}

extension Frozen<EncoderSettings> {
  /// Returns the same settings with another format of the text.
  fileprivate func with(_ formatting: JSONSiftEncoder.OutputFormatting) -> Frozen<EncoderSettings> {
    guard value.outputFormatting != formatting else { return self }
    var settings = value
    settings.outputFormatting = formatting
    return Frozen(settings)
  }
}

extension JSON {
  /// Creates the JSON value of any `Encodable` value. A ``JSON`` is copied unchanged.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - encoder: Options; without one, the defaults.
  /// - Throws: `EncodingError`, and any error that an `encode(to:)` throws.
  public init(encoding value: some Encodable, with encoder: JSONSiftEncoder? = nil) throws {
    self = try JSONSiftEncoder.json(of: value, encoder?.settings ?? EncoderSettings.defaults)
  }
}
