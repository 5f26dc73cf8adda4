extension PathFunction {
  /// Returns a function that compares a string with a pattern of RFC 9485. An argument that is not a string, or a pattern
  /// that is invalid, matches nothing.
  static func pattern(_ name: String, isWhole: Bool, otherNames: [String]) -> PathFunction {
    PathFunction(
      name: name, parameters: [.value, .pattern],
      evaluation: .logical { (call, current, context) throws(QueryLimitExceeded) -> Bool in
        guard let pattern = try context.value(of: call.arguments[1], current)?.string,
          let text = try context.value(of: call.arguments[0], current)?.string
        else { return false }
        guard let expression = try context.expression(pattern) else {
          try context.spend(1)
          return false
        }
        // A small pattern is compiled to tables, which read each byte once; a large one may try all its instructions on each
        // byte.
        let reads = text.utf8.count.multipliedReportingOverflow(by: 1 + expression.program.instructions.count / 16)
        try context.spend(1 + (reads.overflow ? .max / 16 : reads.partialValue / 8))
        return isWhole ? expression.matches(whole: text) : expression.matches(partOf: text)
      },
      otherNames: otherNames, needsArguments: true,
      literal: { call in
        guard case .value(.literal(let pattern)) = call.arguments[1], let pattern = pattern.string else { return nil }
        // If both arguments are literals, the result does not depend on the text of the record.
        if case .value(.literal) = call.arguments[0] { return nil }
        return PatternLiteral.literal(in: pattern, isWhole: isWhole)
      },
      work: { call in
        // A pattern read from the record may be as long as the record.
        guard case .value(.literal(let pattern)) = call.arguments[1] else { return nil }
        guard let pattern = pattern.string else { return 0 }
        // A pattern that is too large exceeds the limit of steps whatever the record contains.
        guard let expression = try? IRegexp(pattern, readsAnchors: true) else { return nil }
        return 1 + expression.program.instructions.count / 16
      })
  }
}
