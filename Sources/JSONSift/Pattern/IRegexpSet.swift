/// A set of characters: a class in brackets, or a category escape.
struct IRegexpSet: Sendable, Hashable {
  /// One bit for each ASCII character: 0x00...0x3F and 0x40...0x7F.
  private var lowASCII: UInt64 = 0
  private var highASCII: UInt64 = 0
  /// The listed characters from U+0080 on. After `finish` the ranges are sorted and disjoint.
  private(set) var ranges: [ClosedRange<UInt32>] = []
  /// The listed categories, which apply to characters from U+0080 on.
  private(set) var categories: IRegexpCategories = []
  /// Whether the set contains exactly the characters that are not listed.
  private(set) var isNegated = false

  init() {}

  init(_ categories: IRegexpCategories) { insert(categories) }

  mutating func insert(_ range: ClosedRange<UInt32>) {
    if range.lowerBound < 0x80 {
      for value in range.lowerBound...min(range.upperBound, 0x7F) { insertASCII(value) }
    }
    if range.upperBound >= 0x80 { ranges.append(max(range.lowerBound, 0x80)...range.upperBound) }
  }

  mutating func insert(_ added: IRegexpCategories) {
    categories.formUnion(added)
    for value in 0..<UInt32(0x80) where added.contains(IRegexpCategories.ofASCII[Int(value)]) { insertASCII(value) }
  }

  /// Sorts and merges the ranges. Called once, after all insertions.
  mutating func finish(isNegated: Bool) {
    self.isNegated = isNegated
    ranges.sort { $0.lowerBound < $1.lowerBound }
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    ranges = merged
  }

  /// Whether the set contains only the digits 0 to 9.
  var hasOnlyDigits: Bool {
    lowASCII & ~(0x3FF << UInt64(ASCII.zero)) == 0 && highASCII == 0 && ranges.isEmpty && categories.isEmpty
      && !isNegated
  }

  /// Returns whether a character is in the set. `category` is used only for characters from U+0080 on.
  func contains(_ value: UInt32, category: IRegexpCategories) -> Bool {
    if value < 0x80 {
      let half = value < 0x40 ? lowASCII : highASCII
      return (half >> UInt64(value & 0x3F) & 1 == 1) != isNegated
    }
    return (!categories.isDisjoint(with: category) || isInRange(value)) != isNegated
  }

  private mutating func insertASCII(_ value: UInt32) {
    if value < 0x40 { lowASCII |= 1 << UInt64(value) } else { highASCII |= 1 << UInt64(value & 0x3F) }
  }

  private func isInRange(_ value: UInt32) -> Bool {
    let index = ranges.indices.bisect { ranges[$0].upperBound >= value }
    return index < ranges.count && ranges[index].lowerBound <= value
  }
}

/// A set of Unicode general categories, in the version of the standard library. A character has exactly one category.
struct IRegexpCategories: OptionSet, Sendable, Hashable {
  let rawValue: UInt32

  /// The names of RFC 9485 in the order of the bits, and `Cs`, which no character has and which patterns may not name.
  private static let table: [(name: String, category: Unicode.GeneralCategory)] = [
    ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter), ("Lm", .modifierLetter),
    ("Lo", .otherLetter), ("Mn", .nonspacingMark), ("Mc", .spacingMark), ("Me", .enclosingMark), ("Nd", .decimalNumber),
    ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation), ("Pd", .dashPunctuation),
    ("Ps", .openPunctuation), ("Pe", .closePunctuation), ("Pi", .initialPunctuation), ("Pf", .finalPunctuation),
    ("Po", .otherPunctuation), ("Sm", .mathSymbol), ("Sc", .currencySymbol), ("Sk", .modifierSymbol),
    ("So", .otherSymbol), ("Zs", .spaceSeparator), ("Zl", .lineSeparator), ("Zp", .paragraphSeparator),
    ("Cc", .control), ("Cf", .format), ("Co", .privateUse), ("Cn", .unassigned), ("Cs", .surrogate),
  ]

  private static let bits: [Unicode.GeneralCategory: Int] = Dictionary(
    uniqueKeysWithValues: zip(table.map(\.category), table.indices))

  static let count = table.count

  static let all = IRegexpCategories(rawValue: 1 << UInt32(count) - 1)

  /// The category of each ASCII character.
  static let ofASCII: [IRegexpCategories] = (0..<0x80).map { IRegexpCategories(of: UInt32($0)) }

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The category of a character.
  init(of value: UInt32) {
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    // A category of a later version of Unicode counts as unassigned.
    let bit = Self.bits[scalar.properties.generalCategory] ?? Self.bits[.unassigned] ?? 0
    rawValue = 1 << UInt32(bit)
  }

  /// The categories of a name such as `L` or `Lu`, or `nil` if RFC 9485 does not define the name.
  init?(name: some Sequence<UInt8>) {
    let name = Array(name)
    var found: UInt32 = 0
    guard name.count == 1 || name.count == 2, name != [0x43, 0x73] else { return nil }
    for (bit, entry) in Self.table.enumerated() {
      let known = Array(entry.name.utf8)
      if known[0] == name[0], name.count == 1 || known[1] == name[1] { found |= 1 << UInt32(bit) }
    }
    guard found != 0 else { return nil }
    rawValue = found
  }
}
