/// The canonical text of a query: parsing it returns an equal tree.
extension PathQuery: CustomStringConvertible {
  var description: String { (isRelative ? "@" : "$") + segments.map { $0.text }.joined() }
}

extension PathSegment {
  fileprivate var text: String {
    (isDescendant ? "..[" : "[") + selectors.map { $0.text }.joined(separator: ", ") + "]"
  }
}

extension PathSelector {
  fileprivate var text: String {
    switch self {
    case .name(let name): JSONPathParser.quoted(name.string)
    case .wildcard: "*"
    case .index(let index): String(index)
    case .slice(let start, let end, let step):
      (start.map { String($0) } ?? "") + ":" + (end.map { String($0) } ?? "") + (step == 1 ? "" : ":" + String(step))
    case .filter(let filter): "?" + filter.text(inside: .top)
    }
  }
}

extension PathFilter {
  /// The expression around an expression: it determines whether parentheses are needed.
  fileprivate enum Surroundings { case top, or, and, not }

  fileprivate func text(inside outer: Surroundings) -> String {
    let text: String
    let isBare: Bool
    switch self {
    case .or(let terms):
      text = terms.map { $0.text(inside: .or) }.joined(separator: " || ")
      isBare = outer == .top
    case .and(let terms):
      text = terms.map { $0.text(inside: .and) }.joined(separator: " && ")
      isBare = outer == .top || outer == .or
    case .not(let inner):
      text = "!" + inner.text(inside: .not)
      isBare = outer != .not
    case .comparison(let left, let comparison, let right):
      text = left.text + " " + comparison.rawValue + " " + right.text
      isBare = outer != .not
    case .exists(let query): return query.description
    case .window(let queries, let bounds):
      return queries.map(\.description).joined(separator: ", ") + bounds.description
    case .function(let call): return call.text
    }
    return isBare ? text : "(" + text + ")"
  }
}

extension PathComparable {
  fileprivate var text: String {
    switch self {
    case .literal(let json): json.string.map { JSONPathParser.quoted($0) } ?? json.literalText
    case .query(let query): query.description
    case .function(let call): call.text
    }
  }
}

extension PathCall {
  fileprivate var text: String {
    let arguments = arguments.map { argument in
      switch argument {
      case .value(let value): value.text
      case .nodes(let query): query.description
      }
    }
    return function.name + "(" + arguments.joined(separator: ", ") + ")"
  }
}

extension JSON {
  fileprivate var literalText: String { bool.map { $0 ? "true" : "false" } ?? numberText ?? "null" }
}
