/// How much work a condition can be, before it is asked.
///
/// Work that grows with the length of a text as such cannot reach ``JSONLimits/querySteps`` on a short one. Then nobody
/// can tell whether the condition was asked: it has no error to throw.
enum ConditionWork {
  /// Steps for each byte of the text, rounded up; `nil` where the work can grow faster than the text.
  static func stepsPerByte(of filter: PathFilter) -> Int? {
    // A value that is looked at is one step and some for its members; each takes at least two bytes.
    weight(of: filter, Place()).map { min($0, most) * 8 }
  }

  /// Where a filter stands.
  private struct Place {
    /// Inside another filter, which is asked of many values.
    var isInside = false
    /// Those values can lie in one another, so that together they are more than the text.
    var isBelowDescendants = false
  }

  private static let most = 1 << 20

  /// The sum of parts, if all are known.
  private static func sum(_ parts: [Int?]) -> Int? {
    var sum = 1
    for part in parts {
      guard let part else { return nil }
      sum = min(sum + part, most)
    }
    return sum
  }

  private static func weight(of filter: PathFilter, _ place: Place) -> Int? {
    switch filter {
    case .and(let terms), .or(let terms): return sum(terms.map { weight(of: $0, place) })
    case .not(let inner): return weight(of: inner, place)
    case .exists(let query): return weight(of: query, place)
    case .function(let function): return weight(of: function, place)
    case .comparison(let left, _, let right):
      if place.isBelowDescendants, left.isQuery, right.isQuery { return nil }
      return sum([weight(of: left, place), weight(of: right, place)])
    }
  }

  private static func weight(of comparable: PathComparable, _ place: Place) -> Int? {
    switch comparable {
    case .literal(let json): 1 + json.stringSize / PathContext.bytesPerStep
    case .query(let query): weight(of: query, place)
    case .function(let function): weight(of: function, place)
    }
  }

  private static func weight(of function: PathFunction, _ place: Place) -> Int? {
    switch function {
    case .length(let argument): return weight(of: argument, place)
    case .count(let query), .value(let query): return weight(of: query, place)
    case .match(let text, let pattern), .search(let text, let pattern):
      // A pattern of the text's own may be as long as the text.
      guard case .literal(let json) = pattern else { return nil }
      guard let string = json.string else { return weight(of: text, place) }
      // One that is too large breaks the limit by itself.
      guard let expression = IRegexp(ifValid: string, readsAnchors: true) else { return nil }
      return sum([weight(of: text, place), 1 + expression.program.instructions.count / 16])
    }
  }

  private static func weight(of query: PathQuery, _ place: Place) -> Int? {
    // From the root each of many values would go over the same members.
    guard query.isRelative || !place.isInside else { return nil }
    var inside = Place(isInside: true, isBelowDescendants: place.isBelowDescendants)
    var total = 1
    // Selectors can select one value several times.
    var times = 1
    for segment in query.segments {
      if segment.isDescendant {
        guard !inside.isBelowDescendants else { return nil }
        inside.isBelowDescendants = true
      }
      var filters: [Int?] = []
      for case .filter(let filter) in segment.selectors { filters.append(weight(of: filter, inside)) }
      guard let filters = sum(filters) else { return nil }
      times = min(times * max(segment.selectors.count, 1), most)
      total = min(total + times * filters, most)
    }
    return total
  }
}

extension PathComparable {
  fileprivate var isQuery: Bool {
    switch self {
    case .query, .function(.value): true
    case .literal, .function: false
    }
  }
}
