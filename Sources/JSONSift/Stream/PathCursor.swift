/// The position of an event reader in the automaton: the open containers in which a value can match.
///
/// The caller reports the start and end of each relevant container, and requests the state of each value.
struct PathCursor: ~Copyable {
  /// An open container that can hold a match. Plain data, so that a container costs no reference counting.
  struct Level: BitwiseCopyable {
    let state: Int
    let isObject: Bool
    /// The offset of its first byte in the input.
    let start: Int
    /// The length in bytes of the packed location of the container around this one.
    let outerLocationLength: Int
    /// The length in bytes of the packed location of this container.
    let ownLocationLength: Int
    /// The position of the next element.
    var position = 0
    /// In an object: the state of the next value.
    var target = PathAutomaton.dead
    /// In an object: the index in the automaton of the name of the next value, or -1.
    var name = -1
    /// Bit n: name n of the first 64 names of the state has occurred. A name selects only the first member with that name.
    var answered: UInt64 = 0
  }

  private(set) var automaton: PathAutomaton
  private(set) var level = Level(
    state: PathAutomaton.dead, isObject: false, start: 0, outerLocationLength: 0, ownLocationLength: 0)
  /// The summary of the state of the innermost level.
  private(set) var summary: PathAutomaton.StateSummary
  /// The levels around the innermost one, outermost first. The first of them is around the whole document.
  private(set) var outer = PlainVector<Level>()
  private(set) var depth = 0
  /// A name of a state, from the 65th on, that has occurred.
  private struct Answered: Hashable {
    let depth, name: Int
  }

  /// These names, and the order in which they have occurred.
  private var answeredBeyondMask: Set<Answered> = []
  private var answeredInTurn: [Answered] = []

  init(_ automaton: consuming PathAutomaton) {
    summary = automaton.summaries[PathAutomaton.dead]
    self.automaton = automaton
  }

  func summary(at state: Int) -> PathAutomaton.StateSummary { automaton.summaries[state] }

  /// Enters a container.
  ///
  /// - Parameter summary: The summary of the state.
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
    while let last = answeredInTurn.last, last.depth >= depth {
      answeredInTurn.removeLast()
      answeredBeyondMask.remove(last)
    }
    guard let last = outer.popLast() else { return }
    level = last
    depth &-= 1
    summary = automaton.summaries[last.state]
  }

  /// Returns the state of the value that begins now.
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

  /// Returns the state of the element at a position of the innermost level.
  mutating func state(ofElement position: Int) throws(JSONError) -> Int {
    try automaton.element(position, of: level.state)
  }

  /// Skips elements of the innermost level. Their state must not depend on the position.
  mutating func skipElements(_ number: Int) { level.position &+= number }

  // MARK: Keys

  /// Whether the innermost level is an object in which only members with certain names can match.
  var looksForNames: Bool { level.isObject && summary.otherMember == PathAutomaton.dead }

  /// Returns the index of the name that a key equals, if the innermost level knows the name and the key is the first one
  /// with it in its object; otherwise -1.
  mutating func name(of key: TapeWord, _ batch: TapeWordBatch) -> Int {
    // Most keys differ in length from all names.
    guard summary.nameLengths & (1 &<< UInt64(min(key.length, 63))) != 0 || key.kind.isEscaped else { return -1 }
    if summary.nameCount > PathAutomaton.maxCompared {
      var found = -1
      unsafe batch.withName(key) { found = unsafe automaton.name($0, from: summary.firstName) }
      return found >= 0 && isFirst(found &- summary.firstName) ? found : -1
    }
    for name in summary.firstName..<(summary.firstName &+ summary.nameCount)
    where isSame(automaton.names[name], key, batch) {
      return isFirst(name &- summary.firstName) ? name : -1
    }
    return -1
  }

  private func isSame(_ name: PathAutomaton.Name, _ key: TapeWord, _ batch: TapeWordBatch) -> Bool {
    unsafe automaton.steps.withBytes {
      unsafe batch.text(of: key, equals: UnsafeRawBufferPointer(rebasing: $0[name.firstByte..<name.end]))
    }
  }

  private mutating func isFirst(_ number: Int) -> Bool {
    guard number < 64 else { return isFirstBeyondMask(number) }
    let bit: UInt64 = 1 &<< UInt64(number)
    guard level.answered & bit == 0 else { return false }
    level.answered |= bit
    return true
  }

  @inline(never)
  private mutating func isFirstBeyondMask(_ number: Int) -> Bool {
    let answered = Answered(depth: depth, name: number)
    guard answeredBeyondMask.insert(answered).inserted else { return false }
    answeredInTurn.append(answered)
    return true
  }

  /// Sets the name of the next value, an index or -1, and returns the value's state.
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

  /// Determines the state of members without a known name, if it is not known yet.
  mutating func learnOtherMember() throws(JSONError) {
    guard summary.otherMember < 0 else { return }
    _ = try automaton.otherMember(of: level.state)
    summary = automaton.summaries[level.state]
  }

  // MARK: Possible states

  /// Returns whether, in a container of this state, only containers and members with the state's names can match or lead to
  /// a match.
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

  /// Returns the state of a member with one of a state's names, given by its number, and that name; `nil` if there are too
  /// many states.
  mutating func target(ofName number: Int, at state: Int) -> (state: Int, name: PathAutomaton.Name)? {
    let name = automaton.summaries[state].firstName + number
    do throws(JSONError) {
      let target = try automaton.member(name, of: state)
      return (target, automaton.names[name])
    } catch {
      return nil
    }
  }

  /// Returns the state of a member with another name; `nil` if there are too many states.
  mutating func stateOfOtherMember(at state: Int) -> Int? {
    do throws(JSONError) { return try automaton.otherMember(of: state) } catch { return nil }
  }

  /// Records that a scanner has read an object of this state.
  mutating func open(_ state: Int) { automaton.open(state, isObject: true) }

  // MARK: Steps

  /// Calls a closure with the packed step to the next value. Returns `false` if the automaton does not know the name.
  func withStep(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard level.name >= 0 else { return false }
    let name = automaton.names[level.name]
    unsafe automaton.steps.withBytes {
      unsafe body(UnsafeRawBufferPointer(rebasing: $0[name.firstStep..<name.end]))
    }
    return true
  }
}

extension TapeWordBatch {
  /// Returns whether a key equals some bytes, after decoding its escapes.
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

  /// Calls a closure with the bytes of a key, escapes decoded.
  func withName(_ word: TapeWord, _ body: (UnsafeRawBufferPointer) -> Void) {
    let raw = unsafe UnsafeRawBufferPointer(rebasing: window[word.textRange(in: window)])
    if word.kind.isEscaped { unsafe EscapedText.withDecoded(raw, body) } else { unsafe body(raw) }
  }

  /// Returns the offset in the input of the byte after an event.
  func end(of word: TapeWord) -> Int {
    guard word.isLong else { return origin &+ word.end }
    let text = unsafe word.textRange(in: window)
    return origin &+ text.upperBound &+ (word.kind == .number ? 0 : 1)
  }
}
