/// Leads a sink through one document of which only the values that it wants are parsed.
///
/// The cursor finds keys and containers; the sink says of each value whether it is passed over, entered or wanted.
/// Wanted scalars of a window are parsed together at its end, and become matches before that: if one of them proves
/// wrong, it and what came behind it are taken back. A wanted container that is short and complete in the window is
/// parsed beside others; a value that is not has a parser of its own, which is fed window by window, so that memory
/// stays flat.
struct SkippingTraversal: ~Copyable {
  var cursor: SkipCursor
  private var values: SubtreeParser
  private var scalars = ScalarBatch()
  private let options: JSONOptions
  /// All of the text is checked, before this goes over it.
  private let isChecked: Bool
  /// The window is known to be JSON, so nothing that is wanted can be refused.
  private var isProven = false
  var stateNames = StateKeys()
  var brackets = BracketScan()
  /// The index of the window from which the marks count that are left, and the first of them.
  var marksStart: Int?
  var nextMark = 0
  private(set) var trees = ArrayTrieScanner()
  /// The parser of the value that is open at the end of a window, and where that value ends.
  private var open: ChunkedParser?
  private var openScan = ValueScan(after: ASCII.quote)

  init(options: JSONOptions, isChecked: Bool) {
    self.options = options
    self.isChecked = isChecked
    // What is checked has met no limit: whoever checks tells of one.
    var limits = options.limits
    if isChecked { (limits.depth, limits.keyBytes) = (.max, .max) }
    cursor = SkipCursor(limits: limits)
    values = SubtreeParser(options: options)
    open = nil
  }

