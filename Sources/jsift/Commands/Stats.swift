import ArgumentParser
import JSONSift

struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Count, sum, min, max, mean and percentiles of numbers, in one pass.",
    discussion: """
      jsift stats --of ms='$.ms' app.log
      jsift stats --of ms='$.ms' --by level='$.level' --by host='$.host' --format table *.log
      jsift stats --by status='$.status' --where '@.ms > 100' app.log
      jsift stats --of price='$.items[*].price' orders.ndjson

      One line for each path and group: {"name":"ms","level":"error","count":3,"sum":41.5,…}. Groups are in order of \
      first occurrence; without --of only records are counted. A path may match several numbers in a record.

      The sum is exact up to 38 digits and does not depend on the order of the numbers; min and max are written as in \
      the source. Percentiles are exact up to 1000 numbers of a group, and beyond that within 0.1 %. 'absent' counts \
      records without a match, 'wrong' matches that are not numbers or are too large for a Double. Memory grows with \
      the groups only.

      Exit status: 0 there was a record, 1 there was no record, 2 there was an error.
      """)

  @Argument(
    help: ArgumentHelp("Files to read; standard input if omitted or '-'.", valueName: "file"), completion: .file())
  var files: [String] = []

  @Option(help: ArgumentHelp("A path to numbers and the name of its results. May be repeated.", valueName: "name=path"))
  var of: [String] = []

  @Option(help: ArgumentHelp("A value that records are grouped by. May be repeated.", valueName: "name=path"))
  var by: [String] = []

  @Option(help: ArgumentHelp("How the result is written.", valueName: RowFormat.textNames))
  var format = RowFormat.ndjson

  @OptionGroup var null: NullOption

  @Option(parsing: .unconditional, help: ArgumentHelp("Maximum number of groups.", valueName: "n"))
  var maxGroups = 100_000

  @OptionGroup var condition: ConditionOption
  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup(title: "Output options") var limit: LimitOption
  @OptionGroup(title: "Input options") var options: ReadingOptions
  @OptionGroup(title: "Input options") var workers: JobsOption

  func validate() throws {
    try null.check(format)
    try format.requireText()
    if of.isEmpty, by.isEmpty { throw ValidationError("Missing --of NAME=PATH or --by NAME=PATH") }
    if maxGroups < 1 { throw ValidationError("--max-groups takes a number from 1, not \(maxGroups)") }
  }

  func run() throws {
    let numbers = try PathArguments.named(of, option: "--of")
    let keys = try PathArguments.named(by, option: "--by")
    try PathArguments.requireUniqueNames(keys, of: by, option: "--by", besides: ["name"] + NumberSummary.names)
    let holds = try PathArguments.condition(condition.condition)
    let inputs = condition.index.narrow(try options.files(files), to: holds, options)
    try output.open(reading: inputs, rejects: options.rejects)
    var plan = RunPlan(options, inputs, jobs: workers.jobs)
    plan.noun = "records"
    plan.limit = limit.limit
    let records = plan.records
    let query = GroupQuery(numbers: numbers, keys: keys, limits: options.readingOptions.limits)
    let kept = (numbers + keys).map(\.path)
    let maxGroups = maxGroups
    let run = try Run(plan, GroupSink(query, maxGroups: maxGroups, format, null: null.bytes))
    guard let holds else {
      throw run.read { (input) throws(JSONError) in
        var reader = try JSONRecordReader(input.source, options: records, resumingAt: input.checkpoint)
        try reader.keep(only: kept)
        return GroupStream(RecordStream(reader), query, maxGroups: maxGroups)
      }
    }
    throw run.read { (input) throws(JSONError) in
      let all = [NamedPath(name: "", path: "$")]
      return GroupStream(
        try MatchStream(all, where: holds, in: input, records, keeping: kept), query, maxGroups: maxGroups)
    }
  }
}
