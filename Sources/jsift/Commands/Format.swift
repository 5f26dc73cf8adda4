import ArgumentParser
import JSONSift

struct Format: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "format",
    abstract: "Write JSON indented, compact or with sorted keys.",
    discussion: """
      jsift format huge.json | less
      jsift format --compact pretty.json > compact.json
      jsift format --sort-keys --indent 4 a.json
      kubectl logs pod | jsift format

      A document is not held in memory, whatever its size, except with --sort-keys (up to --max-record-bytes). Each \
      record is written separately. Every byte is validated. Numbers and strings are copied byte for byte, and members \
      keep their order unless they are sorted: by the bytes of their names.

      Exit status: 0 something was written, 1 nothing was written, 2 there was an error.
      """)

  @Argument(help: .files, completion: .file())
  var files: [String] = []

  @Flag(help: "Write each document or record on one line: without white space.")
  var compact = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Number of spaces per level, 0 to 16; the default is 2.", valueName: "n"))
  var indent: Int?

  @Flag(help: "Indent with one tab per level.")
  var tabs = false

  @Flag(help: "Write members in the order of their names.")
  var sortKeys = false

  @OptionGroup var noCondition: NoConditionOption
  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup(title: "Output options") var limit: LimitOption
  @OptionGroup(title: "Input options") var options: ReadingOptions
  @OptionGroup(title: "Input options") var workers: JobsOption

  func validate() throws {
    try noCondition.reject(in: "format")
    if let indent, !(0...16).contains(indent) {
      throw ValidationError("--indent takes a number from 0 to 16, not \(indent)")
    }
    if (compact ? 1 : 0) + (tabs ? 1 : 0) + (indent == nil ? 0 : 1) > 1 {
      throw ValidationError("--compact, --indent and --tabs are mutually exclusive; use only one")
    }
  }

  func run() throws {
    let files = try options.files(files)
    try output.open(reading: files, rejects: options.rejects)
    var plan = RunPlan(options, files, jobs: workers.jobs)
    plan.noun = nil
    plan.limit = limit.limit
    let (layout, records, isLimited) = (layout, plan.records, limit.limit != nil)
    throw try Run(plan, TextSink()).read(
      { (input) throws(JSONError) in
        try JSONReformatter(
          input.source, as: layout, records: records, resumingAt: input.checkpoint, oneByOne: isLimited)
      }, into: { TextResults(isLimited: isLimited) })
  }

  private var layout: JSONWriterOptions {
    var layout = JSONWriterOptions()
    layout.isPretty = !compact
    layout.layout = tabs ? .tabs : .spaces(indent ?? 2)
    layout.sortsKeys = sortKeys
    return layout
  }
}
