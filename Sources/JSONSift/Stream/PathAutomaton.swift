/// The steps of several queries as one deterministic automaton, whose states are created when they are first reached.
///
/// Each value has a state. The state determines which queries the value matches, and the transition to the state of each
/// child. No match can occur in a child in the dead state, so its subtree is skipped. The cost of an event does not depend
/// on the number of queries, but on the number of names that its state *knows*: the names with a transition of their own.
struct PathAutomaton: ~Copyable {
  /// A step of a query that selects among the children of a value.
  struct Item: Hashable {
    let plan: Int
    let step: Int
  }

  struct State {
    /// Sorted by plan, then by step.
    let items: [Item]
    /// The plans whose steps end at this value.
    fileprivate(set) var accepts: [Int]
    fileprivate let positional: [Int]
    fileprivate var byPosition: [UInt64: Int] = [:]
    /// The plans whose descendant step selects among the children and continues below them.
    let descending: [Int]
    /// The indexes of the items that select a name, and of those that select any member or continue below all of them.
    fileprivate let byName: [MemberName: [Int]]
    fileprivate let always: [Int]
  }

  /// A name that a state knows.
  struct Name: BitwiseCopyable {
    /// The start of the name as a packed step in `steps`, the start of its bytes, and the end of both.
    let firstStep: Int
    let firstByte: Int
    let end: Int
    fileprivate(set) var target = -1

    var count: Int { end &- firstByte }
  }

  /// The properties of a state that an event needs. Contains no references, so that copying it needs no reference counting.
  struct StateSummary: BitwiseCopyable {
    /// Bit n: one of the names has n bytes; bit 63: 63 bytes or more.
    fileprivate(set) var nameLengths: UInt64 = 0
    /// Bit n: the low six bits of the first byte of a name are n. The closing quote counts as the first byte of an empty
    /// name.
    fileprivate(set) var firstBytes: UInt64 = 0
    /// The index of the state's first name in `names`.
    fileprivate(set) var firstName = 0
    fileprivate(set) var nameCount = 0
    /// The state of a member with none of these names; negative if it is not created yet.
    fileprivate(set) var otherMember = -1
    /// The state of an element, if its position does not matter; negative if it does, or if the state is not created yet.
    fileprivate(set) var uniformElement = -1
    fileprivate(set) var hasItems = false
    fileprivate(set) var hasAccepts = false
    /// The plan that takes the value as a match, if nothing else is done with the value; otherwise negative.
    fileprivate(set) var onlyMatch = -1
    /// Whether the descendant step of a plan selects among the children.
    fileprivate(set) var isDescending = false
    /// Whether the elements of an array are held for a selector that counts from the end.
    fileprivate(set) var holdsElements = false
    /// Whether an index or a slice selects elements.
    fileprivate(set) var hasPositions = false
    /// Whether, in an object (in an array) of this state, only containers and members with the state's names can match or
    /// lead to a match; `nil` if not determined yet.
    fileprivate(set) var objectLeadsByBrackets: Bool?
    fileprivate(set) var arrayLeadsByBrackets: Bool?
    /// The plan whose descendant step selects among the children, if there is exactly one; otherwise negative.
    fileprivate(set) var onlyDescending = -1
    /// Whether an object (an array) with this state has occurred.
    fileprivate(set) var wasObject = false
    fileprivate(set) var wasArray = false
  }

  static let dead = 0

  let plans: [StreamPlan]
  private(set) var states: [State] = []
  /// By state.
  private(set) var summaries: [StateSummary] = []
  /// The names of all states. The names of one state are contiguous.
  private(set) var names: [Name] = []
  /// The names as packed steps of a location.
  private(set) var steps = ByteBuffer(capacity: 0)
  private var memberNames: [MemberName] = []
  /// The names of states that know many.
  private var slots: [Slot: [Int]] = [:]
  private var known: [Key: Int] = [:]
  /// For the items of states, the first state with them.
  private var byItems: [[Item]: Int] = [:]
  /// The state of the outermost value.
  private(set) var root = 0
  /// Whether a list of patterns can have all names that the states can know.
  private let hasShortNameList: Bool

  /// Names with the same hash, and the first name of the states that know them.
  private struct Slot: Hashable {
    let firstName, hash: Int

