/// A byte sequence that each text satisfying a condition contains, unless one of its characters is written as an escape.
struct RequiredLiteral: Hashable, Sendable {
  let bytes: [UInt8]
  /// Prefixes of the escapes that can spell a character of the literal. For example, only `\u00e…` can spell an `é`. A text
  /// that contains none of the prefixes cannot contain the literal in escaped form.
  let escapes: [[UInt8]]
  /// Whether the literal is a member name. Names occur in most records, values in few.
  let isName: Bool

  /// Returns the literal of a whole string, between its quotes.
  static func whole(_ text: String, isName: Bool = false) -> RequiredLiteral? {
    let quote = "\""
    return longest(of: quote + text + quote, content: 1..<(text.unicodeScalars.count + 1), isName: isName)
  }

  static func part(_ text: String) -> RequiredLiteral? {
    longest(of: text, content: 0..<text.unicodeScalars.count, isName: false)
  }

  /// Returns the longest chunk without characters that must be escaped.
  ///
  /// - Parameter content: The range of characters between the quotes around the string.
  private static func longest(of text: String, content: Range<Int>, isName: Bool) -> RequiredLiteral? {
    var plain: [Unicode.Scalar] = []
    var slashed: [Unicode.Scalar] = []
    var bestPlain = plain
    var bestSlashed = plain
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if content.contains(index), scalar.value < 0x20 || scalar == "\"" || scalar == "\\" {
        plain = []
        slashed = []
        continue
      }
      slashed.append(scalar)
      // A slash may be written as `\/`, and some writers always escape it.
      if scalar == "/" { plain = [] } else { plain.append(scalar) }
      if plain.count > bestPlain.count { bestPlain = plain }
      if slashed.count > bestSlashed.count { bestSlashed = slashed }
    }
    let best = bestPlain.count >= rareLength ? bestPlain : bestSlashed
    // Nearly every text contains a given single byte.
    guard best.count > 1 else { return nil }
    return RequiredLiteral(best, isName: isName)
  }

  /// The number of characters from which any literal is rare.
  private static let rareLength = 6

  private init(_ scalars: [Unicode.Scalar], isName: Bool) {
    var bytes: [UInt8] = []
    var escapes: Set<[UInt8]> = []
    for scalar in scalars {
      bytes += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      // A quote in a literal delimits the string, so it is never escaped.
      if scalar != "\"" { escapes.formUnion(Self.escapes(of: scalar)) }
    }
    self.bytes = bytes
    self.escapes = escapes.sorted { $0.lexicographicallyPrecedes($1) }
    self.isName = isName
  }

  /// Returns the prefix of each escape of a character.
  private static func escapes(of scalar: Unicode.Scalar) -> [[UInt8]] {
    let start = Array("\\u".utf8)
    // An unpaired surrogate may be decoded as this character, so any escape can spell it.
    if scalar.value == 0xFFFD { return [start] }
    if scalar.value < 0x80 {
      let digit = UInt8(truncatingIfNeeded: scalar.value >> 4) + ASCII.zero
      let escape = start + [ASCII.zero, ASCII.zero, digit]
      return scalar == "/" ? [escape, Array("\\/".utf8)] : [escape]
    }
    // The first of four hexadecimal digits; for a surrogate pair, the first digit of its first half.
    let digit = scalar.value > 0xFFFF ? 0xD : scalar.value >> 12
    let text = String(digit, radix: 16)
    return Set([text, text.uppercased()]).map { start + Array($0.utf8) }
  }

  /// An estimate: the larger, the fewer texts contain the literal.
  var rarity: Int { min(bytes.count, 64) + (isName ? 0 : 64) }
}
