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
  /// together with 80 bytes for each, and for a moment up to three times as much. Each input has an open descriptor. Only the next input in the order of time is waited for.
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
