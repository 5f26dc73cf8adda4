/// Validates surrogate pairs in `\u` escapes. libyajl combines surrogates incorrectly, so the raw bytes are scanned again.
package enum SurrogateEscapes {
  /// Returns the index of the first escape that is a lone surrogate, in the source bytes between two quotes.
  ///
  /// libyajl has accepted the bytes: each backslash begins a complete escape, except for one that the end of `raw` cuts.
  ///
  /// - Parameter isOpen: Whether `raw` is only the start of a text. A high surrogate at its end may still be followed by its
  ///   low surrogate.
  static func firstLone(in raw: UnsafeRawBufferPointer, isOpen: Bool = false) -> Int? {
    // Fast path: most texts contain no escape that looks like a surrogate.
    guard let first = unsafe ByteScan.surrogateCandidate(raw) else { return nil }
    // Backslashes before it may be escapes of their own (`\\`), so the scan starts at the first backslash of the run.
    var index = first
    while index > 0, unsafe raw[index - 1] == ASCII.backslash { index -= 1 }
    while index < raw.count {
      guard unsafe raw[index] == ASCII.backslash else {
        index += 1
        continue
      }
      guard let unit = unsafe codeUnit(in: raw, at: index) else {
        index += 2
        continue
      }
      switch unit {
      case 0xD800...0xDBFF:
        guard let low = unsafe codeUnit(in: raw, at: index + 6), 0xDC00...0xDFFF ~= low else {
          let rest = unsafe UnsafeRawBufferPointer(rebasing: raw[(index + 6)...])
          if isOpen, unsafe mayBeginLow(rest) { return nil }
          return index
        }
        index += 12
      case 0xDC00...0xDFFF: return index
      default: index += 6
      }
    }
    return nil
  }

  /// Calls `body` with the bytes from `start` on, in which libyajl reads no escape wrongly.
  ///
  /// An unpatched libyajl (CVE-2017-16516) skips the byte after the escape of a high surrogate if no `\u` follows. If
  /// that byte is a backslash, libyajl takes the next byte for the start of an escape, stops the process by an
  /// assertion, or reads past the text. So such a surrogate, and one at the end of `bytes`, is replaced by another
  /// character in a copy of the bytes. The escape keeps its length, and is still three bytes shorter when it is
  /// decoded. Escaped backslashes (`\\uD83D`) need not be distinguished, since only the length of the decoded text is
  /// used.
  ///
  /// - Parameter bytes: The bytes before `start` belong to the token that is open there, if there is one.
  static func withoutTraps<Result>(
    in bytes: UnsafeRawBufferPointer, from start: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
    guard var trap = unsafe nextTrap(in: bytes, from: max(start - 3, 0)) else { return unsafe body(rest) }
    var copy = unsafe [UInt8](rest)
    while true {
      copy[trap - start] = ASCII.zero
      guard let next = unsafe nextTrap(in: bytes, from: trap + 1) else { break }
      trap = next
    }
    return unsafe copy.withUnsafeBytes { unsafe body($0) }
  }

  /// Returns the index of the second digit of the first high surrogate after which no `\u` follows, or `nil`.
  private static func nextTrap(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var index = start
    while let found = unsafe ByteScan.surrogateCandidate(UnsafeRawBufferPointer(rebasing: bytes[index...])) {
      index += found + 4
      let next = index + 2
      guard let digit = unsafe bytes[index - 1].hexValue, digit < 0xC else { continue }
      guard next + 1 < bytes.count, unsafe bytes[next] == ASCII.backslash, unsafe bytes[next + 1] == ASCII.lowerU else {
        return index - 1
      }
    }
    return nil
  }

  /// Returns whether the bytes are a proper prefix of the escape of a low surrogate.
  private static func mayBeginLow(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count < 6 else { return false }
    for index in 0..<bytes.count {
      let byte = unsafe bytes[index]
      let fits =
        switch index {
        case 0: byte == ASCII.backslash
        case 1: byte == ASCII.lowerU
        case 2: byte.hexValue == 0xD
        case 3: byte.hexValue.map { $0 >= 0xC } ?? false
        default: byte.hexValue != nil
        }
      guard fits else { return false }
    }
    return true
  }

  /// Returns the code unit of the `\uXXXX` at `index`, or `nil` if there is no such escape.
  package static func codeUnit(in raw: UnsafeRawBufferPointer, at index: Int) -> UInt32? {
    guard index >= 0, index + 6 <= raw.count, unsafe raw[index] == ASCII.backslash,
      unsafe raw[index + 1] == ASCII.lowerU
    else { return nil }
    var unit: UInt32 = 0
    for digitIndex in index + 2..<index + 6 {
      guard let digit = unsafe raw[digitIndex].hexValue else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }
}

extension [UInt8] {
  /// Replaces each escape that is half of a surrogate pair by `\ufffd`, which has the same length, in the JSON text from
  /// `start` on.
  package mutating func replaceLoneSurrogates(from start: Int) {
    var start = start
    while start < count {
      let lone = unsafe withUnsafeBytes { bytes in
        unsafe SurrogateEscapes.firstLone(in: UnsafeRawBufferPointer(rebasing: bytes[start...]))
      }
      guard let lone else { return }
      start += lone + 6
      replaceSubrange((start - 4)..<start, with: "fffd".utf8)
    }
  }
}
