import ArgumentParser
import JSONSift

/// One run of a command over its files: writes results, gathers errors, knows the exit status.
struct Run: BadRecordPolicy {
  let options: CommonOptions
  var line: ResultLine
  /// A condition is asked, so one document is of no use; how to do without.
  let needsRecords: String?
  var paths: PathOutcomes
  var results = 0
  var hasFailed = false {
    didSet { if hasFailed { unsafe Output.standard.statusWithoutReader = Status.failed } }
  }
  /// A bad record has ended the run.
  var isStopped = false
  var errors: BadRecords
  var output: RowOutput
  var columns: ColumnTypes
  // What is asked of the options for each result: a look at one of them costs as much as a result.
  private let limit: Int
  private let isCounting: Bool
  private let isFollowing: Bool
  private let isLines: Bool

  /// - Parameters:
  ///   - form: How a result is written.
  ///   - files: What will be read.
  ///   - noun: What the results are called while they are counted.
  ///   - paths: Those that are told of if they find nothing.
  ///   - needsRecords: Why one document is refused, if it is.
  init(
    _ options: CommonOptions, _ form: ResultLine.Form, _ files: [InputFile], counting noun: String = "results",
    telling paths: [NamedPath] = [], needsRecords: String? = nil
  ) throws {
    self.options = options
    self.needsRecords = needsRecords
    limit = options.results.limit ?? .max
    isCounting = options.results.count
    isFollowing = options.results.follow
    isLines = options.results.format == .ndjson
    self.paths = PathOutcomes(paths)
    line = ResultLine(form, options)
    output = RowOutput(options.results.format, header: line.rows?.header ?? [])
    if case .record(let named) = form, line.rows != nil {
      columns = ColumnTypes(named.map { $0.name })
    } else {
      columns = ColumnTypes([])
    }
    // First: what is refused leaves the file of bad records alone.
    try options.output.open(reading: files, rejects: options.reading.rejects)
    errors = try BadRecords(options.reading, files)
    errors.tellsAtOnce = options.results.follow
    unsafe Progress.current = Progress(
      options.reading.progress, files, counting: noun, skipping: options.reading.fromOffset ?? 0)
    if options.results.follow { Interruption.listen() }
  }

  var onError: ErrorPolicy { options.reading.onError }

  /// Nothing more is to be read.
  var isDone: Bool {
    if isFollowing, unsafe Interruption.hasCome { return true }
    return results >= limit || isStopped
  }

  /// Reads one file to its end. A file that cannot be read is told of. A file that is followed is read again when it was
  /// replaced.
  ///
  /// - Parameter content: The bytes of the file, if somebody has opened it already.
  mutating func open<Stream: ResultStream & ~Copyable>(
    _ file: InputFile, content: JSONSource? = nil, _ make: (Input) throws(JSONError) -> Stream
  ) {
    let source = content ?? file.source
    var checkpoint = options.reading.fromOffset.map { JSONCheckpoint(byteOffset: $0) }
    repeat {
      do throws(JSONError) {
        var stream = try make(input(source, checkpoint, isContent: content != nil, isStream: file.isStream))
        if let needsRecords, stream.framing == .document {
          hasFailed = true
          ErrorReport.write("jsift: \(file.displayName): \(needsRecords)")
          return
        }
        read(&stream, file)
        paths.add(stream.summaries)
        // Reading can stop where a document has answered all. What is behind that is no other document.
        if stream.framing == .document { isStopped = isStopped || options.results.follow }
      } catch {
        hasFailed = true
        return ErrorReport.write(error, file: file)
      }
      checkpoint = nil
    } while goesOn
  }

  /// The file is followed, and nothing has ended that.
  private var goesOn: Bool { options.results.follow && !isDone && !hasFailed }

  /// - Parameter isContent: What compression does to the source has been undone.
  private func input(
    _ source: JSONSource, _ checkpoint: JSONCheckpoint?, isContent: Bool, isStream: Bool
  ) -> Input {
    var source = source
    if options.results.follow {
      source = source.following(until: { unsafe Interruption.hasCome }).beforeEachRead {
        unsafe Output.standard.pause()
      }
    } else if isStream {
      source = source.beforeEachRead { unsafe Output.standard.pauseIfWatched() }
    } else {
      source = source.beforeEachRead { unsafe Output.standard.flushIfInteractive() }
    }
    source = source.afterEachRead { Progress.read($0) }
    return Input(
      source: isContent ? LineSkip.noting(source) : options.reading.content(of: source), checkpoint: checkpoint)
  }

