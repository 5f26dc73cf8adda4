/// An upper bound of the work of a condition, known before the condition is evaluated.
///
/// Work that is proportional to the length of the text cannot reach ``JSONLimits/querySteps`` on a short text. Then the
/// condition cannot throw, so the result does not show whether it was evaluated.
enum ConditionWork {
  /// Returns the number of steps per byte of the text, rounded up; `nil` if the work can grow faster than the text.
  static func stepsPerByte(of filter: PathFilter) -> Int? {
    // Reading a value costs one step and some steps for its members; each of them occupies at least two bytes.
    weight(of: filter, Context()).map { min($0, maxWeight) * 8 }
  }

  /// The position of a filter in the condition.
  private struct Context {
    /// Whether it is inside another filter, which is evaluated on many values.
    var isInside = false
    /// Whether these values can be nested, so that together they are longer than the text.
    var isBelowDescendants = false
  }

  private static let maxWeight = 1 << 20

  /// Returns the sum of parts; `nil` if one of them is unknown.
  private static func sum(_ parts: [Int?]) -> Int? {
    var sum = 1
    for part in parts {
      guard let part else { return nil }
      sum = min(sum + part, maxWeight)
    }
    return sum
  }

  private static func weight(of filter: PathFilter, _ context: Context) -> Int? {
    switch filter {
    case .and(let terms), .or(let terms): return sum(terms.map { weight(of: $0, context) })
    case .not(let inner): return weight(of: inner, context)
    case .exists(let query), .window(let query, _): return weight(of: query, context)
    case .function(let call): return weight(of: call, context)
    case .comparison(let left, _, let right):
      if context.isBelowDescendants, left.canBeContainer, right.canBeContainer { return nil }
      return sum([weight(of: left, context), weight(of: right, context)])
    }
  }

  private static func weight(of comparable: PathComparable, _ context: Context) -> Int? {
    switch comparable {
    case .literal(let json): 1 + json.stringSize / PathContext.bytesPerStep
    case .query(let query): weight(of: query, context)
    case .function(let call): weight(of: call, context)
    }
  }

  private static func weight(of call: PathCall, _ context: Context) -> Int? {
    guard var total = call.function.work(call) else { return nil }
    for argument in call.arguments {
      let part =
        switch argument {
        case .value(let comparable): weight(of: comparable, context)
        case .nodes(let query): weight(of: query, context)
        }
      guard let part else { return nil }
      total = min(total + part, maxWeight)
    }
    return total
  }

  private static func weight(of query: PathQuery, _ context: Context) -> Int? {
    // A query from the root would read the same members for each of many values.
    guard query.isRelative || !context.isInside else { return nil }
    var inside = Context(isInside: true, isBelowDescendants: context.isBelowDescendants)
    var total = 1
    // The number of times that selectors can select one value.
    var times = 1
    for segment in query.segments {
      if segment.isDescendant {
        guard !inside.isBelowDescendants else { return nil }
        inside.isBelowDescendants = true
      }
      var filters: [Int?] = []
      for case .filter(let filter) in segment.selectors { filters.append(weight(of: filter, inside)) }
      guard let filters = sum(filters) else { return nil }
      times = min(times * max(segment.selectors.count, 1), maxWeight)
      total = min(total + times * filters, maxWeight)
    }
    return total
  }
}

extension PathComparable {
  /// Whether the operand can be a container, so that a comparison reads everything in it.
  fileprivate var canBeContainer: Bool {
    switch self {
    case .query: true
    case .literal: false
    case .function(let call): if case .value = call.evaluation { true } else { false }
    }
  }
}
