/// What encodings leave for the next: the memory of a text.
final class EncodingPool: Sendable {
  static let shared = EncodingPool()

  private let spare = Lock<[EncodingSession]>([])

  func take() -> EncodingSession { spare.withLock { $0.popLast() } ?? EncodingSession() }

  func giveBack(_ session: EncodingSession) {
    guard session.isSmall else { return }
    spare.withLock { if $0.count < 4 { $0.append(session) } }
  }
}

/// One encoding at a time.
///
/// Sendable without the compiler's proof: who takes one out of the pool is the only one to hold it.
final class EncodingSession: @unchecked Sendable {
  private var root: ByteEncoder?
  private(set) var isSmall = true

  /// Up to this size a text's memory is kept.
  private static let smallText = 1 << 20

  /// The text of a value. It is good until the next one is encoded.
  func encode<T: Encodable>(_ value: T, with settings: Frozen<EncoderSettings>) throws -> EncodedPart {
    var level = root ?? ByteEncoder(EncodingContext())
    root = nil
    let context = level.context
    context.begin(settings)
    level.beginText()
    let part = level.part
    // Whether it throws or not, encoders that know each other are parted; else none of them would ever go.
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
    // Somebody may have kept an encoder or container: what is written to it goes nowhere.
    if isKnownUniquelyReferenced(&level) {
      context.end()
      root = level
    }
    return text
  }
}

/// What all encoders of one value share.
final class EncodingContext {
  private(set) var settings = EncoderSettings.defaults
  /// The error of a call that cannot throw.
  var failure: (any Error)?
  private var knownUserInfo: [CodingUserInfoKey: Any]?
  /// Encoders that know containers by name. These know the encoder above them: somebody must part them in the end.
  private var owners: [ByteEncoder] = []
  private var isOver = true

  func begin(_ settings: Frozen<EncoderSettings>) {
    self.settings = settings
    failure = nil
    knownUserInfo = nil
    isOver = false
  }

  /// Notes that an encoder knows a container. False if the value is complete, and nobody would part them.
  func note(_ owner: ByteEncoder) -> Bool {
    if !isOver { owners.append(owner) }
    return !isOver
  }

  func forgetContainers() {
    isOver = true
    for owner in owners { owner.forgetContainers() }
    owners = []
  }

  /// Lets go of what is the caller's.
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
