/// Reads elements of arrays whose matches are reached by names alone, such as the matches of `$.records[*].user.id` and
/// `$.records[*].level`. Matches are scalars and, if their texts are sufficient, containers. A kernel reads all *regular*
/// elements (see ``TrieScan``), and each costs little more than its matches.
///
/// Every other element is left to the ``SkipCursor``, so the scanner accepts nothing that the cursor would reject. The
/// scanner is tried after an element of an array.
struct ArrayTrieScanner: ~Copyable {
  /// The cached data about the arrays of one state.
  private struct Known: BitwiseCopyable {
    /// The index of its trie; negative if the trie is not built yet or does not exist.
    var trie = -1
    /// The number of elements to skip before the next attempt.
    var pause = 0
    /// The number of elements to skip after the next failed attempt (exponential back-off).
    var nextPause = 1
  }

  private struct Trie: BitwiseCopyable {
    var names = PathTrie(includesContainers: false)
    /// The maximum number of nested containers in an element, including the element.
    var depth = 1
    /// The indexes of its first object in `objects` and of its first branch in `branches`.
    let firstObject: Int
    let firstBranch: Int
    /// Bit n: the automaton has recorded that object n has occurred.
    var opened: UInt32 = 0
  }

  /// A name in a trie.
  private struct Branch: BitwiseCopyable {
    /// The plan that takes the values; negative if there is no such plan.
    var plan = -1
    /// The range in `steps` of the packed steps from an element to the value.
    let firstStep: Int
    let endStep: Int
  }

  /// An object in a trie.
  private struct Object: BitwiseCopyable {
    let state: Int
    let depth: Int
    /// The name that leads to it, as in ``Branch``; negative if the object is the element.
    let branch: Int
  }

  private var steps = ByteBuffer(capacity: 0)
  /// By state.
  private var known = PlainVector<Known>()
  private var tries = PlainVector<Trie>()
  private var objects = PlainVector<Object>()
  private var branches = PlainVector<Branch>()
  private var scan = TrieScan()

  /// The maximum number of elements between attempts: repeated failures cost one attempt for 64 elements.
  private static let maxPause = Sizes.of(64, fuzzing: 2)

  var count: Int { tries.count }
  /// The number of elements that the kernel has read.
  private(set) var elements = 0

