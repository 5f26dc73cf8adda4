/// The end of a range of the input: the byte that separates records, and where to look for it.
struct RangeEnd {
  /// The upper bound of the range.
  let offset: Int
  let separator: RecordSeparator
}

/// The byte at which a range of the input is aligned.
package enum RecordSeparator: Sendable {
  /// A record begins after it.
  case lineFeed
  /// A record begins with it.
  case recordSeparator

  /// Returns `nil` for a framing whose records cannot be found from the middle of the input.
  init?(_ framing: JSONFraming) {
    switch framing {
    case .lines: self = .lineFeed
    case .textSequence: self = .recordSeparator
    default: return nil
    }
  }

  private var byte: UInt8 { self == .lineFeed ? ASCII.lineFeed : ASCII.recordSeparator }

  /// The number of bytes of the separator that belong to the record before it.
  private var length: Int { self == .lineFeed ? 1 : 0 }

  /// The offset from which to search for the first record that begins at or after `offset`.
  func searchStart(for offset: Int) -> Int { max(offset - length, 0) }

  /// Returns the index at which a record begins after the first separator; `nil` without one.
  package func nextStart(in bytes: UnsafeRawBufferPointer) -> Int? {
    let found = unsafe self == .lineFeed ? ByteScan.lineFeed(bytes) : bytes.firstOffset(of: byte)
    return found.map { $0 + length }
  }
}

extension ReadWindow {
  /// Advances to the first record, if the reader does not begin at the start of the input.
  ///
  /// - Parameters:
  ///   - options: The options, which may contain a range.
  ///   - framing: How the stream is cut.
  ///   - checkpoint: Where another reader stopped.
  /// - Returns: Whether the record is reached. If not, the source has no bytes yet, and the caller waits and calls again.
  /// - Throws: ``JSONError/Code/unreadable`` if the input ends before, or has no ranges.
  package mutating func skipToStart(
    _ options: JSONRecordOptions, _ framing: JSONFraming, resumingAt checkpoint: JSONCheckpoint?
  ) throws(JSONError) -> Bool {
    if let range = options.range {
      try JSONError.converting(try skip(to: range, framing, resumingAt: checkpoint)) { $0.naming(file) }
      return true
    }
    guard let checkpoint else { return true }
    return try skip(to: checkpoint, framing)
  }

  /// Advances to the first record of a range, and ends the window after the last one.
  private mutating func skip(
    to range: JSONInputRange, _ framing: JSONFraming, resumingAt checkpoint: JSONCheckpoint?
  ) throws(JSONError) {
    guard let separator = RecordSeparator(framing) else {
      throw JSONError(.unreadable, at: 0, .noRanges(framing: framing.description))
    }
    if let part = try beginPart(range, separator) {
      return try skip(to: part, of: range, framing, separator, resumingAt: checkpoint)
    }
    // The first bytes show whether the input is compressed, also if reading begins elsewhere.
    if offset == 0, count == 0, !isHeadKnown { _ = try fill() }
    guard let size = knownSize else { throw .noRandomAccess(isCompressed: isCompressed) }
    guard max(range.lowerBound, range.upperBound ?? 0) <= size else {
      throw ByteSource.tooShort(size, max(range.lowerBound, range.upperBound ?? 0))
    }
    let end = range.upperBound ?? .max
    var isEmpty = false
    if let checkpoint {
      _ = try skip(to: checkpoint, framing)
      // The rest of a record that another reader began belongs to the range in which the record begins.
      isEmpty = offset >= end && !checkpoint.isInsideRecord
    } else if range.lowerBound > 0 {
      isEmpty = try !skip(toRecordFrom: range.lowerBound, before: end, separator)
    } else {
      isEmpty = end == 0
    }
    if isEmpty { return endInput(keeping: 0) }
    if range.upperBound != nil {
      rangeEnd = RangeEnd(offset: end, separator: separator)
      cutAtEnd(searched: 0)
    }
  }

  /// Advances to the first record that begins at or after `target`. Returns whether it begins before `end`. Stops
  /// reading once it is clear that it does not.
  private mutating func skip(
    toRecordFrom target: Int, before end: Int, _ separator: RecordSeparator
  ) throws(JSONError) -> Bool {
    defer { dropUsed() }
    _ = try skip(to: separator.searchStart(for: target))
    while offset < end {
      if count == 0, try !fill() { return false }
      if let start = unsafe separator.nextStart(in: bytes) {
        use(start)
        return offset < end
      }
      use(count)
    }
    return false
  }

  /// Ends the input at the end of the range, if that is in memory.
  ///
  /// - Parameter searched: The number of unused bytes that were searched before.
  mutating func cutAtEnd(searched: Int) {
    guard let rangeEnd else { return }
    let from = max(rangeEnd.separator.searchStart(for: rangeEnd.offset) - offset, searched)
    guard from < count else { return }
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[from...])
    guard let end = unsafe rangeEnd.separator.nextStart(in: rest) else { return }
    endInput(keeping: from + end)
  }
}