    init(_ name: UnsafeRawBufferPointer, from firstName: Int) {
      self.firstName = firstName
      var hasher = Hasher()
      unsafe hasher.combine(bytes: name)
      hash = hasher.finalize()
    }
  }

  /// The number of names from which a key is looked up by its hash.
  static let maxCompared = Sizes.of(64, fuzzing: 2)

  private struct Key: Hashable {
    let items: [Item]
    let accepts: [Int]
  }

  /// The maximum number of states. Only queries that are designed to have many states exceed it.
  private static let maxStates = 1 << 14

  init(_ plans: [StreamPlan]) throws(JSONError) {
    self.plans = plans
    hasShortNameList = KeyPatternLists.takes(Self.allNames(plans).count)
    _ = try state([], [])
    let atRoot = plans.indices.filter { plans[$0].steps.isEmpty }
    root = try state(plans.indices.filter { !plans[$0].steps.isEmpty }.map { Item(plan: $0, step: 0) }, atRoot)
  }

  private mutating func state(_ items: [Item], _ accepts: [Int]) throws(JSONError) -> Int {
    let key = Key(items: items, accepts: accepts)
    if let index = known[key] { return index }
    guard states.count < Self.maxStates else { throw JSONError(.queryLimit, at: 0, limit: Self.maxStates, .pathStates) }
    let index = states.count
    var (state, summary) = byItems[items].map { (states[$0], summaries[$0]) } ?? makeState(items)
    byItems[state.items] = byItems[state.items] ?? index
    state.accepts = accepts
    summary.hasAccepts = !accepts.isEmpty
    summary.onlyMatch = accepts.count == 1 && plans[accepts[0]].action == .match ? accepts[0] : -1
    (summary.wasObject, summary.wasArray) = (false, false)
    states.append(state)
    summaries.append(summary)
    known[Key(items: state.items, accepts: accepts)] = index
    return index
  }

  /// Makes what states with the same items have in common: the states of their children depend only on the items.
  private mutating func makeState(_ items: [Item]) -> (State, StateSummary) {
    let steps = items.map { plans[$0.plan].steps[$0.step] }
    var byName: [MemberName: [Int]] = [:]
    var always: [Int] = []
    for (index, (item, step)) in zip(items, steps).enumerated() {
      if step == .wildcard || plans[item.plan].descendant == item.step {
        always.append(index)
      } else if case .name(let name) = step {
        byName[name, default: []].append(index)
      }
    }
    let state = State(
      items: items, accepts: [], positional: items.indices.filter { !steps[$0].isUniform },
      descending: items.filter { plans[$0.plan].descendant == $0.step }.map { $0.plan }, byName: byName, always: always)
    var summary = StateSummary()
    summary.firstName = names.count
    var seen: Set<MemberName> = []
    for case .name(let name) in steps where seen.insert(name).inserted {
      names.append(self.name(Array(name.string.utf8)))
      memberNames.append(name)
      summary.nameLengths |= 1 << UInt64(min(name.string.utf8.count, 63))
      summary.firstBytes |= 1 << UInt64((name.string.utf8.first ?? ASCII.quote) & 63)
    }
    summary.nameCount = names.count - summary.firstName
    if summary.nameCount > Self.maxCompared {
      for name in summary.firstName..<names.count {
        let slot = unsafe withBytes(of: name) { unsafe Slot($0, from: summary.firstName) }
        slots[slot, default: []].append(name)
      }
    }
    summary.hasItems = !items.isEmpty
    summary.isDescending = !state.descending.isEmpty
    if state.descending.count == 1 { summary.onlyDescending = state.descending[0] }
    summary.holdsElements = steps.contains(.elements)
    summary.hasPositions = !state.positional.isEmpty
    return (state, summary)
  }

  /// Returns the name with these bytes, for states that know many names, the first of them given; -1 if there is none.
  func name(_ bytes: UnsafeRawBufferPointer, from firstName: Int) -> Int {
    let all = unsafe slots[Slot(bytes, from: firstName)] ?? []
    return all.first { name in
      unsafe withBytes(of: name) { unsafe $0.count == bytes.count && $0.elementsEqualMemory(bytes, at: 0) }
    } ?? -1
  }

  private func withBytes<Result>(of name: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe steps.withBytes {
      unsafe body(UnsafeRawBufferPointer(rebasing: $0[names[name].firstByte..<names[name].end]))
    }
  }

