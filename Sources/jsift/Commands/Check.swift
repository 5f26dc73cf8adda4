import ArgumentParser
import JSONSift

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check whether files are valid JSON, and report errors with their position.",
    discussion: """
      jsift check *.json
      jsift check --input ndjson --rejects bad.ndjson events.log
      jsift check --count events.log

      Each error is written with file, line, column, byte offset and the text around it:

        orders.ndjson:3:27: expected ',' or '}' after a member, found a string (byte 61)
          3 | {"id": 17, "total": 12.50 "currency": "EUR"}
            |                           ^

      For records, every bad record is reported; for one document, only the first error, because the text after it is \
      ambiguous. Every byte is validated, with at most one record in memory. Valid means RFC 8259 in UTF-8, within the \
      limits.

      Exit status: 0 everything is valid, 1 there is a bad record or document, 2 a file could not be read, or there \
      were more errors than --max-errors.
      """)

  @Argument(help: .files, completion: .file())
  var files: [String] = []

  @OptionGroup var noCondition: NoConditionOption
  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup(title: "Output options") var summary: SummaryOption
  @OptionGroup(title: "Input options") var options: ReadingOptions
  @OptionGroup(title: "Input options") var range: RangeOptions
  @OptionGroup(title: "Input options") var workers: JobsOption

  @Option(parsing: .unconditional, help: ArgumentHelp("Stop after this many errors.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Write only the number of errors.")
  var count = false

  func validate() throws {
    try noCondition.reject(in: "check")
    // A limit of 0 would inspect nothing, so the result could not be "valid".
    try require("--limit", limit, atLeast: 1)
  }

  func run() throws {
    try range.check(options, limit: limit)
    var files = try options.files(files)
    try range.apply(to: &files, options)
    let summary = try summary.open(
      reading: files, others: [output.output, options.rejects], limit: limit, follow: false)
    try output.open(reading: files, rejects: options.rejects)
    var plan = RunPlan(options, files, jobs: workers.jobs)
    plan.summary = summary
    plan.limit = limit
    plan.isCounting = count
    plan.noun = nil
    let records = plan.records
    plan.division = DocumentDivision(of: [], records.reading, countingElements: false)
    throw try Run(plan, VerdictSink()).read(
      { (input) throws(JSONError) in try JSONMatches.of([], where: nil, in: input, records) },
      into: { LineResults(nil) })
  }
}
