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
@safe package struct MessageTemplate {
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

  private typealias Part = (kind: StaticString, end: Int)

  private init(_ text: UnsafeRawBufferPointer) {
    unsafe self.text = text
    length = text.count
  }

  /// Returns the template of a value, both as JSON.
  package static func of(_ value: [UInt8]) -> [UInt8] {
    var template: [UInt8] = []
    unsafe value.withUnsafeBytes { unsafe append($0, to: &template) }
    return template
  }

  /// Appends the template of a value as JSON. A value that is not a string or number is its own template.
  static func append(_ value: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    guard unsafe value.isCanonicalScalar else {
      var canonical: [UInt8] = []
      canonical.reserveCapacity(value.count &+ 20)
      unsafe canonical.append(canonical: value)
      return unsafe canonical.withUnsafeBytes { unsafe append(canonical: $0, to: &output) }
    }
    unsafe append(canonical: value, to: &output)
  }

  private static func append(canonical value: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    switch unsafe value.first ?? 0 {
    case UInt8(ascii: "\""):
      output.append(UInt8(ascii: "\""))
      var template = unsafe MessageTemplate(UnsafeRawBufferPointer(rebasing: value.dropFirst().dropLast()))
      template.write(to: &output)
      output.append(UInt8(ascii: "\""))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): output += "\"<number>\"".utf8
    default: unsafe output.append(contentsOf: value)
    }
  }

  private mutating func write(to output: inout [UInt8]) {
    var followsWord = false
    while index < length {
      let word = !followsWord && isWord(index) ? wordEnd(from: index) : nil
      if let word, word.digits == 0, has(" ", at: word.end) {
        // Most words: nothing that is replaced begins with them.
        index = word.end + 1
        continue
      }
      if let part = part(word: word, followsWord) {
        unsafe output.append(contentsOf: text[written..<index])
        unsafe output.append(
          contentsOf: UnsafeRawBufferPointer(start: part.kind.utf8Start, count: part.kind.utf8CodeUnitCount))
        (index, written) = (part.end, part.end)
      } else if self[index] == UInt8(ascii: "\\") {
        index = min(index + (has("u", at: index + 1) ? 6 : 2), length)
        followsWord = false
        continue
      } else {
        index = word.flatMap { $0.digits == 0 ? $0.end : nil } ?? index + 1
      }
      followsWord = isWord(index - 1)
    }
    unsafe output.append(contentsOf: text[written...])
  }

  /// Returns the part at the index that is replaced.
  private mutating func part(word: Word?, _ followsWord: Bool) -> Part? {
    if let word, let part = constant(word, from: index) { return part }
    if isDigit(index) { return ("<number>", numberEnd(from: index)) }
    guard !followsWord, word == nil else { return nil }
    switch self[index] {
    case UInt8(ascii: "\\") where has("\"", at: index + 1): return quotedEnd(2).map { ("<quoted>", $0) }
    case UInt8(ascii: "'"), UInt8(ascii: "`"): return quotedEnd(1).map { ("<quoted>", $0) }
    case UInt8(ascii: ":") where has(":", at: index + 1): return colonAddressEnd(from: index).map { ("<address>", $0) }
    case UInt8(ascii: "-"), UInt8(ascii: "+"):
      // A sign is not a dash between two words.
      let next = index + 1
      guard isDigit(next), index == 0 || " =:,;([{".utf8.contains(self[index - 1]) else { return nil }
      return constant(wordEnd(from: next), from: next) == nil ? ("<number>", numberEnd(from: next)) : nil
    default: return nil
    }
  }

  // MARK: Bytes

  /// A byte of the text; 0 after its end.
  private subscript(_ index: Int) -> UInt8 { index < length ? unsafe text[index] : 0 }

  private func has(_ character: Unicode.Scalar, at index: Int) -> Bool { self[index] == UInt8(ascii: character) }
  private func isDigit(_ index: Int) -> Bool { self[index] &- 0x30 < 10 }
  private func isHex(_ index: Int) -> Bool { isDigit(index) || (self[index] | 0x20) &- 0x61 < 6 }
  /// Whether a byte is part of a word. Those of characters beyond ASCII are.
  private func isWord(_ index: Int) -> Bool {
    let byte = self[index]
    return (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte >= 0x80 || byte == UInt8(ascii: "_")
  }

  // MARK: Words and numbers

  private typealias Word = (end: Int, digits: Int, isHex: Bool)

  private func wordEnd(from start: Int) -> Word {
    var word = (end: start, digits: 0, isHex: true)
    while isWord(word.end) {
      let byte = self[word.end]
      if byte &- 0x30 < 10 { word.digits += 1 } else { word.isHex = word.isHex && (byte | 0x20) &- 0x61 < 6 }
      word.end += 1
    }
    return word
  }

  /// Returns the part that begins with a word and is replaced as a whole; `nil` if only the digits of the word are.
  private func constant(_ word: Word, from start: Int) -> Part? {
    let count = word.end - start
    guard word.isHex else {
      let isPrefixed = count > 2 && has("0", at: start) && self[start + 1] | 0x20 == UInt8(ascii: "x")
      return isPrefixed && (start + 2..<word.end).allSatisfy(isHex) ? ("<hex>", word.end) : nil
    }
    if count == 8, has("-", at: word.end), isUUID(at: start) { return ("<uuid>", start + 36) }
    if count <= 4, has(":", at: word.end), let end = colonAddressEnd(from: start) { return ("<address>", end) }
    if count <= 3, has(".", at: word.end), let end = dotAddressEnd(from: start) { return ("<address>", end) }
    return count >= 6 && 0 < word.digits && word.digits < count ? ("<hex>", word.end) : nil
  }

  private func isUUID(at start: Int) -> Bool {
    !isWord(start + 36)
      && (0..<36).allSatisfy { [8, 13, 18, 23].contains($0) ? has("-", at: start + $0) : isHex(start + $0) }
  }

  private func digitsEnd(_ start: Int) -> Int {
    var end = start
    while isDigit(end) { end += 1 }
    return end
  }

  /// Returns the end of the digits from `start` on, with fraction and exponent.
  private func numberEnd(from start: Int) -> Int {
    var end = digitsEnd(start)
    while has(".", at: end), isDigit(end + 1) { end = digitsEnd(end + 1) }
    guard self[end] | 0x20 == UInt8(ascii: "e") else { return end }
    let exponent = end + (has("-", at: end + 1) || has("+", at: end + 1) ? 2 : 1)
    let exponentEnd = digitsEnd(exponent)
    return exponentEnd > exponent && !isWord(exponentEnd) ? exponentEnd : end
  }

  // MARK: Addresses

  private func dotAddressEnd(from start: Int) -> Int? {
    var end = start
    for part in 0..<4 {
      let digits = part == 0 ? start : end + 1
      guard part == 0 || has(".", at: end) else { return nil }
      end = digitsEnd(digits)
      guard 1...3 ~= end - digits, (digits..<end).reduce(0, { $0 * 10 + Int(self[$1] - 0x30) }) <= 255 else {
        return nil
      }
    }
    return isWord(end) || has(".", at: end) && isDigit(end + 1) ? nil : end
  }

  /// Returns the end of an IPv6 or MAC address. One with `::` must have a digit: `a::b` is a name in several languages.
  private func colonAddressEnd(from start: Int) -> Int? {
    var end = start
    var (groups, pairs, digits, isShort) = (0, 0, 0, false)
    while true {
      let group = end
      while isHex(end) {
        if isDigit(end) { digits += 1 }
        end += 1
      }
      guard end - group <= 4 else { return nil }
      if end > group { groups += 1 }
      if end - group == 2 { pairs += 1 }
      if has(":", at: end), has(":", at: end + 1) {
        guard !isShort else { return nil }
        isShort = true
        end += 2
      } else if has(":", at: end), isHex(end + 1) {
        end += 1
      } else {
        // A colon after the address is not part of it.
        break
      }
    }
    guard !isWord(end) else { return nil }
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
      let isEscape = has("\\", at: end)
      let isQuote = isEscape ? width == 2 && self[end + 1] == quote : width == 1 && self[end] == quote
      end += isEscape ? 2 : 1
      if isQuote, !isWord(end) { return end }
    }
    unclosed.append(quote)
    return nil
  }
}

/// Recent messages that are their own templates: in most logs many have no part that varies. Comparing takes a tenth of the time
/// of finding the template.
struct ConstantMessages {
  private var recent = [[UInt8]](repeating: [], count: GroupKeys.recentCount)
  /// The length of the messages that are kept.
  private static let lengths = 3...256

  /// Appends the template of a value, as ``MessageTemplate`` does.
  mutating func append(templateOf message: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    let (count, start) = (message.count, output.count)
    guard Self.lengths ~= count else { return unsafe MessageTemplate.append(message, to: &output) }
    let slot = unsafe GroupKeys.recentIndex(of: message)
    if recent[slot].count == count,
      unsafe recent[slot].withUnsafeBytes({ unsafe message.elementsEqualMemory($0, at: 0) })
    {
      return output.append(contentsOf: recent[slot])
    }
    unsafe MessageTemplate.append(message, to: &output)
    guard output.count == start + count,
      unsafe output.withUnsafeBytes({ unsafe message.elementsEqualMemory($0, at: start) })
    else { return }
    recent[slot] = Array(output[start...])
  }
}
