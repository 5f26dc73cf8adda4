/// Follows the paths of all rules from a container to its children.
///
/// A *position* is a segment of a path that applies to the children of a container. A *state* is a set of positions; states are
/// numbered when they are first reached. A *step* is what the rules do with one child, and the state of the child. The steps
/// for members are cached by name, so that a name costs one hash and one comparison, whatever the number of rules.
struct EditAutomaton: ~Copyable {
  /// What a machine reads for every child: the properties of a step, and of the state for the children of the child.
  struct Head: BitwiseCopyable {
    let state: Int32
    /// Whether the child is changed, or a rule counts it.
    let isActive: Bool
    /// Whether no rule can apply below, so that a container is copied as a whole.
    let isInert: Bool
    let needsNode: Bool
    let creates: Bool
    /// Whether rules for texts leave the key as it is.
    var keepsKey = true
    /// The number of the rule that masks or sets the child, if no other one selects it; otherwise -1.
    var onlyRule: Int32 = -1
    let known: UInt64
  }

  /// What happens to a child. The numbers are indices of ``steps``.
  struct Step: Hashable {
    /// The state for the children of the child.
    var state: Int32 = 0
    /// The path rule that deletes, masks or sets the child, or the rule of names: its number in the plan.
    var change: Change = .none
    /// The rules that select the child.
    var selected: [Int] = []
    /// The path rule that renames it.
    var rename: Int?
    /// The bits of the members of the container that need not be created.
    var known: UInt64 = 0
    var keepsKey = true
  }

  enum Change: Hashable {
    case none, delete, mask(rule: Int), set(path: Int)
  }

  /// The parent of a child, for selectors that need more than its name or index.
  struct Node {
    let value: JSON
    let context: PathContext
  }

  /// A rule that can create a member: the index of its path, of the segment with the name, and its bit.
  struct Creation {
    let path: Int
    let segment: Int
    let bit: UInt64
  }

  struct State {
    let positions: [Position]
    /// Whether all elements have one step, and that step if it is known.
    let isUniform: Bool
    var elementStep: Int32 = -1
    /// Whether a selector needs the value.
    let needsNode: Bool
    let creations: [Creation]
  }

  struct Position: Hashable {
    let path: Int
    let segment: Int
  }

  private let plan: EditPlan
  /// `nil` if there are no rules for texts.
  private let masker: TextMasker?
  private(set) var states: [State] = []
  private(set) var steps: [Step] = []
  private(set) var heads = PlainVector<Head>()
  /// Whether no texts are read for rules of values and patterns.
  private let skipsTexts: Bool
  private var stateNumbers: [[Position]: Int32] = [:]
  private var stepNumbers: [Step: Int32] = [:]
  private var names = NameCache()
  /// The step of the outermost value.
  private(set) var rootStep: Int32 = 0

  /// - Parameters:
  ///   - masker: The rules for texts; `nil` if there are none.
  ///   - readsTexts: Whether all strings must be read.
  init(_ plan: EditPlan, _ masker: TextMasker?, readsTexts: Bool) {
    self.plan = plan
    self.masker = masker
    skipsTexts = !readsTexts && plan.names.isEmpty
    _ = number(of: [])
    var step = Step()
    let positions = plan.paths.indices.filter { !plan.paths[$0].segments.isEmpty }.map {
      Position(path: $0, segment: 0)
    }
    accept(plan.paths.indices.filter { plan.paths[$0].segments.isEmpty }, &step)
    step.state = number(of: positions)
    rootStep = number(of: step)
  }

  // MARK: Steps

  /// Returns the step for a member.
  ///
  /// - Parameter key: The decoded key.
  mutating func step(_ state: Int32, key: UnsafeRawBufferPointer) -> Int32 {
    if let known = unsafe names.step(state, key) { return known }
    let step = unsafe makeStep(state, name: String(utf8: key), index: nil, count: nil, nil)
    unsafe names.insert(state, key, step)
    return step
  }

