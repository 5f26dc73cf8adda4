/// Validates that records are JSON before they are scanned or skipped. Only undecided records are parsed.
///
/// An *undecided place* is a position at which the validation cannot decide whether the text is valid. The parser reads an
/// undecided record from its start, so only the parser reports errors. Lines are validated many at a time, other records one
/// by one when they are cut. An undecided place costs as much as parsing a short record. So while undecided places are near
/// each other, the parser reads a region of records after each, which doubles with each undecided place.
struct RecordValidation: ~Copyable {
  /// What is validated, in the order of the cases: lines, to skip them; lines that a condition rules out; lines, to scan them;
  /// single records, to skip them; single records, to scan them.
  enum Use { case skippedLines, ruledOutLines, lines, skippedRecords, records }

  let use: Use
  private var scan: ValidationScan
  /// The maximum length of a validated record. A longer one may need a larger tape than is allowed.
  private let maxRecordLength: Int
  /// The lines up to this offset are validated.
  private(set) var validatedEnd = 0
  /// The parser reads the lines that begin before this offset.
  private(set) var parsedEnd = 0
  /// The number of bytes that the parser reads after an undecided place. For lines, the undecided line is included.
  private var region = 0
  /// For single records: the number of bytes left for the parser, and the number validated since the last undecided place.
  private var bytesLeft = 0
  private var validatedBytes = 0
  private(set) var undecided = UndecidedText()
  /// The lines up to this offset were validated by another reader, which counts them.
  private var trustedEnd = 0
  /// The index of the lines that were validated last, if lines are scanned.
  private var index = TokenIndex(isLines: true)
  private var isIndexed = false
  /// The number of skipped records. A record for which null is returned is not counted.
  fileprivate(set) var skippedRecords = 0

  /// - Returns: `nil` if the environment disables the validation.
  init?(_ use: Use, _ reading: JSONOptions) {
    guard ValidationScan.isOn else { return nil }
    var limits = reading.limits
    limits.recordBytes = min(limits.recordBytes, limits.tapeBytes / Self.maxTapeBytes)
    maxRecordLength = limits.recordBytes
    self.use = use
    scan = ValidationScan(isLines: use.isOfLines, limits: limits)
  }

  private static let minRegion = Sizes.of(1 << 8, fuzzing: 8)
  private static let maxRegion = Sizes.of(1 << 16, fuzzing: 64)

  /// The maximum number of tape bytes for each byte of text.
  private static let maxTapeBytes = 64

  /// Resets the state after the last undecided place: the next lines may begin at any offset.
  mutating func begin() {
    validatedEnd = 0
    parsedEnd = 0
    trustedEnd = 0
    region = 0
    index.forget()
  }

  /// Whether all lines up to an offset are validated, since the start.
  func hasValidated(to end: Int) -> Bool { use == .lines && parsedEnd == 0 && validatedEnd >= end }

  fileprivate mutating func trust(to end: Int) { trustedEnd = end }

  /// From now on lines are validated without an index, until they are scanned again.
  fileprivate mutating func forgetTokens() { isIndexed = false }

  /// Accepts lines that are known to be valid, if no index of them is needed. Returns whether it did.
  fileprivate mutating func accept(to end: Int) -> Bool {
    guard use == .lines, !isIndexed else { return false }
    validatedEnd = end
    return true
  }

  /// Scans validated lines. From then on, their validation writes the index for it.
  fileprivate mutating func scan(
    _ lines: UnsafeRawBufferPointer, at offset: Int, _ scan: inout LineScan, along trie: inout PathTrie
  ) -> Int {
    isIndexed = true
    return unsafe scan.read(lines, at: offset, &index, along: &trie)
  }

  /// Records an undecided place after `validated` valid bytes.
  private mutating func undecided(after validated: Int) {
    undecided.add(scan.undecided)
    region = validated < max(region, Self.minRegion) ? min(max(region * 2, Self.minRegion), Self.maxRegion) : 0
  }

  /// Counts a line that the parser reads.
  mutating func parsed(_ bytes: Int, at offset: Int) { if offset < parsedEnd { undecided.add(bytes: bytes) } }

  /// Validates lines. Returns the number of bytes, lines and records before the first undecided place.
  mutating func validate(_ lines: UnsafeRawBufferPointer, at offset: Int) -> (bytes: Int, lines: Int, records: Int) {
    if offset + lines.count <= trustedEnd {
      // One record stands for all of them.
      validatedEnd = offset + lines.count
      return unsafe (lines.count, ByteScan.countLineFeeds(lines), 1)
    }
    scan.resume(atLine: offset)
    let (firstLine, firstRecord) = (scan.line, scan.records)
    var passed = isIndexed ? unsafe scan.run(lines, writing: &index) : unsafe scan.run(lines)
    if scan.undecided != nil {
      passed = scan.lineStart - offset
      undecided(after: passed)
      parsedEnd = scan.lineStart + max(region, 1)
    }
    validatedEnd = offset + passed
    return (passed, scan.line - firstLine, scan.records - firstRecord)
  }

