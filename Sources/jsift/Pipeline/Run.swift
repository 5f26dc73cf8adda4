import ArgumentParser
import JSONSift

/// Drives every command: reads the files with one or several workers, passes their batches to the sink in the order of
/// the input, handles bad records, and determines the exit status.
///
/// The output does not depend on the number of workers: each produces batches of a stream (``Worker``), and this class
/// processes the batches on one thread.
final class Run<Sink: ResultSink> {
  private(set) var sink: Sink
  let plan: RunPlan
  private var context: ContextSelection?
  private var results = 0
  /// The number of results that are bad records.
  private var badRows = 0
  private var errors: BadRecords
  private var paths: PathOutcomes
  /// The records that are not selected because they have no time, and the index of the file of the first.
  private var timeMisses = (all: TimeMisses(), file: 0)
  /// Whether a bad record has ended the run.
  private var isStopped = false
  private var hasFailed = false { didSet { reportStatus() } }
  /// The index of the file of the last batch.
  private var last: Int?
  /// The files that are followed together; `nil` if not several are.
  private var followed: FollowedNames?
  /// Counts the input of each file, or checks its order; `nil` if neither is requested.
  private let tallies: [InputTally]?

  init(_ plan: RunPlan, _ sink: Sink) throws {
    self.plan = plan
    self.sink = sink
    paths = PathOutcomes(plan.paths)
    if let around = plan.context, let line = plan.line {
      context = ContextSelection(around, line.format, hasGroups: line.withLocation)
    }
    let isCounting = plan.files.contains { $0.window != nil || $0.fresh != nil }
    tallies = plan.summary?.tallies ?? (isCounting ? plan.files.map { $0.makeTally() } : nil)
    errors = try BadRecords(plan.reading, plan.files, inline: plan.rejectsInline, reportingAtOnce: plan.isFollowing)
    unsafe Progress.current = Progress(
      plan.reading.progress, plan.files, counting: plan.noun, skipping: plan.reading.fromOffset ?? 0)
    reportStatus()
    if plan.isFollowing { Interruption.listen() }
  }

  /// The maximum number of results of workers; `nil` for any number, also if not all of their results are written.
  private var workerLimit: Int? { context == nil ? plan.limit.map { $0 - results } : nil }

  /// Whether no further input is to be read.
  private var isDone: Bool {
    if plan.isFollowing, unsafe Interruption.wasRequested { return true }
    return hasEnough
  }

  /// Whether no further results are to be written. Unlike `isDone`, it ignores signals: input that was read before a
  /// signal is still written.
  private var hasEnough: Bool { results >= plan.limit ?? .max || isStopped || sink.isFull }

  /// Reads the files to their ends, or until there are enough results. A file that cannot be read is reported, and the
  /// run continues with the next.
  ///
  /// - Parameters:
  ///   - make: Opens an input in a worker.
  ///   - collector: Makes the collector of a worker's batches.
  /// - Returns: The exit status. All output is written by then.
  func read<Reader: InputReader & ~Copyable & SendableMetatype, Values: Collector & SendableMetatype>(
    _ make: @escaping @Sendable (Input) throws(JSONError) -> Reader, into collector: @escaping @Sendable () -> Values
  ) -> ExitCode where Values.Input == OpenInput<Reader> {
    let method = ReadingMethod(make: make, collector: collector)
    if let followed = plan.followed {
      readFollowed(followed.targets, followed.isOutput, method)
      return finish()
    }
    if let merge = plan.merge {
      readMerged(merge, method)
      return finish()
    }
    var next = 0
    var isParallel = readsInParallel(plan.files[...])
    while !isDone, next < plan.files.count {
      var content: JSONSource?
      var position: DocumentRest?
      if isParallel {
        guard let rest = readInParallel(from: next, method) else { break }
        next += rest.number
        if plan.needsBlocks {
          hasFailed = true
          ErrorReport.write("\(plan.files[next].displayName): \(RunPlan.needsLines)")
          break
        }
        content = rest.source
        position = rest.position
        isParallel = readsInParallel(plan.files[(next + 1)...])
      }
      if !isDone { readSequentially(next, content: content, from: position, method) }
      next += 1
    }
    return finish()
  }

  // MARK: Several workers

