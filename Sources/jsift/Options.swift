import ArgumentParser
import JSONSift

/// A command that writes results. Its option groups are not nested: a debug build of the parser validates each group
/// again for each enclosing group, which took half of the startup time.
protocol ResultCommand: ParsableCommand {
  var reading: ReadingOptions { get }
  var range: RangeOptions { get }
  var workers: JobsOption { get }
  var output: OutputOption { get }
  var summary: SummaryOption { get }
  var null: NullOption { get }
  var results: ResultOptions { get }
  /// The state of earlier runs, for the commands that go on where the last run ended.
  var state: StateOptions? { get }
  /// Whether results are divided into groups, whose numbers belong to the locations.
  var hasGroups: Bool { get }
}

/// The options that select results and their format, as typed.
struct ResultOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Continue as the file grows or is replaced: until a signal ends the run. A file that is rewritten in place and "
        + "is at least as long at the next check (four times a second) is taken for a grown one; its new first bytes "
        + "are not read. Several files are followed together, and those that a pattern selects, also later: "
        + "'logs/**/*.log'. Then each line is a record."))
  var follow = false

  @Flag(name: [.customShort("r"), .long], help: "Write strings without quotes and escapes.")
  var raw = false

  @Option(
    help: ArgumentHelp(
      "How results are written: ndjson (a JSON text on each line), json (one array), csv or tsv (fields below a "
        + "header), table, or arrow (typed columns, only for jsift records).",
      valueName: RowFormat.names))
  var format = RowFormat.ndjson

  @Option(parsing: .unconditional, help: ArgumentHelp("Stop after this many results.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Write only the number of results.")
  var count = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Write each bad record as a row among the results, in the order of the input. Its only member or column, name, "
        + "is an object with offset, length, error and raw (the bytes). See --rejects.", valueName: "name"))
  var rejectsInline: String?

  @Flag(help: "Write each result as an object with its location; see above.")
  var withLocation = false

  @Flag(help: "Describe the run without reading input: its plan and its memory use.")
  var explain = false

  func validate() throws {
    try require("--limit", limit, atLeast: 0)
    let conflicts = [
      (raw && withLocation, "--with-location writes JSON", "--raw"),
      (raw && rejectsInline != nil, "--rejects-inline writes JSON", "--raw"),
      (count && rejectsInline != nil, "--rejects-inline writes rows", "--count"),
      (raw && !format.isLines, "--raw writes lines of text", "--format \(format.name)"),
    ]
    guard let (_, first, second) = conflicts.first(where: { $0.0 }) else { return }
    throw ValidationError("\(first), and \(second) does not; use only one of them")
  }
}

extension ResultCommand {
  var hasGroups: Bool { false }
  var state: StateOptions? { nil }

  /// Returns the files of a command, and rejects options that do not apply to them.
  func inputs(_ names: [String], _ policy: IndexPolicy = .auto) throws -> [InputFile] {
    try range.check(reading, limit: results.limit, follow: results.follow)
    var files = try reading.files(names)
    try range.apply(to: &files, reading, policy)
    if let state, state.state != nil { try state.apply(to: &files, names, self) }
    if results.follow { try checkFollowed(files) }
    return files
  }

  /// Returns the files of a command with a window of time or a condition. A file with an index is replaced by its parts that
  /// can satisfy the condition.
  func inputs(
    _ names: [String], in window: TimeWindow?, where condition: JSONCondition?, _ index: IndexOption
  ) throws -> [InputFile] {
    var files = try inputs(names, index.index)
    if let window, window.slack != nil {
      let others = [
        ("--follow", results.follow), ("--first-line", range.firstLine != nil), ("--line", range.line != nil),
        ("--record", range.record != nil),
      ]
      if let (option, _) = others.first(where: { $0.1 }) {
        throw failure("\(option): expected a file that is read from its start, found --sorted")
      }
      try window.narrow(&files, reading)
    }
    if let option = state?.option, window?.slack != nil {
      throw failure("\(option): expected a file that is read from where the last run ended, found --sorted")
    }
    guard !results.follow, results.rejectsInline == nil, summary.summary == nil, state?.state == nil else {
      return files
    }
    return index.narrow(files, to: condition, reading)
  }

  /// Whether every bad record affects the output or the exit status; see ``ReadingOptions/countsEveryError``.
  var countsEveryError: Bool {
    reading.countsEveryError || results.rejectsInline != nil && reading.prefilter != .always
  }

