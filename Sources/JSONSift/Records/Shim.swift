extension JSONRecordReader {
  init(_ source: JSONSource, options: JSONRecordOptions) throws(JSONError) {
    try self.init(source, framing: options.framing, options: options.reading)
  }

  init(_ window: consuming ReadWindow, options: JSONRecordOptions) {
    self.init(window, framing: options.framing, options: options.reading)
  }

  mutating func nextElement() throws(JSONError) -> JSONRecordElement? {
    do throws(JSONError) {
      guard let record = try next() else { return nil }
      return .record(record)
    } catch {
      if error.code == .starved || error.code == .unreadable { throw error }
      let bytes = unsafe recordBytes.withUnsafeBytes { unsafe Array($0) }
      return .bad(
        JSONBadRecord(
          error: error, position: position(of: error), line: line, byteRange: recordOffset..<(recordOffset + bytes.count),
          rawBytes: bytes))
    }
  }
}
