/// The number of terminal columns that a text takes. The standard library identifies emoji and combining marks; it does
/// not identify wide characters (Unicode Standard Annex #11), so their blocks are listed here.
enum DisplayWidth {
  static func of(_ text: some StringProtocol) -> Int {
    // Each printable ASCII character takes one column.
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text.utf8.count }
    return text.reduce(0) { $0 + width(of: $1) }
  }

  /// Returns a text in which characters that are not seen, or that change the order of others, are named.
  static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var visible = ""
    for scalar in text.unicodeScalars {
      if let letter = letters[scalar] {
        visible += letter
      } else if isHidden(scalar) {
        visible += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        visible.unicodeScalars.append(scalar)
      }
    }
    return visible
  }

  private static let letters: [Unicode.Scalar: String] = ["\t": "\\t", "\n": "\\n", "\r": "\\r"]

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x20 else { return true }
    guard scalar.value >= 0x7F else { return false }
    // Variation selectors choose the look of a character.
    if 0xFE00...0xFE0F ~= scalar.value { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isNoncharacterCodePoint
    }
  }

  /// Returns the first scalars of a text: a character may consist of any number of marks that take no column.
  static func start(of text: String, _ scalars: Int) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(scalars)))
  }

  /// Returns the longest prefix that fits into `maxWidth` columns.
  static func prefix(_ text: String, _ maxWidth: Int) -> Substring {
    var left = maxWidth
    return text.prefix { character in
      left -= width(of: character)
      return left >= 0
    }
  }

  /// The width of a character is the width of its widest scalar.
  private static func width(of character: Character) -> Int {
    character.unicodeScalars.reduce(0) { max($0, width(of: $1)) }
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    guard scalar.value >= 0x300 else { return 1 }
    // The variation selector for emoji presentation makes a character wide.
    if scalar.value == 0xFE0F || scalar.properties.isEmojiPresentation { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return wideBlocks.contains { $0 ~= scalar.value } ? 2 : 1
    }
  }

  private static let wideBlocks: [ClosedRange<UInt32>] = [
    // Hangul Jamo that begin a syllable; CJK radicals, punctuation, kana, Bopomofo, symbols.
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF,
    // CJK ideographs and Yi; Hangul syllables; ideographs for compatibility.
    0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    // Vertical and small forms, fullwidth forms and signs.
    0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    // Tangut, kana supplements, ideographs of the supplementary planes.
    0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFD,
  ]
}