  func plan(_ form: ResultLine.Form, _ inputs: [InputFile]) throws -> RunPlan {
    let followed = results.follow ? Self.followed(inputs) : nil
    let existing = followed.map { Self.existing($0) } ?? []
    let files = existing.isEmpty ? inputs : existing
    let summary = try summary.open(
      reading: files, others: [output.output, reading.rejects], limit: results.limit, follow: results.follow)
    // Before the plan, because a rejected output file must leave the file of bad records unchanged.
    try output.open(reading: files, rejects: reading.rejects)
    try unsafe RunState.current?.openAppended(files, rejects: reading.rejects)
    var plan = RunPlan(reading, files, jobs: workers.jobs)
    plan.summary = summary
    plan.state = unsafe RunState.current
    plan.rejectsInline = try rejectsInline(besides: ResultLine.names(of: form, self))
    if countsEveryError, reading.prefilter == .auto { plan.records.prefilter = .automatic }
    plan.line = ResultLine(form, self)
    plan.limit = results.limit
    plan.isCounting = results.count
    plan.isFollowing = results.follow
    if let followed {
      plan.followed = (followed, isOutput)
      plan.records.framing = .lines
    }
    return plan
  }

  /// Rejects a format of columns without any.
  func requireColumns(_ columns: [NamedPath]) throws {
    guard columns.isEmpty, !results.format.isJSON, !results.count else { return }
    throw failure(
      "--format \(results.format.name): expected --select NAME=PATH, which names the columns; jsift shape lists the paths"
    )
  }

  /// Returns the name of the column of bad records; `nil` if they are not rows.
  ///
  /// - Parameter names: The names of other columns.
  private func rejectsInline(besides names: [String]) throws -> String? {
    guard let argument = results.rejectsInline else { return nil }
    let bytes = RawArguments.launch.bytes(of: argument)
    let shown = "--rejects-inline '\(bytes.printable)'"
    guard let name = String(validating: bytes, as: UTF8.self) else { throw failure("\(shown): expected UTF-8") }
    guard !name.isEmpty else { throw failure("\(shown): expected a name, found an empty string") }
    guard !names.contains(name) else {
      throw failure("\(shown): expected a unique name, found the name of another column")
    }
    let others = [("--rejects", reading.rejects != nil), ("--on-error stop", reading.onError == .stop)]
    if let (other, _) = others.first(where: { $0.1 }) {
      throw failure("\(shown) writes bad records as rows; use it without \(other)")
    }
    return name
  }

  /// Returns how one document is divided among workers.
  func division(_ paths: [NamedPath]) -> DocumentDivision {
    DocumentDivision(of: paths.map(\.path), reading.readingOptions, countingElements: results.withLocation)
  }

  /// Runs the plan and returns the exit status.
  func run(_ plan: RunPlan, _ make: @escaping @Sendable (Input) throws(JSONError) -> JSONMatches) throws -> ExitCode {
    let (line, isCounting, isLimited, context) = (plan.line, plan.isCounting, plan.limit != nil, plan.context)
    let hasHeader = plan.state?.isAppending != true
    return try Run(plan, RowSink(results.format, line, hasHeader: hasHeader)).read(
      make, into: { LineResults(line, isCounting: isCounting, isLimited: isLimited, context: context) })
  }
}

extension ResultCommand {
  /// Runs a plan whose results are records, and returns the exit status.
  ///
  /// - Parameter kept: The only paths of a record that are written; `nil` for all of it.
  func runRecords(
    _ plan: RunPlan, where condition: JSONCondition?, _ columns: [NamedPath], keeping kept: [JSONPath]?
  ) throws -> ExitCode {
    var plan = plan
    if condition == nil { plan.noun = "records" }
    let records = plan.records
    let isCounting = plan.isCounting && columns.isEmpty && condition == nil
    return try run(plan) { (input) throws(JSONError) in
      var matches = try JSONMatches.ofRecords(where: condition, in: input, records, keeping: kept)
      if isCounting { matches.onlyCountRecords() }
      return matches
    }
  }
}

/// The option `--limit` of commands that count records instead of results.
struct LimitOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stop after this many records; a document is one, except with stats --each.", valueName: "n"))
  var limit: Int?

  func validate() throws { try require("--limit", limit, atLeast: 0) }
}

/// The option `--where`.
struct ConditionOption: ParsableArguments {
  @Option(
    name: .customLong("where"),
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Only records that satisfy this condition: '@.level == \"error\"'.", valueName: "expr"))
  var conditions: [String] = []

  @OptionGroup var index: IndexOption

  func validate() throws {
    // The parser would silently use only one of them.
    if conditions.count > 1 {
      throw ValidationError(
        "--where takes one condition, not \(conditions.count); combine conditions with '&&' or '||'")
    }
  }

  var condition: String? { conditions.first }
}
