import JSONSift
import JSONSiftAnalysis
import JSONSiftArrow

/// The result of reading a part of the input: everything to write and report, in the order of the input.
struct Batch: Sendable {
  /// The index of the file.
  var input = 0
  /// The encoded results.
  var bytes: [UInt8] = []
  /// The number of results. If values are aggregated, the number of records.
  var count = 0
  /// The types of the cells, if results are rows of columns.
  var kinds: [UInt8] = []
  /// The end offset of each result in `bytes`, if the number of results is limited.
  var ends: [Int] = []
  /// Whether each result satisfies the condition, if the records around those that do are written too.
  var satisfies: [Bool] = []
  /// Bad records after which reading continued.
  var bad: [Bad] = []
  /// The reports of the first bad records, or of all.
  var reports: [ErrorReport] = []
  /// The encoded bad records for the file of rejects.
  var rejects: [UInt8] = []
  /// The error that ended reading, after everything else.
  var end: BadResult?
  /// The reason why the file cannot be read at all.
  var rejection: String?
  /// The outcome of each path, once the input was read to its end.
  var summaries: [JSONMatches.Summary] = []
  /// The aggregated values, for commands that write them at the end instead of results: one of these, or for a report two.
  var shape: JSONShape?
  var groups: CollectedRows?
  var answers: [CollectedRows] = []
  var columns: CollectedColumns?
  var types: ArrowTypeTree?
  /// How often rules were applied, for `edit`.
  var edits: EditCounts?
  var inputBytes = 0
  /// If the batch is a block of children of a document: the head of the document, the offset after the block, the lines
  /// in it, and the number of elements up to its end.
  var children: (head: DocumentHead, end: Int, lines: LineCount, elements: Int)?
  /// Whether the block is not valid, or was not cut between two children. Then the batch has no results.
  var mustBeReadAgain = false
  /// What was not validated, and what had to be parsed.
  var tally = ReadingTally()
  var timeMisses = TimeMisses()

  struct Bad {
    /// The number of results before this record, and their end offset in `bytes`.
    let results: Int
    let bytes: Int
    /// The end offset of the record in `rejects`.
    let rejects: Int
  }

  /// The limit that keeps memory bounded for any content of a block. A batch exceeds it by at most one result.
  static let maxBytes = 1 << 19

  /// The approximate size of a report. It only bounds memory, so it need not be exact.
  private static let reportBytes = 256

  var isFull: Bool {
    bytes.count + kinds.count + rejects.count + bad.count * MemoryLayout<Bad>.stride + reports.count * Self.reportBytes
      + ends.count * 8 >= Self.maxBytes
  }

  /// Whether there is nothing yet to write or report.
  var isEmpty: Bool { count == 0 && bytes.isEmpty && bad.isEmpty }
}

/// The bytes and the results of a batch while a reader passes texts of results in memory. It does not read meanwhile, so no
/// batch is handed over before they are back. If they stay in the batch of a worker, which is an object, the checks of
/// exclusive access for each result are 16 % of `get` on short records.
struct BorrowedResults {
  var bytes: [UInt8] = []
  var kinds: [UInt8] = []
  private var ends: [Int] = []
  private var count = 0
  private let hasEnds: Bool
  private let most: Int

  /// Takes the bytes of a batch.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of results in the batch.
  ///   - hasEnds: Whether the ends of results are noted.
  init(_ batch: inout Batch, limit: Int, hasEnds: Bool) {
    swap(&bytes, &batch.bytes)
    most = limit - batch.count
    self.hasEnds = hasEnds
  }

  /// Counts a result. Returns whether there is room for another one.
  @inline(__always)
  mutating func end() -> Bool {
    count += 1
    if hasEnds { ends.append(bytes.count) }
    return count < most && bytes.count + kinds.count + ends.count * 8 < Batch.maxBytes
  }

  /// Moves the bytes and the results back.
  consuming func move(to batch: inout Batch) {
    swap(&bytes, &batch.bytes)
    batch.kinds += kinds
    batch.ends += ends
    batch.count += count
  }
}

/// An error of a stream, with everything to report and to keep.
struct BadResult: Sendable {
  /// `nil` if no report was requested.
  let report: ErrorReport?
  /// The bad record encoded for the file of rejects; empty if it is not kept.
  let rejectLine: [UInt8]
  /// The bad record, if it becomes a row.
  let record: JSONBadRecord?
  /// Whether it is one of several records, which is then counted.
  let isRecord: Bool
  /// Whether the input could be read, so that its content is invalid.
  let isReadable: Bool
  /// Whether the query caused the error: the record may be valid, and is not counted as bad.
  let isOfQuery: Bool
  let canContinue: Bool
  let stopReason: String?

  /// - Parameters:
  ///   - isRow: Whether the record becomes a row of the output.
  ///   - isReported: Whether the report may be shown. Of thousands of bad records only a few are.
  ///   - namesProgram: See ``ErrorReport``.
  init<Reader: InputReader & ~Copyable>(
    _ error: JSONError, in stream: inout Reader, _ file: InputFile, keepsRecord: Bool, isRow: Bool, isReported: Bool,
    namesProgram: Bool
  ) {
    isReadable = !error.code.endsInput
    isOfQuery = error.code == .queryLimit
    // The error that ends the input below a step has its position.
    let isOfStep = error.position != nil
    isRecord = isReadable && !isOfQuery && stream.framing != .document && !isOfStep
    canContinue = isReadable && !isOfQuery && stream.framing.canResumeAfterErrors && !isOfStep
    var report =
      isReported || !canContinue
      ? ErrorReport(
        Reader.hidesText ? error.withoutFound : error, file: file, at: stream.position(of: error),
        stream.excerpt(of: error).flatMap { isOfStep && $0.text.isEmpty ? nil : $0 },
        in: Reader.hidesText
          ? nil : ErrorReport.location(of: error, file, stream.framing) { stream.badRecord(of: error) },
        of: stream.framing, namesProgram: namesProgram || !isReadable)
      : Optional.none
    // Advice is about the lines of a file.
    if report != nil, !Reader.hidesText, canContinue, Nesting.launch.steps.isEmpty, stream.framing == .lines,
      error.code != .recordLimit
    {
      report?.recordAdvice = stream.badRecord(of: error).flatMap { Advice.about($0, of: file) }
    }
    self.report = report
    let kept = isReadable && !isOfQuery && keepsRecord ? stream.badRecord(of: error) : nil
    rejectLine = kept.map { JSONRejectWriter.line($0, file: file.name, hidingText: Reader.hidesText) } ?? []
    record = canContinue && isRow ? stream.badRecord(of: error) : nil
    stopReason = isRecord ? stream.stopReason : nil
  }
}
