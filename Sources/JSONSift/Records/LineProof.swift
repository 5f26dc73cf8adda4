/// Proves whole lines whose records nobody needs. Only lines in doubt are parsed.
///
/// The parser reads a line in doubt from its start, and the proof goes on behind it. Only the parser reports errors.
struct LineProof: ~Copyable {
  private var scan: ProofScan
  /// The parser reads the line that begins here.
  fileprivate var doubtedLine = -1

  /// - Returns: `nil` where a proven line could still be refused, or the proof is switched off.
  init?(_ options: JSONRecordOptions) {
    guard !options.skipsPrefix, ProofScan.isOn else { return nil }
    // A longer line may need a larger index than is allowed.
    var limits = options.reading.limits
    limits.recordBytes = min(limits.recordBytes, limits.tapeBytes / Self.mostTapeBytes)
    scan = ProofScan(isLines: true, limits: limits)
  }

  /// A tape needs at most this many bytes for each byte of its text.
  private static let mostTapeBytes = 64

  /// Forgets the line in doubt: the next lines may begin at any offset.
  mutating func begin() { doubtedLine = -1 }

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
  /// From now on the reader passes over lines that are JSON.
  mutating func passProven() { if cut == .lines { proof = LineProof(options) } }

  /// Goes past the whole lines that are proven, up to the first that is not.
  mutating func passProvenLines() {
    guard proof?.doubtedLine != window.offset, let lines = unsafe completeLines(),
      let passed = unsafe proof?.pass(lines, at: window.offset)
    else { return }
    use(passed.bytes, lines: passed.lines)
  }
}
