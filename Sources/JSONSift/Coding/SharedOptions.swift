/// The options of an encoder or decoder, which any task may read and change. A coding keeps the state with which it began.
final class SharedOptions<Options: Sendable>: Sendable {
  private let state: Lock<Frozen<Options>>

  init(_ frozen: Frozen<Options>) { state = Lock(frozen) }

  /// The options as they are now. To hand them on is to count one reference, whatever they hold.
  var frozen: Frozen<Options> { state.withLock { $0 } }

  /// Changes the options as one step: of two tasks that set two of them none is lost.
  func change(_ body: (inout Options) -> Void) {
    // What is replaced is released behind the lock: it may hold closures and objects of the program.
    _ = state.withLock { state in
      let before = state
      var options = before.value
      body(&options)
      state = Frozen(options)
      return before
    }
  }
}

/// A value that does not change.
final class Frozen<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
