import ArgumentParser
import JSONSift

struct Format: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "format",
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

  @Argument(
    help: ArgumentHelp("Files to read; none or '-' is standard input.", valueName: "file"), completion: .file())
  var files: [String] = []

  @Flag(help: "One line, without white space.")
  var compact = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("So many spaces a level, from 0 to 16; the default is 2.", valueName: "n"))
  var indent: Int?

  @Flag(help: "A tab a level.")
  var tabs = false

  @Flag(help: "Write members in the order of their names.")
  var sortKeys = false

  @OptionGroup(title: "Output options") var output: OutputOption
  @OptionGroup(title: "Input options") var options: ReadingOptions

  func validate() throws {
    if let indent, !(0...16).contains(indent) {
      throw ValidationError("--indent takes a number from 0 to 16, not \(indent)")
    }
    if (compact ? 1 : 0) + (tabs ? 1 : 0) + (indent == nil ? 0 : 1) > 1 {
      throw ValidationError("--compact, --indent and --tabs say three different things; leave two of them out")
    }
  }

  func run() throws {
    let files = try options.files(files)
    try output.open(reading: files, rejects: options.rejects)
    var run = try FileRun(options, files)
    let layout = layout
    var hasWritten = false
    for file in files where !run.isStopped {
      run.read(file) { (run, input) throws(JSONError) in
        var text = try JSONReformatter(
          input.source, as: layout, records: options.recordOptions, resumingAt: input.checkpoint)
        while !run.isStopped {
          do throws(JSONError) {
            guard try write(&text, &hasWritten) else { return }
          } catch {
            guard !error.code.endsInput else { throw error }
            let bad = BadResult(error, in: &text, file, keepsRecord: run.errors.putsAside)
            guard run.take(bad, file) else { return }
            unsafe Progress.current?.found(0, bad: run.errors.total)
          }
        }
      }
    }
    throw run.finish(foundSomething: hasWritten)
  }

  private var layout: JSONWriterOptions {
    var layout = JSONWriterOptions()
    layout.isPretty = !compact
    layout.layout = tabs ? .tabs : .spaces(indent ?? 2)
    layout.sortsKeys = sortKeys
    return layout
  }
}

/// Writes the next piece, also that which stands before an error. False at the end.
private func write(
  _ text: inout JSONReformatter, _ hasWritten: inout Bool
) throws(JSONError) -> Bool {
  let take: (UnsafeRawBufferPointer) -> Void = { bytes in
    hasWritten = hasWritten || bytes.count > 0
    unsafe Output.standard.write(lent: bytes)
  }
  do throws(JSONError) {
    return try unsafe text.lendNext(take)
  } catch {
    unsafe text.lendRest(take)
    throw error
  }
}

extension BadResult {
  fileprivate init(_ error: JSONError, in text: inout JSONReformatter, _ file: InputFile, keepsRecord: Bool) {
    let isRecord = text.framing != .document
    self.init(
      report: ErrorReport(
        error, file: file, at: text.position(of: error), text.excerpt(of: error),
        in: ErrorReport.location(of: error, file, text.framing) { text.badRecord(of: error) }),
      rejectLine: isRecord && keepsRecord
        ? text.badRecord(of: error).map { JSONRejectWriter.line($0, file: file.name) } ?? [] : [],
      isRecord: isRecord, isReadable: true, isOfQuery: false, canGoOn: isRecord && text.stopReason == nil,
      stopReason: isRecord ? text.stopReason : nil)
  }
}
