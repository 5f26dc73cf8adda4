import JSONSift

/// Counting of records whose form is known.
extension ShapeTree {
  /// Adds a complete record.
  mutating func add(_ words: UnsafeBufferPointer<UInt64>, _ bytes: UnsafeRawBufferPointer) {
    begin()
    let number = words.count & (ShapePatterns.count &- 1)
    if patterns[number].words == words.count {
      if unsafe fits(number, words, bytes) { return }
    }
    unsafe process(words, bytes)
    if !isFull { unsafe learn(words, bytes, number) }
  }

  // MARK: Records of a known form

  /// Counts a record if it has the form of a pattern. If not, the caller counts the record again: updating the same
  /// bounds and examples twice changes nothing.
  private mutating func fits(
    _ number: Int, _ words: UnsafeBufferPointer<UInt64>, _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    guard !isFull, patterns[number].pause == 0, let text = bytes.baseAddress else { return false }
    let source = unsafe ShapeSource(base: text, count: bytes.count)
    let before = values
    let steps = unsafe patterns.steps(of: number)
    let end = patterns[number].steps
    var index = 0
    var done = 0
    // SAFETY: the steps consume exactly as many words as the record they were made from, and this record has the same
    // number of words. Worth it: a `Span`, which checks each index, takes 0.8 % more instructions (Scripts/measure instructions,
    // shape).
    while done < end {
      let step = unsafe steps + done
      if unsafe step.pointee.keyMask != 0 {
        let word = unsafe TapeWord(bits: words[index])
        guard unsafe isKey(step, word, source) else { break }
        index &+= 1
      }
      let word = unsafe TapeWord(bits: words[index])
      index &+= 1
      let node = unsafe nodes.pointer(at: step.pointee.nodeOffset)
      switch unsafe step.pointee.kind {
      case .string:
        guard word.kind.isString else { return unsafe undo(number, words, done, before) }
        let isNoted = unsafe word.kind == .string && isNoted(word, source, to: node, number: step.pointee.node)
        if !isNoted {
          values = unsafe before &+ Int(step.pointee.valueNumber)
          unsafe addString(word, bytes, to: step.pointee.node)
        }
      case .number:
        guard word.kind == .number else { return unsafe undo(number, words, done, before) }
        if unsafe !NumberRank.isInside(word, source, node) || node.pointee.exampleCount < maxExamples {
          values = unsafe before &+ Int(step.pointee.valueNumber)
          unsafe addNumber(word, bytes, to: step.pointee.node)
        }
      case .bool:
        let isTrue = word.kind == .true
        guard isTrue || word.kind == .false else { return unsafe undo(number, words, done, before) }
        // The value is counted directly, because the pattern does not determine which of the two it is.
        unsafe node.pointee.trues &+= isTrue ? 1 : 0
        unsafe node.pointee.falses &+= isTrue ? 0 : 1
        let isExample = unsafe (node.pointee.hasTrueExample || !isTrue) && (node.pointee.hasFalseExample || isTrue)
        if !isExample, unsafe node.pointee.exampleCount < maxExamples {
          values = unsafe before &+ Int(step.pointee.valueNumber)
          unsafe addLiteral(isTrue ? .true : .false, to: step.pointee.node)
        }
      case .null:
        guard word.kind == .null else { return unsafe undo(number, words, done, before) }
      case .array:
        guard word.kind == .arrayStart else { return unsafe undo(number, words, done, before) }
        index &+= 1
      case .object:
        guard word.kind == .objectStart else { return unsafe undo(number, words, done, before) }
        index &+= 1
      case .end:
        guard word.kind.isEnd else { return unsafe undo(number, words, done, before) }
      }
      done &+= 1
    }
    guard done == end else { return unsafe undo(number, words, done, before) }
    values = before &+ patterns[number].values
    patterns[number].uses &+= 1
    if patterns[number].score < 256 { patterns[number].score &+= 1 }
    return true
  }

  private mutating func isKey(_ step: UnsafePointer<ShapeStep>, _ word: TapeWord, _ source: ShapeSource) -> Bool {
    let start = word.offset &+ 1
    guard unsafe UInt32(truncatingIfNeeded: word.bits) & step.pointee.keyMask == step.pointee.name.word,
      unsafe (source.eightBytes(at: start) ^ step.pointee.name.start) & step.pointee.name.mask == 0
    else { return false }
    let count = unsafe Int(step.pointee.name.count)
    return unsafe count <= 8 || isRest(source, start, count, end: step.pointee.name.end, at: step.pointee.name.offset)
  }

  /// Reverts the counts that the caller will add again. Returns false.
  @inline(never)
  private mutating func undo(
    _ number: Int, _ words: UnsafeBufferPointer<UInt64>, _ done: Int, _ before: Int
  ) -> Bool {
    values = before
    let steps = unsafe patterns.steps(of: number)
    var index = 0
    for stepIndex in 0..<done {
      let step = unsafe steps[stepIndex]
      if step.keyMask != 0 { index &+= 1 }
      if step.kind == .bool {
        if unsafe TapeWord(bits: words[index]).kind == .true {
          nodes[step.node].trues &-= 1
        } else {
          nodes[step.node].falses &-= 1
        }
      }
      index &+= step.kind == .array || step.kind == .object ? 2 : 1
    }
    return false
  }

