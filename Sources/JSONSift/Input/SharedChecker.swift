/// Checks one text on the thread that has its bytes first: the one that reads them ahead, or the one that goes over them.
///
/// Sendable without the compiler's proof: one thread checks at a time. The user does until the other thread begins, and never
/// again. What is asked meanwhile lies behind a lock.
final class SharedChecker: BlockInspector, @unchecked Sendable {
  private struct State {
    var doubts = ProofDoubts()
    /// What is wrong with the text, and up to where it had been fed when that was seen; `Int.max` if it must be complete.
    var failure: (error: JSONError, end: Int)?
    /// Where the text stood behind each chunk, and up to where it had been fed.
    var places: [(place: GrammarState, end: Int)] = []
  }

  private var checker: TextChecker
  /// How many bytes it was fed.
  private var end = 0
  private var hasFailed = false
  private let state = Lock(State())

  private let notesStates: Bool

  /// - Parameter notesPlaces: ``place(at:)`` will be asked for each chunk.
  init(_ checker: consuming TextChecker, notesStates: Bool = false) {
    self.checker = checker
    self.notesStates = notesStates
  }

  /// Checks the next bytes, if nothing is wrong so far. None say that the text is complete.
  func take(_ bytes: UnsafeRawBufferPointer) {
    guard !hasFailed else { return }
    guard unsafe !bytes.isEmpty else { return finish() }
    end += bytes.count
    note(at: end) { (checker) throws(JSONError) in try unsafe checker.feed(bytes) }
  }

  /// Says that the text is complete.
  func finish() {
    guard !hasFailed else { return }
    note(at: .max) { (checker) throws(JSONError) in try checker.finish() }
  }

  private func note(at end: Int, _ step: (inout TextChecker) throws(JSONError) -> Void) {
    var failure: (JSONError, end: Int)?
    do throws(JSONError) {
      try step(&checker)
    } catch {
      failure = (error, end)
      hasFailed = true
    }
    let doubts = checker.doubts
    let place = notesStates && !hasFailed ? checker.place : nil
    state.withLock { state in
      if let place { state.places.append((place, end)) }
      state.doubts = doubts
      state.failure = failure
    }
  }

  /// What is wrong with the text, if that was seen in its bytes before an offset.
  func failure(before offset: Int) -> JSONError? {
    guard let failure = state.withLock({ $0.failure }), failure.end <= offset else { return nil }
    return failure.error
  }

  /// Where the text stood before the token that was open when so many bytes had been fed, at the end of a chunk. Those of
  /// earlier chunks are forgotten.
  func place(at end: Int) -> GrammarState? {
    state.withLock { state in
      state.places.removeAll { $0.end < end }
      return state.places.first { $0.end == end }?.place
    }
  }

  /// Where the proof was in doubt so far.
  var doubts: ProofDoubts { state.withLock { $0.doubts } }
}
