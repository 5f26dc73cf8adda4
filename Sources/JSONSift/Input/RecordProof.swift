/// Proves that records are JSON before they are scanned or skipped. Only records in doubt are parsed.
///
/// A *doubt* is a position at which the proof cannot decide whether the text is valid. The parser reads a record in doubt
/// from its start, so only the parser reports errors. Lines are proven many at a time, other records one by one when they
/// are cut. A doubt costs as much as parsing a short record. So while doubts are near each other, the parser reads a region
/// of records after each, which doubles with each doubt.
struct RecordProof: ~Copyable {
  /// What is proven, in the order of the cases: lines, to skip them; lines that a condition rules out; lines, to scan them;
  /// single records, to skip them; single records, to scan them.
  enum Use { case skippedLines, ruledOutLines, lines, skippedRecords, records }

  let use: Use
  private var scan: ProofScan
  /// The maximum length of a proven record. A longer one may need a larger tape than is allowed.
  private let maxRecordLength: Int
  /// The lines up to this offset are proven.
  private(set) var provenEnd = 0
  /// The parser reads the lines that begin before this offset.
  private(set) var parsedEnd = 0
  /// The number of bytes that the parser reads after a doubt. For lines, the one in doubt is included.
  private var region = 0
  /// For single records: the number of bytes left for the parser, and the number proven since the last doubt.
  private var bytesLeft = 0
  private var provenBytes = 0
  private(set) var doubts = ProofDoubts()
  /// The index of the lines that were proven last, if lines are scanned.
  private var index = TokenIndex(isLines: true)
  private var isIndexed = false
  /// The number of skipped records. A record for which null is returned is not counted.
  fileprivate(set) var skippedRecords = 0

  /// - Returns: `nil` if the environment disables the proof.
  init?(_ use: Use, _ reading: JSONOptions) {
    guard ProofScan.isOn else { return nil }
    var limits = reading.limits
    limits.recordBytes = min(limits.recordBytes, limits.tapeBytes / Self.maxTapeBytes)
    maxRecordLength = limits.recordBytes
    self.use = use
    scan = ProofScan(isLines: use.isOfLines, limits: limits)
  }

  private static let minRegion = Sizes.of(1 << 8, fuzzing: 8)
  private static let maxRegion = Sizes.of(1 << 16, fuzzing: 64)

  /// The maximum number of tape bytes for each byte of text.
  private static let maxTapeBytes = 64

  /// Resets the state after the last doubt: the next lines may begin at any offset.
  mutating func begin() {
    provenEnd = 0
    parsedEnd = 0
    region = 0
    index.forget()
  }

  /// Scans proven lines. From then on, their proof writes the index for it.
  fileprivate mutating func scan(
    _ lines: UnsafeRawBufferPointer, at offset: Int, _ scan: inout LineScan, along trie: inout PathTrie
  ) -> Int {
    isIndexed = true
    return unsafe scan.read(lines, at: offset, &index, along: &trie)
  }

  /// Records a doubt after `proven` bytes that were proven.
  private mutating func doubt(after proven: Int) {
    doubts.add(scan.doubt)
    region = proven < max(region, Self.minRegion) ? min(max(region * 2, Self.minRegion), Self.maxRegion) : 0
  }

  /// Counts a line that the parser reads.
  mutating func parsed(_ bytes: Int, at offset: Int) { if offset < parsedEnd { doubts.add(bytes: bytes) } }

  /// Proves lines. Returns the number of bytes, lines and records before the first doubt.
  mutating func prove(_ lines: UnsafeRawBufferPointer, at offset: Int) -> (bytes: Int, lines: Int, records: Int) {
    scan.resume(atLine: offset)
    let (firstLine, firstRecord) = (scan.line, scan.records)
    var passed = isIndexed ? unsafe scan.run(lines, writing: &index) : unsafe scan.run(lines)
    if scan.doubt != nil {
      passed = scan.lineStart - offset
      doubt(after: passed)
      parsedEnd = scan.lineStart + max(region, 1)
    }
    provenEnd = offset + passed
    return (passed, scan.line - firstLine, scan.records - firstRecord)
  }

  /// Returns whether these bytes are proven to be one value.
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
    doubt(after: provenBytes)
    doubts.add(bytes: record.count)
    provenBytes = 0
    bytesLeft = region
    return false
  }
}

