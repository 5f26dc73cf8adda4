/// A strict parser on libyajl. It parses one text after another; the tape words of the current one are in its context.
///
/// It adds what libyajl lacks: it reports the offset of each event, rejects a token that the end of the input cuts, and
/// describes what was expected at a rejected byte. The caller validates strict UTF-8, because only the caller knows where a
/// chunk may be cut.
@safe struct YajlParser: ~Copyable {
  /// SAFETY: allocated in `init`, freed in `deinit`. libyajl holds the same address and does not use it when the handle is
  /// freed.
  private let context: UnsafeMutablePointer<YajlContext>
  private let arena = YajlArena()
  private var handle: YajlHandle?
  private(set) var grammar = Grammar()
  let options: JSONOptions

  init(options: JSONOptions) {
    self.options = options
    unsafe context = UnsafeMutablePointer<YajlContext>.allocate(capacity: 1)
    unsafe context.initialize(to: YajlContext(options: options))
    handle = nil
  }

  deinit {
    unsafe context.deinitialize(count: 1)
    unsafe context.deallocate()
  }

  // MARK: Tape words

  /// The tape words so far, including the header.
  var words: UnsafeBufferPointer<UInt64> { unsafe context.pointee.words }
  var depth: Int { unsafe context.pointee.depth }
  /// The kinds of the open containers, encoded as in ``GrammarState``.
  var kinds: [UInt64] { unsafe context.pointee.kinds }
  var tapeCapacity: Int { unsafe context.pointee.tapeCapacity }

  mutating func flush() { unsafe context.pointee.flush() }
  mutating func reserve(forBytes count: Int) { unsafe context.pointee.reserve(forBytes: count) }
  mutating func exchangeTape(_ memory: consuming RawMemory) -> RawMemory { unsafe context.pointee.exchangeTape(memory) }

  /// Fills the tape with one validated array or object without libyajl. No other code may write to its bytes.
  ///
  /// - Returns: Whether the tape was filled. Otherwise there are no tape words, and the text must be parsed.
  mutating func fill(validated bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    let limit = min(options.limits.tapeBytes, JSONLimits.maxTapeBytes)
    return unsafe context.pointee.fill { tape in
      unsafe TapeWordScan.write(bytes, range, into: &tape, after: YajlContext.headerWords, limit: limit)
    }
  }

  // MARK: Parsing

  /// Starts a text, at its beginning or in a state with open containers.
  mutating func begin(at state: GrammarState? = nil) throws(JSONError) {
    unsafe context.pointee.reset()
    grammar = Grammar()
    handle = nil
    handle = unsafe YajlHandle(context: context, arena: arena)
    guard handle != nil else { throw JSONError(.unreadable, at: 0, .noMemory) }
    if let state { try lead(to: state) }
  }

  /// Ends a text and frees its handle.
  mutating func end() { handle = nil }

  /// Feeds `window[fed...]`. Offsets in tape words count from the start of the window; errors count from the start of the
  /// input, in which the window begins at `origin`. The bytes before `fed` are the start of the open token, or the `mark`
  /// bytes that precede the text: a byte order mark, or other values.
  ///
  /// - Returns: The index in `window` at which an incomplete token begins, or `nil`.
  mutating func parse(
    _ window: UnsafeRawBufferPointer, at origin: Int, from fed: Int = 0, mark: Int = 0
  ) throws(JSONError) -> Int? {
    unsafe context.pointee.setWindow(window, fedFrom: fed, first: mark)
    let status = unsafe SurrogateEscapes.withoutTraps(in: window, from: fed) { unsafe handle?.parse($0) ?? .error }
    let begin = followEvents(at: origin).map { $0 - origin } ?? mark
    do throws(JSONError) {
      guard status == .ok else { throw unsafe fault(status, in: window, at: origin, from: begin) }
      return try unsafe inspectUnreported(window, at: origin, from: begin)
    } catch {
      throw unsafe error.namingMark(in: window, at: origin)
    }
  }

