import ArgumentParser
import JSONSift

/// The flags that `get` and `records` share, as typed.
struct CommonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How the input is cut; auto looks at the name and the first lines.", valueName: "form"))
  var input = InputForm.auto

  @Flag(name: [.customShort("r"), .long], help: "Write strings without quotes and escapes.")
  var raw = false

  @Option(help: ArgumentHelp("Stop after this many results.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Write only how many results there are.")
  var count = false

  @Option(help: ArgumentHelp("What to do at a bad line: skip it and tell at the end, or stop.", valueName: "skip|stop"))
  var onError = ErrorPolicy.skip

  @Option(help: ArgumentHelp("Refuse arrays and objects nested deeper than this.", valueName: "n"))
  var maxDepth = JSONLimits().depth

  @Option(help: ArgumentHelp("Refuse records and results longer than this.", valueName: "n"))
  var maxRecordBytes = JSONLimits().recordBytes

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0, not \(limit)") }
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