extension JSONRecordReader {
  /// Counts the records from here to the end of the stream, without returning them. A kernel proves that they are JSON; only
  /// records in doubt are parsed, which are usually the bad ones.
  ///
  /// ```swift
  /// var reader = try JSONRecordReader(.path("events.ndjson"))
  /// print(try reader.countRecords())
  /// ```
  ///
  /// - Returns: The number of records that ``next()`` would have returned.
  /// - Throws: The errors of ``next()``; the count of the records before is lost. After a bad record the method can be
  ///   called again, and counts the records after it.
  public mutating func countRecords() throws(JSONError) -> Int {
    skipProven()
    defer { proof = nil }
    var count = 0
    while try next() != nil { count += 1 }
    return count + skippedRecords
  }

  /// Switches to skipping: from now on the reader skips records that are JSON, or returns null for them. For lines, one null
  /// represents all lines of one read, so that a counting caller can stop.
  package mutating func skipProven() {
    let provesLines = cutsLines && !skipsPrefix
    guard provesLines || framer.provesRecords else { return }
    proof = RecordProof(provesLines ? .skippedLines : .skippedRecords, options.reading)
  }

  /// Switches to proving: from now on records are proven to be JSON before they are scanned. Returns `false` if that is not
  /// possible.
  mutating func proveRecords() -> Bool {
    let provesLines = cutsLines && !skipsPrefix
    guard provesLines || framer.provesRecords else { return false }
    proof = RecordProof(provesLines ? .lines : .records, options.reading)
    return proof != nil
  }

  /// The number of records that were skipped without returning null for them.
  package var skippedRecords: Int {
    switch proof {
    case .some(let proof): proof.skippedRecords
    case .none: 0
    }
  }

  /// The doubts of the proof.
  package var doubts: ProofDoubts {
    switch proof {
    case .some(let proof): proof.doubts
    case .none: ProofDoubts()
    }
  }

  /// Skips the complete proven lines, up to the first unproven one. Returns whether they held a record.
  mutating func skipProvenLines() -> Bool {
    guard window.offset >= proof?.parsedEnd ?? 0, let lines = unsafe completeLines(),
      let passed = unsafe proof?.prove(lines, at: window.offset)
    else { return false }
    let proven = unsafe UnsafeRawBufferPointer(rebasing: lines[..<passed.bytes])
    unsafe copier?.copy(lines: proven)
    unsafe shape?.add(lines: proven)
    use(passed.bytes, lines: passed.lines)
    guard passed.records > 0 else { return false }
    // One null is returned for all of these records, and counts as one.
    proof?.skippedRecords += passed.records - 1
    return true
  }

  /// Proves the complete lines of the window up to the first doubt, if that has not been done.
  mutating func proveLines() {
    guard window.offset >= proof?.provenEnd ?? 0, window.offset >= proof?.parsedEnd ?? 0,
      let lines = unsafe completeLines()
    else { return }
    _ = unsafe proof?.prove(lines, at: window.offset)
  }

  /// Finds values in proven lines. See ``LineScan``.
  ///
  /// - Returns: The number of used bytes, all in complete lines.
  mutating func scan(
    _ lines: UnsafeRawBufferPointer, at offset: Int, _ scan: inout LineScan, along trie: inout PathTrie
  ) -> Int {
    unsafe proof?.scan(lines, at: offset, &scan, along: &trie) ?? 0
  }

  /// Returns whether a record is proven, as a line that was proven with others.
  func trust(inLine bytes: UnsafeRawBufferPointer) -> DocumentBuilder.Trust {
    switch proof {
    case .some(let proof) where proof.use == .lines && recordOffset + bytes.count <= proof.provenEnd: .proven
    default: .unknown
    }
  }

  /// Returns whether a record is known to be JSON after its prefix.
  mutating func isProven(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    switch proof {
    case .some(let proof):
      if proof.use.isOfLines { return recordOffset + bytes.count <= proof.provenEnd }
    case .none: return false
    }
    return unsafe proves(bytes, from: start)
  }

  private mutating func proves(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    let prefix = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<start])
    guard unsafe ByteScan.textPrefix(prefix) == start else { return false }
    return unsafe proof?.proves(UnsafeRawBufferPointer(rebasing: bytes[start...])) == true
  }
}

extension RecordProof.Use {
  fileprivate var isOfLines: Bool { self != .records && self != .skippedRecords }
}
