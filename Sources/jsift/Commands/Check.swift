import ArgumentParser
import JSONSift

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
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

  @Argument(
    help: ArgumentHelp("Files to read; none or '-' is standard input.", valueName: "file"), completion: .file())
  var files: [String] = []

  @OptionGroup(title: "Input options") var options: ReadingOptions
  @OptionGroup(title: "Input options") var workers: JobsOption

  @Option(parsing: .unconditional, help: ArgumentHelp("Stop after this many errors.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Write only how many errors there are.")
  var count = false

  func validate() throws {
    // Of what is not looked at, nobody can say that it is valid.
    if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1, not \(limit)") }
  }

  func run() throws {
    let files = try options.files(files)
    let errors = try BadRecords(options, files)
    var run = CheckRun(options, jobs: workers.jobs, limit: limit, isCounting: count, errors: errors)
    unsafe Progress.current = Progress(
      options.progress, files, counting: nil, skipping: options.fromOffset ?? 0)
    run.read(files) {
      $0.readSideBySide($1)
    } alone: {
      $0.open($1, content: $2)
    }
    throw run.finish()
  }
}

/// One run of `check` over its files.
private struct CheckRun: FileReading {
  let options: ReadingOptions
  let jobs: Int?
  private let limit: Int?
  private let isCounting: Bool
  private var errors: BadRecords
  private var found = 0
  private var hasFailed = false {
    didSet { tellStatus() }
  }
  private var isStopped = false

  init(_ options: ReadingOptions, jobs: Int?, limit: Int?, isCounting: Bool, errors: BadRecords) {
    self.options = options
    self.jobs = jobs
    self.limit = limit
    self.isCounting = isCounting
    self.errors = errors
    isStopped = limit == 0
  }

  var isDone: Bool { isStopped }

  /// Every byte is checked, whatever else is asked for.
  private var checking: JSONRecordOptions {
    var checking = options.recordOptions
    checking.reading.fastForward = false
    return checking
  }

  func readsSideBySide(_ files: [InputFile]) -> Bool { SideBySide.isOf(files, options, jobs: jobs) }

  mutating func open(_ file: InputFile, content: JSONSource?) {
    do throws(JSONError) {
      var stream = try MatchStream([], where: nil, in: Input(file, options, content: content), checking)
      defer {
        errors.look(at: stream)
        errors.endFile()
        unsafe Progress.current?.found(0, errors)
      }
      while !isStopped {
        do throws(JSONError) {
          while try stream.next() != nil {}
          return
        } catch {
          errors.look(at: stream)
          let bad = BadResult(
            error, in: &stream, file, keepsRecord: errors.putsAside, isTold: !isCounting, head: "")
          guard take(bad, file) else { return }
        }
      }
    } catch {
      fail(ErrorReport.text(error, file: file))
    }
  }

  mutating func readSideBySide(_ files: [InputFile]) -> (number: Int, source: JSONSource?)? {
    let (isCounting, keepsRecords, recordOptions) = (isCounting, errors.putsAside, checking)
    var reading = SideBySide(
      files, options, jobs: jobs,
      { job in
        job.isCheck = true
        job.isCounting = isCounting
        job.keepsRecords = keepsRecords
      },
      { (input) throws(JSONError) in try MatchStream([], where: nil, in: input, recordOptions) })
    do {
      while !isStopped, let (found, file) = try reading.next() {
        var (bytes, rejects) = (0, 0)
        for bad in found.bad where !isStopped {
          tell(found.bytes[bytes..<bad.bytes], found.rejects[rejects..<bad.rejects])
          (bytes, rejects) = (bad.bytes, bad.rejects)
        }
        errors.look(at: found)
        unsafe Progress.current?.found(0, errors)
        if !isStopped, let end = found.end { _ = take(end, file) }
        if !isStopped, let refusal = found.refusal { fail(refusal) }
      }
    } catch {
      // Only who is cancelled gets here, and nobody is.
      hasFailed = true
    }
    return reading.rest
  }

  /// Deals with an error. Returns whether there can be another behind it.
  private mutating func take(_ bad: BadResult, _ file: InputFile) -> Bool {
    guard bad.isReadable else {
      if let report = bad.report { fail(report.text) }
      return false
    }
    let text = isCounting ? [] : bad.report.map { Array(($0.text + "\n").utf8) } ?? []
    tell(text[...], bad.rejectLine[...])
    if isStopped { return false }
    if !bad.canGoOn, let reason = bad.stopReason {
      ErrorReport.write("jsift: \(file.displayName): the reading has stopped there: \(reason)")
    }
    return bad.canGoOn
  }

  /// Writes and counts an error.
  private mutating func tell(_ text: ArraySlice<UInt8>, _ rejectLine: ArraySlice<UInt8>) {
    found += 1
    tellStatus()
    if !text.isEmpty, Style.isOnOutput {
      unsafe Output.standard.write(Style.painted(String(decoding: text, as: UTF8.self)).utf8)
    } else {
      unsafe Output.standard.write(text)
    }
    let isKept = errors.keep(rejectLine)
    unsafe Progress.current?.found(0, errors)
    isStopped = !isKept || errors.areTooMany || options.onError == .stop || found >= limit ?? .max
    if !isKept { hasFailed = true }
  }

  private mutating func fail(_ message: String) {
    hasFailed = true
    ErrorReport.write(message)
  }

  /// With what the program ends if nobody reads its output any more.
  private func tellStatus() {
    unsafe Output.standard.statusWithoutReader =
      hasFailed ? Status.failed : found > 0 ? Status.nothingFound : Status.found
  }

  /// Writes what is left, and says how it ended.
  func finish() -> ExitCode {
    unsafe Progress.current?.finish()
    if isCounting { unsafe Output.standard.write(Array("\(found)\n".utf8)) }
    unsafe Output.standard.finish()
    errors.tellLimit()
    if !errors.finish() || hasFailed || errors.areTooMany { return ExitCode(Status.failed) }
    return ExitCode(found == 0 ? Status.found : Status.nothingFound)
  }
}