  /// Goes over a window, which begins with the byte at which the last one was left.
  ///
  /// - Parameters:
  ///   - isLast: No bytes follow.
  ///   - isProven: The window is known to be JSON. Where all of the text is checked, an error stands behind one that is not.
  /// - Returns: How many bytes are done with. The others must be there again.
  mutating func read(
    _ window: UnsafeRawBufferPointer, at origin: Int, isLast: Bool, isProven: Bool,
    into sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Int {
    self.isProven = isProven
    marksStart = nil
    cursor.begin(windowAt: origin)
    sink.beginWindow()
    let used: Int
    do throws(JSONError) {
      used = try unsafe goOn(window, isLast: isLast, &sink)
    } catch {
      // What was wanted before it comes first.
      try unsafe checkScalars(window, &sink)
      throw error
    }
    try unsafe checkScalars(window, &sink)
    return used
  }

  private mutating func goOn(
    _ window: UnsafeRawBufferPointer, isLast: Bool, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Int {
    if open != nil, try unsafe !goOnWithOpen(window, isLast: isLast, &sink) { return cursor.position }
    while !sink.isAnswered {
      if isProven, sink.cursor.summary.isDescending, cursor.isAmongChildren {
        guard try unsafe walkBrackets(window, isLast: isLast, &sink) else { return cursor.position }
      }
      if cursor.isBehindElement {
        let end = try unsafe trees.read(
          window, from: cursor.position, at: cursor.origin, names: &stateNames, into: &sink, scalars: &scalars,
          isProven: isProven)
        cursor.passElements(to: end)
      }
      let names = stateNames.names(at: sink.cursor)
      switch try unsafe cursor.next(window, isLast: isLast, names: names) {
      case .more:
        if isLast { try unsafe cursor.finish(window) }
        return cursor.position
      case .key:
        try unsafe key(window, &sink)
        if names != nil, sink.nextIsDead { cursor.passMember() }
      case .member:
        try unsafe key(window, &sink)
        if sink.nextIsDead {
          cursor.passMember()
        } else {
          try unsafe cursor.requireValue(window)
          guard try unsafe value(window, isLast: isLast, &sink) else { return cursor.position }
        }
      case .end:
        for _ in 0..<cursor.levelsLeft { try sink.skipEnd() }
        cursor.passRest(ofLevels: sink.levelsOver())
      case .value:
        guard try unsafe value(window, isLast: isLast, &sink) else { return cursor.position }
      }
    }
    return cursor.position
  }

  /// Tells the sink of a key.
  @inline(__always)
  private mutating func key(
    _ window: UnsafeRawBufferPointer, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) {
    if let name = cursor.keyName {
      try sink.skipName(name)
    } else if try unsafe sink.skipKey(cursor.key, isEscaped: cursor.keyIsEscaped, in: window), !isProven {
      try unsafe checkKey(window)
    }
  }

  /// Decides about the value at which the cursor stands. `false` if it goes on behind the window.
  @inline(__always)
  mutating func value(
    _ window: UnsafeRawBufferPointer, isLast: Bool, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Bool {
    let first = unsafe window[cursor.position]
    let isObject = first == ASCII.openBrace
    let isStart = isObject || first == ASCII.openBracket
    let (turn, state) = try sink.turn(isStart: isStart, isObject: isObject, entersDescendants: isChecked)
    switch turn {
    case .pass:
      if !isStart, isProven, sink.cursor.summary.isDescending,
        case var scan = ValueScan(after: first), let end = unsafe scan.end(in: window, from: cursor.position + 1)
      {
        // So the walk can go on behind it.
        try sink.skipPast(state, isStart: false)
        cursor.take(to: end)
        return true
      }
      // Behind a scalar the reading may stop.
      if isChecked, !isStart, sink.canStop, state != PathAutomaton.dead,
        unsafe !isComplete(window, first, isLast: isLast)
      {
        return false
      }
      try sink.skipPast(state, isStart: isStart)
      cursor.pass(first)
    case .enter:
      let start = cursor.offset
      try cursor.enter(asObject: isObject)
      try unsafe sink.skipEnter(state, isObject: isObject, at: start, key: nil, in: window)
      cursor.passRest(ofLevels: sink.levelsOver())
    case .parse:
      if !isStart, let plan = sink.onlyPlan(at: state),
        let (word, end) = unsafe scalar(window, cursor.position, first)
      {
        if !isProven { unsafe scalars.append(window, cursor.position..<end, isMember: cursor.isInObject) }
        try unsafe sink.skipScalar(word, plan, window, at: cursor.origin)
        cursor.take(to: end)
      } else {
        guard try unsafe parse(window, first, state, isLast: isLast, &sink) else { return false }
      }
      cursor.passRest(ofLevels: sink.levelsOver())
    }
    return true
  }

  /// Whether the scalar at which the cursor stands is there as a whole, with nothing wrong in it.
  private mutating func isComplete(_ window: UnsafeRawBufferPointer, _ first: UInt8, isLast: Bool) -> Bool {
    var scan = ValueScan(after: first)
    let start = cursor.position
    let end = unsafe scan.end(in: window, from: start + 1)
    guard end != nil || isLast else { return false }
    return unsafe isProven
      || values.parse(window, start..<(end ?? window.count), at: cursor.origin, depth: max(cursor.depth, 1))
  }

  // MARK: Scalars

  /// The event that the scalar at `start` is, and its end, if all that can be wrong with it is seen later;
  /// `nil` too if its end is not in the window.
  @inline(__always)
  func scalar(_ window: UnsafeRawBufferPointer, _ start: Int, _ first: UInt8) -> (word: TapeWord, end: Int)? {
    var end: Int
    if first == ASCII.quote {
      var escaped = false
      let rest = unsafe UnsafeRawBufferPointer(rebasing: window[(start &+ 1)...])
      guard let count = unsafe ByteScan.stringEnd(rest, escaped: &escaped), count < ScalarBatch.longest else {
        return nil
      }
      end = start &+ count &+ 2
    } else {
      let limit = min(window.count, start &+ ScalarBatch.longest)
      end = start
      while end < limit, unsafe !window[end].endsWord { end &+= 1 }
      guard end < limit, unsafe Self.endsValue(window[end]) else { return nil }
    }
    return unsafe (TapeWord(scalarIn: window, start..<end), end)
  }

  /// Parses the scalars that were wanted in this window.
  ///
  /// - Throws: What is wrong with the first that is not good. Matches are taken back from it on.
  private mutating func checkScalars(
    _ window: UnsafeRawBufferPointer, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) {
    defer { scalars.removeAll() }
    guard scalars.count > 0, !scalars.areGood(values: &values) else { return }
    for index in 0..<scalars.count {
      let (range, isMember) = scalars[index]
      do throws(JSONError) {
        try unsafe check(window, range, isMember: isMember)
      } catch {
        sink.takeBack(from: cursor.origin + range.lowerBound)
        throw error
      }
    }
  }

  /// Parses a scalar in its surroundings.
  private func check(_ window: UnsafeRawBufferPointer, _ range: Range<Int>, isMember: Bool) throws(JSONError) {
    var parser = try alone(at: cursor.origin + range.lowerBound, in: [isMember])
    var sink = NoWords()
    try unsafe parser.feed(UnsafeRawBufferPointer(rebasing: window[range]), into: &sink)
    // Only what follows tells that a number or word has ended.
    do throws(JSONError) {
      try unsafe [ASCII.space].span.withUnsafeBytes { (blank) throws(JSONError) in
        try unsafe parser.feed(blank, into: &sink)
      }
    } catch {
      throw unsafe found(error, behind: range.upperBound, in: window)
    }
  }

  /// An error at a blank that was put behind a value: what stands there is told instead.
  private func found(_ error: JSONError, behind end: Int, in window: UnsafeRawBufferPointer) -> JSONError {
    guard error.found != nil, error.byteOffset == cursor.origin + end, end < window.count else { return error }
    return unsafe JSONError(
      error.code, at: error.byteOffset, found: .init(byte: window[end]), expected: error.expected)
  }

  /// Parses the value at which the cursor stands, as far as it is there. `false` if it goes on behind the window.
  private mutating func parse(
    _ window: UnsafeRawBufferPointer, _ first: UInt8, _ state: Int, isLast: Bool,
    _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Bool {
    var scan = ValueScan(after: first)
    let start = cursor.position
    let end = unsafe scan.end(in: window, from: start + 1)
    if isProven, scan.form == .container, let end, let plan = sink.textPlan(at: state, bytes: end - start) {
      let kind: EventKind = first == ASCII.openBrace ? .objectStart : .arrayStart
      try unsafe sink.skipText(plan, kind, start..<end, window, at: cursor.origin)
      cursor.take(to: end)
      return true
    }
    // Only the end of a number or word tells what it is, and that is not far.
    if scan.form == .word, end == nil, !isLast, window.count - start <= SubtreeParser.longest { return false }
    if let end, end - start <= SubtreeParser.longest, cursor.depth > 0,
      unsafe scan.form != .word || Self.endsValue(window[end]),
      // What is proven is no deeper than it may be, and a parser that need not go deeper or back costs less.
      unsafe values.parse(
        window, start..<end, at: cursor.origin, depth: isProven ? 1 : cursor.depth, isProven: isProven)
    {
      _ = try sink.take(values.batch)
      cursor.take(to: end)
      return true
    }
    // Alone, in the surroundings that it has in the text.
    openScan = ValueScan(after: first)
    open = try alone(at: cursor.offset, in: cursor.containers.all)
    return try unsafe goOnWithOpen(window, isLast: isLast, &sink)
  }

  // MARK: A value with a parser of its own

  /// A parser in which containers are open, so that limits and errors are those of the text. Of each it says whether it
  /// is an object.
  private func alone(at offset: Int, in containers: [Bool]) throws(JSONError) -> ChunkedParser {
    var text: [UInt8] = []
    for isObject in containers { text += isObject ? Self.objectHead : [ASCII.openBracket] }
    var parser = ChunkedParser(options: options, origin: offset - text.count)
    var sink = NoWords()
    try unsafe text.span.withUnsafeBytes { (text) throws(JSONError) in try unsafe parser.feed(text, into: &sink) }
    return parser
  }

  private static let objectHead: [UInt8] = [ASCII.openBrace, ASCII.quote, ASCII.quote, ASCII.colon]

  /// Feeds the open value what the window has of it. `false` if it goes on behind the window.
  private mutating func goOnWithOpen(
    _ window: UnsafeRawBufferPointer, isLast: Bool, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Bool {
    guard var parser = open.take() else { return true }
    // Its first byte tells nothing more about its end.
    let start = cursor.position
    let end = unsafe openScan.end(in: window, from: start + (openHasBegun ? 0 : 1))
    try unsafe parser.feed(UnsafeRawBufferPointer(rebasing: window[start..<(end ?? window.count)]), into: &sink)
    guard let end else {
      openHasBegun = true
      cursor.move(to: window.count)
      if isLast { try parser.finish(into: &sink) }
      open = consume parser
      return false
    }
    if openScan.form == .word {
      // Only what follows tells that a number or word has ended.
      do throws(JSONError) {
        try unsafe [ASCII.space].span.withUnsafeBytes { (blank) throws(JSONError) in
          let wrong = unsafe Self.endsValue(window[end]) ? blank : UnsafeRawBufferPointer(rebasing: window[end...end])
          try unsafe parser.feed(wrong, into: &sink)
        }
      } catch {
        throw unsafe found(error, behind: end, in: window)
      }
    }
    openHasBegun = false
    cursor.take(to: end)
    cursor.passRest(ofLevels: sink.levelsOver())
    return true
  }

  /// The open value began in a window before.
  private var openHasBegun = false

  /// What may stand behind a value: the cursor looks at it again.
  static func endsValue(_ byte: UInt8) -> Bool {
    byte.isJSONWhitespace || byte == ASCII.comma || byte == ASCII.closeBrace || byte == ASCII.closeBracket
  }

  // MARK: Keys

  /// Checks a key that is part of a place, and is not one that is asked for as it stands.
  private func checkKey(_ window: UnsafeRawBufferPointer) throws(JSONError) {
    let text = (cursor.key.lowerBound + 1)..<(cursor.key.upperBound - 1)
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: window[text])
    let good = unsafe ByteScan.textPrefix(bytes)
    let checked = unsafe UnsafeRawBufferPointer(
      rebasing: window[..<(text.lowerBound + good + (good < bytes.count ? 0 : 1))])
    if case .wrong(let code, let place, let expected) = unsafe TokenFault(in: checked, at: cursor.key.lowerBound) {
      throw unsafe JSONError(
        code, at: cursor.origin + place, found: .init(byte: window[place]), expected: expected)
    }
    if good < bytes.count {
      let place = text.lowerBound + good
      let byte = unsafe window[place]
      guard byte == ASCII.verticalTab || byte == ASCII.formFeed else {
        throw JSONError(.invalidUTF8, at: cursor.origin + place)
      }
      throw JSONError(.controlCharacter, at: cursor.origin + place, found: .init(byte: byte), expected: .escapeOfControlCharacter)
    }
    if cursor.keyIsEscaped, options.loneSurrogates == .reject, let lone = unsafe SurrogateEscapes.firstLone(in: bytes) {
      throw JSONError(.loneSurrogate, at: cursor.origin + text.lowerBound + lone)
    }
  }
}

/// Takes nothing.
private struct NoWords: WordSink {
  mutating func take(_ batch: WordBatch) throws(JSONError) -> Bool { true }
}
