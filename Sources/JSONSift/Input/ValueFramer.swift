extension JSONFraming {
  /// One value after another, with white space between two scalars. Reading cannot continue after an error.
  public static var values: JSONFraming { JSONFraming(ValueFramer.self) }
}

enum ValueFramer: RangeFramer {
  static let name = "values"
  static let stopReason: String? = "after a bad value, the start of the next one is unknown"

  static func findRecord(of reader: inout JSONRecordReader) throws(JSONError) -> Int? { try reader.findValue() }

  static func parse(_ bytes: UnsafeRawBufferPointer, of reader: inout JSONRecordReader) throws(JSONError) -> JSONRecord
  {
    do throws(JSONError) {
      let record = try unsafe reader.record(bytes)
      let last = unsafe bytes.last
      reader.touchesNext = last != ASCII.closeBracket && last != ASCII.closeBrace
      return record
    } catch {
      // Two adjacent literals, such as `truefalse`.
      guard error.code == .trailingContent else { throw error }
      throw JSONError(.missingSeparator, at: error.byteOffset, error.payload)
    }
  }
}

extension JSONRecordReader {
  fileprivate mutating func findValue() throws(JSONError) -> Int? {
    if !isOpen {
      guard try skipWhitespace() else {
        guard window.isAtEnd, hasMark, line == 0 else { return nil }
        beginValue()
        isOpen = false
        throw JSONError(.unexpectedEnd, at: window.offset, expected: .value)
      }
      beginValue()
      let first = unsafe window.bytes[0]
      if touchesNext, Self.beginsScalar(first) {
        isOpen = false
        throw JSONError(.missingSeparator, at: recordOffset, found: JSONError.Found(byte: first))
      }
    }
    var count = unsafe extent.end(in: window.bytes)
    while count == nil, window.count <= limits.recordBytes, try window.fill() {
      count = unsafe extent.end(in: window.bytes)
    }
    if count == nil, window.count <= limits.recordBytes, !window.isAtEnd { return nil }
    isOpen = false
    let length = count ?? window.count
    guard length <= limits.recordBytes else {
      throw JSONError(.recordLimit, at: recordOffset, limit: limits.recordBytes)
    }
    unsafe countLines(UnsafeRawBufferPointer(rebasing: window.bytes[..<length]))
    return length
  }

  private mutating func beginValue() {
    beginRecord()
    isOpen = true
    extent = ValueExtent()
  }

  private static func beginsScalar(_ byte: UInt8) -> Bool {
    byte != ASCII.openBrace && byte != ASCII.openBracket && !byte.isJSONWhitespace
      && byte != ASCII.closeBrace && byte != ASCII.closeBracket && byte != ASCII.comma && byte != ASCII.colon
  }

  /// Skips a byte order mark at the start of the input. Returns false if more bytes are needed to recognize it.
  mutating func skipMark() throws(JSONError) -> Bool {
    guard window.offset == 0 else { return true }
    while window.count < ByteOrderMark.count, unsafe ByteOrderMark.mayBegin(Array(window.bytes)), try window.fill() {}
    guard unsafe !ByteOrderMark.mayBegin(Array(window.bytes.prefix(ByteOrderMark.count))) || window.isAtEnd else {
      return false
    }
    if unsafe ByteOrderMark.begins(window.bytes) {
      window.use(ByteOrderMark.count)
      hasMark = true
    }
    return true
  }

  /// Advances to the next value, also past a byte order mark at the start of a line: files that were put together have one.
  /// Returns false if no value has arrived.
  private mutating func skipWhitespace() throws(JSONError) -> Bool {
    guard try skipMark() else { return false }
    while true {
      let count = unsafe ByteScan.whitespacePrefix(window.bytes)
      if count > 0 {
        unsafe countLines(UnsafeRawBufferPointer(rebasing: window.bytes[..<count]))
        touchesNext = false
        window.use(count)
      }
      if window.count > 0 {
        guard unsafe window.bytes[0] == ByteOrderMark.bytes[0], window.offset == nextLineStart else { return true }
        while window.count < ByteOrderMark.count, try window.fill() {}
        guard window.count >= ByteOrderMark.count || window.isAtEnd else { return false }
        guard unsafe ByteOrderMark.begins(window.bytes) else { return true }
        window.use(ByteOrderMark.count)
        continue
      }
      guard try window.fill() else { return false }
    }
  }
}
