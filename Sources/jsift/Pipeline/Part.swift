import JSONSift

/// What a worker makes of a part of the input: everything that is to be written and reported, in the order of the input.
struct Part: Sendable {
  /// The number of the file.
  var input = 0
  /// The encoded results.
  var bytes: [UInt8] = []
  /// How many results there are. Of what is only gathered, the records.
  var count = 0
  /// The types of the cells of rows, if results are rows of columns.
  var kinds: [UInt8] = []
  /// Where each result ends in `bytes`, if the results are limited.
  var ends: [Int] = []
  /// Bad records behind which the reading went on.
  var bad: [Bad] = []
  /// The reports of the first of them, or of all.
  var reports: [ErrorReport] = []
  /// The bad records that are put aside.
  var rejects: [UInt8] = []
  /// The error that ended the reading, behind all else.
  var end: BadResult?
  /// Why the file cannot be read at all.
  var refusal: String?
  /// What became of each path, when the input was read to its end.
  var summaries: [JSONPathSummary] = []
  /// What was gathered of values that are no results themselves.
  var shape: JSONShape?
  var groups: GroupRows?
  /// How many bytes of the input were read.
  var inputBytes = 0
  /// Bad lines may not have been reported, and how many lines were not parsed.
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

  /// The limit that keeps memory bounded, whatever is found in a block. A part exceeds it by one result at most.
  static let largest = 1 << 19

  /// What a report takes, at least: a limit on them need not be exact.
  private static let reportBytes = 256

  var isFull: Bool {
    bytes.count + kinds.count + rejects.count + bad.count * MemoryLayout<Bad>.stride + reports.count * Self.reportBytes
      + ends.count * 8 >= Self.largest
  }

  /// There is nothing to write and nothing to report yet.
  var isEmpty: Bool { count == 0 && bytes.isEmpty && bad.isEmpty }
}

/// An error of a stream, with all that is to be reported and kept of it.
struct BadResult: Sendable {
  /// `nil` where nobody asked for it.
  let report: ErrorReport?
  /// The bad record as it is put aside, if it is.
  let rejectLine: [UInt8]
  /// It is one among others: it is counted.
  let isRecord: Bool
  /// The input could be read; its bytes are wrong.
  let isReadable: Bool
  /// The query is to blame and not the record, which may be good: it is none of the bad ones.
  let isOfQuery: Bool
  let canGoOn: Bool
  let stopReason: String?
}

extension BadResult {
  /// - Parameters:
  ///   - isReported: The report may be shown. Of thousands of bad records only a few are.
  ///   - head: What the report begins with.
  init<Stream: ResultStream & ~Copyable>(
    _ error: JSONError, in stream: inout Stream, _ file: InputFile, keepsRecord: Bool, isReported: Bool, head: String
  ) {
    let isReadable = !error.code.endsInput
    let isOfQuery = error.code == .queryLimit
    let isRecord = isReadable && !isOfQuery && stream.framing != .document
    let canGoOn = isReadable && !isOfQuery && stream.canGoOn
    self.init(
      report: isReported || !canGoOn
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
