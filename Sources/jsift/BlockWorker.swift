import JSONSift

/// An error of a stream, with all that is to be told and kept of it.
struct BadResult: Sendable {
  /// What is told, if anybody wants to read it.
  let report: ErrorReport?
  /// The bad record as it is put aside, if it is.
  let rejectLine: [UInt8]
  /// It is one among others: it is counted.
  let isRecord: Bool
  let isReadable: Bool
  /// The query is to blame and not the record, which may be good: it is none of the bad ones.
  let isOfQuery: Bool
  let canGoOn: Bool
  let stopReason: String?
}

extension BadResult {
  /// - Parameters:
  ///   - isTold: The report may be shown. Of thousands of bad records only a few are.
  ///   - head: What the report begins with.
  init<Stream: ResultStream & ~Copyable>(
    _ error: JSONError, in stream: inout Stream, _ file: InputFile, keepsRecord: Bool, isTold: Bool = true,
    head: String = ErrorReport.program
  ) {
    let isReadable = !error.code.endsInput
    let isOfQuery = error.code == .queryLimit
    let isRecord = isReadable && !isOfQuery && stream.framing != .document
    let canGoOn = isReadable && !isOfQuery && stream.canGoOn
    self.init(
      report: isTold || !canGoOn
        ? ErrorReport(
          error, file: file, at: stream.position(of: error), stream.excerpt(of: error),
          in: ErrorReport.location(of: error, file, stream.framing) { stream.badRecord(of: error) },
          head: isReadable ? head : ErrorReport.program)
        : Optional.none,
      rejectLine: isReadable && !isOfQuery && keepsRecord
        ? stream.badRecord(of: error).map { JSONRejectWriter.line($0, file: file.name) } ?? [] : [],
      isRecord: isRecord, isReadable: isReadable, isOfQuery: isOfQuery, canGoOn: canGoOn,
      stopReason: isRecord ? stream.stopReason : nil)
  }
}

/// What a worker makes of a block of lines or of a file, or a part of that: all that is to be written and told, for the one
/// who writes.
struct BlockResults: Sendable {
  /// The number of the file.
  var input = 0
  /// The lines of results. Of a check: what is told of bad records.
  var bytes: [UInt8] = []
  var count = 0
  /// The types of the cells of rows, if results are rows of columns.
  var kinds: [UInt8] = []
  /// Where each result ends in `bytes`, if the results are limited.
  var ends: [Int] = []
  /// Bad records behind which the reading went on.
  var bad: [Bad] = []
  /// What is told of the first of them.
  var reports: [ErrorReport] = []
  /// The bad records that are put aside.
  var rejects: [UInt8] = []
  /// The error that ended the reading, behind all else.
  var end: BadResult?
  /// Why the file cannot be read at all.
  var refusal: String?
  var summaries: [JSONPathSummary] = []
  var shape: JSONShape?
  var inputBytes = 0
  /// Bad lines may not have been told of, and how many lines were not parsed.
  var rulesOutLines = false
  var ruledOut = 0
  var doubts = ProofDoubts()

  struct Bad {
    /// How many results stand before it, and where they end in `bytes`.
    let results: Int
    let bytes: Int
    /// Where it ends in `rejects`.
    let rejects: Int
  }

  /// A part is no larger than this and one result, so that memory is bounded whatever is found in a block.
  static let largest = 1 << 19

  var isFull: Bool {
    bytes.count + kinds.count + rejects.count + bad.count * MemoryLayout<Bad>.stride + ends.count * 8 >= Self.largest
  }
}

/// What all workers of a run do alike.
struct BlockJob: Sendable {
  /// How a result is written; `nil` where nothing is.
  var line: ResultLine?
  /// Only errors are wanted.
  var isCheck = false
  var isCounting = false
  var isStopping = false
  /// No block can have more results than all are allowed.
  var limit: Int?
  var keepsRecords = false
  /// Why one document is refused, if it is.
  var needsRecords: String?
  let files: [InputFile]
  /// The bytes of a file of this number, with what compression does to them undone.
  let content: @Sendable (JSONSource, _ number: Int) -> JSONSource
}

/// One worker: what `Run` does with a stream, but that nothing is written.
final class BlockWorker<Stream: ResultStream & ~Copyable> {
  private let make: @Sendable (Input) throws(JSONError) -> Stream
  private var job: BlockJob
  /// That of all blocks of lines.
  private var lines: Stream?
  /// That of a file, while there is more of it.
  private var whole: Stream?
  private var isInside = false
  /// Bytes of files that have been read and not told.
  private let read = Counter()

  private final class Counter {
    var bytes = 0
  }

  init(_ job: BlockJob, _ make: @escaping @Sendable (Input) throws(JSONError) -> Stream) {
    self.job = job
    self.make = make
  }