  // Forced inlining in this file saves 3.5 % of `fields` (Scripts/measure instructions).
  /// Reads elements of the innermost array, reports their scalars to the sink, and returns the index after the last element.
  ///
  /// - Parameters:
  ///   - start: The index of the byte after an element.
  ///   - names: The lists of the states' names.
  ///   - tokens: An index of the input.
  @inline(__always)
  mutating func read(
    _ window: UnsafeRawBufferPointer, from start: Int, at origin: Int, names: inout StateKeys,
    _ tokens: inout TokenIndex, into sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Int {
    let state = sink.cursor.level.state
    if state < known.count, known[state].pause > 0 {
      known[state].pause &-= 1
      return start
    }
    return try unsafe readAll(window, from: start, at: origin, state, &names, &tokens, &sink)
  }

  @inline(never)
  private mutating func readAll(
    _ window: UnsafeRawBufferPointer, from start: Int, at origin: Int, _ state: Int, _ names: inout StateKeys,
    _ tokens: inout TokenIndex, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Int {
    while state >= known.count { known.append(Known()) }
    var known = known[state]
    if known.trie < 0 {
      guard let made = make(&names, &sink) else {
        // The result is cached: a state without a trie never gets one.
        self.known[state].pause = .max
        return start
      }
      known.trie = made
    }
    var position = start
    var trie = tries[known.trie]
    repeat {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: window[position...])
      let used = unsafe scan.read(rest, at: origin &+ position, &tokens, along: &trie.names)
      if scan.opened & ~trie.opened != 0 {
        trie.opened |= scan.opened
        tries[known.trie].opened = trie.opened
        open(trie, &sink)
      }
      try unsafe reportMatches(window, from: position, at: origin, trie, &sink)
      sink.skipElements(scan.elements)
      elements &+= scan.elements
      position &+= used
    } while scan.isFull
    let hasFound = position > start
    known.pause = hasFound ? 0 : known.nextPause
    known.nextPause = hasFound ? 1 : min(known.nextPause * 2, Self.maxPause)
    self.known[state] = known
    return position
  }

  /// Reports the matches that the last scan has found, whose ranges count from an index of the window, to the sink.
  @inline(__always)
  private func reportMatches(
    _ window: UnsafeRawBufferPointer, from position: Int, at origin: Int, _ trie: borrowing Trie,
    _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) {
    let first = trie.firstBranch
    try unsafe steps.withBytes { (steps) throws(JSONError) in
      for index in 0..<scan.count {
        let value = scan[index]
        let branch = branches[first &+ value.branch]
        // A value where the trie has an object.
        if branch.plan < 0 { continue }
        let range = (position &+ value.range.lowerBound)..<(position &+ value.range.upperBound)
        try unsafe sink.match(
          branch.plan, range, ofElement: value.element,
          along: UnsafeRawBufferPointer(rebasing: steps[branch.firstStep..<branch.endStep]), window, at: origin)
      }
    }
  }

  /// Records in the automaton which objects have occurred.
  @inline(never)
  private func open(_ trie: Trie, _ sink: inout some TraversalSink & ~Copyable) {
    for object in 0..<trie.names.objectCount where trie.opened >> UInt32(object) & 1 == 1 {
      sink.cursor.open(objects[trie.firstObject &+ object].state)
    }
  }

  // MARK: Making

  /// Builds the trie that leads from elements of the innermost array to their matches, and returns its index; `nil` if not
  /// all matches are reached by names alone.
  private mutating func make(_ names: inout StateKeys, _ sink: inout some TraversalSink & ~Copyable) -> Int? {
    let marks = (objects.count, branches.count, steps.count)
    guard !sink.canStop, !sink.cursor.level.isObject, !sink.cursor.summary.holdsElements,
      let trie = growTrie(&names, &sink), sink.cursor.depth + trie.depth <= sink.limits.depth
    else {
      while objects.count > marks.0 { objects.removeLast() }
      while branches.count > marks.1 { branches.removeLast() }
      steps.truncate(to: marks.2)
      return nil
    }
    tries.append(trie)
    return tries.count - 1
  }

  private mutating func growTrie(_ names: inout StateKeys, _ sink: inout some TraversalSink & ~Copyable) -> Trie? {
    var trie = Trie(firstObject: objects.count, firstBranch: branches.count)
    var textsSuffice = true
    objects.append(Object(state: sink.cursor.summary.uniformElement, depth: 1, branch: -1))
    var next = trie.firstObject
    while next < objects.count {
      let object = objects[next]
      next += 1
      guard object.state > PathAutomaton.dead, sink.cursor.leadsByNames(object.state),
        let list = names.list(of: object.state, sink.cursor),
        let first = trie.names.append(list, at: object.branch < 0 ? nil : object.branch)
      else { return nil }
      trie.depth = max(trie.depth, object.depth)
      // The scan would pass over an array where the trie has an object.
      if object.branch >= 0, sink.cursor.summary(at: object.state).hasPositions { textsSuffice = false }
      for number in 0..<list.count {
        guard let (target, name) = sink.cursor.target(ofName: number, at: object.state),
          name.count <= sink.limits.keyBytes
        else { return nil }
        var branch = appendBranch(name, inside: object, trie, sink)
        let summary = sink.cursor.summary(at: target)
        if summary.onlyMatch >= 0, sink.acceptsElementScalars(summary.onlyMatch) {
          branch.plan = summary.onlyMatch
          textsSuffice = textsSuffice && sink.textPlan(at: target, bytes: PathTrie.maxContainerLength) != nil
        } else {
          objects.append(Object(state: target, depth: object.depth + 1, branch: first + number))
        }
        branches.append(branch)
      }
    }
    trie.names.includesContainers = textsSuffice
    return trie
  }

  /// Appends the steps of a name, after the steps that lead to its object.
  private mutating func appendBranch(
    _ name: PathAutomaton.Name, inside object: Object, _ trie: Trie, _ sink: borrowing some TraversalSink & ~Copyable
  ) -> Branch {
    let firstStep = steps.count
    if object.branch >= 0 {
      let outer = branches[trie.firstBranch + object.branch]
      let copy = unsafe steps.withBytes { unsafe Array($0[outer.firstStep..<outer.endStep]) }
      unsafe copy.withUnsafeBytes { unsafe steps.append($0) }
    }
    unsafe sink.cursor.automaton.steps.withBytes {
      unsafe steps.append(UnsafeRawBufferPointer(rebasing: $0[name.firstStep..<name.end]))
    }
    return Branch(firstStep: firstStep, endStep: steps.count)
  }
}

extension PathCursor {
  /// Returns whether only members with certain names matter in an object of this state, and the object itself does not
  /// match.
  fileprivate mutating func leadsByNames(_ state: Int) -> Bool {
    let summary = summary(at: state)
    guard summary.nameCount > 0, !summary.hasAccepts, !summary.isDescending, !summary.holdsElements else {
      return false
    }
    return stateOfOtherMember(at: state) == PathAutomaton.dead
  }
}
