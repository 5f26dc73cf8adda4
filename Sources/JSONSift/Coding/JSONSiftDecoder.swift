#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.Data
  public import struct FoundationEssentials.Date
  public import protocol FoundationEssentials.ParseStrategy
#else
  public import struct Foundation.Data
  public import struct Foundation.Date
  public import protocol Foundation.ParseStrategy
#endif

/// Makes values of your own types from JSON, straight from the parsed text: no dictionary and no ``JSON`` lies between.
///
/// The results are those of Foundation's `JSONDecoder`, and so are the options and their names. What differs is listed
/// in `Documentation/Codable.md`.
///
/// ```swift
/// struct User: Decodable { var id: Int, name: String, tags: [String] }
///
/// let decoder = JSONSiftDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// let user = try decoder.decode(User.self, from: bytes)
/// ```
///
/// It is an object, as Foundation's is: what one part of a program sets, all that have it see. All tasks may use one at once,
/// and a decoding keeps the options with which it began. So do streams of values: those that they had when you asked for
/// them.
///
/// An error is a `DecodingError` of the same case and coding path as Foundation's. Its `debugDescription` says in
/// addition at which byte and on which line the value stands.
public final class JSONSiftDecoder: Sendable {
  /// How a `Date` is written.
  public enum DateDecodingStrategy: Sendable {
    /// As `Date` does by itself: a number of seconds since 2001. The default.
    case deferredToDate
    /// A number of seconds since 1970.
    case secondsSince1970
    /// A number of milliseconds since 1970.
    case millisecondsSince1970
    /// A string of RFC 3339, such as `2025-03-01T08:30:00Z`, with or without a fraction of a second.
    case iso8601
    /// A string that the closure understands. What it throws becomes the reason of a `DecodingError`.
    case formatted(@Sendable (String) throws -> Date)
    /// What the closure makes of it.
    case custom(@Sendable (any Decoder) throws -> Date)

    /// A string that a parse strategy understands, such as `Date.ParseStrategy` or `Date.ISO8601FormatStyle`.
    public static func formatted<Strategy: ParseStrategy & Sendable>(_ strategy: Strategy) -> DateDecodingStrategy
    where Strategy.ParseInput == String, Strategy.ParseOutput == Date {
      .formatted { try strategy.parse($0) }
    }
  }

  /// How `Data` is written.
  public enum DataDecodingStrategy: Sendable {
    /// As `Data` does by itself: an array of numbers.
    case deferredToData
    /// A string in Base64. The default.
    case base64
    /// What the closure makes of it.
    case custom(@Sendable (any Decoder) throws -> Data)
  }

  /// What becomes of NaN and infinity, which JSON has no numbers for.
  public enum NonConformingFloatDecodingStrategy: Sendable {
    /// A string is no number. The default.
    case `throw`
    /// These strings stand for them.
    case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }

  /// Which key of a type a name in the text stands for. The names in a `[String: Value]` are no keys of a type, and
  /// stay as they are.
  public enum KeyDecodingStrategy: Sendable {
    /// The key of that name. The default.
    case useDefaultKeys
    /// `one_two_three` is the key `oneTwoThree`. Underscores at the start and end stay.
    case convertFromSnakeCase
    /// The key that the closure returns, given the path to the name.
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
  }

  private let shared: SharedOptions<DecoderSettings>

  /// A decoder with the defaults of Foundation's.
  public convenience init() { self.init(DecoderSettings.defaults) }

  init(_ settings: Frozen<DecoderSettings>) { shared = SharedOptions(settings) }

  /// The options as they are now: a decoding keeps them to its end.
  var settings: Frozen<DecoderSettings> { shared.frozen }

  /// A decoder with options of its own, for what goes on after a call has returned.
  func copy() -> JSONSiftDecoder { JSONSiftDecoder(settings) }

  /// How a `Date` is written.
  public var dateDecodingStrategy: DateDecodingStrategy {
    get { settings.value.dateDecodingStrategy }
    set { shared.change { $0.dateDecodingStrategy = newValue } }
  }

  /// How `Data` is written.
  public var dataDecodingStrategy: DataDecodingStrategy {
    get { settings.value.dataDecodingStrategy }
    set { shared.change { $0.dataDecodingStrategy = newValue } }
  }

