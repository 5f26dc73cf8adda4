import JSONSift

/// An error of a stream, with all that is to be told and kept of it.
struct BadResult: Sendable {
  let report: ErrorReport
  /// The bad record, if that is asked for.
  let record: JSONBadRecord?
  /// It is one among others: it is counted.
  let isRecord: Bool
  let isReadable: Bool
  let canGoOn: Bool
  let stopReason: String?
}

extension BadResult {
  init<Stream: ResultStream & ~Copyable>(
    _ error: JSONError, in stream: inout Stream, _ file: InputFile, keepsRecord: Bool
  ) {
    let isReadable = !error.code.endsInput
    let isRecord = isReadable && stream.framing != .document
    self.init(
      report: ErrorReport(error, file: file, at: stream.position(of: error), stream.excerpt(of: error)),
      record: isRecord && keepsRecord ? stream.badRecord(of: error) : nil, isRecord: isRecord, isReadable: isReadable,
      canGoOn: isReadable && stream.canGoOn, stopReason: isRecord ? stream.stopReason : nil)
  }
}

/// What a worker makes of a block of lines: all that would have been written and told, for the one who writes.
struct BlockResults: Sendable {
  var bytes: [UInt8] = []
  var count = 0
  /// Where each result ends in `bytes`, if the results are limited.
  var ends: [Int] = []
  /// Errors, each with the number of results before it, and their bytes.
  var bad: [(results: Int, bytes: Int, error: BadResult)] = []
  var summaries: [JSONPathSummary] = []
  var inputBytes = 0
  /// Bad lines may not have been told of, and how many lines were not parsed.
  var rulesOutLines = false
  var ruledOut = 0
}

extension Run {
  /// Files that are smaller are read before workers have begun.
  private static let smallest = 1 << 20

  /// The file, open, if it may have lines for several workers. What cannot be opened is told by who reads it alone.
  func openLines(of file: InputFile, _ progress: ReadProgress) throws(JSONError) -> OpenRecords? {
    guard options.jobs ?? 2 > 1, !options.follow else { return nil }
    let framing = options.reading.input.framing
    guard framing == .automatic || framing == .lines else { return nil }
    // An offset in standard input is gone to by who reads it alone.
    if file.path == nil, options.reading.fromOffset != nil { return nil }
    if let size = file.size {
      guard size - (options.reading.fromOffset ?? 0) >= Self.smallest else { return nil }
    } else if options.reading.fromOffset != nil {
      return nil
    }
    return try OpenRecords(
      file.source, options: options.reading.recordOptions,
      startingAt: options.reading.fromOffset.map { JSONCheckpoint(byteOffset: $0) },
      content: { InputFile.content(of: $0, progress) })
  }

  /// Reads lines with several workers, and writes what they find in the order of the lines.
  mutating func read<Stream: ResultStream & ~Copyable & SendableMetatype>(
    _ lines: consuming OpenRecords, _ file: InputFile, _ progress: inout ReadProgress,
    _ make: @escaping @Sendable (Input) throws(JSONError) -> Stream
  ) {
    let isCounting = options.count
    let isStopping = options.reading.onError == .stop
    let limit = options.limit.map { $0 - results }
    let keepsRecords = errors.putsAside
    let line = line
    var blocks = JSONRecordBlocks<BlockResults>(lines, workers: options.jobs) {
      let worker = BlockWorker(
        stream: try make(Input(source: .bytes([]), checkpoint: nil)), line: line, file: file, isCounting: isCounting,
        isStopping: isStopping, limit: limit, keepsRecords: keepsRecords)
      return { block in worker.read(block) }
    }
    do {
      while !isDone, let found = try blocks.next(beforeWaiting: { unsafe Output.standard.flushIfInteractive() }) {
        write(found, file)
        paths.add(found.summaries)
        errors.look(at: found)
        unsafe Progress.current?.found(results, bad: errors.total, ruledOut: errors.ruledOut)
        Progress.read(progress.advance(found.inputBytes))
      }
    } catch {
      hasFailed = true
      if let error = error as? JSONError { ErrorReport.write(error, file: file) }
    }
    errors.tell(file)
  }

  private mutating func write(_ found: BlockResults, _ file: InputFile) {
    var written = 0
    var writtenBytes = 0
    for bad in found.bad where !isDone {
      write(found, &written, &writtenBytes, to: bad.results, bad.bytes)
      // Who has enough does not ask for more.
      guard !isDone, take(bad.error, file) else { return }
    }
    if !isDone { write(found, &written, &writtenBytes, to: found.count, found.bytes.count) }
  }

  /// Writes the results up to one, or up to the limit.
  private mutating func write(
    _ found: BlockResults, _ written: inout Int, _ writtenBytes: inout Int, to end: Int, _ endBytes: Int
  ) {
    let count = min(end - written, (options.limit ?? .max) - results)
    guard count > 0 else { return }
    let isAll = written + count == end
    let bytes = isAll || options.count ? endBytes : found.ends[written + count - 1]
    unsafe Output.standard.write(found.bytes[writtenBytes..<bytes])
    results += count
    written += count
    writtenBytes = bytes
  }
}

/// One worker: what `Run` does with a stream, but that nothing is written.
private final class BlockWorker<Stream: ResultStream & ~Copyable> {
  private var stream: Stream
  private var line: ResultLine
  private let file: InputFile
  private let isCounting: Bool
  private let isStopping: Bool
  private let limit: Int?
  private let keepsRecords: Bool

  init(
    stream: consuming Stream, line: ResultLine, file: InputFile, isCounting: Bool, isStopping: Bool, limit: Int?,
    keepsRecords: Bool
  ) {
    self.stream = stream
    self.line = line
    self.file = file
    self.isCounting = isCounting
    self.isStopping = isStopping
    self.limit = limit
    self.keepsRecords = keepsRecords
  }

  func read(_ block: LineBlock) -> BlockResults {
    var found = BlockResults()
    found.inputBytes = block.byteCount
    let ruledOut = stream.ruledOutLines
    stream.begin(block)
    // No block can have more results than all are allowed.
    while found.count < limit ?? .max {
      do throws(JSONError) {
        guard let next = try stream.next() else { break }
        try line.look(at: next)
        found.count += 1
        guard !isCounting else { continue }
        line.append(next, file, to: &found.bytes)
        found.bytes.append(UInt8(ascii: "\n"))
        if limit != nil { found.ends.append(found.bytes.count) }
      } catch {
        let bad = BadResult(error, in: &stream, file, keepsRecord: keepsRecords)
        found.bad.append((found.count, found.bytes.count, bad))
        if isStopping || !bad.canGoOn { break }
      }
    }
    found.summaries = stream.summaries
    found.rulesOutLines = stream.rulesOutLines
    found.ruledOut = stream.ruledOutLines - ruledOut
    stream.end(block)
    return found
  }
}
