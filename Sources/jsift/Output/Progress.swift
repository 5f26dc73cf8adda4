import JSONSift

/// The progress of reading, on standard error: a bar on a terminal, otherwise a line from time to time.
final class Progress {
  /// The progress that is shown. Messages hide it before they are written.
  ///
  /// SAFETY: the tool uses it on one thread.
  nonisolated(unsafe) static var current: Progress?

  private let isTerminal: Bool
  private let noun: String?
  /// The size of all files, if all sizes are known.
  private let total: Int?
  private var bytes = 0
  private var results = 0
  private var errors = 0
  private var ruledOut = 0
  private var undecided = UndecidedText()
  private let begin = Progress.milliseconds()
  private var reported: Int
  private var isShown = false

  /// - Parameters:
  ///   - noun: The plural name of the counted items; `nil` if the count is not shown.
  ///   - skipped: The number of bytes that are not read.
  /// - Returns: `nil` if no progress is to be shown.
  init?(_ policy: Policy, _ files: [InputFile], counting noun: String?, skipping skipped: Int = 0) {
    isTerminal = isatty(2) == 1
    switch policy {
    case .never: return nil
    // Results on the same terminal would be mixed with the bar.
    case .auto: guard isTerminal, isatty(1) != 1 else { return nil }
    case .always: break
    }
    self.noun = noun
    reported = begin
    let sizes = files.compactMap(\.readSize)
    total = sizes.count == files.count ? max(sizes.reduce(-skipped, +), 0) : nil
  }

  /// Counts the bytes of each read, even if no progress is shown.
  static func read(_ count: Int) {
    unsafe Interruption.bytesRead += count
    unsafe current?.read(count)
  }

  private func read(_ count: Int) {
    bytes += count
    let now = Self.milliseconds()
    guard now - reported >= (isTerminal ? 100 : 1000) else { return }
    reported = now
    show(now)
  }

  func found(_ results: Int, _ errors: BadRecords) {
    self.results = results
    self.errors = errors.total
    ruledOut = errors.ruledOut
    undecided = errors.undecided
  }

  /// Removes the bar at the end; without a terminal, writes a last line.
  func finish() {
    if isTerminal { return hide() }
    show(Self.milliseconds())
  }

  /// Hides the bar until the next update.
  func hide() {
    guard isShown else { return }
    isShown = false
    ErrorReport.put("\r\u{1B}[K")
  }

  private func show(_ now: Int) {
    let text = text(milliseconds: now - begin)
    guard isTerminal else { return ErrorReport.put("jsift: \(text)\n") }
    isShown = true
    let bar = total.map { Self.bar(bytes, of: $0) + " " } ?? ""
    ErrorReport.put("\r\(bar)\(text)\u{1B}[K")
  }

  /// Returns a text such as `1.2 GB of 2.6 GB (46 %), 850 MB/s, 1234567 records, 3 errors, 0:02 left`.
  private func text(milliseconds: Int) -> String {
    let time = max(milliseconds, 1)
    let (rate, overflow) = bytes.multipliedReportingOverflow(by: 1000)
    let perSecond = overflow ? bytes / time * 1000 : rate / time
    var text = Self.size(bytes)
    if let total, total > 0 {
      text += " of \(Self.size(total)) (\(Int(min(Double(bytes) / Double(total), 1) * 100)) %)"
    }
    text += ", \(Self.size(perSecond))/s"
    if let noun { text += ", \(results) \(noun)" }
    text += ", \(errors) \(errors == 1 ? "error" : "errors")"
    if ruledOut > 0 { text += ", \(ruledOut) \(ruledOut == 1 ? "line" : "lines") not validated" }
    if !isTerminal, let first = undecided.first {
      text +=
        ", \(undecided.count) undecided \(undecided.count == 1 ? "place" : "places") (first: \(first)), "
        + "\(Self.size(undecided.bytes)) parsed"
    }
    if let total, perSecond > 0, bytes < total {
      let left = (total - bytes) / perSecond + 1
      text += ", \(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60) left"
    }
    return text
  }

  private static func bar(_ bytes: Int, of total: Int) -> String {
    let width = 20
    let full = min(bytes / max(total / width, 1), width)
    return "[" + String(repeating: "#", count: full) + String(repeating: " ", count: width - full) + "]"
  }

  private static func size(_ bytes: Int) -> String {
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    var unit = 0
    var value = bytes
    var rest = 0
    while value >= 1000, unit < units.count - 1 {
      rest = value % 1000
      value /= 1000
      unit += 1
    }
    return unit > 0 && value < 10 ? "\(value).\(rest / 100) \(units[unit])" : "\(value) \(units[unit])"
  }

  private static let start = ContinuousClock.now

  private static func milliseconds() -> Int {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
