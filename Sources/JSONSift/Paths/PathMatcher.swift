/// Finds the matches of a path in the events of one document. Nothing is built but the matches.
///
/// The path has no descendants, so an open container lies on it at most once: the state is how many of the open
/// containers do, and for each of them how far its children have come. A container that cannot match is passed by its
/// link, or by counting where it is not closed in the same window.
struct PathMatcher: WordSink {
  /// An open container on the path.
  private struct Level {
    let isObject: Bool
    var position = 0
    /// The member that comes next is selected.
    var isKeySelected = false
    /// A name has been found: no other member can match.
    var isAnswered = false
  }

  /// A segment without references, so that no event counts any.
  private struct Step {
    enum Kind { case name, index, wildcard }
    let kind: Kind
    var index = 0
    /// The place of the name in `names`.
    var name = 0..<0
  }

  private struct Capture {
    let start: Int
    var capturedTo: Int
    var depth: Int
  }

  private let steps: [Step]
  private let names: [UInt8]
  private let isDefinite: Bool
  private let limits: JSONLimits
  /// The innermost open container on the path, and those around it.
  private var level = Level(isObject: false)
  private var outer: [Level] = []
  /// How many open containers lie on the path.
  private var depth = 0
  /// Open containers that are passed over.
  private var passing = 0
  /// A container that matches and is still open.
  private var capture: Capture?
  /// Matches that nobody has taken yet.
  var queue = MatchQueue()

  init(_ path: JSONPath, limits: JSONLimits) {
    var names: [UInt8] = []
    // `JSONMatches` has refused a path that has none.
    let segments = path.linearSegments ?? []
    steps = segments.map { segment in
      switch segment {
      case .wildcard: return Step(kind: .wildcard)
      case .index(let index): return Step(kind: .index, index: index)
      case .name(let name):
        let start = names.count
        names.append(contentsOf: name.utf8)
        return Step(kind: .name, name: start..<names.count)
      }
    }
    self.names = names
    // The root is answered when the text ends: there is nothing to stop early.
    isDefinite = path.isSingular && !segments.isEmpty
    self.limits = limits
  }

  mutating func take(_ batch: WordBatch) throws(JSONError) -> Bool {
    queue.compact()
    let words = unsafe batch.words
    var index = YajlContext.headerWords
    while index < words.count {
      let word = unsafe EventWord(bits: words[index])
      let kind = word.kind
      if capture != nil {
        index += kind.isStart ? 2 : 1
        if try captured(word, batch), isDefinite { return false }
      } else if passing > 0 {
        passing += kind.isStart ? 1 : (kind.isEnd ? -1 : 0)
        index = unsafe kind.isStart ? passOver(words, index) : index + 1
      } else if kind.isKey {
        select(key: word, batch)
        index += 1
      } else if kind.isEnd {
        // The children of a container on the path are over. Of a definite path that was the only one.
        if isDefinite { return false }
        leave()
        index += 1
      } else {
        let isSelected = selectsValue()
        if isSelected, depth == steps.count {
          try begin(word, batch)
          index += kind.isStart ? 2 : 1
          if capture == nil, isDefinite { return false }
        } else if isSelected, kind.isStart, canHold(kind) {
          enter(kind)
          index += 2
        } else if isSelected, isDefinite {
          return false
        } else if kind.isStart {
          passing = 1
          index = unsafe passOver(words, index)
        } else {
          index += 1
        }
      }
    }
    captureRest(of: batch)
    return true
  }

  /// The index after the container at `index`, if it is closed in this window; else the index of its first child.
  private mutating func passOver(_ words: UnsafeBufferPointer<UInt64>, _ index: Int) -> Int {
    let link = unsafe EventWord(bits: words[index + 1])
    guard link.bits != 0 else { return index + 2 }
    passing -= 1
    return link.linkedIndex
  }

  private mutating func enter(_ kind: EventKind) {
    outer.append(level)
    level = Level(isObject: kind == .objectStart)
    depth += 1
  }

  private mutating func leave() {
    guard let last = outer.popLast() else { return }
    level = last
    depth -= 1
  }

  /// Where a match begins that is not complete.
  var openMatchStart: Int? { capture?.start }

  // MARK: Selection

