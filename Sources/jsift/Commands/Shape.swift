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
      valueName: "ndjson|json|csv|tsv|table"))
  var format: RowFormat?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Tell so many different keys of objects at one path apart.", valueName: "n"))
  var maxKeys = JSONShapeOptions().names

  @Option(parsing: .unconditional, help: ArgumentHelp("Show so many different values of each path.", valueName: "n"))
  var examples = JSONShapeOptions().examples

  @Option(parsing: .unconditional, help: ArgumentHelp("Refuse more paths in memory than this.", valueName: "n"))
  var maxPaths = 100_000

  @OptionGroup(title: "Output options") var output: OutputOption
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
    shaping.names = maxKeys
    shaping.likeNames = min(shaping.likeNames, maxKeys)
    shaping.examples = examples
    shaping.mostPaths = maxPaths
    try output.open(reading: files, rejects: options.rejects)
    var run = try ShapeRun(options, files, jobs: workers.jobs, shaping)
    run.read(files) {
      $0.readSideBySide($1)
    } alone: {
      $0.open($1, content: $2)
    }
    if run.isFull {
      ErrorReport.write(
        "jsift: expected at most \(maxPaths) paths, found more; --max-paths allows more, at about 1 KB each, and "
          + "a smaller --max-keys makes fewer of them"
          + (options.rejects == nil ? "" : "; the file of bad records is not complete"))
    } else {
      let usual: RowFormat = unsafe Output.standard.isTerminal ? .table : .ndjson
      let format = format ?? usual
      ShapeRows(run.shape, isForPeople: format == .table).write(format)
    }
    throw run.finish()
  }
}

/// One run of `shape` over its files.
private struct ShapeRun: BadRecordPolicy, FileReading {
  let options: ReadingOptions
  let jobs: Int?
  private let shaping: JSONShapeOptions
  private(set) var shape: JSONShape
  var errors: BadRecords
  var isStopped = false
  var hasFailed = false {
    didSet { if hasFailed { unsafe Output.standard.statusWithoutReader = Status.failed } }
  }

  init(_ options: ReadingOptions, _ files: [InputFile], jobs: Int?, _ shaping: JSONShapeOptions) throws {
    self.options = options
    // The record at which there are too many errors is the last that counts, and not the last of its block.
    self.jobs = options.maxErrors == nil ? jobs : 1
    self.shaping = shaping
    shape = JSONShape(options: shaping)
    errors = try BadRecords(options, files)
    unsafe Progress.current = Progress(
      options.progress, files, counting: "records", skipping: options.fromOffset ?? 0)
  }

  var onError: ErrorPolicy { options.onError }
  var isFull: Bool { shape.isFull }
  var isDone: Bool { isStopped || isFull }

  func readsSideBySide(_ files: [InputFile]) -> Bool { SideBySide.isOf(files, options, jobs: jobs) }

  mutating func open(_ file: InputFile, content: JSONSource?) {
    do throws(JSONError) {
      let input = Input(file, options, content: content)
      var stream = try Self.stream(input, shaping, options.recordOptions)
      readAll(&stream, file)
      if let read = stream.takeShape() { shape.merge(read) }
      tell(file)
    } catch {
      hasFailed = true
      ErrorReport.write(error, file: file)
    }
  }

  private mutating func readAll(_ stream: inout ShapeStream, _ file: InputFile) {
    while !isStopped {
      do throws(JSONError) {
        guard try stream.step() else { return }
      } catch {
        let isTold = onError == .stop || errors.wantsReports
        let bad = BadResult(error, in: &stream, file, keepsRecord: errors.putsAside, isTold: isTold)
        guard take(bad, file) else { return }
      }
      unsafe Progress.current?.found(shape.recordCount + stream.recordCount, bad: errors.total)
    }
  }

  private static func stream(
    _ input: Input, _ shaping: JSONShapeOptions, _ records: JSONRecordOptions
  ) throws(JSONError) -> ShapeStream {
    ShapeStream(
      try JSONShapeReader(input.source, options: shaping, records: records, resumingAt: input.checkpoint))
  }

  mutating func readSideBySide(_ files: [InputFile]) -> (number: Int, source: JSONSource?)? {
    let (shaping, records, keepsRecords) = (shaping, options.recordOptions, errors.putsAside)
    var reading = SideBySide(
      files, options, jobs: jobs, { $0.keepsRecords = keepsRecords },
      { (input) throws(JSONError) in try Self.stream(input, shaping, records) })
    var last: (number: Int, file: InputFile)?
    do {
      while !isDone, let (found, file) = try reading.next() {
        if let last, last.number != found.input { tell(last.file) }
        last = (found.input, file)
        add(found, file)
        unsafe Progress.current?.found(shape.recordCount, bad: errors.total)
      }
    } catch {
      hasFailed = true
      if let error = error as? JSONError, let last { ErrorReport.write(error, file: last.file) }
    }
    if let last { tell(last.file) }
    return reading.rest
  }

  /// Tells of the bad records of a file. How far it was read when there were too many paths depends on the workers.
  private mutating func tell(_ file: InputFile) {
    if !isFull { errors.tell(file) }
  }

  private mutating func add(_ found: BlockResults, _ file: InputFile) {
    if let read = found.shape { shape.merge(read) }
    guard !isFull else { return }
    var reports = found.reports[...]
    var written = 0
    for bad in found.bad where !isStopped {
      let line = found.rejects[written..<bad.rejects]
      written = bad.rejects
      _ = pass(over: reports.popFirst(), line)
    }
    if !isStopped, let end = found.end { _ = take(end, file) }
    if let refusal = found.refusal {
      hasFailed = true
      ErrorReport.write(refusal)
    }
  }

  /// Writes what is left and returns the status.
  func finish() -> ExitCode {
    unsafe Progress.current?.finish()
    unsafe Output.standard.finish()
    guard errors.finish(), !hasFailed, !isFull else { return ExitCode(Status.failed) }
    return ExitCode(shape.recordCount > 0 ? Status.found : Status.nothingFound)
  }
}
