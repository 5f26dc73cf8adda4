import ArgumentParser
import JSONSift
import JSONSiftAnalysis

struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Count, sum, min, max, percentiles and distinct values, in one pass.",
    discussion: """
      jsift stats --of ms='$.ms' app.log
      jsift stats --of ms='$.ms' --by level='$.level' --by host='$.host' --format table *.log
      jsift stats --by status='$.status' --where '@.ms > 100' app.log
      jsift stats --of price='$.items[*].price' orders.ndjson
      jsift stats --of ms='$.ms' --time '$.time' --since -1h app.log
      jsift stats --by level='$.level' --every 5m --time '$.time' app.log
      jsift stats --by path='$.path' --distinct users='$.user.id' --top 10 app.log
      jsift stats --template message='$.message' --top 20 app.log
      jsift stats --each '$.items' --of price='$.price' --where '@.sold' huge.json

      One line for each path and group: {"name":"ms","level":"error","count":3,"sum":41.5,…}. Groups are in order of \
      first occurrence; without --of and --distinct only records are counted. All matches of an --of or --distinct path \
      in a record count.

      Values of --by are equal by value: numbers (200, 2e2), strings by their characters, arrays and objects with equal \
      elements or members in the same order. A group is written in its first spelling. A record is in the group of each \
      match of a --by path, once; with several paths in that of each combination. A table cuts text beyond 200 columns.

      The sum is exact up to 38 digits and does not depend on the order of the numbers; min and max are written as in \
      the source. The mean and the percentiles are Doubles; percentiles are exact to a Double up to 1000 numbers of a \
      group, and beyond that within 0.1 %. 'absent' counts \
      records without a match, 'wrong' matches that are not numbers or are too large for a Double. Memory grows with \
      the groups only.

      With --each, the elements or the values of the members of one array or object are the records. The paths, --where \
      and --time apply to each of them.

      --every groups records by intervals of equal length, counted from 1970-01-01T00:00Z. 'time' is the start of the \
      interval in UTC. These groups are in order of time, and then of first occurrence; those without a \
      time come last.

      --template groups records by the text of a message in which numbers, UUIDs, addresses (IPv4, IPv6, MAC), words of \
      hexadecimal digits and quoted parts are replaced: 'user <number> from <address>'. 'example' is the first message of \
      the group, 'line' its line, with several files also 'file'.

      --distinct writes {"name":"users","path":"/","count":9,"distinct":4,"absent":0,"distinctError":0}: 'count' is the \
      number of records. Values are equal as for --by. The number is exact up to 4096 values of a group, and beyond \
      that an estimate whose standard \
      error is 'distinctError' (0.0081 is 0.81 %). A path takes at most 115 KiB in each group.

      Exit status: 0 there was a record, 1 there was no record, 2 there was an error.
      """)

  @Argument(help: .files, completion: .file())
  var files: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A path to numbers and the name of its results. May be repeated.", valueName: "name=path"))
  var of: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A path by whose value records are grouped: with its name in the result. May be repeated.",
      valueName: "name=path"))
  var by: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A path whose distinct values are counted: with the name of the result. May be repeated.",
      valueName: "name=path"))
  var distinct: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A path to messages: records are grouped by the text without numbers, addresses and quoted parts.",
      valueName: "name=path"))
  var template: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Group records by intervals of time: 5m, 1h or 250ms; needs --time.", valueName: "d"))
  var every: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Write only the n groups with the most records: most first.", valueName: "n"))
  var top: Int?

  @Option(help: ArgumentHelp("How the result is written; bars and svg are pictures.", valueName: StatsFormat.names))
  var format = StatsFormat.rows(.ndjson)

  @Option(help: ArgumentHelp("The scale of a picture.", valueName: "linear|log"))
  var scale: ChartScale?

  @OptionGroup var null: NullOption

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum number of groups. If there are more, reading stops, and the exit status is 2.", valueName: "n"))
  var maxGroups = 100_000

  @OptionGroup var condition: ConditionOption
  @OptionGroup(title: "Input options") var time: TimeOptions
  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup(title: "Output options") var limit: LimitOption
  @OptionGroup(title: "Input options") var options: ReadingOptions
  @OptionGroup(title: "Input options") var workers: JobsOption

  func validate() throws {
    if case .rows(let rows) = format {
      try null.check(rows)
      try rows.requireText()
      if scale != nil { throw ValidationError("--scale is for a picture; use it with --format bars or --format svg") }
    } else if null.null != nil {
      throw ValidationError("--null is for --format csv and tsv, and a picture has no null; use only one of them")
    }
    if of.isEmpty, by.isEmpty, distinct.isEmpty, every == nil, template == nil {
      throw ValidationError(
        "Missing --of NAME=PATH, --distinct NAME=PATH, --by NAME=PATH, --template NAME=PATH or --every D")
    }
    try require("--top", top, atLeast: 1)
    if top != nil, by.isEmpty, every == nil, template == nil {
      throw ValidationError(
        "--top selects groups; expected --by NAME=PATH, --template NAME=PATH or --every D, found none of them")
    }
    try require("--max-groups", maxGroups, atLeast: 1)
  }

  func run() throws {
    let by = RawArguments.launch.values(of: by)
    let (of, distinct) = (RawArguments.launch.values(of: of), RawArguments.launch.values(of: distinct))
    let numbers = try PathArguments.named(of, option: "--of")
    let values = try PathArguments.named(distinct, option: "--distinct")
    let keys = try PathArguments.named(by, option: "--by")
    try PathArguments.requireUniqueNames(numbers, of: of, option: "--of")
    try PathArguments.requireUniqueNames(values, of: distinct, option: "--distinct")
    var names = ["name"] + NumberSummary.names
    if !values.isEmpty { names += DistinctCount.names }
    if every != nil { names.append(GroupNames.time) }
    let messages = try PathArguments.named(template.map { [$0] } ?? [], option: "--template")
    if template != nil { names += GroupRows.exampleNames(hasFiles: true) }
    try PathArguments.requireUniqueNames(keys, of: by, option: "--by", besides: names)
    try PathArguments.requireUniqueNames(
      messages, of: template.map { [$0] } ?? [], option: "--template", besides: names + keys.map(\.name))
    let intervals = try intervals()
    let window = try time.window(isOptional: every != nil, expected: "--since, --until or --every, found none of them")
    let combined = TimeWindow.condition(try PathArguments.condition(condition.condition), window)
    var inputs = try options.files(files)
    // Workers share the document whose children are the records.
    let elements = try Nesting.launch.container.map { try PathArguments.path(text: "\($0)[*]") }
    if elements == nil {
      try window?.narrow(&inputs, options)
      inputs = condition.index.narrow(inputs, to: combined, options)
    } else if window?.slack != nil {
      throw failure("--sorted: expected records that are lines, found --each")
    }
    try output.open(reading: inputs, rejects: options.rejects)
    var plan = RunPlan(options, inputs, jobs: workers.jobs)
    plan.noun = "records"
    plan.limit = limit.limit
    if window != nil { plan.timePath = time.text }
    let query = GroupQuery(
      numbers: numbers.map(\.path), distinct: values.map(\.path), intervals: intervals, keys: keys.map(\.path),
      template: messages.first?.path, limits: options.readingOptions.limits)
    let groupNames = GroupNames(
      numbers: numbers.map(\.name), distinct: values.map(\.name),
      keys: (intervals == nil ? [] : [GroupNames.time]) + (keys + messages).map(\.name),
      example: template == nil ? [] : GroupRows.exampleNames(hasFiles: inputs.count { !$0.isContinuation } > 1),
      inputs: inputs.map(\.name))
    let sink = GroupSink(
      query, groupNames, maxGroups: maxGroups, top: top, format, isLogarithmic: scale == .log, null: null.bytes)
    if let elements {
      plan.division = DocumentDivision(of: [elements], options.readingOptions, countingElements: false)
    }
    if elements != nil { plan.records.steps = [] }
    let (records, maxGroups) = (plan.records, maxGroups)
    throw try Run(plan, sink).read(
      { (input) throws(JSONError) in
        guard let elements else {
          return try JSONMatches.ofRecords(where: combined, in: input, records, keeping: query.paths)
        }
        return try JSONMatches.of([NamedPath(name: "", path: elements)], where: nil, in: input, records)
      },
      into: {
        let rows = elements.map { _ in ElementRows(where: combined, records.reading, keeping: query.paths) }
        return GroupCollector(query, maxGroups: maxGroups, of: rows)
      })
  }

  /// Returns the intervals of `--every`; `nil` without that option.
  private func intervals() throws -> TimeIntervals? {
    guard let every else { return nil }
    let path = try time.path(for: "--every")
    guard let length = Timespan.attoseconds(every),
      let intervals = TimeIntervals(of: path, length: length, time.timeUnit, try time.clock())
    else { throw TimeOptions.rejection("--every", every, "a length of time above 0 \(Timespan.samples)") }
    return intervals
  }
}
