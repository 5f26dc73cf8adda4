extension JSONFraming {
  /// One value after another, with white space between two scalars. Reading cannot continue after an error.
  public static var values: JSONFraming { JSONFraming(ValueFramer.self) }
}

final class ValueFramer: RangeFramer {
  static let name = "values"
  static let stopReason: String? = "after a bad value, the start of the next one is unknown"

  /// The extent of the current value.
  private var extent = ValueExtent()
  /// Whether a value has begun that is not complete.
  private var isOpen = false
  /// Whether the last value is a scalar, and no white space has followed it yet.
  private var touchesNext = false

  init() {}

  func begin(_ reader: inout JSONRecordReader, at checkpoint: JSONCheckpoint?) {
    touchesNext = checkpoint?.touchesNext ?? false
  }

  func checkpoint(of reader: borrowing JSONRecordReader, at offset: Int) -> JSONCheckpoint {
    checkpoint(of: reader, at: offset, touchesNext: touchesNext)
  }

  func findRecord(of reader: inout JSONRecordReader) throws(JSONError) -> Int? {
    if !isOpen {
      guard try skipWhitespace(&reader) else {
        guard reader.window.isAtEnd, reader.hasMark, reader.textLine == 0 else { return nil }
        begin(&reader)
        isOpen = false
        throw JSONError(.unexpectedEnd, at: reader.window.offset, expected: .value)
      }
      begin(&reader)
      let first = unsafe reader.window.bytes[0]
      if touchesNext, Self.beginsScalar(first) {
        isOpen = false
        throw JSONError(.missingSeparator, at: reader.recordOffset, found: JSONError.Found(byte: first))
      }
    }
    var count = unsafe extent.end(in: reader.window.bytes)
    while count == nil, reader.window.count <= reader.limits.recordBytes, try reader.window.fill() {
      count = unsafe extent.end(in: reader.window.bytes)
    }
    if count == nil, reader.window.count <= reader.limits.recordBytes, !reader.window.isAtEnd { return nil }
    isOpen = false
    let length = count ?? reader.window.count
    guard length <= reader.limits.recordBytes else {
      throw JSONError(.recordLimit, at: reader.recordOffset, limit: reader.limits.recordBytes)
    }
    unsafe reader.countLines(UnsafeRawBufferPointer(rebasing: reader.window.bytes[..<length]))
    return length
  }

  private func begin(_ reader: inout JSONRecordReader) {
    reader.beginRecord()
    isOpen = true
    extent = ValueExtent()
  }

  private static func beginsScalar(_ byte: UInt8) -> Bool {
    byte != ASCII.openBrace && byte != ASCII.openBracket && !byte.isJSONWhitespace
      && byte != ASCII.closeBrace && byte != ASCII.closeBracket && byte != ASCII.comma && byte != ASCII.colon
  }

  /// Advances to the next value, also past a byte order mark at the start of a line: files that were put together have one.
  /// Returns false if no value has arrived.
  private func skipWhitespace(_ reader: inout JSONRecordReader) throws(JSONError) -> Bool {
    guard try reader.skipMark() else { return false }
    while true {
      let count = unsafe ByteScan.whitespacePrefix(reader.window.bytes)
      if count > 0 {
        unsafe reader.countLines(UnsafeRawBufferPointer(rebasing: reader.window.bytes[..<count]))
        touchesNext = false
        reader.window.use(count)
      }
      if reader.window.count > 0 {
        guard unsafe reader.window.bytes[0] == ByteOrderMark.bytes[0], reader.window.offset == reader.nextLineStart
        else { return true }
        while reader.window.count < ByteOrderMark.count, try reader.window.fill() {}
        guard reader.window.count >= ByteOrderMark.count || reader.window.isAtEnd else { return false }
        guard unsafe ByteOrderMark.begins(reader.window.bytes) else { return true }
        reader.window.use(ByteOrderMark.count)
        continue
      }
      guard try reader.window.fill() else { return false }
    }
  }

  func parse(_ bytes: UnsafeRawBufferPointer, of reader: inout JSONRecordReader) throws(JSONError) -> JSONRecord {
    do throws(JSONError) {
      let record = try unsafe reader.record(bytes)
      let last = unsafe bytes.last
      touchesNext = last != ASCII.closeBracket && last != ASCII.closeBrace
      return record
    } catch {
      // Two adjacent literals, such as `truefalse`.
      guard error.code == .trailingContent else { throw error }
      throw JSONError(.missingSeparator, at: error.byteOffset, error.payload)
    }
  }
}

extension JSONRecordReader {
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
}
