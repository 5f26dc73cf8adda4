import JSONSift

/// The bad records of a run: the reports of the current file, and the total of all files.
struct BadRecords {
  private let rejects: Rejects?
  private let maxErrors: Int?
  private let prefilter: Policy
  private(set) var total = 0
  private var count = 0
  /// The number of lines of all files that were not parsed.
  private(set) var ruledOut = 0
  /// The positions in all files where a value that is not needed had to be parsed, because the validation could not decide
  /// whether it is valid.
  private(set) var undecided = UndecidedText()
  /// Whether lines of the current file were skipped without validation, so that bad records among them are unknown.
  private var areAmongChecked = false
  /// Whether lines of any file were skipped without validation.
  private(set) var ruleOutLines = false
  private var first: [ErrorReport] = []
  /// The number of bad records that are reported in full.
  static let shown = 3
  /// Whether bad records are reported immediately, because the end of the file may never be reached.
  private let areReportedAtOnce: Bool

  /// The name of the column of bad records; `nil` if they are not rows.
  private let inline: String?

  init(
    _ options: ReadingOptions, _ files: [InputFile], inline: String?, reportingAtOnce areReportedAtOnce: Bool
  ) throws {
    self.inline = inline
    rejects = try options.rejects.map { try Rejects($0, reading: files) }
    maxErrors = options.maxErrors
    prefilter = options.prefilter
    self.areReportedAtOnce = areReportedAtOnce
    if let rejects { unsafe Output.standard.beforeEnd = { rejects.finish() } }
  }

  /// Whether bad records are written to a file.
  var keepsRejects: Bool { rejects != nil }

  var areTooMany: Bool { total > maxErrors ?? .max }

  /// Whether the report of the next bad record may be shown.
  var wantsReports: Bool { areReportedAtOnce || first.count < Self.shown }

  /// Adds a bad record that is skipped.
  mutating func add(_ report: ErrorReport?) {
    count += 1
    guard let report else { return }
    if areReportedAtOnce { return report.write() }
    if first.count < Self.shown { first.append(report) }
  }

  /// Counts a bad record, and writes it to the file of rejects. Returns `false` if writing fails.
  mutating func keep(_ line: ArraySlice<UInt8>) -> Bool {
    total += 1
    return write(line)
  }

  /// Writes lines to the file of rejects. Returns `false` if writing fails.
  func write(_ lines: ArraySlice<UInt8>) -> Bool {
    guard let rejects, !lines.isEmpty else { return true }
    return rejects.write(lines, flushing: areReportedAtOnce)
  }

  /// Adds the counts of a batch about lines that were not parsed.
  mutating func add(_ batch: Batch) {
    if batch.tally.isRulingOut { ruledOut += batch.tally.ruledOut }
    undecided.add(batch.tally.undecided)
    areAmongChecked = areAmongChecked || batch.tally.isRulingOut
    ruleOutLines = ruleOutLines || areAmongChecked
  }

  /// Reports the bad records of a file on standard error: the first in full, then the number. Resets the state for the
  /// next file.
  ///
  /// - Parameter file: `nil` for all files together.
  mutating func report(_ file: InputFile?) {
    let prefix = file.map { "\($0.displayName): " } ?? ""
    defer { areAmongChecked = false }
    guard count > 0 else { return }
    for report in first { report.write() }
    let records = count == 1 ? "1 bad record was" : "\(count) bad records were"
    if let inline {
      let rows = count == 1 ? "written as a row" : "written as rows"
      ErrorReport.write("\(prefix)\(records) \(rows) with the name '\(inline.utf8.printable)'")
    } else {
      let destination = rejects.flatMap { $0.hasFailed ? nil : " and written to \($0.name)" } ?? ""
      ErrorReport.write("\(prefix)\(records) skipped\(destination); --on-error stop ends at the first")
      if let advice = first.lazy.compactMap(\.recordAdvice).first {
        ErrorReport.write(prefix + advice)
      }
    }
    if areAmongChecked {
      let hint = prefilter == .always ? "" : "; --max-errors and --rejects validate all"
      ErrorReport.write("\(prefix)lines that cannot match were not validated\(hint)")
    }
    reportLimit(prefix)
    count = 0
    first = []
  }

  /// Reports that the maximum number of errors was exceeded, if it was.
  func reportLimit(_ prefix: String = "") {
    guard areTooMany, let maxErrors else { return }
    let noun = maxErrors == 1 ? "error" : "errors"
    ErrorReport.write("\(prefix)reading stopped: more than \(maxErrors) \(noun) (--max-errors)")
  }

  /// Completes the file of bad records. Returns `false` on failure.
  func finish() -> Bool {
    SkippedLineReport.report()
    return rejects?.finish() ?? true
  }
}
