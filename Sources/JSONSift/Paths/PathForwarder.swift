/// Leads a matcher through one document of which only the values that it wants are parsed.
///
/// The cursor finds keys and containers; the matcher says of each value whether it is passed over, entered or wanted. A
/// wanted value that is short and complete in the window is parsed beside others; one that is not has a parser of its own,
/// which is fed window by window, so that memory stays flat.
struct PathForwarder: ~Copyable {
  private var cursor: SkipCursor
  private var values: SubtreeParser
  private let options: JSONOptions
  /// The parser of the value that is open at the end of a window, and where that value ends.
  private var open: ChunkedParser?
  private var openScan = ValueScan(ofObject: false)

  init(options: JSONOptions) {
    self.options = options
    cursor = SkipCursor(limits: options.limits)
    values = SubtreeParser(options: options)
    open = nil
  }

  /// Goes over a window, which begins with the byte at which the last one was left.
  ///
  /// - Parameter isLast: No bytes follow.
  /// - Returns: How many bytes are done with. The others must be there again.
  mutating func read(
    _ window: UnsafeRawBufferPointer, at origin: Int, isLast: Bool, into matcher: inout PathMatcher
  ) throws(JSONError) -> Int {
    cursor.begin(windowAt: origin)
    matcher.queue.compact()
    if open != nil, try unsafe !goOnWithOpen(window, isLast: isLast, &matcher) { return window.count }
    while !matcher.isAnswered {
      switch try unsafe cursor.next(window, isLast: isLast, lengths: matcher.wantedLengths) {
      case .more:
        if isLast { try unsafe cursor.finish(window) }
        return cursor.position
      case .key:
        if try unsafe matcher.forwardKey(cursor.key, isEscaped: cursor.keyIsEscaped, in: window) {
          try unsafe checkKey(window)
        }
        if matcher.nextIsDead, matcher.wantedLengths != 0 { cursor.passMember(lengths: matcher.wantedLengths) }
      case .member:
        if try unsafe matcher.forwardKey(cursor.key, isEscaped: cursor.keyIsEscaped, in: window) {
          try unsafe checkKey(window)
        }
        if matcher.nextIsDead {
          cursor.passMember(lengths: matcher.wantedLengths)
        } else {
          try unsafe cursor.requireValue(window)
          guard try unsafe value(window, isLast: isLast, &matcher) else { return window.count }
        }
      case .end:
        try matcher.forwardEnd()
        if matcher.restIsDead { cursor.passRest() }
      case .value:
        guard try unsafe value(window, isLast: isLast, &matcher) else { return window.count }
      }
    }
    return cursor.position
  }

  /// Decides about the value at which the cursor stands. `false` if it goes on behind the window.
  @inline(__always)
  private mutating func value(
    _ window: UnsafeRawBufferPointer, isLast: Bool, _ matcher: inout PathMatcher
  ) throws(JSONError) -> Bool {
    let first = unsafe window[cursor.position]
    let isObject = first == ASCII.openBrace
    let isStart = isObject || first == ASCII.openBracket
    let (turn, state) = try matcher.turn(isStart: isStart)
    switch turn {
    case .pass:
      try matcher.forwardPast(state, isStart: isStart)
      cursor.pass(first)
    case .enter:
      let start = cursor.offset
      try cursor.enter(asObject: isObject)
      try matcher.forwardEnter(state, isObject: isObject, at: start)
      if matcher.restIsDead { cursor.passRest() }
    case .parse:
      guard try unsafe parse(window, first, isLast: isLast, &matcher) else { return false }
      if matcher.restIsDead { cursor.passRest() }
    }
    return true
  }

  /// Parses the value at which the cursor stands, as far as it is there. `false` if it goes on behind the window.
  private mutating func parse(
    _ window: UnsafeRawBufferPointer, _ first: UInt8, isLast: Bool, _ matcher: inout PathMatcher
  ) throws(JSONError) -> Bool {
    var scan = ValueScan(after: first)
    let start = cursor.position
    let end = unsafe scan.end(in: window, from: start + 1)
    if let end, end - start <= SubtreeParser.longest, cursor.depth > 0,
      unsafe values.parse(window, start..<end, at: cursor.origin, depth: cursor.depth)
    {
      _ = try matcher.take(values.batch)
      cursor.take(to: end)
      return true
    }
    // Alone, in the surroundings that it has in the text.
    openScan = ValueScan(after: first)
    open = try alone(at: cursor.offset)
    return try unsafe goOnWithOpen(window, isLast: isLast, &matcher)
  }

  // MARK: A value with a parser of its own

  /// A parser in which the containers around the cursor are open, so that limits and errors are those of the text.
  private func alone(at offset: Int) throws(JSONError) -> ChunkedParser {
    var text: [UInt8] = []
    for isObject in cursor.objects { text += isObject ? Self.objectHead : [ASCII.openBracket] }
    var parser = ChunkedParser(options: options, origin: offset - text.count)
    var sink = NoWords()
    try unsafe text.span.withUnsafeBytes { (text) throws(JSONError) in try unsafe parser.feed(text, into: &sink) }
    return parser
  }

  private static let objectHead: [UInt8] = [ASCII.openBrace, ASCII.quote, ASCII.quote, ASCII.colon]

  /// Feeds the open value what the window has of it. `false` if it goes on behind the window.
  private mutating func goOnWithOpen(
    _ window: UnsafeRawBufferPointer, isLast: Bool, _ matcher: inout PathMatcher
  ) throws(JSONError) -> Bool {
    guard var parser = open.take() else { return true }
    // Its first byte tells nothing more about its end.
    let start = cursor.position
    let end = unsafe openScan.end(in: window, from: start + (openHasBegun ? 0 : 1))
    try unsafe matcher.feed(UnsafeRawBufferPointer(rebasing: window[start..<(end ?? window.count)]), through: &parser)
    guard let end else {
      openHasBegun = true
      cursor.move(to: window.count)
      if isLast { try matcher.finish(&parser) }
      open = consume parser
      return false
    }
    if openScan.form == .word {
      // Only what follows tells that a number or word has ended.
      try unsafe [ASCII.space].span.withUnsafeBytes { (blank) throws(JSONError) in
        let wrong = unsafe Self.endsValue(window[end]) ? blank : UnsafeRawBufferPointer(rebasing: window[end...end])
        try unsafe matcher.feed(wrong, through: &parser)
      }
    }
    openHasBegun = false
    cursor.take(to: end)
    if matcher.restIsDead { cursor.passRest() }
    return true
  }

  /// The open value began in a window before.
  private var openHasBegun = false

  /// What may stand behind a value: the cursor looks at it again.
  private static func endsValue(_ byte: UInt8) -> Bool {
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
      throw JSONError(.controlCharacter, at: cursor.origin + place, found: .init(byte: byte), expected: "an escape")
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
