/// Writes strings with the escapes that RFC 8259 (section 7) requires, and no others. ``EscapedText`` reads them.
enum StringEscaper {
  /// Returns the letter of the two-character escape of a control character, such as `n` for a line feed; `nil` if there is
  /// no such escape.
  static func letter(of byte: UInt8) -> UInt8? {
    switch byte {
    case 0x08: 0x62
    case ASCII.tab: 0x74
    case ASCII.lineFeed: 0x6E
    case ASCII.formFeed: 0x66
    case ASCII.carriageReturn: 0x72
    default: nil
    }
  }

  /// Returns the escape of a control character without the backslash: a letter, or `u` and four digits.
  static func escape(of control: UInt8) -> [UInt8] {
    if let letter = letter(of: control) { return [letter] }
    return [ASCII.lowerU, ASCII.zero, ASCII.zero, ASCII.zero + control >> 4, digit(control & 15)]
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? ASCII.zero + value : 0x61 + value - 10 }

  /// Returns the index of the first byte from `index` on that needs an escape; the length of the text if there is no such
  /// byte.
  static func next(in text: UnsafeRawBufferPointer, from index: Int, escapesSlashes: Bool) -> Int {
    var index = index
    while index < text.count {
      // Skips eight bytes at a time while none of them needs an escape.
      while index &+ 8 <= text.count,
        unsafe !mayNeedEscape(text.loadUnaligned(fromByteOffset: index, as: UInt64.self), escapesSlashes)
      { index &+= 8 }
      let stop = min(index &+ 8, text.count)
      while index < stop {
        let byte = unsafe text[index]
        if byte < ASCII.space || byte == ASCII.quote || byte == ASCII.backslash
          || (byte == ASCII.slash && escapesSlashes)
        {
          return index
        }
        index &+= 1
      }
    }
    return index
  }

  /// Returns whether one of eight bytes may need an escape: the high bit of a byte is set if the byte is small or equal to a
  /// mark. Bytes above 0x7F are masked out.
  private static func mayNeedEscape(_ bytes: UInt64, _ escapesSlashes: Bool) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs = ones &* 0x80
    func equal(_ byte: UInt8) -> UInt64 {
      let difference = bytes ^ (ones &* UInt64(byte))
      return (difference &- ones) & ~difference
    }
    var found = (bytes &- ones &* 0x20) & ~bytes
    found |= equal(ASCII.quote) | equal(ASCII.backslash)
    if escapesSlashes { found |= equal(ASCII.slash) }
    return found & highs != 0
  }
}

extension ByteBuffer {
  /// Appends characters as a string: quotes around them, and the escapes that they need.
  mutating func append(quoting text: UnsafeRawBufferPointer, escapesSlashes: Bool) {
    append(ASCII.quote)
    var start = 0
    while true {
      let stop = unsafe StringEscaper.next(in: text, from: start, escapesSlashes: escapesSlashes)
      unsafe append(UnsafeRawBufferPointer(rebasing: text[start..<stop]))
      guard stop < text.count else { break }
      append(ASCII.backslash)
      let byte = unsafe text[stop]
      if byte < ASCII.space {
        for byte in StringEscaper.escape(of: byte) { append(byte) }
      } else {
        append(byte)
      }
      start = stop &+ 1
    }
    append(ASCII.quote)
  }
}

extension [UInt8] {
  /// Appends a text as a JSON string: quotes around it, and the escapes that it needs.
  package mutating func append(quoting text: String) {
    append(ASCII.quote)
    for byte in text.utf8 {
      if byte < ASCII.space {
        append(ASCII.backslash)
        self += StringEscaper.escape(of: byte)
      } else {
        if byte == ASCII.quote || byte == ASCII.backslash { append(ASCII.backslash) }
        append(byte)
      }
    }
    append(ASCII.quote)
  }
}
