extension PathFunction {
  /// The function that returns the value that a query selects, if there is exactly one; otherwise Nothing, the absent value.
  static let value = PathFunction(
    name: "value", parameters: [.nodes],
    evaluation: .value { (call, current, context) throws(QueryLimitExceeded) -> JSON? in
      try context.value(of: call.arguments[0], current)
    },
    needsArguments: true, work: { _ in 0 })
}
