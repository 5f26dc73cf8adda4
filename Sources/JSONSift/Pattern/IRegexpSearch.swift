/// Finds the parts of a text that match a regular expression. Of the matches that begin first, the longest is found; the search
/// continues after it. Empty matches are not reported.
///
/// A text that cannot match is rejected by what it lacks (``IRegexpNeeds``), or by the tables of the expression. The parts of one
/// that matches are found by simulating the program, with the start of the match for each state. That takes at most the length
/// of the text times the length of the program for each part that is found, and once more.
struct IRegexpSearch: Sendable {
  private let expression: IRegexp
  /// Matches what the expression matches, and more: repetitions have no bounds. The tables of an expression such as `k-[a-z]{40}`
  /// would be too large, because a match can begin in each part of another one.
  private let relaxed: IRegexp?
  let needs: IRegexpNeeds

  init(_ expression: IRegexp) {
    self.expression = expression
    needs = expression.program.needs
    relaxed = try? IRegexp(Self.relaxed(expression.pattern))
  }

  /// Replaces the bounds of repetitions by `+` and `*`.
  private static func relaxed(_ pattern: String) -> String {
    var result: [UInt8] = []
    var rest = Array(pattern.utf8)[...]
    var isInClass = false
    while let byte = rest.popFirst() {
      if byte == ASCII.openBrace, !isInClass {
        let bounds = rest.prefix { $0 != ASCII.closeBrace }
        let isOptional = bounds.prefix { $0 != ASCII.comma }.allSatisfy { $0 == ASCII.zero }
        result.append(isOptional ? ASCII.star : ASCII.plus)
        rest = rest.dropFirst(bounds.count + 1)
        continue
      }
      result.append(byte)
      // The braces of a category, such as those of \p{L}, are no bounds.
      if byte == ASCII.backslash, let escaped = rest.popFirst() {
        result.append(escaped)
        guard escaped | 0x20 == ASCII.lowerP, rest.first == ASCII.openBrace else { continue }
        while let next = rest.popFirst() {
          result.append(next)
          if next == ASCII.closeBrace { break }
        }
      } else if byte == ASCII.openBracket {
        isInClass = true
      } else if byte == ASCII.closeBracket {
        isInClass = false
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the parts of a text that match, in their order. They do not overlap.
  func ranges(in text: Span<UInt8>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    guard relaxed?.matches(text, whole: false) != false, expression.matches(text, whole: false) else { return found }
    var threads = Threads(expression.program)
    while let range = threads.next(in: text, from: found.last?.upperBound ?? 0) { found.append(range) }
    return found
  }
}

extension [Range<Int>] {
  /// Appends a range that does not begin before the last one, or extends the last one if they overlap.
  mutating func append(merging range: Range<Int>) {
    guard let last, range.lowerBound < last.upperBound else { return append(range) }
    self[count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
  }
}

/// The states of a program, each with the start of the match to which it belongs.
private struct Threads {
  private let program: IRegexpProgram
  private var current: [(state: Int32, start: Int)] = []
  private var next: [(state: Int32, start: Int)] = []
  /// The round in which each instruction was last entered.
  private var rounds: [Int]
  private var round = 0
  private var pending: [Int32] = []
  private var best: Range<Int>?

  init(_ program: IRegexpProgram) {
    self.program = program
    rounds = Array(repeating: 0, count: program.instructions.count)
  }

  mutating func next(in text: Span<UInt8>, from first: Int) -> Range<Int>? {
    best = nil
    next.removeAll(keepingCapacity: true)
    var index = first
    round += 1
    while true {
      // A match that begins here has the lowest priority, because others began before.
      if best == nil { enter(0, start: index, at: index) }
      swap(&current, &next)
      next.removeAll(keepingCapacity: true)
      guard index < text.count, !current.isEmpty else { return best }
      let value = text.decodeScalar(at: &index)
      let category = value >= 0x80 && program.usesCategories ? IRegexpCategories(of: value) : []
      round += 1
      for thread in current where thread.start <= best?.lowerBound ?? .max {
        if program.takes(thread.state, value, category: category) {
          enter(thread.state + 1, start: thread.start, at: index)
        }
      }
    }
  }

  /// Enters a state and all states that it leads to without a character. A state that a match with an earlier start has entered
  /// is left to it.
  private mutating func enter(_ state: Int32, start: Int, at index: Int) {
    pending.append(state)
    while let state = pending.popLast() {
      guard rounds[Int(state)] != round else { continue }
      rounds[Int(state)] = round
      switch program.instructions[Int(state)] {
      case .scalar, .any, .set: next.append((state, start))
      case .split(let first, let second):
        pending.append(second)
        pending.append(first)
      case .jump(let target): pending.append(target)
      case .start, .end: break
      case .match: if start < index, start <= best?.lowerBound ?? .max { best = start..<index }
      }
    }
  }
}
