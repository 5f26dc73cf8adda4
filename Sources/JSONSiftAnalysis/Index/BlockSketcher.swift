import JSONSift

/// A block of lines, and a sketch of it for each path.
struct SketchedBlock: Sendable {
  let offset: Int
  let line: Int
  let lineFeeds: Int
  /// The number of records, good and bad, on lines that have a line feed.
  let records: Int
  let isUncertain: Bool
  let hasBadRecords: Bool
  let sketches: [ValueSketch]
}

/// Makes the sketches of one block after another.
final class BlockSketcher {
  private var reader: JSONRecordReader
  private let paths: [JSONPath]
  private var sketchers: [ValueSketcher]
  // Properties of the records of the current block.
  private var isUncertain = false
  private var hasBadRecords = false
  private var records = 0

  /// How the records of an indexed file are read.
  static var options: JSONRecordOptions { JSONRecordOptions(framing: .lines, recovery: .report) }

  init(_ paths: [JSONPath]) throws(JSONError) {
    reader = try JSONRecordReader(blocks: Self.options)
    // Without paths the records are only counted.
    if paths.isEmpty { reader.skipValidated() } else { try reader.keep(only: paths) }
    self.paths = paths
    sketchers = paths.map { _ in ValueSketcher() }
  }

  func read(_ block: LineBlock) throws(JSONError) -> SketchedBlock {
    // Counted before the reader takes the memory of the block.
    let filterBytes = block.byteCount / Self.bytesPerFilterByte
    reader.begin(block)
    defer { reader.end(block) }
    let growingRecords = endsInRecord(block) ? 1 : 0
    (isUncertain, hasBadRecords, records) = (block.skippedBytes > 0, false, -reader.skippedRecords)
    try readRecords()
    records += reader.skippedRecords
    let bits = bitsPerHash(within: filterBytes)
    return SketchedBlock(
      offset: block.offset, line: block.line, lineFeeds: block.end.line - block.line,
      records: records - growingRecords,
      isUncertain: isUncertain, hasBadRecords: hasBadRecords,
      sketches: sketchers.indices.map { sketchers[$0].finish(bitsPerHash: bits) })
  }

  /// The number of bytes of a block for each byte of its filters, so that an index is at most one percent of the file.
  private static let bytesPerFilterByte = 106

  /// Returns the number of bits per hash with which all filters together have at most `bytes` bytes. Paths whose values
  /// rise within the block are not counted: such values usually rise through the whole file, and then their filters are
  /// dropped.
  private func bitsPerHash(within bytes: Int) -> Int {
    var hashes = 0
    for path in sketchers.indices where !sketchers[path].isRising { hashes += sketchers[path].distinct }
    return min(max(bytes * 8 / max(hashes, 1), 1), BloomFilter.maxBitsPerHash)
  }

  /// Adds the values of all records to the sketches.
  private func readRecords() throws(JSONError) {
    while true {
      let count = unsafe reader.borrowRows { path, text in
        unsafe sketchers[path].add(text)
      } endRow: {
        true
      }
      records += count
      if count > 0 { continue }
      guard let result = try reader.nextResult() else { return }
      records += 1
      switch result {
      case .success(let record): add(record.value)
      case .failure(let bad):
        if Self.dependsOnOptions(bad.error) { isUncertain = true } else { hasBadRecords = true }
      }
    }
  }

  /// Returns whether a reader of lines with other limits or options may accept the record.
  private static func dependsOnOptions(_ error: JSONError) -> Bool {
    switch error.code {
    case .unexpectedByte, .unexpectedEnd, .trailingContent, .missingSeparator, .invalidNumber, .invalidLiteral,
      .controlCharacter, .invalidEscape, .invalidUTF8:
      false
    default: true
    }
  }

  /// Adds the values of a record that the kernel does not accept.
  private func add(_ record: JSON) {
    do throws(JSONError) {
      let values = PathEvaluations(of: record, count: paths.count, limits: JSONLimits())
      for (number, path) in paths.enumerated() {
        guard let value = try values.value(ofSingular: path) else { continue }
        let text = try value.bytes()
        unsafe text.withUnsafeBytes { unsafe sketchers[number].add($0) }
      }
    } catch {
      isUncertain = true
    }
  }

  /// Whether the last line of the block that the reader has begun has no line feed, and is not blank.
  private func endsInRecord(_ block: LineBlock) -> Bool {
    guard block.skippedBytes == 0 else { return block.end.line == block.line }
    let text = unsafe reader.window.bytes
    let last = unsafe UnsafeRawBufferPointer(rebasing: text[(ByteScan.lastLineFeed(text).map { $0 + 1 } ?? 0)...])
    return unsafe ByteScan.whitespacePrefix(last) < last.count
  }
}
