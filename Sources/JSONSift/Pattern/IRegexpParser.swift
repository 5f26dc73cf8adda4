/// The parser of regular expressions by the grammar of RFC 9485. It keeps open groups on a stack of its own, so no
/// pattern can overflow the thread's stack.
///
/// Each node knows its size in instructions, so a pattern that is too large is rejected before its program is built.
struct IRegexpParser {
  /// A node and its size in instructions.
  private typealias Piece = (node: IRegexpNode, size: Int)

  /// An open group, or the whole pattern.
  private struct Group {
    var branches: [IRegexpNode] = []
    var sequence: [IRegexpNode] = []
    var size = 0

    mutating func endBranch() {
      branches.append(sequence.count == 1 ? sequence[0] : sequence.isEmpty ? .empty : .sequence(sequence))
      sequence = []
    }

    mutating func end() -> Piece {
      endBranch()
      return (branches.count == 1 ? branches[0] : .choice(branches), size)
    }
  }

  private let text: [UInt8]
  /// Whether `^` and `$` are anchors, as in the engines that RFC 9485 maps patterns to, and not characters, as in its
  /// grammar.
  private let readsAnchors: Bool
  private var index = 0
  private var sets: [IRegexpSet] = []
  private var numbers: [IRegexpSet: Int] = [:]
  private var items = 0
  private var hasAnchors = false

  static let maxGroups = 100
  /// The maximum number of characters, ranges and categories in all classes together.
  static let maxItems = 10_000

  init(_ text: String, readsAnchors: Bool) {
    self.text = Array(text.utf8)
    self.readsAnchors = readsAnchors
  }

  mutating func program() throws(JSONError) -> IRegexpProgram {
    var outer: [Group] = []
    var group = Group()
    while let byte = current {
      let start = index
      switch byte {
      case ASCII.bar:
        index += 1
        group.size += 2
        try check(group.size, start)
        group.endBranch()
      case ASCII.openParenthesis:
        guard outer.count < Self.maxGroups else { throw failure(.groups, limit: Self.maxGroups) }
        index += 1
        outer.append(group)
        group = Group()
      case ASCII.closeParenthesis:
        guard let parent = outer.popLast() else { throw failure("'\\' before ')', or '(' earlier on") }
        index += 1
        let piece = group.end()
        group = parent
        try append(quantified(piece), to: &group, start)
      default:
        let piece = try atom()
        try append(quantified(piece), to: &group, start)
      }
    }
    guard outer.isEmpty else { throw failure("')' at the end of a group") }
    return IRegexpProgram(group.end().node, sets: sets, hasAnchors: hasAnchors)
  }

  private func append(_ piece: Piece, to group: inout Group, _ start: Int) throws(JSONError) {
    guard piece.size > 0 else { return }
    group.size += piece.size
    try check(group.size, start)
    group.sequence.append(piece.node)
  }

  /// Throws if a program of this size is too large; one more instruction ends the program.
  private func check(_ size: Int, _ start: Int) throws(JSONError) {
    guard size < IRegexpProgram.maxInstructions else {
      throw failure(.instructions, limit: IRegexpProgram.maxInstructions, at: start)
    }
  }

  // MARK: Atoms

  private mutating func atom() throws(JSONError) -> Piece {
    let byte = text[index]
    switch byte {
    case ASCII.dot:
      index += 1
      return (.any, 1)
    case ASCII.backslash:
      switch try escape() {
      case .scalar(let value): return (.scalar(value), 1)
      case .categories(let categories): return (.set(number(of: IRegexpSet(categories))), 1)
      }
    case ASCII.openBracket: return (.set(number(of: try characterClass())), 1)
    case ASCII.star, ASCII.plus, ASCII.question, ASCII.openBrace:
      throw failure("something to repeat before '\(Character(Unicode.Scalar(byte)))', or '\\'")
    case ASCII.closeBracket, ASCII.closeBrace: throw failure("'\\' before '\(Character(Unicode.Scalar(byte)))'")
    case ASCII.caret where readsAnchors: return try anchor(.start)
    case ASCII.dollar where readsAnchors: return try anchor(.end)
    default: return (.scalar(scalar()), 1)
    }
  }

