/// Drives a sink through one document that is validated, and parses only the values that the sink needs.
///
/// The cursor finds keys and containers. For each value, the sink decides whether to skip, enter or parse it. The needed
/// scalars of a window become matches as they are read. A needed container that is short and complete in the window is
/// parsed by a parser that all such containers share. Any other needed value gets a parser of its own, which is fed window
/// by window, so that memory use is constant.
struct SkippingTraversal: ~Copyable {
  var cursor: SkipCursor
  private var values: SubtreeParser
  private let options: JSONOptions
  var stateNames = StateKeys()
  /// The index of a chunk of the window.
  var tokens = TokenIndex(isLines: false)
  private(set) var tries = ArrayTrieScanner()
  /// The parser of the value that is open at the end of a window.
  private var open: ChunkedParser?
  /// The scan for the end of that value.
  private var openScan = ValueScan(after: ASCII.quote)

  init(options: JSONOptions) {
    self.options = options
    cursor = SkipCursor()
    values = SubtreeParser(options: options)
    open = nil
  }

  /// Reads a window, which begins with the byte at which the last window was left.
  ///
  /// - Parameters:
  ///   - isLast: Whether no bytes follow, so that a number or literal at the end of the window is complete.
  /// - Returns: The number of bytes that were consumed. The next window must begin with the others.
  mutating func read(
    _ window: UnsafeRawBufferPointer, at origin: Int, isLast: Bool, into sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Int {
    cursor.begin(windowAt: origin)
    sink.beginWindow()
    if open != nil, try unsafe !feedOpen(window, isLast: isLast, &sink) { return cursor.position }
    while !sink.isAnswered {
      if sink.cursor.summary.isDescending, cursor.isAmongChildren {
        guard try unsafe walkTokens(window, isLast: isLast, &sink) else { return cursor.position }
      }
      if cursor.isAfterElement {
        let end = try unsafe tries.read(
          window, from: cursor.position, at: cursor.origin, names: &stateNames, &tokens, into: &sink)
        cursor.moveAfterElement(to: end)
      }
      let names = stateNames.names(at: sink.cursor)
      switch unsafe cursor.next(window, names: names, &tokens) {
      case .more: return cursor.position
      case .key: try unsafe sink.selectKey(cursor.key, in: window)
      case .member:
        try unsafe sink.selectKey(cursor.key, in: window)
        guard try unsafe value(window, isLast: isLast, &sink) else { return cursor.position }
      case .end:
        for _ in 0..<cursor.levelsLeft { try sink.leaveContainer() }
        cursor.skipRest(ofLevels: sink.finishedLevels())
      case .value:
        guard try unsafe value(window, isLast: isLast, &sink) else { return cursor.position }
      }
    }
    return cursor.position
  }

  /// Skips, enters or parses the value at the cursor. Returns `false` if the value continues after the window.
  mutating func value(
    _ window: UnsafeRawBufferPointer, isLast: Bool, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Bool {
    let first = unsafe window[cursor.position]
    let isObject = first == ASCII.openBrace
    let isStart = isObject || first == ASCII.openBracket
    let (decision, state) = try sink.decision(isStart: isStart, isObject: isObject)
    switch decision {
    case .skip:
      if !isStart, sink.cursor.summary.isDescending,
        case var scan = ValueScan(after: first), let end = unsafe scan.end(in: window, from: cursor.position + 1)
      {
        // The scalar ends in the window, so the walk along the index can continue after it.
        try sink.skipValue(state, isStart: false)
        cursor.take(to: end)
        return true
      }
      // Reading may stop after this scalar, so it must be complete.
      if !isStart, sink.canStop, state != PathAutomaton.dead, unsafe !isComplete(window, first, isLast: isLast) {
        return false
      }
      try sink.skipValue(state, isStart: isStart)
      cursor.skipValue(first)
    case .enter:
      let start = cursor.offset
      cursor.enter(asObject: isObject)
      try unsafe sink.enterContainer(state, isObject: isObject, at: start, key: nil, in: window)
      cursor.skipRest(ofLevels: sink.finishedLevels())
    case .parse:
      if !isStart, let plan = sink.onlyPlan(at: state),
        let (word, end) = unsafe scalar(window, cursor.position, first)
      {
        try unsafe sink.matchScalar(word, plan, window, at: cursor.origin)
        cursor.take(to: end)
      } else {
        guard try unsafe parse(window, first, state, isLast: isLast, &sink) else { return false }
      }
      cursor.skipRest(ofLevels: sink.finishedLevels())
    }
    return true
  }

  /// Returns whether the window contains the scalar at the cursor up to its end.
  private func isComplete(_ window: UnsafeRawBufferPointer, _ first: UInt8, isLast: Bool) -> Bool {
    var scan = ValueScan(after: first)
    // The end of the text completes a number or literal, and never a string.
    return unsafe scan.end(in: window, from: cursor.position + 1) != nil || isLast && first != ASCII.quote
  }

  // MARK: Scalars

  /// Returns the event and the end of the scalar at `start`; `nil` if it is long, or if its end is not in the window.
  func scalar(_ window: UnsafeRawBufferPointer, _ start: Int, _ first: UInt8) -> (word: TapeWord, end: Int)? {
    var end: Int
    if first == ASCII.quote {
      var escaped = false
      let rest = unsafe UnsafeRawBufferPointer(rebasing: window[(start &+ 1)...])
      guard let count = unsafe ByteScan.stringEnd(rest, escaped: &escaped), count < SubtreeParser.maxLength else {
        return nil
      }
      end = start &+ count &+ 2
    } else {
      let limit = min(window.count, start &+ SubtreeParser.maxLength)
      end = start
      while end < limit, unsafe !window[end].endsNumberOrLiteral { end &+= 1 }
      guard end < limit else { return nil }
    }
    return unsafe (TapeWord(scalarIn: window, start..<end), end)
  }

  /// Parses the value at the cursor, as far as the window contains it. Returns `false` if it continues after the window.
  private mutating func parse(
    _ window: UnsafeRawBufferPointer, _ first: UInt8, _ state: Int, isLast: Bool,
    _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Bool {
    var scan = ValueScan(after: first)
    let start = cursor.position
    let end = unsafe scan.end(in: window, from: start + 1)
    if scan.form == .container, let end, let plan = sink.textPlan(at: state, bytes: end - start) {
      let kind: EventKind = first == ASCII.openBrace ? .objectStart : .arrayStart
      try unsafe sink.matchText(plan, kind, start..<end, window, at: cursor.origin)
      cursor.take(to: end)
      return true
    }
    // A number or literal can be classified only at its end, which is near.
    if scan.form == .numberOrLiteral, end == nil, !isLast, window.count - start <= SubtreeParser.maxLength {
      return false
    }
    if let end, end - start <= SubtreeParser.maxLength, cursor.depth > 0,
      unsafe values.parse(window, start..<end, at: cursor.origin)
    {
      _ = try sink.take(values.batch)
      cursor.take(to: end)
      return true
    }
    // Parses the value alone.
    openScan = ValueScan(after: first)
    open = ChunkedParser(options: options, origin: cursor.offset)
    return try unsafe feedOpen(window, isLast: isLast, &sink)
  }

  // MARK: A value with a parser of its own

  /// Feeds the open value the bytes of the window that belong to it. Returns `false` if it continues after the window.
  private mutating func feedOpen(
    _ window: UnsafeRawBufferPointer, isLast: Bool, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Bool {
    guard var parser = open.take() else { return true }
    // The scan has already read the first byte of the value.
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
    if openScan.form == .numberOrLiteral {
      // Only the following byte ends a number or literal.
      try unsafe [ASCII.space].span.withUnsafeBytes { (blank) throws(JSONError) in
        try unsafe parser.feed(blank, into: &sink)
      }
    }
    openHasBegun = false
    cursor.take(to: end)
    cursor.skipRest(ofLevels: sink.finishedLevels())
    return true
  }

  /// Whether the open value began in an earlier window.
  private var openHasBegun = false
}
