/// Drives a sink through one document, and parses only the values that the sink needs.
///
/// The cursor finds keys and containers. For each value, the sink decides whether to skip, enter or parse it. The needed
/// scalars of a window become matches as they are read, and are validated together at the end of the window: if one of them
/// is invalid, it and all later matches are rolled back. A needed container that is short and complete in the window is
/// parsed by a parser that all such containers share. Any other needed value gets a parser of its own, which is fed window
/// by window, so that memory use is constant.
struct SkippingTraversal: ~Copyable {
  var cursor: SkipCursor
  private var values: SubtreeParser
  private var scalars = ScalarBatch()
  private let options: JSONOptions
  /// Whether all of the text is validated before this traversal reads it.
  private let isChecked: Bool
  /// Whether the current window is proven to be JSON, so that no needed value in it can be invalid.
  private var isProven = false
  var stateNames = StateKeys()
  var brackets = BracketScan()
  /// The index in the window from which the remaining marks count, `nil` without marks; and the index of the first of them.
  var marksStart: Int?
  var nextMark = 0
  private(set) var tries = ArrayTrieScanner()
  /// The parser of the value that is open at the end of a window.
  private var open: ChunkedParser?
  /// The scan for the end of that value.
  private var openScan = ValueScan(after: ASCII.quote)

  init(options: JSONOptions, isChecked: Bool) {
    self.options = options
    self.isChecked = isChecked
    // Validated text exceeds no limit: the validator would have reported it.
    var limits = options.limits
    if isChecked { (limits.depth, limits.keyBytes) = (.max, .max) }
    cursor = SkipCursor(limits: limits)
    values = SubtreeParser(options: options)
    open = nil
  }

