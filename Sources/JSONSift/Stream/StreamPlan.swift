/// How one query is answered over a stream.
///
/// The leading part of the query that can be followed while reading is its *steps*: child segments with one name, index
/// from 0, forward slice or wildcard each, and at most one of them by way of descendants (`..`). What is left, the *tail*,
/// is answered in memory, on values that are picked out of the stream. So no query is answered in another way than in
/// memory: a filter needs one candidate at a time, and a query without a tail nothing at all.
struct StreamPlan: Sendable, Hashable {
  /// One step that is followed while reading.
  enum Step: Sendable, Hashable {
    case name(MemberName)
    case wildcard
    case index(Int)
    /// From `start` on, before `end`, each `step`-th; all of them from 0, and `step` above 0.
    case slice(start: Int, end: Int?, step: Int)
    /// The elements of an array, and nothing of an object.
    case elements
  }

  /// What becomes of a value that the steps lead to.
  enum Action: Sendable, Hashable {
    /// It is a match.
    case match
    /// The tail is asked of it.
    case evaluate
    /// If it passes, the tail is asked of it.
    case filter(PathFilter)
    /// It is one of the elements among which a selector chooses when the array ends; then the tail is asked.
    case window(Window)
  }

  /// The elements of an array that are held until it is known which of them are selected.
  struct Window: Sendable, Hashable {
    let start: Int?
    let end: Int?
    let step: Int
    /// How many of the last elements are enough; `nil` if all are needed.
    let size: Int?
    /// What drops out at the front is looked at then: there is a start from 0, and the end counts from the end.
    let emitsDropped: Bool
  }

  let steps: [Step]
  /// The step that is taken from the node and from all its descendants.
  let descendant: Int?
  let action: Action
  let tail: [PathSegment]

  /// - Throws: ``JSONError/Code/invalidPath`` if a filter asks for the root: that is the whole text.
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
    guard !rest.contains(where: { $0.asksForRoot }) else {
      throw JSONError(
        .invalidPath, at: 0, .unanswerablePath(.rootInFilter))
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
      return .window(
        Window(start: index, end: index == -1 ? nil : index + 1, step: 1, size: -index, emitsDropped: false))
    case .slice(let start, let end, let step):
      steps.append(.elements)
      rest.removeFirst()
      let fromEnd = start.map { $0 < 0 } ?? false
      // A forward slice keeps as many of the last elements as its numbers count from the end.
      if step > 0, fromEnd {
        return .window(Window(start: start, end: end, step: step, size: start.map { -$0 }, emitsDropped: false))
      }
      if step > 0, let end, end < 0 {
        return .window(Window(start: start, end: end, step: step, size: -end, emitsDropped: true))
      }
      return .window(Window(start: start, end: end, step: step, size: nil, emitsDropped: false))
    case .name, .wildcard: return .evaluate
    }
  }

  /// Whether there is one answer at most, which is known where it stands: the reading can stop there.
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
  /// `nil` if the selector cannot be followed while reading.
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

  /// Whether the element at this position is selected.
  func selects(_ position: Int) -> Bool {
    switch self {
    case .name: false
    case .wildcard, .elements: true
    case .index(let index): index == position
    case .slice(let start, let end, let step):
      position >= start && position < end ?? .max && (position - start) % step == 0
    }
  }

  /// Whether every element is selected, or none: then its position does not matter.
  var isUniform: Bool {
    switch self {
    case .name, .wildcard, .elements: true
    case .index, .slice: false
    }
  }
}

extension PathSegment {
  /// Whether a filter in it begins at `$`.
  var asksForRoot: Bool {
    selectors.contains { if case .filter(let filter) = $0 { filter.asksForRoot } else { false } }
  }
}

extension PathFilter {
  var asksForRoot: Bool {
    switch self {
    case .or(let parts), .and(let parts): parts.contains { $0.asksForRoot }
    case .not(let part): part.asksForRoot
    case .comparison(let left, _, let right): left.asksForRoot || right.asksForRoot
    case .exists(let query): query.asksForRoot
    case .function(let call): call.asksForRoot
    }
  }
}

extension PathComparable {
  var asksForRoot: Bool {
    switch self {
    case .literal: false
    case .query(let query): query.asksForRoot
    case .function(let call): call.asksForRoot
    }
  }
}

extension PathCall {
  var asksForRoot: Bool {
    arguments.contains { argument in
      switch argument {
      case .value(let value): value.asksForRoot
      case .nodes(let query): query.asksForRoot
      }
    }
  }
}

extension PathQuery {
  var asksForRoot: Bool { !isRelative || segments.contains { $0.asksForRoot } }
}
