import JSONSift

/// Stores that `--from-offset` is in the middle of a line, that a compressed file cannot be divided, or that one may have been
/// cut. The reader that detects it may belong to a worker, so the report is written at the end of the run. A run with the options
/// of the first two has only one file.
enum SkippedLineReport {
  private struct Notes {
    var skipped: (offset: Int, next: Int)?
    var indivisible: CompressedFormat?
    var cut: Set<String> = []
  }

  private static let notes = Lock(Notes())

  /// Stores that a file of BGZF, or standard input, lacks its last block.
  static func noteCut(_ file: String?) {
    let name = file.map { $0.utf8.printable } ?? "standard input"
    notes.withLock { _ = $0.cut.insert(name) }
  }

  /// Returns the same source, which stores the skipped line and the format here.
  static func noting(_ source: JSONSource) -> JSONSource {
    source.whenLineIsSkipped { offset, next in notes.withLock { $0.skipped = (offset, next) } }
      .whenPartIsIndivisible { format in notes.withLock { $0.indivisible = format } }
  }

  /// Reports what was stored, once.
  static func report() {
    let found = notes.withLock { notes in
      defer { notes = Notes() }
      return notes
    }
    for name in found.cut.sorted() {
      ErrorReport.write("\(name): the empty block that ends a file of BGZF is missing; the file may have been cut")
    }
    if let format = found.indivisible {
      let kind = format == .gzip ? "gzip that is not BGZF" : "\(format) of one frame"
      ErrorReport.write(
        "\(kind) cannot be divided: the part that contains byte 0 has all records, and every other part has none")
    }
    guard let (offset, next) = found.skipped else { return }
    ErrorReport.write(
      "--from-offset \(offset) is in the middle of a line; reading began at the next line, at byte \(next)")
  }
}
