import JSONSift

/// Intervals of time of equal length. One of them begins at 1970-01-01T00:00:00Z.
package struct TimeIntervals: Sendable {
  /// The path of the time of a record. It selects at most one value.
  let path: JSONPath
  /// The unit of times that are numbers; `nil` if it is recognized by their size.
  let unit: JSONTimeUnit?
  /// Shows the times without an offset; `nil` for UTC.
  let clock: LocalClock?
  /// The length in attoseconds: a positive number of nanoseconds.
  package let length: Int128
  /// The number of decimal places of a second that the start of an interval needs.
  private let places: Int

  /// Returns `nil` for a length that is not positive.
  package init?(of path: JSONPath, length: Int128, _ unit: JSONTimeUnit?, _ clock: LocalClock?) {
    guard length > 0 else { return nil }
    self.path = path
    self.unit = unit
    self.clock = clock
    self.length = length
    // Units are nanoseconds or longer, so nine places suffice.
    var places = 0
    var place = Instant.attosecondsPerSecond
    while length % place != 0, places < 9 {
      place /= 10
      places += 1
    }
    self.places = places
  }

  /// Returns the number of the interval that contains a time: 0 for the one that begins in 1970, and -1 for the one
  /// before.
  ///
  /// Times are rounded down to attoseconds. Intervals begin at whole nanoseconds, so the rounded time is in the same one.
  func number(of time: Instant) -> Int128 {
    // A length is at least 10^9, so no quotient is near a limit of the range.
    Instant.floorDivision(time.attoseconds, length).quotient
  }

  /// Returns the start of an interval in attoseconds.
  ///
  /// A time has at most 20 digits before the decimal point of its seconds, and a length is much shorter than that, so
  /// neither the start nor the end of its interval exceeds 127 bits.
  func start(of number: Int128) -> Int128 { number &* length }

  /// Returns the start of an interval as RFC 3339 in UTC, all with the same number of decimal places.
  package func text(of number: Int128) -> String { Instant(attoseconds: start(of: number)).text(places: places) }
}

/// Finds the interval of the time of each record.
package struct IntervalFinder: Sendable {
  private let intervals: TimeIntervals
  /// The start and the end of the interval found last, in attoseconds. Most records of a log have the interval of the
  /// record before.
  private var start: Int128 = 0
  private var end: Int128 = 0

  /// The number of the interval found last, as text.
  private(set) var key: [UInt8] = []

  init(_ intervals: TimeIntervals) { self.intervals = intervals }

  /// Finds the interval of a time. Returns `false` if the text is not a time.
  mutating func find(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let time = unsafe Instant(json: text, intervals.unit, intervals.clock) else { return false }
    if time.attoseconds < start || time.attoseconds >= end {
      let number = intervals.number(of: time)
      start = intervals.start(of: number)
      end = start &+ intervals.length
      key = Array(String(number).utf8)
    }
    return true
  }
}
