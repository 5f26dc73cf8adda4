/// The consumer of a text that is parsed only in part: a traversal reports the keys and containers on the way to the needed
/// values, as ``SkipCursor`` finds them. Needed values arrive as tape words, by ``TapeWordSink/take(_:)``.
protocol TraversalSink: TapeWordSink, ~Copyable {
  /// The position of the traversal in the automaton.
  var cursor: PathCursor { get set }
  var limits: JSONLimits { get }
  /// Whether reading stops when all queries are answered.
  var canStop: Bool { get }
  /// Whether all queries are answered.
  var isAnswered: Bool { get }

  /// Begins another window.
  mutating func beginWindow()

  /// Receives a key whose value can match.
  ///
  /// - Parameter name: The index of its name in the automaton, or -1.
  mutating func take(key: TapeWord, name: Int, in window: UnsafeRawBufferPointer)
  mutating func skipValue(_ state: Int, isStart: Bool) throws(JSONError)
  /// Enters the value, which is a container.
  ///
  /// - Parameter key: The key of a member whose name the automaton does not know; `nil` if the key was already reported.
  mutating func enterContainer(
    _ state: Int, isObject: Bool, at start: Int, key: TapeWord?, in window: UnsafeRawBufferPointer
  ) throws(JSONError)
  /// Leaves the innermost container, which has ended.
  mutating func leaveContainer() throws(JSONError)

  /// Returns the plan that takes a scalar as a match, if nothing else is done with the scalar and reading continues after
  /// it.
  mutating func onlyPlan(at state: Int) -> Int?
  /// Receives a scalar that is a match of a plan.
  mutating func matchScalar(
    _ word: TapeWord, _ plan: Int, _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError)
  /// Returns the plan that takes an array or object of `count` bytes as a match, if its text is sufficient and nothing else
  /// is done with it.
  mutating func textPlan(at state: Int, bytes count: Int) -> Int?
  /// Receives an array or object that is a match of a plan, if its text is sufficient.
  mutating func matchText(
    _ plan: Int, _ kind: EventKind, _ range: Range<Int>, _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError)

  /// Returns whether scalars of a plan inside elements may be reported by ``match(_:_:ofElement:along:_:at:)``.
  func acceptsElementScalars(_ plan: Int) -> Bool
  /// Receives a value that is a match of a plan and lies in an element of the innermost array, after names that the
  /// automaton knows: a scalar, or a container for which ``textPlan(at:bytes:)`` returns the plan. The values of one array are
  /// reported in text order, and in one object only the first member with a name.
  ///
  /// - Parameters:
  ///   - range: The range of the value in the window.
  ///   - element: The number of elements between the next element and the element of the value.
  ///   - steps: The names, as packed steps.
  mutating func match(
    _ plan: Int, _ range: Range<Int>, ofElement element: Int, along steps: UnsafeRawBufferPointer,
    _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError)
  /// Skips elements of the innermost array that were read completely.
  mutating func skipElements(_ number: Int)
}

extension TraversalSink where Self: ~Copyable {
  /// Whether the whole text is needed, so that nothing can be skipped.
  mutating func needsWholeText() -> Bool {
    let root = cursor.automaton.root
    let summary = cursor.summary(at: root)
    if summary.hasAccepts { return true }
    guard summary.isDescending else { return false }
    return !cursor.leadsByBrackets(root, isObject: true)
      || !cursor.leadsByBrackets(root, isObject: false)
  }

  /// Receives a key, whose offset is its index in the window.
  mutating func selectKey(_ key: TapeWord, in window: UnsafeRawBufferPointer) throws(JSONError) {
    let name = unsafe cursor.name(of: key, TapeWordBatch(window: window, origin: 0))
    guard try cursor.select(name) != PathAutomaton.dead else { return }
    unsafe take(key: key, name: name, in: window)
  }

  /// Returns the decision about the next value.
  mutating func decision(isStart: Bool, isObject: Bool) throws(JSONError) -> (VisitDecision, state: Int) {
    let state =
      cursor.depth == 0
      ? cursor.automaton.root
      : cursor.level.isObject ? cursor.level.target : try cursor.state(ofElement: cursor.level.position)
    if state == PathAutomaton.dead { return (.skip, state) }
    let summary = cursor.summary(at: state)
    if summary.hasAccepts { return (.parse, state) }
    if isStart, summary.isDescending, !cursor.leadsByBrackets(state, isObject: isObject) {
      return (.parse, state)
    }
    return (isStart && summary.hasItems ? .enter : .skip, state)
  }

  /// Returns the number of innermost containers in which no further value can match. At most 1 if reading can stop, since it
  /// may stop at the end of each of them.
  mutating func finishedLevels() -> Int {
    let levels = cursor.finishedLevels()
    return canStop ? min(levels, 1) : levels
  }
}

/// The decision about a value.
enum VisitDecision {
  /// The value is skipped: nothing in it can match.
  case skip
  /// The value is a container that is entered: its children may match.
  case enter
  /// The value is parsed: it is needed as a whole, or too many of its parts may be needed.
  case parse
}

extension PathCursor {
  /// Returns the number of innermost containers in which no further value can match.
  ///
  /// Mutating although it changes nothing: calling a function that only reads a large value copies the value.
  mutating func finishedLevels() -> Int {
    guard depth > 0, isFinished(level, summary) else { return 0 }
    return 1 &+ finishedOuterLevels()
  }

  private mutating func finishedOuterLevels() -> Int {
    // The first of `outer` is around the whole document.
    var index = outer.count &- 1
    while index > 0, isFinished(outer[index], automaton.summaries[outer[index].state]) { index &-= 1 }
    return outer.count &- 1 &- index
  }

  private func isFinished(_ level: Level, _ summary: PathAutomaton.StateSummary) -> Bool {
    if level.isObject {
      return summary.otherMember == PathAutomaton.dead && summary.nameCount < 64
        && level.answered.nonzeroBitCount == summary.nameCount
    }
    if summary.uniformElement >= 0 { return summary.uniformElement == PathAutomaton.dead }
    return automaton.selectsNone(from: level.position, of: level.state)
  }
}

extension PathAutomaton {
  /// Returns whether no element from a position on is selected.
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
