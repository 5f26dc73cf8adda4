/// Proves records that nobody needs. Only those in doubt are parsed.
///
/// The parser reads a record in doubt from its start, so only the parser reports errors. Lines are proven many at a time,
/// other records one by one, when they are cut.
struct RecordProof: ~Copyable {
  /// What is passed over: all lines, those that a condition rules out, or single records that were cut.
  enum Use { case lines, ruledOutLines, records }

  let use: Use
  private var scan: ProofScan
  /// A longer record may need a larger index than is allowed.
  private let longestRecord: Int
  /// The parser reads the line that begins here.
  private(set) var doubtedLine = -1
  private(set) var doubts = ProofDoubts()
  /// How many records were passed over. One that is handed out as null is none of them.
  private(set) var passedRecords = 0

  /// - Returns: `nil` if the environment switches the proof off.
  init?(_ use: Use, _ reading: JSONOptions) {
    guard ProofScan.isOn else { return nil }
    var limits = reading.limits
    limits.recordBytes = min(limits.recordBytes, limits.tapeBytes / Self.mostTapeBytes)
    longestRecord = limits.recordBytes
    self.use = use
    scan = ProofScan(isLines: use != .records, limits: limits)
  }

  /// A tape needs at most this many bytes for each byte of its text.
  private static let mostTapeBytes = 64

  /// Forgets the line in doubt: the next lines may begin at any offset.
  mutating func begin() { doubtedLine = -1 }

  /// Proves lines. Returns how many bytes and lines there are before the first in doubt.
  mutating func pass(_ lines: UnsafeRawBufferPointer, at offset: Int) -> (bytes: Int, lines: Int) {
    scan.resume(atLine: offset)
    let (firstLine, firstRecord) = (scan.line, scan.records)
    let proven = unsafe scan.run(lines)
    passedRecords += scan.records - firstRecord
    guard scan.doubt != nil else { return (proven, scan.line - firstLine) }
    doubtedLine = scan.lineStart
    let rest = unsafe UnsafeRawBufferPointer(rebasing: lines[(doubtedLine - offset)...])
    unsafe doubts.add(scan.doubt, bytes: ByteScan.lineFeed(rest) ?? rest.count)
    return (scan.lineStart - offset, scan.line - firstLine)
  }

  /// Whether these bytes are one value.
  mutating func proves(_ record: UnsafeRawBufferPointer) -> Bool {
    guard use == .records, record.count <= longestRecord else { return false }
    scan.resume(at: .start)
    if unsafe scan.run(record) == record.count, scan.finish() { return true }
    doubts.add(scan.doubt, bytes: record.count)
    return false
  }
}

extension JSONRecordReader {
  /// Counts the records from here to the end of the stream. None is handed out, and only those are parsed that are not
  /// proven to be JSON at a glance: bad ones, as a rule.
  ///
  /// ```swift
  /// var reader = try JSONRecordReader(.path("events.ndjson"))
  /// print(try reader.countRecords())
  /// ```
  ///
  /// - Returns: How many times ``next()`` would have returned a record.
  /// - Throws: What ``next()`` throws. It can be called again behind a bad record, and counts those behind it.
  public mutating func countRecords() throws(JSONError) -> Int {
    passProven()
    defer { proof = nil }
    var count = 0
    while try next() != nil { count += 1 }
    return count + passedRecords
  }

  /// From now on the reader passes over records that are JSON, or hands out null for them.
  package mutating func passProven() {
    switch cut {
    case .lines: proof = RecordProof(skipsPrefix ? .records : .lines, options.reading)
    case .values, .sequence: proof = RecordProof(.records, options.reading)
    case .document, .children: break
    }
  }

  /// How many records were passed over, and not handed out as null.
  package var passedRecords: Int {
    switch proof {
    case .some(let proof): proof.passedRecords
    case .none: 0
    }
  }

  /// Where the proof was in doubt.
  package var doubts: ProofDoubts {
    switch proof {
    case .some(let proof): proof.doubts
    case .none: ProofDoubts()
    }
  }

  /// Goes past the whole lines that are proven, up to the first that is not.
  mutating func passProvenLines() {
    guard proof?.doubtedLine != window.offset, let lines = unsafe completeLines(),
      let passed = unsafe proof?.pass(lines, at: window.offset)
    else { return }
    use(passed.bytes, lines: passed.lines)
  }

  /// Whether nobody needs this record, and it is JSON behind its prefix.
  mutating func passes(_ bytes: UnsafeRawBufferPointer, from start: Int, isValidText: Bool) -> Bool {
    guard proof != nil else { return false }
    let prefix = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<start])
    guard unsafe isValidText || ByteScan.textPrefix(prefix) == start else { return false }
    return unsafe proof?.proves(UnsafeRawBufferPointer(rebasing: bytes[start...])) == true
  }
}
