import ArgumentParser
import JSONSift

/// One run of a command over its files: writes results, gathers errors, knows the exit status.
struct Run {
  private let options: CommonOptions
  private var line: ResultLine
  /// A condition is asked, so one document is of no use; how to do without.
  private let needsRecords: String?
  private var paths: PathOutcomes
  private var results = 0
  private var hasFailed = false
  /// A bad record has ended the run.
  private var isStopped = false

  /// - Parameters:
  ///   - form: How a result is written.
  ///   - paths: Those that are told of if they find nothing.
  ///   - needsRecords: Why one document is refused, if it is.
  init(
    _ options: CommonOptions, _ form: ResultLine.Form, telling paths: [NamedPath] = [], needsRecords: String? = nil
  ) {
    self.options = options
    self.needsRecords = needsRecords
    self.paths = PathOutcomes(paths)
    line = ResultLine(form, options)
  }

  /// Nothing more is to be read.
  var isDone: Bool { results >= options.limit ?? .max || isStopped }

  /// Reads one file to its end. A file that cannot be read is told of, and the run goes on with the next.
  mutating func open<Stream: ResultStream & ~Copyable>(
    _ file: InputFile, _ make: () throws(JSONError) -> Stream
  ) {
    do throws(JSONError) {
      var stream = try make()
      if let needsRecords, stream.framing == .document {
        hasFailed = true
        ErrorReport.write("jsift: \(file.displayName): \(needsRecords)")
        return
      }
      read(&stream, file)
      paths.add(stream.summaries)
    } catch {
      hasFailed = true
      ErrorReport.write(error, file: file)
    }
  }

  private mutating func read<Stream: ResultStream & ~Copyable>(_ stream: inout Stream, _ file: InputFile) {
    var skipped = SkippedRecords()
    while !isDone {
      do throws(JSONError) {
        guard let found = try stream.next() else { break }
        try line.look(at: found)
        results += 1
        if !options.count { unsafe line.write(found, file, to: Output.standard) }
      } catch {
        let report = ErrorReport(error, file: file, at: stream.position(of: error), stream.excerpt(of: error))
        guard stream.framing == .lines, !error.code.endsInput, options.onError == .skip else {
          hasFailed = true
          isStopped = options.onError == .stop && !error.code.endsInput
          report.write()
          break
        }
        skipped.add(report)
      }
    }
    skipped.tell(file)
  }

  /// Writes what is left and returns the status.
  func finish() -> ExitCode {
    if options.count { unsafe Output.standard.write(Array("\(results)\n".utf8)) }
    unsafe Output.standard.finish()
    // Of what was not read to its end nobody knows.
    if !isDone, !hasFailed { paths.tell() }
    if hasFailed { return ExitCode(Status.failed) }
    return ExitCode(results > 0 ? Status.found : Status.nothingFound)
  }
}

/// Bad records of one file that were passed over.
struct SkippedRecords {
  private var count = 0
  private var first: [ErrorReport] = []
  private static let shown = 3

  mutating func add(_ report: ErrorReport) {
    count += 1
    if first.count < Self.shown { first.append(report) }
  }

  /// Tells of them on standard error: the first in full, then how many.
  func tell(_ file: InputFile) {
    guard count > 0 else { return }
    for report in first { report.write() }
    let records = count == 1 ? "1 bad record was" : "\(count) bad records were"
    ErrorReport.write("jsift: \(file.displayName): \(records) skipped; --on-error stop ends at the first")
  }
}

/// What became of paths in all files.
struct PathOutcomes {
  private let paths: [NamedPath]
  private var outcomes: [JSONPathSummary.Outcome]

  init(_ paths: [NamedPath]) {
    self.paths = paths
    outcomes = paths.map { _ in .absent }
  }

  mutating func add(_ summaries: [JSONPathSummary]) {
    for (place, summary) in zip(outcomes.indices, summaries) where outcomes[place] != .matched {
      if summary.outcome != .absent { outcomes[place] = summary.outcome }
    }
  }

  /// Tells on standard error of each path that has found nothing.
  func tell() {
    for (named, outcome) in zip(paths, outcomes) where outcome != .matched {
      let reason = outcome == .empty ? "is present, but has no match" : "is absent"
      ErrorReport.write(
        "jsift: \(SourceExcerpt.printable(named.name.utf8)): nothing at "
          + "\(SourceExcerpt.printable(named.path.description.utf8)): what its last step looks in \(reason)")
    }
  }
}
