/// What every match of an expression has: a text without it is rejected in less time than by the tables of the expression.
struct IRegexpNeeds: Sendable, BitwiseCopyable {
  /// The minimum number of characters.
  private let minLength: Int
  /// Two bytes that follow one another in each match, where such bytes are known. Otherwise ASCII characters of which each match
  /// has at least one: one bit for each of 0x00...0x3F and 0x40...0x7F, or none.
  private var pair: (first: UInt8, second: UInt8)?
  private var keys: (low: UInt64, high: UInt64) = (0, 0)
  /// The ASCII character that occurs most often.
  private var frequent: UInt8 = 0
  private var frequentCount = 0

  init(_ node: IRegexpNode, _ sets: [IRegexpSet]) {
    var parts = IRegexpParts()
    parts.add(node, sets)
    minLength = parts.minLength
    pair = parts.rarestPair
    for (byte, count) in parts.counts where (count, byte) > (frequentCount, frequent) {
      (frequent, frequentCount) = (byte, count)
    }
    for byte in parts.keys {
      if byte < 0x40 { keys.low |= 1 << UInt64(byte) } else { keys.high |= 1 << UInt64(byte & 0x3F) }
    }
  }

  /// Returns whether a text may match, by two of its bytes that follow one another, and of the first one only four bits. The byte
  /// before a text is 0.
  func mayMatch(_ first: UInt8, _ second: UInt8) -> Bool {
    if let pair { return second == pair.second && (first ^ pair.first) & 15 == 0 }
    guard keys.low | keys.high != 0 else { return true }
    return second < 0x80 && (second < 0x40 ? keys.low : keys.high) >> UInt64(second & 0x3F) & 1 == 1
  }

  /// Returns whether a text may match, if two of its bytes say so.
  func areMet(by text: UnsafeRawBufferPointer) -> Bool {
    guard text.count >= minLength else { return false }
    return unsafe frequentCount <= 1 || text.count(where: { $0 == frequent }) >= frequentCount
  }
}

/// The parts of all matches of an expression.
private struct IRegexpParts {
  /// The minimum number of characters.
  private(set) var minLength = 0
  /// How often ASCII characters occur at least.
  private(set) var counts: [UInt8: Int] = [:]
  private var hasDigit = false
  /// A text in each match. It is the longest one that is known.
  private(set) var literal: [UInt8] = []
  /// What each match begins and ends with.
  private var prefix: [UInt8] = []
  private var suffix: [UInt8] = []
  /// Whether each match is ``prefix``.
  private var isExact = true

  /// The two bytes of the literal that are the rarest.
  var rarestPair: (first: UInt8, second: UInt8)? {
    zip(literal, literal.dropFirst()).max {
      Self.rarity($0.0) + Self.rarity($0.1) < Self.rarity($1.0) + Self.rarity($1.1)
    }
    .map { (first: $0.0, second: $0.1) }
  }

  /// Bytes of which each match has at least one: the rarest character.
  var keys: [UInt8] {
    let rarest = counts.keys.max { (Self.rarity($0), $0) < (Self.rarity($1), $1) }
    return rarest.map { [$0] } ?? (hasDigit ? Array(ASCII.zero...ASCII.zero + 9) : [])
  }

  /// Literals are cut, and repetitions are followed only this often.
  private static let maxLiteral = 64
  private static let maxRepetitions = 3
  private static let maxLength = 1 << 20

  mutating func add(_ node: IRegexpNode, _ sets: [IRegexpSet]) {
    switch node {
    case .empty, .start, .end: break
    case .any:
      addUnknown()
      minLength += 1
    case .scalar(let value):
      var next = IRegexpParts()
      next.minLength = 1
      next.prefix = Unicode.Scalar(value).flatMap { UTF8.encode($0) }.map { Array($0) } ?? []
      (next.suffix, next.literal, next.isExact) = (next.prefix, next.prefix, !next.prefix.isEmpty)
      if value < 0x80 { next.counts[UInt8(value)] = 1 }
      next.hasDigit = value < 0x80 && UInt8(value).isDigit
      append(next)
    case .set(let number):
      addUnknown()
      minLength += 1
      hasDigit = hasDigit || sets[number].hasOnlyDigits
    case .sequence(let nodes): for node in nodes { add(node, sets) }
    case .choice(let branches):
      let all = branches.map { branch in
        var parts = IRegexpParts()
        parts.add(branch, sets)
        return parts
      }
      if let first = all.first { append(all.dropFirst().reduce(first) { $0.common($1) }) }
    case .repeated(let body, let minCount, let maxCount):
      var once = IRegexpParts()
      once.add(body, sets)
      var all = IRegexpParts()
      for _ in 0..<min(minCount, Self.maxRepetitions) { all.append(once) }
      all.minLength = Self.product(once.minLength, minCount)
      all.counts = minCount == 0 ? [:] : once.counts.mapValues { Self.product($0, minCount) }
      all.isExact = all.isExact && minCount == maxCount && minCount <= Self.maxRepetitions
      append(all)
    }
    minLength = min(minLength, Self.maxLength)
  }

  private mutating func addUnknown() { (isExact, suffix) = (false, []) }

  /// Adds what follows. Every literal is a part of a text that is known, so it may be cut at one end.
  private mutating func append(_ next: IRegexpParts) {
    let joined = suffix + next.prefix
    for text in [next.literal, joined] where text.count > literal.count {
      literal = Array(text.prefix(Self.maxLiteral))
    }
    if isExact { prefix = Array(joined.prefix(Self.maxLiteral)) }
    suffix = Array((next.isExact ? joined : next.suffix).suffix(Self.maxLiteral))
    isExact = isExact && next.isExact && joined.count <= Self.maxLiteral
    minLength += next.minLength
    counts.merge(next.counts) { min($0 + $1, Self.maxLength) }
    hasDigit = hasDigit || next.hasDigit
  }

  /// Returns what both have.
  private func common(_ other: IRegexpParts) -> IRegexpParts {
    var common = IRegexpParts()
    common.minLength = min(minLength, other.minLength)
    for (byte, count) in counts { common.counts[byte] = other.counts[byte].map { min($0, count) } }
    common.hasDigit = hasDigit && other.hasDigit
    common.isExact = isExact && other.isExact && prefix == other.prefix
    common.prefix = zip(prefix, other.prefix).prefix { $0 == $1 }.map(\.0)
    common.suffix = zip(suffix.reversed(), other.suffix.reversed()).prefix { $0 == $1 }.map(\.0).reversed()
    common.literal = common.prefix.count >= common.suffix.count ? common.prefix : common.suffix
    return common
  }

  private static func product(_ count: Int, _ times: Int) -> Int {
    let (product, overflow) = count.multipliedReportingOverflow(by: times)
    return overflow ? maxLength : min(product, maxLength)
  }

  /// A higher number for a character that is rarer in most texts.
  private static func rarity(_ byte: UInt8) -> Int { common.firstIndex(of: byte) ?? common.count }

  private static let common = Array(" etaoinrslcdupmhgfbyvw0123456789.-:/kxjqz,_ETAOINSRLCDUPMHGFBYVWKXJQZ".utf8)
}
