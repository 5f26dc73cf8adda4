/// Elements of arrays that lead to their matches by names alone, as those of `$.records[*].user.id` do: a kernel goes over
/// all that are as usual, and each costs little more than its match.
///
/// What is not as usual is left to the ``SkipCursor``: so nothing is accepted here that it would refuse. An array is tried
/// when an element has shown which containers its chain leads through.
struct ElementChains: ~Copyable {
  /// What is known of the arrays of one state.
  private struct Chain: BitwiseCopyable {
    var names = NameChain()
    /// The plan that takes the scalars; below 0 the chain is not made.
    var plan = -1
    /// The steps from an element to its scalar, packed, in `steps`.
    var firstStep = 0
    var endStep = 0
    /// So many elements are left to others before the next try, and so many after the next one that fails.
    var pause = 0
    var nextPause = 1
  }

  private(set) var lists = NameLists()
  private var steps = ByteBuffer(capacity: 0)
  /// By state.
  private var chains = PlainVector<Chain>()
  private var scan = ElementScan()

  /// Where trying again and again finds nothing, it costs a sixty-fourth of the elements.
  private static let longestPause = 64

  /// Goes over elements of the innermost array, whose matches become the matcher's, and returns the index behind the last.
  ///
  /// - Parameters:
  ///   - start: The index of the byte behind an element.
  ///   - scalars: Where the texts of the matches go.
  @inline(__always)
  mutating func read(
    _ window: UnsafeRawBufferPointer, from start: Int, at origin: Int, into matcher: inout PathMatcher,
    scalars: inout ScalarBatch
  ) throws(JSONError) -> Int {
    let state = matcher.cursor.level.state
    if state < chains.count, chains[state].pause > 0 {
      chains[state].pause &-= 1
      return start
    }
    return try unsafe readAll(window, from: start, at: origin, state, &matcher, &scalars)
  }

  @inline(never)
  private mutating func readAll(
    _ window: UnsafeRawBufferPointer, from start: Int, at origin: Int, _ state: Int, _ matcher: inout PathMatcher,
    _ scalars: inout ScalarBatch
  ) throws(JSONError) -> Int {
    while state >= chains.count { chains.append(Chain()) }
    if chains[state].plan < 0 { make(state, &matcher) }
    var chain = chains[state]
    var position = start
    if chain.plan >= 0, matcher.cursor.depth + chain.names.count <= matcher.limits.depth {
      repeat {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: window[position...])
        let (used, elements) = unsafe scan.read(rest, along: &chain.names)
        for index in 0..<scan.count {
          let (element, place) = scan[index]
          let range = (position &+ place.lowerBound)..<(position &+ place.upperBound)
          unsafe scalars.append(window, range, isMember: true)
          try unsafe steps.withBytes { (steps) throws(JSONError) in
            try unsafe matcher.forwardScalar(
              EventWord(scalarIn: window, range), ofElement: element, chain.plan,
              UnsafeRawBufferPointer(rebasing: steps[chain.firstStep..<chain.endStep]), window, at: origin)
          }
        }
        matcher.passElements(elements)
        position &+= used
      } while scan.isFull
    }
    let hasFound = position > start
    chains[state].pause = hasFound ? 0 : chain.nextPause
    chains[state].nextPause = hasFound ? 1 : min(chain.nextPause * 2, Self.longestPause)
    return position
  }

  /// Makes the chain that leads from elements of the innermost array to their matches, if there is one, and something has
  /// been found at each of its names.
  private mutating func make(_ state: Int, _ matcher: inout PathMatcher) {
    guard !matcher.canStop, !matcher.cursor.level.isObject, !matcher.cursor.glance.holdsElements else { return }
    var chain = Chain()
    chain.firstStep = steps.count
    chain.endStep = steps.count
    var found: [[UInt8]] = []
    var target = matcher.cursor.glance.uniformElement
    while target > PathAutomaton.dead {
      let glance = matcher.cursor.glance(at: target)
      if glance.onlyMatch >= 0, !found.isEmpty {
        // A list is kept for good, and a chain that leads nowhere is tried again and again: so not before now.
        guard matcher.plans[glance.onlyMatch].levelsUp == 0,
          found.allSatisfy({ name in lists.add([name]).map { chain.names.append($0) } ?? false })
        else { break }
        chain.plan = glance.onlyMatch
        chains[state] = chain
        return
      }
      guard glance.leadsByOneName, let names = matcher.cursor.automaton.names(of: target).first,
        names.count <= matcher.limits.keyBytes, found.count < NameChain.longest
      else { break }
      found.append(names)
      let name = matcher.cursor.automaton.names[glance.firstName]
      unsafe matcher.cursor.automaton.steps.withBytes {
        unsafe steps.append(UnsafeRawBufferPointer(rebasing: $0[name.firstStep..<name.end]))
      }
      chain.endStep = steps.count
      target = name.target
    }
    steps.truncate(to: chain.firstStep)
  }
}

extension PathAutomaton.Glance {
  /// A value of this state is worth looking at for the member of one name, and nothing else; and it was an object before.
  fileprivate var leadsByOneName: Bool {
    hasItems && !hasAccepts && !isDescending && !holdsElements && nameCount == 1 && otherMember == PathAutomaton.dead
      && wasObject
  }
}

extension EventWord {
  /// The event that a scalar is, going by its first byte. If the rest is another scalar or none, that is seen when it is
  /// parsed.
  @inline(__always)
  init(scalarIn window: UnsafeRawBufferPointer, _ range: Range<Int>) {
    let count = range.count
    switch unsafe window[range.lowerBound] {
    case ASCII.quote:
      let text = unsafe UnsafeRawBufferPointer(rebasing: window[range].dropFirst().dropLast())
      let isEscaped = unsafe text.place(of: ASCII.backslash) != nil
      self.init(isEscaped ? .escapedString : .string, at: range.lowerBound, length: text.count)
    case ASCII.lowerT: self.init(.true, at: range.lowerBound)
    case ASCII.lowerF: self.init(.false, at: range.lowerBound)
    case ASCII.lowerN: self.init(.null, at: range.lowerBound)
    default: self.init(.number, at: range.lowerBound, length: count)
    }
  }
}
