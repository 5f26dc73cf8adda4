import ArgumentParser
import JSONSift

/// One run of a command that reads its files one after another, without workers: gathers errors, knows the exit status.
struct FileRun: BadRecordPolicy {
  let options: ReadingOptions
  var errors: BadRecords
  /// Nothing more is to be read.
  var isStopped = false
  var hasFailed = false {
    didSet { if hasFailed { unsafe Output.standard.statusWithoutReader = Status.failed } }
  }

  init(_ options: ReadingOptions, _ files: [InputFile], counting noun: String? = nil) throws {
    self.options = options
    errors = try BadRecords(options, files)
    unsafe Progress.current = Progress(options.progress, files, counting: noun, skipping: options.fromOffset ?? 0)
  }

  var onError: ErrorPolicy { options.onError }

  /// Reads one file. What `body` throws is told as an error of the file.
  mutating func read(_ file: InputFile, _ body: (inout FileRun, Input) throws(JSONError) -> Void) {
    do throws(JSONError) {
      try body(&self, Input(file, options))
      errors.tell(file)
    } catch {
      errors.tell(file)
      hasFailed = true
      ErrorReport.write(error, file: file)
    }
  }

  /// Reads the records of one file, or its one document.
  ///
  /// - Parameters:
  ///   - kept: What is asked of a record.
  ///   - body: Takes a record. False if it can take no more: the run has failed then.
  mutating func readRecords(
    of file: InputFile, where condition: JSONCondition?, keeping kept: [JSONPath],
    _ body: (JSON) throws(JSONError) -> Bool
  ) {
    read(file) { (run, input) throws(JSONError) in
      if let condition {
        let paths = [NamedPath(name: "", path: "$")]
        var stream = try MatchStream(paths, where: condition, in: input, run.options.recordOptions, keeping: kept)
        try run.readAll(&stream, file, body)
      } else {
        var reader = try JSONRecordReader(
          input.source, options: run.options.recordOptions, resumingAt: input.checkpoint)
        try reader.keep(only: kept)
        var stream = RecordStream(reader)
        try run.readAll(&stream, file, body)
      }
    }
  }

  private mutating func readAll<Stream: ResultStream & ~Copyable>(
    _ stream: inout Stream, _ file: InputFile, _ body: (JSON) throws(JSONError) -> Bool
  ) throws(JSONError) {
    var count = 0
    defer { errors.look(at: stream) }
    while !isStopped {
      do throws(JSONError) {
        guard let record = try stream.next() else { return }
        count += 1
        guard try body(record.value) else {
          hasFailed = true
          isStopped = true
          return
        }
      } catch {
        guard !error.code.endsInput else { throw error }
        let isTold = options.onError == .stop || errors.wantsReports
        let bad = BadResult(error, in: &stream, file, keepsRecord: errors.putsAside, isTold: isTold)
        guard take(bad, file) else { return }
      }
      errors.look(at: stream)
      unsafe Progress.current?.found(count, errors)
    }
  }

  /// Writes what is left and returns the status.
  func finish(foundSomething: Bool) -> ExitCode {
    unsafe Progress.current?.finish()
    unsafe Output.standard.finish()
    guard errors.finish(), !hasFailed else { return ExitCode(Status.failed) }
    return ExitCode(foundSomething ? Status.found : Status.nothingFound)
  }
}
