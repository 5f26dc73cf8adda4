import JSONSift

extension [UInt8] {
  /// Appends the text of a value without the line breaks between its tokens.
  mutating func append(json value: JSON) { unsafe value.borrowRawBytes { unsafe append(withoutBreaks: $0) } }

  /// Appends values as a JSON array.
  mutating func append(list values: [JSON]) { append(list: values) { $1.append(json: $0) } }

  /// Appends a JSON array whose items `append` writes.
  mutating func append<Item>(list items: some Sequence<Item>, _ append: (Item, inout [UInt8]) -> Void) {
    var separator = UInt8(ascii: "[")
    for item in items {
      self.append(separator)
      append(item, &self)
      separator = UInt8(ascii: ",")
    }
    if separator == UInt8(ascii: "[") { self.append(separator) }
    self.append(UInt8(ascii: "]"))
  }

  /// Appends the characters of a string, or the text of any other value.
  mutating func append(raw value: JSON) {
    if let string = value.string { self += string.utf8 } else { append(json: value) }
  }

  /// Appends JSON text without its line breaks. A string cannot contain a raw line break, so every line break is
  /// between tokens.
  mutating func append(withoutBreaks bytes: UnsafeRawBufferPointer) {
    if unsafe SurrogatePolicy.replacesInOutput {
      let start = count
      unsafe appendText(withoutBreaks: bytes)
      replaceLoneSurrogates(from: start)
    } else {
      unsafe appendText(withoutBreaks: bytes)
    }
  }

  @inline(__always)
  private mutating func appendText(withoutBreaks bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    // The first long value gets the room that it needs: an array without room for the next byte would double.
    if bytes.count >= 1 << 20, count < bytes.count / 8 { reserveCapacity(count + bytes.count + bytes.count / 8) }
    // Only containers can contain line breaks. Most contain none, and memchr scans many bytes at a time.
    guard
      unsafe bytes[0] | 0x20 == UInt8(ascii: "{"),
      unsafe memchr(base, 0x0A, bytes.count) != nil || memchr(base, 0x0D, bytes.count) != nil
    else { return unsafe append(contentsOf: bytes) }
    unsafe append(contentsOf: bytes.lazy.filter { $0 != 0x0A && $0 != 0x0D })
  }
}

extension JSON {
  /// Passes the text of the value as it is written: with `\ufffd` for half of a surrogate pair, if they are replaced.
  func borrowOutput(_ body: (UnsafeRawBufferPointer) -> Void) {
    guard unsafe SurrogatePolicy.replacesInOutput else { return unsafe borrowRawBytes(body) }
    var text: [UInt8] = []
    unsafe borrowRawBytes { unsafe text.append(contentsOf: $0) }
    text.replaceLoneSurrogates(from: 0)
    unsafe text.withUnsafeBytes { unsafe body($0) }
  }
}
