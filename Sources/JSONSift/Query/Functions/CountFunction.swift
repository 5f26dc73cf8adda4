extension PathFunction {
  /// The function that returns the number of values that a query selects.
  static let count = PathFunction(
    name: "count", parameters: [.nodes],
    evaluation: .number { (call, current, context) throws(QueryLimitExceeded) -> Int? in
      try context.count(of: call.arguments[0], current)
    },
    isNeverNothing: true, work: { _ in 0 })
}