  private mutating func read<Stream: ResultStream & ~Copyable>(_ stream: inout Stream, _ file: InputFile) {
    let progress = unsafe Progress.current
    while !isDone {
      do throws(JSONError) {
        guard try takeNext(&stream, file) else { break }
      } catch {
        // Who has enough does not ask for more.
        guard !count(stream.takeCounted()) else { break }
        let isTold = options.reading.onError == .stop || errors.wantsReports
        let bad = BadResult(error, in: &stream, file, keepsRecord: errors.putsAside, isTold: isTold)
        guard take(bad, file) else { break }
      }
      guard let progress else { continue }
      errors.look(at: stream)
      progress.found(results, errors)
    }
    errors.look(at: stream)
    progress?.found(results, errors)
    errors.tell(file)
  }

  /// Writes the next result, or counts it. False if there is none, or if there were enough.
  @inline(__always)
  private mutating func takeNext<Stream: ResultStream & ~Copyable>(
    _ stream: inout Stream, _ file: InputFile
  ) throws(JSONError) -> Bool {
    if let line = line.text {
      let isCounting = isCounting
      let hasMore = try unsafe stream.lendNext { path, text in
        guard !isCounting else { return }
        unsafe Output.standard.append { unsafe line.append(text, ofPath: path, to: &$0) }
      }
      guard !count(stream.takeCounted()), hasMore else { return false }
      results += 1
      return true
    }
    if line.isChild, stream.framing == .document {
      let isCounting = isCounting
      let hasMore = try unsafe stream.lendNextChild { key, text in
        guard !isCounting else { return }
        unsafe Output.standard.append { unsafe ResultLine.append(child: text, key, to: &$0) }
      }
      results += hasMore ? 1 : 0
      return hasMore
    }
    if line.isRow {
      // What lends a row does not read on, so nothing writes out the bytes meanwhile.
      var isLent = false
      unsafe Output.standard.append { bytes in
        isLent = unsafe line.append(row: { unsafe stream.lendRow($0) }, to: &bytes, isWritten: !isCounting)
      }
      results += isLent ? 1 : 0
      if isLent { return true }
    }
    let found = try stream.next()
    guard !count(stream.takeCounted()), let found else { return false }
    try line.look(at: found)
    results += 1
    if !isCounting { write(found, file) }
    return true
  }

  /// Counts results that were passed over. Returns whether these were enough.
  private mutating func count(_ passed: Int) -> Bool {
    guard passed > 0 else { return false }
    results += min(passed, limit - results)
    return results >= limit
  }

  private mutating func write(_ found: Found, _ file: InputFile) {
    // Nothing stands between lines.
    if isLines { return unsafe Output.standard.append { line.append(found, file, to: &$0) } }
    var row: [UInt8] = []
    line.append(found, file, to: &row)
    output.write(row[...])
    columns.add(line.kinds[...])
  }

  /// Writes what is left and returns the status.
  mutating func finish() -> ExitCode {
    unsafe Progress.current?.finish()
    if options.results.count {
      unsafe Output.standard.write(Array("\(results)\n".utf8))
    } else {
      output.finish()
      columns.tell()
    }
    unsafe Output.standard.finish()
    // Of what was not read to its end nobody knows.
    if !isDone, !hasFailed { paths.tell() }
    if results == 0, !isDone, errors.total == 0, errors.ruleOutLines {
      // Else rubbish would look like a log without such records.
      ErrorReport.write(
        "jsift: nothing found; lines that cannot match were not checked, and jsift check tells whether they are JSON")
    }
    if !errors.finish() { return ExitCode(Status.failed) }
    if hasFailed { return ExitCode(Status.failed) }
    return ExitCode(results > 0 ? Status.found : Status.nothingFound)
  }
}

/// What a run does about a bad record, whether workers read beside it or not.
protocol BadRecordPolicy {
  var onError: ErrorPolicy { get }
  var errors: BadRecords { get set }
  /// The exit status is that of an error.
  var hasFailed: Bool { get set }
  /// A bad record has ended the run.
  var isStopped: Bool { get set }
}

extension BadRecordPolicy {
  /// Deals with an error. Returns whether there can be results behind it.
  mutating func take(_ bad: BadResult, _ file: InputFile) -> Bool {
    guard bad.canGoOn, onError == .skip else {
      if bad.isRecord, !errors.keep(bad.rejectLine[...]) { isStopped = true }
      hasFailed = true
      isStopped = isStopped || bad.isOfQuery || onError == .stop && bad.isReadable
      bad.report?.write()
      if let reason = bad.stopReason {
        ErrorReport.write("jsift: \(file.displayName): the reading has stopped there: \(reason)")
      }
      return false
    }
    return pass(over: bad.report, bad.rejectLine[...])
  }

  /// Counts a bad record, and goes on. Returns whether there can be results behind it.
  mutating func pass(over report: ErrorReport?, _ rejectLine: ArraySlice<UInt8>) -> Bool {
    let isKept = errors.keep(rejectLine)
    errors.add(report)
    if !isKept || errors.areTooMany {
      hasFailed = true
      isStopped = true
    }
    return !isStopped
  }
}

