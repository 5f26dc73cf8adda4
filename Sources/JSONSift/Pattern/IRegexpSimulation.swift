/// The places that a program is in at once, each once: a step for a character costs at most as much as the program is
/// long, whatever the pattern.
struct IRegexpStates {
  private let program: IRegexpProgram
  /// Instructions that wait for a character or, if they are anchors, for the end of the text.
  private(set) var waiting: [Int32] = []
  /// The program can end here.
  private(set) var isMatch = false
  /// How many instructions were looked at, for the tests of the bound.
  private(set) var work = 0
  /// The round in which an instruction was last reached.
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

  /// Goes to an instruction, and on to those that it leads to without a character.
  mutating func enter(_ place: Int32, atStart: Bool = false, atEnd: Bool = false) {
    pending.append(place)
    while let place = pending.popLast() {
      work += 1
      guard rounds[Int(place)] != round else { continue }
      rounds[Int(place)] = round
      switch program.instructions[Int(place)] {
      case .scalar, .any, .set: waiting.append(place)
      case .split(let first, let second):
        pending.append(second)
        pending.append(first)
      case .jump(let target): pending.append(target)
      case .start: if atStart { pending.append(place + 1) }
      case .end: if atEnd { pending.append(place + 1) } else { waiting.append(place) }
      case .match: isMatch = true
      }
    }
  }

  /// Becomes the places after a character that was met in `before`.
  mutating func step(from before: borrowing IRegexpStates, _ value: UInt32, category: IRegexpCategories) {
    clear()
    for place in before.waiting {
      work += 1
      if program.takes(place, value, category: category) { enter(place + 1) }
    }
  }

  /// Whether the text may end in `before`. Changes these places, not those.
  mutating func canEnd(_ before: borrowing IRegexpStates, atStart: Bool) -> Bool {
    if before.isMatch || !program.hasAnchors { return before.isMatch }
    clear()
    for place in before.waiting {
      if case .end = program.instructions[Int(place)] { enter(place + 1, atStart: atStart, atEnd: true) }
    }
    return isMatch
  }
}

/// Runs a program over a text without tables.
struct IRegexpSimulation {
  private let program: IRegexpProgram
  private var places: IRegexpStates
  private var next: IRegexpStates

  /// How many instructions were looked at.
  var work: Int { places.work + next.work }

  init(_ program: IRegexpProgram) {
    self.program = program
    places = IRegexpStates(program)
    next = places
  }

  /// Whether the whole text matches, or some part of it.
  mutating func matches(_ text: Span<UInt8>, whole: Bool) -> Bool {
    places.clear()
    places.enter(0, atStart: true)
    if !whole, places.isMatch { return true }
    var index = 0
    while index < text.count {
      if whole, places.waiting.isEmpty { return false }
      let value = text.decodeScalar(at: &index)
      let category = value >= 0x80 && program.usesCategories ? IRegexpCategories(of: value) : []
      next.step(from: places, value, category: category)
      if !whole {
        if next.isMatch { return true }
        next.enter(0)
      }
      swap(&places, &next)
    }
    return next.canEnd(places, atStart: text.isEmpty)
  }
}
