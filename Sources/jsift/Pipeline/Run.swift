import ArgumentParser
import JSONSift

/// What a run does, said once, before anything is read.
struct RunPlan {
  let reading: ReadingOptions
  /// How records are cut and read.
  var records: JSONRecordOptions
  let files: [InputFile]
  let jobs: Int?
  /// How a result is written; `nil` where values are only gathered or checked.
  var line: ResultLine?
  var limit: Int?
  var isCounting = false
  /// The file is read again when it has been replaced, and bad records are reported as they come.
  var isFollowing = false
  /// What the results are called while they are counted; `nil` if they are not.
  var noun: String? = "results"
  /// Those that are reported if they match nothing.
  var paths: [NamedPath] = []
  /// Why one document is refused, if it is.
  var needsRecords: String?

  init(_ reading: ReadingOptions, _ files: [InputFile], jobs: Int?) {
    self.reading = reading
    records = reading.recordOptions
    self.files = files
    self.jobs = jobs
  }
}

/// The driver of every command: reads the files, by one worker or by several, hands what they make of them to the sink in
/// the order of the input, deals with bad records, and knows the exit status.
///
/// Whether one worker reads or several is not seen in what comes out: each makes parts of a stream (``Worker``), and the
/// parts are taken here, on one thread.
final class Run<Sink: ResultSink> {
  private(set) var sink: Sink
  private let plan: RunPlan
  private var results = 0
  private var errors: BadRecords
  private var paths: PathOutcomes
  /// A bad record has ended the run.
  private var isStopped = false
  private var hasFailed = false {
    didSet { reportStatus() }
  }
  /// The number of the file whose parts came last.
  private var last: Int?

  init(_ plan: RunPlan, _ sink: Sink) throws {
    self.plan = plan
    self.sink = sink
    paths = PathOutcomes(plan.paths)
    errors = try BadRecords(plan.reading, plan.files, reportingAtOnce: plan.isFollowing)
    unsafe Progress.current = Progress(
      plan.reading.progress, plan.files, counting: plan.noun, skipping: plan.reading.fromOffset ?? 0)
    if plan.isFollowing { Interruption.listen() }
  }

  /// Nothing more is to be read.
  private var isDone: Bool {
    if plan.isFollowing, unsafe Interruption.hasCome { return true }
    return hasEnough
  }

  /// Nothing more is to be written. What was read before a signal came is.
  private var hasEnough: Bool { results >= plan.limit ?? .max || isStopped || sink.isFull }

  /// Reads the files to their ends, or until there are enough results. A file that cannot be read is reported, and the run
  /// goes on with the next.
  ///
  /// - Parameter make: Opens an input in a worker.
  /// - Returns: The exit status. Everything is written then.
  func read<Stream: ResultStream & ~Copyable & SendableMetatype>(
    _ make: @escaping @Sendable (Input) throws(JSONError) -> Stream
  ) -> ExitCode {
    var next = 0
    var isSideBySide = readsSideBySide(plan.files[...])
    while !isDone, next < plan.files.count {
      var content: JSONSource?
      if isSideBySide {
        guard let rest = readSideBySide(from: next, make) else { break }
        next += rest.number
        content = rest.source
        isSideBySide = readsSideBySide(plan.files[(next + 1)...])
      }
      if !isDone { readAlone(next, content: content, make) }
      next += 1
    }
    return finish()
  }

  // MARK: Several workers

  private func readsSideBySide(_ files: ArraySlice<InputFile>) -> Bool {
    // What several workers have gathered of a block cannot be cut at a limit.
    guard !Sink.gathers || plan.limit == nil else { return false }
    return !plan.isFollowing && SideBySide.isOf(files, plan.reading, jobs: plan.jobs)
  }