/// Bad records of a run: those of one file that were passed over, and how many there were in all files.
struct BadRecords {
  private let rejects: Rejects?
  private let most: Int?
  private let isFast: Bool
  private(set) var total = 0
  private var count = 0
  /// Lines that were not parsed, of all files and of those before this one.
  private(set) var ruledOut = 0
  private var ruledOutBefore = 0
  /// Where what nobody needs was parsed, in all files and in those before this one.
  private(set) var doubts = ProofDoubts()
  private var doubtsBefore = ProofDoubts()
  /// Of this file only those are known that stand in lines that can match.
  private var areAmongChecked = false
  /// The same of some file.
  private(set) var ruleOutLines = false
  private var first: [ErrorReport] = []
  /// How many are told of in full.
  static let shown = 3
  /// Not only when the file has been read: that may never be.
  var tellsAtOnce = false

  init(_ options: ReadingOptions, _ files: [InputFile]) throws {
    rejects = try options.rejects.map { try Rejects($0, reading: files) }
    most = options.maxErrors
    isFast = options.fast
    if let rejects { unsafe Output.standard.beforeEnd = { rejects.finish() } }
  }

  /// Bad records are written to a file.
  var putsAside: Bool { rejects != nil }

  var areTooMany: Bool { total > most ?? .max }

  /// What is told of the next one may be shown.
  var wantsReports: Bool { tellsAtOnce || first.count < Self.shown }

  mutating func add(_ report: ErrorReport?) {
    count += 1
    guard let report else { return }
    if tellsAtOnce { return report.write() }
    if first.count < Self.shown { first.append(report) }
  }

  /// Counts a bad record, and puts it aside. Returns false if that cannot be done.
  mutating func keep(_ line: ArraySlice<UInt8>) -> Bool {
    total += 1
    guard let rejects, !line.isEmpty else { return true }
    do throws(JSONError) {
      try rejects.write(line)
      if tellsAtOnce { try rejects.flush() }
      return true
    } catch {
      ErrorReport.write("jsift: \(rejects.name): \(error.message)")
      return false
    }
  }

  /// Notes how many lines of a file were not parsed so far.
  mutating func look<Stream: ResultStream & ~Copyable>(at stream: borrowing Stream) {
    ruledOut = ruledOutBefore + stream.ruledOutLines
    doubts = doubtsBefore
    doubts.add(stream.doubts)
    areAmongChecked = stream.rulesOutLines
    ruleOutLines = ruleOutLines || areAmongChecked
  }

  /// The same for a block of a file.
  mutating func look(at block: BlockResults) {
    ruledOut += block.ruledOut
    doubts.add(block.doubts)
    areAmongChecked = areAmongChecked || block.rulesOutLines
    ruleOutLines = ruleOutLines || areAmongChecked
  }

  /// What is looked at from now on is another file.
  mutating func endFile() {
    areAmongChecked = false
    ruledOutBefore = ruledOut
    doubtsBefore = doubts
  }

  /// Tells of those of a file on standard error: the first in full, then how many.
  mutating func tell(_ file: InputFile) {
    defer { endFile() }
    guard count > 0 else { return }
    for report in first { report.write() }
    let records = count == 1 ? "1 bad record was" : "\(count) bad records were"
    let place = rejects.flatMap { $0.hasFailed ? nil : " and put into \($0.name)" } ?? ""
    ErrorReport.write("jsift: \(file.displayName): \(records) skipped\(place); --on-error stop ends at the first")
    if areAmongChecked {
      let wayOut = isFast ? "" : "; --max-errors and --rejects check all"
      ErrorReport.write("jsift: \(file.displayName): lines that cannot match were not checked\(wayOut)")
    }
    if areTooMany, let most {
      ErrorReport.write(
        "jsift: \(file.displayName): the reading has stopped there: --max-errors allows \(most), found one more")
    }
    count = 0
    first = []
  }

  /// Tells of a run that wrote its errors itself that there were more than are allowed.
  func tellLimit() {
    guard areTooMany, let most else { return }
    ErrorReport.write("jsift: the reading has stopped there: --max-errors allows \(most), found one more")
  }

  /// Completes the file of bad records. Returns false if that cannot be done.
  func finish() -> Bool {
    LineSkip.tell()
    return rejects?.finish() ?? true
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
      let reason =
        outcome == .empty
        ? "what its last step looks in is present, but has no match"
        : "no array or object is there in which its last step can look"
      ErrorReport.write(
        "jsift: \(SourceExcerpt.printable(named.name.utf8)): nothing at "
          + "\(SourceExcerpt.printable(named.path.description.utf8)): \(reason)")
    }
  }
}
