import ArgumentParser
import JSONSift

struct Format: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write JSON pretty, compact or with sorted keys.",
    discussion: """
      jsift format huge.json | less
      jsift format --compact pretty.json > compact.json
      jsift format --sort-keys --indent 4 a.json
      kubectl logs pod | jsift format

      A document is never held, whatever its size; with --sort-keys it is, up to --max-record-bytes. Of several records each \
      is written by itself. Every byte is checked. Numbers and strings stay byte for byte, and members in their order unless \
      they are sorted: by the bytes of their names.

      Exit status: 0 something was written, 1 there was nothing, 2 there was an error.
      """)

  @Argument(help: ArgumentHelp("Files to read; none or '-' is standard input.", valueName: "file"))
  var files: [String] = []

  @Flag(help: "One line, without white space.")
  var compact = false

  @Option(help: ArgumentHelp("So many spaces a level, from 0 to 16; the default is 2.", valueName: "n"))
  var indent: Int?

  @Flag(help: "A tab a level.")
  var tabs = false

  @Flag(help: "Write members in the order of their names.")
  var sortKeys = false

  @OptionGroup var output: OutputOption
  @OptionGroup var options: ReadingOptions

  func validate() throws {
    if let indent, !(0...16).contains(indent) {
      throw ValidationError("--indent takes a number from 0 to 16, not \(indent)")
    }
    if (compact ? 1 : 0) + (tabs ? 1 : 0) + (indent == nil ? 0 : 1) > 1 {
      throw ValidationError("--compact, --indent and --tabs say three different things; leave two of them out")
    }
  }

  func run() throws {
    let files = InputFile.list(files)
    try options.check(files)
    var run = FormatRun(layout: layout, options: options, errors: try BadRecords(options, files))
    try output.open(reading: files)
    unsafe Progress.current = Progress(options.progress, files, counting: nil, skipping: options.fromOffset ?? 0)
    for file in files where !run.isStopped { run.read(file) }
    throw run.finish()
  }

  private var layout: JSONWriterOptions {
    var layout = JSONWriterOptions()
    layout.isPretty = !compact
    layout.layout = tabs ? .tabs : .spaces(indent ?? 2)
    layout.sortsKeys = sortKeys
    return layout
  }
}

/// Writes files in another layout, one after another.
private struct FormatRun {
  let layout: JSONWriterOptions
  let options: ReadingOptions
  var errors: BadRecords
  private(set) var isStopped = false
  private var hasWritten = false
  private var hasFailed = false {
    didSet { if hasFailed { unsafe Output.standard.statusWithoutReader = Status.failed } }
  }

  init(layout: JSONWriterOptions, options: ReadingOptions, errors: BadRecords) {
    self.layout = layout
    self.options = options
    self.errors = errors
  }

  mutating func read(_ file: InputFile) {
    do throws(JSONError) {
      let input = Input(file, options)
      var text = try JSONReformatter(
        input.source, as: layout, records: options.recordOptions, resumingAt: input.checkpoint)
      while !isStopped {
        do throws(JSONError) {
          guard try write({ (bytes) throws(JSONError) in try text.next(into: &bytes) }) else { break }
        } catch {
          guard !error.code.endsInput else { throw error }
          take(error, &text, file)
          guard !hasFailed else { break }
        }
      }
      errors.tell(file)
    } catch {
      errors.tell(file)
      hasFailed = true
      ErrorReport.write(error, file: file)
    }
  }

  /// Writes a piece, also that which stands before an error.
  private mutating func write(_ next: (inout [UInt8]) throws(JSONError) -> Bool) throws(JSONError) -> Bool {
    var piece: [UInt8] = []
    defer {
      hasWritten = hasWritten || !piece.isEmpty
      unsafe Output.standard.write(piece)
    }
    return try next(&piece)
  }

  /// Deals with what is wrong in the text.
  private mutating func take(_ error: JSONError, _ text: inout JSONReformatter, _ file: InputFile) {
    let report = ErrorReport(error, file: file, at: text.position(of: error), text.excerpt(of: error))
    let isRecord = text.framing != .document
    if isRecord, !errors.keep(errors.putsAside ? text.badRecord(of: error) : nil, file) {
      hasFailed = true
      isStopped = true
    }
    guard isRecord, text.stopReason == nil, options.onError == .skip else {
      hasFailed = true
      isStopped = isStopped || options.onError == .stop
      report.write()
      if isRecord, let reason = text.stopReason {
        ErrorReport.write("jsift: \(file.displayName): the reading has stopped there: \(reason)")
      }
      return
    }
    errors.add(report)
    unsafe Progress.current?.found(0, bad: errors.total)
    if errors.areTooMany {
      hasFailed = true
      isStopped = true
    }
  }

  mutating func finish() -> ExitCode {
    unsafe Progress.current?.finish()
    let areKept = errors.finish()
    unsafe Output.standard.finish()
    guard areKept, !hasFailed else { return ExitCode(Status.failed) }
    return ExitCode(hasWritten ? Status.found : Status.nothingFound)
  }
}
