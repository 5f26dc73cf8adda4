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

  /// How much of a file is read to find the fields, and how many records of all files.
  private static let headBytes = 1 << 20
  private static let sampleRecords = 1000
  private static let sampledFiles = 16
  /// The paths of the shape that are kept; with more there is no table of them.
  private static let maxPaths = 10_000

  func validate() throws {
    if let option = options.fromOffset.map({ _ in "--from-offset" }) {
      throw ValidationError("\(option) is for reading a part of a file, and a report is about whole files")
    }
  }

  func run() throws {
    var named = ReportFields.Named()
    named.time = try time.map { try singular($0, "--time") }
    named.level = try level.map { try singular($0, "--level") }
    named.message = try message.map { try singular($0, "--message") }
    named.numbers = try RawArguments.launch.values(of: of).map { try singular($0, "--of") }
    named.values = try RawArguments.launch.values(of: by).map { try singular($0, "--by") }
    var inputs = try options.files(files).flatMap { $0.matchingPattern() }
    try output.open(reading: inputs, rejects: options.rejects)
    let fields = ReportFields(named, in: try sample(&inputs))
    let unit = timeUnit
    let questions = ReportQuestions(
      fields, of: inputs, options.words, unit, LocalZone.system.clock, options.readingOptions.limits)
    var shaping = JSONShape.Options()
    (shaping.maxPaths, shaping.maxExamples) = (Self.maxPaths, ReportSink.shapeExamples)
    if examples == .none { shaping.maxExamples = 0 }
    if examples == .masked { shaping.maxExampleBytes = ReportSink.maskedExampleBytes }
    guard TaskPool.rejection() == 0 else { throw failure("report: the system has no threads left") }
    var plan = RunPlan(options, inputs, jobs: workers.jobs)
    plan.noun = "records"
    plan.needsBlocks = true
    let (queries, records, shapeOptions, hasLines) = (questions.queries, plan.records, shaping, questions.hasLines)
    let sink = ReportSink(questions, shaping, ReportMask(examples), format, inputs)
    throw try Run(plan, sink).read(
      { (_) throws(JSONError) in try ReportReader(shapeOptions, queries, records) },
      into: { ReportCollector(queries, hasLines: hasLines) })
  }

  private func singular(_ text: String, _ option: String) throws -> NamedPath {
    let path = try PathArguments.path(text)
    guard path.isSingular else {
      throw failure("\(option) '\(text.utf8.printable)': expected a path of one value, with names and indexes only")
    }
    return NamedPath(name: text, path: path)
  }

  /// Returns the first records of the files.
  private func sample(_ inputs: inout [InputFile]) throws -> [JSON] {
    var records = options.recordOptions
    // The run counts what the steps leave out.
    for index in records.steps.indices { records.steps[index].missing = nil }
    let sampled = min(inputs.count, Self.sampledFiles)
    var sample: [JSON] = []
    for index in inputs.indices.prefix(sampled) {
      let head: [UInt8]
      do throws(File.Failure) {
        head = try inputs[index].readHead(Self.headBytes)
      } catch {
        // Reading the file reports it.
        continue
      }
      let left = Self.sampleRecords / sampled
      do throws(JSONError) {
        var input = Input(source: options.content(of: .bytes(head)))
        input.isIndexed = options.steps.isEmpty && options.input == .auto
        var matches = try JSONMatches.ofRecords(where: nil, in: input, records)
        var found = 0
        while found < left {
          do throws(JSONError) {
            guard let record = try matches.nextFound() else { break }
            sample.append(record.value.detached())
            found += 1
          } catch {
            guard !error.code.endsInput, matches.stopReason == nil, matches.framing != .document else { break }
          }
        }
      } catch {
        continue
      }
    }
    return sample
  }
}
