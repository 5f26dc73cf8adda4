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
    case .function(let call): return weight(of: call, place)
    case .comparison(let left, _, let right):
      if place.isBelowDescendants, left.canBeContainer, right.canBeContainer { return nil }
      return sum([weight(of: left, place), weight(of: right, place)])
    }
  }

  private static func weight(of comparable: PathComparable, _ place: Place) -> Int? {
    switch comparable {
    case .literal(let json): 1 + json.stringSize / PathContext.bytesPerStep
    case .query(let query): weight(of: query, place)
    case .function(let call): weight(of: call, place)
    }
  }

  private static func weight(of call: PathCall, _ place: Place) -> Int? {
    guard var total = call.function.work(call) else { return nil }
    for argument in call.arguments {
      let part =
        switch argument {
        case .value(let comparable): weight(of: comparable, place)
        case .nodes(let query): weight(of: query, place)
        }
      guard let part else { return nil }
      total = min(total + part, most)
    }
    return total
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
  /// It can be a container, so that a comparison looks at all that is in it.
  fileprivate var canBeContainer: Bool {
    switch self {
    case .query: true
    case .literal: false
    case .function(let call): if case .value = call.evaluation { true } else { false }
    }
  }
}
