import JSONSift

/// Appends the values of a column from the texts of many records, with one loop for each type.
extension ArrowColumnData {
  /// A miss, with the number of its row among those that are being appended.
  typealias RowMiss = (row: Int, miss: ArrowStreamWriter.Miss)

  /// Appends the values of a column of borrowed records.
  mutating func append(_ borrowed: borrowing BorrowedColumns, column: Int, _ misses: inout [RowMiss]) {
    switch type {
    case .int64: unsafe appendWords(borrowed, column, &misses) { unsafe ArrowText.int64($0) }
    case .float64:
      unsafe appendWords(borrowed, column, &misses) {
        unsafe ArrowText.float64($0).map { Int64(bitPattern: $0.bitPattern) }
      }
    case .timestamp where numberUnit == nil:
      var day = InternetTime.LastDay()
      unsafe appendWords(borrowed, column, &misses, areNumbers: false) {
        unsafe ArrowText.timestamp($0, .microseconds, &day)
      }
    case .timestampNanoseconds where numberUnit == nil:
      var day = InternetTime.LastDay()
      unsafe appendWords(borrowed, column, &misses, areNumbers: false) {
        unsafe ArrowText.timestamp($0, .nanoseconds, &day)
      }
    case .utf8, .dictionary: appendStrings(borrowed, column, &misses, areStrings: true)
    case .json: appendStrings(borrowed, column, &misses, areStrings: false)
    case .bool, .date, .decimal, .list, .structure, .timestamp, .timestampMilliseconds, .timestampNanoseconds:
      appendEach(borrowed, column, &misses)
    }
  }

  /// Appends values one by one.
  private mutating func appendEach(_ borrowed: borrowing BorrowedColumns, _ column: Int, _ misses: inout [RowMiss]) {
    var found: [ArrowStreamWriter.Miss] = []
    for row in 0..<borrowed.rowCount {
      guard let text = unsafe borrowed.text(column: column, row: row) else {
        appendNull()
        continue
      }
      unsafe append(text, &found)
      guard !found.isEmpty else { continue }
      for miss in found { misses.append((row, miss)) }
      found.removeAll(keepingCapacity: true)
    }
  }

