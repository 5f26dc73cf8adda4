/// libyajl made strict. One text after another; the words of the current one are in its context.
///
/// It does what libyajl does not: it tells where every event stands, refuses a token that the end of the input cuts, and
/// says what would have been right at a byte that was refused. Strict UTF-8 is the caller's part, since only the caller
/// knows where a chunk may be cut.
@safe struct YajlParser: ~Copyable {
  /// SAFETY: allocated in `init`, freed in `deinit`; libyajl holds the same address and does not use it when it is freed.
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

  // MARK: Words

  /// The words so far, with the header.
  var words: UnsafeBufferPointer<UInt64> { unsafe context.pointee.words }
  var depth: Int { unsafe context.pointee.depth }
  /// The kinds of the open containers, as in ``GrammarState``.
  var kinds: [UInt64] { unsafe context.pointee.kinds }
  var tapeCapacity: Int { unsafe context.pointee.tapeCapacity }

  mutating func flush() { unsafe context.pointee.flush() }
  mutating func reserve(forBytes count: Int) { unsafe context.pointee.reserve(forBytes: count) }
  mutating func exchangeTape(_ memory: consuming RawMemory) -> RawMemory {
    unsafe context.pointee.exchangeTape(memory)
  }

  /// Takes the words of one proven array or object, at a range in bytes to which nobody writes. No parser reads it.
  ///
  /// - Returns: Whether that could be done; else there are no words, and a parser has to read it.
  mutating func fill(proven bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    let most = min(options.limits.tapeBytes, JSONLimits.largestTape)
    return unsafe context.pointee.fill { tape in
      unsafe WordScan.write(bytes, range, into: &tape, behind: YajlContext.headerWords, most: most)
    }
  }

  // MARK: Parsing

  /// Starts a text, at its start or where its containers are open.
  mutating func begin(at place: GrammarState? = nil) throws(JSONError) {
    unsafe context.pointee.reset()
    grammar = Grammar()
    handle = nil
    handle = unsafe YajlHandle(context: context, arena: arena)
    guard handle != nil else { throw JSONError(.unreadable, at: 0, .noMemory) }
    if let place { try lead(to: place) }
  }

  /// Ends a text and frees its handle.
  mutating func end() { handle = nil }

  /// Feeds the part of `window` from index `fed` on. Offsets in words count from the start of the window; errors count
  /// from the start of the input, in which the window begins at `origin`. What stands before `fed` is the start of the
  /// token that was open, or `mark` bytes of a byte order mark.
  ///
  /// - Returns: The index in `window` where a token begins that is not complete, or `nil`.
  mutating func parse(
    _ window: UnsafeRawBufferPointer, at origin: Int, from fed: Int = 0, mark: Int = 0
  ) throws(JSONError) -> Int? {
    unsafe context.pointee.setWindow(window, fedFrom: fed)
    let status = unsafe handle?.parse(UnsafeRawBufferPointer(rebasing: window[fed...])) ?? .error
    let begin = followEvents(at: origin).map { $0 - origin } ?? mark
    guard status == .ok else { throw unsafe fault(status, in: window, at: origin, from: begin) }
    return try unsafe settle(window, at: origin, from: begin)
  }

  /// Says that the text ends after `window`, in which a token is open at `pending`.
  mutating func complete(_ window: UnsafeRawBufferPointer, at origin: Int, pending: Int?) throws(JSONError) {
    if let pending {
      // libyajl would accept a string that is cut behind a whole value; a number or word it completes with a blank.
      let before = wordCount
      if unsafe window[pending] != ASCII.quote {
        unsafe context.pointee.setWindow(window, fedFrom: window.count)
        _ = handle?.complete()
        if let parked = unsafe context.pointee.parked { throw parked.shifted(by: origin) }
      }
      guard wordCount > before else {
        throw unsafe cut(window, at: origin, pending)
      }
      _ = followEvents(at: origin)
    }
    guard grammar.state == .end else {
      throw JSONError(.unexpectedEnd, at: origin &+ window.count, expected: grammar.expectation)
    }
  }

