/// RFC 9535 in its plainest form: nodelists, built from left to right. Of duplicate members a name selects the first; that
/// is our rule, the RFC has none.
struct ReferenceEvaluator {
  struct Node {
    var steps: [ReferenceStep]
    var value: ReferenceValue

    /// The normalized path (2.7).
    var location: String { "$" + steps.map(\.text).joined() }

    func child(_ step: ReferenceStep, _ value: ReferenceValue) -> Node { Node(steps: steps + [step], value: value) }
  }

  let root: ReferenceValue

  func nodes(of query: ReferenceQuery) -> [Node] { nodes(of: query, current: root) }

  private func nodes(of query: ReferenceQuery, current: ReferenceValue) -> [Node] {
    var nodes = [Node(steps: [], value: query.isRelative ? current : root)]
    for segment in query.segments {
      // 2.5.2.2: the node and its descendants, each before its children, elements in their order.
      let inputs = segment.isDescendant ? nodes.flatMap { descendants(of: $0) } : nodes
      nodes = inputs.flatMap { input in segment.selectors.flatMap { select($0, from: input) } }
    }
    return nodes
  }

  private func descendants(of node: Node) -> [Node] {
    [node] + node.value.children.flatMap { descendants(of: node.child($0.step, $0.value)) }
  }

  private func select(_ selector: ReferenceSelector, from node: Node) -> [Node] {
    let children = node.value.children.map { node.child($0.step, $0.value) }
    switch selector {
    case .name(let name):
      let step = ReferenceStep.name(name.scalarValues)
      return children.first { $0.steps.last == step }.map { [$0] } ?? []
    case .wildcard: return children
    case .index(let index):
      guard case .array(let elements) = node.value.content else { return [] }
      let resolved = index < 0 ? elements.count + index : index
      return elements.indices.contains(resolved) ? [children[resolved]] : []
    case .slice(let start, let end, let step):
      guard case .array(let elements) = node.value.content else { return [] }
      return Self.slice(start, end, step ?? 1, elements.count).map { children[$0] }
    case .filter(let filter): return children.filter { holds(filter, $0.value) }
    }
  }

  /// 2.3.4.2.2.
  private static func slice(_ start: Int?, _ end: Int?, _ step: Int, _ count: Int) -> [Int] {
    func normalized(_ index: Int) -> Int { index >= 0 ? index : count + index }
    guard step != 0 else { return [] }
    let first = normalized(start ?? (step > 0 ? 0 : count - 1))
    let last = normalized(end ?? (step > 0 ? count : -count - 1))
    var indices: [Int] = []
    if step > 0 {
      let lower = min(max(first, 0), count)
      let upper = min(max(last, 0), count)
      var index = lower
      while index < upper {
        indices.append(index)
        index += step
      }
    } else {
      let upper = min(max(first, -1), count - 1)
      let lower = min(max(last, -1), count - 1)
      var index = upper
      while lower < index {
        indices.append(index)
        index += step
      }
    }
    return indices
  }

  // MARK: Filters, 2.3.5

  private func holds(_ filter: ReferenceFilter, _ current: ReferenceValue) -> Bool {
    switch filter {
    case .or(let parts): return parts.contains { holds($0, current) }
    case .and(let parts): return parts.allSatisfy { holds($0, current) }
    case .not(let part): return !holds(part, current)
    case .exists(let query): return !nodes(of: query, current: current).isEmpty
    case .comparison(let left, let sign, let right):
      return Self.compare(value(left, current), sign, value(right, current))
    case .match(let text, let pattern):
      guard case .string(let text) = value(text, current) else { return false }
      return pattern.ends(in: text, from: 0).contains(text.count)
    case .search(let text, let pattern):
      guard case .string(let text) = value(text, current) else { return false }
      return (0...text.count).contains { !pattern.ends(in: text, from: $0).isEmpty }
    }
  }

  /// `nil` is Nothing.
  private func value(_ comparable: ReferenceComparable, _ current: ReferenceValue) -> ReferenceValue.Content? {
    switch comparable {
    case .literal(_, let content): return content
    case .singular(let query): return nodes(of: query, current: current).first?.value.content
    case .count(let query): return .number(Double(nodes(of: query, current: current).count))
    case .value(let query):
      let nodes = nodes(of: query, current: current)
      return nodes.count == 1 ? nodes[0].value.content : nil
    case .length(let argument):
      switch value(argument, current) {
      case .string(let text): return .number(Double(text.count))
      case .array(let elements): return .number(Double(elements.count))
      case .object(let members): return .number(Double(members.count))
      default: return nil
      }
    }
  }

  private static func compare(
    _ left: ReferenceValue.Content?, _ sign: String, _ right: ReferenceValue.Content?
  ) -> Bool {
    switch sign {
    case "==": isEqual(left, right)
    case "!=": !isEqual(left, right)
    case "<": isLess(left, right)
    case ">": isLess(right, left)
    case "<=": isLess(left, right) || isEqual(left, right)
    default: isLess(right, left) || isEqual(left, right)
    }
  }

  private static func isLess(_ left: ReferenceValue.Content?, _ right: ReferenceValue.Content?) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left < right
    case (.string(let left), .string(let right)): left.lexicographicallyPrecedes(right)
    default: false
    }
  }

  private static func isEqual(_ left: ReferenceValue.Content?, _ right: ReferenceValue.Content?) -> Bool {
    switch (left, right) {
    case (nil, nil), (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.number(let left), .number(let right)): return left == right
    case (.string(let left), .string(let right)): return left == right
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { isEqual($0.content, $1.content) }
    case (.object(let left), .object(let right)):
      // Of duplicate members the last one counts here, as in `==`; the RFC has no rule.
      let left = Dictionary(left.map { ($0.name, $0.value) }) { $1 }
      let right = Dictionary(right.map { ($0.name, $0.value) }) { $1 }
      return left.count == right.count
        && left.allSatisfy { name, value in right[name].map { isEqual(value.content, $0.content) } ?? false }
    default: return false
    }
  }
}
