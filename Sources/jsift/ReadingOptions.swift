import ArgumentParser
import JSONSift

#if Compression
  import JSONSiftCompression
#endif

/// The options for reading input, as typed. All commands have them.
struct ReadingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How the input is divided into records: json is one document, ndjson has one record on each line, mixed has records of "
        + "one or several lines between lines of other text, seq is a text sequence of RFC 7464, values has one value after "
        + "another; auto decides by the name and first lines.",
      valueName: "form"))
  var input = InputForm.auto

  @Flag(help: "Accept text before the JSON of a line: such as the prefixes of container runtimes and syslog.")
  var skipPrefix = false

  @Option(
    help: ArgumentHelp(
      "Put the parts of a line together that a container runtime has divided: cri for the logs of Kubernetes, without the "
        + "time, stream and tag before each line; docker for json-file. Before --unwrap and --each.",
      valueName: "cri|docker"))
  var join: JoinedRuntime?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Maximum number of lines of a record with --input mixed.", valueName: "n"))
  var maxRecordLines: Int?

  @Option(
    help: ArgumentHelp(
      "Which lines a condition rules out by their bytes, without parsing them: auto those that are JSON if every bad record "
        + "counts (--on-error stop, --rejects, --rejects-inline, --max-errors), or else all; always all, and bad ones among them are lost.",
      valueName: "auto|always|never"))
  var prefilter = Policy.auto

  @Flag(help: "No effect, for older scripts: everything that is read is validated.")
  var fast = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The JSON in the string at this path is the record. May be repeated; --unwrap and --each are applied in the order of "
        + "the command line.", valueName: "path"))
  var unwrap: [String] = []

  @Option(
    help: ArgumentHelp(
      "What to do with a record in which --unwrap finds no JSON: count it, take it as it is, or reject it.",
      valueName: "skip|keep|reject"))
  var unwrapElse: Nesting.Otherwise?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The elements or members at this path are the records. May be repeated.",
      valueName: "path"))
  var each: [String] = []

  @Option(
    help: ArgumentHelp(
      "What to do with half of a surrogate pair: for \"\\ud83d\" at the end of a text that was cut the record is bad, "
        + "or U+FFFD is read and written for it.", valueName: "reject|replace"))
  var loneSurrogates = SurrogatePolicy.reject

  @Option(
    help: ArgumentHelp(
      "What to do at a bad record: report it and continue after it, or report it and stop.", valueName: "skip|stop"))
  var onError = ErrorPolicy.skip

  @Option(
    help: ArgumentHelp("Write the bad records to this file: one JSON object per line.", valueName: "file"),
    completion: .file())
  var rejects: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum bytes of a bad record that --rejects and --rejects-inline write; of a longer one they write the first "
        + "bytes, and \"truncated\":true. From standard input the rest cannot be read again.", valueName: "n"))
  var maxRejectBytes = JSONRecordOptions().rawByteLimit

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stop after more than this many bad records: with exit status 2.", valueName: "n"))
  var maxErrors: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Start reading at this byte offset, or at the next line if it is in the middle of a line. Lines are counted from "
        + "there.",
      valueName: "n"))
  var fromOffset: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Maximum nesting depth of arrays and objects.", valueName: "n"))
  var maxDepth = JSONLimits().depth

  @Option(parsing: .unconditional, help: ArgumentHelp("Maximum size of records and results in bytes.", valueName: "n"))
  var maxRecordBytes = JSONLimits().recordBytes

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum size of a string in bytes; the default is that of a record, and at least 64 MiB.", valueName: "n"))
  var maxStringBytes: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Maximum size of a key in bytes.", valueName: "n"))
  var maxKeyBytes = JSONLimits().keyBytes

  @Option(parsing: .unconditional, help: ArgumentHelp("Maximum size of a number in bytes.", valueName: "n"))
  var maxNumberBytes = JSONLimits().numberBytes

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End with exit status 2 if a path or condition takes more than this many steps (about 20 ns each) for one "
        + "record or result.",
      valueName: "n"))
  var maxQuerySteps = JSONLimits().querySteps

  #if Compression
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Maximum decompressed bytes per file; the default is 1000 per compressed byte after the first 64 MiB.",
        valueName: "n"))
    var maxDecompressedBytes: Int?
  #endif

  @Option(
    help: ArgumentHelp(
      "Show progress on standard error; auto shows it on a terminal.", valueName: "auto|always|never"))
  var progress = Policy.auto

  func validate() throws {
    for (name, limit) in [
      ("--max-depth", maxDepth), ("--max-record-bytes", maxRecordBytes), ("--max-reject-bytes", maxRejectBytes),
      ("--max-string-bytes", maxStringBytes), ("--max-key-bytes", maxKeyBytes),
      ("--max-number-bytes", maxNumberBytes), ("--max-query-steps", maxQuerySteps),
    ] { try require(name, limit, atLeast: 1) }
    #if Compression
      try require("--max-decompressed-bytes", maxDecompressedBytes, atLeast: 1)
    #endif
    let others = [
      ("--skip-prefix is for text before the JSON on a line", skipPrefix),
      ("--join is for the lines of a container runtime", join != nil),
    ]
    if let (other, _) = others.first(where: { $0.1 }), !input.isLines {
      throw ValidationError("\(other), and with --input \(input.rawValue) records are not lines; use only one of them")
    }
    try require("--max-record-lines", maxRecordLines, atLeast: 1)
    if unwrapElse != nil, unwrap.isEmpty {
      throw ValidationError("--unwrap-else is for records in which --unwrap finds no JSON; use it with --unwrap")
    }
    if maxRecordLines != nil, input != .mixed {
      throw ValidationError("--max-record-lines is for records of several lines; use it with --input mixed")
    }
    try require("--max-errors", maxErrors, atLeast: 0)
    try require("--from-offset", fromOffset, atLeast: 0)
  }

  var readingOptions: JSONOptions {
    var limits = JSONLimits()
    limits.depth = maxDepth
    limits.recordBytes = maxRecordBytes
    limits.querySteps = maxQuerySteps
    limits.stringBytes = maxStringBytes ?? max(limits.stringBytes, maxRecordBytes)
    limits.keyBytes = maxKeyBytes
    limits.numberBytes = maxNumberBytes
    return JSONOptions(limits: limits, loneSurrogates: loneSurrogates == .replace ? .replace : .reject)
  }

  /// The options for framing and parsing records. The run counts bad records itself, over all files.
  var recordOptions: JSONRecordOptions {
    var options = JSONRecordOptions(framing: join == nil ? input.framing : .lines, reading: readingOptions)
    options.skipsPrefix = skipPrefix
    options.steps = steps
    options.rawByteLimit = maxRejectBytes
    options.prefilter = prefilter == .never ? .never : countsEveryError ? .automatic : .always
    return options
  }

  /// The option that puts lines together; `nil` if each line is read by itself.
  var joining: String? { join.map { "--join \($0.rawValue)" } ?? (input == .mixed ? "--input mixed" : nil) }

  /// An option that makes a step, for a command that has none; `nil` without steps.
  var stepOption: String? {
    if let option = Nesting.launch.option { return option }
    if maxRecordLines != nil { return "--max-record-lines" }
    return join == nil ? joining : "--join"
  }

  /// The options as arguments of a command that is to read the same records, without those about bad records.
  var words: [String] {
    var words: [String] = []
    if input != .auto { words += ["--input", input.rawValue] }
    if skipPrefix { words.append("--skip-prefix") }
    if let join { words += ["--join", join.rawValue] }
    if let maxRecordLines { words += ["--max-record-lines", "\(maxRecordLines)"] }
    words += Nesting.launch.words
    if loneSurrogates != .reject { words += ["--lone-surrogates", loneSurrogates.rawValue] }
    let limits = JSONLimits()
    for (name, limit, standard) in [
      ("--max-depth", maxDepth, limits.depth), ("--max-record-bytes", maxRecordBytes, limits.recordBytes),
      ("--max-key-bytes", maxKeyBytes, limits.keyBytes), ("--max-number-bytes", maxNumberBytes, limits.numberBytes),
      ("--max-string-bytes", maxStringBytes ?? 0, 0),
    ] where limit != standard { words += [name, "\(limit)"] }
    return words
  }

  /// The steps from the lines of the input to the records. Parts of lines are put together first, then lines.
  var steps: [JSONRecordStep] {
    var steps: [JSONRecordStep] = []
    if let join { steps.append(.join(join == .cri ? .cri : .docker)) }
    if input == .mixed {
      var step = maxRecordLines.map { .mixed(maxLines: $0) } ?? JSONRecordStep.mixed()
      step.missing = Nesting.launch.otherLines
      steps.append(step)
    }
    return steps + Nesting.launch.steps
  }

  /// Returns the decompressed content of a file.
  ///
  /// - Parameters:
  ///   - progress: Receives the number of bytes read from the file itself.
  ///   - threads: The number of threads that decompress a file of several frames.
  func content(of source: JSONSource, _ progress: ReadProgress? = nil, threads: Int = 1) -> JSONSource {
    // Without progress nothing but the format would be looked for.
    if source.isPlain, progress == nil { return SkippedLineReport.noting(source) }
    var content = source
    #if Compression
      let name = source.file
      content = source.decompressing(decompressionLimits, progress: progress?.bytes, threads: threads) {
        SkippedLineReport.noteCut(name)
      }
    #endif
    return SkippedLineReport.noting(content)
  }

  #if Compression
    var decompressionLimits: DecompressionLimits {
      var limits = DecompressionLimits()
      if let maxDecompressedBytes {
        limits.bytes = maxDecompressedBytes
        limits.ratio = .max
      }
      return limits
    }
  #endif

  /// Whether every bad record affects the output or the exit status, so that no line may be skipped without checking
  /// it.
  var countsEveryError: Bool { prefilter != .always && (onError == .stop || rejects != nil || maxErrors != nil) }

  /// Returns the files of a command, and rejects options that do not apply to them.
  func files(_ names: [String]) throws -> [InputFile] {
    var files = InputFile.list(names)
    if input != .auto { for index in files.indices { files[index].hasGuessedFraming = false } }
    try MisplacedArgument.reject(files)
    try Nesting.check(unwrap, "--unwrap")
    try Nesting.check(each, "--each")
    InputFile.protect(files)
    unsafe SurrogatePolicy.replacesInOutput = loneSurrogates == .replace
    guard let fromOffset else { return files }
    guard files.count == 1 else { throw failure("--from-offset: expected one file, found \(files.count)") }
    files[0].start = fromOffset
    return files
  }
}

