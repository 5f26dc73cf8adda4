/// Parses the text of a query into its tree, checking the grammar and the types of RFC 9535, section 2.
///
/// The text is untrusted, so recursion is bounded: the parser calls itself once per level of parentheses, filters or
/// functions, and at most ``maxLevels`` times.
///
/// An error reports the expected text and, if a typing error is likely, a `Repair`.
struct JSONPathParser {
  /// A change to the text that may make it right.
  struct Repair: Sendable {
    let range: Range<Int>
    let replacement: String

    init(_ range: Range<Int>, _ replacement: String) { (self.range, self.replacement) = (range, replacement) }
  }

  static let maxBytes = 64 << 10
  /// The maximum number of segments of a query, and of selectors of a segment.
  static let maxSegments = 1024
  static let maxLevels = 64
  /// The largest integer of RFC 9535: it allows only integers that a Double represents exactly.
  static let largestInteger = 1 << 53 - 1

  /// The error that ended the parsing. A class, to keep the parser small: in a debug build the stack holds copies of the
  /// parser for each level of parentheses.
  private final class Stop: Sendable {
    let error: JSONError
    let repair: Repair?

    init(_ error: JSONError, _ repair: Repair?) {
      self.error = error
      self.repair = repair
    }
  }

  let text: [UInt8]
  /// The functions that filters may call.
  let functions: [PathFunction]
  var index = 0
  private var stop: Stop?
  /// The change that may correct the text after an error.
  var repair: Repair? { stop?.repair }
  private var level = 0
  /// The range of the last name after a dot, including the dot; after `..`, the range excludes both dots.
  private(set) var lastName = 0..<0
  /// The offset of the first blank between the brackets of the last query.
  private(set) var blankInBrackets: Int?
  /// The offset of the first segment of the last query that can select more than one value.
  private(set) var pluralSegment: Int?

  /// The literals that are patterns: the range of each, and whether the function compares the whole text.
  var patterns: [PatternUse] = []
  /// The comparisons of two literals: the range of each side.
  var constants: [(left: Range<Int>, right: Range<Int>)] = []

  /// A literal pattern.
  struct PatternUse: Sendable {
    let range: Range<Int>
    let isWhole: Bool
  }

  /// - Parameter functions: The functions that filters may call.
  init(_ text: String, functions: [PathFunction] = PathFunction.all) {
    self.text = Array(text.utf8)
    self.functions = functions
  }

  /// Parses the whole text as a query.
  mutating func query() throws(JSONError) -> PathQuery {
    try reporting { (parser) throws(PathSyntaxError) in try parser.wholeQuery() }
  }

  /// Parses the whole text as a logical expression.
  mutating func condition() throws(JSONError) -> PathFilter {
    try reporting { (parser) throws(PathSyntaxError) in try parser.wholeCondition() }
  }

  /// Parses the whole text, and returns its error.
  mutating func error(isCondition: Bool) -> JSONError? {
    do throws(JSONError) {
      if isCondition { _ = try condition() } else { _ = try query() }
      return nil
    } catch {
      return error
    }
  }

  private mutating func reporting<Result>(
    _ parse: (inout Self) throws(PathSyntaxError) -> Result
  ) throws(JSONError) -> Result {
    do throws(PathSyntaxError) {
      return try parse(&self)
    } catch {
      throw stop?.error ?? JSONError(.invalidPath, at: index)
    }
  }

  private mutating func wholeCondition() throws(PathSyntaxError) -> PathFilter {
    guard text.count <= Self.maxBytes else {
      index = Self.maxBytes
      throw limit(.conditionBytes, Self.maxBytes)
    }
    skipBlanks()
    let filter = try expression()
    let end = index
    skipBlanks()
    guard index == text.count else { throw filterFailure(Self.conditionEnd, from: end) }
    return filter
  }

  /// The end of an expression outside brackets, as messages name it.
  static let conditionEnd = "the end of the condition"

