import ArgumentParser
import JSONSift

struct Merge: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Write the records of several files in the order of their times.",
    discussion: """
      jsift merge a.log b.log c.log
      jsift merge --where '@.level == "error"' --select who='$.user.name' app.log.2.gz app.log.1 app.log
      jsift merge --sorted --since -15m --with-location web-*.log
      jsift merge --slack 5s --time '$.event.created' --time '$.ts' *.log > all.log

      Each file has a record on each line, and is sorted by time, except for --slack. Records of one time have the order of the \
      files on the command line, and those of one file the order of its lines. The files can be pipes, and compressed.

      The time of a record is at the path of --time. If --time is repeated, the first path at which the record has a time \
      counts; without it these are ts, time, timestamp, @timestamp, t and date. A record without a time, and a bad one, stays \
      behind the one before it. With --unwrap and --each the time is that of the outer record.

      With --slack d a record may stand behind others that are later by up to d: it is put in its place. A record that comes \
      later still is written when it is read, and counted; --on-error stop ends there with exit status 2.

      --where, --select, --format and --with-location work as in jsift records; --format arrow does not: pipe the output to \
      jsift records. --since and --until select records; with --sorted they are searched for in each file, unless it is a pipe, or \
      compressed without frames that can be found.

      With --follow the files are read on as they grow, as by jsift records --follow, also those that a pattern selects later. A \
      record is written when each other file has a later one, and after --wait at the latest.

      Memory does not depend on the sizes of the files: 32 or 64 KiB are read of each file at a time. Each file has a \
      descriptor; the limit (ulimit -n) is raised if the system allows it.
      """)

  @Argument(help: .files, completion: .file())
  var files: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The name of a member of the output and its path. May be repeated.", valueName: "name=path"))
  var select: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum bytes of the records that --slack holds back, with 80 for each, of all files together, in equal shares. Beyond "
        + "it the earliest is written.", valueName: "n"))
  var maxSlackBytes = MergePlan.maxSlackBytes

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --follow: how long a record waits for files that have no later one, such as 500ms. Default: 1s.",
      valueName: "d"))
  var wait: String?

  @OptionGroup var condition: ConditionOption
  @OptionGroup(title: "Input options") var time: TimeOptions
  @OptionGroup(title: "Input options") var reading: ReadingOptions
  @OptionGroup(title: "Input options", visibility: .hidden) var range: RangeOptions
  @OptionGroup(title: "Input options", visibility: .hidden) var workers: JobsOption
  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup(title: "Output options") var summary: SummaryOption
  @OptionGroup var null: NullOption
  @OptionGroup var results: ResultOptions

  func validate() throws {
    try null.check(results.format)
    try require("--max-slack-bytes", maxSlackBytes, atLeast: 1)
    if results.format.isBinary {
      throw ValidationError("merge writes text; pipe it to jsift records --format arrow")
    }
    if wait != nil, !results.follow { throw ValidationError("--wait is for --follow; use both") }
    if results.follow, time.sorted {
      throw ValidationError("--follow reads files as they grow; use it without --sorted")
    }
  }

  func run() throws {
    let columns = try ColumnArguments(select: select, types: [], file: nil).columns
    try requireColumns(columns)
    let condition = try PathArguments.condition(self.condition.condition)
    let window = try time.window(isOptional: true, isMerge: true)
    if results.explain { throw Explanation(columns: columns, condition: condition, window, options: self).write() }
    let combined = TimeWindow.condition(condition, window)
    try requireLines()
    let slack = try time.slackOfMerge()
    let times = try time.timesOfMerge()
    var inputs = try inputs(files)
    try window?.narrow(&inputs, reading, skippingOthers: true)
    if !results.follow {
      try DescriptorLimit.allow(inputs.count)
      if let hint = Self.hint(inputs) { ErrorReport.write(hint) }
    }
    var plan = try plan(.record(columns), inputs)
    var merge = MergePlan([], times, plan.records)
    merge.slack = slack
    merge.maxSlackBytes = maxSlackBytes
    merge.stopsAtLate = reading.onError == .stop
    merge.skipsFailures = true
    plan.merge = merge
    if let wait {
      guard let length = Timespan.attoseconds(wait) else {
        throw TimeOptions.rejection("--wait", wait, Timespan.examples)
      }
      // Clocks do not take the longest durations.
      plan.wait = .milliseconds(Int(min(length / (Instant.attosecondsPerSecond / 1000), 1 << 40)))
    }
    if window != nil { plan.timePath = time.text }
    throw try runRecords(plan, where: combined, columns, keeping: columns.isEmpty ? nil : columns.map(\.path))
  }

  private func requireLines() throws {
    let option =
      reading.joining ?? (reading.input.isLines ? nil : "--input \(reading.input.rawValue)")
      ?? (reading.fromOffset == nil ? nil : "--from-offset")
    if let option {
      throw failure(
        "merge: expected files that are read from their starts, of one record on each line, found \(option)")
    }
  }

  /// Returns a message if a file stands before an older one of the same log, as the names of `app.log*` do.
  private static func hint(_ files: [InputFile]) -> String? {
    for (index, file) in files.enumerated() {
      guard let path = file.path else { continue }
      for older in files[(index + 1)...] {
        guard let other = older.path, other.starts(with: path + [UInt8(ascii: ".")]),
          let first = other.dropFirst(path.count + 1).first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
        else { continue }
        return
          "\(file.displayName) stands before \(older.displayName), which is older: of equal times its records come first; name the "
          + "oldest file first"
      }
    }
    return nil
  }
}
