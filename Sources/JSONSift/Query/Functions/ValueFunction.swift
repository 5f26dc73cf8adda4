extension PathFunction {
  /// The value that a query selects, if it is one; else Nothing.
  static let value = PathFunction(
    name: "value", parameters: [.nodes],
    evaluation: .value { (call, current, context) throws(QueryLimitExceeded) -> JSON? in
      try context.value(of: call.arguments[0], current)
    },
    needsArguments: true, work: { _ in 0 })
}