  private func readsInParallel(_ files: ArraySlice<InputFile>) -> Bool {
    // The aggregated values of a block from several workers cannot be truncated at a limit.
    guard !Sink.gathers || plan.limit == nil else { return false }
    if plan.needsBlocks { return !files.isEmpty }
    return !plan.isFollowing
      && ParallelReading.isOf(files, plan.reading, jobs: plan.jobs, dividing: division != nil)
  }

  /// How one document is divided among workers; `nil` if it is read by one.
  private var division: DocumentDivision? {
    // A summary is counted by one reader. The other options apply to a file as a whole, or need records.
    guard plan.files.count == 1, plan.files[0].range == nil, plan.files[0].expectation == nil, plan.summary == nil,
      plan.reading.fromOffset == nil, plan.needsRecords == nil
    else { return nil }
    return plan.division
  }

  /// Reads files in parallel. Returns the index of the file that cannot be read in parallel, with its source if it was
  /// already opened and the position in it; `nil` if all files were read.
  private func readInParallel<Reader: ~Copyable & SendableMetatype, Values: SendableMetatype>(
    from first: Int, _ method: ReadingMethod<Reader, Values>
  ) -> (number: Int, source: JSONSource?, position: DocumentRest?)? {
    let files = Array(plan.files[first...])
    let progress = files.map { _ in ReadProgress() }
    let reading = plan.reading
    let tallies = tallies
    var job = job(files) { reading.content(of: $0, progress[$1], threads: $2).counted(by: tallies?[first + $1]) }
    job.limit = workerLimit
    job.division = division
    var position: DocumentRest?
    var lines = LineCount()
    var blocks = ParallelReading(
      job, reading, plan.records, progress, jobs: plan.jobs, readingWholeFiles: !plan.needsBlocks, method)
    do {
      while !isDone, var batch = try blocks.next() {
        batch.input += first
        // One reader repeats the block, and reports its error.
        if batch.mustBeReadAgain { return (batch.input - first, nil, position) }
        if let children = batch.children {
          lines.add(children.lines)
          position = DocumentRest(children.head, from: children.end, after: lines, elements: children.elements)
        }
        take(consume batch)
      }
    } catch {
      hasFailed = true
      if let error = error as? JSONError {
        ErrorReport.write(error, file: plan.files[last ?? first])
      } else {
        ErrorReport.write("\(plan.files[last ?? first].displayName): reading ended early: \(error)")
      }
    }
    endFile()
    return blocks.rest.map { ($0.number, $0.source, position) }
  }

  private func job(
    _ files: [InputFile], _ content: @escaping @Sendable (JSONSource, Int, Int) -> JSONSource
  ) -> WorkerPlan {
    var job = WorkerPlan(files: files, content: content)
    job.isStopping = plan.reading.onError == .stop && !Sink.acceptsBadRecords
    job.keepsRejects = errors.keepsRejects
    job.inlinesRejects = plan.rejectsInline != nil
    job.needsRecords = plan.needsRecords
    // The text of several files ends by itself, after what was read of each.
    job.isInterruptible = plan.isFollowing && plan.followed == nil
    job.endsBatchesAtBadRecords = Sink.gathers && plan.reading.maxErrors != nil
    job.acceptsBadRecords = Sink.acceptsBadRecords
    job.isCounting = plan.isCounting
    job.isMerge = plan.merge != nil
    return job
  }

  // MARK: One worker

  /// Reads one file to its end. A followed file is read again after it was replaced.
  ///
  /// - Parameters:
  ///   - content: The source of the file, if it was already opened.
  ///   - position: Where reading begins in a document that was read in part.
  private func readSequentially<Reader: ~Copyable, Values>(
    _ number: Int, content: JSONSource?, from position: DocumentRest?, _ method: ReadingMethod<Reader, Values>
  ) {
    let file = plan.files[number]
    let worker = Worker(job(plan.files) { source, _, _ in source }, method)
    let source = source(content ?? file.source, isStream: file.isStream) { worker.handOverBeforeRead() }
    let input = (content == nil ? plan.reading.content(of: source) : SkippedLineReport.noting(source))
      .counted(by: tallies?[number])
    var checkpoint = file.fresh?.checkpoint ?? plan.reading.fromOffset.map { JSONCheckpoint(byteOffset: $0) }
    repeat {
      let isDocument = worker.read(number, limit: workerLimit, wantsReports: errors.wantsReports) {
        var opened = Input(source: input, checkpoint: checkpoint, range: file.range)
        opened.isIndexed = file.isKnownLines
        opened.rest = position ?? file.elements?.rest
        return opened
      } deliver: {
        self.take($0)
        return .init(isDone: self.isDone, wantsReports: self.errors.wantsReports)
      }
      if !isContinued(after: number) { endFile() }
      // A document can be complete before its end, once all paths are answered. The bytes after that are not another
      // document.
      if isDocument, plan.isFollowing { isStopped = true }
      checkpoint = nil
    } while plan.isFollowing && !isDone && !hasFailed
  }

