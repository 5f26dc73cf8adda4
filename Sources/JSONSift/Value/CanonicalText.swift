extension [UInt8] {
  /// Appends the canonical text of a JSON value: texts of equal values have the same one. It is a text of the value, too.
  ///
  /// Strings are equal if their characters are, numbers if their exact values are, arrays and objects if the same elements or
  /// members follow each other. White space outside strings does not count.
  ///
  /// - Parameter text: The value, which is JSON. Nothing is appended that is longer than it by more than 20 bytes for each
  ///   number.
  package mutating func append(canonical text: UnsafeRawBufferPointer) {
    var index = 0
    while index < text.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: text[index...])
      let byte = unsafe rest[0]
      guard byte == ASCII.quote || byte == ASCII.minus || byte.isDigit else {
        if byte > ASCII.space { append(byte) }
        index += 1
        continue
      }
      var extent = ValueExtent()
      let scalar = unsafe UnsafeRawBufferPointer(rebasing: rest[..<(extent.end(in: rest) ?? rest.count)])
      unsafe byte == ASCII.quote ? append(canonicalString: scalar) : append(canonicalNumber: scalar)
      index += scalar.count
    }
  }

  /// Appends a string with the escapes that it needs only.
  private mutating func append(canonicalString text: UnsafeRawBufferPointer) {
    guard unsafe !text.hasShortestEscapes else { return unsafe append(contentsOf: text) }
    let inside = unsafe UnsafeRawBufferPointer(rebasing: text.dropFirst().dropLast())
    unsafe EscapedText.withDecoded(inside) { unsafe append(quoting: $0) }
  }

  /// The largest number of digits of an integer that is written without an exponent.
  private static var plainDigits: Int { 18 }

  /// Appends a number: its digits without zeros at either end, and the power of ten of the last one. An integer of at most 18
  /// digits has all of its digits, and no exponent.
  private mutating func append(canonicalNumber text: UnsafeRawBufferPointer) {
    guard let number = unsafe DecimalText(prefixOf: text) else { return unsafe append(contentsOf: text) }
    guard !number.digits.isEmpty else { return append(ASCII.zero) }
    // Such an exponent is not known, and only the text determines the number.
    guard !number.isOutOfRange else { return unsafe append(contentsOf: text) }
    if number.isNegative { append(ASCII.minus) }
    for digit in number.digits { append(ASCII.zero &+ digit) }
    if 0...Self.plainDigits ~= number.exponent, number.digits.count + number.exponent <= Self.plainDigits {
      append(contentsOf: repeatElement(ASCII.zero, count: number.exponent))
    } else {
      append(ASCII.lowerE)
      append(contentsOf: String(number.exponent).utf8)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the text of a JSON value is certainly its canonical text: a string with the shortest escapes, a short integer, a Boolean or
  /// null. False means unknown.
  package var isCanonicalScalar: Bool {
    switch unsafe first ?? 0 {
    case ASCII.quote: unsafe hasShortestEscapes
    case 0x30...0x39: unsafe count <= 18 && allSatisfy { $0.isDigit }
    case ASCII.minus: unsafe 2...18 ~= count && self[1] != ASCII.zero && dropFirst().allSatisfy { $0.isDigit }
    case 0x66, 0x6E, 0x74: true
    default: false
    }
  }

  /// Whether a string has only the escapes that are written for its characters. False also for escapes with four digits.
  fileprivate var hasShortestEscapes: Bool {
    var rest = unsafe UnsafeRawBufferPointer(rebasing: self[...])
    while let found = unsafe rest.firstOffset(of: ASCII.backslash) {
      guard found + 1 < rest.count, unsafe StringEscaper.isShortest(letter: rest[found + 1]) else { return false }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[(found + 2)...])
    }
    return true
  }
}
