/// Decodes one value at a time.
///
/// Unchecked `Sendable`: the pool hands a session to one caller at a time.
final class DecodingSession: PooledSession, @unchecked Sendable {
  /// Shared by all decoders whose text options are the defaults.
  static let shared = SessionPool<DecodingSession>()

  private var builder: DocumentBuilder?
  private var root: TapeDecoder?
  private(set) var isSmall = true
  /// Whether all decodings have the same settings, and no pool holds this session. The settings are then set once.
  private let keepsSettings: Bool
  /// The decoding that threw the last error.
  private(set) var failed: JSONError.DecodingIdentity?

  convenience init() { self.init(keepsSettings: false) }

  init(keepsSettings: Bool) { self.keepsSettings = keepsSettings }

  func decode<T: Decodable>(
    _ type: T.Type, fromText text: UnsafeRawBufferPointer, with settings: Frozen<DecoderSettings>
  ) throws -> T {
    isSmall = Self.isSmall(text.count)
    let document: Document
    do throws(JSONError) {
      document = try unsafe parse(text, settings)
    } catch {
      let position = unsafe JSONError.Position(of: error.byteOffset, in: text)
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [],
          debugDescription: "The given data was not valid JSON: line \(position.line), byte \(position.byteOffset): "
            + error.message,
          underlyingError: error))
    }
    return try decode(type, document, Document.root, line: 1, settings)
  }

  private func parse(
    _ text: UnsafeRawBufferPointer, _ settings: Frozen<DecoderSettings>
  ) throws(JSONError) -> Document {
    if let document = try unsafe builder?.document(copyingFirst: text) { return document }
    var made = DocumentBuilder(options: settings.value.textOptions)
    let document = try unsafe made.document(copyingFirst: text)
    builder = consume made
    return document
  }

  func decode<T: Decodable>(
    _ type: T.Type, from json: JSON, line: Int?, with settings: Frozen<DecoderSettings>
  ) throws -> T {
    if case .node(let document, let index) = json.storage {
      return try decode(type, document, index, line: line, settings)
    }
    // A value that a program built has no tape: it is written as text and parsed.
    let parsed: JSON
    do throws(JSONError) {
      var options = JSONOptions(limits: .unlimited)
      options.loneSurrogates = .replace
      parsed = try JSON(parsingWhole: json.type == .null ? JSON.null.bytes() : json.bytes(), options: options)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: error.message, underlyingError: error))
    }
    guard case .node(let document, let index) = parsed.storage else {
      throw DecodingError.valueNotFound(
        type, DecodingError.Context(codingPath: [], debugDescription: "There is no value."))
    }
    return try decode(type, document, index, line: nil, settings)
  }

  private func decode<T: Decodable>(
    _ type: T.Type, _ document: Document, _ index: UInt32, line: Int?, _ settings: Frozen<DecoderSettings>
  ) throws -> T {
    var level: TapeDecoder
    if let root {
      level = root
      self.root = nil
      if !keepsSettings { level.context.configure(settings) }
    } else {
      level = TapeDecoder(DecodingContext())
      level.context.configure(settings)
    }
    level.context.begin(document, index, line: line)
    level.begin(document, index)
    defer {
      // User code may still hold a decoder or container, which then keeps what it needs.
      if TapeDecoder.isDone(&level) {
        level.context.end()
        if !keepsSettings { level.context.endSettings() }
        root = level
      }
    }
    do {
      let value = try level.unwrap(type, at: index, .same)
      if unsafe !level.context.failures.isEmpty { level.context.reportFailures() }
      level.context.reportsFailures = false
      return value
    } catch {
      level.context.reportsFailures = false
      failed = JSONError.DecodingIdentity(level.context)
      throw error
    }
  }
}
