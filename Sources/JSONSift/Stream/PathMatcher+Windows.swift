/// The elements of an array among which a plan selects when it ends.
final class ElementWindow {
  fileprivate(set) var plan = 0
  /// How many levels are open in the array and around it.
  fileprivate(set) var depth = 0
  fileprivate var row = PackedElements()
}

extension PathMatcher {
  /// Holds an element, and lets go of one that the plan cannot select any more, or does now.
  mutating func hold(
    _ plan: Int, _ window: StreamPlan.Window, _ slice: WordSlice, _ source: UnsafeRawBufferPointer, at start: Int
  ) throws(JSONError) {
    let ring = ring(of: plan)
    unsafe ring.row.append(slice, source, at: start)
    if let size = window.size, ring.row.count > size {
      let position = ring.row.position
      let dropped = ring.row.removeFirst()
      let first = window.start ?? 0
      if window.emitsDropped, position >= first, (position - first) % window.step == 0 {
        try evaluate(plan, dropped, of: ring, at: position, refills: true)
      }
    }
    if ring.row.textBytes > limits.recordBytes { throw JSONError(.recordLimit, at: start, limit: limits.recordBytes) }
    if ring.row.restBytes > max(limits.tapeBytes, 4096) {
      throw JSONError(.tapeLimit, at: start, limit: limits.tapeBytes)
    }
  }

  private mutating func ring(of plan: Int) -> ElementWindow {
    for ring in elementWindows.reversed() {
      if ring.depth < cursor.depth { break }
      if ring.plan == plan { return ring }
    }
    let ring = spareWindow ?? ElementWindow()
    spareWindow = nil
    ring.plan = plan
    ring.depth = cursor.depth
    elementWindows.append(ring)
    return ring
  }

  /// The array has ended: now it is known what is selected.
  mutating func finish(_ ring: ElementWindow) throws(JSONError) {
    guard case .window(let window) = cursor.automaton.plans[ring.plan].action else { return }
    if !window.emitsDropped {
      // For what is asked of all of them together there is one limit.
      var refills = true
      for position in window.positions(in: ring.row.total) where position >= ring.row.position {
        try evaluate(ring.plan, ring.row[position], of: ring, at: position, refills: refills)
        refills = false
      }
    }
    ring.row.removeAll()
    spareWindow = ring
  }

  /// An element is selected.
  private mutating func evaluate(
    _ plan: Int, _ value: PackedValue, of ring: ElementWindow, at position: Int, refills: Bool
  ) throws(JSONError) {
    // The place of an element that may have gone by: beside the one that the events are at.
    var place = place
    place.removeLast(to: cursor.level.ownLocationLength)
    place.append(index: position)
    guard plans[plan].hasTail else {
      try queue.append(plan, value, of: ring.row.store, place, order: order(plan))
      return settle(plan)
    }
    if waits(plan) { return queue.append(candidate: value, of: ring.row.store, plan, place, refills: refills) }
    let document = Document.reusing(&spareCandidate)
    _ = ring.row.store.fill(document, value)
    let json = JSON(document, Document.root)
    _ = try passes(plan, json, refills: refills)
    try evaluate(plan, json, place)
  }
}

extension StreamPlan.Window {
  /// The positions that are selected in an array of `count` elements, in the order of RFC 9535, 2.3.4.2.2.
  func positions(in count: Int) -> StrideTo<Int> {
    let (first, end) = bounds(in: count)
    return step == 0 ? stride(from: 0, to: 0, by: 1) : stride(from: first, to: end, by: step)
  }

  /// Whether an element is selected in an array of `count` of them.
  func selects(_ position: Int, of count: Int) -> Bool {
    let (first, end) = bounds(in: count)
    if step > 0 { return position >= first && position < end && (position - first) % step == 0 }
    return step < 0 && position <= first && position > end && (first - position) % step == 0
  }

  /// The first position, and the one that is not reached.
  private func bounds(in count: Int) -> (first: Int, end: Int) {
    func fromStart(_ index: Int) -> Int { index < 0 ? index + count : index }
    if step > 0 {
      let lower = min(max(fromStart(start ?? 0), 0), count)
      let upper = min(max(end.map { fromStart($0) } ?? count, 0), count)
      return (lower, max(lower, upper))
    }
    let upper = min(max(fromStart(start ?? count - 1), -1), count - 1)
    let lower = min(max(end.map { fromStart($0) } ?? -1, -1), count - 1)
    return (upper, min(upper, lower))
  }
}
