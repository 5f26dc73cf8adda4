/// An upper bound of the steps that a condition takes on a text, known before the condition is evaluated.
///
/// Work that is proportional to the length of the text cannot reach ``JSONLimits/querySteps`` on a short text. Then the
/// condition cannot throw, so the result is the same whether it is evaluated or not.
struct ConditionWork {
  /// The number of steps on any text.
  private var constant = 0
  /// The number of steps for each byte of the text in addition, in sixteenths.
  private var sixteenths = 0

  /// Returns `nil` if the work can grow faster than the text.
  init?(of filter: PathFilter) {
    if let direct = Self.direct(filter) {
      self = direct
    } else {
      // Reading a value costs one step and some steps for its members; each of them occupies at least two bytes.
      guard let weight = Self.weight(of: filter, Context()) else { return nil }
      sixteenths = min(weight, Self.maxWeight) * 8 * 16
    }
  }

  private init(constant: Int, sixteenths: Int) {
    self.constant = constant
    self.sixteenths = sixteenths
  }

  /// Returns the maximum number of bytes of a text on which the condition takes at most `steps` steps.
  func maxBytes(within steps: Int) -> Int {
    let (all, overflow) = max(steps - constant, 0).multipliedReportingOverflow(by: 16)
    return overflow || sixteenths == 0 ? .max : all / sixteenths
  }

  // MARK: Comparisons of one value

  /// Returns the work of a condition that only compares values at singular queries with literals; `nil` for any other one.
  private static func direct(_ filter: PathFilter) -> ConditionWork? {
    switch filter {
    case .and(let terms), .or(let terms): return sum(terms.map { direct($0) })
    case .not(let inner): return direct(inner)
    case .exists(let query): return direct(query)
    case .window(let queries, _): return sum(queries.map { direct($0, comparisons: 1) })
    case .comparison(.query(let query), _, .literal(let literal)),
      .comparison(.literal(let literal), _, .query(let query)):
      // `<=` and `>=` compare twice.
      return direct(query, comparisons: 2, with: literal.comparisonSteps)
    case .comparison, .function: return nil
    }
  }

  private static func sum(_ parts: [ConditionWork?]) -> ConditionWork? {
    var sum = ConditionWork(constant: 0, sixteenths: 0)
    for part in parts {
      guard let part else { return nil }
      sum.constant += part.constant
      sum.sixteenths += part.sixteenths
    }
    return sum
  }

  /// - Parameters:
  ///   - comparisons: How often the value is compared.
  ///   - literalSteps: The steps for the literal in each comparison.
  private static func direct(_ query: PathQuery, comparisons: Int = 0, with literalSteps: Int = 0) -> ConditionWork? {
    guard query.isSingular else { return nil }
    // A name costs one step and one for sixteen members, and a member has at least five bytes; an index costs one step. A
    // comparison costs at most one step for four bytes, if the value is a long number.
    return ConditionWork(
      constant: query.segments.count + 1 + comparisons * literalSteps,
      sixteenths: query.segments.count + comparisons * 16 / PathContext.digitsPerStep)
  }

  // MARK: Other conditions

  /// The position of a filter in the condition.
  private struct Context {
    /// Whether it is inside another filter, which is evaluated on many values.
    var isInside = false
    /// Whether these values can be nested, so that together they can be longer than the text.
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
    case .exists(let query): return weight(of: query, context)
    case .window(let queries, _): return sum(queries.map { weight(of: $0, context) })
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
