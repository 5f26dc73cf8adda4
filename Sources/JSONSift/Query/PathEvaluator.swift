/// Iterates over the values that a query selects, in the order of RFC 9535 and as often as the query selects them.
///
/// # Algorithm
///
/// The evaluator keeps a frame for each container on the path from the start to the last match: the container, the segment
/// that selects among its children, and the progress of that selection. The next match is found by continuing with the last
/// frame. A selected child gets a frame for the next segment. After its own selectors, a frame of a descendant segment
/// (`..`) adds a frame with the same segment for each child that is a container. So matches are returned in the order of the
/// segments and are never collected, and the nesting of a document uses heap memory but no call stack. Only filters call
/// other evaluators, and the parser limits the nesting of filters.
struct PathEvaluator {
  /// The step from the container of a frame to the child that it returned last.
  fileprivate enum Step {
    case none
    case member(ChildCursor.Name)
    case element(Int)
  }

  fileprivate struct Frame {
    let node: JSON
    let isObject: Bool
    let segment: Int
    /// The index of the active selector. After the last selector, a descendant segment visits the children.
    var selector = 0
    /// Whether the active selector has started.
    var isOpen = false
    var children: ChildCursor
    /// The index of the next element, among the children or in a slice.
    var position = 0
    var end = 0
    var step = Step.none
  }

  private let segments: [PathSegment]
  private let context: PathContext
  private var start: JSON?
  private var frames: [Frame] = []

  /// - Parameters:
  ///   - start: The value to which the first segment applies. A missing value has no matches.
  ///   - root: The value of `$` in filters.
  init(_ segments: some Sequence<PathSegment>, from start: JSON, root: JSON, limits: JSONLimits = JSONLimits()) {
    self.init(segments, from: start, PathContext(root: root, limits: limits))
  }

  /// Creates an evaluator that shares its remaining steps and its compiled patterns with others.
  init(_ segments: some Sequence<PathSegment>, from start: JSON, _ context: PathContext) {
    self.segments = Array(segments)
    self.context = context
    if start.exists() { self.start = start }
  }

  /// Creates an evaluator for a query in a filter.
  init(_ query: PathQuery, _ current: JSON, _ context: PathContext) {
    self.init(query.segments, from: query.isRelative ? current : context.root, context)
  }

  /// Returns whether the segments before the last lead to a container in which the last segment can select. A descendant
  /// segment can also select in containers below it.
  static func reachesLast(
    of segments: ArraySlice<PathSegment>, from start: JSON, _ context: PathContext
  ) throws(JSONError) -> Bool {
    guard let last = segments.last else { return true }
    var parents = PathEvaluator(segments.dropLast(), from: start, context)
    while let parent = try parents.nextValue() {
      if last.selects(in: parent) { return true }
      guard last.isDescendant else { continue }
      var below = PathEvaluator([PathSegment(isDescendant: true, selectors: [.wildcard])], from: parent, context)
      while let value = try below.nextValue() { if last.selects(in: value) { return true } }
    }
    return false
  }

  /// Returns the next match with its location, or `nil` after the last. Computing the location costs O(depth).
  mutating func next() throws(JSONError) -> (value: JSON, location: JSONPath.Location)? {
    guard let value = try nextValue() else { return nil }
    return (value, try locate())
  }

  /// Returns the location of the last match, and counts the steps for it.
  func locate() throws(JSONError) -> JSONPath.Location {
    try QueryLimitExceeded.converting(try context.spend(frames.count)) { _ in context.failure }
    return location
  }

  /// The location of the last match, relative to the start.
  var location: JSONPath.Location {
    var steps: [JSON.Step] = []
    steps.reserveCapacity(frames.count)
    for frame in frames {
      switch frame.step {
      case .none: break
      case .member(let name): steps.append(.key(name.string))
      case .element(let index): steps.append(.index(index))
      }
    }
    return JSONPath.Location(steps: steps)
  }

  /// Returns the next match, or `nil` after the last.
  ///
  /// - Throws: ``JSONError/Code/queryLimit``.
  mutating func nextValue() throws(JSONError) -> JSON? {
    do throws(QueryLimitExceeded) {
      return try advance()
    } catch {
      throw context.failure
    }
  }

