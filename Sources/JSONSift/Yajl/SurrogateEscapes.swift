/// Surrogate halves in `\u` escapes. libyajl combines them wrongly, so the raw bytes are looked at again.
enum SurrogateEscapes {
  /// The index of the first escape that is half of a pair, in the source bytes between two quotes.
  ///
  /// The bytes have passed libyajl: each backslash begins a whole escape, but for one that the end of `raw` cuts.
  ///
  /// - Parameter isOpen: `raw` is the start of a text: a first half at its end may still get its second one.
  static func firstLone(in raw: UnsafeRawBufferPointer, isOpen: Bool = false) -> Int? {
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

  /// Whether these bytes are the start of the escape of a second half, and not all of it.
  private static func mayBeginLow(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count < 6 else { return false }
    for place in 0..<bytes.count {
      let byte = unsafe bytes[place]
      let fits =
        switch place {
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