  /// Reads a block, or goes on in it.
  func step(_ block: LineBlock) throws -> (BlockResults, isLast: Bool) {
    var found = BlockResults()
    found.input = block.input
    let file = job.files[block.input]
    switch block.content {
    case .failure(let error):
      // Nobody else throws here than who is cancelled.
      guard let error = error as? JSONError else { throw error }
      found.refusal = ErrorReport.text(error, file: file)
      return (found, true)
    case .lines:
      let isLast = try readLines(block, file, &found)
      return (found, isLast)
    case .wholeInput:
      let isLast = readWhole(block.input, file, &found)
      return (found, isLast)
    }
  }

  private func readLines(_ block: LineBlock, _ file: InputFile, _ found: inout BlockResults) throws -> Bool {
    var stream = try lines.take() ?? make(Input(source: .bytes([]), checkpoint: nil))
    if !isInside {
      found.inputBytes = block.byteCount
      stream.begin(block)
    }
    isInside = !readOn(&stream, file, &found)
    if !isInside { stream.end(block) }
    lines = consume stream
    return !isInside
  }

  private func readWhole(_ number: Int, _ file: InputFile, _ found: inout BlockResults) -> Bool {
    do throws(JSONError) {
      var stream = try openWhole(number, file)
      if stream.framing == .document, let reason = job.needsRecords {
        found.refusal = "jsift: \(file.displayName): \(reason)"
        return true
      }
      let isLast = readOn(&stream, file, &found)
      if !isLast { whole = consume stream }
      found.inputBytes = read.bytes
      read.bytes = 0
      return isLast
    } catch {
      found.refusal = ErrorReport.text(error, file: file)
      return true
    }
  }

  private func openWhole(_ number: Int, _ file: InputFile) throws(JSONError) -> Stream {
    if let stream = whole.take() { return stream }
    let source = file.source.afterEachRead { [read] in read.bytes += $0 }
    return try make(Input(source: job.content(source, number), checkpoint: nil))
  }

  /// Reads on until there is enough for a part. Returns whether that was the end.
  private func readOn(_ stream: inout Stream, _ file: InputFile, _ found: inout BlockResults) -> Bool {
    let (ruledOut, doubts) = (stream.ruledOutLines, stream.doubts)
    defer {
      found.doubts = stream.doubts.since(doubts)
      found.shape = stream.takeShape()
      found.rulesOutLines = stream.rulesOutLines
      found.ruledOut = stream.ruledOutLines - ruledOut
    }
    while found.count < job.limit ?? .max {
      if found.isFull { return false }
      do throws(JSONError) {
        if let line = job.line?.text {
          let isCounting = job.isCounting
          let hasMore = try unsafe stream.lendNext { path, text in
            if !isCounting { unsafe line.append(text, ofPath: path, to: &found.bytes) }
          }
          found.count += stream.takeCounted()
          guard hasMore else { break }
          found.count += 1
          if job.limit != nil, !isCounting { found.ends.append(found.bytes.count) }
          continue
        }
        // Asked before the line is touched.
        let isWritten = !job.isCounting
        if job.line?.isRow == true,
          unsafe job.line?.append(row: { unsafe stream.lendRow($0) }, to: &found.bytes, isWritten: isWritten) == true
        {
          found.count += 1
          if job.limit != nil, isWritten { found.ends.append(found.bytes.count) }
          continue
        }
        let next = try stream.next()
        found.count += stream.takeCounted()
        guard let next else { break }
        guard job.line != nil else { continue }
        try job.line?.look(at: next)
        found.count += 1
        guard !job.isCounting else { continue }
        job.line?.append(next, file, to: &found.bytes)
        if let kinds = job.line?.kinds { found.kinds += kinds }
        if job.limit != nil { found.ends.append(found.bytes.count) }
      } catch {
        found.count += stream.takeCounted()
        guard found.count < job.limit ?? .max, take(error, in: &stream, file, &found) else { break }
      }
    }
    found.summaries = stream.summaries
    return true
  }

  /// Notes an error. Returns whether the reading goes on behind it.
  private func take(
    _ error: JSONError, in stream: inout Stream, _ file: InputFile, _ found: inout BlockResults
  ) -> Bool {
    let isCheck = job.isCheck
    let isTold = isCheck ? !job.isCounting : job.isStopping || found.reports.count < BadRecords.shown
    let bad = BadResult(
      error, in: &stream, file, keepsRecord: job.keepsRecords, isTold: isTold,
      head: isCheck ? "" : ErrorReport.program)
    guard bad.canGoOn, !job.isStopping else {
      found.end = bad
      return false
    }
    if let report = bad.report {
      if isCheck { found.bytes += (report.text + "\n").utf8 } else { found.reports.append(report) }
    }
    found.rejects += bad.rejectLine
    found.bad.append(
      BlockResults.Bad(results: found.count, bytes: found.bytes.count, rejects: found.rejects.count))
    return true
  }
}