  /// Reads a window, which begins with the byte at which the last window was left.
  ///
  /// - Parameters:
  ///   - isLast: Whether no bytes follow.
  ///   - isProven: Whether the window is known to be JSON. If the text is validated and this is false, the validator has
  ///     found an error, which the caller throws after this window.
  /// - Returns: The number of bytes that were consumed. The next window must begin with the others.
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
      used = try unsafe traverse(window, isLast: isLast, &sink)
    } catch {
      // Errors in needed scalars before the error take precedence.
      try unsafe checkScalars(window, &sink)
      throw error
    }
    try unsafe checkScalars(window, &sink)
    return used
  }

  private mutating func traverse(
    _ window: UnsafeRawBufferPointer, isLast: Bool, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Int {
    if open != nil, try unsafe !feedOpen(window, isLast: isLast, &sink) { return cursor.position }
    while !sink.isAnswered {
      if isProven, sink.cursor.summary.isDescending, cursor.isAmongChildren {
        guard try unsafe walkBrackets(window, isLast: isLast, &sink) else { return cursor.position }
      }
      if cursor.isAfterElement {
        let end = try unsafe tries.read(
          window, from: cursor.position, at: cursor.origin, names: &stateNames, into: &sink, scalars: &scalars,
          isProven: isProven)
        cursor.moveAfterElement(to: end)
      }
      let names = stateNames.names(at: sink.cursor)
      switch try unsafe cursor.next(window, isLast: isLast, names: names) {
      case .more:
        if isLast { try unsafe cursor.finish(window) }
        return cursor.position
      case .key:
        try unsafe key(window, &sink)
        if names != nil, sink.nextIsDead { cursor.skipMember() }
      case .member:
        try unsafe key(window, &sink)
        if sink.nextIsDead {
          cursor.skipMember()
        } else {
          try unsafe cursor.requireValue(window)
          guard try unsafe value(window, isLast: isLast, &sink) else { return cursor.position }
        }
      case .end:
        for _ in 0..<cursor.levelsLeft { try sink.leaveContainer() }
        cursor.skipRest(ofLevels: sink.finishedLevels())
      case .value:
        guard try unsafe value(window, isLast: isLast, &sink) else { return cursor.position }
      }
    }
    return cursor.position
  }

  /// Reports a key to the sink.
  private mutating func key(
    _ window: UnsafeRawBufferPointer, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) {
    if let name = cursor.keyName {
      try sink.selectName(name)
    } else if try unsafe sink.selectKey(cursor.key, isEscaped: cursor.keyIsEscaped, in: window), !isProven {
      try unsafe checkKey(window)
    }
  }

  /// Skips, enters or parses the value at the cursor. Returns `false` if the value continues after the window.
  mutating func value(
    _ window: UnsafeRawBufferPointer, isLast: Bool, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Bool {
    let first = unsafe window[cursor.position]
    let isObject = first == ASCII.openBrace
    let isStart = isObject || first == ASCII.openBracket
    let (decision, state) = try sink.decision(isStart: isStart, isObject: isObject, entersDescendants: isChecked)
    switch decision {
    case .skip:
      if !isStart, isProven, sink.cursor.summary.isDescending,
        case var scan = ValueScan(after: first), let end = unsafe scan.end(in: window, from: cursor.position + 1)
      {
        // The scalar ends in the window, so the walk from bracket to bracket can continue after it.
        try sink.skipValue(state, isStart: false)
        cursor.take(to: end)
        return true
      }
      // Reading may stop after this scalar, so it must be complete and valid.
      if isChecked, !isStart, sink.canStop, state != PathAutomaton.dead,
        unsafe !isComplete(window, first, isLast: isLast)
      {
        return false
      }
      try sink.skipValue(state, isStart: isStart)
      cursor.skipValue(first)
    case .enter:
      let start = cursor.offset
      try cursor.enter(asObject: isObject)
      try unsafe sink.enterContainer(state, isObject: isObject, at: start, key: nil, in: window)
      cursor.skipRest(ofLevels: sink.finishedLevels())
    case .parse:
      if !isStart, let plan = sink.onlyPlan(at: state),
        let (word, end) = unsafe scalar(window, cursor.position, first)
      {
        if !isProven { unsafe scalars.append(window, cursor.position..<end, isMember: cursor.isInObject) }
        try unsafe sink.matchScalar(word, plan, window, at: cursor.origin)
        cursor.take(to: end)
      } else {
        guard try unsafe parse(window, first, state, isLast: isLast, &sink) else { return false }
      }
      cursor.skipRest(ofLevels: sink.finishedLevels())
    }
    return true
  }

  /// Returns whether the scalar at the cursor is complete and valid.
  private mutating func isComplete(_ window: UnsafeRawBufferPointer, _ first: UInt8, isLast: Bool) -> Bool {
    var scan = ValueScan(after: first)
    let start = cursor.position
    let end = unsafe scan.end(in: window, from: start + 1)
    guard end != nil || isLast else { return false }
    return unsafe isProven
      || values.parse(window, start..<(end ?? window.count), at: cursor.origin, depth: max(cursor.depth, 1))
  }

  // MARK: Scalars

  /// Returns the event and the end of the scalar at `start`, if the later validation detects all possible errors in it;
  /// `nil` too if its end is not in the window.
  func scalar(_ window: UnsafeRawBufferPointer, _ start: Int, _ first: UInt8) -> (word: TapeWord, end: Int)? {
    var end: Int
    if first == ASCII.quote {
      var escaped = false
      let rest = unsafe UnsafeRawBufferPointer(rebasing: window[(start &+ 1)...])
      guard let count = unsafe ByteScan.stringEnd(rest, escaped: &escaped), count < ScalarBatch.maxLength else {
        return nil
      }
      end = start &+ count &+ 2
    } else {
      let limit = min(window.count, start &+ ScalarBatch.maxLength)
      end = start
      while end < limit, unsafe !window[end].endsNumberOrLiteral { end &+= 1 }
      guard end < limit, unsafe Self.endsValue(window[end]) else { return nil }
    }
    return unsafe (TapeWord(scalarIn: window, start..<end), end)
  }

  /// Validates the needed scalars of this window.
  ///
  /// - Throws: The error of the first invalid scalar, after rolling back the matches from that scalar on.
  private mutating func checkScalars(
    _ window: UnsafeRawBufferPointer, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) {
    defer { scalars.removeAll() }
    guard scalars.count > 0, !scalars.areValid(values: &values) else { return }
    for index in 0..<scalars.count {
      let (range, isMember) = scalars[index]
      do throws(JSONError) {
        try unsafe check(window, range, isMember: isMember)
      } catch {
        sink.rollBack(from: cursor.origin + range.lowerBound)
        throw error
      }
    }
  }

  /// Parses a scalar inside a container of its kind.
  private func check(_ window: UnsafeRawBufferPointer, _ range: Range<Int>, isMember: Bool) throws(JSONError) {
    var parser = try makeParser(at: cursor.origin + range.lowerBound, in: [isMember])
    var sink = EmptySink()
    try unsafe parser.feed(UnsafeRawBufferPointer(rebasing: window[range]), into: &sink)
    // Only the following byte ends a number or literal.
    do throws(JSONError) {
      try unsafe [ASCII.space].span.withUnsafeBytes { (blank) throws(JSONError) in
        try unsafe parser.feed(blank, into: &sink)
      }
    } catch {
      throw unsafe replacingFound(error, after: range.upperBound, in: window)
    }
  }

  /// Returns an error at a blank that was appended to a value, corrected to the byte that follows the value in the window.
  private func replacingFound(_ error: JSONError, after end: Int, in window: UnsafeRawBufferPointer) -> JSONError {
    guard error.found != nil, error.byteOffset == cursor.origin + end, end < window.count else { return error }
    return unsafe JSONError(
      error.code, at: error.byteOffset, found: .init(byte: window[end]), expected: error.expected)
  }

  /// Parses the value at the cursor, as far as the window contains it. Returns `false` if it continues after the window.
  private mutating func parse(
    _ window: UnsafeRawBufferPointer, _ first: UInt8, _ state: Int, isLast: Bool,
    _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Bool {
    var scan = ValueScan(after: first)
    let start = cursor.position
    let end = unsafe scan.end(in: window, from: start + 1)
    if isProven, scan.form == .container, let end, let plan = sink.textPlan(at: state, bytes: end - start) {
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
      unsafe scan.form != .numberOrLiteral || Self.endsValue(window[end]),
      // A proven value exceeds no limit of depth, and a parser that stays at one depth costs less.
      unsafe values.parse(
        window, start..<end, at: cursor.origin, depth: isProven ? 1 : cursor.depth, isProven: isProven)
    {
      _ = try sink.take(values.batch)
      cursor.take(to: end)
      return true
    }
    // Parses the value alone, inside the containers that are open around it in the text.
    openScan = ValueScan(after: first)
    open = try makeParser(at: cursor.offset, in: cursor.containers.all)
    return try unsafe feedOpen(window, isLast: isLast, &sink)
  }

  // MARK: A value with a parser of its own

  /// Returns a parser in which containers are open, so that limits and errors are the same as in the whole text.
  ///
  /// - Parameter containers: For each open container, outermost first, whether it is an object.
  private func makeParser(at offset: Int, in containers: [Bool]) throws(JSONError) -> ChunkedParser {
    var text: [UInt8] = []
    for isObject in containers { text += isObject ? Self.objectHead : [ASCII.openBracket] }
    var parser = ChunkedParser(options: options, origin: offset - text.count)
    var sink = EmptySink()
    try unsafe text.span.withUnsafeBytes { (text) throws(JSONError) in try unsafe parser.feed(text, into: &sink) }
    return parser
  }

  private static let objectHead: [UInt8] = [ASCII.openBrace, ASCII.quote, ASCII.quote, ASCII.colon]

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
      do throws(JSONError) {
        try unsafe [ASCII.space].span.withUnsafeBytes { (blank) throws(JSONError) in
          let wrong = unsafe Self.endsValue(window[end]) ? blank : UnsafeRawBufferPointer(rebasing: window[end...end])
          try unsafe parser.feed(wrong, into: &sink)
        }
      } catch {
        throw unsafe replacingFound(error, after: end, in: window)
      }
    }
    openHasBegun = false
    cursor.take(to: end)
    cursor.skipRest(ofLevels: sink.finishedLevels())
    return true
  }

  /// Whether the open value began in an earlier window.
  private var openHasBegun = false

  /// Returns whether a byte may follow a value. The cursor checks it again.
  static func endsValue(_ byte: UInt8) -> Bool {
    byte.isJSONWhitespace || byte == ASCII.comma || byte == ASCII.closeBrace || byte == ASCII.closeBracket
  }

  // MARK: Keys

  /// Validates a key that becomes part of a location and does not equal a searched name byte for byte.
  private func checkKey(_ window: UnsafeRawBufferPointer) throws(JSONError) {
    let text = (cursor.key.lowerBound + 1)..<(cursor.key.upperBound - 1)
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: window[text])
    let good = unsafe ByteScan.textPrefix(bytes)
    let checked = unsafe UnsafeRawBufferPointer(
      rebasing: window[..<(text.lowerBound + good + (good < bytes.count ? 0 : 1))])
    if case .wrong(let code, let offset, let expected) = unsafe TokenFault(in: checked, at: cursor.key.lowerBound) {
      throw unsafe JSONError(
        code, at: cursor.origin + offset, found: .init(byte: window[offset]), expected: expected)
    }
    if good < bytes.count {
      let offset = text.lowerBound + good
      let byte = unsafe window[offset]
      guard byte == ASCII.verticalTab || byte == ASCII.formFeed else {
        throw JSONError(.invalidUTF8, at: cursor.origin + offset)
      }
      throw JSONError(
        .controlCharacter, at: cursor.origin + offset, found: .init(byte: byte), expected: .escapeOfControlCharacter)
    }
    if cursor.keyIsEscaped, options.loneSurrogates == .reject, let lone = unsafe SurrogateEscapes.firstLone(in: bytes) {
      throw JSONError(.loneSurrogate, at: cursor.origin + text.lowerBound + lone)
    }
  }
}

/// Discards all tape words.
private struct EmptySink: TapeWordSink {
  mutating func take(_ batch: TapeWordBatch) throws(JSONError) -> Bool { true }
}
