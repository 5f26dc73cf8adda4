/// A query of RFC 9535 as a tree: segments, one after another, from the root (`$`) or from the current node (`@`).
struct PathQuery: Sendable, Hashable {
  /// The query begins with `@`. Only those inside a filter do.
  var isRelative: Bool
  var segments: [PathSegment]

  /// Whether at most one value can be selected: there are only names and indexes, one in each segment.
  var isSingular: Bool { segments.allSatisfy { $0.isSingular } }
}

/// Selectors that are applied to the node itself, or to the node and all its descendants (`..`).
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

/// One choice among the children of a node.
enum PathSelector: Sendable, Hashable {
  /// Names are equal if their bytes are. Of several members with one name the first is selected.
  case name(MemberName)
  case wildcard
  /// Below 0 it counts from the end.
  case index(Int)
  case slice(start: Int?, end: Int?, step: Int)
  case filter(PathFilter)
}

/// A logical expression of RFC 9535.
indirect enum PathFilter: Sendable, Hashable {
  /// One of two or more is true.
  case or([PathFilter])
  /// All of two or more are true.
  case and([PathFilter])
  case not(PathFilter)
  case comparison(PathComparable, PathComparison, PathComparable)
  /// The query selects something.
  case exists(PathQuery)
  /// A call of a function with a logical result, such as `match`.
  case function(PathCall)
}

enum PathComparison: Sendable, Hashable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

/// One side of a comparison.
indirect enum PathComparable: Sendable, Hashable {
  /// A number, string, `true`, `false` or `null`.
  case literal(JSON)
  /// A singular query.
  case query(PathQuery)
  /// A call of a function with a value as its result, such as `length`.
  case function(PathCall)
}

extension PathComparable {
  /// Literals are equal if a filter holds them equal: Swift's strings take two spellings of one character for the same.
  static func == (left: PathComparable, right: PathComparable) -> Bool {
    switch (left, right) {
    case (.literal(let left), .literal(let right)): left.isSameScalar(right) == true
    case (.query(let left), .query(let right)): left == right
    case (.function(let left), .function(let right)): left == right
    default: false
    }
  }
}
