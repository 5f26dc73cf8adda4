/// The options of an encoder or decoder. Any task may read and change them; a running encoding or decoding keeps the
/// snapshot from its start.
final class SharedOptions<Options: Sendable>: Sendable {
  private let state: Lock<Frozen<Options>>

  init(_ frozen: Frozen<Options>) { state = Lock(frozen) }

  /// The current options. Copying them retains one reference, whatever they contain.
  var frozen: Frozen<Options> { state.withLock { $0 } }

  /// Changes the options atomically: of two concurrent changes to different options neither is lost.
  func change(_ body: (inout Options) -> Void) {
    // The old options are released after the lock: they may hold closures and objects of user code.
    _ = state.withLock { state in
      let before = state
      var options = before.value
      body(&options)
      state = Frozen(options)
      return before
    }
  }
}

/// An immutable value in a box.
final class Frozen<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// An encoding or decoding, which keeps the memory of a text for the next one.
protocol PooledSession: AnyObject, Sendable {
  init()
  /// Whether the session is small enough for a pool.
  var isSmall: Bool { get }
}

extension PooledSession {
  /// Sessions of larger texts are not pooled, so that large buffers are freed.
  static func isSmall(_ bytes: Int) -> Bool { bytes <= Sizes.of(1 << 20, fuzzing: 64) }
}

/// A pool of sessions.
final class SessionPool<Session: PooledSession>: Sendable {
  private let spare = Lock<[Session]>([])

  func take() -> Session { spare.withLock { $0.popLast() } ?? Session() }

  func recycle(_ session: Session) {
    guard session.isSmall else { return }
    spare.withLock { if $0.count < 4 { $0.append(session) } }
  }
}

/// The `userInfo` of a decoding or encoding, converted when user code first reads it.
struct UserInfo {
  private var known: [CodingUserInfoKey: Any]?

  mutating func value(_ settings: [CodingUserInfoKey: any Sendable]) -> [CodingUserInfoKey: Any] {
    if let known { return known }
    let made: [CodingUserInfoKey: Any] = settings
    known = made
    return made
  }
}