  /// Reads all files in the order of time.
  private func readMerged<Reader: ~Copyable, Values>(_ merge: MergePlan, _ method: ReadingMethod<Reader, Values>) {
    var merge = merge
    merge.parts = plan.files.enumerated().map { number, file in
      let content = plan.reading.content(of: file.source.afterEachRead { Progress.read($0) })
      return MergePlan.Part(content.counted(by: tallies?[number]), range: file.range)
    }
    let worker = Worker(job(plan.files) { source, _, _ in source }, method)
    let input = source(.merging(merge), isStream: plan.files.contains { $0.isStream }) { worker.handOverBeforeRead() }
    _ = worker.read(0, limit: plan.limit, wantsReports: errors.wantsReports) {
      Input(source: input.afterEachRead { _ in })
    } deliver: {
      self.take($0)
      self.reportFailures(merge.tally)
      return .init(isDone: self.isDone, wantsReports: self.errors.wantsReports)
    }
    endFile()
  }

  /// Reads the records of several files as they arrive.
  private func readFollowed<Reader: ~Copyable, Values>(
    _ targets: [FollowPlan.Target], _ isOutput: @escaping (FileStatus) -> Bool, _ method: ReadingMethod<Reader, Values>
  ) {
    var files = FollowPlan(targets, plan.records)
    files.merge = plan.merge.map { ($0, plan.wait) }
    files.maxFiles = DescriptorLimit.possible
    files.content = { [reading = plan.reading] in reading.content(of: $0) }
    files.isDone = { unsafe Interruption.wasRequested }
    files.isExcluded = isOutput
    files.beforeWait = { unsafe Output.standard.endIfReaderHasGone() }
    files.fail = { error, path, isOpenedLater in
      self.hasFailed = true
      let text = ErrorReport.text(error, file: InputFile(argument: path))
      ErrorReport.write(
        isOpenedLater ? text + "; this file and others are read when others are gone (ulimit -n)" : text)
    }
    var job = job(plan.files) { source, _, _ in source }
    job.followed = files.names
    followed = files.names
    let worker = Worker(job, method)
    let input = source(.following(files), isStream: true) { worker.handOverBeforeRead() }
    _ = worker.read(0, limit: workerLimit, wantsReports: errors.wantsReports) {
      Input(source: input)
    } deliver: {
      self.take($0)
      return .init(isDone: self.hasEnough, wantsReports: self.errors.wantsReports)
    }
    endFile()
  }

  /// Reports files of a merge that could not be read, or no further.
  private func reportFailures(_ tally: MergeTally) {
    for (input, error) in tally.takeFailures() {
      hasFailed = true
      ErrorReport.write(error, file: plan.files[input])
    }
  }

  /// Returns a source with a callback around each read: results are passed on and flushed before a read that may block.
  private func source(_ source: JSONSource, isStream: Bool, _ handOver: @escaping () -> Void) -> JSONSource {
    let isFollowing = plan.isFollowing
    let source = isFollowing ? source.following(until: { unsafe Interruption.wasRequested }) : source
    return source.beforeEachRead {
      handOver()
      if isFollowing {
        unsafe Output.standard.pause()
      } else if isStream {
        unsafe Output.standard.pauseIfWatched()
      } else {
        unsafe Output.standard.flushIfInteractive()
      }
      unsafe Output.standard.endIfReaderHasGone()
    }.afterEachRead { Progress.read($0) }
  }

  /// Whether the next file in the list is a later part of the same file.
  private func isContinued(after number: Int) -> Bool {
    number + 1 < plan.files.count && plan.files[number + 1].isContinuation
  }

