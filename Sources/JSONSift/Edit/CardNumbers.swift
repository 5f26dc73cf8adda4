/// Finds the numbers of payment cards in a text.
///
/// A card number has 13 to 19 digits, begins with digits of a network that issues numbers of this length, and has a valid check
/// digit (Luhn). It may be written in groups with one space or hyphen between two, of which all but the last have four digits or
/// more. It begins and ends with a group: digits that touch others, or a decimal point between two digits, belong to one number.
/// Each long number would otherwise contain a card number: of ten digits in the last place one is valid.
enum CardNumbers {
  /// The first four digits of the numbers of a network, and the possible numbers of digits.
  package static let networks: [(name: String, first: ClosedRange<Int>, counts: [Int])] = [
    ("Visa", 4000...4999, [13, 16, 19]), ("Mastercard", 5100...5599, [16]), ("Mastercard", 2221...2720, [16]),
    ("American Express", 3400...3499, [15]), ("American Express", 3700...3799, [15]),
    ("Discover", 6011...6011, [16, 17, 18, 19]), ("Discover", 6440...6599, [16, 17, 18, 19]),
    ("JCB", 3528...3589, [16, 17, 18, 19]), ("UnionPay", 6200...6299, [16, 17, 18, 19]),
    ("Diners Club", 3000...3059, [14, 16]), ("Diners Club", 3095...3095, [14, 16]),
    ("Diners Club", 3600...3699, [14, 16]), ("Diners Club", 3800...3999, [14, 16]),
    ("Mir", 2200...2204, [16, 17, 18, 19]), ("RuPay", 6000...6099, [16]), ("RuPay", 8100...8299, [16]),
    ("Maestro", 5000...5099, [13, 16, 19]), ("Maestro", 5600...5899, [13, 16, 19]),
    ("Maestro", 6300...6399, [13, 16, 19]), ("Maestro", 6700...6799, [13, 16, 19]),
  ]

  private static let counts = 13...19

  /// Returns the parts of a text that are card numbers, in their order. Those that overlap are one part.
  static func ranges(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
    var found: [Range<Int>] = []
    guard unsafe hasDigits(text) else { return found }
    // Groups that follow one another: where they begin and end, and how many digits they have.
    var (start, end, digits) = (0, 0, 0)
    for index in 0..<text.count where unsafe text[index].isDigit {
      if index != end, unsafe index != end + 1 || !text[end].joinsGroups {
        if digits >= counts.lowerBound { unsafe add(start..<end, of: text, to: &found) }
        (start, digits) = (index, 0)
      }
      digits &+= 1
      end = index &+ 1
    }
    if digits >= counts.lowerBound { unsafe add(start..<end, of: text, to: &found) }
    return found
  }

  /// Returns whether enough digits follow one another. Without branches: digits and letters alternate in many identifiers.
  private static func hasDigits(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count >= counts.lowerBound else { return false }
    var (digits, most, wasDigit) = (0, 0, 0)
    for index in 0..<text.count {
      let byte = unsafe text[index]
      let isDigit = byte.isDigit ? 1 : 0
      let continues = isDigit | wasDigit & (byte.joinsGroups ? 1 : 0)
      // All bits are set, or none.
      digits = (digits &+ isDigit) & (0 &- continues)
      most = max(most, digits)
      wasDigit = isDigit
    }
    return most >= counts.lowerBound
  }

  /// Adds the card numbers among groups that follow one another.
  private static func add(_ range: Range<Int>, of text: UnsafeRawBufferPointer, to found: inout [Range<Int>]) {
    var groups: [Range<Int>] = []
    var start = range.lowerBound
    for index in range where unsafe !text[index].isDigit {
      groups.append(start..<index)
      start = index + 1
    }
    groups.append(start..<range.upperBound)
    for first in groups.indices {
      var digits = 0
      for group in groups[first...] {
        digits += group.count
        guard digits <= counts.upperBound else { break }
        let range = groups[first].lowerBound..<group.upperBound
        if digits >= counts.lowerBound, unsafe isCard(text, range) { found.append(merging: range) }
        guard group.count >= 4 else { break }
      }
    }
  }

  private static func isCard(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    let digits = unsafe text[range].filter { $0.isDigit }.map { Int($0 - ASCII.zero) }
    let first = digits.prefix(4).reduce(0) { $0 * 10 + $1 }
    let isIssued = networks.contains { $0.first.contains(first) && $0.counts.contains(digits.count) }
    guard isIssued else { return false }
    let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
      let value = digit.offset % 2 == 0 ? digit.element : digit.element * 2
      return sum + (value > 9 ? value - 9 : value)
    }
    return unsafe sum % 10 == 0 && !isPoint(text, range.lowerBound - 1) && !isPoint(text, range.upperBound)
  }

  /// Returns whether a byte is a point between two digits.
  private static func isPoint(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
    guard index > 0, index + 1 < text.count, unsafe text[index] == ASCII.dot else { return false }
    return unsafe text[index - 1].isDigit && text[index + 1].isDigit
  }
}

extension UInt8 {
  /// Whether the byte may be between two groups of digits of one number.
  fileprivate var joinsGroups: Bool { self == ASCII.space || self == ASCII.minus }
}
