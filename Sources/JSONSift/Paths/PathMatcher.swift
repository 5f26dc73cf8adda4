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
    /// A name or index has been found: nothing else of this container can match.
    var isAnswered = false
  }

  private let path: JSONPath
  private let names: [[UInt8]]
  private let isDefinite: Bool
  private let limit: Int
  private var levels: [Level] = []
  /// Open containers that are passed over.
  private var passing = 0
  /// A container that matches and is still open.
  private var capture: Capture?
  /// Matches that nobody has taken yet.
  var queue = MatchQueue()

  private struct Capture {
    let start: Int
    var capturedTo: Int
    var depth: Int
  }

  init(_ path: JSONPath, limits: JSONLimits) {
    self.path = path
    names = path.segments.map { if case .name(let name) = $0 { Array(name.utf8) } else { [] } }
    isDefinite = path.isDefinite
    limit = limits.recordBytes
  }

  mutating func take(_ batch: WordBatch) throws(JSONError) -> Bool {
    let words = unsafe batch.words
    var index = YajlContext.headerWords
    while index < words.count {
      let word = unsafe EventWord(bits: words[index])
      let kind = word.kind
      if capture != nil {
        index += kind.isStart ? 2 : 1
        if try captured(word, batch), isDefinite { return false }
        continue
      }
      if passing > 0 {
        passing += kind.isStart ? 1 : (kind.isEnd ? -1 : 0)
        index = unsafe kind.isStart && passOver(words, &index) ? index : index + (kind.isStart ? 2 : 1)
        continue
      }
      if kind.isEnd {
        // The children of a container on the path are over. Of a definite path that was the only one.
        _ = levels.popLast()
        if isDefinite { return false }
        index += 1
        continue
      }
      if kind.isKey {
        select(key: word, batch)
        index += 1
        continue
      }
      let isSelected = selectsValue()
      if isSelected, levels.count == path.segments.count {
        try begin(word, batch)
        index += kind.isStart ? 2 : 1
        if capture == nil, isDefinite { return false }
      } else if kind.isStart {
        if isSelected, canHold(kind) {
          levels.append(Level(isObject: kind == .objectStart))
          index += 2
        } else if isSelected, isDefinite {
          return false
        } else {
          passing = 1
          if unsafe !passOver(words, &index) { index += 2 }
        }
      } else {
        if isSelected, isDefinite { return false }
        index += 1
      }
    }
    try captureRest(of: batch)
    return true
  }

  /// Jumps over the container at `index`, if it is closed in this window.
  private mutating func passOver(_ words: UnsafeBufferPointer<UInt64>, _ index: inout Int) -> Bool {
    let link = unsafe EventWord(bits: words[index + 1])
    guard link.bits != 0 else { return false }
    index = link.linkedIndex
    passing -= 1
    return true
  }

  /// Where a match begins that is not complete.
  var openMatchStart: Int? { capture?.start }

  // MARK: Selection

  private mutating func select(key word: EventWord, _ batch: WordBatch) {
    guard let last = levels.indices.last else { return }
    switch path.segments[last] {
    case .wildcard: levels[last].isKeySelected = true
    case .index: levels[last].isKeySelected = false
    case .name:
      let isMatch = !levels[last].isAnswered && batch.text(of: word, equals: names[last])
      levels[last].isKeySelected = isMatch
      if isMatch { levels[last].isAnswered = true }
    }
  }

  /// Whether the value that begins now is selected by the segment of its container.
  private mutating func selectsValue() -> Bool {
    guard let last = levels.indices.last else { return true }
    if levels[last].isObject { return levels[last].isKeySelected }
    defer { levels[last].position += 1 }
    switch path.segments[last] {
    case .wildcard: return true
    case .index(let index): return index == levels[last].position
    case .name: return false
    }
  }

  /// Whether the next segment can select in a container of this kind.
  private func canHold(_ kind: EventKind) -> Bool {
    switch path.segments[levels.count] {
    case .wildcard: true
    case .index: kind == .arrayStart
    case .name: kind == .objectStart
    }
  }

  // MARK: Matches

  private mutating func begin(_ word: EventWord, _ batch: WordBatch) throws(JSONError) {
    let start = batch.origin &+ word.offset
    queue.begin(at: start)
    queue.append(word, origin: batch.origin)
    if word.kind.isStart {
      capture = Capture(start: start, capturedTo: start, depth: 1)
    } else {
      try end(at: batch.end(of: word), batch, from: start)
    }
  }

  /// Takes one event of a match. Returns whether the match is complete.
  private mutating func captured(_ word: EventWord, _ batch: WordBatch) throws(JSONError) -> Bool {
    guard var open = capture else { return false }
    queue.append(word, origin: batch.origin)
    open.depth += word.kind.isStart ? 1 : (word.kind.isEnd ? -1 : 0)
    capture = open
    guard open.depth == 0 else { return false }
    capture = nil
    try end(at: batch.origin &+ word.offset &+ 1, batch, from: open.capturedTo, start: open.start)
    return true
  }

  private mutating func end(
    at end: Int, _ batch: WordBatch, from capturedTo: Int, start: Int? = nil
  ) throws(JSONError) {
    try keep(batch, from: capturedTo, to: end, of: start ?? capturedTo)
    queue.end(at: end)
  }

  /// Keeps the bytes of an open match before the window goes.
  private mutating func captureRest(of batch: WordBatch) throws(JSONError) {
    guard let open = capture else { return }
    let end = unsafe batch.origin &+ batch.window.count
    guard end > open.capturedTo else { return }
    try keep(batch, from: open.capturedTo, to: end, of: open.start)
    capture?.capturedTo = end
  }

  private mutating func keep(_ batch: WordBatch, from: Int, to: Int, of start: Int) throws(JSONError) {
    guard to - start <= limit else {
      capture = nil
      queue.drop()
      throw JSONError(.recordLimit, at: start, number: limit)
    }
    let range = (from - batch.origin)..<(to - batch.origin)
    unsafe queue.append(UnsafeRawBufferPointer(rebasing: batch.window[range]))
  }
}

extension WordBatch {
  /// Whether a key is these bytes, once its escapes are decoded.
  func text(of word: EventWord, equals name: [UInt8]) -> Bool {
    let raw = unsafe UnsafeRawBufferPointer(rebasing: window[word.textRange(in: window)])
    guard word.kind.isEscaped else {
      return unsafe raw.count == name.count && name.withUnsafeBytes { unsafe $0.elementsEqualMemory(raw, at: 0) }
    }
    return unsafe EscapedText.decode(raw).utf8.elementsEqual(name)
  }

  /// The offset in the input after an event.
  func end(of word: EventWord) -> Int {
    guard word.isLong else { return origin &+ word.end }
    let text = unsafe word.textRange(in: window)
    return origin &+ text.upperBound &+ (word.kind == .number ? 0 : 1)
  }
}
