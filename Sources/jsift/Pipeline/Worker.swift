import JSONSift

/// The settings that all workers of a run share.
struct WorkerPlan: Sendable {
  /// Whether the first bad record ends reading.
  var isStopping = false
  /// The limit of the whole run, which also bounds each batch.
  var limit: Int?
  var keepsRejects = false
  /// Whether a bad record becomes a row of the output.
  var inlinesRejects = false
  /// Whether bad records are the results: then each has a report, without the name of the program, unless they are counted.
  /// Otherwise only a few of all are shown.
  var acceptsBadRecords = false
  var isCounting = false
  /// Whether a batch ends at each bad record: aggregated values must not include records after the one that exceeds the
  /// maximum number of errors.
  var endsBatchesAtBadRecords = false
  /// Whether the files are merged.
  var isMerge = false
  /// The files that are followed together; `nil` if not several are.
  var followed: FollowedNames?
  /// Whether a signal ends reading.
  var isInterruptible = false
  /// The message if one document is rejected; `nil` if it is accepted.
  var needsRecords: String?
  /// How one document is divided among workers; `nil` if it is read by one.
  var division: DocumentDivision?
  let files: [InputFile]
  /// Returns the source of the file at an index, decompressed by a number of threads.
  let content: @Sendable (JSONSource, _ number: Int, _ threads: Int) -> JSONSource
}

/// How workers read.
struct ReadingMethod<Reader: InputReader & ~Copyable, Values: Collector>: Sendable
where Values.Input == OpenInput<Reader> {
  /// Opens an input in a worker.
  let make: @Sendable (Input) throws(JSONError) -> Reader
  /// Makes the collector of a worker's batches.
  let collector: @Sendable () -> Values
}

/// Produces the batches of an input. Several workers run in parallel, each on blocks of lines or on whole files; or one
/// worker runs on the thread of the run, and delivers its results before it waits for input.
final class Worker<Reader: InputReader & ~Copyable, Values: Collector> where Values.Input == OpenInput<Reader> {
  private let method: ReadingMethod<Reader, Values>
  private let job: WorkerPlan
  private let open: OpenBatch
  /// The stream for all blocks: of lines, or of children of a document. The blocks of a run are of one kind.
  private var blocks: Stream?
  /// The stream of a whole file, until its end.
  private var whole: Stream?
  private var isInside = false
  private var isDocument = false
  /// The number of bytes that were read from whole files and are not yet counted in a batch.
  private let read = Counter()
  /// Receives a batch, for a worker on the thread of the run. Returns whether reading ends there.
  private var deliver: ((Batch) -> Delivery)?
  private var wantsReports = true

  /// An open input, with what is collected from it.
  private struct Stream {
    let input: OpenInput<Reader>
    var values: Values

    mutating func gather(into open: OpenBatch) { values.gather(from: input, into: open) }
  }

  /// The answer of the run to a batch.
  struct Delivery {
    let isDone: Bool
    /// Whether the next bad record needs a report.
    let wantsReports: Bool
  }

  private final class Counter {
    var bytes = 0
  }

  init(_ job: WorkerPlan, _ method: ReadingMethod<Reader, Values>) {
    self.job = job
    self.method = method
    open = OpenBatch(job.files[0], limit: job.limit)
    if job.isMerge { open.merged = job.files }
    open.followed = job.followed
  }

  private func stream(of input: Input) throws(JSONError) -> Stream {
    Stream(input: OpenInput(try method.make(input)), values: method.collector())
  }

  // MARK: Parallel reading

  /// Reads a block, or continues in it.
  func step(_ block: LineBlock) throws -> (Batch, isLast: Bool) {
    let file = job.files[block.input]
    begin(block.input)
    let isLast: Bool
    switch block.content {
    case .failure(let error):
      // Only cancellation throws another type of error here.
      guard let error = error as? JSONError else { throw error }
      open.batch.rejection = ErrorReport.text(error, file: file)
      isLast = true
    case .lines: isLast = try readLines(block, file)
    case .children(let head):
      isLast = true
      try readChildren(block, head, file)
    case .wholeInput:
      isLast = readWhole(file) { [job, read] in
        let source = file.source.afterEachRead { read.bytes += $0 }
        var input = Input(source: job.content(source, block.input, 1), range: file.range)
        input.rest = file.elements?.rest
        return input
      }
      open.batch.inputBytes = read.bytes
      read.bytes = 0
    }
    return (open.take(isLast: isLast), isLast)
  }

  private func begin(_ number: Int) {
    open.batch.input = number
    open.file = job.files[number]
  }

  private func readLines(_ block: LineBlock, _ file: InputFile) throws -> Bool {
    var stream = try blocks.take() ?? self.stream(of: Input(source: .bytes([])))
    if !isInside {
      open.batch.inputBytes = block.byteCount
      stream.input.reader.begin(block)
    }
    isInside = !readOn(&stream, file)
    if !isInside { stream.input.reader.end(block) }
    blocks = consume stream
    return !isInside
  }

