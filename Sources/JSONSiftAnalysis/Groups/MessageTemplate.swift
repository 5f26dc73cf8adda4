import JSONSift

/// Writes the template of a message: its text, in which each part that varies is replaced by its kind. `user 17 from 10.0.0.1`
/// becomes `user <number> from <address>`. The template depends on the text only, not on other messages.
///
/// From the first byte to the last, the first of these kinds that matches is replaced:
///
/// - quoted: a text in `"`, `'` or backquotes that neither begins after nor ends before a letter or digit, with its quotes;
/// - uuid: 8-4-4-4-12 hexadecimal digits;
/// - address: IPv4 (10.0.0.1), IPv6 (fe80::1) and MAC addresses;
/// - hex: a word of at least six hexadecimal digits, among them letters and decimal digits, or with `0x` before them;
/// - number: all other decimal digits, also inside a word, with sign, fraction and exponent (`-1.5e3`, `v1.2.3`).
@safe struct MessageTemplate {
  /// The content of a JSON string in canonical text.
  ///
  /// SAFETY: borrowed for the call of `append`, which this value does not outlive. `subscript` checks each index. Worth it: the
  /// text is not copied to an array.
  private let text: UnsafeRawBufferPointer
  private let length: Int
  private var index = 0
  /// The end of the text that was written.
  private var written = 0
  /// The quotes that no later text can end. Each is searched for to the end of the text once.
  private var unclosed: [UInt8] = []

  private struct Word {
    let end: Int
    let digitCount: Int
    let isHex: Bool
  }

  private init(_ text: UnsafeRawBufferPointer) {
    unsafe self.text = text
    length = text.count
  }

  /// Appends the template of a value as JSON. A value that is not a string or number is its own template.
  static func append(_ value: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    guard unsafe value.isCanonicalScalar else {
      var canonical: [UInt8] = []
      unsafe canonical.append(canonical: value)
      return unsafe canonical.withUnsafeBytes { unsafe append(canonical: $0, to: &output) }
    }
    unsafe append(canonical: value, to: &output)
  }

