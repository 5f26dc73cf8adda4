/// Proves records before they are gone over or passed over. Only those in doubt are parsed.
///
/// The parser reads a record in doubt from its start, so only the parser reports errors. Lines are proven many at a time,
/// other records one by one, when they are cut. While doubts follow each other, the parser reads more and more records behind
/// each, since a doubt costs as much as a short record.
struct RecordProof: ~Copyable {
  /// What is proven: all lines, which are passed over; those that a condition rules out; all lines, which are gone over; single
  /// records that were cut, which are passed over or gone over.
  enum Use { case passedLines, ruledOutLines, lines, passedRecords, records }

  let use: Use
  private var scan: ProofScan
  /// A longer record may need a larger index than is allowed.
  private let maxRecordLength: Int
  /// Up to this offset the lines are proven.
  private(set) var provenEnd = 0
  /// The parser reads the lines that begin before this offset.
  private(set) var parsedEnd = 0
  /// How many bytes the parser reads behind a doubt; of lines, the one in doubt is among them.
  private var region = 0
  /// Of single records: how many bytes are left of these, and how many were proven behind the last doubt.
  private var bytesLeft = 0
  private var provenBytes = 0
  private(set) var doubts = ProofDoubts()
  /// How many records were passed over. One that is handed out as null is none of them.
  fileprivate(set) var passedRecords = 0

  /// - Returns: `nil` if the environment switches the proof off.
  init?(_ use: Use, _ reading: JSONOptions) {
    guard ProofScan.isOn else { return nil }
    var limits = reading.limits
    limits.recordBytes = min(limits.recordBytes, limits.tapeBytes / Self.maxTapeBytes)
    maxRecordLength = limits.recordBytes
    self.use = use
    scan = ProofScan(isLines: use.isOfLines, limits: limits)
  }

  private static let minRegion = 1 << 8
  private static let maxRegion = 1 << 16

  /// A tape needs at most this many bytes for each byte of its text.
  private static let maxTapeBytes = 64

  /// Forgets the last doubt: the next lines may begin at any offset.
  mutating func begin() {
    provenEnd = 0
    parsedEnd = 0
    region = 0
  }

  /// Notes a doubt behind so many bytes that were proven.
  private mutating func doubt(behind proven: Int) {
    doubts.add(scan.doubt)
    region = proven < max(region, Self.minRegion) ? min(max(region * 2, Self.minRegion), Self.maxRegion) : 0
  }

  /// Counts a line that the parser reads.
  mutating func parsed(_ bytes: Int, at offset: Int) { if offset < parsedEnd { doubts.add(bytes: bytes) } }

  /// Proves lines. Returns how many bytes, lines and records there are before the first in doubt.
  mutating func pass(_ lines: UnsafeRawBufferPointer, at offset: Int) -> (bytes: Int, lines: Int, records: Int) {
    scan.resume(atLine: offset)
    let (firstLine, firstRecord) = (scan.line, scan.records)
    var passed = unsafe scan.run(lines)
    if scan.doubt != nil {
      passed = scan.lineStart - offset
      doubt(behind: passed)
      parsedEnd = scan.lineStart + max(region, 1)
    }
    provenEnd = offset + passed
    return (passed, scan.line - firstLine, scan.records - firstRecord)
  }

  /// Whether these bytes are one value.
  mutating func proves(_ record: UnsafeRawBufferPointer) -> Bool {
    guard !use.isOfLines, record.count <= maxRecordLength else { return false }
    guard bytesLeft <= 0 else {
      bytesLeft -= record.count
      doubts.add(bytes: record.count)
      return false
    }
    scan.resume(at: .start)
    if unsafe scan.run(record) == record.count, scan.finish() {
      provenBytes += record.count
      return true
    }
    doubt(behind: provenBytes)
    doubts.add(bytes: record.count)
    provenBytes = 0
    bytesLeft = region
    return false
  }
}

