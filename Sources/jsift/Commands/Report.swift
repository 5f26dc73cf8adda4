import ArgumentParser
import JSONSift
import JSONSiftAnalysis

/// The form of a report.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case html, json
}

extension ReportMask.Examples: ExpressibleByArgument {}

struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make a page about logs: what is in them, and when something went wrong.",
    discussion: """
      jsift report app.log -o report.html
      jsift report 'logs/**/*.ndjson' -o report.html
      zcat app.log.gz | jsift report --level '$.severity' --format json

      The page has the number of records over time and by level, the commonest messages with an example each, percentiles of \
      numbers, the commonest values of fields that have few, and the shape of the records. With each picture and table it shows \
      the jsift command that prints the same numbers. It is one file without scripts, of at most 500 KB.

      The time, the level, the message and the other fields are found in the first records, and the page says why each was \
      chosen; --time, --level, --message, --of and --by name others. Records are read once. Memory does not grow with the input: \
      the page says what it leaves out.

      Values that look like secrets are masked with the rules of jsift edit --preset share; --examples all shows them, and \
      --examples none shows no examples. Numbers and counts are not masked.

      Exit status: 0 there was a record, 1 there was no record, 2 there was an error.
      """)

  @Argument(help: .files, completion: .file())
  var files: [String] = []

  @Option(help: ArgumentHelp("How the report is written: a page for people, or one JSON text.", valueName: "html|json"))
  var format = ReportFormat.html

  @Option(parsing: .unconditional, help: ArgumentHelp("The path of the time of a record.", valueName: "path"))
  var time: String?

  @Option(
    help: ArgumentHelp(
      "The unit of times that are numbers. Without it, it is recognized by their size.", valueName: "s|ms|us|ns"))
  var timeUnit: JSONTimeUnit?

  @Option(parsing: .unconditional, help: ArgumentHelp("The path of the level of a record.", valueName: "path"))
  var level: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("The path of the message of a record.", valueName: "path"))
  var message: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A path to numbers, instead of those that are found. May be repeated.", valueName: "path"))
  var of: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A path whose commonest values are shown, instead of those that are found. May be repeated.", valueName: "path"))
  var by: [String] = []

  @Option(
    help: ArgumentHelp(
      "Which examples and values of the input are shown: masked, all as they are, or no examples.",
      valueName: "none|masked|all"))
  var examples = ReportMask.Examples.masked

  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup(title: "Input options") var options: ReadingOptions
  @OptionGroup(title: "Input options") var workers: JobsOption

  /// How many files are read to find the fields.
  private static let sampledFiles = 16
  /// The paths of the shape that are kept; with more there is no table of them.
  private static let maxPaths = 10_000

  func validate() throws {
    if let option = options.fromOffset.map({ _ in "--from-offset" }) {
      throw ValidationError("\(option) is for reading a part of a file, and a report is about whole files")
    }
  }

  func run() throws {
    var named = ReportFields()
    named.time = try time.map { try choice($0, "--time") }
    named.level = try level.map { try choice($0, "--level") }
    named.message = try message.map { try choice($0, "--message") }
    named.numbers = try RawArguments.launch.values(of: of).map { try choice($0, "--of") }
    named.values = try RawArguments.launch.values(of: by).map { try choice($0, "--by") }
    var inputs = try options.files(files).flatMap { $0.matchingPattern() }
    try output.open(reading: inputs, rejects: options.rejects)
    let fields = ReportFields(named, in: sample(&inputs))
    let asked = ReportPlan(fields, timeUnit, LocalZone.system.clock, options.readingOptions.limits)
    let questions = ReportQuestions(asked, of: inputs, options.words)
    var shaping = JSONShape.Options()
    (shaping.maxPaths, shaping.maxExamples) = (Self.maxPaths, ReportSink.shapeExamples)
    if examples == .none { shaping.maxExamples = 0 }
    if examples == .masked { shaping.maxExampleBytes = ReportSink.maskedExampleBytes }
    guard TaskPool.rejection() == 0 else { throw failure("report: the system has no threads left") }
    var plan = RunPlan(options, inputs, jobs: workers.jobs)
    plan.noun = "records"
    plan.needsBlocks = true
    // The elements of an array have no lines.
    let (queries, records, shapeOptions, hasLines) = (asked.queries, plan.records, shaping, options.each.isEmpty)
    let sink = ReportSink(questions, shaping, ReportMask(examples), format, inputs)
    throw try Run(plan, sink).read(
      { (_) throws(JSONError) in try ReportReader(shapeOptions, queries, records) },
      into: { ReportCollector(queries, hasLines: hasLines) })
  }

  private func choice(_ text: String, _ option: String) throws -> ReportFields.Choice {
    let path = try PathArguments.path(text)
    guard path.isSingular else {
      throw failure("\(option) '\(text.utf8.printable)': expected a path of one value, with names and indexes only")
    }
    return ReportFields.Choice(path, text, reason: "named by \(option)")
  }

  /// Returns the first records of the files. A file that cannot be read is reported when all of it is read.
  private func sample(_ inputs: inout [InputFile]) -> [JSON] {
    let sampled = min(inputs.count, Self.sampledFiles)
    var sample: [JSON] = []
    for index in inputs.indices.prefix(sampled) {
      guard let head = try? inputs[index].readHead(ReportFields.sampleBytes) else { continue }
      sample += records(of: head, atMost: ReportFields.sampleCount / sampled)
    }
    return sample
  }

  /// Returns the first records of the start of a file, without those that are bad.
  private func records(of head: [UInt8], atMost limit: Int) -> [JSON] {
    var options = options.recordOptions
    // The run counts what the steps leave out.
    for index in options.steps.indices { options.steps[index].missing = nil }
    var input = Input(source: self.options.content(of: .bytes(head)))
    input.isIndexed = options.steps.isEmpty && self.options.input == .auto
    guard var matches = try? JSONMatches.ofRecords(where: nil, in: input, options) else { return [] }
    var found: [JSON] = []
    var last: JSONError?
    while found.count < limit {
      do throws(JSONError) {
        guard let record = try matches.nextFound() else { break }
        found.append(record.value.detached())
      } catch {
        // The same error at the same place: reading does not go on after it.
        guard !error.code.endsInput, matches.stopReason == nil, matches.framing != .document, error != last else {
          break
        }
        last = error
      }
    }
    return found
  }
}
