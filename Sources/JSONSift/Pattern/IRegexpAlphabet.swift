/// A map from characters to symbols. Characters that the program cannot distinguish have the same symbol.
///
/// The characters from U+0080 on are cut into intervals at the bounds of the pattern's characters and ranges, and each
/// interval into general categories if the pattern uses categories. Each cell of that table has one symbol.
struct IRegexpAlphabet: Sendable {
  /// For each symbol one bit for each test: whether the test accepts the characters of the symbol. A *test* is a
  /// distinct condition on a character; several instructions may share one.
  private(set) var answers: [UInt64] = []
  /// The test of each instruction. It is 0, and never read, for an instruction that consumes no character.
  private(set) var tests: [UInt8] = []
  private var ofASCII: [UInt8] = []
  /// The starts of the intervals, the first one at U+0080.
  private var intervals: [UInt32] = [0x80]
  /// One symbol for each interval, or one for each category of each interval.
  private var cells: [UInt8] = []
  private let usesCategories: Bool

  // A test is a bit of a `UInt64`, and a symbol is a byte. The last limit bounds the time to fill the cells.
  private static let maxTests = 64
  private static let maxSymbols = 256
  private static let maxIntervals = 64
  private static let maxAnswers = 1 << 15

  /// Fails if the program distinguishes too many characters.
  init?(_ program: IRegexpProgram) {
    usesCategories = program.usesCategories
    guard let samples = collectTests(program), addIntervals(program, samples) else { return nil }

    var numbers: [UInt64: UInt8] = [:]
    func symbol(of value: UInt32, _ category: IRegexpCategories) -> UInt8? {
      var answer: UInt64 = 0
      for (test, index) in samples.enumerated() where program.takes(index, value, category: category) {
        answer |= 1 << UInt64(test)
      }
      if let known = numbers[answer] { return known }
      guard answers.count < Self.maxSymbols else { return nil }
      let number = UInt8(answers.count)
      answers.append(answer)
      numbers[answer] = number
      return number
    }

    for value in 0..<UInt32(0x80) {
      guard let symbol = symbol(of: value, []) else { return nil }
      ofASCII.append(symbol)
    }
    let categories =
      usesCategories ? (0..<IRegexpCategories.count).map { IRegexpCategories(rawValue: 1 << UInt32($0)) } : [[]]
    guard intervals.count * categories.count * samples.count <= Self.maxAnswers else { return nil }
    for start in intervals {
      for category in categories {
        guard let symbol = symbol(of: start, category) else { return nil }
        cells.append(symbol)
      }
    }
  }

  /// Returns the symbol of the character at `index`, and advances `index` past it.
  func symbol(in text: Span<UInt8>, at index: inout Int) -> Int {
    let byte = text[index]
    if byte < 0x80 {
      index += 1
      return Int(ofASCII[Int(byte)])
    }
    return symbol(of: text.decodeScalar(at: &index))
  }

  private func symbol(of value: UInt32) -> Int {
    guard value >= 0x80 else { return Int(ofASCII[Int(value)]) }
    let interval = intervals.indices.dropFirst().bisect { intervals[$0] > value } - 1
    guard usesCategories else { return Int(cells[interval]) }
    let bit = IRegexpCategories(of: value).rawValue.trailingZeroBitCount
    return Int(cells[interval * IRegexpCategories.count + bit])
  }

  /// Numbers the tests. Returns the index of one instruction for each, or `nil` if there are too many.
  private mutating func collectTests(_ program: IRegexpProgram) -> [Int32]? {
    var samples: [Int32] = []
    var numbers: [IRegexpProgram.Instruction: UInt8] = [:]
    for (index, instruction) in program.instructions.enumerated() {
      switch instruction {
      case .scalar, .set, .any:
        if numbers[instruction] == nil {
          guard samples.count < Self.maxTests else { return nil }
          numbers[instruction] = UInt8(samples.count)
          samples.append(Int32(index))
        }
      case .split, .jump, .start, .end, .match: break
      }
      tests.append(numbers[instruction] ?? 0)
    }
    return samples
  }

  private mutating func addIntervals(_ program: IRegexpProgram, _ samples: [Int32]) -> Bool {
    var starts: Set<UInt32> = [0x80]
    for index in samples {
      switch program.instructions[Int(index)] {
      case .scalar(let value) where value >= 0x80: starts.formUnion([value, value + 1])
      case .set(let set):
        guard program.sets[Int(set)].ranges.count <= Self.maxIntervals else { return false }
        for range in program.sets[Int(set)].ranges { starts.formUnion([range.lowerBound, range.upperBound + 1]) }
      default: break
      }
      guard starts.count <= Self.maxIntervals else { return false }
    }
    intervals = starts.sorted()
    return true
  }
}
