import JSONSift

/// What all workers of a run do alike.
struct WorkerPlan: Sendable {
  /// Which bad records get a report.
  enum Reports {
    /// The first of each part: of all of them only a few are shown.
    case first
    case all
    case none
  }

  /// How a result is written; `nil` where nothing is.
  var line: ResultLine?
  var isCounting = false
  /// The first bad record is the end.
  var isStopping = false
  /// No part can have more results than all are allowed.
  var limit: Int?
  var keepsRejects = false
  var reports = Reports.first
  /// What a report begins with.
  var head = ErrorReport.program
  /// What is gathered must not reach behind the bad record at which there are too many: a part ends at each.
  var endsPartsAtBadRecords = false
  /// A signal ends the reading.
  var isInterruptible = false
  /// Why one document is refused, if it is.
  var needsRecords: String?
  let files: [InputFile]
  /// The bytes of a file of this number, with what compression does to them undone.
  let content: @Sendable (JSONSource, _ number: Int) -> JSONSource
}

/// The one who reads: makes parts of a stream. Some work side by side, each on blocks of lines or on whole files; or one
/// works alone, on the thread of the run, and hands over what it has before it waits for input.
final class Worker<Stream: ResultStream & ~Copyable> {
  private let make: @Sendable (Input) throws(JSONError) -> Stream
  private var job: WorkerPlan
  private var part = Part()
  /// That of all blocks of lines.
  private var lines: Stream?
  /// That of a file, while there is more of it.
  private var whole: Stream?
  private var isInside = false
  private var isDocument = false
  /// A document has been written in part.
  private var isBegun = false
  /// How many results the file or block had in parts before this one.
  private var handedOver = 0
  /// Bytes of files that have been read and are not in a part yet.
  private let read = Counter()
  /// Takes a part, where one works alone. Says whether the reading ends there.
  private var deliver: ((Part) -> Delivery)?
  private var wantsReports = true

  /// What the run says to a part.
  struct Delivery {
    let isDone: Bool
    /// The next bad record needs a report.
    let wantsReports: Bool
  }

  private final class Counter {
    var bytes = 0
  }

  init(_ job: WorkerPlan, _ make: @escaping @Sendable (Input) throws(JSONError) -> Stream) {
    self.job = job
    self.make = make
  }

  // MARK: Side by side

  /// Reads a block, or goes on in it.
  func step(_ block: LineBlock) throws -> (Part, isLast: Bool) {
    let file = job.files[block.input]
    part.input = block.input
    let isLast: Bool
    switch block.content {
    case .failure(let error):
      // Only cancellation throws another error here.
      guard let error = error as? JSONError else { throw error }
      part.refusal = ErrorReport.text(error, file: file)
      isLast = true
    case .lines: isLast = try readLines(block, file)
    case .wholeInput:
      isLast = readWhole(file) { [job, read] in
        let source = file.source.afterEachRead { read.bytes += $0 }
        return Input(source: job.content(source, block.input), checkpoint: nil)
      }
      part.inputBytes = read.bytes
      read.bytes = 0
    }
    return (takePart(isLast: isLast), isLast)
  }

  private func takePart(isLast: Bool) -> Part {
    var taken = Part()
    swap(&taken, &part)
    handedOver = isLast ? 0 : handedOver + taken.count
    return taken
  }

  private func readLines(_ block: LineBlock, _ file: InputFile) throws -> Bool {
    var stream = try lines.take() ?? make(Input(source: .bytes([]), checkpoint: nil))
    if !isInside {
      part.inputBytes = block.byteCount
      stream.begin(block)
    }
    isInside = !readOn(&stream, file)
    if !isInside { stream.end(block) }
    lines = consume stream
    return !isInside
  }

  /// Reads a file, or goes on in it. Returns whether that was the end.
  private func readWhole(_ file: InputFile, _ open: () -> Input) -> Bool {
    do throws(JSONError) {
      var stream = if let stream = whole.take() { stream } else { try begin(open) }
      isDocument = stream.framing == .document
      if isDocument, let reason = job.needsRecords {
        part.refusal = "jsift: \(file.displayName): \(reason)"
        return true
      }
      let isLast = readOn(&stream, file)
      if !isLast { whole = consume stream }
      return isLast
    } catch {
      part.refusal = ErrorReport.text(error, file: file)
      return true
    }
  }

  private func begin(_ open: () -> Input) throws(JSONError) -> Stream {
    isBegun = false
    return try make(open())
  }

  // MARK: Alone

  /// Reads a file to its end, or until the run has enough.
  ///
  /// - Parameters:
  ///   - number: That of the file.
  ///   - limit: How many results are wanted.
  /// - Returns: Whether the file is one document.
  func read(
    _ number: Int, limit: Int?, wantsReports: Bool, _ open: () -> Input, deliver: @escaping (Part) -> Delivery
  ) -> Bool {
    job.limit = limit
    self.wantsReports = wantsReports
    self.deliver = deliver
    defer { self.deliver = nil }
    handedOver = 0
    isDocument = false
    var isLast = false
    while !isLast {
      part.input = number
      isLast = readWhole(job.files[number], open)
      // The last part is handed over even if it is empty: it says what became of paths.
      if handOver(isLast: isLast) { break }
    }
    whole = nil
    return isDocument
  }

