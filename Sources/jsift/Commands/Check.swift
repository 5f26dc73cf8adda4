import ArgumentParser
import JSONSift

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say whether files are JSON, and where they are not.",
    discussion: """
      jsift check *.json
      jsift check --input ndjson --rejects bad.ndjson events.log
      jsift check --count events.log

      Each error is written with file, line, column, byte offset and the text around it:

        orders.ndjson:3:27: expected ',' or '}' after a member, found a string (byte 61)
          3 | {"id": 17, "total": 12.50 "currency": "EUR"}
            |                           ^

      Of records every bad one is told, of one document the first error: behind it nothing is certain. Every byte is \
      checked, and no more than one record is held. Valid is RFC 8259 in UTF-8, and what the limits allow.

      Exit status: 0 all is valid, 1 there is an error, 2 a file could not be read, or there were more errors than \
      --max-errors.
      """)

  @Argument(help: ArgumentHelp("Files to read; none or '-' is standard input.", valueName: "file"))
  var files: [String] = []

  @OptionGroup var options: ReadingOptions

  @Option(help: ArgumentHelp("Stop after this many errors.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Write only how many errors there are.")
  var count = false

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0, not \(limit)") }
  }

  func run() throws {
    let files = InputFile.list(files)
    try options.check(files)
    var errors = try BadRecords(options, files)
    unsafe Progress.current = Progress(
      options.progress, files, counting: nil, skipping: options.fromOffset ?? 0)
    var found = 0
    var hasFailed = false
    var isStopped = false
    for file in files where !isStopped {
      do throws(JSONError) {
        var stream = try MatchStream([], where: nil, in: Input(file, options), options.recordOptions)
        isStopped = try check(&stream, file, &errors, &found, hasFailed: hasFailed)
      } catch {
        hasFailed = true
        ErrorReport.write(error, file: file)
      }
    }
    unsafe Progress.current?.finish()
    if count { unsafe Output.standard.write(Array("\(found)\n".utf8)) }
    unsafe Output.standard.finish()
    if !errors.finish() || hasFailed || errors.areTooMany { throw ExitCode(Status.failed) }
    throw ExitCode(found == 0 ? Status.found : Status.nothingFound)
  }

  /// Reads one file to its end. Returns whether that is the end of all. Throws what keeps it from being read.
  private func check(
    _ stream: inout MatchStream, _ file: InputFile, _ errors: inout BadRecords, _ found: inout Int, hasFailed: Bool
  ) throws(JSONError) -> Bool {
    while found < limit ?? .max {
      do throws(JSONError) {
        while try stream.next() != nil {}
        return false
      } catch {
        guard !error.code.endsInput else { throw error }
        found += 1
        unsafe Output.standard.statusWithoutReader = hasFailed ? Status.failed : Status.nothingFound
        let report = ErrorReport(
          error, file: file, at: stream.position(of: error), stream.excerpt(of: error), head: "")
        if !count { unsafe Output.standard.write(Array((report.text + "\n").utf8)) }
        let isKept = errors.keep(errors.putsAside ? stream.badRecord(of: error) : nil, file)
        unsafe Progress.current?.found(0, bad: found)
        if !isKept || errors.areTooMany || options.onError == .stop { return true }
        guard stream.canGoOn else {
          if stream.framing != .document, let reason = stream.stopReason {
            ErrorReport.write("jsift: \(file.displayName): the reading has stopped there: \(reason)")
          }
          return false
        }
      }
    }
    return true
  }
}
