import JSONSift

/// Where `--from-offset` stood in the middle of a line. The reader that finds it may be a worker's, so it is noted, and told
/// when the run ends. There is only one file then.
enum LineSkip {
  private static let found = Lock<(offset: Int, next: Int)?>(nil)

  /// The same source, which says so here.
  static func noting(_ source: JSONSource) -> JSONSource {
    source.whenLineIsPassed { offset, next in found.withLock { $0 = (offset, next) } }
  }

  /// Tells of it, once.
  static func report() {
    let place = found.withLock { found in
      defer { found = nil }
      return found
    }
    guard let (offset, next) = place else { return }
    ErrorReport.write(
      "jsift: --from-offset \(offset) is in the middle of a line; the reading began with the next one, at byte \(next)")
  }
}
