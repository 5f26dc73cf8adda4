import JSONSift

/// Records that `--from-offset` was in the middle of a line. The reader that detects it may belong to a worker, so the
/// report is written at the end of the run. There is only one file in this case.
enum SkippedLineReport {
  private static let found = Lock<(offset: Int, next: Int)?>(nil)

  /// Returns the same source, which stores the skipped line here.
  static func noting(_ source: JSONSource) -> JSONSource {
    source.whenLineIsSkipped { offset, next in found.withLock { $0 = (offset, next) } }
  }

  /// Reports the skipped line, once.
  static func report() {
    let skipped = found.withLock { found in
      defer { found = nil }
      return found
    }
    guard let (offset, next) = skipped else { return }
    ErrorReport.write(
      "jsift: --from-offset \(offset) is in the middle of a line; the reading began with the next one, at byte \(next)")
  }
}