  /// The input ends inside the token at `start`.
  private func cut(_ window: UnsafeRawBufferPointer, at origin: Int, _ start: Int) -> JSONError {
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

  /// Brings the grammar to the place after the last event, and returns that place. `nil` if there is no new event.
  private mutating func followEvents(at origin: Int) -> Int? {
    guard unsafe context.pointee.update(&grammar) else { return nil }
    grammar.lastEnd &+= origin
    return grammar.lastEnd
  }

  // MARK: Between tokens

  /// Looks at what libyajl has not reported yet. An open token that may not stand where it does is an error now, not
  /// when it ends: libyajl accepts `{} "abc` because it never sees the end of that string.
  private mutating func settle(
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

  /// Applies the limits to the token that is open at the end of what was fed.
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

  /// Whether the last event is a number or word that an error follows at once, at a byte that cannot end it: so it is the
  /// start of something that is no value, such as the `0` of `012`.
  func lastRunsOn(at offset: Int, _ window: UnsafeRawBufferPointer, _ origin: Int) -> Bool {
    let index = offset &- origin
    guard offset == grammar.lastEnd, unsafe context.pointee.lastIsWord, index >= 0, index < window.count else {
      return false
    }
    let byte = unsafe window[index]
    return !byte.isJSONWhitespace && byte != ASCII.comma && byte != ASCII.closeBracket && byte != ASCII.closeBrace
  }

  /// The error that libyajl has met, said precisely.
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
      // A token that is too long is refused for that, wherever the cut between two chunks was.
      do throws(JSONError) {
        try checkOpen(length: wrong - start, first: unsafe window[start], at: origin &+ start, grammar)
      } catch {
        return unsafe loneSurrogate(in: window, from: start, upTo: error, at: origin) ?? error
      }
      if let lone = unsafe loneSurrogate(in: window, from: start, to: wrong, at: origin) { return lone }
      return unsafe JSONError(code, at: origin &+ wrong, found: .init(byte: window[wrong]), expected: expected)
    case .open:
      return unsafe cut(window, at: origin, start)
    case .none(let end):
      let found = unsafe end < window.count ? JSONError.Found(byte: window[end]) : nil
      return JSONError(
        .unexpectedByte, at: origin &+ min(end, window.count), found: found, expected: grammar.expectation)
    }
  }

  /// The error for half of a surrogate pair before another fault of the string that begins at `start`. libyajl knows
  /// nothing of pairs, so such a string would be looked at when it is complete, and it never is.
  ///
  /// - Parameter isOpen: The byte at `end` may be that of a second half, for all that is known.
  private func loneSurrogate(
    in window: UnsafeRawBufferPointer, from start: Int, to end: Int, at origin: Int, isOpen: Bool = false
  ) -> JSONError? {
    guard options.loneSurrogates != .replace, start + 1 < end, unsafe window[start] == ASCII.quote else { return nil }
    let text = unsafe UnsafeRawBufferPointer(rebasing: window[(start + 1)..<end])
    return unsafe SurrogateEscapes.firstLone(in: text, isOpen: isOpen).map {
      JSONError(.loneSurrogate, at: origin &+ start + 1 + $0)
    }
  }

  /// The same before the byte with which the string has become too long.
  private func loneSurrogate(
    in window: UnsafeRawBufferPointer, from start: Int, upTo limit: JSONError, at origin: Int
  ) -> JSONError? {
    guard let bytes = limit.limit else { return nil }
    let end = min(bytes, window.count - start - 1) + start + 1
    return unsafe loneSurrogate(in: window, from: start, to: end, at: origin, isOpen: true)
  }

  /// The error for the first byte that no JSON text may hold: `index` of `window`, of which all before was parsed and
  /// left a token open at `pending`.
  func refused(
    _ window: UnsafeRawBufferPointer, index: Int, at origin: Int, pending: Int?
  ) -> JSONError {
    let byte = unsafe window[index]
    let place = origin &+ index
    if let pending, let lone = unsafe loneSurrogate(in: window, from: pending, to: index, at: origin) { return lone }
    guard byte == ASCII.verticalTab || byte == ASCII.formFeed else { return JSONError(.invalidUTF8, at: place) }
    guard let pending else { return grammar.misplaced(byte, at: place) }
    let token = unsafe UnsafeRawBufferPointer(rebasing: window[...index])
    if case .wrong(let code, _, let expected) = unsafe TokenFault(in: token, at: pending) {
      return JSONError(code, at: place, found: .init(byte: byte), expected: expected)
    }
    // A number that was complete but for a byte to end it.
    var after = grammar
    after.skipValue()
    return after.misplaced(byte, at: place)
  }
}
