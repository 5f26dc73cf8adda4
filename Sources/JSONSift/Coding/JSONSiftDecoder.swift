#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.Data
  public import struct FoundationEssentials.Date
  public import protocol FoundationEssentials.ParseStrategy
#else
  public import struct Foundation.Data
  public import struct Foundation.Date
  public import protocol Foundation.ParseStrategy
#endif

/// Decodes values of your own types from JSON, directly from the parsed text: it builds no dictionary and no ``JSON``
/// first.
///
/// The results, the options and their names are the same as in Foundation's `JSONDecoder`. `Documentation/Codable.md`
/// lists the differences.
///
/// ```swift
/// struct User: Decodable { var id: Int, name: String, tags: [String] }
///
/// let decoder = JSONSiftDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// let user = try decoder.decode(User.self, from: bytes)
/// ```
///
/// It is a class, like Foundation's: a change is visible to all references. All tasks may use one decoder at once. A
/// decoding uses the options from its start; a stream of values uses the options from the call that made it.
///
/// An error is a `DecodingError` of the same case and with the same coding path as Foundation's. Its `debugDescription`
/// also contains the line, if it is known, and the byte of the value; its `underlyingError` is a ``JSONError`` with the
/// byte, unless a closure of the options threw another error.
public final class JSONSiftDecoder: Sendable {
  /// How a `Date` is represented in JSON.
  public enum DateDecodingStrategy: Sendable {
    /// The representation of `Date` itself: a number of seconds since 2001-01-01. The default.
    case deferredToDate
    /// A number of seconds since 1970.
    case secondsSince1970
    /// A number of milliseconds since 1970.
    case millisecondsSince1970
    /// A string in the format of RFC 3339, such as `2025-03-01T08:30:00Z`, with or without a fraction of a second.
    case iso8601
    /// A time as ``JSONTimeWindow`` reads it: a string of RFC 3339 or in another spelling that logs have, a number of units
    /// since 1970, such a number in a string, or `{"$date": …}` with one of them. Without a unit, it is recognized by the
    /// size of the number, as ``JSONTimeUnit`` says. A time without an offset is UTC.
    case time(unit: JSONTimeUnit? = nil)
    /// A string that the closure parses. An error that it throws becomes the `underlyingError` of a `DecodingError`.
    case formatted(@Sendable (String) throws -> Date)
    /// A value that the closure decodes.
    case custom(@Sendable (any Decoder) throws -> Date)

    /// A string that a parse strategy parses, such as `Date.ParseStrategy` or `Date.ISO8601FormatStyle`.
    public static func formatted<Strategy: ParseStrategy & Sendable>(_ strategy: Strategy) -> DateDecodingStrategy
    where Strategy.ParseInput == String, Strategy.ParseOutput == Date {
      .formatted { try strategy.parse($0) }
    }
  }

  /// How `Data` is represented in JSON.
  public enum DataDecodingStrategy: Sendable {
    /// The representation of `Data` itself: an array of numbers.
    case deferredToData
    /// A string in Base64. The default.
    case base64
    /// A value that the closure decodes.
    case custom(@Sendable (any Decoder) throws -> Data)
  }

  /// How NaN and infinity are represented, for which JSON has no numbers.
  public enum NonConformingFloatDecodingStrategy: Sendable {
    /// A string is not a number: decoding one throws. The default.
    case `throw`
    /// These strings represent them.
    case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }

  /// How keys of the text are converted to keys of a type. The keys of a `[String: Value]` are data, and are not
  /// converted.
  public enum KeyDecodingStrategy: Sendable {
    /// The key with the same text. The default.
    case useDefaultKeys
    /// `one_two_three` becomes the key `oneTwoThree`. Underscores at the start and end stay.
    case convertFromSnakeCase
    /// `one-two-three` becomes the key `oneTwoThree`. Hyphens at the start and end stay.
    case convertFromKebabCase
    /// `OneTwo` becomes the key `oneTwo`, `URLPath` `urlPath`, and `ID` `id`.
    case convertFromPascalCase
    /// The key that the closure returns for a coding path; the last key of the path is the key of the text.
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
  }

  private let shared: SharedOptions<DecoderSettings>

  /// Creates a decoder with the defaults of Foundation's `JSONDecoder`.
  public convenience init() { self.init(DecoderSettings.defaults) }

  init(_ settings: Frozen<DecoderSettings>) { shared = SharedOptions(settings) }

  /// The current options. A decoding uses them to its end.
  var settings: Frozen<DecoderSettings> { shared.frozen }

  /// Returns a decoder with the current options, which later changes to this one do not affect.
  func copy() -> JSONSiftDecoder { JSONSiftDecoder(settings) }

  /// How a `Date` is represented in JSON.
  public var dateDecodingStrategy: DateDecodingStrategy {
    get { settings.value.dateDecodingStrategy }
    set { shared.change { $0.dateDecodingStrategy = newValue } }
  }

  /// How `Data` is represented in JSON.
  public var dataDecodingStrategy: DataDecodingStrategy {
    get { settings.value.dataDecodingStrategy }
    set { shared.change { $0.dataDecodingStrategy = newValue } }
  }

