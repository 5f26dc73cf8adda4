/// The steps of several queries as one deterministic automaton, whose states are made when they are first reached.
///
/// A state belongs to a value. It says which queries the value answers, and by which transition each of its children gets
/// its own state. A child in the dead state can hold no answer: its subtree is passed over. So the cost of an event does
/// not depend on how many queries there are, but for the names that its state knows.
struct PathAutomaton: ~Copyable {
  /// A step of a query that selects among the children of a value.
  struct Item: Hashable {
    let plan: Int
    let step: Int
  }

  struct State {
    /// By plan, then by step.
    let items: [Item]
    /// Plans that this value is at the end of.
    let accepts: [Int]
    fileprivate let positional: [Int]
    fileprivate var byPosition: [UInt64: Int] = [:]
    /// Plans whose descendant step selects among the children, and goes on below them.
    let descending: [Int]
  }

  /// A name that a state knows.
  struct Name: BitwiseCopyable {
    /// The place of the name as a packed step in `steps`; its bytes are the end of that.
    let firstStep: Int
    let firstByte: Int
    let end: Int
    /// The first eight bytes, the first lowest; and which bits of eight bytes they take.
    let prefix: UInt64
    let prefixMask: UInt64
    fileprivate(set) var target = -1

    @inline(__always) var count: Int { end &- firstByte }
  }

  /// What an event needs to know of a state, without references, so that it counts none.
  struct StateSummary: BitwiseCopyable {
    /// Bit n: a name has n bytes; bit 63: a name has that many or more.
    fileprivate(set) var nameLengths: UInt64 = 0
    /// Bit n: the low six bits of a name's first byte, or of the quote behind an empty one, are n.
    fileprivate(set) var firstBytes: UInt64 = 0
    /// The place of the state's names in `names`.
    fileprivate(set) var firstName = 0
    fileprivate(set) var nameCount = 0
    /// The state of a member without a name of these; below 0 not made yet.
    fileprivate(set) var otherMember = -1
    /// The state of an element, if its position does not matter; below 0 not made yet, or it does.
    fileprivate(set) var uniformElement = -1
    fileprivate(set) var hasItems = false
    fileprivate(set) var hasAccepts = false
    /// The plan that takes the value as a match, if that is all that becomes of it.
    fileprivate(set) var onlyMatch = -1
    /// A plan's descendant step selects among the children.
    fileprivate(set) var isDescending = false
    /// The elements of an array are held for a selector that counts from the end.
    fileprivate(set) var holdsElements = false
    /// Of its object, and of its array: only containers matter, and members with names of the state; `nil` not known yet.
    fileprivate(set) var objectLeadsByBrackets: Bool?
    fileprivate(set) var arrayLeadsByBrackets: Bool?
    /// The plan whose descendant step selects among the children, if that is one.
    fileprivate(set) var onlyDescending = -1
    /// A container with this state has been open.
    fileprivate(set) var wasObject = false
    fileprivate(set) var wasArray = false
  }

  static let dead = 0

  let plans: [StreamPlan]
  private(set) var states: [State] = []
  /// By state.
  private(set) var summaries: [StateSummary] = []
  /// The names of all states, each state's in a row.
  private(set) var names: [Name] = []
  /// The names as packed steps of a place.
  private(set) var steps = ByteBuffer(capacity: 0)
  private var memberNames: [MemberName] = []
  private var known: [Key: Int] = [:]
  /// The state of the outermost value.
  private(set) var root = 0

  private struct Key: Hashable {
    let items: [Item]
    let accepts: [Int]
  }

  /// More than that come from a query that is made to have many.
  private static let maxStates = 1 << 14

  init(_ plans: [StreamPlan]) throws(JSONError) {
    self.plans = plans
    _ = try state([], [])
    let atRoot = plans.indices.filter { plans[$0].steps.isEmpty }
    root = try state(plans.indices.filter { !plans[$0].steps.isEmpty }.map { Item(plan: $0, step: 0) }, atRoot)
  }

  private mutating func state(_ items: [Item], _ accepts: [Int]) throws(JSONError) -> Int {
    let key = Key(items: items, accepts: accepts)
    if let index = known[key] { return index }
    guard states.count < Self.maxStates else {
      throw JSONError(.queryLimit, at: 0, limit: Self.maxStates, .pathStates)
    }
    let steps = items.map { plans[$0.plan].steps[$0.step] }
    let state = State(
      items: items, accepts: accepts, positional: items.indices.filter { !steps[$0].isUniform },
      descending: items.filter { plans[$0.plan].descendant == $0.step }.map { $0.plan })
    var summary = StateSummary()
    summary.firstName = names.count
    var seen: Set<MemberName> = []
    for case .name(let name) in steps where seen.insert(name).inserted {
      names.append(self.name(Array(name.string.utf8)))
      memberNames.append(name)
      summary.nameLengths |= 1 << UInt64(min(name.string.utf8.count, 63))
      summary.firstBytes |= 1 << UInt64((name.string.utf8.first ?? ASCII.quote) & 63)
    }
    let index = states.count
    summary.nameCount = names.count - summary.firstName
    summary.hasItems = !items.isEmpty
    summary.hasAccepts = !accepts.isEmpty
    if accepts.count == 1, plans[accepts[0]].action == .match { summary.onlyMatch = accepts[0] }
    summary.isDescending = !state.descending.isEmpty
    if state.descending.count == 1 { summary.onlyDescending = state.descending[0] }
    summary.holdsElements = steps.contains(.elements)
    states.append(state)
    summaries.append(summary)
    known[key] = index
    return index
  }