  /// Reads a block of children. Its results are one batch, because they are discarded if the block is not valid.
  private func readChildren(_ block: LineBlock, _ head: DocumentHead, _ file: InputFile) throws {
    var stream = try blocks.take() ?? self.stream(of: Input(source: .bytes([]), isDocument: true))
    let (end, count) = (block.offset + block.byteCount, block.byteCount)
    stream.input.reader.begin(block)
    let isComplete = readOn(&stream, file, splitting: false)
    stream.input.reader.end(block)
    if open.batch.end != nil || !isComplete {
      let input = open.batch.input
      open.batch = Batch()
      (open.batch.input, open.batch.mustBeReadAgain) = (input, true)
    } else {
      open.batch.inputBytes = count
      open.batch.children = (head, end, stream.input.reader.tally.documentLines, block.elementsBefore + block.elements)
      blocks = consume stream
    }
  }

  /// Reads a file, or continues in it. Returns whether its end was reached.
  private func readWhole(_ file: InputFile, _ source: () -> Input) -> Bool {
    do throws(JSONError) {
      var stream = if let stream = whole.take() { stream } else { try self.stream(of: source()) }
      isDocument = stream.input.reader.framing == .document
      if isDocument, let reason = job.needsRecords {
        open.batch.rejection = "\(file.displayName): \(reason)"
        return true
      }
      let isLast = readOn(&stream, file)
      if !isLast { whole = consume stream }
      return isLast
    } catch {
      open.batch.rejection = ErrorReport.text(error, file: file)
      return true
    }
  }

  // MARK: Sequential reading

  /// Reads a file to its end, or until the run has enough results.
  ///
  /// - Parameters:
  ///   - number: The index of the file.
  ///   - limit: The maximum number of results.
  /// - Returns: Whether the file is one document.
  func read(
    _ number: Int, limit: Int?, wantsReports: Bool, _ source: () -> Input, deliver: @escaping (Batch) -> Delivery
  ) -> Bool {
    open.beginFile(limit: limit)
    self.wantsReports = wantsReports
    self.deliver = deliver
    defer { self.deliver = nil }
    isDocument = false
    var isLast = false
    while !isLast {
      begin(number)
      isLast = readWhole(job.files[number], source)
      // The last batch is delivered even if it is empty, because it contains the outcome of the paths.
      if handOver(isLast: isLast) { break }
    }
    whole = nil
    return isDocument
  }

  /// Delivers the current batch: before the worker waits for input, at a bad record, and when the batch is full. Returns
  /// whether reading ends there.
  private func handOver(isLast: Bool) -> Bool {
    guard let deliver else { return false }
    let number = open.batch.input
    let delivery = deliver(open.take(isLast: isLast))
    open.batch.input = number
    wantsReports = delivery.wantsReports
    return delivery.isDone
  }

  /// Delivers the current batch before a read that may block.
  func handOverBeforeRead() {
    // A collector that gathers in order still holds values of records that the batch counts, so the batch is not complete.
    if !Values.gathersInOrder, !open.batch.isEmpty { _ = handOver(isLast: false) }
  }

  // MARK: Reading

  /// Reads until a batch is full. Returns whether the end was reached.
  ///
  /// - Parameter splits: Whether reading stops when a batch is full.
  private func readOn(_ stream: inout Stream, _ file: InputFile, splitting splits: Bool = true) -> Bool {
    let tally = stream.input.reader.tally
    defer {
      open.batch.tally = stream.input.reader.tally.since(tally)
      open.batch.timeMisses.add(stream.input.reader.takeTimeMisses())
    }
    while !open.hasEnough {
      if splits, open.batch.isFull || stream.values.isFull {
        stream.gather(into: open)
        return false
      }
      if job.isInterruptible, unsafe Interruption.wasRequested { break }
      do throws(JSONError) {
        guard try stream.values.take(from: stream.input, into: open) else { break }
      } catch {
        // Reading ends when there are enough results, regardless of the input after them.
        guard !open.hasEnough, take(error, in: &stream) else { break }
        if job.endsBatchesAtBadRecords {
          stream.gather(into: open)
          return false
        }
        guard deliver != nil else { continue }
        if Values.gathersInOrder { stream.gather(into: open) }
        if handOver(isLast: false) { break }
      }
    }
    stream.gather(into: open)
    return true
  }

  /// Adds an error to the batch. Returns whether reading continues after it.
  private func take(_ error: JSONError, in stream: inout Stream) -> Bool {
    let file = open.file(of: stream.input.reader)
    let isReported =
      job.acceptsBadRecords
      ? !job.isCounting : job.isStopping || wantsReports && open.batch.reports.count < BadRecords.shown
    let bad = BadResult(
      error, in: &stream.input.reader, file, keepsRecord: job.keepsRejects, isRow: job.inlinesRejects,
      isReported: isReported, namesProgram: !job.acceptsBadRecords)
    guard bad.canContinue, !job.isStopping else {
      open.batch.end = bad
      return false
    }
    if let record = bad.record { stream.values.append(record, of: file, into: open) }
    if let report = bad.report { open.batch.reports.append(report) }
    open.batch.rejects += bad.rejectLine
    open.batch.bad.append(
      Batch.Bad(results: open.batch.count, bytes: open.batch.bytes.count, rejects: open.batch.rejects.count))
    return true
  }
}