  /// Appends values of one 64-bit word each.
  ///
  /// - Parameter value: Converts a number, or a string with its quotes; `nil` is a miss.
  private mutating func appendWords(
    _ borrowed: borrowing BorrowedColumns, _ column: Int, _ misses: inout [RowMiss], areNumbers: Bool = true,
    _ value: (UnsafeRawBufferPointer) -> Int64?
  ) {
    let (rows, bytes, type) = unsafe (borrowed.rowCount, borrowed.bytes, type)
    // SAFETY: all `rows` elements of both buffers are written before they are appended. Worth it: with two arrays, filling
    // `ArrowRows` with eight columns of the log of Scripts/make-log takes 2 % more instructions (callgrind).
    unsafe withUnsafeTemporaryAllocation(of: Int64.self, capacity: rows) { newWords in
      unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: rows) { flags in
        unsafe borrowed.withExtents(ofColumn: column) { extents in
          for row in 0..<rows {
            let extent = unsafe extents[row]
            let text = unsafe extent.text(in: bytes)
            let first = extent.count > 0 ? unsafe text[0] : UInt8(ascii: "n")
            if areNumbers ? first == UInt8(ascii: "-") || first.isDigit : first == UInt8(ascii: "\""),
              let word = unsafe value(text)
            {
              unsafe newWords[row] = word.littleEndian
              unsafe flags[row] = 1
            } else {
              unsafe newWords[row] = 0
              unsafe flags[row] = 0
              if first != UInt8(ascii: "n") { misses.append((row, unsafe ArrowStreamWriter.Miss(type, text))) }
            }
          }
        }
        unsafe append(words: UnsafeBufferPointer(newWords), valid: UnsafeBufferPointer(flags))
      }
    }
  }

  /// Appends strings without quotes and escapes, or the texts of all values.
  private mutating func appendStrings(
    _ borrowed: borrowing BorrowedColumns, _ column: Int, _ misses: inout [RowMiss], areStrings: Bool
  ) {
    let (rows, bytes, type) = unsafe (borrowed.rowCount, borrowed.bytes, type)
    let quotes = areStrings ? 1 : 0
    unsafe borrowed.withExtents(ofColumn: column) { extents in
      var room = 0
      for row in 0..<rows { unsafe room &+= Int(extents[row].count) }
      guard room <= Self.maxCopiedBytes else { return appendEach(borrowed, column, &misses) }
      // SAFETY: decoding never lengthens a text, so all values fit `room` bytes, and a short copy writes at most one chunk
      // more. `rows` elements of the other buffers are written before they are appended. Worth it: three arrays take 1 % more
      // instructions, counted as in `appendWords`.
      unsafe withUnsafeTemporaryAllocation(
        byteCount: room + Self.chunk, alignment: 16
      ) { values in
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: rows) { newEnds in
          unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: rows) { flags in
            let known = byteCountOfTexts
            var end = 0
            for row in 0..<rows {
              let extent = unsafe extents[row]
              let text = unsafe extent.text(in: bytes)
              let first = extent.count > 0 ? unsafe text[0] : UInt8(ascii: "n")
              var isValid = first != UInt8(ascii: "n")
              if isValid, areStrings, first != UInt8(ascii: "\"") || text.count < 2 {
                misses.append((row, unsafe ArrowStreamWriter.Miss(type, text)))
                isValid = false
              }
              if isValid {
                let start = Int(extent.start) + quotes
                let count = Int(extent.count) - 2 * quotes
                end &+= unsafe Self.copy(bytes, start, count, to: values, end, isEscaped: areStrings)
              }
              unsafe newEnds[row] = Int32(truncatingIfNeeded: known &+ end).littleEndian
              unsafe flags[row] = isValid ? 1 : 0
            }
            unsafe append(
              texts: UnsafeRawBufferPointer(rebasing: values[..<end]), ends: UnsafeBufferPointer(newEnds),
              valid: UnsafeBufferPointer(flags))
          }
        }
      }
    }
  }

  /// Longer texts are appended one by one, without a copy of all of them.
  private static var maxCopiedBytes: Int { 1 << 20 }

  /// The number of bytes that a short text is copied in.
  private static let chunk = 16

  /// Copies a text to `values` at `end`, without escapes if `isEscaped`. Returns its length there.
  private static func copy(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int, to values: UnsafeMutableRawBufferPointer, _ end: Int,
    isEscaped: Bool
  ) -> Int {
    if count <= chunk, bytes.count - start >= chunk {
      // SAFETY: both buffers have a whole chunk here.
      let (low, high) = unsafe (
        bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self),
        bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)
      )
      if !isEscaped || !low.hasBackslash && !high.hasBackslash {
        unsafe values.storeBytes(of: low, toByteOffset: end, as: UInt64.self)
        unsafe values.storeBytes(of: high, toByteOffset: end + 8, as: UInt64.self)
        return count
      }
    }
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)])
    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: values[end..<(end + count)])
    guard isEscaped, unsafe text.firstOffset(of: UInt8(ascii: "\\")) != nil else {
      unsafe target.copyMemory(from: text)
      return count
    }
    return unsafe EscapedText.decode(text, into: target.assumingMemoryBound(to: UInt8.self))
  }
}

extension BorrowedColumns.Extent {
  /// SAFETY: the caller passes the bytes of the columns, in which every extent is.
  fileprivate func text(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: bytes[Int(start)..<(Int(start) &+ Int(count))])
  }
}

extension UInt64 {
  /// Whether one of the eight bytes may be a backslash; `true` if one is.
  fileprivate var hasBackslash: Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let zeros = self ^ (ones &* UInt64(UInt8(ascii: "\\")))
    return (zeros &- ones) & ~zeros & (ones &* 0x80) != 0
  }
}
