/// Elements of arrays that lead to their matches by names alone, as those of `$.records[*].user.id` and
/// `$.records[*].level` do: a kernel goes over all that are as usual, and each costs little more than its matches.
///
/// What is not as usual is left to the ``SkipCursor``: so nothing is accepted here that it would refuse. An array is tried
/// when an element has gone by.
struct ArrayTrieScanner: ~Copyable {
  /// What is known of the arrays of one state.
  private struct Known: BitwiseCopyable {
    /// The index of its tree; below 0 it is not made, or there is none.
    var tree = -1
    /// So many elements are left to others before the next try, and so many after the next one that fails.
    var pause = 0
    var nextPause = 1
  }

  private struct Tree: BitwiseCopyable {
    var names = PathTrie(takesAll: false)
    /// How many containers an element is at most, one in the other.
    var depth = 1
    /// Where its objects and branches begin in `objects` and `branches`.
    let firstObject: Int
    let firstBranch: Int
    /// Bit n: the automaton knows that object n has been open.
    var opened: UInt32 = 0
  }

  /// A name in a tree.
  private struct Branch: BitwiseCopyable {
    /// The plan that takes the scalars; below 0 there are none.
    var plan = -1
    /// The steps from an element to its value, packed, in `steps`.
    let firstStep: Int
    let endStep: Int
  }

  /// An object in a tree.
  private struct Object: BitwiseCopyable {
    let state: Int
    let depth: Int
    /// The name that leads to it, as in ``Branch``; below 0 it is the element.
    let branch: Int
  }

  private var steps = ByteBuffer(capacity: 0)
  /// By state.
  private var known = PlainVector<Known>()
  private var trees = PlainVector<Tree>()
  private var objects = PlainVector<Object>()
  private var branches = PlainVector<Branch>()
  private var scan = TrieScan()

  /// Where trying again and again finds nothing, it costs a sixty-fourth of the elements.
  private static let maxPause = 64

  /// How many trees there are.
  var count: Int { trees.count }
  /// How many elements the kernel has gone over.
  private(set) var elements = 0

  /// Goes over elements of the innermost array, whose scalars become the sink's, and returns the index behind the last.
  ///
  /// - Parameters:
  ///   - start: The index of the byte behind an element.
  ///   - names: Where the lists of the states are.
  ///   - scalars: Where the texts of the matches go.
  @inline(__always)
  mutating func read(
    _ window: UnsafeRawBufferPointer, from start: Int, at origin: Int, names: inout StateKeys,
    into sink: inout some TraversalSink & ~Copyable, scalars: inout ScalarBatch, isProven: Bool
  ) throws(JSONError) -> Int {
    let state = sink.cursor.level.state
    if state < known.count, known[state].pause > 0 {
      known[state].pause &-= 1
      return start
    }
    return try unsafe readAll(window, from: start, at: origin, state, &names, &sink, &scalars, isProven)
  }

