/// Surrogate halves in `\u` escapes. libyajl combines them wrongly, so the raw bytes are looked at again.
enum SurrogateEscapes {
  /// The index of the first escape that is half of a pair, in the source bytes between two quotes.
  ///
  /// The bytes have passed libyajl: each backslash begins a whole escape.
  static func firstLone(in raw: UnsafeRawBufferPointer) -> Int? {
    // Most texts hold no escape that looks like a surrogate, and that is quickly seen.
    guard let first = unsafe ByteScan.surrogateCandidate(raw) else { return nil }
    // An even number of backslashes before it are escapes of their own, so parity is counted from the run's start.
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
        guard let low = unsafe codeUnit(in: raw, at: index + 6), 0xDC00...0xDFFF ~= low else { return index }
        index += 12
      case 0xDC00...0xDFFF: return index
      default: index += 6
      }
    }
    return nil
  }

  /// The code unit of a `\uXXXX` at `index`, or `nil` if there is none.
  static func codeUnit(in raw: UnsafeRawBufferPointer, at index: Int) -> UInt32? {
    guard index >= 0, index + 6 <= raw.count, unsafe raw[index] == ASCII.backslash,
      unsafe raw[index + 1] == ASCII.lowerU
    else { return nil }
    var unit: UInt32 = 0
    for place in index + 2..<index + 6 {
      guard let digit = unsafe raw[place].hexValue else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }
}
