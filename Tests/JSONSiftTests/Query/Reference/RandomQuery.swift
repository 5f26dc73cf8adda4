import JSONSift
import TestSupport

/// Generates documents in which the queries of ``RandomQuery`` find matches.
struct RandomDocument {
  static let names = ["a", "b", "c", "", "é", "e\u{301}", "it's", "a\nb", "😀", "\u{1}", "\\"]
  static let spellings = [
    "a": ["a", "\\u0061"], "é": ["é", "\\u00E9"], "a\nb": ["a\\nb"], "😀": ["😀", "\\ud83d\\uDE00"], "\u{1}": ["\\u0001"],
    "\\": ["\\\\", "\\u005c"],
  ]
  private static let scalars = [
    "null", "true", "false", "0", "-0", "1", "1.0", "1e0", "2", "-1", "0.5", "10", "1E1", "\"\"", "\"a\"", "\"b\"",
    "\"ab\"", "\"\\u0061bc\"", "\"a\\nb\"", "\"é\"", "\"e\u{301}\"", "\"😀x\"", "\"1\"", "\"aaab\"", "\"a.b\"",
  ]

  var random: SeededGenerator

  mutating func name() -> String { random.pick(random.below(4) > 0 ? ["a", "b", "c"] : Self.names) }

  private mutating func blank() -> String { random.pick(["", "", "", "", " ", "\n"]) }

  private mutating func value(depth: Int) -> String {
    guard depth > 0, random.below(5) > 0 else { return random.pick(Self.scalars) }
    var children: [String] = []
    var used: Set<String> = []
    let isObject = random.below(2) == 0
    let repeatsNames = random.below(6) == 0
    for _ in 0..<random.below(random.below(20) == 0 ? 12 : 5) {
      var key = ""
      if isObject {
        let name = name()
        guard used.insert(name).inserted || repeatsNames else { continue }
        key = "\"" + random.pick(Self.spellings[name] ?? [name]) + "\"" + blank() + ":" + blank()
      }
      children.append(blank() + key + value(depth: depth - 1) + blank())
    }
    let inside = children.isEmpty ? blank() : children.joined(separator: ",")
    return isObject ? "{\(inside)}" : "[\(inside)]"
  }

  mutating func document() -> String { blank() + value(depth: 1 + random.below(4)) + blank() }
}

/// Generates queries with every construct of the RFC.
struct RandomQuery {
  var random: SeededGenerator
  /// The number of queries that may still be generated inside filters.
  private var queriesLeft = 0

  init(random: SeededGenerator) { self.random = random }

  mutating func query() -> ReferenceQuery {
    queriesLeft = 6
    return query(isRelative: false, segments: random.below(5), depth: 2)
  }

  /// Returns a logical expression, which is the form of a condition.
  mutating func condition() -> ReferenceFilter {
    queriesLeft = 6
    return filter(depth: 2)
  }

  private mutating func query(isRelative: Bool, segments: Int, depth: Int) -> ReferenceQuery {
    var query = ReferenceQuery(isRelative: isRelative, segments: [])
    for _ in 0..<segments {
      let count = random.below(5) == 0 ? 2 + random.below(2) : 1
      query.segments.append(
        ReferenceSegment(isDescendant: random.below(4) == 0, selectors: (0..<count).map { _ in selector(depth: depth) })
      )
    }
    return query
  }

  private mutating func name() -> String {
    random.pick(random.below(5) > 0 ? ["a", "b", "c"] : RandomDocument.names + ["none"])
  }

  private mutating func selector(depth: Int) -> ReferenceSelector {
    switch random.below(depth > 0 && queriesLeft > 0 ? 12 : 9) {
    case 0, 1, 2: .name(name())
    case 3, 4: .wildcard
    case 5, 6: .index(random.below(8) - 4)
    case 7, 8: .slice(bound(), bound(), random.pick([nil, nil, 1, 1, 2, 3, -1, -1, -2, -3, 0]))
    default: .filter(filter(depth: depth))
    }
  }

