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