  private mutating func name(_ bytes: [UInt8]) -> Name {
    let firstStep = steps.count
    unsafe MatchLocation.packed(bytes).withUnsafeBytes { unsafe steps.append($0) }
    var prefix: UInt64 = 0
    for (place, byte) in bytes.prefix(8).enumerated() { prefix |= UInt64(byte) << UInt64(place * 8) }
    let bits = UInt64(min(bytes.count, 8) * 8)
    return Name(
      firstStep: firstStep, firstByte: steps.count - bytes.count, end: steps.count, prefix: prefix,
      prefixMask: bits == 64 ? .max : (1 << bits) - 1)
  }

  /// The state of a child that these items select.
  private mutating func target(
    of source: Int, _ selects: (Int, StreamPlan.Step) -> Bool
  ) throws(JSONError) -> Int {
    var items: [Item] = []
    var accepts: [Int] = []
    for (place, item) in states[source].items.enumerated() {
      let plan = plans[item.plan]
      if plan.descendant == item.step { items.append(item) }
      guard selects(place, plan.steps[item.step]) else { continue }
      if item.step + 1 == plan.steps.count {
        accepts.append(item.plan)
      } else {
        items.append(Item(plan: item.plan, step: item.step + 1))
      }
    }
    return try state(items, accepts)
  }

  /// The state of a member with one of the state's names, given by its place in `names`, the first of that name.
  mutating func member(_ name: Int, of source: Int) throws(JSONError) -> Int {
    let known = names[name].target
    if known >= 0 { return known }
    let wanted = memberNames[name]
    let made = try target(of: source) { _, step in
      switch step {
      case .name(let name): name == wanted
      case .wildcard: true
      case .index, .slice, .elements: false
      }
    }
    names[name].target = made
    return made
  }

  /// The state of a member with another name, or of one whose name came before.
  mutating func otherMember(of source: Int) throws(JSONError) -> Int {
    let known = summaries[source].otherMember
    if known >= 0 { return known }
    let made = try target(of: source) { _, step in step == .wildcard }
    summaries[source].otherMember = made
    return made
  }

  /// The state of an element.
  mutating func element(_ position: Int, of source: Int) throws(JSONError) -> Int {
    let known = summaries[source].uniformElement
    if known >= 0 { return known }
    let positional = states[source].positional
    if positional.isEmpty {
      let made = try target(of: source) { _, step in step.selects(position) }
      summaries[source].uniformElement = made
      return made
    }
    // Which of the items with positions select it: there are few different answers.
    guard positional.count <= 64 else { return try target(of: source) { _, step in step.selects(position) } }
    var mask: UInt64 = 0
    for (bit, place) in positional.enumerated() {
      let item = states[source].items[place]
      if plans[item.plan].steps[item.step].selects(position) { mask |= 1 << UInt64(bit) }
    }
    if let known = states[source].byPosition[mask] { return known }
    let made = try target(of: source) { _, step in step.selects(position) }
    states[source].byPosition[mask] = made
    return made
  }

  /// Whether of a container of this state only containers matter, and members with names of the state: no other scalar, and
  /// no position.
  mutating func leadsByBrackets(_ state: Int, isObject: Bool) -> Bool {
    let leads: Bool
    do throws(JSONError) {
      leads = try findWhetherLeads(state, isObject: isObject)
    } catch {
      // There are too many states, which is told where one is needed.
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
    guard !summaries[state].holdsElements, KeyPatternLists.takes(allNames.count) else { return false }
    if isObject { return !summaries[try otherMember(of: state)].hasAccepts }
    let target = try element(0, of: state)
    return summaries[state].uniformElement >= 0 && !summaries[target].hasAccepts
  }

  /// The names that a state knows, in the order of `names`.
  func names(of state: Int) -> [[UInt8]] {
    let first = summaries[state].firstName
    return names[first..<(first + summaries[state].nameCount)].map { name in
      unsafe steps.withBytes { unsafe Array($0[name.firstByte..<name.end]) }
    }
  }

  /// The names that its states can know.
  var allNames: [[UInt8]] {
    var names: Set<MemberName> = []
    for plan in plans { for case .name(let name) in plan.steps { names.insert(name) } }
    return names.map { Array($0.string.utf8) }
  }

  /// Remembers that a container of this state was open.
  mutating func open(_ state: Int, isObject: Bool) {
    if isObject { summaries[state].wasObject = true } else { summaries[state].wasArray = true }
  }

  /// Whether the steps of a plan led to a container of the right kind for the last of them.
  func reachedEnd(_ plan: Int) -> Bool {
    let steps = plans[plan].steps
    guard let last = steps.last else { return true }
    let item = Item(plan: plan, step: steps.count - 1)
    return zip(states, summaries).contains { state, summary in
      guard state.items.contains(item) else { return false }
      switch last {
      case .name: return summary.wasObject
      case .index, .slice, .elements: return summary.wasArray
      case .wildcard: return summary.wasObject || summary.wasArray
      }
    }
  }
}
