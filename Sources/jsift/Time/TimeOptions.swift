import ArgumentParser
import JSONSift

extension JSONTimeUnit: ExpressibleByArgument {}

/// The options that select records by their time, as typed.
struct TimeOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The path of the time of a record: for --since and --until, a string of RFC 3339, or the number of seconds or of "
        + "another --time-unit since 1970, also in a string or in {\"$date\": …}. A comma for the point, +0100, a space for "
        + "T, and no offset (--time-zone) are accepted. May be repeated: the first path at which a record has a time counts. Without it these are ts, time, timestamp, "
        + "@timestamp, t and date. Records without a time are not selected; a message counts them.",
      valueName: "path"))
  var time: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only records from this time on: RFC 3339, a date and time such as '2026-11-24 14:00', a number as in records, "
        + "-15m, -3d, now, today, 'yesterday 14:00'. Digits such as 20261124 can be a date and a number, and are rejected.",
      valueName: "t"))
  var since: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only records before this time; takes the same times as --since.", valueName: "t"))
  var until: String?

  @Option(
    help: ArgumentHelp(
      "The unit of times that are numbers. Without it, it is recognized by their size: s below 10^11, ms below 10^14, us "
        + "below 10^17, else ns.", valueName: "s|ms|us|ns"))
  var timeUnit: JSONTimeUnit?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The time zone of dates on the command line and of times without an offset, such as Europe/Berlin; the default is "
        + "the zone of the system.",
      valueName: "zone"))
  var timeZone: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The time that 'now' and -15m refer to; the default is the current time.", valueName: "t"))
  var now: String?

  @Flag(
    help: ArgumentHelp(
      "The file is sorted by --time: search for the window instead of reading all records. Disorder and bad records in "
        + "the text that is not read go unnoticed; --rejects does not have them."))
  var sorted = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "For --sorted and merge: by how much a time may be earlier than one before it, such as 5s or 2m; the default is 0s.",
      valueName: "d"))
  var slack: String?

  /// Returns the window of the options; `nil` without them. An invalid option ends the run with a message.
  ///
  /// - Parameters:
  ///   - isOptional: Whether another option uses --time, so that there may be no window.
  ///   - usesUnit: Whether --time-unit is used without --time.
  ///   - isMerge: Whether the times have another use, so that the options need no window.
  ///   - expected: The options that use --time, for the message if there is none.
  func window(
    isOptional: Bool = false, usesUnit: Bool = false, isMerge: Bool = false,
    expected: String = "--since or --until, found neither"
  ) throws -> TimeWindow? {
    guard !time.isEmpty || since != nil || until != nil || isMerge else {
      let others = [
        ("--time-unit", usesUnit ? nil : timeUnit?.rawValue),
        ("--time-zone", timeZone),
        ("--now", now), ("--sorted", sorted ? "" : nil), ("--slack", slack),
      ]
      guard let (option, _) = others.first(where: { $0.1 != nil }) else { return nil }
      throw Self.missingPath(of: option)
    }
    guard since != nil || until != nil else {
      let others = [
        ("--time-zone", isOptional ? nil : timeZone), ("--now", now), ("--sorted", sorted ? "" : nil),
        ("--slack", isMerge ? nil : slack),
      ]
      guard isOptional else { throw failure("--time: expected \(expected)") }
      guard let (option, _) = others.first(where: { $0.1 != nil }) else { return nil }
      throw failure("\(option): expected --since or --until, found neither")
    }
    let paths = try paths()
    if time.isEmpty, !isMerge { reportDefault() }
    var arguments = TimeArgument(zone: try zone(), unit: timeUnit)
    if let now {
      arguments.now = try Self.instant("--now", now, arguments, TimeArgument.absoluteExamples)
    } else {
      arguments.now = .now
    }
    let start = try since.map { try Self.instant("--since", $0, arguments, TimeArgument.examples) }
    let end = try until.map { try Self.instant("--until", $0, arguments, TimeArgument.examples) }
    if let start, let end, start >= end {
      throw failure("--until: expected a time after --since \(start.text), found \(end.text)")
    }
    let slack = try isMerge ? (sorted ? slackOfMerge() : nil) : slackOfSearch()
    let window = try JSONError.converting(
      try JSONTimeWindow(of: paths, since: start, until: end, timeUnit, arguments.zone.clock)
    ) { failure("--time: \($0.message)") }
    return TimeWindow(window: window, slack: slack)
  }

  /// Returns the path of the time of a record.
  ///
  /// - Parameter option: The option that needs it, for the message if there is none.
  func path(for option: String) throws -> JSONPath {
    guard let first = time.first else { throw Self.missingPath(of: option) }
    guard time.count == 1 else { throw failure("\(option): expected one --time, found \(time.count)") }
    return try Self.path(first)
  }

  /// Returns the paths of the time of a record, of which the first counts that has a time.
  private func paths() throws -> [JSONPath] {
    time.isEmpty ? JSONTimeWindow.commonPaths : try time.map { try Self.path($0) }
  }

  /// The paths, for messages.
  var text: String { time.isEmpty ? Self.commonNames : time.joined(separator: ", ") }

  private static let commonNames = "ts, time, timestamp, @timestamp, t or date"

  private func reportDefault() {
    ErrorReport.write("the time of a record is the first one at \(Self.commonNames); --time names another path")
  }

  /// Returns how the times of records are found, for `merge`. Reports it if it was not requested.
  func timesOfMerge() throws -> JSONTimeWindow {
    if time.isEmpty { reportDefault() }
    let paths = try paths()
    return try JSONError.converting(try JSONTimeWindow(of: paths, since: nil, until: nil, timeUnit, try? clock())) {
      failure("--time: \($0.message)")
    }
  }

  /// Returns the slack of `merge` in attoseconds.
  func slackOfMerge() throws -> Int128 {
    guard let slack else { return 0 }
    guard let length = Timespan.attoseconds(slack) else { throw Self.rejection("--slack", slack, Timespan.examples) }
    return length
  }

  private static func path(_ time: String) throws -> JSONPath {
    let path = try PathArguments.path(time)
    guard path.isSingular else {
      throw failure(
        "--time '\(time.utf8.printable)': expected a path of one value, with names and indexes only, such "
          + "as $.time")
    }
    return path
  }

  private static func missingPath(of option: String) -> ExitCode {
    failure("\(option): expected --time PATH, the path of a record's time, such as --time '$.time'")
  }

  /// Returns the slack of `--sorted` in attoseconds; `nil` without that flag.
  private func slackOfSearch() throws -> Int128? {
    guard slack != nil else { return sorted ? 0 : nil }
    guard sorted else { throw failure("--slack is for --sorted; use it with --sorted") }
    return try slackOfMerge()
  }

  /// The clock of times without an offset; `nil` for UTC.
  func clock() throws -> LocalClock? { try zone().clock }

  private func zone() throws -> LocalZone {
    guard let timeZone else { return .system }
    guard let zone = LocalZone(named: timeZone) else {
      throw Self.rejection(
        "--time-zone", timeZone, "a name in the system's zone data, such as Europe/Berlin, America/New_York or UTC")
    }
    return zone
  }

  private static func instant(
    _ option: String, _ text: String, _ arguments: TimeArgument, _ examples: String
  ) throws -> Instant {
    if let instant = arguments.instant(text) { return instant }
    if let date = DigitsOfDate(text) {
      throw failure("\(option) '\(text)': \(date.ambiguity(arguments.unit))")
    }
    throw rejection(option, text, examples)
  }

  static func rejection(_ option: String, _ text: String, _ expected: String) -> ExitCode {
    failure("\(option) '\(RawArguments.launch.bytes(of: text).printable)': expected \(expected)")
  }
}

