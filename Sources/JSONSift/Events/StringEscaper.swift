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

  /// Whether a backslash and this byte are the escape that is written for a character.
  static func isShortest(letter: UInt8) -> Bool {
    switch letter {
    case ASCII.quote, ASCII.backslash, 0x62, 0x66, 0x6E, 0x72, 0x74: true
    default: false
    }
  }

  /// Passes the bytes of an escape to `append`: a backslash, and the byte itself, a letter, or `u` and four digits.
  static func appendEscape(of byte: UInt8, _ append: (UInt8) -> Void) {
    append(ASCII.backslash)
    guard byte < ASCII.space else { return append(byte) }
    if let letter = letter(of: byte) { return append(letter) }
    append(ASCII.lowerU)
    append(ASCII.zero)
    append(ASCII.zero)
    append(ASCII.zero + byte >> 4)
    append(digit(byte & 15))
  }

  /// Returns whether a byte must be escaped in a string.
  static func needsEscape(_ byte: UInt8, escapesSlashes: Bool) -> Bool {
    byte < ASCII.space || byte == ASCII.quote || byte == ASCII.backslash || (byte == ASCII.slash && escapesSlashes)
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
        if unsafe needsEscape(text[index], escapesSlashes: escapesSlashes) { return index }
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
      unsafe StringEscaper.appendEscape(of: text[stop]) { append($0) }
      start = stop &+ 1
    }
    append(ASCII.quote)
  }
}

extension [UInt8] {
  /// Appends a text as a JSON string: quotes around it, and the escapes that it needs.
  package mutating func append(quoting text: String) { append(quoting: text.utf8) }

  /// Appends the bytes of a text in the same way.
  mutating func append(quoting text: some Sequence<UInt8>) {
    append(ASCII.quote)
    for byte in text {
      if StringEscaper.needsEscape(byte, escapesSlashes: false) {
        StringEscaper.appendEscape(of: byte) { append($0) }
      } else {
        append(byte)
      }
    }
    append(ASCII.quote)
  }
}