  private static func append(canonical value: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    switch unsafe value.first ?? 0 {
    case UInt8(ascii: "\""):
      output.append(UInt8(ascii: "\""))
      var template = unsafe MessageTemplate(
        UnsafeRawBufferPointer(rebasing: value.dropFirst().dropLast()))
      template.write(to: &output)
      output.append(UInt8(ascii: "\""))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): output += "\"<number>\"".utf8
    default: unsafe output.append(contentsOf: value)
    }
  }

  /// A byte of the text; 0 after its end.
  private subscript(_ index: Int) -> UInt8 { index < length ? unsafe text[index] : 0 }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
  private static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }
  /// Whether a byte is part of a word. Those of characters beyond ASCII are.
  private static func isWord(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || isDigit(byte) || byte >= 0x80 || byte == UInt8(ascii: "_")
  }

  private mutating func write(to output: inout [UInt8]) {
    var followsWord = false
    while index < length {
      if Self.isWord(self[index]) {
        writeWord(to: &output)
        followsWord = true
        continue
      }
      switch self[index] {
      case UInt8(ascii: "\\"):
        let isQuote = self[index + 1] == UInt8(ascii: "\"")
        if !followsWord, isQuote, let end = quotedEnd(2) {
          replace("<quoted>", to: end, &output)
        } else {
          index += self[index + 1] == UInt8(ascii: "u") ? 6 : 2
        }
      case UInt8(ascii: "'"), UInt8(ascii: "`"):
        if !followsWord, let end = quotedEnd(1) { replace("<quoted>", to: end, &output) } else { index += 1 }
      case UInt8(ascii: ":"):
        let end = !followsWord && self[index + 1] == UInt8(ascii: ":") ? colonAddressEnd() : nil
        if let end { replace("<address>", to: end, &output) } else { index += 1 }
      case UInt8(ascii: "-"), UInt8(ascii: "+"):
        if !isSign || constant(word(from: index + 1), from: index + 1) != nil {
          index += 1
        } else {
          replace("<number>", to: numberEnd(from: index + 1), &output)
        }
      default: index += 1
      }
      followsWord = false
    }
    unsafe output.append(contentsOf: text[min(written, length)...])
  }

  /// Writes the text before the index, and the kind of the text from there to `end`.
  private mutating func replace(_ kind: StaticString, to end: Int, _ output: inout [UInt8]) {
    unsafe output.append(contentsOf: text[written..<index])
    unsafe output.append(contentsOf: UnsafeRawBufferPointer(start: kind.utf8Start, count: kind.utf8CodeUnitCount))
    (index, written) = (end, end)
  }

  // MARK: Words

  private mutating func writeWord(to output: inout [UInt8]) {
    let word = word(from: index)
    if let (kind, end) = constant(word, from: index) { return replace(kind, to: end, &output) }
    guard word.digitCount > 0 else {
      index = word.end
      return
    }
    while index < word.end {
      if Self.isDigit(self[index]) { replace("<number>", to: numberEnd(from: index), &output) } else { index += 1 }
    }
  }

  private func word(from start: Int) -> Word {
    var end = start
    var digitCount = 0
    var isHex = true
    while Self.isWord(self[end]) {
      if Self.isDigit(self[end]) { digitCount += 1 } else if isHex { isHex = Self.isHex(self[end]) }
      end += 1
    }
    return Word(end: end, digitCount: digitCount, isHex: isHex)
  }

  /// Returns the kind and the end of a text that begins with a word and is replaced as a whole; `nil` if only its digits are.
  private func constant(_ word: Word, from start: Int) -> (kind: StaticString, end: Int)? {
    let count = word.end - start
    let next = self[word.end]
    guard word.isHex else {
      let isPrefixed = count > 2 && self[start] == UInt8(ascii: "0") && self[start + 1] | 0x20 == UInt8(ascii: "x")
      return isPrefixed && (start + 2..<word.end).allSatisfy { Self.isHex(self[$0]) } ? ("<hex>", word.end) : nil
    }
    if count == 8, next == UInt8(ascii: "-"), isUUID(at: start) { return ("<uuid>", start + 36) }
    if count <= 4, next == UInt8(ascii: ":"), let end = colonAddressEnd(from: start) { return ("<address>", end) }
    if count <= 3, next == UInt8(ascii: "."), let end = dotAddressEnd(from: start) { return ("<address>", end) }
    return count >= 6 && 0 < word.digitCount && word.digitCount < count ? ("<hex>", word.end) : nil
  }

  private func isUUID(at start: Int) -> Bool {
    for offset in 0..<36 {
      let isDash = offset == 8 || offset == 13 || offset == 18 || offset == 23
      guard isDash ? self[start + offset] == UInt8(ascii: "-") : Self.isHex(self[start + offset]) else { return false }
    }
    return !Self.isWord(self[start + 36])
  }

  // MARK: Numbers

  /// Whether the byte at the index is the sign of a number, and not a dash.
  private var isSign: Bool {
    guard Self.isDigit(self[index + 1]) else { return false }
    return index == 0 || " =:,;([{".utf8.contains(self[index - 1])
  }

  /// Returns the end of the digits from `start` on, with fraction and exponent.
  private func numberEnd(from start: Int) -> Int {
    func digitsEnd(_ start: Int) -> Int {
      var end = start
      while Self.isDigit(self[end]) { end += 1 }
      return end
    }
    var end = digitsEnd(start)
    while self[end] == UInt8(ascii: "."), Self.isDigit(self[end + 1]) { end = digitsEnd(end + 1) }
    guard self[end] | 0x20 == UInt8(ascii: "e") else { return end }
    let isSigned = self[end + 1] == UInt8(ascii: "-") || self[end + 1] == UInt8(ascii: "+")
    let exponent = end + (isSigned ? 2 : 1)
    let exponentEnd = digitsEnd(exponent)
    return exponentEnd > exponent && !Self.isWord(self[exponentEnd]) ? exponentEnd : end
  }

  // MARK: Addresses

  private func dotAddressEnd(from start: Int) -> Int? {
    var end = start
    for part in 0..<4 {
      if part > 0 {
        guard self[end] == UInt8(ascii: ".") else { return nil }
        end += 1
      }
      var (value, count) = (0, 0)
      while Self.isDigit(self[end]), count < 4 {
        (value, count, end) = (value * 10 + Int(self[end] &- 0x30), count + 1, end + 1)
      }
      guard 1...3 ~= count, value <= 255 else { return nil }
    }
    let continues = self[end] == UInt8(ascii: ".") && Self.isDigit(self[end + 1])
    return Self.isWord(self[end]) || continues ? nil : end
  }

  /// Returns the end of an IPv6 or MAC address. One with `::` must have a digit: `a::b` is a name in several languages.
  private func colonAddressEnd(from start: Int? = nil) -> Int? {
    var end = start ?? index
    var (groups, count, pairs, digits) = (0, 0, 0, 0)
    var isShort = false
    while true {
      if Self.isHex(self[end]) {
        count += 1
        if Self.isDigit(self[end]) { digits += 1 }
        end += 1
        continue
      }
      guard count <= 4 else { return nil }
      if count > 0 { groups += 1 }
      if count == 2 { pairs += 1 }
      count = 0
      guard self[end] == UInt8(ascii: ":") else { break }
      if self[end + 1] == UInt8(ascii: ":") {
        guard !isShort else { return nil }
        isShort = true
        end += 2
      } else {
        // A colon after the address is not part of it.
        guard Self.isHex(self[end + 1]) else { break }
        end += 1
      }
    }
    guard !Self.isWord(self[end]) else { return nil }
    return isShort ? (groups < 8 && digits > 0 ? end : nil) : (groups == 8 || groups == 6 && pairs == 6 ? end : nil)
  }

  // MARK: Quotes

  /// Returns the end of the text in quotes that begins at the index.
  ///
  /// - Parameter width: The number of bytes of a quote; 2 for one that is escaped in JSON.
  private mutating func quotedEnd(_ width: Int) -> Int? {
    let quote = self[index + width - 1]
    guard !unclosed.contains(quote) else { return nil }
    var end = index + width
    while end < length {
      let isEscape = self[end] == UInt8(ascii: "\\")
      let isQuote = isEscape ? width == 2 && self[end + 1] == quote : width == 1 && self[end] == quote
      end += isEscape ? 2 : 1
      if isQuote, !Self.isWord(self[end]) { return end }
    }
    unclosed.append(quote)
    return nil
  }
}
