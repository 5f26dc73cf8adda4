import JSONSift

/// Stores that `--from-offset` is in the middle of a line, that a compressed file cannot be divided, or that one may have been
/// cut. The reader that detects it may belong to a worker, so the report is written at the end of the run. A run with the options
/// of the first two has only one file.
enum SkippedLineReport {
  private static let found = Lock<(offset: Int, next: Int)?>(nil)
  private static let indivisible = Lock<CompressedFormat?>(nil)
  private static let cut = Lock<Set<String>>([])

  /// Stores that a file of BGZF, or standard input, lacks its last block.
  static func noteCut(_ file: String?) {
    let name = file.map { $0.utf8.printable } ?? "standard input"
    cut.withLock { _ = $0.insert(name) }
  }

  /// Returns the same source, which stores the skipped line and the format here.
  static func noting(_ source: JSONSource) -> JSONSource {
    source.whenLineIsSkipped { offset, next in found.withLock { $0 = (offset, next) } }
      .whenPartIsIndivisible { format in indivisible.withLock { $0 = format } }
  }

  /// Reports what was stored, once.
  static func report() {
    let names = cut.withLock { names in
      defer { names = [] }
      return names.sorted()
    }
    for name in names {
      ErrorReport.write("\(name): the empty block that ends a file of BGZF is missing; the file may have been cut")
    }
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
