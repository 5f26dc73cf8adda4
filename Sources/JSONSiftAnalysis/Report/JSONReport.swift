import JSONSift

/// What is in a log: the values behind the page of `jsift report`.
///
/// ```swift
/// var builder = try JSONReport.Builder()
/// while let record = try reader.next() { builder.add(record.value, line: record.line) }
/// let report = builder.finish()
/// print(report.recordCount, report.messages.first?.template ?? "no messages")
/// ```
///
/// Each count is exact. Texts of values are JSON, as they are spelled in the log: nothing is masked, so a report is as secret as
/// its log; `JSONEdit.edited(_:options:)` masks records before they are added.
public struct JSONReport: Sendable, Hashable, Codable {
  /// The number of records.
  public let recordCount: Int
  /// The fields that the report is about.
  public let fields: [Field]
  /// The records over time; `nil` if they have no time.
  public let times: Times?
  /// The commonest messages, those with the most records first.
  public let messages: [Message]
  /// The number of records with other messages.
  public let otherMessageCount: Int
  /// The fields with many different numbers.
  public let numbers: [Numbers]
  /// The fields with few different values.
  public let values: [Values]
  /// The paths of the records, in the order in which they first occurred.
  public let paths: [JSONShape.Path]

  /// A field that the report is about.
  public struct Field: Sendable, Hashable, Codable {
    /// What a field is for.
    public enum Role: String, Sendable, Hashable, Codable {
      /// The time of the record.
      case time
      /// The severity of the record.
      case level
      /// The text whose templates are counted.
      case message
      /// A number whose percentiles are taken.
      case number
      /// A field with few values, which are counted.
      case value
    }

    /// What the field is for.
    public let role: Role
    /// The path of the field.
    public let path: String
    /// Why the field was chosen, for people.
    public let reason: String
  }

  /// The number of records by intervals of equal length.
  public struct Times: Sendable, Hashable, Codable {
    /// The length of an interval in seconds: the shortest with which a picture has at most 120 columns.
    public let seconds: Int
    /// The start of each interval with records, as RFC 3339 in UTC.
    public let starts: [String]
    /// The records of each level, in the order of their first ones; one element for all records without a field for levels.
    public let levels: [Level]
    /// The number of records whose times are far from all others. They are in no interval.
    public let strayCount: Int
  }

  /// The records of one level.
  public struct Level: Sendable, Hashable, Codable {
    /// The level as JSON; `nil` for records without one.
    public let level: String?
    /// Whether these are the records of all levels after the first 32.
    public let isRest: Bool
    /// The number of records in each interval.
    public let counts: [Int]
    /// The number of records without a time.
    public let untimedCount: Int
  }

  /// The records with messages that differ only in numbers, addresses and the like.
  public struct Message: Sendable, Hashable, Codable {
    /// The level as JSON; `nil` for records without one.
    public let level: String?
    /// The message as JSON, with what varies replaced by its kind, such as `<number>`; `nil` for records without one.
    public let template: String?
    /// The number of records.
    public let count: Int
    /// The first message as JSON.
    public let example: String?
    /// The line of the first message, if it is known.
    public let line: Int?
    /// The seconds of the first and of the last record in time, as RFC 3339 in UTC; `nil` if no record has a time.
    public let first, last: String?
  }

  /// The numbers of a field.
  public struct Numbers: Sendable, Hashable, Codable {
    /// The path of the field.
    public let path: String
    /// The number of values that are numbers, of records without a value, and of values that are not numbers.
    public let count, absentCount, wrongCount: Int
    /// The least and the largest number as they are spelled; `nil` without numbers.
    public let min, max: String?
    /// The sum of all numbers, exact up to 38 digits, and their mean; `nil` without numbers.
    public let sum, mean: String?
    /// Percentiles, each within 0.1 % of a number of that rank; `nil` without numbers.
    public let p50, p95, p99: String?
    /// The percentiles over time; `nil` if the records have no time.
    public let times: NumberTimes?
  }

  /// The numbers of a field by intervals of equal length.
  public struct NumberTimes: Sendable, Hashable, Codable {
    /// The length of an interval in seconds. It is that of ``Times``, unless the percentiles of all fields need more than 6 MiB;
    /// then it is longer.
    public let seconds: Int
    /// The intervals with numbers.
    public let intervals: [Interval]