extension ArgumentHelp {
  /// The help of the files to read.
  static let files = ArgumentHelp("Files to read; standard input if omitted or '-'.", valueName: "file")
}

/// The option `--jobs` of commands that read files in parallel.
struct JobsOption: ParsableArguments {
  @Option(
    name: [.customShort("j"), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Number of workers: they share records, files, and the elements or members of one long array or object; the "
        + "default is the number of processors.", valueName: "n"))
  var jobs: Int?

  func validate() throws { try require("--jobs", jobs, atLeast: 1) }
}

enum InputForm: String, ExpressibleByArgument, CaseIterable {
  case auto, json, ndjson, mixed, seq, values

  /// Whether the input is lines, or may be.
  var isLines: Bool { self == .auto || self == .ndjson || self == .mixed }

  var framing: JSONFraming {
    switch self {
    case .auto: .automatic
    case .json: .document
    case .ndjson, .mixed: .lines
    case .seq: .textSequence
    case .values: .values
    }
  }
}

enum JoinedRuntime: String, ExpressibleByArgument, CaseIterable {
  case cri, docker
}

enum SurrogatePolicy: String, ExpressibleByArgument, CaseIterable {
  case reject, replace

  /// Whether JSON text that is copied from the input may contain halves of pairs, which are written as `\ufffd`.
  ///
  /// SAFETY: it is set before a worker starts.
  nonisolated(unsafe) static var replacesInOutput = false
}

enum ErrorPolicy: String, ExpressibleByArgument, CaseIterable {
  case skip, stop
}

/// When progress is shown, or which lines the prefilter rules out.
enum Policy: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never
}
