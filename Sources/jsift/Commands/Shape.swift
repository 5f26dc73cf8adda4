import ArgumentParser
import JSONSift

struct Shape: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shape",
    abstract: "Say what is in the input: every path with its types, counts and bounds, in one pass.",
    discussion: """
      jsift shape events.ndjson
      jsift shape huge.json | jsift -r '$.path'
      jsift shape --format csv --examples 0 *.log > shape.csv
      jsift shape --max-keys 1000 users.json

      On a terminal it is a table, elsewhere one line for each path:

        {"path":"$.user.id","types":{"number":3},"count":3,"records":3,"share":1,"parents":3,"min":1,"max":20,"examples":[1,20]}

      'count' is the number of values, 'records' in how many records the path occurs, 'share' how large a part of all that \
      is, and 'parents' the number of objects that could have the member. 'min' and 'max' are compared by their exact values \
      and stand as in the source. Lengths of strings are in characters: Unicode scalar values. Examples are the first \
      different values; a longer string is cut and ends in …. 'names' is the number of different keys of objects. Each path \
      is one that jsift get takes.

      Objects with more different keys than --max-keys are maps: what they name is one path, such as '$.users.*'. So are \
      those with more than 16 that seem to be keys of a map: what they name is of one type, and either objects that share \
      most of their names, or few objects have most of the keys. Below that, records are not counted.

      Documents are never held, whatever their size. Memory grows with the paths, about 1 KB each and with --examples 100 \
      up to 12 KB. Until they are more than --max-keys, each of the keys of a map is a path too, and --max-paths bounds all \
      that are in memory of each worker. Rows are written one by one but in a table, where paths are cut in their middle after \
      120 characters.

      Exit status: 0 there was a record, 1 there was none, 2 there was an error.
      """)

  @Argument(
    help: ArgumentHelp("Files to read; none or '-' is standard input.", valueName: "file"), completion: .file())
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      "How the result is written; the default is table on a terminal, and ndjson elsewhere.",
      valueName: RowFormat.names))
  var format: RowFormat?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Tell so many different keys of objects at one path apart.", valueName: "n"))
  var maxKeys = JSONShapeOptions().maxKeys

  @Option(parsing: .unconditional, help: ArgumentHelp("Show so many different values of each path.", valueName: "n"))
  var examples = JSONShapeOptions().maxExamples

  @Option(parsing: .unconditional, help: ArgumentHelp("Refuse more paths in memory than this.", valueName: "n"))
  var maxPaths = 100_000

  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup(title: "Output options") var limit: LimitOption
  @OptionGroup(title: "Input options") var options: ReadingOptions
  @OptionGroup(title: "Input options") var workers: JobsOption

  func validate() throws {
    if maxKeys < 1 { throw ValidationError("--max-keys takes a number from 1, not \(maxKeys)") }
    if !(0...100).contains(examples) {
      throw ValidationError("--examples takes a number from 0 to 100, not \(examples)")
    }
    if maxPaths < 1 { throw ValidationError("--max-paths takes a number from 1, not \(maxPaths)") }
  }

  func run() throws {
    let files = try options.files(files)
    var shaping = JSONShapeOptions()
    shaping.maxKeys = maxKeys
    shaping.maxAlikeKeys = min(shaping.maxAlikeKeys, maxKeys)
    shaping.maxExamples = examples
    shaping.maxPaths = maxPaths
    try output.open(reading: files, rejects: options.rejects)
    var plan = RunPlan(options, files, jobs: workers.jobs)
    plan.noun = "records"
    plan.limit = limit.limit
    let (records, finished, isLimited) = (plan.records, shaping, limit.limit != nil)
    throw try Run(plan, ShapeSink(shaping, format, hasRejects: options.rejects != nil)).read {
      (input) throws(JSONError) in
      ShapeStream(
        try JSONShapeReader(input.source, options: finished, records: records, resumingAt: input.checkpoint),
        isLimited: isLimited)
    }
  }
}

/// Merges the shapes of all parts, and writes the rows at the end.
private struct ShapeSink: ResultSink {
  static let gathers = true
  static let stopsAtExactRecord = false

  private var shape: JSONShape
  private let maxPaths: Int
  private let format: RowFormat?
  private let hasRejects: Bool

  init(_ shaping: JSONShapeOptions, _ format: RowFormat?, hasRejects: Bool) {
    shape = JSONShape(options: shaping)
    maxPaths = shaping.maxPaths
    self.format = format
    self.hasRejects = hasRejects
  }

  var isFull: Bool { shape.isFull }

  mutating func gather(_ part: inout Part) {
    if let read = part.shape { shape.merge(read) }
  }

  mutating func finish() {
    guard !isFull else {
      return ErrorReport.write(
        "jsift: expected at most \(maxPaths) paths, found more; --max-paths allows more, at about 1 KB each, and "
          + "a smaller --max-keys makes fewer of them"
          + (hasRejects ? "; the file of bad records is not complete" : ""))
    }
    let defaultFormat: RowFormat = unsafe Output.standard.isTerminal ? .table : .ndjson
    let format = format ?? defaultFormat
    ShapeRows(shape, isForPeople: format.display != nil).write(format)
  }
}
