import ArgumentParser
import JSONSift
import JSONSiftAnalysis
import JSONSiftArrow

struct Shape: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shape",
    abstract: "Describe the input: every path with its types, counts and bounds, in one pass.",
    discussion: """
      jsift shape events.ndjson
      jsift shape huge.json | jsift -r '$.path'
      jsift shape --format csv --examples 0 *.log > shape.csv
      jsift shape --max-keys 1000 users.json
      jsift shape --format types events.ndjson > types.ndjson
      jsift shape --time '$.time' --since today app.log

      On a terminal the result is a table, elsewhere one line for each path:

        {"path":"$.user.id","types":{"number":3},"count":3,"records":3,"share":1,"parents":3,"min":1,"max":20,"examples":[1,20]}

      'count' is the number of values, 'records' the number of records with the path, 'share' their share of all \
      records, and 'parents' the number of objects that could have the member. 'min' and 'max' are compared by their \
      exact values and are written as in the source. Lengths of strings are in characters: Unicode scalar values. \
      Examples are the first distinct values; a longer string is cut and ends in …. 'names' is the number of distinct \
      keys of objects. jsift get accepts each path.

      Objects with more distinct keys than --max-keys are maps: all their values share one path, such as '$.users.*'. \
      So are objects with more than 16 keys that look like map keys: their values have one type, and either the values \
      are objects that share most of their names, or few objects have most of the keys. Below a map, records are not \
      counted.

      Documents are not held in memory, whatever their size. Memory grows with the paths, about 1 KB each and with \
      --examples 100 up to 12 KB. Until a map has more than --max-keys keys, each of its keys is also a path; \
      --max-paths limits the paths in memory of each worker. Rows are written one by one, except in a table, where \
      paths of more than 120 characters are shortened in the middle.

      --format types writes the columns that hold all values, for jsift records --format arrow --types FILE: a line \
      {"name":…,"path":…,"type":…} for each path below objects. Arrays are lists, maps and values of several types are \
      JSON. Edit the lines as needed; other members, such as "count", the number of values that are not null, are notes.

      Exit status: 0 there was a record, 1 there was no record, 2 there was an error.
      """)

  @Argument(help: .files, completion: .file())
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      "How the result is written; the default is table on a terminal, and ndjson elsewhere.",
      valueName: RowFormat.textNames + "|types"))
  var format: ShapeFormat?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum number of distinct keys of an object: with more it is treated as a map.", valueName: "n"))
  var maxKeys = JSONShape.Options().maxKeys

  @Option(parsing: .unconditional, help: ArgumentHelp("Number of distinct example values per path.", valueName: "n"))
  var examples = JSONShape.Options().maxExamples

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum number of paths in memory. If there are more, reading stops, no path is written, and the exit status is "
        + "2.", valueName: "n"))
  var maxPaths = 100_000

  @OptionGroup var noCondition: NoConditionOption
  @OptionGroup(title: "Input options") var time: TimeOptions
  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup(title: "Output options") var limit: LimitOption
  @OptionGroup(title: "Input options") var options: ReadingOptions
  @OptionGroup(title: "Input options") var workers: JobsOption

  func validate() throws {
    try noCondition.reject(in: "shape")
    try require("--max-keys", maxKeys, atLeast: 1)
    if !(0...100).contains(examples) {
      throw ValidationError("--examples takes a number from 0 to 100, not \(examples)")
    }
    try require("--max-paths", maxPaths, atLeast: 1)
  }

  func run() throws {
    let window = try time.window()
    var files = try options.files(files)
    try window?.narrow(&files, options)
    var shaping = JSONShape.Options()
    shaping.maxKeys = maxKeys
    shaping.maxAlikeKeys = min(shaping.maxAlikeKeys, maxKeys)
    shaping.maxExamples = examples
    shaping.maxPaths = maxPaths
    try output.open(reading: files, rejects: options.rejects)
    var plan = RunPlan(options, files, jobs: workers.jobs)
    plan.noun = "records"
    plan.limit = limit.limit
    if window != nil { plan.timePath = time.text }
    plan.needsRecords = window.map { _ in TimeWindow.rejection }
    let condition = TimeWindow.condition(nil, window)
    let (records, finished, isLimited) = (plan.records, shaping, limit.limit != nil)
    if case .types = format {
      let empty = ArrowTypeTree(maxKeys: maxKeys, maxPaths: maxPaths)
      throw try Run(plan, TypeSink(empty, maxPaths: maxPaths)).read(
        { (input) throws(JSONError) in try JSONMatches.ofRecords(where: condition, in: input, records) },
        into: { TypeCollector(empty) })
    }
    throw try Run(plan, ShapeSink(shaping, format?.rows, hasRejects: options.rejects != nil)).read(
      { (input) throws(JSONError) in
        var reader = try JSONShape.Reader(
          input.source, options: finished, where: condition, records: input.options(records),
          resumingAt: input.checkpoint)
        if !isLimited { reader.countManyLines() }
        return reader
      }, into: { ShapeCollector() })
  }
}

/// Counts the values of records, or of a document chunk by chunk. The reader keeps the counts.
private struct ShapeCollector: Collector {
  /// Counts a record, or a chunk of a document. Returns `false` at the end, and when there are too many paths.
  func take(from input: OpenInput<JSONShape.Reader>, into open: OpenBatch) throws(JSONError) -> Bool {
    defer { open.batch.count += input.newlyCounted(of: input.reader.recordCount) }
    return try input.reader.next()
  }

  func gather(from input: OpenInput<JSONShape.Reader>, into open: OpenBatch) {
    open.batch.shape = input.reader.takeShape()
    // The reader counts from 0 again, or keeps the count of an open document.
    input.newlyCounted(of: input.reader.recordCount)
  }
}

/// Merges the shapes of all batches, and writes the rows at the end.
private struct ShapeSink: ResultSink {
  static let gathers = true
  static let stopsAtExactRecord = false

  private var shape: JSONShape
  private let maxPaths: Int
  private let format: RowFormat?
  private let hasRejects: Bool

  init(_ shaping: JSONShape.Options, _ format: RowFormat?, hasRejects: Bool) {
    shape = JSONShape(options: shaping)
    maxPaths = shaping.maxPaths
    self.format = format
    self.hasRejects = hasRejects
  }

  var isFull: Bool { shape.isFull }

  mutating func gather(_ batch: inout Batch) {
    if let read = batch.shape { shape.merge(read) }
  }

  mutating func finish() {
    guard !isFull else {
      return ErrorReport.write(
        "expected at most \(maxPaths) paths, found more; raise --max-paths (about 1 KB per path) or "
          + "lower --max-keys"
          + (hasRejects ? "; the file of bad records is not complete" : ""))
    }
    let defaultFormat: RowFormat = unsafe Output.standard.isTerminal ? .table : .ndjson
    let format = format ?? defaultFormat
    ShapeRows(shape, isForPeople: format.display != nil).write(format)
  }
}
