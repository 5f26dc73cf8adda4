/// Bytes that stand in a text for which a condition holds, unless one of their characters is written as an escape.
struct RequiredLiteral: Hashable, Sendable {
  let bytes: [UInt8]
  /// Bytes without which no escape can spell a character of the needle. Only `\u00e…` can spell an `é`, so a text of
  /// other escapes hides none.
  let escapes: [[UInt8]]
  /// It is a name. Names stand in most records, values in few.
  let isName: Bool

  /// A string as a whole, between its quotes.
  static func whole(_ text: String, isName: Bool = false) -> RequiredLiteral? {
    let quote = "\""
    return longest(of: quote + text + quote, content: 1..<(text.unicodeScalars.count + 1), isName: isName)
  }

  /// A part of a string.
  static func part(_ text: String) -> RequiredLiteral? {
    longest(of: text, content: 0..<text.unicodeScalars.count, isName: false)
  }

  /// The longest piece in which no character must be escaped.
  ///
  /// - Parameter content: The characters that are not the quotes around the string.
  private static func longest(of text: String, content: Range<Int>, isName: Bool) -> RequiredLiteral? {
    var plain: [Unicode.Scalar] = []
    var slashed: [Unicode.Scalar] = []
    var bestPlain = plain
    var bestSlashed = plain
    for (place, scalar) in text.unicodeScalars.enumerated() {
      if content.contains(place), scalar.value < 0x20 || scalar == "\"" || scalar == "\\" {
        plain = []
        slashed = []
        continue
      }
      slashed.append(scalar)
      // A slash may be written as `\/`, and some writers always do.
      if scalar == "/" { plain = [] } else { plain.append(scalar) }
      if plain.count > bestPlain.count { bestPlain = plain }
      if slashed.count > bestSlashed.count { bestSlashed = slashed }
    }
    let best = bestPlain.count >= enough ? bestPlain : bestSlashed
    // One byte is everywhere.
    guard best.count > 1 else { return nil }
    return RequiredLiteral(best, isName: isName)
  }

  /// So many characters are rare, whatever they are.
  private static let enough = 6

  private init(_ scalars: [Unicode.Scalar], isName: Bool) {
    var bytes: [UInt8] = []
    var escapes: Set<[UInt8]> = []
    for scalar in scalars {
      bytes += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      // A quote in a needle is one that stands around a string.
      if scalar != "\"" { escapes.formUnion(Self.escapes(of: scalar)) }
    }
    self.bytes = bytes
    self.escapes = escapes.sorted { $0.lexicographicallyPrecedes($1) }
    self.isName = isName
  }

  /// How each escape of a character begins.
  private static func escapes(of scalar: Unicode.Scalar) -> [[UInt8]] {
    let start = Array("\\u".utf8)
    // Half a surrogate pair may be read as this one, and so can be anything.
    if scalar.value == 0xFFFD { return [start] }
    if scalar.value < 0x80 {
      let digit = UInt8(truncatingIfNeeded: scalar.value >> 4) + ASCII.zero
      let escape = start + [ASCII.zero, ASCII.zero, digit]
      return scalar == "/" ? [escape, Array("\\/".utf8)] : [escape]
    }
    // The first digit of four, of a pair that of its first half.
    let digit = scalar.value > 0xFFFF ? 0xD : scalar.value >> 12
    let text = String(digit, radix: 16)
    return Set([text, text.uppercased()]).map { start + Array($0.utf8) }
  }

  /// The larger, the fewer texts have it: a guess.
  var rarity: Int { min(bytes.count, 64) + (isName ? 0 : 64) }
}
