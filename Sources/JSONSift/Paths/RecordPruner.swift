/// Makes documents of records of which only what some queries can select has been parsed.
///
/// The cursor goes over the structure of a record, and the automaton of the queries says of each value whether it is passed
/// over, entered or wanted, as in ``PathForwarder``. But here a record is there as a whole, and what comes out is a
/// document of the same text with a tape of its own: containers that lead to something, and what is wanted in them. So
/// whoever asks the queries, and in which order, does it as of any document:
///
/// - A member that nothing can select is left out. An element stays as `null`, so that the others keep their positions.
/// - What could have led to something, but is of the wrong kind, is `null` too: the first member of a name stays the first.
/// - All that a query can hand out is there as it is in the text. Of a container that only leads there the last bytes may be
///   told wrong.
///
/// It judges nothing. Where anything is odd, there is no document, and the record is parsed as a whole: so records that are
/// bad are so for the reason that they have without this.
struct RecordPruner: ~Copyable {
  private struct Open: BitwiseCopyable {
    /// The index of the word that it begins with.
    let start: Int
    var children = 0
  }

  private let limits: JSONLimits
  private var cursor: SkipCursor
  private var path: PathCursor
  private var values: SubtreeParser
  private var scalars = ScalarBatch()
  /// The tape, with its header.
  private var words = PlainVector<UInt64>()
  private var open = Open(start: 0)
  private var outer = PlainVector<Open>()
  /// The key of the next value.
  private var key = EventWord(bits: 0)
  private var stateNames = StateNames()
  private var last: Document?

  private init(_ automaton: consuming PathAutomaton, _ options: JSONOptions) {
    path = PathCursor(automaton)
    limits = options.limits
    cursor = SkipCursor(limits: options.limits)
    values = SubtreeParser(options: options)
    last = nil
  }

  /// One for some queries; `nil` if they can ask for all of a record, so that nothing can be passed over.
  static func of(_ queries: [PathQuery], options: JSONOptions) -> RecordPruner? {
    guard !queries.isEmpty else { return nil }
    do throws(JSONError) {
      var plans: [StreamPlan] = []
      for query in queries { plans.append(try StreamPlan(query)) }
      let automaton = try PathAutomaton(plans)
      return automaton.needsWholeText ? nil : RecordPruner(automaton, options)
    } catch {
      return nil
    }
  }

  /// The document of a record.
  ///
  /// - Parameters:
  ///   - text: All of the record. It has been seen that it is strict UTF-8.
  ///   - first: How many bytes before the record are copied with it, and are no part of it.
  ///   - offset: Where the text begins in the input.
  /// - Returns: `nil` if the record is to be parsed as a whole.
  mutating func document(of text: UnsafeRawBufferPointer, from first: Int = 0, at offset: Int) -> Document? {
    do throws(JSONError) {
      guard try unsafe read(text, from: first, at: offset), scalars.count == 0 || scalars.areGood(values: &values),
        words.byteCount <= max(limits.tapeBytes, 4096)
      else {
        reset()
        return nil
      }
    } catch {
      reset()
      return nil
    }
    scalars.removeAll()
    let document = Document.reusing(&last)
    unsafe document.setSource(copying: text, origin: offset)
    unsafe words.withBytes { unsafe document.setTape(copying: $0) }
    return document
  }

  /// Forgets a record that was left in the middle.
  private mutating func reset() {
    scalars.removeAll()
    outer.removeAll()
    while path.depth > 0 { path.leave() }
  }

  /// Goes over a record. `false` if it is to be parsed as a whole.
  private mutating func read(
    _ text: UnsafeRawBufferPointer, from first: Int, at offset: Int
  ) throws(JSONError) -> Bool {
    words.removeAll()
    for _ in 0..<Int(Document.root) { words.append(0) }
    open = Open(start: 0)
    cursor = SkipCursor(limits: limits)
    cursor.begin(windowAt: offset)
    cursor.move(to: first)
    while true {
      let names = stateNames.names(at: path)
      switch try unsafe cursor.next(text, isLast: true, names: names) {
      case .more:
        try unsafe cursor.finish(text)
        return path.depth == 0 && words.count > Int(Document.root)
      case .key:
        guard try unsafe readKey(text, isName: names != nil) else { return false }
        if names != nil, path.level.target == PathAutomaton.dead { cursor.passMember() }
      case .member:
        guard try unsafe readKey(text, isName: true) else { return false }
        if path.level.target == PathAutomaton.dead {
          cursor.passMember()
        } else {
          try unsafe cursor.requireValue(text)
          guard try unsafe value(text) else { return false }
        }
      case .end:
        for _ in 0..<cursor.levelsLeft { leave() }
        cursor.passRest(ofLevels: path.levelsOver())
      case .value:
        guard try unsafe value(text) else { return false }
      }
    }
  }

  // MARK: Keys

