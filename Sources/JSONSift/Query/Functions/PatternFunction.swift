extension PathFunction {
  /// A function that compares a text with a pattern of RFC 9485. What is no text, and what is no pattern, matches nothing.
  static func pattern(_ name: String, isWhole: Bool, otherNames: [String]) -> PathFunction {
    PathFunction(
      name: name, parameters: [.value, .value("a pattern")],
      evaluation: .logical { (call, current, context) throws(QueryLimitExceeded) -> Bool in
        guard let pattern = try context.value(of: call.arguments[1], current)?.string,
          let text = try context.value(of: call.arguments[0], current)?.string
        else { return false }
        guard let expression = try context.expression(pattern) else {
          try context.spend(1)
          return false
        }
        // A small pattern has tables and looks at a byte once; a large one may look at all of its instructions.
        let looks = text.utf8.count.multipliedReportingOverflow(by: 1 + expression.program.instructions.count / 16)
        try context.spend(1 + (looks.overflow ? .max / 16 : looks.partialValue / 8))
        return isWhole ? expression.matches(whole: text) : expression.matches(partOf: text)
      },
      otherNames: otherNames, needsArguments: true,
      literal: { call in
        guard case .value(.literal(let pattern)) = call.arguments[1], let pattern = pattern.string else { return nil }
        // Two literals match without a text.
        if case .value(.literal) = call.arguments[0] { return nil }
        return PatternLiteral.literal(in: pattern, isWhole: isWhole)
      },
      work: { call in
        // A pattern of the text's own may be as long as the text.
        guard case .value(.literal(let pattern)) = call.arguments[1] else { return nil }
        guard let pattern = pattern.string else { return 0 }
        // One that is too large breaks the limit by itself.
        guard let expression = IRegexp(ifValid: pattern, readsAnchors: true) else { return nil }
        return 1 + expression.program.instructions.count / 16
      })
  }
}
