/// A pool of sessions. A session keeps the memory of a text.
final class EncodingPool: Sendable {
  static let shared = EncodingPool()

  private let spare = Lock<[EncodingSession]>([])

  func take() -> EncodingSession { spare.withLock { $0.popLast() } ?? EncodingSession() }

  func recycle(_ session: EncodingSession) {
    guard session.isSmall else { return }
    spare.withLock { if $0.count < 4 { $0.append(session) } }
  }
}

/// Encodes one value at a time.
///
/// Unchecked `Sendable`: the pool hands a session to one caller at a time.
final class EncodingSession: @unchecked Sendable {
  private var root: ByteEncoder?
  private(set) var isSmall = true

  /// Sessions that wrote a text larger than this are not pooled, so that large buffers are freed. In bytes.
  private static let smallText = Sizes.of(1 << 20, fuzzing: 64)

  /// Returns the text of a value, valid until the next value is encoded.
  func encode<T: Encodable>(_ value: T, with settings: Frozen<EncoderSettings>) throws -> EncodedPart {
    var level = root ?? ByteEncoder(EncodingContext())
    root = nil
    let context = level.context
    context.begin(settings)
    level.beginText()
    let part = level.part
    // An error is thrown later: encoders and their named containers refer to each other, and the cycles must be broken
    // first.
    let put = Result { try level.put(value, .same) }
    context.forgetContainers()
    try put.get()
    if let failure = context.failure { throw failure }
    guard !level.isEmpty else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(codingPath: [], debugDescription: "Top-level \(T.self) did not encode any values."))
    }
    level.endText()
    let text = part.joined()
    isSmall = text.count <= Self.smallText
    // User code may still hold an encoder or container. Its writes are discarded.
    if isKnownUniquelyReferenced(&level) {
      context.end()
      root = level
    }
    return text
  }
}

/// The state shared by all encoders of one value.
final class EncodingContext {
  private(set) var settings = EncoderSettings.defaults
  /// The first error of a call that cannot throw.
  var failure: (any Error)?
  private var knownUserInfo: [CodingUserInfoKey: Any]?
  /// Encoders that keep containers by key. The containers refer back to their encoder, so the cycle is broken at the
  /// end.
  private var owners: [ByteEncoder] = []
  private var isOver = true

  func begin(_ settings: Frozen<EncoderSettings>) {
    self.settings = settings
    failure = nil
    knownUserInfo = nil
    isOver = false
  }

  /// Registers an encoder that keeps a container. Returns false if the value is complete, and the cycle would not be
  /// broken.
  func register(_ owner: ByteEncoder) -> Bool {
    if !isOver { owners.append(owner) }
    return !isOver
  }

  func forgetContainers() {
    isOver = true
    for owner in owners { owner.forgetContainers() }
    owners = []
  }

  /// Releases the settings and `userInfo`, which the caller owns.
  func end() {
    settings = EncoderSettings.defaults
    knownUserInfo = nil
  }

  var userInfo: [CodingUserInfoKey: Any] {
    if let knownUserInfo { return knownUserInfo }
    let made: [CodingUserInfoKey: Any] = settings.value.userInfo
    knownUserInfo = made
    return made
  }
}
