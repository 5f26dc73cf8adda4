/// How several inputs are merged.
package struct MergePlan: Sendable {
  /// An input, and the part of it that is read.
  package struct Part: Sendable {
    package var source: JSONSource
    package var range: JSONInputRange?

    package init(_ source: JSONSource, range: JSONInputRange? = nil) { (self.source, self.range) = (source, range) }
  }

  package var parts: [Part]
  /// The paths of the times, and how they are read. The bounds are not used.
  package var times: JSONTimeWindow
  /// How the lines of an input are read. Steps are applied to the merged text.
  package var options: JSONRecordOptions
  /// By how many attoseconds a time may be earlier than one before it in the same input, to be put in its place.
  package var slack: Int128 = 0
  /// The maximum number of bytes of the records of all inputs that are held back because of the slack, with
  /// ``MergedInput/entryBytes`` for each.
  package var maxSlackBytes = Self.maxSlackBytes
  /// Whether the text ends with an error at a record that is too late for its place.
  package var stopsAtLate = false
  /// Whether an input that cannot be read, or no further, is noted in the tally, and the others are read on.
  package var skipsFailures = false
  package let tally = MergeTally()

  /// The default for all inputs together.
  package static let maxSlackBytes = 64 << 20

  package init(_ parts: [Part], _ times: JSONTimeWindow, _ options: JSONRecordOptions) {
    (self.parts, self.times, self.options) = (parts, times, options)
    self.options.steps = []
    self.options.range = nil
  }
}

/// What a merge has noted about its inputs.
package final class MergeTally: Sendable {
  package struct Late: Sendable {
    package var count = 0
    /// The input and the line of the first of them, its time, and the time of a record that stands before it in the merged text.
    package var first: (input: Int, line: Int, time: Instant, after: Instant)?
  }

  private struct State {
    var late = Late()
    var failures: [(input: Int, error: JSONError)] = []
  }

  private let state = Lock(State())

  package var late: Late { state.withLock { $0.late } }

  /// Returns the errors of inputs since the last call.
  package func takeFailures() -> [(input: Int, error: JSONError)] {
    state.withLock { state in
      defer { state.failures = [] }
      return state.failures
    }
  }

  func begin() { state.withLock { $0 = State() } }

  func add(_ error: JSONError, of input: Int) { state.withLock { $0.failures.append((input, error)) } }

  /// Counts a record that is too late.
  ///
  /// - Parameters:
  ///   - line: Its line in the input.
  ///   - time: Its time, and `after` that of a record before it in the merged text.
  func addLate(of input: Int, line: Int, _ time: Instant, after: Instant) {
    state.withLock { state in
      state.late.count += 1
      if state.late.first == nil { state.late.first = (input, line, time, after) }
    }
  }
}
