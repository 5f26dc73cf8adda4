import JSONSift

/// The percentiles of numbers by intervals of time, in bounded memory: intervals become longer when the numbers need more of it.
/// Neither the order of the records nor how they are cut matters.
package struct TimedNumbers {
  /// The largest number of intervals. More become longer ones. A picture has fewer.
  private static let maxIntervals = 2048

  private let paths: Int
  private let maxBytes: Int
  private var length = IntervalLength()
  /// By interval: the index of the numbers of its first path.
  private var places: [Int128: Int] = [:]
  private var numbers: [Percentiles] = []

  /// - Parameters:
  ///   - paths: The number of paths, whose numbers are counted apart.
  ///   - maxBytes: The size beyond which the intervals become longer.
  package init(paths: Int, maxBytes: Int = 6 << 20) { (self.paths, self.maxBytes) = (paths, maxBytes) }

  /// Adds the numbers of records.
  ///
  /// - Parameter times: The times of the same records.
  package mutating func add(_ rows: CollectedRows, at times: TimedRows) {
    let found = times.seconds.map { $0.map { place(of: $0) } }
    var next = 0
    for time in times.rows.groups {
      let place = found[time.index]
      for path in 0..<paths {
        repeat {
          let number = rows.numbers.values[next]
          if let place, number.isNumber { numbers[place + path].add(number.double) }
          next += 1
        } while rows.numbers.isFurther(at: next)
      }
    }
    while places.count > Self.maxIntervals || byteCount > maxBytes, !length.isLongest { lengthen() }
  }

  /// The size in bytes, about. Before the intervals become longer, it does not become smaller.
  private var byteCount: Int { numbers.reduce(places.count * 48) { $0 + 96 + $1.byteCount } }

  private mutating func place(of second: Int128) -> Int {
    let interval = number(of: second)
    if let place = places[interval] { return place }
    let place = numbers.count
    places[interval] = place
    for _ in 0..<paths { numbers.append(Percentiles()) }
    return place
  }

  private mutating func lengthen() {
    let factor = length.lengthen()
    var old: [Percentiles] = []
    swap(&old, &numbers)
    let shorter = places
    places = [:]
    for (interval, place) in shorter.sorted(by: { $0.value < $1.value }) {
      let longer = IntervalLength.divide(interval, factor)
      let first = places[longer] ?? numbers.count
      places[longer] = first
      for path in 0..<paths {
        // Moved out of the old ones, so that both are not in memory at a time.
        var moved = Percentiles()
        swap(&moved, &old[place + path])
        if first + path < numbers.count { numbers[first + path].merge(moved) } else { numbers.append(moved) }
      }
    }
  }

  /// Returns the numbers by interval in the order of time, and by path.
  ///
  /// - Parameters:
  ///   - least: The length of the intervals in attoseconds, if they need not be longer.
  ///   - seconds: The seconds of the intervals to return; an interval that contains one is returned.
  ///   - count: A number of numbers. The method makes intervals longer until a path has so many in half of them, or until fewer
  ///     than 24 intervals are left.
  package mutating func intervals(
    ofLength least: Int128, in seconds: ClosedRange<Int128>, withCount count: Int = 0
  ) -> Found {
    while length.attoseconds < least, !length.isLongest { lengthen() }
    var found = self.found(in: seconds)
    while found.intervals.count >= 24, !length.isLongest, !found.hasHalf(count) {
      lengthen()
      found = self.found(in: seconds)
    }
    return found
  }

  private func found(in seconds: ClosedRange<Int128>) -> Found {
    let (first, last) = (number(of: seconds.lowerBound), number(of: seconds.upperBound))
    let shown = places.sorted { $0.key < $1.key }.filter { first <= $0.key && $0.key <= last }
    return Found(
      length: length.attoseconds, intervals: shown.map { ($0.key, Array(numbers[$0.value..<($0.value + paths)])) })
  }

  private func number(of second: Int128) -> Int128 { IntervalLength.divide(second, length.seconds) }

  /// The numbers that were found.
  package struct Found {
    /// The length in attoseconds.
    package let length: Int128
    /// The number of each interval since 1970, and the numbers by path.
    package let intervals: [(number: Int128, numbers: [Percentiles])]

    /// Returns whether a path has at least `count` numbers in half of the intervals.
    fileprivate func hasHalf(_ count: Int) -> Bool {
      intervals.count { $0.numbers.contains { $0.count >= count } } * 2 >= intervals.count
    }
  }
}
