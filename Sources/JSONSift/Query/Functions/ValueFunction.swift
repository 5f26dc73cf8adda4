extension PathFunction {
  /// Returns the value that a query selects if it selects exactly one, otherwise Nothing (RFC 9535: no value).
  static let value = PathFunction(
    name: "value", parameters: [.nodes],
    evaluation: .value { (call, current, context) throws(QueryLimitExceeded) -> JSON? in
      try context.value(of: call.arguments[0], current)
    },
    needsArguments: true, work: { _ in 0 })
}
