import JSONSift

/// The length of intervals of time, in seconds: one that people would choose.
struct IntervalLength {
  /// Each is a multiple of the one before. Intervals of one length therefore consist of whole shorter ones.
  private static let lengths: [Int128] = {
    let seconds: [Int128] = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 10800, 21600, 43200]
    let days: [Int128] = [1, 5, 10, 30, 90, 180, 360, 3600, 36000, 360_000, 3_600_000, 36_000_000, 360_000_000]
    return seconds + days.map { $0 * 86_400 }
  }()

  private var step = 0

  var seconds: Int128 { Self.lengths[step] }
  var attoseconds: Int128 { seconds * Instant.attosecondsPerSecond }
  var isLongest: Bool { step + 1 == Self.lengths.count }

  /// Makes it longer, unless it is the longest. Returns the number of intervals that become one.
  mutating func lengthen() -> Int128 {
    guard !isLongest else { return 1 }
    step += 1
    return Self.lengths[step] / Self.lengths[step - 1]
  }

  /// Returns the number of the interval that contains a second, or one of several shorter intervals.
  static func divide(_ number: Int128, _ divisor: Int128) -> Int128 {
    Instant.floorDivision(number, divisor).quotient
  }
}

/// Rows of records whose keys are an interval of ``TimeCounts/rowLength`` and at most one value.
package struct TimedRows {
  let rows: CollectedRows
  /// By key: the interval; `nil` for records without a time.
  let seconds: [Int128?]

  /// A time beyond 16 million years is none: so there are few of the longest intervals, and memory is bounded.
  private static let bound: Int128 = 500_000_000_000_000

  package init(_ rows: CollectedRows) {
    self.rows = rows
    seconds = (0..<rows.keys.count).map { key in
      GroupKey.interval(rows.keys[key]).flatMap { abs($0) <= Self.bound ? $0 : nil }
    }
  }
}

