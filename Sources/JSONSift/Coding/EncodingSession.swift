/// Encodes one value at a time.
///
/// Unchecked `Sendable`: the pool hands a session to one caller at a time.
final class EncodingSession: PooledSession, @unchecked Sendable {
  /// Shared by all encoders.
  static let shared = SessionPool<EncodingSession>()

  private var root: ByteEncoder?
  private(set) var isSmall = true

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
      throw EncodingError.invalid(value, at: [], "Top-level \(T.self) did not encode any values.")
    }
    level.endText()
    let text = part.joined()
    isSmall = Self.isSmall(text.count)
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
  private var knownUserInfo = UserInfo()
  /// Encoders that keep containers by key. The containers refer back to their encoder, so the cycle is broken at the
  /// end.
  private var owners: [ByteEncoder] = []
  private var isOver = true

  func begin(_ settings: Frozen<EncoderSettings>) {
    self.settings = settings
    failure = nil
    knownUserInfo = UserInfo()
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
    knownUserInfo = UserInfo()
  }

  var userInfo: [CodingUserInfoKey: Any] { knownUserInfo.value(settings.value.userInfo) }
}
