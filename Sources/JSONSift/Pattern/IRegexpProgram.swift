/// A regular expression as a tree. The parser's limit of nested groups bounds its depth.
indirect enum IRegexpNode {
  case empty
  case scalar(UInt32)
  case any
  /// The index of a set.
  case set(Int)
  /// The anchors `^` and `$`: the start and the end of the text.
  case start
  case end
  case sequence([IRegexpNode])
  case choice([IRegexpNode])
  case repeated(IRegexpNode, minCount: Int, maxCount: Int?)
}

/// A regular expression as instructions of a machine that runs many states at once. A *state* is the index of an
/// instruction.
struct IRegexpProgram: Sendable {
  enum Instruction: Sendable, Hashable {
    /// Matches one character, and continues at the next instruction.
    case scalar(UInt32)
    /// Matches any character except a line feed and a carriage return.
    case any
    case set(Int32)
    /// Continues at both instructions.
    case split(Int32, Int32)
    case jump(Int32)
    case start
    case end
    case match
  }

  private(set) var instructions: [Instruction] = []
  let sets: [IRegexpSet]
  let hasAnchors: Bool
  /// Whether a set tests the category of a character from U+0080 on.
  let usesCategories: Bool
  let needs: IRegexpNeeds

  init(_ node: IRegexpNode, sets: [IRegexpSet], hasAnchors: Bool) {
    self.sets = sets
    self.hasAnchors = hasAnchors
    usesCategories = sets.contains { !$0.categories.isEmpty }
    needs = IRegexpNeeds(node, sets)
    emit(node)
    instructions.append(.match)
  }

  /// Returns the number of instructions of a repetition of a node of `size` instructions. A number above
  /// ``maxInstructions`` is not exact.
  static func size(of size: Int, minCount: Int, maxCount: Int?) -> Int {
    guard size > 0 else { return 0 }
    let (all, overflow) = (maxCount ?? max(minCount, 1)).multipliedReportingOverflow(by: size)
    guard !overflow, all <= maxInstructions else { return maxInstructions + 1 }
    guard let maxCount else { return all + (minCount == 0 ? 2 : 1) }
    return all + maxCount - minCount
  }

  /// The maximum number of instructions. The time to match a text is at most its length times this.
  static let maxInstructions = 10_000

  /// Returns whether the instruction at `state` accepts the character. `category` is used only for characters from
  /// U+0080 on.
  func takes(_ state: Int32, _ value: UInt32, category: IRegexpCategories) -> Bool {
    switch instructions[Int(state)] {
    case .scalar(let expected): value == expected
    case .any: value != UInt32(ASCII.lineFeed) && value != UInt32(ASCII.carriageReturn)
    case .set(let number): sets[Int(number)].contains(value, category: category)
    case .split, .jump, .start, .end, .match: false
    }
  }

  // MARK: Code generation

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
    case .repeated(let body, let minCount, let maxCount): emit(body, minCount: minCount, maxCount: maxCount)
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

  private mutating func emit(_ body: IRegexpNode, minCount: Int, maxCount: Int?) {
    var last = here
    for _ in 0..<minCount {
      last = here
      emit(body)
    }
    guard let maxCount else {
      if minCount > 0 {
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
    for _ in minCount..<maxCount {
      splits.append(instructions.count)
      instructions.append(.match)
      emit(body)
    }
    for split in splits { instructions[split] = .split(Int32(split) + 1, here) }
  }
}