/// Counts records by intervals of time and by one more value, such as the level of a log. The length of the intervals grows with
/// the range of the times, so memory is bounded, and neither the order of the records nor how they are cut matters.
package struct TimeCounts {
  /// The number of intervals beyond which they become longer: more than any picture has, so it has no effect on a picture.
  private static let maxIntervals = 4096
  /// The number of different values; all further ones count as one.
  private static let maxValues = 32

  private var length = IntervalLength()
  private var counts: [Int128: [Int]] = [:]
  private var keys = GroupKeys()
  /// By value: the records without a time.
  private var untimed: [Int] = []

  package init() {}

  /// The length of the intervals of the rows that are added: a second.
  package static var rowLength: Int128 { Instant.attosecondsPerSecond }

  /// Adds records.
  package mutating func add(_ times: TimedRows) {
    let rows = times.rows
    for (key, count) in rows.countsByKey.enumerated() {
      let texts = GroupKey.texts(rows.keys[key])
      let text = texts.count > 1 ? texts[1] : []
      let spelled = rows.keys.spelling(of: key).map(GroupKey.texts).flatMap { $0.count > 1 ? $0[1] : nil }
      let isKnown = keys.count < Self.maxValues
      let value =
        isKnown ? keys.number(of: text, spelled: spelled) : keys.number(ofKnown: text) ?? Self.maxValues
      guard let interval = times.seconds[key] else {
        Self.count(value, in: &untimed, count)
        continue
      }
      Self.count(value, in: &counts[IntervalLength.divide(interval, length.seconds), default: []], count)
      if counts.count > Self.maxIntervals { lengthen() }
    }
  }

  private static func count(_ value: Int, in counts: inout [Int], _ number: Int) {
    while counts.count <= value { counts.append(0) }
    counts[value] &+= number
  }

  private mutating func lengthen() {
    guard !length.isLongest else { return }
    let factor = length.lengthen()
    var longer: [Int128: [Int]] = [:]
    for (interval, values) in counts {
      for (value, number) in values.enumerated() {
        Self.count(value, in: &longer[IntervalLength.divide(interval, factor), default: []], number)
      }
    }
    counts = longer
  }

  /// The counts for a picture.
  package struct Picture {
    /// The length of the intervals in attoseconds.
    package let length: Int128
    /// The texts of the values as JSON; empty for records without one. The last one may stand for all others.
    package let values: [[UInt8]]
    package let hasOthers: Bool
    /// The intervals with records in the order of time: the number of each since 1970, and the counts by value.
    package let intervals: [(number: Int128, counts: [Int])]
    /// The records without a time, by value.
    package let untimed: [Int]
    /// The records far from all others in time, which are in no interval, and the first and the last second with one.
    package let strays: (count: Int, rows: ClosedRange<Int128>)?

    /// The seconds from the start of the first interval to the last second of the last one; `nil` without intervals.
    package var seconds: ClosedRange<Int128>? {
      guard let first = intervals.first?.number, let last = intervals.last?.number else { return nil }
      let seconds = length / TimeCounts.rowLength
      return first * seconds...(last + 1) * seconds - 1
    }

    /// Returns the number of the interval that contains one of ``TimeCounts/rowLength``.
    package func number(ofRow interval: Int128) -> Int128 {
      IntervalLength.divide(interval, length / TimeCounts.rowLength)
    }
  }

  /// Returns the counts in the shortest intervals with which a picture has at most `columns` columns. A gap between two
  /// intervals takes as many columns as it has intervals, or three if there are more.
  ///
  /// At most a thousandth of the records at each end are left out if they are further from the others than these are from each
  /// other: clocks that were wrong would make all other records one interval.
  package mutating func picture(columns: Int) -> Picture {
    var core = self.core
    while !length.isLongest, Self.columns(core) > columns {
      lengthen()
      core = self.core
    }
    let hasOthers = counts.values.contains { $0.count > Self.maxValues } || untimed.count > Self.maxValues
    let width = keys.count + (hasOthers ? 1 : 0)
    func padded(_ counts: [Int]) -> [Int] { counts + [Int](repeating: 0, count: max(width - counts.count, 0)) }
    let isShown = Set(core)
    let outside = counts.keys.filter { !isShown.contains($0) }.sorted()
    let count = outside.reduce(0) { $0 + (counts[$1] ?? []).reduce(0, +) }
    return Picture(
      length: length.attoseconds,
      values: (0..<keys.count).map { Array(keys.spelling(of: $0) ?? keys[$0]) } + (hasOthers ? [[]] : []),
      hasOthers: hasOthers, intervals: core.map { ($0, padded(counts[$0] ?? [])) }, untimed: padded(untimed),
      strays: outside.first.flatMap { first in
        outside.last.map { (count, first * length.seconds...$0 * length.seconds) }
      })
  }

  /// The intervals with records in their order, without those far from the others.
  private var core: ArraySlice<Int128> {
    let all = counts.keys.sorted()
    let sums = all.map { (counts[$0] ?? []).reduce(0, +) }
    let most = sums.reduce(0, +) / 1000
    guard most > 0 else { return all[...] }
    var (start, end) = (0, all.count - 1)
    var (before, after) = (0, 0)
    while start < end, before + sums[start] <= most {
      before += sums[start]
      start += 1
    }
    while end > start, after + sums[end] <= most {
      after += sums[end]
      end -= 1
    }
    // The edges of the others belong to them.
    let span = all[end] - all[start] + 1
    while start > 0, all[start] - all[start - 1] <= span { start -= 1 }
    while end + 1 < all.count, all[end + 1] - all[end] <= span { end += 1 }
    return all[start...end]
  }

  private static func columns(_ intervals: ArraySlice<Int128>) -> Int {
    var (columns, last): (Int, Int128?) = (0, nil)
    for interval in intervals {
      if let last { columns += Int(clamping: min(interval - last - 1, 3)) }
      columns += 1
      last = interval
    }
    return columns
  }
}