  // MARK: Counts

  /// Adds the deferred counts of the patterns to the nodes. Required before counts are read, and before nodes are
  /// merged.
  mutating func settle() {
    for number in 0..<ShapePatterns.count { settle(number) }
  }

  private mutating func settle(_ number: Int) {
    let uses = patterns[number].uses
    guard uses > 0 else { return }
    patterns[number].uses = 0
    for index in 0..<patterns[number].steps {
      let step = unsafe patterns.steps(of: number)[index]
      switch step.kind {
      case .string: nodes[step.node].strings &+= uses
      case .number: nodes[step.node].numbers &+= uses
      // Counted directly.
      case .bool: break
      case .null: nodes[step.node].nulls &+= uses
      case .array: nodes[step.node].arrays &+= uses
      case .object: nodes[step.node].objects &+= uses
      case .end: continue
      }
      if step.isFirst { nodes[step.node].records &+= uses }
      if step.isFirstWithMembers { nodes[step.node].recordsWithMembers &+= uses }
    }
  }

  /// Drops the patterns: nodes will be renumbered or merged.
  mutating func forgetPatterns() {
    settle()
    for number in 0..<ShapePatterns.count { patterns[number] = ShapePattern() }
  }

  // MARK: Forms

  /// Replaces the pattern of a slot by the form of a record, if the pattern has matched too seldom.
  private mutating func learn(
    _ words: UnsafeBufferPointer<UInt64>, _ bytes: UnsafeRawBufferPointer, _ number: Int
  ) {
    guard patterns[number].pause == 0 else {
      patterns[number].pause &-= 1
      return
    }
    patterns[number].score &-= 1
    guard patterns[number].score < 0 else { return }
    settle(number)
    var pattern = ShapePattern()
    let patience = patterns[number].patience
    if patterns[number].words != 0 {
      pattern.pause = patience
      pattern.patience = min(patience * 2, 1 << 12)
    }
    if let steps = unsafe form(of: words, bytes, &pattern) {
      patterns.store(steps, at: number)
      pattern.words = words.count
      pattern.steps = steps.count
    } else {
      pattern.pause = 64
    }
    pattern.score = 4
    patterns[number] = pattern
  }

  /// Returns the steps of a record that was counted; `nil` if there are too many, or if a key has escapes.
  private func form(
    of words: UnsafeBufferPointer<UInt64>, _ bytes: UnsafeRawBufferPointer, _ pattern: inout ShapePattern
  ) -> [ShapeStep]? {
    guard words.count <= ShapePatterns.maxSteps else { return nil }
    var steps: [ShapeStep] = []
    var open: [(node: UInt32, isArray: Bool)] = []
    var seen: Set<UInt32> = []
    var seenWithMembers: Set<UInt32> = []
    var index = 0
    while index < words.count {
      var word = unsafe TapeWord(bits: words[index])
      index += 1
      var step = ShapeStep(kind: .end)
      if word.kind.isEnd {
        _ = open.popLast()
        steps.append(step)
        continue
      }
      step.node = Self.root
      if word.kind.isKey {
        guard let parent = open.last?.node, index < words.count, unsafe note(word, bytes, of: parent, in: &step) else {
          return nil
        }
        word = unsafe TapeWord(bits: words[index])
        index += 1
      } else if let parent = open.last {
        step.node = nodes[parent.node].element
      }
      step.nodeOffset = ShapeNodes.offset(of: step.node)
      pattern.values += 1
      step.valueNumber = UInt32(clamping: pattern.values)
      step.isFirst = seen.insert(step.node).inserted
      switch word.kind {
      case .string, .escapedString: step.kind = .string
      case .number: step.kind = .number
      case .true, .false: step.kind = .bool
      case .null: step.kind = .null
      case .arrayStart: step.kind = .array
      case .objectStart:
        step.kind = .object
        let hasMembers = unsafe index + 1 < words.count && TapeWord(bits: words[index + 1]).kind.isKey
        step.isFirstWithMembers = hasMembers && seenWithMembers.insert(step.node).inserted
      default: return nil
      }
      if word.kind.isStart {
        open.append((step.node, word.kind == .arrayStart))
        index += 1
      }
      steps.append(step)
    }
    return index == words.count && open.isEmpty ? steps : nil
  }

  /// Sets the expected key of a step. If the members are folded, any key matches. Returns false if no tape word can
  /// match the key.
  private func note(
    _ word: TapeWord, _ bytes: UnsafeRawBufferPointer, of parent: UInt32, in step: inout ShapeStep
  ) -> Bool {
    let folded = nodes[parent].anyMember
    if folded != 0 {
      step.node = folded
      step.keyMask = 0xE
      step.name.word = UInt32(EventKind.key.rawValue)
      return true
    }
    guard word.kind == .key, !word.isLong,
      let known = unsafe find(UnsafeRawBufferPointer(rebasing: bytes[word.textRange(in: bytes)]), of: parent)
    else { return false }
    step.node = known
    step.keyMask = UInt32(TapeWord.belowOffset)
    step.name = nodes[known].name
    return true
  }
}
