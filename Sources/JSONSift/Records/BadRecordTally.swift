/// The number of bad records that the last iteration of a stream has found. The streams that are made from one share it.
///
/// A loop hides its iterator, so the stream itself must know the number.
final class BadRecordTally: Sendable {
  private let state = Lock((iteration: 0, count: 0))

  /// Begins an iteration, and returns its number.
  func begin() -> Int {
    state.withLock {
      $0 = ($0.iteration + 1, 0)
      return $0.iteration
    }
  }

  /// Sets the number of an iteration, unless a later one has begun.
  func set(_ count: Int, in iteration: Int) { state.withLock { if $0.iteration == iteration { $0.count = count } } }

  var count: Int { state.withLock { $0.count } }
}
