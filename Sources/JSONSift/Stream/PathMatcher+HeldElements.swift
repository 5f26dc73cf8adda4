extension PathMatcher {
  /// The held elements of one array, among which a plan selects when the array ends.
  final class HeldElements {
    fileprivate(set) var plan = 0
    /// The number of open levels, including the array.
    fileprivate(set) var depth = 0
    fileprivate var elements = PackedElements()
  }

  /// Holds an element. If more elements are held than needed, drops the first one, and evaluates the plan on it if it is
  /// selected.
  mutating func hold(
    _ plan: Int, _ selection: StreamPlan.HeldSelection, _ slice: TapeWordSlice, _ source: UnsafeRawBufferPointer,
    at start: Int
  ) throws(JSONError) {
    let held = heldElements(of: plan)
    unsafe held.elements.append(slice, source, at: start)
    if let size = selection.size, held.elements.count > size {
      let position = held.elements.position
      let dropped = held.elements.removeFirst()
      if selection.selectsDropped(position) {
        try evaluate(plan, dropped, of: held, at: position, refills: true)
      }
    }
    try limits.check(textBytes: held.elements.textBytes, tapeBytes: held.elements.restBytes, at: start)
  }

  private mutating func heldElements(of plan: Int) -> HeldElements {
    for held in heldArrays.reversed() {
      if held.depth < cursor.depth { break }
      if held.plan == plan { return held }
    }
    let held = spareElements ?? HeldElements()
    spareElements = nil
    held.plan = plan
    held.depth = cursor.depth
    heldArrays.append(held)
    return held
  }

  /// Selects among the held elements at the end of the array.
  mutating func finish(_ held: HeldElements) throws(JSONError) {
    guard case .hold(let selection) = cursor.automaton.plans[held.plan].action else { return }
    if !selection.emitsDropped {
      // The selected elements share one limit of steps.
      var refills = true
      for position in selection.positions(in: held.elements.total) where position >= held.elements.position {
        try evaluate(held.plan, held.elements[position], of: held, at: position, refills: refills)
        refills = false
      }
    }
    held.elements.removeAll()
    spareElements = held
  }

  /// Evaluates the plan on a selected element.
  private mutating func evaluate(
    _ plan: Int, _ value: PackedValue, of held: HeldElements, at position: Int, refills: Bool
  ) throws(JSONError) {
    // The location of the element, which may be an earlier sibling of the value at the cursor.
    var location = location
    location.removeLast(to: cursor.level.ownLocationLength)
    location.append(index: position)
    guard plans[plan].hasTail else {
      try queue.append(plan, value, of: held.elements.store, location, order: order(plan))
      return settle(plan)
    }
    if defersCandidates(plan) {
      return queue.append(candidate: value, of: held.elements.store, plan, location, refills: refills)
    }
    let document = Document.reusing(&spareCandidate)
    _ = held.elements.store.fill(document, value)
    let json = JSON(document, Document.root)
    _ = try matchesFilter(plan, json, refills: refills)
    try evaluate(plan, json, location)
  }
}

extension StreamPlan.HeldSelection {
  /// Returns the positions that are selected in an array of `count` elements, in the order of RFC 9535, 2.3.4.2.2.
  func positions(in count: Int) -> StrideTo<Int> {
    let (first, end) = bounds(in: count)
    return step == 0 ? stride(from: 0, to: 0, by: 1) : stride(from: first, to: end, by: step)
  }

  /// Returns whether the element at a position is selected in an array of `count` elements.
  func selects(_ position: Int, of count: Int) -> Bool {
    let (first, end) = bounds(in: count)
    if step > 0 { return position >= first && position < end && (position - first) % step == 0 }
    return step < 0 && position <= first && position > end && (first - position) % step == 0
  }

  /// Returns whether an element is selected that was dropped from the held ones.
  func selectsDropped(_ position: Int) -> Bool {
    let first = start ?? 0
    return emitsDropped && position >= first && (position - first) % step == 0
  }

  private func bounds(in count: Int) -> (first: Int, end: Int) { PathSelector.sliceBounds(start, end, step, of: count) }
}
