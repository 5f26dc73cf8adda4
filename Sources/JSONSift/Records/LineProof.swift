/// Proves whole lines of which nobody wants a record, so that only those in doubt are parsed.
///
/// The parser is given a line in doubt from its start, and the lines behind it are proven again: what it says of the line is
/// all that is ever told.
struct LineProof: ~Copyable {
  private var scan: ProofScan
  /// The lines up to here are whole.
  fileprivate var linesEnd = 0
  /// The line that begins here is for the parser.
  fileprivate var doubtedLine = -1

  /// - Returns: `nil` where a proven line could still be refused, or the proof is switched off.
  init?(_ options: JSONRecordOptions) {
    guard !options.skipsPrefix, ProofScan.isOn else { return nil }
    // A longer line may need a larger index than is allowed.
    var limits = options.reading.limits
    limits.recordBytes = min(limits.recordBytes, limits.tapeBytes / Self.mostTapeBytes)
    scan = ProofScan(isLines: true, limits: limits)
  }

  /// A tape has at most so many bytes for each byte of a text.
  private static let mostTapeBytes = 64

  /// Other bytes come, at any offset.
  mutating func begin() {
    linesEnd = 0
    doubtedLine = -1
  }

  /// Proves lines. Returns how many bytes and lines there are before the first in doubt.
  fileprivate mutating func pass(_ lines: UnsafeRawBufferPointer, at offset: Int) -> (bytes: Int, lines: Int) {
    scan.resume(atLine: offset)
    let first = scan.line
    let proven = unsafe scan.run(lines)
    guard scan.doubt != nil else { return (proven, scan.line - first) }
    doubtedLine = scan.lineStart
    return (scan.lineStart - offset, scan.line - first)
  }
}

extension JSONRecordReader {
  /// From now on a line that is JSON is passed over: nobody wants its record.
  mutating func passProven() { if cut == .lines { proof = LineProof(options) } }

  /// Goes past the whole lines that are proven, up to the first that is not.
  mutating func passProvenLines() {
    let start = window.offset
    guard let linesEnd = proof?.linesEnd, proof?.doubtedLine != start else { return }
    if start >= linesEnd {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[searched...])
      guard let last = unsafe ByteScan.lastLineFeed(rest) else { return }
      proof?.linesEnd = start + searched + last + 1
    }
    let count = min((proof?.linesEnd ?? 0) - start, window.count)
    let lines = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[..<count])
    guard let passed = unsafe proof?.pass(lines, at: start), passed.bytes > 0 else { return }
    window.use(passed.bytes)
    nextLine += passed.lines
    searched = 0
  }
}
