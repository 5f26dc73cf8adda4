/// A query of RFC 9535 as its grammar defines it.
struct ReferenceQuery {
  var isRelative = false
  var segments: [ReferenceSegment]

  /// Whether a filter contains `$`: such a query cannot be streamed.
  var refersToRoot: Bool { segments.contains { $0.selectors.contains { $0.refersToRoot } } }
}

struct ReferenceSegment {
  var isDescendant: Bool
  var selectors: [ReferenceSelector]
}

enum ReferenceSelector {
  case name(String)
  case wildcard
  case index(Int)
  case slice(Int?, Int?, Int?)
  case filter(ReferenceFilter)

  var refersToRoot: Bool { if case .filter(let filter) = self { filter.refersToRoot } else { false } }
}

indirect enum ReferenceFilter {
  case or([ReferenceFilter])
  case and([ReferenceFilter])
  case not(ReferenceFilter)
  case comparison(ReferenceComparable, String, ReferenceComparable)
  case exists(ReferenceQuery)
  case match(ReferenceComparable, ReferencePattern)
  case search(ReferenceComparable, ReferencePattern)

  var refersToRoot: Bool {
    switch self {
    case .or(let parts), .and(let parts): parts.contains { $0.refersToRoot }
    case .not(let part): part.refersToRoot
    case .comparison(let left, _, let right): left.refersToRoot || right.refersToRoot
    case .exists(let query): !query.isRelative || query.refersToRoot
    case .match(let text, _), .search(let text, _): text.refersToRoot
    }
  }
}

indirect enum ReferenceComparable {
  /// A literal: its spelling, and its value.
  case literal(String, ReferenceValue.Content)
  case singular(ReferenceQuery)
  case length(ReferenceComparable)
  case count(ReferenceQuery)
  case value(ReferenceQuery)

  var refersToRoot: Bool {
    switch self {
    case .literal: false
    case .singular(let query), .count(let query), .value(let query): !query.isRelative || query.refersToRoot
    case .length(let argument): argument.refersToRoot
    }
  }
}

/// A pattern of RFC 9485.
indirect enum ReferencePattern {
  case character(UInt32)
  case any
  case set([UInt32], isNegated: Bool)
  case sequence([ReferencePattern])
  case choice([ReferencePattern])
  case repeated(ReferencePattern, Int, Int?)

  var text: String {
    switch self {
    case .character(let scalar): return Self.text(scalar)
    case .any: return "."
    case .set(let scalars, let isNegated):
      return "[" + (isNegated ? "^" : "") + scalars.map { Self.text($0) }.joined() + "]"
    case .sequence(let parts): return parts.map(\.text).joined()
    case .choice(let parts): return "(" + parts.map(\.text).joined(separator: "|") + ")"
    case .repeated(let part, let minCount, let maxCount):
      let text = "(" + part.text + ")"
      switch (minCount, maxCount) {
      case (0, nil): return text + "*"
      case (1, nil): return text + "+"
      case (0, 1): return text + "?"
      case (_, nil): return text + "{\(minCount),}"
      case (_, .some(let maxCount)): return text + "{\(minCount),\(maxCount)}"
      }
    }
  }

  private static func text(_ scalar: UInt32) -> String {
    let character = Unicode.Scalar(scalar).map { String($0) } ?? ""
    return "().*+?[]\\{}|-^".contains(character) ? "\\" + character : character
  }

  /// Returns the possible end indices of a match that begins at `start`.
  func ends(in text: [UInt32], from start: Int) -> Set<Int> {
    switch self {
    case .character(let scalar): return start < text.count && text[start] == scalar ? [start + 1] : []
    case .any: return start < text.count && text[start] != 10 && text[start] != 13 ? [start + 1] : []
    case .set(let scalars, let isNegated):
      return start < text.count && scalars.contains(text[start]) != isNegated ? [start + 1] : []
    case .sequence(let parts):
      return parts.reduce(into: [start]) { ends, part in
        ends = ends.reduce(into: []) { $0.formUnion(part.ends(in: text, from: $1)) }
      }
    case .choice(let parts): return parts.reduce(into: []) { $0.formUnion($1.ends(in: text, from: start)) }
    case .repeated(let part, let minCount, let maxCount):
      var reached: Set<Int> = minCount == 0 ? [start] : []
      var last: Set<Int> = [start]
      // More rounds reach no new index.
      for round in 1...max(minCount + text.count + 1, 1) where round <= maxCount ?? .max {
        last = last.reduce(into: []) { $0.formUnion(part.ends(in: text, from: $1)) }
        if round >= minCount { reached.formUnion(last) }
      }
      return reached
    }
  }
}