extension JSONRecordReader {
  /// Counts the records from here to the end of the stream. None is handed out. A kernel proves that they are JSON, and only
  /// those in doubt are parsed: bad ones, as a rule.
  ///
  /// ```swift
  /// var reader = try JSONRecordReader(.path("events.ndjson"))
  /// print(try reader.countRecords())
  /// ```
  ///
  /// - Returns: How many times ``next()`` would have returned a record.
  /// - Throws: What ``next()`` throws; how many came before that is lost. It can be called again behind a bad record, and counts
  ///   those behind it.
  public mutating func countRecords() throws(JSONError) -> Int {
    passProven()
    defer { proof = nil }
    var count = 0
    while try next() != nil { count += 1 }
    return count + passedRecords
  }

  /// From now on the reader passes over records that are JSON, or hands out null for them: of lines one null for those that
  /// came with one read, so that whoever counts them can stop.
  package mutating func passProven() {
    let provesLines = cutsLines && !skipsPrefix
    guard provesLines || framer.provesRecords else { return }
    proof = RecordProof(provesLines ? .passedLines : .passedRecords, options.reading)
  }

  /// From now on records are proven to be JSON, so that whoever goes over them need not ask. `false` if they cannot be.
  mutating func proveRecords() -> Bool {
    let provesLines = cutsLines && !skipsPrefix
    guard provesLines || framer.provesRecords else { return false }
    proof = RecordProof(provesLines ? .lines : .records, options.reading)
    return proof != nil
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

  /// Goes past the whole lines that are proven, up to the first that is not. Returns whether there was a record in them.
  mutating func passProvenLines() -> Bool {
    guard window.offset >= proof?.parsedEnd ?? 0, let lines = unsafe completeLines(),
      let passed = unsafe proof?.pass(lines, at: window.offset)
    else { return false }
    let proven = unsafe UnsafeRawBufferPointer(rebasing: lines[..<passed.bytes])
    unsafe copier?.copy(lines: proven)
    unsafe shape?.add(lines: proven)
    use(passed.bytes, lines: passed.lines)
    guard passed.records > 0 else { return false }
    // One is handed out.
    proof?.passedRecords += passed.records - 1
    return true
  }

  /// Proves the whole lines of the window, up to the first in doubt, if that has not been done.
  mutating func proveLines() {
    guard window.offset >= proof?.provenEnd ?? 0, window.offset >= proof?.parsedEnd ?? 0,
      let lines = unsafe completeLines()
    else { return }
    _ = unsafe proof?.pass(lines, at: window.offset)
    validOffset = max(validOffset, proof?.provenEnd ?? 0)
  }

  /// What is known of a record, if it is a line that was proven with others.
  func trust(inLine bytes: UnsafeRawBufferPointer, _ isValidText: Bool) -> DocumentBuilder.Trust {
    switch proof {
    case .some(let proof) where proof.use == .lines && recordOffset + bytes.count <= proof.provenEnd: .proven
    default: isValidText ? .validText : .unknown
    }
  }

  /// Whether a record is known to be JSON behind its prefix.
  mutating func isProven(_ bytes: UnsafeRawBufferPointer, from start: Int, isValidText: Bool) -> Bool {
    switch proof {
    case .some(let proof):
      if proof.use.isOfLines { return recordOffset + bytes.count <= proof.provenEnd }
    case .none: return false
    }
    return unsafe proves(bytes, from: start, isValidText: isValidText)
  }

  private mutating func proves(_ bytes: UnsafeRawBufferPointer, from start: Int, isValidText: Bool) -> Bool {
    let prefix = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<start])
    guard unsafe isValidText || ByteScan.textPrefix(prefix) == start else { return false }
    return unsafe proof?.proves(UnsafeRawBufferPointer(rebasing: bytes[start...])) == true
  }
}

extension RecordProof.Use {
  fileprivate var isOfLines: Bool { self != .records && self != .passedRecords }
}