  /// Takes the key at which the cursor has stopped. `false` if only a parser can tell what it is.
  ///
  /// - Parameter isName: It was looked for by name, so it is one, or may be one that is spelled with escapes.
  @inline(__always)
  private mutating func readKey(_ text: UnsafeRawBufferPointer, isName: Bool) throws(JSONError) -> Bool {
    let range = cursor.key
    let count = range.count &- 2
    guard !cursor.keyIsEscaped, count < EventWord.longLength else { return false }
    key = EventWord(.key, at: range.lowerBound, length: count)
    // A name may be one that no key can have as it stands.
    guard unsafe isPlain(text, (range.lowerBound &+ 1)..<(range.upperBound &- 1)) else { return false }
    if let number = cursor.keyName {
      try path.select(name: number)
    } else {
      let batch = unsafe WordBatch(words: UnsafeBufferPointer(start: nil, count: 0), window: text, origin: 0)
      _ = try path.select(path.name(of: key, batch))
    }
    return true
  }

  /// Whether no control character is there.
  @inline(__always)
  private func isPlain(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    for index in range where unsafe text[index] < ASCII.space { return false }
    return true
  }

  // MARK: Values

  /// Decides about the value at which the cursor stands. `false` if the record is to be parsed as a whole.
  @inline(__always)
  private mutating func value(_ text: UnsafeRawBufferPointer) throws(JSONError) -> Bool {
    let first = unsafe text[cursor.position]
    let isObject = first == ASCII.openBrace
    let isStart = isObject || first == ASCII.openBracket
    let isMember = cursor.isInObject
    let state = try path.nextState()
    guard state != PathAutomaton.dead else {
      if !isMember { appendNothing() }
      cursor.pass(first)
      return true
    }
    // A record that is a scalar.
    if path.depth == 0, !isStart { return false }
    if isMember { words.append(key.bits) }
    let glance = path.glance(at: state)
    if glance.hasAccepts || isStart && glance.isDescending {
      guard unsafe isStart ? container(text, first) : scalar(text, first) else { return false }
      cursor.passRest(ofLevels: path.levelsOver())
    } else if isStart, glance.hasItems {
      let start = cursor.position
      try cursor.enter(asObject: isObject)
      path.enter(state, glance, isObject: isObject, at: start)
      open.children &+= 1
      outer.append(open)
      open = Open(start: words.count)
      words.append(EventWord(isObject ? .objectStart : .arrayStart, at: start).bits)
      words.append(0)
      if isObject { try path.learnOtherMember() }
      cursor.passRest(ofLevels: path.levelsOver())
    } else {
      appendNothing()
      cursor.pass(first)
    }
    return true
  }

  /// Stands for a value in which nothing can be selected.
  @inline(__always)
  private mutating func appendNothing() {
    words.append(EventWord(.null, at: cursor.position).bits)
    open.children &+= 1
  }

  /// The innermost container has ended.
  @inline(__always)
  private mutating func leave() {
    let isObject = path.level.isObject
    words.append(EventWord(isObject ? .objectEnd : .arrayEnd, at: cursor.position &- 1).bits)
    words[open.start &+ 1] =
      UInt64(truncatingIfNeeded: open.children) &<< 32 | UInt64(truncatingIfNeeded: words.count)
    open = outer.popLast() ?? Open(start: 0)
    path.leave()
  }

  /// Takes a scalar, which is checked when the record has been gone over.
  @inline(__always)
  private mutating func scalar(_ text: UnsafeRawBufferPointer, _ first: UInt8) -> Bool {
    let start = cursor.position
    var end: Int
    if first == ASCII.quote {
      var escaped = false
      let rest = unsafe UnsafeRawBufferPointer(rebasing: text[(start &+ 1)...])
      guard let count = unsafe ByteScan.stringEnd(rest, escaped: &escaped) else { return false }
      end = start &+ count &+ 2
    } else {
      end = start
      while end < text.count, unsafe !text[end].endsWord { end &+= 1 }
    }
    unsafe scalars.append(text, start..<end, isMember: cursor.isInObject)
    words.append(unsafe EventWord(scalarIn: text, start..<end).bits)
    open.children &+= 1
    cursor.take(to: end)
    return true
  }

  /// Parses an array or object as a whole.
  private mutating func container(_ text: UnsafeRawBufferPointer, _ first: UInt8) -> Bool {
    let start = cursor.position
    var scan = ValueScan(after: first)
    guard let end = unsafe scan.end(in: text, from: start &+ 1),
      unsafe values.parse(text, start..<end, at: 0, depth: cursor.depth)
    else { return false }
    let found = unsafe values.batch.words
    // Its words count from its own first byte, and its links from its own first word.
    let shift = UInt64(truncatingIfNeeded: start) &<< EventWord.offsetShift
    let links = UInt64(truncatingIfNeeded: words.count &- YajlContext.headerWords)
    var index = YajlContext.headerWords
    while index < found.count {
      let word = unsafe EventWord(bits: found[index])
      words.append(word.bits &+ shift)
      index &+= 1
      guard word.kind.isStart, index < found.count else { continue }
      words.append(unsafe found[index] &+ links)
      index &+= 1
    }
    open.children &+= 1
    cursor.take(to: end)
    return true
  }
}
