import JSONSift

/// What a report asks of the fields of the records.
package struct ReportPlan: Sendable {
  /// The queries in their order. Numbers, messages and counts by interval are absent without such fields.
  package enum Question: Sendable {
    case times, messages, numbers
    case values(Int)
  }

  package let fields: ReportFields
  package let asked: [Question]
  package let queries: [GroupQuery]
  package let unit: JSONTimeUnit?
  package let clock: LocalClock?

  /// The largest number of groups of a question; the records of all others are counted together.
  package static let maxGroups = 5000
  /// The largest size of their texts, and of the examples.
  static let maxBytes = 1 << 20
  /// The number of columns of a picture over time.
  package static let columns = 120

  package init(_ fields: ReportFields, _ unit: JSONTimeUnit?, _ clock: LocalClock?, _ limits: JSONLimits) {
    (self.fields, self.unit, self.clock) = (fields, unit, clock)
    let level = fields.level.map { [$0.path] } ?? []
    func query(
      _ numbers: [JSONPath] = [], by keys: [JSONPath] = [], _ intervals: TimeIntervals? = nil, template: JSONPath? = nil
    ) -> GroupQuery {
      GroupQuery(
        numbers: numbers, distinct: [], intervals: intervals, keys: keys, template: template, limits: limits)
    }
    var asked: [(Question, GroupQuery)] = []
    if let time = fields.time, let seconds = TimeIntervals(of: time.path, length: TimeCounts.rowLength, unit, clock) {
      asked.append((.times, query(by: level, seconds)))
    }
    if let message = fields.message { asked.append((.messages, query(by: level, template: message.path))) }
    if !fields.numbers.isEmpty { asked.append((.numbers, query(fields.numbers.map(\.path)))) }
    for (index, value) in fields.values.enumerated() { asked.append((.values(index), query(by: [value.path]))) }
    self.asked = asked.map(\.0)
    queries = asked.map(\.1)
  }

  /// The intervals of a length in attoseconds; `nil` without a time.
  package func intervals(_ length: Int128) -> TimeIntervals? {
    fields.time.flatMap { TimeIntervals(of: $0.path, length: length, unit, clock) }
  }
}

/// The answers of all records.
package struct ReportTally {
  package let plan: ReportPlan
  private var times = TimeCounts()
  private var timedNumbers: TimedNumbers
  /// The groups of each question. Those of the question about times are empty.
  package private(set) var groups: [Groups]
  package var shape: JSONShape

  package init(_ plan: ReportPlan, _ shape: JSONShape) {
    self.plan = plan
    self.shape = shape
    timedNumbers = TimedNumbers(paths: plan.fields.numbers.count)
    groups = plan.queries.map { query in
      Groups(
        numbers: query.numbers.count, distinct: 0, areTimed: query.intervals != nil, maxGroups: ReportPlan.maxGroups,
        // Without keys there is one group.
        foldingBeyond: query.numbers.isEmpty ? ReportPlan.maxBytes : nil)
    }
  }

  /// Adds the answers of some records, by question.
  package mutating func add(_ answers: [CollectedRows], input: Int) {
    var timed: TimedRows?
    for (index, rows) in answers.enumerated() {
      switch plan.asked[index] {
      case .times:
        let found = TimedRows(rows)
        times.add(found)
        timed = found
      case .numbers:
        var cursor = Groups.Cursor(rows, input: input)
        groups[index].add(&cursor)
        if let timed { timedNumbers.add(rows, at: timed) }
      case .messages: groups[index].add(counts: rows, at: timed, input: input)
      case .values: groups[index].add(counts: rows, input: input)
      }
    }
  }

  /// The counts for the pictures over time, and the intervals that they are of.
  package typealias Timeline = (picture: TimeCounts.Picture, intervals: TimeIntervals)

  /// Returns the counts by time; `nil` without a time.
  package mutating func timeline() -> Timeline? {
    let picture = times.picture(columns: ReportPlan.columns)
    return plan.intervals(picture.length).map { (picture, $0) }
  }

  /// Returns the numbers of the intervals of a picture, or of longer ones; `nil` without records in it.
  ///
  /// - Parameter count: The number of numbers that half of the intervals have, unless there are few intervals.
  package mutating func numbers(
    over picture: TimeCounts.Picture, withCount count: Int = 0
  ) -> (found: TimedNumbers.Found, intervals: TimeIntervals)? {
    guard let seconds = picture.seconds, !plan.fields.numbers.isEmpty else { return nil }
    let found = timedNumbers.intervals(ofLength: picture.length, in: seconds, withCount: count)
    return plan.intervals(found.length).map { (found, $0) }
  }
}