  private mutating func wholeQuery() throws(PathSyntaxError) -> PathQuery {
    guard text.count <= Self.maxBytes else {
      index = Self.maxBytes
      throw limit(.pathBytes, Self.maxBytes)
    }
    guard current == ASCII.dollar else { throw failure("'$' at the start of a path", startRepair) }
    index = 1
    let segments = try segments()
    guard index < text.count else { return PathQuery(isRelative: false, segments: segments) }
    let end = index
    skipBlanks()
    guard index < text.count else {
      index = end
      throw failure("the end of the path, without blanks after it", Repair(end..<text.count, ""))
    }
    let repair =
      nameRepair(from: end)
      ?? (current == ASCII.closeBracket ? Repair(index..<(index + 1), "") : nil)
    throw failure("'.' or '[' before the next segment (a name with other characters is written as ['a-b'])", repair)
  }

  // MARK: Segments

  /// Parses segments up to the first byte that cannot begin one. Does not consume blanks before that byte.
  mutating func segments() throws(PathSyntaxError) -> [PathSegment] {
    var segments: [PathSegment] = []
    // The queries inside a filter overwrite both properties, so they are set at the end of this query.
    var blank: Int?
    var plural: Int?
    while true {
      let end = index
      skipBlanks()
      let start = index
      guard current == ASCII.dot || current == ASCII.openBracket else {
        index = end
        blankInBrackets = blank
        pluralSegment = plural
        return segments
      }
      guard segments.count < Self.maxSegments else { throw limit(.steps, Self.maxSegments) }
      blankInBrackets = nil
      let segment = try segment()
      blank = blank ?? blankInBrackets
      if !segment.isSingular { plural = plural ?? start }
      segments.append(segment)
    }
  }

  /// Parses one segment. Bracketed segments are parsed here and dotted ones in `dotted()`, which reduces the stack use of
  /// each level of filters.
  private mutating func segment() throws(PathSyntaxError) -> PathSegment {
    let isDescendant = current == ASCII.dot
    guard !isDescendant || (byte(1) == ASCII.dot && byte(2) == ASCII.openBracket) else { return try dotted() }
    if isDescendant { index += 2 }
    return PathSegment(isDescendant: isDescendant, selectors: try bracketed())
  }

  private mutating func dotted() throws(PathSyntaxError) -> PathSegment {
    let start = index
    index += 1
    let isDescendant = current == ASCII.dot
    if isDescendant { index += 1 }
    switch current {
    case ASCII.star:
      index += 1
      return PathSegment(isDescendant: isDescendant, selectors: [.wildcard])
    case let byte? where Self.beginsName(byte):
      let name = index
      while let byte = current, Self.beginsName(byte) || byte.isDigit { index += 1 }
      lastName = (isDescendant ? name : start)..<index
      return PathSegment(isDescendant: isDescendant, selectors: [.name(MemberName(string(name..<index)))])
    default: throw dotFailure(start, isDescendant)
    }
  }

  // MARK: Selectors

  private mutating func bracketed() throws(PathSyntaxError) -> [PathSelector] {
    index += 1
    var selectors: [PathSelector] = []
    while true {
      let before = index
      skipBlanks()
      if index > before { blankInBrackets = blankInBrackets ?? before }
      guard selectors.count < Self.maxSegments else { throw limit(.selectors, Self.maxSegments) }
      selectors.append(try current == ASCII.question ? filter() : selector(isFirst: selectors.isEmpty, before))
      let after = index
      skipBlanks()
      if index > after { blankInBrackets = blankInBrackets ?? after }
      switch current {
      case ASCII.comma: index += 1
      case ASCII.closeBracket:
        index += 1
        return selectors
      default:
        if case .filter = selectors.last { throw filterFailure("']'", from: after) }
        throw failure("',' or ']'", separatorRepair(after))
      }
    }
  }

  private mutating func filter() throws(PathSyntaxError) -> PathSelector {
    index += 1
    skipBlanks()
    try enter()
    let filter = try expression()
    leave()
    return .filter(filter)
  }

