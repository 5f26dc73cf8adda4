/// The canonical text of a query: parsing it returns an equal tree.
extension PathQuery: CustomStringConvertible {
  var description: String {
    var text = isRelative ? "@" : "$"
    for segment in segments { segment.write(to: &text) }
    return text
  }
}

extension PathSegment {
  fileprivate func write(to text: inout String) {
    text += isDescendant ? "..[" : "["
    for (index, selector) in selectors.enumerated() {
      if index > 0 { text += ", " }
      selector.write(to: &text)
    }
    text += "]"
  }
}

extension PathSelector {
  fileprivate func write(to text: inout String) {
    switch self {
    case .name(let name): text += JSONPathParser.quoted(name.string)
    case .wildcard: text += "*"
    case .index(let index): text += String(index)
    case .slice(let start, let end, let step):
      text += (start.map { String($0) } ?? "") + ":" + (end.map { String($0) } ?? "")
      if step != 1 { text += ":" + String(step) }
    case .filter(let filter):
      text += "?"
      filter.write(to: &text, inside: .top)
    }
  }
}

extension PathFilter {
  /// The expression around an expression: it determines whether parentheses are needed.
  fileprivate enum Surroundings { case top, or, and, not }

  fileprivate func write(to text: inout String, inside outer: Surroundings) {
    switch self {
    case .or(let terms): Self.write(terms, " || ", .or, isBare: outer == .top, to: &text)
    case .and(let terms): Self.write(terms, " && ", .and, isBare: outer == .top || outer == .or, to: &text)
    case .not(let inner):
      if outer == .not { text += "(" }
      text += "!"
      inner.write(to: &text, inside: .not)
      if outer == .not { text += ")" }
    case .comparison(let left, let comparison, let right):
      if outer == .not { text += "(" }
      left.write(to: &text)
      text += " " + comparison.text + " "
      right.write(to: &text)
      if outer == .not { text += ")" }
    case .exists(let query): text += query.description
    case .window(let query, let bounds): text += query.description + bounds.description
    case .function(let call): call.write(to: &text)
    }
  }

  private static func write(
    _ terms: [PathFilter], _ separator: String, _ outer: Surroundings, isBare: Bool, to text: inout String
  ) {
    if !isBare { text += "(" }
    for (number, term) in terms.enumerated() {
      if number > 0 { text += separator }
      term.write(to: &text, inside: outer)
    }
    if !isBare { text += ")" }
  }
}

extension PathComparison {
  fileprivate var text: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}

extension PathComparable {
  fileprivate func write(to text: inout String) {
    switch self {
    case .literal(let json): text += json.string.map { JSONPathParser.quoted($0) } ?? json.literalText
    case .query(let query): text += query.description
    case .function(let call): call.write(to: &text)
    }
  }
}

extension PathCall {
  fileprivate func write(to text: inout String) {
    text += function.name + "("
    for (index, argument) in arguments.enumerated() {
      if index > 0 { text += ", " }
      switch argument {
      case .value(let value): value.write(to: &text)
      case .nodes(let query): text += query.description
      }
    }
    text += ")"
  }
}

extension JSON {
  fileprivate var literalText: String { bool.map { $0 ? "true" : "false" } ?? numberText ?? "null" }
}