  /// What becomes of NaN and infinity.
  public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
    get { settings.value.nonConformingFloatDecodingStrategy }
    set { shared.change { $0.nonConformingFloatDecodingStrategy = newValue } }
  }

  /// Which key of a type a name in the text stands for.
  public var keyDecodingStrategy: KeyDecodingStrategy {
    get { settings.value.keyDecodingStrategy }
    set { shared.change { $0.keyDecodingStrategy = newValue } }
  }

  /// What you want to tell the types that are decoded.
  public var userInfo: [CodingUserInfoKey: any Sendable] {
    get { settings.value.userInfo }
    set { shared.change { $0.userInfo = newValue } }
  }

  /// Limits of the text, and what becomes of half a surrogate pair. Whatever the limit, no more than 512 arrays and
  /// objects may lie inside one another: types decode themselves by recursion.
  public var options: JSONOptions {
    get { settings.value.options }
    set { shared.change { $0.options = newValue } }
  }

  /// How deep values may lie inside one another.
  static let largestDepth = 512

  // MARK: Decoding

  /// The value that a JSON text is.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - bytes: UTF-8, with or without a byte order mark: an array, `Data`, a slice of one.
  /// - Throws: `DecodingError.dataCorrupted` with a ``JSONError`` as its `underlyingError` if this is no JSON; any
  ///   `DecodingError` if it is not of the type; what an initialiser of a type throws.
  public func decode<T: Decodable>(_ type: T.Type, from bytes: some Collection<UInt8>) throws -> T {
    let result = try bytes.withContiguousStorageIfAvailable {
      try unsafe decode(type, fromText: UnsafeRawBufferPointer($0))
    }
    if let result { return result }
    return try unsafe Array(bytes).withUnsafeBytes { try unsafe decode(type, fromText: $0) }
  }

  /// The value that a JSON text is, in memory that somebody lends.
  ///
  /// - Throws: As ``decode(_:from:)-(_,Collection<UInt8>)``.
  public func decode<T: Decodable>(_ type: T.Type, from bytes: RawSpan) throws -> T {
    try unsafe bytes.withUnsafeBytes { try unsafe decode(type, fromText: $0) }
  }

  /// The value that the JSON text in a string is.
  ///
  /// - Throws: As ``decode(_:from:)-(_,Collection<UInt8>)``.
  public func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
    var text = text
    return try text.withUTF8 { try unsafe decode(type, fromText: UnsafeRawBufferPointer($0)) }
  }

  /// The value that a ``JSON`` is. A value that is missing is null.
  ///
  /// - Throws: As ``decode(_:from:)-(_,Collection<UInt8>)``.
  /// - Complexity: O(what the type asks for) of a value that was parsed; one that was built or changed is written and
  ///   parsed first.
  public func decode<T: Decodable>(_ type: T.Type, from json: JSON) throws -> T {
    try Self.decode(type, from: json, line: nil, with: settings)
  }

  /// - Parameter line: The line on which the value's text begins, if it is known.
  static func decode<T: Decodable>(
    _ type: T.Type, from json: JSON, line: Int?, with settings: Frozen<DecoderSettings>
  ) throws -> T {
    if T.self == JSON.self, let value = json as? T { return value }
    let pool = settings.value.pool
    let session = pool.take()
    defer { pool.giveBack(session) }
    return try session.decode(type, from: json, line: line, with: settings)
  }

  private func decode<T: Decodable>(_ type: T.Type, fromText text: UnsafeRawBufferPointer) throws -> T {
    let settings = settings
    let pool = settings.value.pool
    let session = pool.take()
    defer { pool.giveBack(session) }
    return try unsafe session.decode(type, fromText: text, with: settings)
  }
}

/// What a decoder is told.
struct DecoderSettings: Sendable {
  /// Of all decoders that were told nothing. To make a decoder costs more than to decode many a value.
  static let defaults = Frozen(DecoderSettings())

  var dateDecodingStrategy = JSONSiftDecoder.DateDecodingStrategy.deferredToDate
  var dataDecodingStrategy = JSONSiftDecoder.DataDecodingStrategy.base64
  var nonConformingFloatDecodingStrategy = JSONSiftDecoder.NonConformingFloatDecodingStrategy.throw
  var keyDecodingStrategy = JSONSiftDecoder.KeyDecodingStrategy.useDefaultKeys {
    didSet { if case .useDefaultKeys = keyDecodingStrategy { convertsKeys = false } else { convertsKeys = true } }
  }
  var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  var options = JSONOptions() {
    didSet { pool = DecodingPool() }
  }

  /// Whether names are more than the keys of types.
  private(set) var convertsKeys = false
  /// What one decoding leaves for the next.
  private(set) var pool = DecodingPool.shared

  /// The limits with which a text is read.
  var textOptions: JSONOptions {
    var options = options
    options.limits.depth = min(options.limits.depth, JSONSiftDecoder.largestDepth)
    return options
  }
}

extension JSON {
  /// The value as one of your own types.
  ///
  /// ```swift
  /// let user = try json["users"][3].decode(User.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - decoder: Options; without one, the defaults.
  /// - Throws: `DecodingError`, and what an initialiser of a type throws.
  public func decode<T: Decodable>(_ type: T.Type, with decoder: JSONSiftDecoder? = nil) throws -> T {
    try JSONSiftDecoder.decode(type, from: self, line: nil, with: decoder?.settings ?? DecoderSettings.defaults)
  }
}
