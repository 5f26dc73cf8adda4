/// What becomes of a text of which only a part is parsed: a traversal tells it of keys and containers on the way to what is
/// wanted, as they are found by ``SkipCursor``. Values that matter come as words, by ``WordSink/take(_:)``.
protocol TraversalSink: WordSink, ~Copyable {
  /// Where the traversal stands in the automaton.
  var cursor: PathCursor { get set }
  var limits: JSONLimits { get }
  /// The reading stops when all that was asked is answered, and when that is so.
  var canStop: Bool { get }
  var isAnswered: Bool { get }

  /// Another window begins.
  mutating func beginWindow()

  /// A key has come whose value can matter.
  ///
  /// - Parameter name: Its name in the automaton, or -1.
  mutating func take(key: TapeWord, name: Int, in window: UnsafeRawBufferPointer)
  /// A key has come that is one of the names of the innermost level, by its number.
  mutating func skipName(_ number: Int) throws(JSONError)

  /// The value is passed over.
  mutating func skipPast(_ state: Int, isStart: Bool) throws(JSONError)
  /// The value is a container that is entered.
  ///
  /// - Parameter key: That of a member whose name the automaton does not know; `nil` if it has come.
  mutating func skipEnter(
    _ state: Int, isObject: Bool, at start: Int, key: TapeWord?, in window: UnsafeRawBufferPointer
  ) throws(JSONError)
  /// The innermost container has ended.
  mutating func skipEnd() throws(JSONError)

  /// The plan that takes a scalar as a match, if that is all that becomes of it, and the reading goes on behind it.
  mutating func onlyPlan(at state: Int) -> Int?
  /// The value is a scalar and a match of a plan.
  mutating func skipScalar(
    _ word: TapeWord, _ plan: Int, _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError)
  /// The plan that takes an array or object of so many bytes as a match, if its text is enough and nothing else becomes of it.
  mutating func textPlan(at state: Int, bytes count: Int) -> Int?
  /// The value is an array or object, a match of a plan, of which the text is enough.
  mutating func skipText(
    _ plan: Int, _ kind: EventKind, _ range: Range<Int>, _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError)
  /// Forgets what began at an offset in the input or behind it: it has proven wrong.
  mutating func takeBack(from offset: Int)

  /// Scalars of a plan that lie in elements may come by ``forwardScalar(_:_:ofElement:along:_:at:)``.
  func takesFromElements(_ plan: Int) -> Bool
  /// A scalar and match of a plan lies in an element of the innermost array, behind names that the automaton knows. Those of
  /// one array come in the order of the text, and of one object only the first member with a name.
  ///
  /// - Parameters:
  ///   - element: So many elements stand between the one that comes next and its own.
  ///   - steps: The names, as packed steps.
  mutating func skipScalar(
    _ word: TapeWord, _ plan: Int, ofElement element: Int, along steps: UnsafeRawBufferPointer,
    _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError)
  /// So many elements of the innermost array have come and gone.
  mutating func passElements(_ number: Int)
}

extension TraversalSink where Self: ~Copyable {
  /// Whether the text as a whole is asked for, so that nothing of it can be passed over.
  ///
  /// - Parameter entersDescendants: Below a descendant step the forwarder goes from container to container.
  mutating func needsWholeText(entersDescendants: Bool) -> Bool {
    let root = cursor.automaton.root
    let summary = cursor.summary(at: root)
    if summary.hasAccepts { return true }
    guard summary.isDescending else { return false }
    return !entersDescendants || !cursor.leadsByBrackets(root, isObject: true)
      || !cursor.leadsByBrackets(root, isObject: false)
  }

  /// A key has come.
  ///
  /// - Parameter range: Where it stands in the window, with its quotes.
  /// - Returns: Whether its value can match, and its name is not one that is asked for.
  @inline(__always)
  mutating func skipKey(
    _ range: Range<Int>, isEscaped: Bool, in window: UnsafeRawBufferPointer
  ) throws(JSONError) -> Bool {
    let word = TapeWord(
      isEscaped ? .escapedKey : .key, at: range.lowerBound, length: min(range.count &- 2, TapeWord.longLength))
    let batch = unsafe WordBatch(
      words: UnsafeBufferPointer(start: nil, count: 0), window: window, origin: 0)
    let name = cursor.name(of: word, batch)
    guard try cursor.select(name) != PathAutomaton.dead else { return false }
    unsafe take(key: word, name: name, in: window)
    return name < 0 || isEscaped
  }

  /// The member whose key has come cannot match.
  @inline(__always)
  var nextIsDead: Bool { cursor.level.target == PathAutomaton.dead }

  /// What becomes of the value that comes next.
  ///
  /// - Parameter entersDescendants: Containers below a descendant step are entered where only some of their values matter.
  @inline(__always)
  mutating func turn(
    isStart: Bool, isObject: Bool, entersDescendants: Bool
  ) throws(JSONError) -> (VisitDecision, state: Int) {
    let state =
      cursor.depth == 0
      ? cursor.automaton.root
      : cursor.level.isObject ? cursor.level.target : try cursor.state(ofElement: cursor.level.position)
    if state == PathAutomaton.dead { return (.pass, state) }
    let summary = cursor.summary(at: state)
    if summary.hasAccepts { return (.parse, state) }
    if isStart, summary.isDescending, !entersDescendants || !cursor.leadsByBrackets(state, isObject: isObject) {
      return (.parse, state)
    }
    return (isStart && summary.hasItems ? .enter : .pass, state)
  }

  /// In how many of the innermost containers nothing that follows can match. Where the reading can stop, the end of each
  /// may be the place.
  @inline(__always)
  mutating func levelsOver() -> Int {
    let levels = cursor.levelsOver()
    return canStop ? min(levels, 1) : levels
  }
}

/// What becomes of a value.
enum VisitDecision {
  /// Nothing in it can match.
  case pass
  /// Matches may stand among its children.
  case enter
  /// It is wanted as a whole, or too much may be asked of it.
  case parse
}

extension PathCursor {
  /// In how many of the innermost containers nothing that follows can match.
  ///
  /// It changes nothing: a large value that a function only reads is copied for it.
  @inline(__always)
  mutating func levelsOver() -> Int {
    guard depth > 0, isOver(level, summary) else { return 0 }
    return 1 &+ outerLevelsOver()
  }

  private mutating func outerLevelsOver() -> Int {
    // The first of `outer` is around everything.
    var place = outer.count &- 1
    while place > 0, isOver(outer[place], automaton.summaries[outer[place].state]) { place &-= 1 }
    return outer.count &- 1 &- place
  }

  @inline(__always)
  private func isOver(_ level: Level, _ summary: PathAutomaton.StateSummary) -> Bool {
    if level.isObject {
      return summary.otherMember == PathAutomaton.dead && summary.nameCount < 64
        && level.answered.nonzeroBitCount == summary.nameCount
    }
    if summary.uniformElement >= 0 { return summary.uniformElement == PathAutomaton.dead }
    return automaton.selectsNone(from: level.position, of: level.state)
  }
}

extension PathAutomaton {
  /// Whether no element from a position on is selected.
  func selectsNone(from position: Int, of state: Int) -> Bool {
    states[state].items.allSatisfy { item in
      switch plans[item.plan].steps[item.step] {
      case .name: plans[item.plan].descendant != item.step
      case .wildcard, .elements: false
      case .index(let index): position > index && plans[item.plan].descendant != item.step
      case .slice(_, let end, _): position >= end ?? .max && plans[item.plan].descendant != item.step
      }
    }
  }
}
