/// Validates one text on the thread that reads ahead, as soon as there is one, and before that on the thread that parses.
///
/// Unchecked Sendable: one thread validates at a time, because the parsing thread stops validating when the other one
/// starts. A lock protects the results, which both threads access.
final class SharedChecker: BlockInspector, @unchecked Sendable {
  private struct State {
    var undecided = UndecidedText()
    /// The error of the text, and how many bytes had been fed when it was found; `Int.max` if the end of the text was needed
    /// to find it.
    var failure: (error: JSONError, end: Int)?
    /// The grammar state after each chunk, and how many bytes had been fed.
    var grammarStates: [(state: GrammarState, end: Int)] = []
  }

  private var checker: TextChecker
  /// The offset after the bytes fed so far.
  private var end: Int
  private var hasFailed = false
  private let state = Lock(State())

  private let notesStates: Bool

  /// - Parameters:
  ///   - checker: Validates the text.
  ///   - start: The offset of the first byte that it validates.
  ///   - notesStates: Whether the caller requests the grammar state after each chunk.
  init(_ checker: consuming TextChecker, at start: Int = 0, notesStates: Bool = false) {
    self.checker = checker
    end = start
    self.notesStates = notesStates
  }

  /// Validates the next bytes, unless an error was found. An empty chunk means that the text is complete.
  func take(_ bytes: UnsafeRawBufferPointer) {
    guard !hasFailed else { return }
    guard unsafe !bytes.isEmpty else { return finish() }
    end += bytes.count
    note(at: end) { (checker) throws(JSONError) in try unsafe checker.feed(bytes) }
  }

  /// Validates the end of the text.
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
    let undecided = checker.undecided
    let grammarState = notesStates && !hasFailed ? checker.grammarState : nil
    state.withLock { state in
      if let grammarState { state.grammarStates.append((grammarState, end)) }
      state.undecided = undecided
      state.failure = failure
    }
  }

  /// Returns the error of the text, if it was found in the bytes before an offset.
  func failure(before offset: Int) -> JSONError? {
    guard let failure = state.withLock({ $0.failure }), failure.end <= offset else { return nil }
    return failure.error
  }

  /// Returns the grammar state before the token that was open when `end` bytes had been fed, at the end of a chunk. Drops
  /// the states of earlier chunks.
  func grammarState(at end: Int) -> GrammarState? {
    state.withLock { state in
      state.grammarStates.removeAll { $0.end < end }
      return state.grammarStates.first { $0.end == end }?.state
    }
  }

  /// The undecided places of the validation so far.
  var undecided: UndecidedText { state.withLock { $0.undecided } }
}
