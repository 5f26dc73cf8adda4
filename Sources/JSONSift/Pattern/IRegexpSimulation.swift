/// The set of current states of a program, without duplicates. A *state* is the index of an instruction. A step for one
/// character costs at most the length of the program, whatever the pattern.
struct IRegexpStates {
  private let program: IRegexpProgram
  /// The states that wait for a character or, if they are anchors, for the end of the text.
  private(set) var waiting: [Int32] = []
  /// Whether the program matches the text read so far.
  private(set) var isMatch = false
  /// The number of instructions visited. Tests check its bound.
  private(set) var work = 0
  /// The round in which each instruction was last entered. `clear` begins a new round.
  private var rounds: [Int]
  private var round = 0
  private var pending: [Int32] = []

  init(_ program: IRegexpProgram) {
    self.program = program
    rounds = Array(repeating: 0, count: program.instructions.count)
  }

  mutating func clear() {
    round += 1
    waiting.removeAll(keepingCapacity: true)
    isMatch = false
  }

  /// Enters a state and all states that it leads to without a character.
  mutating func enter(_ state: Int32, atStart: Bool = false, atEnd: Bool = false) {
    pending.append(state)
    while let state = pending.popLast() {
      work += 1
      guard rounds[Int(state)] != round else { continue }
      rounds[Int(state)] = round
      switch program.instructions[Int(state)] {
      case .scalar, .any, .set: waiting.append(state)
      case .split(let first, let second):
        pending.append(second)
        pending.append(first)
      case .jump(let target): pending.append(target)
      case .start: if atStart { pending.append(state + 1) }
      case .end: if atEnd { pending.append(state + 1) } else { waiting.append(state) }
      case .match: isMatch = true
      }
    }
  }

  /// Replaces the set by the states that follow `before` after a character.
  mutating func step(from before: borrowing IRegexpStates, _ value: UInt32, category: IRegexpCategories) {
    clear()
    for state in before.waiting {
      work += 1
      if program.takes(state, value, category: category) { enter(state + 1) }
    }
  }

  /// Returns whether the text may end in the states of `before`. Overwrites this set.
  mutating func canEnd(_ before: borrowing IRegexpStates, atStart: Bool) -> Bool {
    if before.isMatch || !program.hasAnchors { return before.isMatch }
    clear()
    for state in before.waiting {
      if case .end = program.instructions[Int(state)] { enter(state + 1, atStart: atStart, atEnd: true) }
    }
    return isMatch
  }
}

/// Matches a text without tables.
struct IRegexpSimulation {
  private let program: IRegexpProgram
  private var current: IRegexpStates
  private var next: IRegexpStates

  /// The number of instructions visited.
  var work: Int { current.work + next.work }

  init(_ program: IRegexpProgram) {
    self.program = program
    current = IRegexpStates(program)
    next = current
  }

  /// Returns whether the whole text matches, or a part of it.
  mutating func matches(_ text: Span<UInt8>, whole: Bool) -> Bool {
    current.clear()
    current.enter(0, atStart: true)
    if !whole, current.isMatch { return true }
    var index = 0
    while index < text.count {
      if whole, current.waiting.isEmpty { return false }
      let value = text.decodeScalar(at: &index)
      let category = value >= 0x80 && program.usesCategories ? IRegexpCategories(of: value) : []
      next.step(from: current, value, category: category)
      if !whole {
        if next.isMatch { return true }
        next.enter(0)
      }
      swap(&current, &next)
    }
    return next.canEnd(current, atStart: text.isEmpty)
  }
}
