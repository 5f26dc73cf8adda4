import ArgumentParser
import JSONSift

/// A command that writes results. Its groups of flags lie side by side: a debug build checks each group anew for each group
/// around it, which took half the time of a start.
protocol ResultCommand: ParsableCommand {
  var reading: ReadingOptions { get }
  var workers: JobsOption { get }
  var output: OutputOption { get }
  var null: NullOption { get }
  var results: ResultOptions { get }
}

extension ResultCommand {
  var options: CommonOptions {
    CommonOptions(reading: reading, workers: workers, output: output, null: null, results: results)
  }

  func validate() throws { try null.check(results.format) }
}

/// The flags that say which results are written, and how, as typed.
struct ResultOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Go on as the file grows or is replaced, until a signal ends it. A file that is written anew in its place, and has as "
        + "many bytes as were read or more by the next look, four times a second, seems to have grown: what stands in its "
        + "first bytes then is not read."))
  var follow = false

  @Flag(name: [.customShort("r"), .long], help: "Write strings without quotes and escapes.")
  var raw = false

  @Option(
    help: ArgumentHelp(
      "How results are written: a JSON text on each line, one array, fields under a header, or a table for people.",
      valueName: RowFormat.names))
  var format = RowFormat.ndjson

  @Option(parsing: .unconditional, help: ArgumentHelp("Stop after this many results.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Write only how many results there are.")
  var count = false

  @Flag(help: "Write each result as an object that says where it stands; see above.")
  var withLocation = false

  @Flag(help: "Write what would be done and what it keeps in memory. Nothing is read.")
  var explain = false

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0, not \(limit)") }
    if raw, withLocation {
      throw ValidationError("--with-location writes JSON, and --raw does not; leave one of them out")
    }
    if raw, !format.isLines {
      throw ValidationError(
        "--raw writes lines of text, and --format \(format.name) does not; leave one of them out")
    }
  }
}

/// The flags of a command that writes results.
struct CommonOptions {
  let reading: ReadingOptions
  let workers: JobsOption
  let output: OutputOption
  let null: NullOption
  let results: ResultOptions

  /// The files of a command, if its options can be said of them.
  func files(_ names: [String]) throws -> [InputFile] {
    let files = try reading.files(names)
    if results.follow {
      guard files.count == 1 else { throw PathArguments.refusal("--follow: expected one file, found \(files.count)") }
      guard files[0].path != nil else {
        throw PathArguments.refusal("--follow: expected a file with a name; standard input is read as it comes")
      }
    }
    return files
  }

  /// What a run of a command does that writes results.
  func plan(_ form: ResultLine.Form, _ files: [InputFile]) throws -> RunPlan {
    // First: what is refused leaves the file of bad records alone.
    try output.open(reading: files, rejects: reading.rejects)
    var plan = RunPlan(reading, files, jobs: workers.jobs)
    plan.line = ResultLine(form, self)
    plan.limit = results.limit
    plan.isCounting = results.count
    plan.isFollowing = results.follow
    return plan
  }

  /// Runs it. Returns the exit status.
  func run<Stream: ResultStream & ~Copyable & SendableMetatype>(
    _ plan: RunPlan, _ make: @escaping @Sendable (Input) throws(JSONError) -> Stream
  ) throws -> ExitCode {
    let line = plan.line ?? ResultLine(.value, self)
    return try Run(plan, RowSink(results.format, line)).read(make)
  }
}

/// The flag of the commands that have no results of their own to count.
struct LimitOption: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Stop after this many records; one document is one.", valueName: "n"))
  var limit: Int?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0, not \(limit)") }
  }
}

/// The flag that `get` and `records` share.
struct ConditionOption: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Only records for which this holds, such as '@.level == \"error\"'.", valueName: "expr"))
  var conditions: [String] = []

  func validate() throws {
    // The first would be forgotten without a word.
    if conditions.count > 1 {
      throw ValidationError("--where takes one condition, not \(conditions.count); '&&' joins them, or '||'")
    }
  }

  var condition: String? { conditions.first }
}