  /// Ends the text after `window`, in which a token is open at `pending`.
  mutating func complete(_ window: UnsafeRawBufferPointer, at origin: Int, pending: Int?) throws(JSONError) {
    if let pending {
      // libyajl would accept a cut string after a complete value. It completes a number or literal with a blank.
      let before = wordCount
      if unsafe window[pending] != ASCII.quote {
        unsafe context.pointee.setWindow(window, fedFrom: window.count, first: pending)
        _ = handle?.complete()
        if let parked = unsafe context.pointee.parked { throw parked.shifted(by: origin) }
      }
      guard wordCount > before else { throw unsafe cutTokenError(window, at: origin, pending) }
      _ = followEvents(at: origin)
    }
    guard grammar.state == .end else {
      throw JSONError(.unexpectedEnd, at: origin &+ window.count, expected: grammar.expectation)
    }
  }

  /// Returns the error for an input that ends inside the token at `start`.
  private func cutTokenError(_ window: UnsafeRawBufferPointer, at origin: Int, _ start: Int) -> JSONError {
    if let lone = unsafe loneSurrogate(in: window, from: start, to: window.count, at: origin, isOpen: true) {
      return lone
    }
    let rest: Expectation =
      switch unsafe window[start] {
      case ASCII.quote: .closingQuote
      case ASCII.lowerT, ASCII.lowerF, ASCII.lowerN: .restOfLiteral
      default: .restOfNumber
      }
    return JSONError(.unexpectedEnd, at: origin &+ window.count, expected: rest)
  }

  private var wordCount: Int { unsafe context.pointee.wordCount }

  /// Advances the grammar to the state after the last event, and returns the offset after that event. Returns `nil` if there
  /// is no new event.
  private mutating func followEvents(at origin: Int) -> Int? {
    guard unsafe context.pointee.update(&grammar) else { return nil }
    grammar.lastEnd &+= origin
    return grammar.lastEnd
  }

  // MARK: Between tokens

  /// Inspects the bytes that libyajl has not reported yet. An open token in the wrong position is an error now, not at its
  /// end: libyajl accepts `{} "abc` because it never sees the end of that string.
  private mutating func inspectUnreported(
    _ window: UnsafeRawBufferPointer, at origin: Int, from index: Int
  ) throws(JSONError) -> Int? {
    switch unsafe grammar.advance(in: window, from: index) {
    case .exhausted: return nil
    case .token(let start):
      do throws(JSONError) {
        try checkOpen(length: window.count - start, first: unsafe window[start], at: origin &+ start, grammar)
      } catch {
        throw unsafe loneSurrogate(in: window, from: start, upTo: error, at: origin) ?? error
      }
      return start
    case .misplaced(let wrong): throw unsafe grammar.misplaced(window[wrong], at: origin &+ wrong)
    }
  }

  /// Applies the limits to the token that is open after the last byte fed.
  func checkOpen(length: Int, first: UInt8, at offset: Int) throws(JSONError) {
    try checkOpen(length: length, first: first, at: offset, grammar)
  }

  private func checkOpen(length: Int, first: UInt8, at offset: Int, _ grammar: Grammar) throws(JSONError) {
    let limits = options.limits
    if first == ASCII.quote {
      let limit = grammar.expectsKey ? limits.keyBytes : limits.stringBytes
      if length - 1 > limit {
        throw JSONError(grammar.expectsKey ? .keyLimit : .stringLimit, at: offset, limit: limit)
      }
    } else if first.isDigit || first == ASCII.minus, length > limits.numberBytes {
      throw JSONError(.numberLimit, at: offset, limit: limits.numberBytes)
    }
  }

  // MARK: Errors

  /// Returns whether the last event is a number or literal directly followed by an erroneous byte that cannot end it. Such
  /// an event is the start of an invalid token, such as the `0` of `012`, and not a value.
  func lastEventIsIncomplete(at offset: Int, _ window: UnsafeRawBufferPointer, _ origin: Int) -> Bool {
    let index = offset &- origin
    guard offset == grammar.lastEnd, unsafe context.pointee.lastIsNumberOrLiteral, index >= 0, index < window.count
    else { return false }
    return unsafe !window[index].mayFollowValue
  }

