import ArgumentParser
import JSONSift

/// The flags that all commands share, as typed.
struct CommonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How the input is cut; auto looks at the name and the first lines.", valueName: "form"))
  var input = InputForm.auto

  @Flag(name: [.customShort("r"), .long], help: "Write strings without quotes and escapes.")
  var raw = false

  @Option(help: ArgumentHelp("Stop after this many results.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Write only how many results there are.")
  var count = false

  @Flag(help: "Write each result as an object that says where it stands; see above.")
  var withLocation = false

  @Flag(help: "Write what would be done and what it keeps in memory. Nothing is read.")
  var explain = false

  @Option(help: ArgumentHelp("What to do at a bad line: skip it and tell at the end, or stop.", valueName: "skip|stop"))
  var onError = ErrorPolicy.skip

  @Option(help: ArgumentHelp("Refuse arrays and objects nested deeper than this.", valueName: "n"))
  var maxDepth = JSONLimits().depth

  @Option(help: ArgumentHelp("Refuse records and results longer than this.", valueName: "n"))
  var maxRecordBytes = JSONLimits().recordBytes

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0, not \(limit)") }
    if raw, withLocation {
      throw ValidationError("--with-location writes JSON, and --raw does not; leave one of them out")
    }
    if maxDepth < 1 { throw ValidationError("--max-depth takes a number from 1, not \(maxDepth)") }
    if maxRecordBytes < 1 { throw ValidationError("--max-record-bytes takes a number from 1, not \(maxRecordBytes)") }
  }

  var readingOptions: JSONOptions {
    var limits = JSONLimits()
    limits.depth = maxDepth
    limits.recordBytes = maxRecordBytes
    limits.stringBytes = max(limits.stringBytes, maxRecordBytes)
    return JSONOptions(limits: limits)
  }
}

/// The flag that `get` and `records` share.
struct ConditionOption: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Only records for which this holds, such as '@.level == \"error\"'.", valueName: "expr"))
  var condition: String?
}

enum InputForm: String, ExpressibleByArgument, CaseIterable {
  case auto, json, ndjson, values

  var framing: JSONFraming {
    switch self {
    case .auto: .automatic
    case .json: .document
    case .ndjson: .lines
    case .values: .values
    }
  }
}

enum ErrorPolicy: String, ExpressibleByArgument, CaseIterable {
  case skip, stop
}
