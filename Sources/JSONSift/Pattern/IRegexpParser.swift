/// Text of a regular expression to a program, by the grammar of RFC 9485. Groups are kept on a stack of its own, so no
/// pattern can exhaust the thread's.
///
/// What a pattern costs is known before it is built: each node knows how many instructions it takes.
struct IRegexpParser {
  /// A node and how many instructions it takes.
  private typealias Piece = (node: IRegexpNode, size: Int)

  /// A group that is open, or the whole pattern.
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
  /// `^` and `$` are anchors, as in the engines that RFC 9485 maps patterns to, and not characters, as in its grammar.
  private let readsAnchors: Bool
  private var index = 0
  private var sets: [IRegexpSet] = []
  private var numbers: [IRegexpSet: Int] = [:]
  private var items = 0
  private var hasAnchors = false

  static let maxGroups = 100
  /// Characters, ranges and categories in brackets, of all classes together.
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
        guard outer.count < Self.maxGroups else {
          throw failure(.groups, limit: Self.maxGroups)
        }
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

  /// One instruction is the end of the program.
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

  /// The escape whose backslash is at `index`.
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

  /// A name in braces.
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
          throw failure("'\\' before '-', which stands for itself only at the ends of a class")
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

  /// A character, a range or categories.
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
    guard items <= Self.maxItems else {
      throw failure(.classItems, limit: Self.maxItems)
    }
  }

  // MARK: Quantifiers

  private mutating func quantified(_ piece: Piece) throws(JSONError) -> Piece {
    let start = index
    let least: Int
    let most: Int?
    switch current {
    case ASCII.star: (least, most) = (0, nil)
    case ASCII.plus: (least, most) = (1, nil)
    case ASCII.question: (least, most) = (0, 1)
    case ASCII.openBrace: (least, most) = try bounds()
    default: return piece
    }
    index += 1
    guard piece.size > 0, most != 0 else { return (.empty, 0) }
    if least == 1, most == 1 { return piece }
    let size = IRegexpProgram.size(of: piece.size, least: least, most: most)
    try check(size, start)
    return (.repeated(piece.node, least: least, most: most), size)
  }

  /// The numbers in braces; `index` stays at the closing one.
  private mutating func bounds() throws(JSONError) -> (Int, Int?) {
    index += 1
    let least = try digits()
    guard current == ASCII.comma else {
      try expectBrace()
      return (Self.value(least), Self.value(least))
    }
    index += 1
    guard current != ASCII.closeBrace else { return (Self.value(least), nil) }
    let start = index
    let most = try digits()
    let inOrder = least.count == most.count ? !most.lexicographicallyPrecedes(least) : least.count < most.count
    guard inOrder else { throw failure("a second number that is not below the first", at: start) }
    try expectBrace()
    return (Self.value(least), Self.value(most))
  }

  private func expectBrace() throws(JSONError) {
    guard current == ASCII.closeBrace else { throw failure("'}' after the number of repetitions") }
  }

  /// The digits of a number, without zeros before them.
  private mutating func digits() throws(JSONError) -> ArraySlice<UInt8> {
    let start = index
    while let byte = current, byte.isDigit { index += 1 }
    guard index > start else { throw failure("a number of repetitions") }
    return text[start..<index].drop { $0 == ASCII.zero }
  }

  /// The value of a number, or one that is more than any program allows.
  private static func value(_ digits: ArraySlice<UInt8>) -> Int {
    guard digits.count < 9 else { return 1_000_000_000 }
    return digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
  }

  // MARK: Text

  private var current: UInt8? { index < text.count ? text[index] : nil }

  private var next: UInt8? { index + 1 < text.count ? text[index + 1] : nil }

  private func failure(_ expected: String, at place: Int? = nil) -> JSONError {
    let place = place ?? index
    let found = place < text.count ? JSONError.Found(byte: text[place]) : nil
    return JSONError(.invalidPath, at: place, found: found, expected: .query(expected))
  }

  /// The pattern breaks a limit that the grammar does not have.
  private func failure(_ part: JSONError.PatternPart, limit: Int, at place: Int? = nil) -> JSONError {
    JSONError(.invalidPath, at: place ?? index, limit: limit, .pattern(part))
  }
}