  /// Returns the precise error for a failure that libyajl reported.
  private func fault(
    _ status: YajlStatus, in window: UnsafeRawBufferPointer, at origin: Int, from index: Int
  ) -> JSONError {
    if status == .cancelled, let parked = unsafe context.pointee.parked { return parked.shifted(by: origin) }
    var grammar = grammar
    switch unsafe grammar.advance(in: window, from: index) {
    case .misplaced(let wrong): return unsafe grammar.misplaced(window[wrong], at: origin &+ wrong)
    case .exhausted: return JSONError(.unexpectedEnd, at: origin &+ window.count, expected: grammar.expectation)
    case .token(let start): return unsafe fault(ofTokenAt: start, in: window, at: origin, grammar)
    }
  }

  private func fault(
    ofTokenAt start: Int, in window: UnsafeRawBufferPointer, at origin: Int, _ grammar: Grammar
  ) -> JSONError {
    switch unsafe TokenFault(in: window, at: start) {
    case .wrong(let code, let wrong, let expected):
      // A token that exceeds its limit is rejected for its length, wherever the text was cut into chunks.
      do throws(JSONError) {
        try checkOpen(length: wrong - start, first: unsafe window[start], at: origin &+ start, grammar)
      } catch {
        return unsafe loneSurrogate(in: window, from: start, upTo: error, at: origin) ?? error
      }
      if let lone = unsafe loneSurrogate(in: window, from: start, to: wrong, at: origin) { return lone }
      return unsafe JSONError(code, at: origin &+ wrong, found: .init(byte: window[wrong]), expected: expected)
    case .open:
      return unsafe cutTokenError(window, at: origin, start)
    case .none(let end):
      let found = unsafe end < window.count ? JSONError.Found(byte: window[end]) : nil
      return JSONError(
        .unexpectedByte, at: origin &+ min(end, window.count), found: found, expected: grammar.expectation)
    }
  }

  /// Returns the error for a lone surrogate before another fault of the string that begins at `start`. libyajl does not
  /// validate surrogate pairs, and a string is validated only when it is complete, which this one never is.
  ///
  /// - Parameter isOpen: Whether a low surrogate may still follow at `end`.
  private func loneSurrogate(
    in window: UnsafeRawBufferPointer, from start: Int, to end: Int, at origin: Int, isOpen: Bool = false
  ) -> JSONError? {
    guard options.loneSurrogates != .replace, start + 1 < end, unsafe window[start] == ASCII.quote else { return nil }
    let text = unsafe UnsafeRawBufferPointer(rebasing: window[(start + 1)..<end])
    return unsafe SurrogateEscapes.firstLone(in: text, isOpen: isOpen).map {
      JSONError(.loneSurrogate, at: origin &+ start + 1 + $0)
    }
  }

  /// Returns the error for a lone surrogate before the byte at which the string exceeded its limit.
  private func loneSurrogate(
    in window: UnsafeRawBufferPointer, from start: Int, upTo limit: JSONError, at origin: Int
  ) -> JSONError? {
    guard let bytes = limit.limit else { return nil }
    let end = min(bytes, window.count - start - 1) + start + 1
    return unsafe loneSurrogate(in: window, from: start, to: end, at: origin, isOpen: true)
  }

  /// Returns the error for the first byte that no JSON text may contain: `window[index]`. All bytes before it were parsed,
  /// and a token is open at `pending`.
  func rejection(_ window: UnsafeRawBufferPointer, index: Int, at origin: Int, pending: Int?) -> JSONError {
    let byte = unsafe window[index]
    let offset = origin &+ index
    if let pending, let lone = unsafe loneSurrogate(in: window, from: pending, to: index, at: origin) { return lone }
    guard byte == ASCII.verticalTab || byte == ASCII.formFeed else { return JSONError(.invalidUTF8, at: offset) }
    guard let pending else { return grammar.misplaced(byte, at: offset) }
    let token = unsafe UnsafeRawBufferPointer(rebasing: window[...index])
    if case .wrong(let code, _, let expected) = unsafe TokenFault(in: token, at: pending) {
      return JSONError(code, at: offset, found: .init(byte: byte), expected: expected)
    }
    // A number that lacks only the byte that ends it.
    var after = grammar
    after.skipValue()
    return after.misplaced(byte, at: offset)
  }
}
