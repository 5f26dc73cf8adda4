import JSONSift

/// Stores that `--from-offset` is in the middle of a line, or that a compressed file cannot be divided. The reader that
/// detects it may belong to a worker, so the report is written at the end of the run. A run with these options has only one
/// file.
enum SkippedLineReport {
  private static let found = Lock<(offset: Int, next: Int)?>(nil)
  private static let indivisible = Lock<CompressedFormat?>(nil)

  /// Returns the same source, which stores the skipped line and the format here.
  static func noting(_ source: JSONSource) -> JSONSource {
    source.whenLineIsSkipped { offset, next in found.withLock { $0 = (offset, next) } }
      .whenPartIsIndivisible { format in indivisible.withLock { $0 = format } }
  }

  /// Reports what was stored, once.
  static func report() {
    if let format = indivisible.withLock({ $0.take() }) {
      let kind = format == .gzip ? "gzip that is not BGZF" : "\(format) of one frame"
      ErrorReport.write(
        "\(kind) cannot be divided: the part that contains byte 0 has all records, and every other part has none")
    }
    let skipped = found.withLock { found in
      defer { found = nil }
      return found
    }
    guard let (offset, next) = skipped else { return }
    ErrorReport.write(
      "--from-offset \(offset) is in the middle of a line; reading began at the next line, at byte \(next)")
  }
}