  // MARK: Batches

  /// Processes the next batch of the input.
  private func take(_ batch: consuming Batch) {
    if let last, last != batch.input, !plan.files[batch.input].isContinuation { endFile() }
    if last == nil || last != batch.input, !plan.files[batch.input].isContinuation { context?.beginFile() }
    context?.reduce(&batch)
    last = batch.input
    let file = plan.files[batch.input]
    errors.add(batch)
    if timeMisses.all.count == 0 { timeMisses.file = batch.input }
    timeMisses.all.add(batch.timeMisses)
    write(&batch, file)
    sink.gather(&batch)
    paths.add(batch.summaries)
    unsafe Progress.current?.found(results, errors)
  }

  /// Reports the bad records after the last part of a file.
  private func endFile() {
    guard let last else { return }
    // If the sink became full in a batch, it is unknown which of its bad records are before that.
    if Sink.stopsAtExactRecord || !sink.isFull { errors.report(plan.isCombined ? nil : plan.files[last]) }
    self.last = nil
  }

  private func write(_ batch: inout Batch, _ file: InputFile) {
    sink.begin(&batch)
    var written = Written()
    var reports = batch.reports[...]
    for bad in batch.bad where !hasEnough {
      write(batch, &written, to: bad.results, bad.bytes)
      if plan.rejectsInline != nil, written.results == bad.results { badRows += 1 }
      // Reading ends when there are enough results, regardless of the input after them.
      guard !hasEnough else { return }
      let line = batch.rejects[written.rejects..<bad.rejects]
      written.rejects = bad.rejects
      guard skip(over: reports.popFirst(), line) else { return }
    }
    if !hasEnough { write(batch, &written, to: batch.count, batch.bytes.count) }
    if !hasEnough, let end = batch.end { take(end, file) }
    if let rejection = batch.rejection, !isStopped {
      hasFailed = true
      ErrorReport.write(rejection)
    }
  }

  /// The number of results, bytes and rejects of a batch that were written.
  private struct Written {
    var results = 0
    var bytes = 0
    var rejects = 0
  }

  /// Writes results up to `end`, or up to the limit.
  private func write(_ batch: Batch, _ written: inout Written, to end: Int, _ endBytes: Int) {
    let count = min(end - written.results, (plan.limit ?? .max) - results)
    // A part of a document may be written before the document counts as a result.
    guard count > 0 || endBytes > written.bytes else { return }
    sink.gather(to: written.results + count)
    if !errors.write(sink.takeRejects()[...]) { (hasFailed, isStopped) = (true, true) }
    // The end offset of each result is recorded if results are limited and have bytes.
    let isAll = written.results + count == end || batch.ends.isEmpty
    let bytes = isAll ? endBytes : batch.ends[written.results + count - 1]
    let width = batch.count > 0 ? batch.kinds.count / batch.count : 0
    sink.write(
      batch.bytes[written.bytes..<bytes],
      kinds: batch.kinds[(written.results * width)..<((written.results + count) * width)])
    results += count
    written.results += count
    written.bytes = bytes
  }

  // MARK: Bad records

  /// Handles the error that ended reading a file.
  private func take(_ bad: BadResult, _ file: InputFile) {
    if Sink.acceptsBadRecords, bad.isReadable {
      guard skip(over: bad.report, bad.rejectLine[...]) else { return }
    } else {
      if bad.isRecord, !errors.keep(bad.rejectLine[...]) { isStopped = true }
      hasFailed = true
      isStopped = isStopped || bad.isOfQuery || plan.reading.onError == .stop && bad.isReadable
      bad.report?.write()
    }
    if let reason = bad.stopReason {
      ErrorReport.write("\(file.displayName): reading stopped there: \(reason)")
    }
  }

  /// Counts a bad record, and continues. Returns whether further results are possible.
  private func skip(over report: ErrorReport?, _ rejectLine: ArraySlice<UInt8>) -> Bool {
    if Sink.acceptsBadRecords {
      results += 1
      reportStatus()
      if let report, !plan.isCounting { sink.write(report) }
      if plan.reading.onError == .stop { isStopped = true }
    }
    let isKept = errors.keep(rejectLine)
    if !Sink.acceptsBadRecords { errors.add(report) }
    if !isKept || errors.areTooMany {
      hasFailed = true
      isStopped = true
    }
    return !hasEnough
  }