  @inline(never)
  private mutating func readAll(
    _ window: UnsafeRawBufferPointer, from start: Int, at origin: Int, _ state: Int, _ names: inout StateKeys,
    _ sink: inout some TraversalSink & ~Copyable, _ scalars: inout ScalarBatch, _ isProven: Bool
  ) throws(JSONError) -> Int {
    while state >= known.count { known.append(Known()) }
    var known = known[state]
    if known.tree < 0 {
      guard let made = make(&names, &sink) else {
        // What there is none for now has none later.
        self.known[state].pause = .max
        return start
      }
      known.tree = made
    }
    var position = start
    var tree = trees[known.tree]
    repeat {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: window[position...])
      let used = unsafe scan.read(rest, along: &tree.names)
      if scan.opened & ~tree.opened != 0 {
        tree.opened |= scan.opened
        trees[known.tree].opened = tree.opened
        open(tree, &sink)
      }
      try unsafe forward(window, from: position, at: origin, tree, &sink, &scalars, isProven)
      sink.passElements(scan.elements)
      elements &+= scan.elements
      position &+= used
    } while scan.isFull
    let hasFound = position > start
    known.pause = hasFound ? 0 : known.nextPause
    known.nextPause = hasFound ? 1 : min(known.nextPause * 2, Self.maxPause)
    self.known[state] = known
    return position
  }

  /// Tells the sink of the scalars that were found last, which stand from an index of the window on.
  @inline(__always)
  private mutating func forward(
    _ window: UnsafeRawBufferPointer, from position: Int, at origin: Int, _ tree: borrowing Tree,
    _ sink: inout some TraversalSink & ~Copyable, _ scalars: inout ScalarBatch, _ isProven: Bool
  ) throws(JSONError) {
    for index in 0..<scan.count {
      let scalar = scan[index]
      let branch = branches[tree.firstBranch &+ scalar.branch]
      let range = (position &+ scalar.range.lowerBound)..<(position &+ scalar.range.upperBound)
      if !isProven { unsafe scalars.append(window, range, isMember: true) }
      try unsafe steps.withBytes { (steps) throws(JSONError) in
        try unsafe sink.skipScalar(
          TapeWord(scalarIn: window, range), branch.plan, ofElement: scalar.element,
          along: UnsafeRawBufferPointer(rebasing: steps[branch.firstStep..<branch.endStep]), window, at: origin)
      }
    }
  }

  /// Tells the automaton which objects have been there.
  @inline(never)
  private func open(_ tree: Tree, _ sink: inout some TraversalSink & ~Copyable) {
    for object in 0..<tree.names.objectCount where tree.opened >> UInt32(object) & 1 == 1 {
      sink.cursor.open(objects[tree.firstObject &+ object].state)
    }
  }

  // MARK: Making

  /// Makes the tree that leads from elements of the innermost array to their matches, and returns its index; `nil` if they
  /// lead to more than scalars, and not by names alone.
  private mutating func make(_ names: inout StateKeys, _ sink: inout some TraversalSink & ~Copyable) -> Int? {
    let marks = (objects.count, branches.count, steps.count)
    guard !sink.canStop, !sink.cursor.level.isObject, !sink.cursor.summary.holdsElements,
      let tree = growTree(&names, &sink), sink.cursor.depth + tree.depth <= sink.limits.depth
    else {
      while objects.count > marks.0 { objects.removeLast() }
      while branches.count > marks.1 { branches.removeLast() }
      steps.truncate(to: marks.2)
      return nil
    }
    trees.append(tree)
    return trees.count - 1
  }

  private mutating func growTree(_ names: inout StateKeys, _ sink: inout some TraversalSink & ~Copyable) -> Tree? {
    var tree = Tree(firstObject: objects.count, firstBranch: branches.count)
    objects.append(Object(state: sink.cursor.summary.uniformElement, depth: 1, branch: -1))
    var next = tree.firstObject
    while next < objects.count {
      let object = objects[next]
      next += 1
      guard object.state > PathAutomaton.dead, sink.cursor.leadsByNames(object.state),
        let list = names.list(of: object.state, sink.cursor),
        let first = tree.names.append(list, at: object.branch < 0 ? nil : object.branch)
      else { return nil }
      tree.depth = max(tree.depth, object.depth)
      for number in 0..<list.count {
        guard let (target, name) = sink.cursor.target(ofName: number, at: object.state),
          name.count <= sink.limits.keyBytes
        else { return nil }
        var branch = appendBranch(name, behind: object, tree, sink)
        let summary = sink.cursor.summary(at: target)
        if summary.onlyMatch >= 0, sink.takesFromElements(summary.onlyMatch) {
          branch.plan = summary.onlyMatch
        } else {
          objects.append(Object(state: target, depth: object.depth + 1, branch: first + number))
        }
        branches.append(branch)
      }
    }
    return tree
  }

  /// The steps of a name, behind those that lead to its object.
  private mutating func appendBranch(
    _ name: PathAutomaton.Name, behind object: Object, _ tree: Tree, _ sink: borrowing some TraversalSink & ~Copyable
  ) -> Branch {
    let firstStep = steps.count
    if object.branch >= 0 {
      let outer = branches[tree.firstBranch + object.branch]
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
  /// An object of this state is worth looking at for members of some names, and nothing else becomes of it.
  fileprivate mutating func leadsByNames(_ state: Int) -> Bool {
    let summary = summary(at: state)
    guard summary.nameCount > 0, !summary.hasAccepts, !summary.isDescending, !summary.holdsElements else {
      return false
    }
    return stateOfOtherMember(at: state) == PathAutomaton.dead
  }
}