  /// Returns the next match, like ``nextValue()``, for evaluators inside a filter. The caller creates the error.
  mutating func advance() throws(QueryLimitExceeded) -> JSON? {
    if let start {
      self.start = nil
      try context.spend(1)
      if segments.isEmpty { return start }
      try open(start, 0)
    }
    while let last = frames.indices.last {
      let segment = frames[last].segment
      if frames[last].selector < segments[segment].selectors.count {
        guard let child = try Self.select(&frames[last], segments[segment].selectors, context) else {
          frames[last].selector += 1
          frames[last].isOpen = false
          continue
        }
        if segment + 1 == segments.count { return child }
        try open(child, segment + 1)
      } else if segments[segment].isDescendant, let child = try Self.descend(&frames[last], context) {
        try open(child, segment)
      } else {
        frames.removeLast()
      }
    }
    return nil
  }

  /// The number of steps that a frame costs: as many as reading that number of children.
  static let stepsPerFrame = 4

  /// Adds a frame for a container. A scalar has no children and needs no frame.
  private mutating func open(_ node: JSON, _ segment: Int) throws(QueryLimitExceeded) {
    let type = node.type
    guard type == .array || type == .dictionary else { return }
    try context.spend(Self.stepsPerFrame)
    let children = ChildCursor(node)
    frames.append(Frame(node: node, isObject: children.isObject, segment: segment, children: children))
  }

  // MARK: Selectors. Static, because a copy of `self` would be a second owner of the frames.

  /// Returns the next child that the active selector selects.
  private static func select(
    _ frame: inout Frame, _ selectors: [PathSelector], _ context: PathContext
  ) throws(QueryLimitExceeded) -> JSON? {
    let isFirst = !frame.isOpen
    frame.isOpen = true
    switch selectors[frame.selector] {
    case .name(let name):
      guard isFirst, frame.isObject else { return nil }
      frame.step = .member(.built(name))
      return try context.member(name, of: frame.node, .once)
    case .index(let index):
      guard isFirst, !frame.isObject else { return nil }
      try context.spend(1)
      frame.step = .element(index < 0 ? index + frame.node.count : index)
      return context.element(index, of: frame.node)
    case .wildcard:
      if isFirst { frame.rewind() }
      try context.spend(1)
      return frame.nextChild()
    case .slice(let start, let end, let step):
      guard !frame.isObject, step != 0 else { return nil }
      if isFirst { frame.openSlice(start, end, step) }
      guard step > 0 ? frame.position < frame.end : frame.position > frame.end else { return nil }
      try context.spend(1)
      let position = frame.position
      frame.position += step
      frame.step = .element(position)
      return frame.node[position]
    case .filter(let filter):
      if isFirst { frame.rewind() }
      while true {
        try context.spend(1)
        guard let child = frame.nextChild() else { return nil }
        if try context.matches(filter, child) { return child }
      }
    }
  }

  /// Returns the next child that is a container.
  private static func descend(_ frame: inout Frame, _ context: PathContext) throws(QueryLimitExceeded) -> JSON? {
    if !frame.isOpen {
      frame.isOpen = true
      frame.rewind()
    }
    while true {
      try context.spend(1)
      guard let child = frame.nextChild() else { return nil }
      let type = child.type
      if type == .array || type == .dictionary { return child }
    }
  }
}

extension PathSegment {
  /// Returns whether a value is a container of a kind in which one of the selectors can select.
  fileprivate func selects(in value: JSON) -> Bool {
    let isObject = value.type == .dictionary
    guard isObject || value.type == .array else { return false }
    return selectors.contains {
      switch $0 {
      case .name: isObject
      case .index, .slice: !isObject
      case .wildcard, .filter: true
      }
    }
  }
}

extension PathEvaluator.Frame {
  /// Moves to the first child.
  mutating func rewind() {
    children = ChildCursor(node)
    position = 0
  }

  mutating func nextChild() -> JSON? {
    guard let child = children.next() else { return nil }
    if let name = child.name {
      step = .member(name)
    } else {
      step = .element(position)
      position += 1
    }
    return child.value
  }

  /// Computes the bounds by RFC 9535, 2.3.4.2.2. They are inside ±(2^53 - 1), so sums do not overflow.
  mutating func openSlice(_ start: Int?, _ end: Int?, _ step: Int) {
    (position, self.end) = PathSelector.sliceBounds(start, end, step, of: node.count)
  }
}