  private mutating func selector(isFirst: Bool, _ before: Int) throws(PathSyntaxError) -> PathSelector {
    switch current {
    case ASCII.star:
      index += 1
      return .wildcard
    case ASCII.quote, ASCII.apostrophe: return .name(MemberName(try quoted()))
    case ASCII.colon: return try slice(from: nil)
    case let byte? where byte.isDigit || byte == ASCII.minus:
      let integer = try integer("an index")
      let end = index
      skipBlanks()
      if current == ASCII.colon { return try slice(from: integer) }
      index = end
      return .index(integer)
    default:
      throw failure(
        "a name in quotes, an index, a slice, '*' or a filter ('?') after '\(isFirst ? "[" : ",")'",
        selectorRepair(isFirst: isFirst, before))
    }
  }

  /// Parses the rest of a slice, from its first colon.
  private mutating func slice(from start: Int?) throws(PathSyntaxError) -> PathSelector {
    index += 1
    let end = try optionalInteger("the end of a slice")
    let last = index
    skipBlanks()
    guard current == ASCII.colon else {
      index = last
      return .slice(start: start, end: end, step: 1)
    }
    index += 1
    return .slice(start: start, end: end, step: try optionalInteger("the step of a slice") ?? 1)
  }

  private mutating func optionalInteger(_ role: String) throws(PathSyntaxError) -> Int? {
    let before = index
    skipBlanks()
    if let byte = current, byte.isDigit || byte == ASCII.minus { return try integer(role) }
    if current == ASCII.plus { throw plusFailure(role) }
    index = before
    return nil
  }

  private mutating func plusFailure(_ role: String) -> PathSyntaxError {
    failure("\(role) without '+'", Repair(index..<(index + 1), ""))
  }

  /// Parses an integer of the grammar `int`: no leading zeros, no `-0`, and not beyond ±(2^53 - 1).
  private mutating func integer(_ role: String) throws(PathSyntaxError) -> Int {
    let start = index
    let isNegative = current == ASCII.minus
    if isNegative { index += 1 }
    let first = index
    var value = 0
    var isLarge = false
    while let byte = current, byte.isDigit {
      value = value * 10 + Int(byte - ASCII.zero)
      isLarge = isLarge || value > Self.largestInteger
      if isLarge { value = 0 }
      index += 1
    }
    guard index > first else {
      let next = blankEnd
      throw failure("a digit after '-'", next > index ? Repair(index..<next, "") : nil)
    }
    let digits = index
    index = start
    if text[first] == ASCII.zero, digits > first + 1 || isNegative {
      let repair = Repair(start..<digits, (isNegative && value != 0 ? "-" : "") + String(value))
      throw failure(digits > first + 1 ? "\(role) without zeros before it" : "0 without '-'", isLarge ? nil : repair)
    }
    guard !isLarge else { throw failure("\(role) between -(2^53 - 1) and 2^53 - 1") }
    index = digits
    return isNegative ? -value : value
  }

  // MARK: Levels and limits

  mutating func enter() throws(PathSyntaxError) {
    level += 1
    guard level <= Self.maxLevels else { throw limit(.nesting, Self.maxLevels) }
  }

  mutating func leave() { level -= 1 }

  // MARK: Bytes

  var current: UInt8? { index < text.count ? text[index] : nil }

  func byte(_ distance: Int) -> UInt8? { index + distance < text.count ? text[index + distance] : nil }

  mutating func skipBlanks() { index = blankEnd }

  /// The end of the blanks from `index` on.
  var blankEnd: Int { text.dropFirst(index).firstIndex { !$0.isJSONWhitespace } ?? text.count }

  func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

  static func beginsName(_ byte: UInt8) -> Bool { byte.isLetter || byte == ASCII.underscore || byte >= 0x80 }

  // MARK: Errors

  /// Records an error at `index`.
  mutating func failure(_ expected: String, _ repair: Repair? = nil) -> PathSyntaxError {
    let found = current.map(JSONError.Found.init(byte:))
    stop = Stop(JSONError(.invalidPath, at: index, found: found, expected: .query(expected)), repair)
    return PathSyntaxError()
  }

  /// Records an error for a limit that the text exceeds at `index`.
  private mutating func limit(_ part: JSONError.PathPart, _ limit: Int) -> PathSyntaxError {
    stop = Stop(JSONError(.invalidPath, at: index, limit: limit, .path(part)), nil)
    return PathSyntaxError()
  }
}

/// Ends the parsing of a path at a syntax error; `JSONPathParser.stop` holds the actual error.
///
/// Of size 0, like ``QueryLimitExceeded`` and for the same reason.
struct PathSyntaxError: Error {}
