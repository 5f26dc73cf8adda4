import JSONSift

/// A file in which bisection reads times at chosen offsets.
package protocol TimedInput: AnyObject {
  /// The file, decompressed.
  var source: JSONSource { get }
  /// The path of the times, and the bounds.
  var window: JSONTimeWindow { get }
  /// How records are read, and the range of the file.
  var options: JSONRecordOptions { get }
  /// The number of bytes of the file.
  var size: Int { get }
  /// How the records are cut: as requested, or as the first bytes show.
  var framing: JSONFraming { get }

  /// Returns the first record with a time that begins from an offset on and before another one.
  func firstTime(from start: Int, before end: Int) throws(JSONError) -> TimedRecord?
}

/// A record whose time was read, and the offsets in its file that bisection compares.
package struct TimedRecord {
  let position: TimePosition
  /// Where the record begins: its line, or the frame that contains its beginning.
  let start: Int
  /// Where the records after it begin: the end of its line, or the same frame.
  let end: Int
  /// The next record with a time, if it was read along with this one.
  let following: TimePosition?

  package init(_ position: TimePosition, start: Int, end: Int, before following: TimePosition?) {
    self.position = position
    self.start = start
    self.end = end
    self.following = following
  }

  /// The later of the two times. If it is before a window by more than the slack, so are both records, and all before
  /// them.
  var latest: Instant { following.map { max($0.time, position.time) } ?? position.time }
}

/// Finds the records of a window of time in a file whose lines are sorted by time, without reading all of it.
///
/// The file is sorted within a *slack*: the time of a record may be earlier than the time of a record before it, by at
/// most the slack. Each step reads the time of one record in the middle of the bytes that can still contain the bound.
/// If the time is before the start of the window by more than the slack, that record and all before it are outside. If
/// it is not before the end of the window plus the slack, that record and all after it are outside. If the record has
/// no time, the next one is read.
///
/// The times that were read are compared with each other. Disorder between records that were not read is not noticed. A step
/// reads two records, so that one wrong time does not send the search into the wrong half.
///
/// In a file compressed in frames, the offsets are those of compressed bytes, and a record begins where its frame does.
package struct TimeBisection {
  /// The result of the search.
  package enum Outcome {
    /// The bytes in which the records of the window begin, and the check for reading them.
    case found(JSONInputRange, TimeOrderCheck)
    /// The file is not sorted.
    case disorder(TimeDisorder)
    /// The records do not begin with lines.
    case framing(JSONFraming)
  }

  /// The search for a bound ends when at most this number of bytes is left. They are read with the window. Smaller in tests.
  var grain = Sizes.of(1 << 16, fuzzing: 64)

  private let input: any TimedInput
  private let slack: Int128
  /// The times that were read.
  private var known: [TimedRecord] = []
  private(set) var stepCount = 0

  private var options: JSONRecordOptions { input.options }

  /// - Parameters:
  ///   - input: The file, and the range of it that is searched.
  ///   - slack: The slack in attoseconds.
  /// - Throws: `JSONError.Code.unreadable` if the file is shorter than the range.
  package init(_ input: any TimedInput, slack: Int128) throws(JSONError) {
    let range = input.options.range
    guard max(range?.lowerBound ?? 0, range?.upperBound ?? 0) <= input.size else {
      throw ByteSource.tooShort(input.size, max(range?.lowerBound ?? 0, range?.upperBound ?? 0))
    }
    self.input = input
    self.slack = slack
  }

  /// Finds the bytes in which the records of the window begin, within the range of the options.
  ///
  /// - Throws: `JSONError.Code.unreadable`; in a compressed file an error of decompressing it.
  package mutating func find() throws(JSONError) -> Outcome {
    guard input.framing == .lines else { return .framing(input.framing) }
    let start = options.range?.lowerBound ?? 0
    let end = options.range?.upperBound ?? input.size
    let (bounds, slack) = (input.window.bounds, slack)
    // Whether a record with this time is after the window, and so are all records after it.
    func isAfter(_ time: Instant) -> Bool { bounds.until.map { time >= $0.adding(slack) } ?? false }
    var (low, high) = (start, end)
    // The start of the first record read that is after the window, and the end of the last record read that is not.
    var (after, before): (Int?, Int) = (nil, start)
    if let since = bounds.since {
      let disorder = try narrow(&low, &high) { found in
        if found.latest.adding(slack) < since { return true }
        if isAfter(found.position.time) { after = found.start } else { before = max(before, found.end) }
        return false
      }
      if let disorder { return .disorder(disorder) }
    }
    let lower = low
    if bounds.until != nil {
      (low, high) = (max(lower, before), after ?? end)
      let disorder = try narrow(&low, &high) { found in
        guard isAfter(found.position.time) else { return true }
        after = found.start
        return false
      }
      if let disorder { return .disorder(disorder) }
    }
    var range: JSONInputRange
    if let upper = after ?? options.range?.upperBound {
      range = JSONInputRange(lower..<max(upper, lower))
    } else {
      range = JSONInputRange(lower...)
    }
    if lower == start, let requested = options.range {
      range.firstLine = requested.firstLine
      range.firstOffset = requested.firstOffset
    }
    let check = TimeOrderCheck(
      input, range, slack: slack, after: known.filter { $0.start < lower }.map(\.position).max { $0.time < $1.time },
      before: after.flatMap { after in known.filter { $0.start >= after }.map(\.position).min { $0.time < $1.time } },
      frame: known.first { $0.start == lower }?.position.frame)
    return .found(range, check)
  }

  /// Halves a range until at most ``grain`` bytes are left. Returns a disorder between the times that were read.
  ///
  /// - Parameter isBefore: Returns whether a record is before the bound.
  private mutating func narrow(
    _ low: inout Int, _ high: inout Int, _ isBefore: (TimedRecord) -> Bool
  ) throws(JSONError) -> TimeDisorder? {
    while high - low > grain {
      let middle = low + (high - low) / 2
      stepCount += 1
      guard let found = try input.firstTime(from: middle, before: high) else {
        high = middle
        continue
      }
      if let disorder = note(found) { return disorder }
      if isBefore(found) { low = found.end } else { high = middle }
    }
    return nil
  }

  /// Adds a time that was read. Returns a disorder between it and another one.
  private mutating func note(_ record: TimedRecord) -> TimeDisorder? {
    if let following = record.following, following.time.adding(slack) < record.position.time {
      return TimeDisorder(first: record.position, second: following)
    }
    for other in known {
      let (first, second) = other.start < record.start ? (other, record) : (record, other)
      if first.start < second.start, second.position.time.adding(slack) < first.position.time {
        return TimeDisorder(first: first.position, second: second.position)
      }
    }
    known.append(record)
    return nil
  }

}