  private mutating func name(_ bytes: [UInt8]) -> Name {
    let firstStep = steps.count
    unsafe MatchLocation.packed(bytes).withUnsafeBytes { unsafe steps.append($0) }
    return Name(firstStep: firstStep, firstByte: steps.count - bytes.count, end: steps.count)
  }

  /// Returns the state of a child.
  ///
  /// - Parameters:
  ///   - indexes: The indexes of the items that can select the child or continue below it, sorted.
  ///   - selects: Returns, for a step, whether it selects the child.
  private mutating func target(
    of source: Int, _ indexes: some Sequence<Int>, _ selects: (StreamPlan.Step) -> Bool
  ) throws(JSONError) -> Int {
    var items: [Item] = []
    var accepts: [Int] = []
    let all = states[source].items
    for index in indexes {
      let item = all[index]
      let plan = plans[item.plan]
      if plan.descendant == item.step { items.append(item) }
      guard selects(plan.steps[item.step]) else { continue }
      if item.step + 1 == plan.steps.count {
        accepts.append(item.plan)
      } else {
        items.append(Item(plan: item.plan, step: item.step + 1))
      }
    }
    return try state(items, accepts)
  }

  /// Returns the state of a member with one of the state's names, given by its index in `names`. The member must be the
  /// first with that name.
  mutating func member(_ name: Int, of source: Int) throws(JSONError) -> Int {
    let known = names[name].target
    if known >= 0 { return known }
    let wanted = memberNames[name]
    let state = states[source]
    let made = try target(of: source, ((state.byName[wanted] ?? []) + state.always).sorted()) { step in
      switch step {
      case .name(let name): name == wanted
      case .wildcard: true
      case .index, .slice, .elements: false
      }
    }
    names[name].target = made
    return made
  }

  /// Returns the state of a member with another name, or with a name that an earlier member has.
  mutating func otherMember(of source: Int) throws(JSONError) -> Int {
    let known = summaries[source].otherMember
    if known >= 0 { return known }
    let made = try target(of: source, states[source].always) { step in step == .wildcard }
    summaries[source].otherMember = made
    return made
  }

  /// Returns the state of an element.
  mutating func element(_ position: Int, of source: Int) throws(JSONError) -> Int {
    let known = summaries[source].uniformElement
    if known >= 0 { return known }
    let positional = states[source].positional
    if positional.isEmpty {
      let made = try target(of: source, states[source].items.indices) { $0.selects(position) }
      summaries[source].uniformElement = made
      return made
    }
    // The cache key is the set of items with positions that select the element. Few different sets occur.
    guard positional.count <= 64 else {
      return try target(of: source, states[source].items.indices) { $0.selects(position) }
    }
    var mask: UInt64 = 0
    for (bit, index) in positional.enumerated() {
      let item = states[source].items[index]
      if plans[item.plan].steps[item.step].selects(position) { mask |= 1 << UInt64(bit) }
    }
    if let known = states[source].byPosition[mask] { return known }
    let made = try target(of: source, states[source].items.indices) { $0.selects(position) }
    states[source].byPosition[mask] = made
    return made
  }

  /// Returns whether, in a container of this state, only containers and members with the state's names can match or lead to
  /// a match. No other scalar matches then, and positions do not matter.
  mutating func leadsByBrackets(_ state: Int, isObject: Bool) -> Bool {
    let leads: Bool
    do throws(JSONError) {
      leads = try findWhetherLeads(state, isObject: isObject)
    } catch {
      // There are too many states. The error is thrown where a state is needed.
      leads = false
    }
    if isObject {
      summaries[state].objectLeadsByBrackets = leads
    } else {
      summaries[state].arrayLeadsByBrackets = leads
    }
    return leads
  }

  private mutating func findWhetherLeads(_ state: Int, isObject: Bool) throws(JSONError) -> Bool {
    guard !summaries[state].holdsElements, hasShortNameList else { return false }
    if isObject { return !summaries[try otherMember(of: state)].hasAccepts }
    let target = try element(0, of: state)
    return summaries[state].uniformElement >= 0 && !summaries[target].hasAccepts
  }

  /// Records that a container of this state has occurred.
  mutating func open(_ state: Int, isObject: Bool) {
    if isObject { summaries[state].wasObject = true } else { summaries[state].wasArray = true }
  }
}
