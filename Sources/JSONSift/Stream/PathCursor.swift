/// Where a reader of events stands in the automaton: the open containers in which something can match.
///
/// Whoever follows the events says when a container begins or ends that matters, and asks for the state of each value.
struct PathCursor: ~Copyable {
  /// An open container that can hold a match. Plain data: a container costs no reference.
  struct Level: BitwiseCopyable {
    let state: Int
    let isObject: Bool
    /// Where it begins in the input.
    let start: Int
    /// How many bytes of a place lead to the container around this one, and to this one.
    let outerLocationLength: Int
    let ownLocationLength: Int
    /// The position of the next element.
    var position = 0
    /// The state of the value that comes next, in an object, and the name that it has in the automaton, or -1.
    var target = PathAutomaton.dead
    var name = -1
    /// Names of the state that have come: only the first member of a name is selected by it.
    var answered: UInt64 = 0
  }

  private(set) var automaton: PathAutomaton
  private(set) var level = Level(
    state: PathAutomaton.dead, isObject: false, start: 0, outerLocationLength: 0, ownLocationLength: 0)
  /// What an event needs to know of the innermost level.
  private(set) var summary: PathAutomaton.StateSummary
  /// The levels around, the outermost first, which is around everything.
  private(set) var outer = PlainVector<Level>()
  private(set) var depth = 0
  /// Names from the 65th of a state on that have come, by depth.
  private var answeredMore: [(depth: Int, name: Int)] = []

  init(_ automaton: consuming PathAutomaton) {
    summary = automaton.summaries[PathAutomaton.dead]
    self.automaton = automaton
  }

  /// What an event needs to know of a state.
  @inline(__always)
  func summary(at state: Int) -> PathAutomaton.StateSummary { automaton.summaries[state] }

  /// Enters a container.
  ///
  /// - Parameter glance: That of the state.
  @inline(__always)
  mutating func enter(
    _ state: Int, _ summary: PathAutomaton.StateSummary, isObject: Bool, at start: Int, outerLocationLength: Int = 0,
    ownLocationLength: Int = 0
  ) {
    outer.append(level)
    level = Level(
      state: state, isObject: isObject, start: start, outerLocationLength: outerLocationLength,
      ownLocationLength: ownLocationLength)
    depth &+= 1
    if isObject ? !summary.wasObject : !summary.wasArray { automaton.open(state, isObject: isObject) }
    self.summary = summary
  }

  /// Leaves the innermost container.
  mutating func leave() {
    while let last = answeredMore.last, last.depth >= depth { answeredMore.removeLast() }
    guard let last = outer.popLast() else { return }
    level = last
    depth &-= 1
    summary = automaton.summaries[last.state]
  }

  /// The state of the value that begins now.
  @inline(__always)
  mutating func nextState() throws(JSONError) -> Int {
    guard depth > 0 else { return automaton.root }
    if level.isObject {
      let target = level.target
      level.target = PathAutomaton.dead
      return target
    }
    let position = level.position
    level.position &+= 1
    if summary.uniformElement >= 0 { return summary.uniformElement }
    let state = try automaton.element(position, of: level.state)
    summary = automaton.summaries[level.state]
    return state
  }

  /// The state of an element of the innermost level, which has had that many.
  mutating func state(ofElement position: Int) throws(JSONError) -> Int {
    try automaton.element(position, of: level.state)
  }

  /// So many elements of the innermost level, whose state depends on no position, have come.
  @inline(__always)
  mutating func passElements(_ number: Int) { level.position &+= number }

  // MARK: Keys

  /// The innermost level is an object of which only members of some names are wanted.
  @inline(__always)
  var looksForNames: Bool { level.isObject && summary.otherMember == PathAutomaton.dead }