  /// Returns the step for a child, with a selector that needs the value.
  mutating func step(
    _ state: Int32, key: UnsafeRawBufferPointer?, index: Int, count: Int, _ node: Node
  ) throws(QueryLimitExceeded) -> Int32 {
    var failure: QueryLimitExceeded?
    let name = unsafe key.map { unsafe String(utf8: $0) }
    let step = makeStep(state, name: name, index: name == nil ? index : nil, count: count) { filter in
      do throws(QueryLimitExceeded) {
        try node.context.spend(1)
        return try node.context.matches(filter, node.value)
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    return step
  }

  /// Returns the step for an element.
  ///
  /// - Parameter count: The number of elements; `nil` if no selector needs it.
  mutating func step(_ state: Int32, index: Int, count: Int?) -> Int32 {
    let known = states[Int(state)].elementStep
    if known >= 0 { return known }
    let step = makeStep(state, name: nil, index: index, count: count, nil)
    if states[Int(state)].isUniform { states[Int(state)].elementStep = step }
    return step
  }

  private mutating func makeStep(
    _ state: Int32, name: String?, index: Int?, count: Int?, _ filter: ((PathFilter) -> Bool)?
  ) -> Int32 {
    var next: Set<Position> = []
    var accepted: [Int] = []
    let name = name.map { MemberName($0) }
    var step = Step()
    for position in states[Int(state)].positions {
      let segments = plan.paths[position.path].segments
      let segment = segments[position.segment]
      if segment.isDescendant { next.insert(position) }
      for selector in segment.selectors where selector.selects(name, index, count, filter) {
        if position.segment + 1 < segments.count {
          next.insert(Position(path: position.path, segment: position.segment + 1))
        } else if !accepted.contains(position.path) {
          accepted.append(position.path)
        }
      }
    }
    for creation in states[Int(state)].creations
    where plan.paths[creation.path].segments[creation.segment].plainName == name { step.known |= creation.bit }
    accept(accepted, &step)
    if let name, let masker {
      var key = name.string
      step.keepsKey = key.withUTF8 { unsafe masker.keeps(key: UnsafeRawBufferPointer($0)) }
    }
    if let name, let rule = plan.rule(ofName: name.string) {
      step.selected.append(rule)
      if step.change != .delete {
        // Of several masks the one of the first rule applies.
        if case .mask(let other) = step.change, other < rule {} else { step.change = .mask(rule: rule) }
      }
    }
    let order = { (left: Position, right: Position) in
      left.path != right.path ? left.path < right.path : left.segment < right.segment
    }
    step.state = number(of: next.sorted(by: order))
    return number(of: step)
  }

  /// Adds the changes of the path rules that select a child.
  private func accept(_ paths: [Int], _ step: inout Step) {
    for path in paths {
      let rule = plan.paths[path]
      step.selected.append(rule.number)
      switch (rule.change, step.change) {
      case (.delete, _): step.change = .delete
      case (.mask, .none), (.mask, .set): step.change = .mask(rule: rule.number)
      case (.set, .none): step.change = .set(path: path)
      case (.rename, _): step.rename = step.rename ?? path
      default: break
      }
    }
  }

  // MARK: Numbers

  private mutating func number(of step: Step) -> Int32 {
    if let known = stepNumbers[step] { return known }
    let number = Int32(truncatingIfNeeded: steps.count)
    steps.append(step)
    let state = states[Int(step.state)]
    var onlyRule: Int32 = -1
    if step.selected.count == 1, step.rename == nil, step.change != .delete {
      onlyRule = Int32(truncatingIfNeeded: step.selected[0])
    }
    heads.append(
      Head(
        state: step.state, isActive: !step.selected.isEmpty, isInert: state.positions.isEmpty && skipsTexts,
        needsNode: state.needsNode, creates: !state.creations.isEmpty, keepsKey: step.keepsKey, onlyRule: onlyRule,
        known: step.known))
    stepNumbers[step] = number
    return number
  }

  private mutating func number(of positions: [Position]) -> Int32 {
    if let known = stateNumbers[positions] { return known }
    let segments = positions.map { plan.paths[$0.path].segments[$0.segment] }
    let selectors = segments.flatMap(\.selectors)
    var creations: [Creation] = []
    for position in positions where position.segment >= plan.paths[position.path].firstCreated {
      guard case .set = plan.paths[position.path].change, creations.count < EditPlan.maxSets else { continue }
      creations.append(Creation(path: position.path, segment: position.segment, bit: 1 << UInt64(creations.count)))
    }
    let number = Int32(truncatingIfNeeded: states.count)
    states.append(
      State(
        positions: positions,
        isUniform: selectors.allSatisfy { $0.isUniform }, needsNode: selectors.contains { $0.needsNode },
        creations: creations))
    stateNumbers[positions] = number
    return number
  }
}

extension PathSelector {
  /// Whether the selector selects all elements or none.
  fileprivate var isUniform: Bool {
    switch self {
    case .name, .wildcard: true
    case .index, .slice, .filter: false
    }
  }

  /// Whether the selector needs the value, or the number of elements.
  fileprivate var needsNode: Bool {
    switch self {
    case .name, .wildcard: false
    case .index, .slice: StreamPlan.Step(self) == nil
    case .filter: true
    }
  }

  /// Returns whether the selector selects a member with this name, or the element at this index.
  fileprivate func selects(
    _ name: MemberName?, _ index: Int?, _ count: Int?, _ filter: ((PathFilter) -> Bool)?
  ) -> Bool {
    switch self {
    case .name(let own): return own == name
    case .wildcard: return true
    case .index(let own):
      guard let index else { return false }
      return own >= 0 ? own == index : count.map { own + $0 == index } ?? false
    case .slice(let start, let end, let step):
      guard let index, step != 0 else { return false }
      if let forward = StreamPlan.Step(self) { return forward.selects(index) }
      return count.map { PathSelector.slice(start, end, step, selects: index, of: $0) } ?? false
    case .filter(let own): return filter?(own) ?? false
    }
  }

  /// RFC 9535, 2.3.4.2.2.
  private static func slice(_ start: Int?, _ end: Int?, _ step: Int, selects index: Int, of count: Int) -> Bool {
    func normalized(_ bound: Int) -> Int { bound >= 0 ? bound : count + bound }
    if step > 0 {
      let lower = min(max(normalized(start ?? 0), 0), count)
      return index >= lower && index < min(max(normalized(end ?? count), 0), count) && (index - lower) % step == 0
    }
    let upper = min(max(normalized(start ?? count - 1), -1), count - 1)
    let lower = end.map { min(max(normalized($0), -1), count - 1) } ?? -1
    return index <= upper && index > lower && (upper - index) % step == 0
  }
}