  // MARK: Completion

  /// Updates the exit status for a program that ends because the reader of its output has gone.
  private func reportStatus() {
    if hasFailed || isPart || plan.files.contains(where: { $0.expectation != nil }) {
      unsafe Output.standard.statusWithoutReader = Status.failed
    } else if Sink.acceptsBadRecords {
      unsafe Output.standard.statusWithoutReader = status
    }
  }

  /// Whether the run reads a part of a file. Then the status is 0 also without results. It is 2 if the reader of the output
  /// has gone, because another run must repeat the part.
  private var isPart: Bool { plan.files.contains { $0.part != nil } }

  /// Whether an index has ruled out parts of a file, so that the paths in them are unknown.
  private var skipsBlocks: Bool { plan.files.contains { $0.indexed != nil } }

  private var status: Int32 {
    if isPart, !Sink.acceptsBadRecords { return Status.found }
    if let status = sink.status { return status }
    return (results > badRows) == !Sink.acceptsBadRecords ? Status.found : Status.nothingFound
  }

  /// Writes the remaining output and returns the exit status.
  private func finish() -> ExitCode {
    unsafe Progress.current?.finish()
    checkFiles()
    checkOrder()
    if plan.isCounting {
      unsafe Output.standard.write(Array("\(results)\n".utf8))
    } else if hasFailed {
      sink.finishAfterFailure()
    } else {
      sink.finish()
    }
    unsafe Output.standard.flush()
    // Paths that matched nothing are known only if the whole input was read.
    if !isDone, !hasFailed, !isPart, !skipsBlocks, plan.state == nil { paths.report() }
    // Not after a limit or an error: the records that were read then depend on the workers.
    if !hasEnough, !hasFailed, let path = plan.timePath, let first = timeMisses.all.first {
      let hasPlace = !plan.isCombined
      let file = hasPlace && plan.files.count > 1 ? plan.files[timeMisses.file].displayName : nil
      ErrorReport.write(TimeWindow.message(timeMisses.all.count, first, at: path, in: file, hasPlace: hasPlace))
    }
    if !hasFailed, !hasEnough, let late = plan.merge?.tally.late, let first = late.first {
      let file = followed.map { InputFile(argument: $0.path(of: first.input)) } ?? plan.files[first.input]
      ErrorReport.write(
        TimeWindow.message(
          late.count, file.displayName, first.line, first.time.text, after: first.after.text, follows: followed != nil))
    }
    if !hasEnough, !hasFailed { for message in Nesting.launch.messages { ErrorReport.write(message) } }
    if Sink.acceptsBadRecords { errors.reportLimit() }
    if results == 0, !isDone, !hasFailed, !isPart, errors.total == 0, errors.ruleOutLines {
      // Otherwise invalid input would look like a log without such records.
      ErrorReport.write("no matches; lines that cannot match were not validated; jsift check validates them")
    }
    guard errors.finish(), !hasFailed, !sink.isFull else {
      plan.state?.abandon()
      return ExitCode(Status.failed)
    }
    plan.summary?.complete(
      results: results - badRows, rejects: errors.total, ruledOut: errors.ruledOut,
      withoutTime: plan.timePath.map { _ in timeMisses.all.count }, status: status)
    // Last: what is not saved is read again.
    if let state = plan.state, !state.save() { return ExitCode(Status.failed) }
    return ExitCode(status)
  }

  /// Checks with `--sorted` that the records that were read are sorted by time. Not after a limit, because the records that
  /// were read then depend on the workers.
  private func checkOrder() {
    guard !hasFailed, !hasEnough else { return }
    for file in plan.files {
      guard let disorder = file.window?.order.finish() else { continue }
      hasFailed = true
      ErrorReport.write(TimeWindow.message(disorder, in: file))
    }
  }

  /// Checks after the last read that each file is still the expected one.
  private func checkFiles() {
    guard !hasFailed else { return }
    for file in plan.files {
      do throws(JSONError) {
        try file.expectation?.check()
      } catch {
        hasFailed = true
        ErrorReport.write(error, file: file)
      }
    }
  }
}