    /// The numbers of one interval.
    public struct Interval: Sendable, Hashable, Codable {
      /// The start of the interval, as RFC 3339 in UTC.
      public let start: String
      /// The number of values that are numbers.
      public let count: Int
      /// Percentiles, each within 0.1 % of a number of that rank.
      public let p50, p95, p99: String
    }
  }

  /// The values of a field.
  public struct Values: Sendable, Hashable, Codable {
    /// The path of the field.
    public let path: String
    /// The commonest values, those with the most records first.
    public let counts: [Value]
    /// The number of records with other values.
    public let otherCount: Int
  }

  /// A value of a field.
  public struct Value: Sendable, Hashable, Codable {
    /// The value as JSON; `nil` for records without one.
    public let value: String?
    /// The number of records.
    public let count: Int
  }
}

extension JSONReport {
  /// Settings of a report. Fields that are not named are found in the first records, by their names and values.
  public struct Options: Sendable {
    /// The path of the time of a record. It selects one value, as all of these paths.
    public var time: JSONPath?
    /// The unit of times that are numbers; `nil` if it is recognized by their size.
    public var timeUnit: JSONTimeUnit?
    /// The path of the level of a record.
    public var level: JSONPath?
    /// The path of the message of a record.
    public var message: JSONPath?
    /// Paths to numbers, instead of those that are found.
    public var numbers: [JSONPath] = []
    /// Paths to values that are counted, instead of those that are found.
    public var values: [JSONPath] = []
    /// The largest number of messages, and of values of a field.
    public var maxRows = 20

    /// Creates settings that name no field.
    public init() {}
  }

  /// Makes a report of records that are added one by one.
  ///
  /// The first 1,000 records, or those of the first MiB, are kept in memory until the fields are found. After that, memory does
  /// not grow with the records: the first 5,000 different messages and values of a field are counted, the others together.
  public struct Builder {
    private let options: Options
    /// The first records, until the fields are found.
    private var sample: [(record: JSON, line: Int?)] = []
    private var sampleBytes = 0
    private var collectors: GroupCollectors?
    private var tally = ReportTally(ReportPlan(ReportFields(), nil, nil, JSONLimits()), JSONShape())

    /// - Throws: `JSONError.Code.invalidPath` for a path that can select several values.
    public init(options: Options = Options()) throws(JSONError) {
      let paths = [options.time, options.level, options.message].compactMap(\.self) + options.numbers + options.values
      for path in paths { try path.requireSingular() }
      self.options = options
    }

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - record: One record of the log.
    ///   - line: The line on which it begins, for ``JSONReport/Message/line``.
    /// - Complexity: O(values of the record).
    public mutating func add(_ record: JSON, line: Int? = nil) {
      // Keys and numbers are the texts of values, and a value that was made in Swift has none.
      let record = record.isFromText ? record : (try? JSON(parsing: record.bytes())) ?? record
      tally.shape.add(record)
      guard collectors == nil else { return ask(record, line) }
      sample.append((record, line))
      unsafe record.borrowRawBytes { sampleBytes += $0.count }
      if sample.count == ReportFields.sampleCount || sampleBytes >= ReportFields.sampleBytes { findFields() }
    }

    private mutating func ask(_ record: JSON, _ line: Int?) {
      // Nothing is asked of a record that exceeds a limit of paths.
      try? collectors?.add(record, line: line)
      if collectors?.isFull == true { addRows() }
    }

    private mutating func addRows() {
      if let rows = collectors?.takeRows() { tally.add(rows, input: 0) }
    }

    private mutating func findFields() {
      func named(_ path: JSONPath) -> ReportFields.Choice {
        ReportFields.Choice(path, path.description, reason: "named by the options")
      }
      var fields = ReportFields()
      fields.time = options.time.map(named)
      fields.level = options.level.map(named)
      fields.message = options.message.map(named)
      fields.numbers = options.numbers.map(named)
      fields.values = options.values.map(named)
      let plan = ReportPlan(ReportFields(fields, in: sample.map(\.record)), options.timeUnit, nil, JSONLimits())
      tally = ReportTally(plan, tally.shape)
      collectors = GroupCollectors(plan.queries, hasLines: true)
      for (record, line) in sample { ask(record, line) }
      sample = []
    }

    /// Returns the report of all records so far. More can be added after it.
    public mutating func finish() -> JSONReport {
      if collectors == nil {
        // The fields of the next report are found in more records.
        var copy = self
        copy.findFields()
        return copy.finish()
      }
      addRows()
      return JSONReport(tally, max(options.maxRows, 0))
    }
  }