  private mutating func anchor(_ node: IRegexpNode) throws(JSONError) -> Piece {
    index += 1
    hasAnchors = true
    switch current {
    case ASCII.star, ASCII.plus, ASCII.question, ASCII.openBrace: throw failure("an anchor that is not repeated")
    default: return (node, 1)
    }
  }

  private mutating func scalar() -> UInt32 {
    var end = index
    defer { index = end }
    return text.span.decodeScalar(at: &end)
  }

  private mutating func number(of set: IRegexpSet) -> Int {
    if let known = numbers[set] { return known }
    numbers[set] = sets.count
    sets.append(set)
    return sets.count - 1
  }

  // MARK: Escapes

  private enum Escape {
    case scalar(UInt32)
    case categories(IRegexpCategories)
  }

  /// Parses the escape whose backslash is at `index`.
  private mutating func escape() throws(JSONError) -> Escape {
    index += 1
    let byte = current
    switch byte {
    case ASCII.lowerN: index += 1; return .scalar(UInt32(ASCII.lineFeed))
    case ASCII.lowerR: index += 1; return .scalar(UInt32(ASCII.carriageReturn))
    case ASCII.lowerT: index += 1; return .scalar(UInt32(ASCII.tab))
    case ASCII.lowerP, ASCII.upperP:
      index += 1
      let categories = try categories()
      return .categories(byte == ASCII.lowerP ? categories : .all.subtracting(categories))
    case let byte? where Self.canBeEscaped(byte):
      index += 1
      return .scalar(UInt32(byte))
    default: throw failure(#"n, r, t, p, P or one of ( ) * + - . ? [ \ ] ^ { | } after '\'"#)
    }
  }

  private static func canBeEscaped(_ byte: UInt8) -> Bool {
    switch byte {
    case ASCII.openParenthesis...ASCII.plus, ASCII.minus, ASCII.dot, ASCII.question, ASCII.openBracket...ASCII.caret,
      ASCII.openBrace...ASCII.closeBrace:
      true
    default: false
    }
  }

  /// Parses the name of a category in braces.
  private mutating func categories() throws(JSONError) -> IRegexpCategories {
    guard current == ASCII.openBrace else { throw failure("'{' and a category after \\p") }
    index += 1
    let start = index
    while let byte = current, byte.isLetter { index += 1 }
    guard let categories = IRegexpCategories(name: text[start..<index]) else {
      throw failure("a general category of Unicode, such as L or Lu", at: start)
    }
    guard current == ASCII.closeBrace else { throw failure("'}' after a category") }
    index += 1
    return categories
  }

  // MARK: Classes

  private mutating func characterClass() throws(JSONError) -> IRegexpSet {
    let opening = index
    var set = IRegexpSet()
    index += 1
    let isNegated = current == ASCII.caret
    if isNegated { index += 1 }
    var isEmpty = true
    if current == ASCII.minus {
      try insertMinus(&set)
      isEmpty = false
    }
    while let byte = current, byte != ASCII.closeBracket {
      if byte == ASCII.minus {
        guard !isEmpty, next == ASCII.closeBracket else {
          throw failure("'\\' before '-', which is literal only at the ends of a class")
        }
        try insertMinus(&set)
      } else {
        try insertItem(&set)
      }
      isEmpty = false
    }
    guard current != nil else { throw failure("']' at the end of the class that began at byte \(opening)") }
    guard !isEmpty else { throw failure("a character in the class") }
    index += 1
    set.finish(isNegated: isNegated)
    return set
  }

  private mutating func insertMinus(_ set: inout IRegexpSet) throws(JSONError) {
    try countItem()
    index += 1
    set.insert(UInt32(ASCII.minus)...UInt32(ASCII.minus))
  }

  /// Parses a character, a range or a category, and inserts it.
  private mutating func insertItem(_ set: inout IRegexpSet) throws(JSONError) {
    try countItem()
    let low: UInt32
    switch try classItem() {
    case .categories(let categories):
      set.insert(categories)
      return
    case .scalar(let value): low = value
    }
    guard current == ASCII.minus, next != ASCII.closeBracket else {
      set.insert(low...low)
      return
    }
    index += 1
    let start = index
    guard current != ASCII.minus else { throw failure("'\\' before '-' as the end of a range") }
    guard case .scalar(let high) = try classItem() else {
      throw failure("a character as the end of a range", at: start)
    }
    guard low <= high else { throw failure("a range from a lower to a higher character", at: start) }
    set.insert(low...high)
  }

  private mutating func classItem() throws(JSONError) -> Escape {
    switch current {
    case nil: throw failure("']' at the end of the class")
    case ASCII.openBracket, ASCII.closeBracket: throw failure("'\\' before a bracket in a class")
    case ASCII.backslash: return try escape()
    default: return .scalar(scalar())
    }
  }

  private mutating func countItem() throws(JSONError) {
    items += 1
    guard items <= Self.maxItems else { throw failure(.classItems, limit: Self.maxItems) }
  }

  // MARK: Quantifiers

  private mutating func quantified(_ piece: Piece) throws(JSONError) -> Piece {
    let start = index
    let minCount: Int
    let maxCount: Int?
    switch current {
    case ASCII.star: (minCount, maxCount) = (0, nil)
    case ASCII.plus: (minCount, maxCount) = (1, nil)
    case ASCII.question: (minCount, maxCount) = (0, 1)
    case ASCII.openBrace: (minCount, maxCount) = try bounds()
    default: return piece
    }
    index += 1
    guard piece.size > 0, maxCount != 0 else { return (.empty, 0) }
    if minCount == 1, maxCount == 1 { return piece }
    let size = IRegexpProgram.size(of: piece.size, minCount: minCount, maxCount: maxCount)
    try check(size, start)
    return (.repeated(piece.node, minCount: minCount, maxCount: maxCount), size)
  }

  /// Parses the numbers in braces. `index` is left at the closing brace.
  private mutating func bounds() throws(JSONError) -> (Int, Int?) {
    index += 1
    let lower = try digits()
    guard current == ASCII.comma else {
      try expectBrace()
      return (Self.value(lower), Self.value(lower))
    }
    index += 1
    guard current != ASCII.closeBrace else { return (Self.value(lower), nil) }
    let start = index
    let upper = try digits()
    let inOrder = lower.count == upper.count ? !upper.lexicographicallyPrecedes(lower) : lower.count < upper.count
    guard inOrder else { throw failure("a second number that is not below the first", at: start) }
    try expectBrace()
    return (Self.value(lower), Self.value(upper))
  }

  private func expectBrace() throws(JSONError) {
    guard current == ASCII.closeBrace else { throw failure("'}' after the number of repetitions") }
  }

  /// Parses the digits of a number, and returns them without leading zeros.
  private mutating func digits() throws(JSONError) -> ArraySlice<UInt8> {
    let start = index
    while let byte = current, byte.isDigit { index += 1 }
    guard index > start else { throw failure("a number of repetitions") }
    return text[start..<index].drop { $0 == ASCII.zero }
  }

  /// Returns the value of a number. A number of more than eight digits becomes one that exceeds every limit.
  private static func value(_ digits: ArraySlice<UInt8>) -> Int {
    guard digits.count < 9 else { return 1_000_000_000 }
    return digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
  }

  // MARK: Text

  private var current: UInt8? { index < text.count ? text[index] : nil }

  private var next: UInt8? { index + 1 < text.count ? text[index + 1] : nil }

  private func failure(_ expected: String, at offset: Int? = nil) -> JSONError {
    let offset = offset ?? index
    let found = offset < text.count ? JSONError.Found(byte: text[offset]) : nil
    return JSONError(.invalidPath, at: offset, found: found, expected: .query(expected))
  }

  /// Returns an error at an offset, or at `index`.
  ///
  /// - Parameter limit: The limit that the pattern exceeds; `nil` if it breaks the grammar.
  private func failure(_ part: JSONError.PatternPart, limit: Int, at offset: Int? = nil) -> JSONError {
    JSONError(.invalidPath, at: offset ?? index, limit: limit, .pattern(part))
  }
}