  /// The name that a key is, if the innermost level knows it and it is the first of its object; else -1.
  @inline(__always)
  mutating func name(of key: TapeWord, _ batch: WordBatch) -> Int {
    // Most keys differ in length from all names.
    guard summary.nameLengths & (1 &<< UInt64(min(key.length, 63))) != 0 || key.kind.isEscaped else { return -1 }
    let start = key.offset &+ 1
    guard !key.kind.isEscaped, !key.isLong, unsafe start &+ 8 <= batch.window.count else {
      return slowName(of: key, batch)
    }
    // SAFETY: eight bytes from `start` on are in the window, as was just seen.
    let head = UInt64(littleEndian: unsafe batch.window.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    var name = summary.firstName
    let end = name &+ summary.nameCount
    while name < end {
      let known = automaton.names[name]
      if known.count == key.length, (head ^ known.prefix) & known.prefixMask == 0,
        known.count <= 8 || isSame(known, key, batch)
      {
        return isFirst(name &- summary.firstName) ? name : -1
      }
      name &+= 1
    }
    return -1
  }

  @inline(never)
  private mutating func slowName(of key: TapeWord, _ batch: WordBatch) -> Int {
    for name in summary.firstName..<(summary.firstName &+ summary.nameCount)
    where isSame(automaton.names[name], key, batch) {
      return isFirst(name &- summary.firstName) ? name : -1
    }
    return -1
  }

  @inline(never)
  private func isSame(_ name: PathAutomaton.Name, _ key: TapeWord, _ batch: WordBatch) -> Bool {
    unsafe automaton.steps.withBytes {
      unsafe batch.text(of: key, equals: UnsafeRawBufferPointer(rebasing: $0[name.firstByte..<name.end]))
    }
  }

  @inline(__always)
  private mutating func isFirst(_ number: Int) -> Bool {
    guard number < 64 else { return isFirstOfMany(number) }
    let bit: UInt64 = 1 &<< UInt64(number)
    guard level.answered & bit == 0 else { return false }
    level.answered |= bit
    return true
  }

  @inline(never)
  private mutating func isFirstOfMany(_ number: Int) -> Bool {
    for known in answeredMore.reversed() {
      if known.depth < depth { break }
      if known.name == number { return false }
    }
    answeredMore.append((depth, number))
    return true
  }

  /// Says which name the key of the next value is, or -1, and returns the value's state.
  @inline(__always)
  mutating func select(_ name: Int) throws(JSONError) -> Int {
    let target: Int
    if name >= 0 {
      let known = automaton.names[name].target
      target = known >= 0 ? known : try automaton.member(name, of: level.state)
    } else if summary.otherMember >= 0 {
      target = summary.otherMember
    } else {
      target = try automaton.otherMember(of: level.state)
      summary = automaton.summaries[level.state]
    }
    level.target = target
    level.name = name
    return target
  }

  /// Says that the key of the next value is a name of the innermost level, by its number.
  @inline(__always)
  mutating func select(name number: Int) throws(JSONError) {
    _ = try select(isFirst(number) ? summary.firstName &+ number : -1)
  }

  /// Finds out what becomes of members without a known name, if that is not known yet.
  mutating func learnOtherMember() throws(JSONError) {
    guard summary.otherMember < 0 else { return }
    _ = try automaton.otherMember(of: level.state)
    summary = automaton.summaries[level.state]
  }

  // MARK: States that may come

  /// Whether of a container of this state only containers matter, and members with names of the state.
  @inline(__always)
  mutating func leadsByBrackets(_ state: Int, isObject: Bool) -> Bool {
    let summary = automaton.summaries[state]
    return (isObject ? summary.objectLeadsByBrackets : summary.arrayLeadsByBrackets)
      ?? learnWhetherLeads(state, isObject: isObject)
  }

  @inline(never)
  private mutating func learnWhetherLeads(_ state: Int, isObject: Bool) -> Bool {
    let leads = automaton.leadsByBrackets(state, isObject: isObject)
    summary = automaton.summaries[level.state]
    return leads
  }

  /// The state of a member of a state with one of its names, by its number, and that name; `nil` if there are too many
  /// states.
  mutating func target(ofName number: Int, at state: Int) -> (state: Int, name: PathAutomaton.Name)? {
    let name = automaton.summaries[state].firstName + number
    do throws(JSONError) {
      let target = try automaton.member(name, of: state)
      return (target, automaton.names[name])
    } catch {
      return nil
    }
  }

  /// The state of a member of a state with another name; `nil` if there are too many states.
  mutating func stateOfOtherMember(at state: Int) -> Int? {
    do throws(JSONError) { return try automaton.otherMember(of: state) } catch { return nil }
  }

  /// Remembers that an object of this state was open, which others have gone over.
  mutating func open(_ state: Int) { automaton.open(state, isObject: true) }

  // MARK: Steps

  /// Lends the bytes of a name of the automaton.
  @inline(__always)
  func withText(ofName name: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
    let name = automaton.names[name]
    unsafe automaton.steps.withBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[name.firstByte..<name.end])) }
  }

  /// Lends the step to the next value, packed, if the automaton knows the name.
  @inline(__always)
  func withStep(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard level.name >= 0 else { return false }
    let name = automaton.names[level.name]
    unsafe automaton.steps.withBytes {
      unsafe body(UnsafeRawBufferPointer(rebasing: $0[name.firstStep..<name.end]))
    }
    return true
  }
}

extension WordBatch {
  /// Whether a key is these bytes, once its escapes are decoded.
  func text(of word: TapeWord, equals name: UnsafeRawBufferPointer) -> Bool {
    if !word.isLong, !word.kind.isEscaped {
      let start = word.offset &+ 1
      return unsafe word.length == name.count && start &+ name.count <= window.count
        && name.elementsEqualMemory(window, at: start)
    }
    let raw = unsafe UnsafeRawBufferPointer(rebasing: window[word.textRange(in: window)])
    guard word.kind.isEscaped else { return unsafe raw.count == name.count && name.elementsEqualMemory(raw, at: 0) }
    return unsafe EscapedText.withDecoded(raw) { unsafe $0.count == name.count && name.elementsEqualMemory($0, at: 0) }
  }

  /// Lends the bytes of a key, with escapes decoded.
  func withName(_ word: TapeWord, _ body: (UnsafeRawBufferPointer) -> Void) {
    let raw = unsafe UnsafeRawBufferPointer(rebasing: window[word.textRange(in: window)])
    if word.kind.isEscaped { unsafe EscapedText.withDecoded(raw, body) } else { unsafe body(raw) }
  }

  /// The offset in the input after an event.
  @inline(__always)
  func end(of word: TapeWord) -> Int {
    guard word.isLong else { return origin &+ word.end }
    let text = unsafe word.textRange(in: window)
    return origin &+ text.upperBound &+ (word.kind == .number ? 0 : 1)
  }
}
