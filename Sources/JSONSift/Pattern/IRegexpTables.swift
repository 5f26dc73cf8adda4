/// A program as a table: for each set of places that it can be in, and each symbol, the next. A character costs one
/// lookup: 1.5 ns instead of 18 to 26, when one of six patterns such as `[0-9]{4}-[0-9]{2}` is looked for in 1 KB of
/// ASCII (medians, 2 cores, 2026-11-21). To make the tables takes 3 to 22 µs.
///
/// Some patterns have too many such sets. Making them is given up after a fixed amount of work, and the text is then
/// matched without tables, within the same bound as ever.
final class IRegexpTables: Sendable {
  /// The states: a set of places, and whether the text may end there.
  private struct State: Hashable {
    let waiting: [Int32]
    let isMatch: Bool
  }

  private struct Content: Sendable {
    let alphabet: IRegexpAlphabet
    /// Rows of states, one entry for each symbol: where the row of the next state begins.
    var rows: [UInt16]
    /// For each state, whether the text may end there.
    var mayEnd: [Bool]
    let first: UInt16
  }

  private let content: Content?
  /// What was spent on making them, for the tests of the bound.
  let work: Int

  /// No tables could be made.
  var isEmpty: Bool { content == nil }

  /// The first two states are the ends of a match: nothing that follows changes it.
  private static let refused = 0
  private static let accepted = 1

  /// Entries of one table, so that it takes 32 KiB and its offsets fit 16 bits.
  static let maxEntries = 1 << 14
  /// Instructions that are looked at to make it, but for the last step: half a millisecond.
  static let maxWork = 1 << 15

  init(_ program: IRegexpProgram, whole: Bool) {
    var work = 0
    content = Self.content(program, whole: whole, work: &work)
    self.work = work
  }

  /// Whether the whole text matches, or some part of it: that was decided when the tables were made.
  func matches(_ text: Span<UInt8>) -> Bool? {
    guard let content else { return nil }
    let count = content.alphabet.answers.count
    var row = Int(content.first)
    var index = 0
    while index < text.count, row > count {
      row = Int(content.rows[row + content.alphabet.symbol(in: text, at: &index)])
    }
    return content.mayEnd[row / count]
  }

  private static func content(_ program: IRegexpProgram, whole: Bool, work: inout Int) -> Content? {
    guard let alphabet = IRegexpAlphabet(program) else { return nil }
    let count = alphabet.answers.count
    var places = IRegexpStates(program)
    var end = places
    var tested = 0
    defer { work = tested + places.work + end.work }
    var rows =
      Array(repeating: UInt16(refused), count: count) + Array(repeating: UInt16(accepted * count), count: count)
    var mayEnd = [false, true]
    var states: [State] = []
    var numbers: [State: Int] = [:]

    /// The number of the state that `places` are. `nil` if there are too many states.
    func number(isFirst: Bool) -> Int? {
      if places.isMatch, !whole { return accepted }
      if places.waiting.isEmpty, !places.isMatch, whole { return refused }
      let state = State(waiting: places.waiting.sorted(), isMatch: places.isMatch)
      // At the start of a text anchors hold that hold nowhere else.
      let isApart = isFirst && program.hasAnchors
      if !isApart, let known = numbers[state] { return known }
      guard (mayEnd.count + 1) * count <= maxEntries else { return nil }
      states.append(state)
      mayEnd.append(end.canEnd(places, atStart: isFirst))
      if !isApart { numbers[state] = mayEnd.count - 1 }
      return mayEnd.count - 1
    }

    places.clear()
    places.enter(0, atStart: true)
    guard let first = number(isFirst: true) else { return nil }
    var made = 0
    while made < states.count {
      let state = states[made]
      made += 1
      for answer in alphabet.answers {
        guard tested + places.work + end.work < maxWork else { return nil }
        tested += state.waiting.count + 1
        places.clear()
        for place in state.waiting where isTaken(program, place, alphabet, answer) { places.enter(place + 1) }
        if !whole, !places.isMatch { places.enter(0) }
        guard let next = number(isFirst: false) else { return nil }
        rows.append(UInt16(next * count))
      }
    }
    return Content(alphabet: alphabet, rows: rows, mayEnd: mayEnd, first: UInt16(first * count))
  }

  private static func isTaken(
    _ program: IRegexpProgram, _ place: Int32, _ alphabet: IRegexpAlphabet, _ answer: UInt64
  ) -> Bool {
    if case .end = program.instructions[Int(place)] { return false }
    return answer >> UInt64(alphabet.tests[Int(place)]) & 1 == 1
  }
}