  private mutating func bound() -> Int? {
    random.below(3) == 0 ? nil : random.below(20) == 0 ? random.pick([100, -100]) : random.below(11) - 5
  }

  private mutating func filter(depth: Int) -> ReferenceFilter {
    switch random.below(depth > 0 ? 13 : 9) {
    case 0, 1, 2: .exists(innerQuery(depth: depth))
    case 3, 4, 5, 6:
      .comparison(
        comparable(depth: depth), random.pick(["==", "==", "!=", "<", "<=", ">", ">="]), comparable(depth: depth))
    case 7: .match(comparable(depth: depth), pattern(depth: 2))
    case 8: .search(comparable(depth: depth), pattern(depth: 2))
    case 9: .not(filter(depth: depth - 1))
    case 10: .or((0..<2 + random.below(2)).map { _ in filter(depth: depth - 1) })
    default: .and((0..<2 + random.below(2)).map { _ in filter(depth: depth - 1) })
    }
  }

  private mutating func innerQuery(depth: Int) -> ReferenceQuery {
    queriesLeft -= 1
    return query(isRelative: random.below(8) > 0, segments: random.below(3), depth: depth - 1)
  }

  private mutating func comparable(depth: Int) -> ReferenceComparable {
    switch random.below(depth > 0 ? 10 : 8) {
    case 0, 1, 2: return literal()
    case 3, 4, 5, 6:
      let steps = (0..<random.below(3)).map { _ in
        let selector: ReferenceSelector = random.below(3) == 0 ? .index(random.below(5) - 2) : .name(name())
        return ReferenceSegment(isDescendant: false, selectors: [selector])
      }
      return .singular(ReferenceQuery(isRelative: random.below(8) > 0, segments: steps))
    case 7: return .length(comparable(depth: depth - 1))
    case 8: return .count(innerQuery(depth: depth))
    default: return .value(innerQuery(depth: depth))
    }
  }

  private mutating func literal() -> ReferenceComparable {
    switch random.below(8) {
    case 0: return .literal("null", .null)
    case 1: return .literal("true", .bool(true))
    case 2: return .literal("false", .bool(false))
    case 3, 4, 5:
      let text = random.pick(["0", "-0", "1", "1.0", "2", "-1", "0.5", "1e1", "10", "3", "4"])
      return .literal(text, .number(Double(text) ?? .nan))
    default:
      let text = random.pick(["", "a", "b", "ab", "abc", "a\nb", "é", "e\u{301}", "😀x", "1"])
      return .literal(QuerySpelling.quoted(text, with: random.pick(["'", "\""])), .string(text.scalarValues))
    }
  }

  private mutating func pattern(depth: Int) -> ReferencePattern {
    let scalars = "abcé.1😀".scalarValues
    switch random.below(depth > 0 ? 9 : 4) {
    case 0, 1: return .character(random.pick(scalars))
    case 2: return .any
    case 3:
      return .set((0..<1 + random.below(3)).map { _ in random.pick(scalars) }, isNegated: random.below(3) == 0)
    case 4, 5: return .sequence((0..<random.below(4)).map { _ in pattern(depth: depth - 1) })
    case 6: return .choice((0..<2 + random.below(2)).map { _ in pattern(depth: depth - 1) })
    default:
      let minCount = random.below(3)
      let maxCount = random.below(2) == 0 ? nil : minCount + random.below(3)
      return .repeated(pattern(depth: depth - 1), minCount, maxCount)
    }
  }
}

/// Writes queries, each in one of its many spellings.
struct QuerySpelling {
  var random: SeededGenerator