/// The window of time of a run.
struct TimeWindow {
  let window: JSONTimeWindow
  /// The slack of a search for the window in sorted files, in attoseconds; `nil` if every record is read.
  let slack: Int128?

  /// The message for a window on one document, with an alternative.
  static let rejection = "--time needs records, and this is one document; use --input ndjson if its lines are records"

  /// The lines of `--explain`.
  var explanation: [String] {
    let unit =
      switch window.unit {
      case .seconds: "seconds"
      case .milliseconds: "milliseconds"
      case .microseconds: "microseconds"
      case .nanoseconds: "nanoseconds"
      case nil: "seconds below 10^11, milliseconds below 10^14, microseconds below 10^17, else nanoseconds"
      }
    return [
      window.paths.map(\.description).joined(separator: ", ") + (window.since.map { ", from \($0)" } ?? "")
        + (window.until.map { ", before \($0)" } ?? ""),
      "strings are times of RFC 3339, or in another spelling that logs have; numbers are \(unit) since 1970",
      "a record without a time is not selected, and is counted",
      slack == nil
        ? "every record is read" : "the file is searched for the first and last record: it is sorted by time",
    ]
  }
}

extension TimeWindow {
  /// The message for records that are not selected because they have no time.
  ///
  /// - Parameters:
  ///   - path: The path of the time, as typed.
  ///   - file: The file of the first record; `nil` if there is only one.
  ///   - hasPlace: Whether the place of the first record is known.
  static func message(
    _ count: Int, _ first: TimeMisses.First, at path: String, in file: String?, hasPlace: Bool = true
  ) -> String {
    let found = first.text.isEmpty ? "no value" : first.text.printable
    let place = [file, hasPlace ? first.line.map { "line \($0)" } : nil, found].compactMap { $0 }.joined(
      separator: ", ")
    return "\(count) \(count == 1 ? "record has" : "records have") no time at \(path); first: \(place)"
  }

  /// The message for merged records that came too late.
  static func message(
    _ count: Int, _ file: String, _ line: Int, _ time: String, after: String, follows: Bool
  ) -> String {
    let (records, them) = count == 1 ? ("1 record was", "it") : ("\(count) records were", "them")
    return
      "\(records) too late, and written when read; first: \(file), line \(line), \(time) after \(after); a larger --slack "
      + "\(follows ? "or --wait " : "")puts \(them) in order"
  }

  /// Returns the condition of `--where` together with a window; `nil` if there is neither.
  static func condition(_ condition: JSONCondition?, _ window: TimeWindow?) -> JSONCondition? {
    guard let window else { return condition }
    let isInside = JSONCondition(window.window)
    return condition.map { $0.and(isInside) } ?? isInside
  }
}
