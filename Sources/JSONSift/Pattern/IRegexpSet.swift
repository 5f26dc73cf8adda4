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

  init(_ categories: IRegexpCategories) {
    insert(categories)
  }

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
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= value
  }
}

/// A set of Unicode general categories, in the version of the standard library. A character has exactly one category.
struct IRegexpCategories: OptionSet, Sendable, Hashable {
  let rawValue: UInt32

  /// The names of RFC 9485 in the order of the bits, and `Cs`, which no character has and which patterns may not name.
  static let names: [StaticString] = [
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm",
    "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn", "Cs",
  ]

  static let all = IRegexpCategories(rawValue: 1 << UInt32(names.count) - 1)

  /// The category of each ASCII character.
  static let ofASCII: [IRegexpCategories] = (0..<0x80).map { IRegexpCategories(of: UInt32($0)) }

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The category of a character.
  init(of value: UInt32) {
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    rawValue = 1 << Self.bit(of: scalar.properties.generalCategory)
  }

  /// The categories of a name such as `L` or `Lu`, or `nil` if RFC 9485 does not define the name.
  init?(name: some Sequence<UInt8>) {
    let name = Array(name)
    var found: UInt32 = 0
    guard name.count == 1 || name.count == 2, name != [0x43, 0x73] else { return nil }
    for (bit, known) in Self.names.enumerated() {
      let known = Array("\(known)".utf8)
      if known[0] == name[0], name.count == 1 || known[1] == name[1] { found |= 1 << UInt32(bit) }
    }
    guard found != 0 else { return nil }
    rawValue = found
  }

  private static func bit(of category: Unicode.GeneralCategory) -> UInt32 {
    switch category {
    case .uppercaseLetter: 0
    case .lowercaseLetter: 1
    case .titlecaseLetter: 2
    case .modifierLetter: 3
    case .otherLetter: 4
    case .nonspacingMark: 5
    case .spacingMark: 6
    case .enclosingMark: 7
    case .decimalNumber: 8
    case .letterNumber: 9
    case .otherNumber: 10
    case .connectorPunctuation: 11
    case .dashPunctuation: 12
    case .openPunctuation: 13
    case .closePunctuation: 14
    case .initialPunctuation: 15
    case .finalPunctuation: 16
    case .otherPunctuation: 17
    case .mathSymbol: 18
    case .currencySymbol: 19
    case .modifierSymbol: 20
    case .otherSymbol: 21
    case .spaceSeparator: 22
    case .lineSeparator: 23
    case .paragraphSeparator: 24
    case .control: 25
    case .format: 26
    case .privateUse: 27
    case .unassigned: 28
    case .surrogate: 29
    @unknown default: 28
    }
  }
}
