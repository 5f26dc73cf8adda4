import JSONSift

/// The bad records of a run: those of one file that were skipped, and how many there were in all files.
struct BadRecords {
  private let rejects: Rejects?
  private let most: Int?
  private let isFast: Bool
  private(set) var total = 0
  private var count = 0
  /// Lines that were not parsed, of all files.
  private(set) var ruledOut = 0
  /// Where what nobody needs was parsed, in all files.
  private(set) var doubts = ProofDoubts()
  /// Of this file only those are known that stand in lines that can match.
  private var areAmongChecked = false
  /// The same of some file.
  private(set) var ruleOutLines = false
  private var first: [ErrorReport] = []
  /// How many are reported in full.
  static let shown = 3
  /// They are reported as they come: the end of the file may never be read.
  private let areReportedAtOnce: Bool

  init(_ options: ReadingOptions, _ files: [InputFile], reportingAtOnce areReportedAtOnce: Bool) throws {
    rejects = try options.rejects.map { try Rejects($0, reading: files) }
    most = options.maxErrors
    isFast = options.fast
    self.areReportedAtOnce = areReportedAtOnce
    if let rejects { unsafe Output.standard.beforeEnd = { rejects.finish() } }
  }

  /// Bad records are written to a file.
  var keepsRejects: Bool { rejects != nil }

  var areTooMany: Bool { total > most ?? .max }

  /// The report of the next one may be shown.
  var wantsReports: Bool { areReportedAtOnce || first.count < Self.shown }

  /// Counts one that is skipped.
  mutating func add(_ report: ErrorReport?) {
    count += 1
    guard let report else { return }
    if areReportedAtOnce { return report.write() }
    if first.count < Self.shown { first.append(report) }
  }

  /// Counts a bad record, and puts it aside. Returns false if that cannot be done.
  mutating func keep(_ line: ArraySlice<UInt8>) -> Bool {
    total += 1
    guard let rejects, !line.isEmpty else { return true }
    do throws(JSONError) {
      try rejects.write(line)
      if areReportedAtOnce { try rejects.flush() }
      return true
    } catch {
      ErrorReport.write("jsift: \(rejects.name): \(error.message)")
      return false
    }
  }

  /// Notes what a part says of lines that were not parsed.
  mutating func add(_ part: Part) {
    ruledOut += part.ruledOut
    doubts.add(part.doubts)
    areAmongChecked = areAmongChecked || part.rulesOutLines
    ruleOutLines = ruleOutLines || areAmongChecked
  }

  /// Reports those of a file on standard error: the first in full, then how many. What comes then is another file.
  mutating func report(_ file: InputFile) {
    defer { areAmongChecked = false }
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

  /// Reports that there were more than are allowed, where each was written and none skipped.
  func reportLimit() {
    guard areTooMany, let most else { return }
    ErrorReport.write("jsift: the reading has stopped there: --max-errors allows \(most), found one more")
  }

  /// Completes the file of bad records. Returns false if that cannot be done.
  func finish() -> Bool {
    LineSkip.report()
    return rejects?.finish() ?? true
  }
}
