extension PathContext {
  /// Returns whether a node matches a filter.
  ///
  /// - Throws: ``JSONError/Code/queryLimit``.
  func test(_ filter: PathFilter, _ current: JSON) throws(JSONError) -> Bool {
    lacksTime = false
    do throws(QueryLimitExceeded) {
      return try matches(filter, current)
    } catch {
      throw failure
    }
  }

  /// Returns whether a node matches a filter, inside the evaluation of a query.
  func matches(_ filter: PathFilter, _ current: JSON) throws(QueryLimitExceeded) -> Bool {
    switch filter {
    case .or(let terms):
      for term in terms { if try matches(term, current) { return true } }
      return false
    case .and(let terms):
      for term in terms { if try !matches(term, current) { return false } }
      return true
    case .not(let inner): return try !matches(inner, current)
    case .comparison(let left, let comparison, let right):
      return try compare(value(left, current), comparison, value(right, current))
    case .exists(let query): return try exists(query, current)
    case .window(let queries, let bounds):
      var other: JSON?
      for query in queries {
        try spend(1)
        guard let value = try single(query, current) else { continue }
        try spend(value.comparisonSteps)
        if let time = bounds.time(of: value) { return bounds.contains(time) }
        other = other ?? value
      }
      (lacksTime, notATime) = (true, other)
      return false
    case .function(let call):
      guard case .logical(let holds) = call.evaluation else { return false }
      return try holds(call, current, self)
    }
  }

  /// Returns the value of one side of a comparison; `nil` is Nothing, the absent value of RFC 9535.
  private func value(_ comparable: PathComparable, _ current: JSON) throws(QueryLimitExceeded) -> JSON? {
    switch comparable {
    case .literal(let json): return json
    case .query(let query): return try single(query, current)
    case .function(let call):
      switch call.evaluation {
      case .number(let number): return try number(call, current, self).map { JSON(.int(Int64($0))) }
      case .value(let value): return try value(call, current, self)
      case .logical: return nil
      }
    }
  }

  // MARK: Arguments of functions

  /// Returns the value of an argument; `nil` is Nothing. For a query it is the selected value, if exactly one is selected.
  func value(of argument: PathArgument, _ current: JSON) throws(QueryLimitExceeded) -> JSON? {
    switch argument {
    case .value(let comparable): try value(comparable, current)
    case .nodes(let query): try value(query, current)
    }
  }

  func count(of argument: PathArgument, _ current: JSON) throws(QueryLimitExceeded) -> Int {
    switch argument {
    case .value(let comparable): try value(comparable, current) == nil ? 0 : 1
    case .nodes(let query): try count(query, current)
    }
  }

  // MARK: Comparisons, RFC 9535, 2.3.5.2.2

  /// The number of bytes whose comparison costs as much as reading one value, which is one step.
  static let bytesPerStep = 256
  /// The same number for bytes that are counted or decoded one by one, and for the digits of long numbers.
  static let charactersPerStep = 32
  static let escapedBytesPerStep = 16
  static let digitsPerStep = 4

  private func compare(_ left: JSON?, _ comparison: PathComparison, _ right: JSON?) throws(QueryLimitExceeded) -> Bool {
    try spend(1)
    switch comparison {
    case .equal: return try isEqual(left, right)
    case .notEqual: return try !isEqual(left, right)
    case .less: return try isLess(left, right)
    case .greater: return try isLess(right, left)
    case .lessOrEqual: return try isLess(left, right) ? true : isEqual(left, right)
    case .greaterOrEqual: return try isLess(right, left) ? true : isEqual(left, right)
    }
  }

  func isEqual(_ left: JSON?, _ right: JSON?) throws(QueryLimitExceeded) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    try spend(left.comparisonSteps + right.comparisonSteps)
    if let answer = left.isSameScalar(right) { return answer }
    return try ContainerPair.areEqual(
      left, right, beforeStep: { () throws(QueryLimitExceeded) in try spend(1) },
      { (left, right) throws(QueryLimitExceeded) in
        try spend(left.comparisonSteps + right.comparisonSteps)
        return left.isSameScalar(right)
      })
  }

  /// Returns whether `left` is less than `right`. Only two numbers or two strings have an order.
  private func isLess(_ left: JSON?, _ right: JSON?) throws(QueryLimitExceeded) -> Bool {
    guard let left, let right else { return false }
    try spend(left.comparisonSteps + right.comparisonSteps)
    switch (left.type, right.type) {
    case (.number, .number): return left.exactOrder(right).map { $0 < 0 } ?? false
    case (.string, .string): return left.stringOrder(right) < 0
    default: return false
    }
  }
}

extension JSON {
  /// Returns whether both are equal by the rules of RFC 9535, which are those of RFC 6902: numbers by exact value, strings by
  /// their characters, members in any order.
  ///
  /// - Complexity: O(size of both values).
  func isExactlyEqual(to other: JSON) -> Bool {
    var limits = JSONLimits()
    limits.querySteps = .max
    do throws(QueryLimitExceeded) {
      return try PathContext(root: .null, limits: limits).isEqual(self, other)
    } catch {
      return false
    }
  }
}