  /// Returns whether these bytes are known to be one value.
  mutating func validates(_ record: UnsafeRawBufferPointer) -> Bool {
    guard !use.isOfLines, record.count <= maxRecordLength else { return false }
    guard bytesLeft <= 0 else {
      bytesLeft -= record.count
      undecided.add(bytes: record.count)
      return false
    }
    scan.resume(at: .start)
    if unsafe scan.run(record) == record.count, scan.finish() {
      validatedBytes += record.count
      return true
    }
    undecided(after: validatedBytes)
    undecided.add(bytes: record.count)
    validatedBytes = 0
    bytesLeft = region
    return false
  }
}

extension JSONRecordReader {
  /// Counts the records from here to the end of the stream, without returning them. A kernel validates that they are JSON; only
  /// undecided records are parsed, which are usually the bad ones.
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
    skipValidated()
    defer { validation = nil }
    var count = 0
    while try next() != nil { count += 1 }
    return count + skippedRecords
  }

  /// Switches to skipping: from now on the reader skips records that are JSON, or returns null for them. For lines, one null
  /// represents all lines of one read, so that a counting caller can stop.
  package mutating func skipValidated() {
    let validatesLines = cutsLines && !skipsPrefix
    guard validatesLines || type(of: framer).validatesRecords else { return }
    validation = RecordValidation(validatesLines ? .skippedLines : .skippedRecords, options.reading)
  }

  /// Switches to validating: from now on records are validated before they are scanned. Returns `false` if that is not
  /// possible.
  mutating func validateRecords() -> Bool {
    let validatesLines = cutsLines && !skipsPrefix
    guard validatesLines || type(of: framer).validatesRecords else { return false }
    validation = RecordValidation(validatesLines ? .lines : .records, options.reading)
    return validation != nil
  }

  /// The number of records that were skipped without returning null for them.
  package var skippedRecords: Int { validation.borrow { $0.skippedRecords } ?? 0 }

  /// Whether all lines of a block that was read to its end are JSON.
  var hasValidatedAll: Bool { validation.borrow { $0.hasValidated(to: window.offset + window.count) } ?? false }

  /// Skips the lines of a block without validating them, after another reader with the same limits has validated all.
  mutating func trustLines() { validation?.trust(to: window.offset + window.count) }

  /// The undecided places of the validation.
  var undecided: UndecidedText { validation.borrow { $0.undecided } ?? UndecidedText() }

  /// Skips the complete validated lines, up to the first unvalidated one. Returns whether they held a record.
  mutating func skipValidatedLines() -> Bool {
    guard window.offset >= validation?.parsedEnd ?? 0, let lines = unsafe completeLines(),
      let passed = unsafe validation?.validate(lines, at: window.offset)
    else { return false }
    let validated = unsafe UnsafeRawBufferPointer(rebasing: lines[..<passed.bytes])
    unsafe copier?.copy(lines: validated)
    unsafe tapeWords?.pass(lines: validated)
    use(passed.bytes, lines: passed.lines)
    guard passed.records > 0 else { return false }
    // One null is returned for all of these records, and counts as one.
    validation?.skippedRecords += passed.records - 1
    return true
  }

  /// Validates the complete lines of the window up to the first undecided place, if that has not been done.
  mutating func validateLines() {
    guard window.offset >= validation?.validatedEnd ?? 0, window.offset >= validation?.parsedEnd ?? 0,
      let lines = unsafe completeLines()
    else { return }
    // The lines of a merge were validated to find their times.
    if let end = window.origins?.validatedEnd(from: window.offset), end > window.offset,
      validation?.accept(to: min(end, window.offset + lines.count)) == true
    {
      return
    }
    _ = unsafe validation?.validate(lines, at: window.offset)
  }

  /// From now on lines are validated without an index, until they are scanned again.
  mutating func forgetTokens() { validation?.forgetTokens() }

  /// Finds values in validated lines. See ``LineScan``.
  ///
  /// - Returns: The number of used bytes, all in complete lines.
  mutating func scan(
    _ lines: UnsafeRawBufferPointer, at offset: Int, _ scan: inout LineScan, along trie: inout PathTrie
  ) -> Int {
    unsafe validation?.scan(lines, at: offset, &scan, along: &trie) ?? 0
  }

  /// Returns whether a record is validated, as a line that was validated with others.
  func trust(inLine bytes: UnsafeRawBufferPointer) -> DocumentBuilder.Trust {
    let end = validation.borrow { $0.use == .lines ? $0.validatedEnd : -1 } ?? -1
    return recordOffset + bytes.count <= end ? .validated : .unknown
  }

  /// Returns whether a record is known to be JSON after its prefix.
  mutating func isValidated(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    guard validation != nil else { return false }
    let end = validation.borrow { $0.use.isOfLines ? $0.validatedEnd : nil } ?? nil
    if let end { return recordOffset + bytes.count <= end }
    let prefix = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<start])
    guard unsafe ByteScan.textPrefix(prefix) == start else { return false }
    return unsafe validation?.validates(UnsafeRawBufferPointer(rebasing: bytes[start...])) == true
  }
}

extension RecordValidation.Use {
  fileprivate var isOfLines: Bool { self != .records && self != .skippedRecords }
}