  static func quoted(_ text: String, with quote: String) -> String {
    var result = quote
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\\": result += "\\\\"
      case "\u{0}"..<"\u{20}": result += "\\u000" + String(scalar.value, radix: 16)
      default: result += String(scalar) == quote ? "\\" + quote : String(scalar)
      }
    }
    return result + quote
  }

  private mutating func blank() -> String { random.below(12) == 0 ? random.pick([" ", "\n", "\t "]) : "" }

  /// - Parameter isCompared: The grammar has no blanks inside the brackets of a query that is compared.
  mutating func text(_ query: ReferenceQuery, isCompared: Bool = false) -> String {
    var text = query.isRelative ? "@" : "$"
    for segment in query.segments {
      text += blank()
      if segment.selectors.count == 1, random.below(2) == 0 {
        switch segment.selectors[0] {
        case .wildcard:
          text += segment.isDescendant ? "..*" : ".*"
          continue
        case .name(let name) where ["a", "b", "c", "é", "😀", "none"].contains(name):
          text += (segment.isDescendant ? ".." : ".") + name
          continue
        default: break
        }
      }
      let selectors = segment.selectors.map { selector -> String in
        isCompared ? self.text(selector) : blank() + self.text(selector) + blank()
      }
      text += (segment.isDescendant ? "..[" : "[") + selectors.joined(separator: ",") + "]"
    }
    return text
  }

  private mutating func text(_ selector: ReferenceSelector) -> String {
    switch selector {
    case .name(let name): return Self.quoted(name, with: random.pick(["'", "\""]))
    case .wildcard: return "*"
    case .index(let index): return "\(index)"
    case .slice(let start, let end, let step):
      let tail = step.map { blank() + ":" + blank() + "\($0)" } ?? random.pick(["", ":"])
      return (start.map { "\($0)" } ?? "") + blank() + ":" + blank() + (end.map { "\($0)" } ?? "") + tail
    case .filter(let filter): return "?" + blank() + text(filter)
    }
  }

  mutating func text(_ filter: ReferenceFilter) -> String {
    switch filter {
    case .or(let parts): return parts.map { text($0) }.joined(separator: blank() + "||" + blank())
    case .and(let parts):
      return parts.map { part -> String in
        if case .or = part { return "(" + text(part) + ")" }
        return text(part)
      }.joined(separator: blank() + "&&" + blank())
    case .not(let part):
      switch part {
      case .exists, .match, .search: if random.below(2) == 0 { return "!" + blank() + text(part) }
      default: break
      }
      return "!" + blank() + "(" + blank() + text(part) + blank() + ")"
    case .comparison(let left, let sign, let right): return text(left) + blank() + sign + blank() + text(right)
    case .exists(let query): return text(query)
    case .match(let subject, let pattern): return call("match", subject, pattern)
    case .search(let subject, let pattern): return call("search", subject, pattern)
    }
  }

  private mutating func call(
    _ name: String, _ subject: ReferenceComparable, _ pattern: ReferencePattern
  ) -> String {
    name + "(" + blank() + text(subject) + blank() + "," + blank()
      + Self.quoted(pattern.text, with: random.pick(["'", "\""])) + blank() + ")"
  }

  private mutating func text(_ comparable: ReferenceComparable) -> String {
    switch comparable {
    case .literal(let text, _): text
    case .singular(let query): text(query, isCompared: true)
    case .length(let argument): "length(" + blank() + text(argument) + blank() + ")"
    case .count(let query): "count(" + blank() + text(query) + blank() + ")"
    case .value(let query): "value(" + blank() + text(query) + blank() + ")"
    }
  }
}

extension SeededGenerator {
  mutating func document() -> String {
    var writer = RandomDocument(random: self)
    defer { self = writer.random }
    return writer.document()
  }

  mutating func query() -> (text: String, query: ReferenceQuery) {
    var maker = RandomQuery(random: self)
    let query = maker.query()
    var spelling = QuerySpelling(random: maker.random)
    defer { self = spelling.random }
    return (spelling.text(query), query)
  }

  mutating func condition() throws -> JSONCondition {
    var maker = RandomQuery(random: self)
    let filter = maker.condition()
    var spelling = QuerySpelling(random: maker.random)
    defer { self = spelling.random }
    return try JSONCondition(spelling.text(filter))
  }
}
