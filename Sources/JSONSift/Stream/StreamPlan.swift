/// The plan by which one query is evaluated over a stream.
///
/// The *steps* are the leading part of the query that can be followed while reading: child segments with one name, index
/// from 0, forward slice or wildcard each; at most one of them is a descendant segment (`..`). The *tail* is the rest of the
/// query. It is evaluated in memory, on values that are copied out of the stream, so the results are the same as for a
/// document in memory. A filter needs one candidate at a time, and a query without a tail needs no value in memory.
struct StreamPlan: Sendable, Hashable {
  /// A step that is followed while reading.
  enum Step: Sendable, Hashable {
    case name(MemberName)
    case wildcard
    case index(Int)
    /// Each `step`-th element from `start` on and before `end`. All bounds count from 0, and `step` is positive.
    case slice(start: Int, end: Int?, step: Int)
    /// The elements of an array; nothing in an object.
    case elements
  }

  /// The action on a value that the steps lead to.
  enum Action: Sendable, Hashable {
    /// The value is a match.
    case match
    /// The tail is evaluated on the value.
    case evaluate
    /// If the value matches the filter, the tail is evaluated on it.
    case filter(PathFilter)
    /// The value is one of the elements among which a selector chooses when the array ends. The tail is evaluated on the
    /// chosen elements.
    case hold(HeldSelection)
  }

  /// A selection among the elements of an array, which are held until the selected ones are known.
  struct HeldSelection: Sendable, Hashable {
    let start: Int?
    let end: Int?
    let step: Int
    /// The number of last elements that must be held; `nil` if all must.
    let size: Int?
    /// Whether it selects the elements that are dropped, as for `[2:-3]`: the last three are held, and an element that
    /// is dropped is selected if its position is. Otherwise it selects among the held elements when the array ends.
    let emitsDropped: Bool
  }

  let steps: [Step]
  /// The index of the step that applies to the node and all its descendants.
  let descendant: Int?
  let action: Action
  let tail: [PathSegment]

  /// - Throws: ``JSONError/Code/invalidPath`` if a filter refers to the root, which would need the whole text.
  init(_ query: PathQuery) throws(JSONError) {
    var steps: [Step] = []
    var descendant: Int?
    var rest = query.segments[...]
    while let segment = rest.first, segment.selectors.count == 1, let step = Step(segment.selectors[0]) {
      if segment.isDescendant {
        guard descendant == nil else { break }
        descendant = steps.count
      }
      steps.append(step)
      rest.removeFirst()
    }
    guard !rest.contains(where: { $0.refersToRoot }) else {
      throw JSONError(.invalidPath, at: 0, .unanswerablePath(.rootInFilter))
    }
    action = Self.action(&rest, &steps)
    self.steps = steps
    self.descendant = descendant
    tail = Array(rest)
  }

  private static func action(_ rest: inout ArraySlice<PathSegment>, _ steps: inout [Step]) -> Action {
    guard let segment = rest.first else { return .match }
    guard !segment.isDescendant, segment.selectors.count == 1 else { return .evaluate }
    switch segment.selectors[0] {
    case .filter(let filter):
      steps.append(.wildcard)
      rest.removeFirst()
      return .filter(filter)
    case .index(let index):
      steps.append(.elements)
      rest.removeFirst()
      return .hold(
        HeldSelection(start: index, end: index == -1 ? nil : index + 1, step: 1, size: -index, emitsDropped: false))
    case .slice(let start, let end, let step):
      steps.append(.elements)
      rest.removeFirst()
      // A forward slice holds as many of the last elements as its bounds count from the end.
      let fromEnd = step > 0 ? [start, end].compactMap { $0 }.first { $0 < 0 } : nil
      let emitsDropped = fromEnd != nil && start ?? 0 >= 0
      return .hold(
        HeldSelection(start: start, end: end, step: step, size: fromEnd.map { -$0 }, emitsDropped: emitsDropped))
    case .name, .wildcard: return .evaluate
    }
  }

  /// Whether there is at most one match, which is final as soon as it is read. Then reading can stop there.
  var isDefinite: Bool {
    guard descendant == nil, action == .match, !steps.isEmpty else { return false }
    return steps.allSatisfy {
      switch $0 {
      case .name, .index: true
      case .wildcard, .slice, .elements: false
      }
    }
  }
}

extension StreamPlan.Step {
  /// Creates the step of a selector; `nil` if the selector cannot be followed while reading.
  init?(_ selector: PathSelector) {
    switch selector {
    case .name(let name): self = .name(name)
    case .wildcard: self = .wildcard
    case .index(let index) where index >= 0: self = .index(index)
    case .slice(let start, let end, let step) where step > 0 && (start ?? 0) >= 0 && (end ?? 0) >= 0:
      self = .slice(start: start ?? 0, end: end, step: step)
    case .index, .slice, .filter: return nil
    }
  }

  /// Returns whether the element at a position is selected.
  func selects(_ position: Int) -> Bool {
    switch self {
    case .name: false
    case .wildcard, .elements: true
    case .index(let index): index == position
    case .slice(let start, let end, let step):
      position >= start && position < end ?? .max && (position - start) % step == 0
    }
  }

  /// Whether the step selects every element or no element, so that the position does not matter.
  var isUniform: Bool {
    switch self {
    case .name, .wildcard, .elements: true
    case .index, .slice: false
    }
  }
}

extension PathSegment {
  /// Whether a filter in the segment refers to `$`.
  var refersToRoot: Bool {
    selectors.contains { if case .filter(let filter) = $0 { filter.refersToRoot } else { false } }
  }
}

extension PathFilter {
  /// Whether a query of the filter refers to the root.
  fileprivate var refersToRoot: Bool { queries.contains { $0.refersToRoot } }
}

extension PathQuery {
  fileprivate var refersToRoot: Bool { !isRelative || segments.contains { $0.refersToRoot } }
}
