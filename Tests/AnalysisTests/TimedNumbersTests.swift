import JSONSift
import JSONSiftAnalysis
import TestSupport
import Testing

/// Percentiles over time are those of the numbers of each interval.
@Suite struct TimedNumbersTests {
  private typealias Record = (second: Int?, numbers: [Double?])

  /// Returns random records over some time: few in most intervals, many in others, some without a time or a number.
  private static func records(_ random: inout SeededGenerator) -> [Record] {
    let range = [50, 2000, 40_000, 3_000_000].randomElement(using: &random) ?? 50
    let isDense = Bool.random(using: &random)
    return (0..<Int.random(in: 1...6000, using: &random)).map { _ in
      let second =
        isDense && Int.random(in: 0..<3, using: &random) > 0 ? range / 2 : Int.random(in: 0..<range, using: &random)
      let numbers = (0..<2).map { _ -> Double? in
        Int.random(in: 0..<9, using: &random) == 0 ? nil : Double(Int.random(in: -200...90_000, using: &random)) / 4
      }
      return (Int.random(in: 0..<30, using: &random) == 0 ? nil : 1_770_000_000 + second, numbers)
    }
  }

  private static func find(_ records: [Record], batch: Int, maxBytes: Int) throws -> TimedNumbers.Found {
    let limits = JSONLimits()
    let intervals = try #require(TimeIntervals(of: JSONPath("$.t"), length: TimeCounts.rowLength, .seconds, nil))
    func query(_ numbers: [JSONPath], _ intervals: TimeIntervals?) -> GroupQuery {
      GroupQuery(numbers: numbers, distinct: [], intervals: intervals, keys: [], template: nil, limits: limits)
    }
    var collectors = GroupCollectors([query([], intervals), query(["$.a", "$.b"], nil)], hasLines: false)
    var (timed, counts) = (TimedNumbers(paths: 2, maxBytes: maxBytes), TimeCounts())
    func pass() {
      let rows = collectors.takeRows()
      guard rows.count == 2 else { return }
      let times = TimedRows(rows[0])
      counts.add(times)
      timed.add(rows[1], at: times)
    }
    for (index, record) in records.enumerated() {
      var members = record.second.map { ["\"t\":\($0)"] } ?? []
      members += zip(["a", "b"], record.numbers).map { "\"\($0)\":\($1.map { "\($0)" } ?? "null")" }
      try collectors.add(JSON(parsing: "{\(members.joined(separator: ","))}"), line: nil)
      if index % batch == batch - 1 { pass() }
    }
    pass()
    let picture = counts.picture(columns: 120)
    let seconds = try #require(picture.seconds)
    return timed.intervals(ofLength: picture.length, in: seconds)
  }

  private static func rows(_ found: TimedNumbers.Found) -> [String] {
    found.intervals.map { number, numbers in
      "\(found.length) \(number) \(numbers.map { "\($0.count) \($0.texts)" })"
    }
  }

  @Test func `percentiles by interval are those of its numbers, in any order and cut`() throws {
    var random = SeededGenerator()
    for round in 0..<12 {
      let records = Self.records(&random)
      guard records.contains(where: { $0.second != nil }) else { continue }
      let maxBytes = [20_000, 1 << 24][round % 2]
      let found = try Self.find(records, batch: .max, maxBytes: maxBytes)
      let place = Comment(rawValue: "\(random), round \(round)")
      // Intervals far from all others are not in the picture.
      let length = Int(found.length / TimeCounts.rowLength)
      var expected: [Int: [[Double]]] = [:]
      for record in records {
        guard let second = record.second else { continue }
        for (path, number) in record.numbers.enumerated() {
          var numbers = expected[second / length] ?? [[], []]
          if let number { numbers[path].append(number) }
          expected[second / length] = numbers
        }
      }
      #expect(found.intervals.map { Int($0.number) } == found.intervals.map { Int($0.number) }.sorted(), place)
      if records.count < 1000 { #expect(Set(found.intervals.map { Int($0.number) }) == Set(expected.keys), place) }
      for (number, numbers) in found.intervals {
        for (path, percentiles) in numbers.enumerated() {
          let sorted = (expected[Int(number)]?[path] ?? []).sorted()
          #expect(percentiles.count == sorted.count, place)
          for (share, value) in zip([0.5, 0.95, 0.99], percentiles.named ?? []) {
            let exact = sorted[Int((share * Double(sorted.count)).rounded(.up)) - 1]
            #expect(abs(value - exact) <= (sorted.count > 1000 ? abs(exact) / 1000 : 0), place)
          }
        }
      }
      let shuffled = records.shuffled(using: &random)
      #expect(try Self.rows(Self.find(shuffled, batch: 7, maxBytes: maxBytes)) == Self.rows(found), place)
      #expect(try Self.rows(Self.find(records, batch: 500, maxBytes: maxBytes)) == Self.rows(found), place)
    }
  }

  @Test func `with many numbers the intervals become longer`() throws {
    let records = (0..<20_000).map { (second: 1_770_000_000 + $0, numbers: [Double?]([Double($0 * $0), 1])) }
    let short = try Self.find(records, batch: 1000, maxBytes: 1 << 24)
    let long = try Self.find(records, batch: 1000, maxBytes: 60_000)
    #expect(short.length == 300 * TimeCounts.rowLength && long.length > short.length)
    #expect(long.intervals.reduce(0) { $0 + $1.numbers[0].count } == 20_000)
  }
}