  private init(_ given: ReportTally, _ maxRows: Int) {
    var tally = given
    let plan = tally.plan
    let timeline = tally.timeline()
    recordCount = tally.shape.recordCount
    paths = tally.shape.paths
    fields = plan.fields.byRole.compactMap { role, choice in
      choice.map { Field(role: role, path: $0.text, reason: $0.reason) }
    }
    times = timeline.map { Times($0.picture, $0.intervals) }
    let timedNumbers = timeline.flatMap { tally.numbers(over: $0.picture) }
    var (messages, numbers, values): ([Message], [Numbers], [Values]) = ([], [], [])
    for (question, groups) in zip(plan.asked, tally.groups) {
      switch question {
      case .times: break
      case .messages:
        let seconds = plan.intervals(TimeCounts.rowLength)
        messages = groups.order(top: maxRows).map { Message($0, of: groups, seconds) }
      case .numbers:
        numbers = plan.fields.numbers.enumerated().map { path, field in
          Numbers(
            field.text, groups.order(top: 1).first.map { groups.numbers($0, path: path) } ?? NumberSummary(),
            timedNumbers.map { NumberTimes($0.found, $0.intervals, path) })
        }
      case .values(let index):
        let counts = groups.order(top: maxRows).map { group in
          Value(value: groups.key(group).first.flatMap(Self.text), count: groups.count(group))
        }
        let others = recordCount - counts.reduce(0) { $0 + $1.count }
        values.append(Values(path: plan.fields.values[index].text, counts: counts, otherCount: others))
      }
    }
    (self.messages, self.numbers, self.values) = (messages, numbers, values)
    otherMessageCount = plan.fields.message == nil ? 0 : recordCount - messages.reduce(0) { $0 + $1.count }
  }

  fileprivate static func text(_ value: some Collection<UInt8>) -> String? {
    value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
  }
}

extension JSONReport.Times {
  fileprivate init(_ picture: TimeCounts.Picture, _ intervals: TimeIntervals) {
    seconds = Int(clamping: picture.length / TimeCounts.rowLength)
    starts = picture.intervals.map { intervals.text(of: $0.number) }
    levels = picture.values.indices.map { value in
      let isRest = picture.hasOthers && value == picture.values.count - 1
      return JSONReport.Level(
        level: JSONReport.text(picture.values[value]), isRest: isRest,
        counts: picture.intervals.map { $0.counts[value] }, untimedCount: picture.untimed[value])
    }
    strayCount = picture.strays?.count ?? 0
  }
}

extension JSONReport.Message {
  fileprivate init(_ group: Int, of groups: Groups, _ seconds: TimeIntervals?) {
    let (key, found, span) = (groups.key(group), groups.example(group), groups.span(of: group))
    level = key.count > 1 ? JSONReport.text(key[0]) : nil
    template = key.last.flatMap(JSONReport.text)
    count = groups.count(group)
    example = found.flatMap { JSONReport.text($0.text) }
    line = found?.line
    first = span.flatMap { span in seconds.map { $0.text(of: span.lowerBound) } }
    last = span.flatMap { span in seconds.map { $0.text(of: span.upperBound) } }
  }
}

extension JSONReport.Numbers {
  fileprivate init(_ path: String, _ summary: NumberSummary, _ times: JSONReport.NumberTimes?) {
    self.times = times
    let columns = summary.columns
    func text(_ name: String) -> String? { columns.first { $0.name == name }?.text }
    func count(_ name: String) -> Int { text(name).flatMap { Int($0) } ?? 0 }
    self.path = path
    (self.count, absentCount, wrongCount) = (count("count"), count("absent"), count("wrong"))
    (min, max, sum, mean) = (text("min"), text("max"), text("sum"), text("mean"))
    (p50, p95, p99) = (text("p50"), text("p95"), text("p99"))
  }
}

extension JSONReport.NumberTimes {
  fileprivate init(_ found: TimedNumbers.Found, _ intervals: TimeIntervals, _ path: Int) {
    seconds = Int(clamping: found.length / TimeCounts.rowLength)
    self.intervals = found.intervals.compactMap { number, numbers in
      let texts = numbers[path].texts.compactMap(\.self)
      guard texts.count == 3 else { return nil }
      return Interval(
        start: intervals.text(of: number), count: numbers[path].count, p50: texts[0], p95: texts[1], p99: texts[2])
    }
  }
}
