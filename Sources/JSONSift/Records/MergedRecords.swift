extension JSONRecords where Element == JSONRecord {
  /// Creates the sequence of the records of several inputs in the order of their times. Records of one time have the order of the
  /// inputs, and in an input that of its lines.
  ///
  /// ```swift
  /// let machines = ["a.log", "b.log", "c.log"]
  /// for try await record in JSONRecords(merging: machines.map { .path($0) }, slack: .seconds(5)) {
  ///   print(machines[record.inputIndex], record.line, record["message"].stringValue)
  /// }
  /// ```
  ///
  /// The records of an input are lines, and sorted by time within the slack. A record that comes too late for its place is returned
  /// when it is read, and counted (``lateCount``). A record without a time, and a bad one, stays behind the one before it.
  /// ``JSONRecordOptions/steps`` are applied to the merged records, so the times are those of the outer ones.
  ///
  /// Memory is a window for each input, of 32 or 64 KiB, and with a slack the records within it, at most 64 MiB of all inputs
  /// together. Each input has an open descriptor. Only the next input in the order of time is waited for.
  ///
  /// - Parameters:
  ///   - sources: The inputs, at most 65,535.
  ///   - times: The paths of the time of a record, of which the first one that selects a time counts; see ``JSONTimeWindow``. A
  ///     path that can select several values is thrown as ``JSONError/Code/invalidPath`` when reading begins.
  ///   - slack: By how much a time may be earlier than one before it in the same input.
  ///   - unit: The unit of times that are numbers; `nil` to recognize it by their size.
  ///   - options: How each input is read, and how bad records are handled.
  public init(
    merging sources: [JSONSource], by times: [JSONPath] = JSONTimeWindow.commonPaths, slack: Duration = .zero,
    unit: JSONTimeUnit? = nil, options: JSONRecordOptions = JSONRecordOptions()
  ) {
    do throws(JSONError) {
      let window = try JSONTimeWindow(of: times, since: Instant?.none, until: nil, unit)
      var plan = MergePlan(sources.map { MergePlan.Part($0, range: options.range) }, window, options)
      let (seconds, attoseconds) = slack.components
      plan.slack = Swift.max(Int128(seconds) * Instant.attosecondsPerSecond + Int128(attoseconds), 0)
      var options = options
      (options.framing, options.range) = (.lines, nil)
      self.init(.merging(plan), options: options)
    } catch {
      self.init(.unopenable(error), options: options)
    }
  }
}

extension JSONRecords {
  /// The number of merged records that came too late for their place, since the last iterator was made: their times are earlier than
  /// those of records before them, by more than the slack.
  public var lateCount: Int { request.source.merge?.tally.late.count ?? 0 }
}

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
  /// The maximum number of bytes of the records of an input that are held back because of the slack.
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

  func addLate(_ line: MergedLine, of input: Int, after key: Int128) {
    state.withLock { state in
      state.late.count += 1
      guard state.late.first == nil else { return }
      let (time, after) = (Instant(attoseconds: line.time), Instant(attoseconds: key))
      state.late.first = (input, line.line, time, after)
    }
  }
}

extension JSONSource {
  /// The records of several inputs in the order of their times, one on each line.
  package static func merging(_ plan: MergePlan) -> JSONSource {
    var source = JSONSource.reading(name: nil) { () throws(JSONError) in try MergedText(plan, waiting: nil) }
    source.merge = plan
    return source
  }

  /// Returns a source whose owner waits for the input that the merge needs next, if `opened` makes one of the inputs such a source.
  func waiting(
    _ plan: MergePlan, _ opened: (JSONSource) throws(JSONError) -> (JSONSource, NonblockingInput?)
  ) throws(JSONError) -> (JSONSource, NonblockingInput?) {
    var plan = plan
    let input = MergeWaiter()
    for index in plan.parts.indices {
      let (source, waiting) = try opened(plan.parts[index].source)
      plan.parts[index].source = source
      input.inputs.append(waiting)
    }
    // SAFETY: the source is opened once, by the owner that waits.
    nonisolated(unsafe) let waiter = input
    let source = JSONSource.reading(name: nil) { [plan] () throws(JSONError) in
      try unsafe MergedText(plan, waiting: waiter)
    }
    return (source, input.inputs.contains { $0 != nil } ? input : nil)
  }
}

/// Waits for the input that a merge needs next.
final class MergeWaiter: NonblockingInput {
  var inputs: [NonblockingInput?] = []
  var needed = 0

  override nonisolated(nonsending) func wait() async throws { try await inputs[needed]?.wait() }
  override func waitBlocking() { inputs[needed]?.waitBlocking() }
}