  /// How NaN and infinity are represented.
  public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
    get { settings.value.nonConformingFloatDecodingStrategy }
    set { shared.change { $0.nonConformingFloatDecodingStrategy = newValue } }
  }

  /// How keys of the text are converted to keys of a type.
  public var keyDecodingStrategy: KeyDecodingStrategy {
    get { settings.value.keyDecodingStrategy }
    set { shared.change { $0.keyDecodingStrategy = newValue } }
  }

  /// What happens to an element of an array, set or dictionary that cannot be decoded.
  public var elementFailures: ElementFailureStrategy {
    get { settings.value.elementFailures }
    set { shared.change { $0.elementFailures = newValue } }
  }

  /// Values that the decoded types can read while they decode.
  public var userInfo: [CodingUserInfoKey: any Sendable] {
    get { settings.value.userInfo }
    set { shared.change { $0.userInfo = newValue } }
  }

  /// Limits of the text, and the treatment of unpaired surrogates. Arrays and objects may be nested at most 512 deep,
  /// whatever the limit, because types decode themselves by recursion.
  public var options: JSONOptions {
    get { settings.value.options }
    set { shared.change { $0.options = newValue } }
  }

  /// Returns a decoder with the current options that makes a new keyed container for each call, as every decoder does
  /// if the layout of the standard library is not the one that `KeyedReference` expects. Results are the same.
  package func withoutReuse() -> JSONSiftDecoder {
    let copy = copy()
    copy.shared.change { $0.reusesContainers = false }
    return copy
  }

  // MARK: Decoding

  /// Returns the value of a JSON text.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - bytes: UTF-8, with or without a byte order mark: an array, `Data`, or a slice of one.
  /// - Throws: `DecodingError.dataCorrupted` with a ``JSONError`` as its `underlyingError` if the text is not JSON; any
  ///   `DecodingError` if the value does not match the type; any error that an initializer of a type throws.
  public func decode<T: Decodable>(_ type: T.Type, from bytes: some Collection<UInt8>) throws -> T {
    let result = try bytes.withContiguousStorageIfAvailable {
      try unsafe decode(type, fromText: UnsafeRawBufferPointer($0))
    }
    if let result { return result }
    return try unsafe Array(bytes).withUnsafeBytes { try unsafe decode(type, fromText: $0) }
  }

  /// Returns the value of a JSON text in borrowed memory.
  ///
  /// - Throws: As ``decode(_:from:)-(_,Collection<UInt8>)``.
  public func decode<T: Decodable>(_ type: T.Type, from bytes: RawSpan) throws -> T {
    try unsafe bytes.withUnsafeBytes { try unsafe decode(type, fromText: $0) }
  }

  /// Returns the value of the JSON text in a string.
  ///
  /// - Throws: As ``decode(_:from:)-(_,Collection<UInt8>)``.
  public func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
    var text = text
    return try text.withUTF8 { try unsafe decode(type, fromText: UnsafeRawBufferPointer($0)) }
  }

  /// Returns the value of a ``JSON``. A missing value decodes as null.
  ///
  /// - Throws: As ``decode(_:from:)-(_,Collection<UInt8>)``.
  /// - Complexity: O(members and elements that the type decodes) for a parsed value. A value that was built or changed
  ///   is written and parsed first.
  public func decode<T: Decodable>(_ type: T.Type, from json: JSON) throws -> T {
    try Self.decode(type, from: json, line: nil, with: settings)
  }

  /// - Parameter line: The line on which the text of the value begins, if it is known.
  static func decode<T: Decodable>(
    _ type: T.Type, from json: JSON, line: Int?, with settings: Frozen<DecoderSettings>
  ) throws -> T {
    if T.self == JSON.self, let value = json as? T { return value }
    let pool = settings.value.pool
    let session = pool.take()
    defer { pool.recycle(session) }
    return try session.decode(type, from: json, line: line, with: settings)
  }

  private func decode<T: Decodable>(_ type: T.Type, fromText text: UnsafeRawBufferPointer) throws -> T {
    let settings = settings
    let pool = settings.value.pool
    let session = pool.take()
    defer { pool.recycle(session) }
    return try unsafe session.decode(type, fromText: text, with: settings)
  }
}

/// The options of a decoder.
struct DecoderSettings: Sendable {
  /// The defaults, shared by all decoders that were not configured. Making a decoder costs more than decoding a small
  /// value.
  static let defaults = Frozen(DecoderSettings())

  var dateDecodingStrategy = JSONSiftDecoder.DateDecodingStrategy.deferredToDate
  var dataDecodingStrategy = JSONSiftDecoder.DataDecodingStrategy.base64
  var nonConformingFloatDecodingStrategy = JSONSiftDecoder.NonConformingFloatDecodingStrategy.throw
  var keyDecodingStrategy = JSONSiftDecoder.KeyDecodingStrategy.useDefaultKeys {
    didSet { if case .useDefaultKeys = keyDecodingStrategy { convertsKeys = false } else { convertsKeys = true } }
  }
  var elementFailures = JSONSiftDecoder.ElementFailureStrategy.throw
  var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  var options = JSONOptions() {
    didSet { pool = SessionPool() }
  }
  /// Whether `KeyedReference` is used. A pooled session keeps its containers, so a change needs another pool.
  var reusesContainers = true {
    didSet { pool = SessionPool() }
  }

  /// Whether a key strategy other than the default is set.
  private(set) var convertsKeys = false
  /// The sessions for reuse, each with a parser and buffers.
  private(set) var pool = DecodingSession.shared

  /// The options with which a text is parsed.
  var textOptions: JSONOptions {
    var options = options
    options.limits.depth = min(options.limits.depth, JSONLimits.maxRecursion)
    return options
  }
}

extension JSON {
  /// Returns the value as one of your own types.
  ///
  /// ```swift
  /// let user = try json["users"][3].decode(User.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - decoder: Options; without one, the defaults.
  /// - Throws: `DecodingError`, and any error that an initializer of a type throws.
  public func decode<T: Decodable>(_ type: T.Type, with decoder: JSONSiftDecoder? = nil) throws -> T {
    try JSONSiftDecoder.decode(type, from: self, line: nil, with: decoder?.settings ?? DecoderSettings.defaults)
  }
}
