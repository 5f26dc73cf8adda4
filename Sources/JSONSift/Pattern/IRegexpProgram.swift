/// A regular expression as a tree. Its depth is bounded by the parser's limit of groups.
indirect enum IRegexpNode {
  case empty
  case scalar(UInt32)
  case any
  /// The number of a set.
  case set(Int)
  /// The text begins or ends here. Only where `^` and `$` are anchors.
  case start
  case end
  case sequence([IRegexpNode])
  case choice([IRegexpNode])
  case repeated(IRegexpNode, least: Int, most: Int?)
}

/// A regular expression as instructions of a machine that can be in many places at once.
struct IRegexpProgram: Sendable {
  enum Instruction: Sendable {
    /// One character; the machine goes on at the next instruction.
    case scalar(UInt32)
    /// Any character but a line feed and a carriage return.
    case any
    case set(Int32)
    /// Goes on at both places.
    case split(Int32, Int32)
    case jump(Int32)
    case start
    case end
    case match
  }

  private(set) var instructions: [Instruction] = []
  let sets: [IRegexpSet]
  let hasAnchors: Bool
  /// Some set asks for the category of a character from U+0080 on.
  let usesCategories: Bool

  init(_ node: IRegexpNode, sets: [IRegexpSet], hasAnchors: Bool) {
    self.sets = sets
    self.hasAnchors = hasAnchors
    usesCategories = sets.contains { !$0.categories.isEmpty }
    emit(node)
    instructions.append(.match)
  }

  /// How many instructions a repetition takes; beyond ``mostInstructions`` it does not matter how many.
  static func size(of size: Int, least: Int, most: Int?) -> Int {
    guard size > 0 else { return 0 }
    let copies: Int
    switch most {
    case nil: copies = max(least, 1)
    case let most?: copies = most
    }
    let (all, overflow) = copies.multipliedReportingOverflow(by: size)
    guard !overflow, all <= maxInstructions else { return maxInstructions + 1 }
    guard let most else { return all + (least == 0 ? 2 : 1) }
    return all + most - least
  }

  /// Patterns that need more are refused. The time for a text is at most its length times this.
  static let maxInstructions = 10_000

  /// Whether the instruction takes the character. `category` is looked at from U+0080 on only.
  func takes(_ place: Int32, _ value: UInt32, category: IRegexpCategories) -> Bool {
    switch instructions[Int(place)] {
    case .scalar(let expected): value == expected
    case .any: value != UInt32(ASCII.lineFeed) && value != UInt32(ASCII.carriageReturn)
    case .set(let number): sets[Int(number)].contains(value, category: category)
    case .split, .jump, .start, .end, .match: false
    }
  }

  // MARK: Making

  private var here: Int32 { Int32(instructions.count) }

  private mutating func emit(_ node: IRegexpNode) {
    switch node {
    case .empty: break
    case .scalar(let value): instructions.append(.scalar(value))
    case .any: instructions.append(.any)
    case .set(let number): instructions.append(.set(Int32(number)))
    case .start: instructions.append(.start)
    case .end: instructions.append(.end)
    case .sequence(let nodes): for node in nodes { emit(node) }
    case .choice(let branches): emit(choice: branches)
    case .repeated(let body, let least, let most): emit(body, least: least, most: most)
    }
  }

  private mutating func emit(choice branches: [IRegexpNode]) {
    var ends: [Int] = []
    for (number, branch) in branches.enumerated() {
      guard number < branches.count - 1 else {
        emit(branch)
        break
      }
      let split = instructions.count
      instructions.append(.match)
      emit(branch)
      ends.append(instructions.count)
      instructions.append(.match)
      instructions[split] = .split(Int32(split) + 1, here)
    }
    for end in ends { instructions[end] = .jump(here) }
  }

  private mutating func emit(_ body: IRegexpNode, least: Int, most: Int?) {
    var last = here
    for _ in 0..<least {
      last = here
      emit(body)
    }
    guard let most else {
      if least > 0 {
        instructions.append(.split(last, here + 1))
      } else {
        let split = instructions.count
        instructions.append(.match)
        emit(body)
        instructions.append(.jump(Int32(split)))
        instructions[split] = .split(Int32(split) + 1, here)
      }
      return
    }
    var splits: [Int] = []
    for _ in least..<most {
      splits.append(instructions.count)
      instructions.append(.match)
      emit(body)
    }
    for split in splits { instructions[split] = .split(Int32(split) + 1, here) }
  }
}