  /// Hands over what there is: before the worker waits for input, at a bad record, and when a part is full. Returns whether
  /// the reading ends there.
  private func handOver(isLast: Bool) -> Bool {
    guard let deliver else { return false }
    let number = part.input
    let delivery = deliver(takePart(isLast: isLast))
    part.input = number
    wantsReports = delivery.wantsReports
    return delivery.isDone
  }

  /// Before a read that may wait.
  func handOverBeforeRead() {
    // What stands in an order belongs to the records that the part counts, and the stream has it still.
    if !Stream.gathersInOrder, !part.isEmpty { _ = handOver(isLast: false) }
  }

  // MARK: Reading

  private var isFull: Bool { handedOver + part.count >= job.limit ?? .max }

  /// Reads on until there is enough for a part. Returns whether that was the end.
  private func readOn(_ stream: inout Stream, _ file: InputFile) -> Bool {
    let (ruledOut, doubts) = (stream.ruledOutLines, stream.doubts)
    defer {
      part.doubts = stream.doubts.since(doubts)
      part.rulesOutLines = stream.rulesOutLines
      part.ruledOut = stream.ruledOutLines - ruledOut
    }
    while !isFull {
      if part.isFull || stream.isFull {
        stream.gather(into: &part)
        return false
      }
      if job.isInterruptible, unsafe Interruption.hasCome { break }
      do throws(JSONError) {
        guard try takeNext(&stream, file) else { break }
      } catch {
        part.count += stream.takeCounted()
        // The reading ends where there are enough, whatever stands behind.
        guard !isFull, take(error, in: &stream, file) else { break }
        if job.endsPartsAtBadRecords {
          stream.gather(into: &part)
          return false
        }
        guard deliver != nil else { continue }
        if Stream.gathersInOrder { stream.gather(into: &part) }
        if handOver(isLast: false) { break }
      }
    }
    stream.gather(into: &part)
    part.summaries = stream.summaries
    return true
  }

  /// Encodes or counts the next result. False if there is none.
  @inline(__always)
  private func takeNext(_ stream: inout Stream, _ file: InputFile) throws(JSONError) -> Bool {
    // Each way asks the stream first and then writes: the stream may read, and what is there is handed over before.
    if Stream.gathers {
      let hasMore = try stream.step()
      part.count += stream.takeCounted()
      return hasMore
    }
    let isWritten = !job.isCounting
    if job.line?.isVerbatim == true { return try takeText(&stream, isWritten) }
    if let line = job.line?.text {
      // A text may be lent before an error is thrown: it counts all the same.
      let hasMore = try unsafe stream.lendNext { path, text in
        if isWritten { unsafe line.append(text, ofPath: path, to: &part.bytes) }
        end(isWritten)
      }
      part.count += stream.takeCounted()
      return hasMore
    }
    if stream.framing == .document, job.line?.isChild == true {
      let hasMore = try unsafe stream.lendNextChild { key, text in
        if isWritten { unsafe ResultLine.append(child: text, key, to: &part.bytes) }
      }
      if hasMore { end(isWritten) }
      return hasMore
    }
    // A stream that lends a row does not read.
    if job.line?.isRow == true,
      unsafe job.line?.append(row: { unsafe stream.lendRow($0) }, to: &part.bytes, isWritten: isWritten) == true
    {
      end(isWritten)
      return true
    }
    let found = try stream.next()
    part.count += stream.takeCounted()
    guard let found else { return false }
    guard job.line != nil, !isFull else { return true }
    try job.line?.look(at: found)
    if isWritten {
      job.line?.append(found, file, to: &part.bytes)
      if let kinds = job.line?.kinds { part.kinds += kinds }
    }
    end(isWritten)
    return true
  }

  /// The same of text that comes in pieces. One document is one result, which ends with the last piece.
  private func takeText(_ stream: inout Stream, _ isWritten: Bool) throws(JSONError) -> Bool {
    var pieces = 0
    let hasMore = try unsafe stream.lendNext { _, text in
      if isWritten { unsafe part.bytes.append(contentsOf: text) }
      pieces += 1
    }
    part.count += stream.takeCounted()
    guard stream.framing == .document else {
      for _ in 0..<pieces { end(isWritten) }
      return hasMore
    }
    if pieces > 0 { isBegun = true }
    if !hasMore, isBegun {
      isBegun = false
      end(isWritten)
    }
    return hasMore
  }

  /// Counts a result that has been written.
  @inline(__always)
  private func end(_ isWritten: Bool) {
    part.count += 1
    if isWritten, job.limit != nil { part.ends.append(part.bytes.count) }
  }

  /// Notes an error. Returns whether the reading goes on behind it.
  private func take(_ error: JSONError, in stream: inout Stream, _ file: InputFile) -> Bool {
    let isReported =
      switch job.reports {
      case .first: job.isStopping || wantsReports && part.reports.count < BadRecords.shown
      case .all: true
      case .none: false
      }
    let bad = BadResult(
      error, in: &stream, file, keepsRecord: job.keepsRejects, isReported: isReported, head: job.head)
    guard bad.canGoOn, !job.isStopping else {
      part.end = bad
      return false
    }
    if let report = bad.report { part.reports.append(report) }
    part.rejects += bad.rejectLine
    part.bad.append(Part.Bad(results: part.count, bytes: part.bytes.count, rejects: part.rejects.count))
    return true
  }
}
