/// The tree of a query as text: one spelling, which reads back as the same tree.
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
    for (place, selector) in selectors.enumerated() {
      if place > 0 { text += ", " }
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
  /// What stands around an expression, and decides about parentheses.
  fileprivate enum Place { case top, or, and, not }

  fileprivate func write(to text: inout String, inside place: Place) {
    switch self {
    case .or(let terms): Self.write(terms, " || ", .or, isBare: place == .top, to: &text)
    case .and(let terms): Self.write(terms, " && ", .and, isBare: place == .top || place == .or, to: &text)
    case .not(let inner):
      if place == .not { text += "(" }
      text += "!"
      inner.write(to: &text, inside: .not)
      if place == .not { text += ")" }
    case .comparison(let left, let comparison, let right):
      if place == .not { text += "(" }
      left.write(to: &text)
      text += " " + comparison.text + " "
      right.write(to: &text)
      if place == .not { text += ")" }
    case .exists(let query): text += query.description
    case .function(let call): call.write(to: &text)
    }
  }

  private static func write(
    _ terms: [PathFilter], _ separator: String, _ place: Place, isBare: Bool, to text: inout String
  ) {
    if !isBare { text += "(" }
    for (number, term) in terms.enumerated() {
      if number > 0 { text += separator }
      term.write(to: &text, inside: place)
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
    for (place, argument) in arguments.enumerated() {
      if place > 0 { text += ", " }
      switch argument {
      case .value(let value): value.write(to: &text)
      case .nodes(let query): text += query.description
      }
    }
    text += ")"
  }
}

extension JSON {
  /// A literal of a path that is no string.
  fileprivate var literalText: String { bool.map { $0 ? "true" : "false" } ?? numberText ?? "null" }
}