  private mutating func select(key word: EventWord, _ batch: WordBatch) {
    let step = steps[depth - 1]
    level.isKeySelected = step.kind == .wildcard
    // Most keys differ in length.
    guard step.kind == .name, !level.isAnswered,
      word.length == step.name.count || word.kind.isEscaped || word.isLong
    else { return }
    let isMatch = unsafe names.withUnsafeBytes { names in
      unsafe batch.text(of: word, equals: UnsafeRawBufferPointer(rebasing: names[step.name]))
    }
    level.isKeySelected = isMatch
    level.isAnswered = isMatch
  }

  /// Whether the value that begins now is selected by the segment of its container.
  private mutating func selectsValue() -> Bool {
    guard depth > 0 else { return true }
    if level.isObject { return level.isKeySelected }
    let step = steps[depth - 1]
    let position = level.position
    level.position += 1
    return step.kind == .wildcard || (step.kind == .index && step.index == position)
  }

  /// Whether the next segment can select in a container of this kind.
  private func canHold(_ kind: EventKind) -> Bool {
    switch steps[depth].kind {
    case .wildcard: true
    case .index: kind == .arrayStart
    case .name: kind == .objectStart
    }
  }

  // MARK: Matches

  private mutating func begin(_ word: EventWord, _ batch: WordBatch) throws(JSONError) {
    let start = batch.origin &+ word.offset
    if word.kind.isStart {
      queue.begin(at: start)
      queue.append(word, origin: batch.origin)
      capture = Capture(start: start, capturedTo: start, depth: 1)
    } else {
      let end = batch.end(of: word)
      try checkLimits(end: end, of: start)
      let range = word.offset..<(end - batch.origin)
      unsafe queue.append(scalar: word, UnsafeRawBufferPointer(rebasing: batch.window[range]), at: start)
    }
  }

  /// Takes one event of a match. Returns whether the match is complete.
  private mutating func captured(_ word: EventWord, _ batch: WordBatch) throws(JSONError) -> Bool {
    guard var open = capture else { return false }
    // By events, not by bytes that are there: a window may reach past an error.
    try checkLimits(end: batch.end(of: word), of: open.start)
    queue.append(word, origin: batch.origin)
    open.depth += word.kind.isStart ? 1 : (word.kind.isEnd ? -1 : 0)
    capture = open
    guard open.depth == 0 else { return false }
    capture = nil
    let end = batch.origin &+ word.offset &+ 1
    keep(batch, from: open.capturedTo, to: end)
    queue.end(at: end)
    return true
  }

  /// Keeps the bytes of an open match before the window goes.
  private mutating func captureRest(of batch: WordBatch) {
    guard let open = capture else { return }
    let end = unsafe batch.origin &+ batch.window.count
    guard end > open.capturedTo else { return }
    keep(batch, from: open.capturedTo, to: end)
    capture?.capturedTo = end
  }

  private mutating func keep(_ batch: WordBatch, from: Int, to: Int) {
    let range = (from - batch.origin)..<(to - batch.origin)
    unsafe queue.append(UnsafeRawBufferPointer(rebasing: batch.window[range]))
  }

  private mutating func checkLimits(end: Int, of start: Int) throws(JSONError) {
    guard end - start > limits.recordBytes || queue.pendingTapeBytes > limits.tapeBytes else { return }
    capture = nil
    queue.drop()
    throw end - start > limits.recordBytes
      ? JSONError(.recordLimit, at: start, number: limits.recordBytes)
      : JSONError(.tapeLimit, at: start, number: limits.tapeBytes)
  }
}

extension WordBatch {
  /// Whether a key is these bytes, once its escapes are decoded.
  func text(of word: EventWord, equals name: UnsafeRawBufferPointer) -> Bool {
    let raw = unsafe UnsafeRawBufferPointer(rebasing: window[word.textRange(in: window)])
    guard word.kind.isEscaped else { return unsafe raw.count == name.count && name.elementsEqualMemory(raw, at: 0) }
    return unsafe EscapedText.decode(raw).utf8.elementsEqual(name)
  }

  /// The offset in the input after an event.
  func end(of word: EventWord) -> Int {
    guard word.isLong else { return origin &+ word.end }
    let text = unsafe word.textRange(in: window)
    return origin &+ text.upperBound &+ (word.kind == .number ? 0 : 1)
  }
}
