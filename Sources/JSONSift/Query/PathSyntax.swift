/// The tree of a query of RFC 9535: a list of segments, applied from the root (`$`) or from the current node (`@`).
struct PathQuery: Sendable, Hashable {
  /// Whether the query begins with `@`. Only queries inside a filter do.
  var isRelative: Bool
  var segments: [PathSegment]

  /// Whether the query can select at most one value: each segment consists of one name or one index.
  var isSingular: Bool { segments.allSatisfy { $0.isSingular } }
}

/// Selectors that apply to the node itself, or to the node and all its descendants (`..`).
struct PathSegment: Sendable, Hashable {
  var isDescendant: Bool
  var selectors: [PathSelector]

  var isSingular: Bool {
    guard !isDescendant, selectors.count == 1 else { return false }
    switch selectors[0] {
    case .name, .index: return true
    case .wildcard, .slice, .filter: return false
    }
  }
}

/// A selection among the children of a node.
enum PathSelector: Sendable, Hashable {
  /// Names are equal if their bytes are equal. Of members with duplicate keys the first is selected.
  case name(MemberName)
  case wildcard
  /// A negative index counts from the end.
  case index(Int)
  case slice(start: Int?, end: Int?, step: Int)
  case filter(PathFilter)
}

extension PathSelector {
  /// Returns the first position that a slice selects in an array of `count` elements, and the excluded bound, as specified in
  /// RFC 9535, 2.3.4.2.2.
  static func sliceBounds(_ start: Int?, _ end: Int?, _ step: Int, of count: Int) -> (first: Int, end: Int) {
    func normalized(_ bound: Int) -> Int { bound >= 0 ? bound : count + bound }
    guard step <= 0 else {
      return (min(max(normalized(start ?? 0), 0), count), min(max(normalized(end ?? count), 0), count))
    }
    // Without an end, a slice with a negative step continues to the first element.
    return (
      min(max(normalized(start ?? count - 1), -1), count - 1), end.map { min(max(normalized($0), -1), count - 1) } ?? -1
    )
  }

  /// The first element that can be selected, if the selector counts from the start and upwards.
  var firstElement: Int? {
    switch self {
    case .index(let index) where index >= 0: index
    case .slice(let start, let end, let step) where start ?? 0 >= 0 && end ?? 0 >= 0 && step > 0: start ?? 0
    default: nil
    }
  }
}

/// A logical expression of RFC 9535.
indirect enum PathFilter: Sendable, Hashable {
  /// A disjunction of two or more terms.
  case or([PathFilter])
  /// A conjunction of two or more terms.
  case and([PathFilter])
  case not(PathFilter)
  case comparison(PathComparable, PathComparison, PathComparable)
  /// True if the query selects a value.
  case exists(PathQuery)
  /// A call of a function with a logical result, such as `match`.
  case function(PathCall)
  /// True if the first of some singular queries that selects a time selects one in a window. No text spells it: only
  /// ``JSONTimeWindow`` makes it.
  case window([PathQuery], TimeBounds)
}

package enum PathComparison: String, Sendable, Hashable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// The comparison with exchanged operands.
  var flipped: PathComparison {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}

/// One side of a comparison.
indirect enum PathComparable: Sendable, Hashable {
  /// A number, string, `true`, `false` or `null`.
  case literal(JSON)
  /// A singular query.
  case query(PathQuery)
  /// A call of a function that returns a value, such as `length`.
  case function(PathCall)
}

extension PathComparable {
  /// Literals are equal if a filter considers them equal. Swift's `String` would also equate canonically equivalent
  /// spellings.
  static func == (left: PathComparable, right: PathComparable) -> Bool {
    switch (left, right) {
    case (.literal(let left), .literal(let right)): left.isSameScalar(right) == true
    case (.query(let left), .query(let right)): left == right
    case (.function(let left), .function(let right)): left == right
    default: false
    }
  }
}