  /// Returns the file at which that has ended, because nobody can read it beside others; if it was opened, with its bytes.
  private func readSideBySide<Stream: ResultStream & ~Copyable & SendableMetatype>(
    from first: Int, _ make: @escaping @Sendable (Input) throws(JSONError) -> Stream
  ) -> (number: Int, source: JSONSource?)? {
    let files = Array(plan.files[first...])
    let progress = files.map { _ in ReadProgress() }
    let reading = plan.reading
    var job = job(files) { reading.content(of: $0, progress[$1]) }
    job.limit = plan.limit.map { $0 - results }
    var blocks = SideBySide(job, reading, progress, jobs: plan.jobs, make)
    do {
      while !isDone, var part = try blocks.next() {
        part.input += first
        take(&part)
      }
    } catch {
      hasFailed = true
      if let error = error as? JSONError {
        ErrorReport.write(error, file: plan.files[last ?? first])
      } else {
        ErrorReport.write("jsift: \(plan.files[last ?? first].displayName): the reading has ended early: \(error)")
      }
    }
    endFile()
    return blocks.rest
  }

  private func job(_ files: [InputFile], _ content: @escaping @Sendable (JSONSource, Int) -> JSONSource) -> WorkerPlan {
    var job = WorkerPlan(files: files, content: content)
    job.line = plan.line
    job.isCounting = plan.isCounting
    job.isStopping = plan.reading.onError == .stop && !Sink.takesBadRecords
    job.keepsRejects = errors.keepsRejects
    job.needsRecords = plan.needsRecords
    job.isInterruptible = plan.isFollowing
    job.endsPartsAtBadRecords = Sink.gathers && plan.reading.maxErrors != nil
    if Sink.takesBadRecords {
      job.reports = plan.isCounting ? .none : .all
      job.head = ""
    }
    return job
  }

  // MARK: One worker

  /// Reads one file to its end. A file that is followed is read again when it was replaced.
  ///
  /// - Parameter content: The bytes of the file, if somebody has opened it already.
  private func readAlone<Stream: ResultStream & ~Copyable>(
    _ number: Int, content: JSONSource?, _ make: @escaping @Sendable (Input) throws(JSONError) -> Stream
  ) {
    let file = plan.files[number]
    let worker = Worker(job(plan.files) { source, _ in source }, make)
    let source = source(content ?? file.source, isStream: file.isStream) { worker.handOverBeforeRead() }
    let input = content == nil ? plan.reading.content(of: source) : LineSkip.noting(source)
    var checkpoint = plan.reading.fromOffset.map { JSONCheckpoint(byteOffset: $0) }
    repeat {
      let isDocument = worker.read(number, limit: plan.limit.map { $0 - results }, wantsReports: errors.wantsReports) {
        Input(source: input, checkpoint: checkpoint)
      } deliver: {
        var part = $0
        self.take(&part)
        return .init(isDone: self.isDone, wantsReports: self.errors.wantsReports)
      }
      endFile()
      // Reading can stop where a document has answered all. What is behind that is no other document.
      if isDocument, plan.isFollowing { isStopped = true }
      checkpoint = nil
    } while plan.isFollowing && !isDone && !hasFailed
  }

  /// What is done around each read: results are handed over and written before one that may wait.
  private func source(
    _ source: JSONSource, isStream: Bool, _ handOver: @escaping () -> Void
  ) -> JSONSource {
    let isFollowing = plan.isFollowing
    let source = isFollowing ? source.following(until: { unsafe Interruption.hasCome }) : source
    return source.beforeEachRead {
      handOver()
      if isFollowing {
        unsafe Output.standard.pause()
      } else if isStream {
        unsafe Output.standard.pauseIfWatched()
      } else {
        unsafe Output.standard.flushIfInteractive()
      }
    }.afterEachRead { Progress.read($0) }
  }

  // MARK: Parts

  /// Takes the next part of the input.
  private func take(_ part: inout Part) {
    if let last, last != part.input { endFile() }
    last = part.input
    let file = plan.files[part.input]
    errors.add(part)
    write(&part, file)
    sink.gather(&part)
    paths.add(part.summaries)
    unsafe Progress.current?.found(results, errors)
  }

  /// Behind the last part of a file.
  private func endFile() {
    guard let last else { return }
    // Which of the bad records stand before the end of the results is not known of a sink that is full somewhere in a part.
    if Sink.knowsWhereItIsFull || !sink.isFull { errors.report(plan.files[last]) }
    self.last = nil
  }

