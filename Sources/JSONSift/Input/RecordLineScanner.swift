/// Finds the records of a text with one record on each line: the lines that are not blank. The text may be cut anywhere.
package struct RecordLineScanner {
  /// The number of records that have begun. A record begins with its first byte that is not white space.
  private(set) var records = 0
  /// The start of the current line.
  private var current: LinePosition
  /// Whether the current line has only had white space so far.
  private var isBlank = true
  /// Whether only a gap stands before the next byte on its line: NULs there are one, NULs behind a mark are text.
  private var isAtLineStart = true
  /// Whether the last bytes were NULs at the start of a line.
  private var isInGap = false
  /// The number of bytes of a byte order mark at the start of the current line, or behind a gap; `nil` after other bytes.
  private var mark: Int? = 0

  /// - Parameter start: Where the scan begins: the start of a line.
  package init(from start: LinePosition = LinePosition(offset: 0, line: 1)) { current = start }

  /// Scans the next bytes. Calls a closure for each record that begins in them, with the start of its line.
  package mutating func add(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ body: (LinePosition) -> Void = { _ in })
  {
    var index = 0
    while index < bytes.count {
      if isBlank {
        if mark != nil, unsafe bytes[index] >= 0x80 {
          unsafe index += skipMark(UnsafeRawBufferPointer(rebasing: bytes[index...]), body)
          if !isBlank { continue }
          if index == bytes.count { return }
        } else if mark ?? 0 > 0, mark != ByteOrderMark.count {
          // The first bytes of a mark were text.
          begin(body)
          continue
        }
        // For most lines the first byte decides.
        if unsafe bytes[index] <= ASCII.space {
          let blanks = unsafe skipBlank(UnsafeRawBufferPointer(rebasing: bytes[index...]), at: offset + index)
          if blanks > 0 {
            index += blanks
            if unsafe bytes[index - 1] != ASCII.lineFeed {
              (isAtLineStart, isInGap) = (false, false)
              mark = mark == 0 ? nil : mark
            }
            continue
          }
        }
        if unsafe bytes[index] == 0, isAtLineStart {
          unsafe index += skipGap(UnsafeRawBufferPointer(rebasing: bytes[index...]), body)
          continue
        }
        begin(body)
      }
      guard let found = unsafe ByteScan.lineFeed(UnsafeRawBufferPointer(rebasing: bytes[index...])) else { return }
      index += found + 1
      endLine(at: offset + index, lines: 1)
    }
  }

  /// Ends the input. A part of a mark is text, and a mark without anything else in the input, also without a gap, is a text
  /// without a value.
  package mutating func finish(_ body: (LinePosition) -> Void = { _ in }) {
    if let mark, mark > 0, isBlank, mark < ByteOrderMark.count || (current.offset == 0 && !isInGap) { begin(body) }
  }

  private mutating func begin(_ body: (LinePosition) -> Void) {
    isBlank = false
    records += 1
    body(current)
  }

  /// Skips the NULs of a gap, which is a bad record of its own. Returns their number.
  private mutating func skipGap(_ bytes: UnsafeRawBufferPointer, _ body: (LinePosition) -> Void) -> Int {
    if !isInGap {
      records += 1
      body(current)
    }
    isInGap = true
    mark = 0
    return unsafe JSONRecordReader.gapCount(bytes)
  }

  private mutating func endLine(at offset: Int, lines: Int) {
    current = LinePosition(offset: offset, line: current.line + lines)
    isBlank = true
    (isAtLineStart, isInGap) = (true, false)
    mark = 0
  }

  /// Skips white space, also over the ends of lines. Returns the number of bytes.
  private mutating func skipBlank(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    let count = unsafe ByteScan.whitespacePrefix(bytes)
    let blank = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
    if let last = unsafe ByteScan.lastLineFeed(blank) {
      unsafe endLine(at: offset + last + 1, lines: ByteScan.countLineFeeds(blank))
    }
    return count
  }

  /// Returns the number of bytes that belong to a byte order mark at the start of the line.
  private mutating func skipMark(_ bytes: UnsafeRawBufferPointer, _ body: (LinePosition) -> Void) -> Int {
    guard var known = mark, known < ByteOrderMark.count, isBlank else { return 0 }
    var index = 0
    while known < ByteOrderMark.count, index < bytes.count {
      guard unsafe bytes[index] == ByteOrderMark.bytes[known] else {
        mark = nil
        // The first bytes of the mark were text.
        if known > 0 { begin(body) }
        return index
      }
      known += 1
      index += 1
    }
    mark = known
    isAtLineStart = false
    return index
  }
}