  private func write(_ part: inout Part, _ file: InputFile) {
    sink.begin(&part)
    var written = Written()
    var reports = part.reports[...]
    for bad in part.bad where !hasEnough {
      write(part, &written, to: bad.results, bad.bytes)
      // The reading ends where there are enough, whatever stands behind.
      guard !hasEnough else { return }
      let line = part.rejects[written.rejects..<bad.rejects]
      written.rejects = bad.rejects
      guard pass(over: reports.popFirst(), line) else { return }
    }
    if !hasEnough { write(part, &written, to: part.count, part.bytes.count) }
    if !hasEnough, let end = part.end { take(end, file) }
    if let refusal = part.refusal, !isStopped {
      hasFailed = true
      ErrorReport.write(refusal)
    }
  }

  /// How far the results of a part have been written.
  private struct Written {
    var results = 0
    var bytes = 0
    var rejects = 0
  }

  /// Writes the results up to one, or up to the limit.
  private func write(_ part: Part, _ written: inout Written, to end: Int, _ endBytes: Int) {
    let count = min(end - written.results, (plan.limit ?? .max) - results)
    // A document may be written in part before it counts.
    guard count > 0 || endBytes > written.bytes else { return }
    sink.gather(to: written.results + count)
    // Where each result ends is noted if results are limited and have bytes.
    let isAll = written.results + count == end || part.ends.isEmpty
    let bytes = isAll ? endBytes : part.ends[written.results + count - 1]
    let width = part.count > 0 ? part.kinds.count / part.count : 0
    sink.write(
      part.bytes[written.bytes..<bytes],
      kinds: part.kinds[(written.results * width)..<((written.results + count) * width)])
    results += count
    written.results += count
    written.bytes = bytes
  }

  // MARK: Bad records

  /// Deals with the error that ended the reading of a file.
  private func take(_ bad: BadResult, _ file: InputFile) {
    if Sink.takesBadRecords, bad.isReadable {
      guard pass(over: bad.report, bad.rejectLine[...]) else { return }
    } else {
      if bad.isRecord, !errors.keep(bad.rejectLine[...]) { isStopped = true }
      hasFailed = true
      isStopped = isStopped || bad.isOfQuery || plan.reading.onError == .stop && bad.isReadable
      bad.report?.write()
    }
    if let reason = bad.stopReason {
      ErrorReport.write("jsift: \(file.displayName): the reading has stopped there: \(reason)")
    }
  }

  /// Counts a bad record, and goes on. Returns whether there can be results behind it.
  private func pass(over report: ErrorReport?, _ rejectLine: ArraySlice<UInt8>) -> Bool {
    if Sink.takesBadRecords {
      results += 1
      reportStatus()
      if let report, !plan.isCounting { sink.write(report) }
      if plan.reading.onError == .stop { isStopped = true }
    }
    let isKept = errors.keep(rejectLine)
    if !Sink.takesBadRecords { errors.add(report) }
    if !isKept || errors.areTooMany {
      hasFailed = true
      isStopped = true
    }
    return !hasEnough
  }

  // MARK: The end

  /// The status that is known by now, for a program that ends because nobody reads its output any more.
  private func reportStatus() {
    if hasFailed {
      unsafe Output.standard.statusWithoutReader = Status.failed
    } else if Sink.takesBadRecords {
      unsafe Output.standard.statusWithoutReader = status
    }
  }

  private var status: Int32 { (results > 0) == !Sink.takesBadRecords ? Status.found : Status.nothingFound }

  /// Writes what is left and returns the status.
  private func finish() -> ExitCode {
    unsafe Progress.current?.finish()
    if plan.isCounting {
      unsafe Output.standard.write(Array("\(results)\n".utf8))
    } else {
      sink.finish()
    }
    unsafe Output.standard.finish()
    // Paths that matched nothing are known only if everything was read.
    if !isDone, !hasFailed { paths.report() }
    if Sink.takesBadRecords { errors.reportLimit() }
    if results == 0, !isDone, !hasFailed, errors.total == 0, errors.ruleOutLines {
      // Else rubbish would look like a log without such records.
      ErrorReport.write(
        "jsift: nothing found; lines that cannot match were not checked, and jsift check tells whether they are JSON")
    }
    guard errors.finish(), !hasFailed, !sink.isFull else { return ExitCode(Status.failed) }
    return ExitCode(status)
  }
}
