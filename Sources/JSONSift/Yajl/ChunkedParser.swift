/// The tape words that were parsed from one window of bytes, and the bytes that they refer to. Valid only during the call
/// that receives it.
@safe struct TapeWordBatch {
  /// The tape words, without the header.
  let words: UnsafeBufferPointer<UInt64>
  /// The window: the bytes that the tape words refer to. Their offsets count from its first byte.
  let window: UnsafeRawBufferPointer
  /// The offset of the window's first byte in the input.
  let origin: Int

  init(words: UnsafeBufferPointer<UInt64>, window: UnsafeRawBufferPointer, origin: Int) {
    unsafe self.words = words
    unsafe self.window = window
    self.origin = origin
  }

  /// Creates a batch without tape words, for bytes that were not parsed.
  init(window: UnsafeRawBufferPointer, origin: Int) {
    unsafe self.init(words: UnsafeBufferPointer(start: nil, count: 0), window: window, origin: origin)
  }
}

/// A consumer of the tape words of a text that arrives in chunks.
protocol TapeWordSink: ~Copyable {
  /// Consumes one window and its events, possibly zero. No event is split. The window may end inside a token; the next
  /// window then begins at the start of that token.
  ///
  /// Return `true` to continue and `false` to stop. After `false` there are no further calls, and later bytes are not
  /// validated. An error also stops the parsing; `feed` and `finish` throw it to their caller.
  mutating func take(_ batch: TapeWordBatch) throws(JSONError) -> Bool
}

/// Parses one text that arrives in chunks of any size.
///
/// The events, their ranges and the error do not depend on how the text is cut into chunks. To guarantee this, the parser
/// holds back exactly three things: the first bytes (at most three) of a character or byte order mark that the chunk cuts, a
/// token that the chunk cuts, and a literal (`true`, `false`, `null`) that the chunk ends with. libyajl would lex a cut
/// token again from its start with every chunk, which is quadratic. So a kernel searches for the end of the token, and
/// libyajl is fed only when that end has arrived.
///
/// A number or literal is reported only when the next byte, or the end of the text, completes it. The `0` of `012` and the
/// `true` of `truex` are not values, and a consumer must not be able to stop at them.
struct ChunkedParser: ~Copyable {
  private var parser: YajlParser
  /// The bytes of the open token, their offset in the input, and the number of them that libyajl has consumed.
  private var carry: [UInt8] = []
  private var carryOffset = 0
  private var carryFed = 0
  /// Whether the next byte is escaped. Only used in an open string.
  private var carryEscaped = false
  /// The bytes of an incomplete character or byte order mark. They follow `carry`.
  private var held: [UInt8] = []
  /// The offset after the last byte that was processed, without the bytes in `held`.
  private var position: Int
  private var hasBegun = false
  /// The state in which parsing begins; `nil` at the start of a text.
  private let start: GrammarState?
  private(set) var isStopped = false
  /// Whether `finish` was called and the text is complete.
  private var isFinished = false
  private var failure: JSONError?
  /// The byte that the error rejects, if an earlier chunk contained it.
  private(set) var rejectedByte: UInt8?
  private let chunkBytes: Int

  /// The maximum number of bytes of a chunk that are parsed at once. It keeps the offsets in tape words far below
  /// ``TapeWord/maxOffset``.
  private static let chunkBytes = Sizes.of(1 << 30, fuzzing: 61)

  /// - Parameter origin: The offset of the text's first byte in the input.
  init(options: JSONOptions, origin: Int = 0, chunkBytes: Int = Self.chunkBytes) {
    self.init(options: options, at: origin, start: nil, chunkBytes: chunkBytes)
  }

  /// - Parameter state: The state between two tokens at which parsing begins. Events count children from there on.
  init(options: JSONOptions, from state: GrammarState) {
    self.init(options: options, at: state.offset, start: state, chunkBytes: Self.chunkBytes)
  }

  private init(options: JSONOptions, at offset: Int, start: GrammarState?, chunkBytes: Int) {
    position = offset
    self.start = start
    self.chunkBytes = max(chunkBytes, 1)
    // The tape words of a window are transient, so the tape limit of the options does not apply.
    var options = options
    options.limits.tapeBytes = JSONLimits.maxTapeBytes
    parser = YajlParser(options: options)
  }

  /// The number of bytes fed so far.
  var bytesFed: Int { position + held.count }

  /// The state before the open token, or after the last byte fed if no token is open.
  var state: GrammarState { parser.state(at: carry.isEmpty ? position : carryOffset) }

  /// The fed bytes that follow ``state``.
  var openBytes: [UInt8] { carry + held }

  /// Feeds the next bytes.
  mutating func feed(
    _ chunk: UnsafeRawBufferPointer, into sink: inout some TapeWordSink & ~Copyable
  ) throws(JSONError) {
    if let failure { throw failure }
    guard unsafe !chunk.isEmpty else { return }
    if isFinished {
      let error = JSONError(.trailingContent, at: position, found: unsafe JSONError.Found(byte: chunk[0]))
      fail(error, ([], position))
      throw error
    }
    guard !isStopped else { return }
    // Processing removes bytes from `held`; `fail` needs them as they were before.
    let before = (held, position)
    do throws(JSONError) {
      try begin()
      var rest = unsafe chunk
      while unsafe !rest.isEmpty, !isStopped {
        let part = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(chunkBytes))
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(chunkBytes))
        try unsafe processChunk(part, &sink)
      }
    } catch {
      fail(error, before)
      throw error
    }
  }

  /// Ends the text.
  mutating func finish(into sink: inout some TapeWordSink & ~Copyable) throws(JSONError) {
    if let failure { throw failure }
    guard !isStopped else { return }
    let before = (held, position)
    do throws(JSONError) {
      try begin()
      try finishText(&sink)
      isFinished = !isStopped
      isStopped = true
      parser.end()
    } catch {
      fail(error, before)
      throw error
    }
  }

  /// - Parameter before: The held bytes before the last chunk, and their offset.
  private mutating func fail(_ error: JSONError, _ before: (held: [UInt8], position: Int)) {
    failure = error
    let inHeld = error.byteOffset - before.position
    let inCarry = error.byteOffset - carryOffset
    if before.held.indices.contains(inHeld) {
      rejectedByte = before.held[inHeld]
    } else if carry.indices.contains(inCarry) {
      rejectedByte = carry[inCarry]
    }
    carry = []
    held = []
    parser.end()
  }

  private mutating func begin() throws(JSONError) {
    guard !hasBegun else { return }
    hasBegun = true
    try parser.begin(at: start)
  }

  // MARK: Characters

  /// Processes a chunk, except for the character or byte order mark that it cuts at its end.
  private mutating func processChunk(
    _ chunk: UnsafeRawBufferPointer, _ sink: inout some TapeWordSink & ~Copyable
  ) throws(JSONError) {
    var rest = unsafe chunk
    if position == 0, held.isEmpty, unsafe ByteOrderMark.begins(rest) {
      position = ByteOrderMark.count
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(ByteOrderMark.count))
    } else if position == 0, held.isEmpty, rest.count < ByteOrderMark.count, unsafe ByteOrderMark.mayBegin(Array(rest))
    {
      held = unsafe [UInt8](rest)
      return
    }
    while !held.isEmpty, unsafe !rest.isEmpty, !isStopped {
      unsafe held.append(rest[0])
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
      if position == 0, ByteOrderMark.mayBegin(held) { continue }
      let bytes = held
      unsafe try bytes.span.withUnsafeBytes { (bytes) throws(JSONError) in
        if position == 0, unsafe ByteOrderMark.begins(bytes) {
          position = ByteOrderMark.count
          held = []
        } else if unsafe ByteScan.incompleteTail(bytes) < bytes.count {
          held = []
          try unsafe processCharacters(bytes, &sink)
        }
      }
    }
    guard unsafe !rest.isEmpty, !isStopped else { return }
    let tail = unsafe ByteScan.incompleteTail(rest)
    try unsafe processCharacters(UnsafeRawBufferPointer(rebasing: rest.dropLast(tail)), &sink)
    held = unsafe [UInt8](rest.suffix(tail))
  }

  /// Processes bytes that end at a character boundary.
  private mutating func processCharacters(
    _ bytes: UnsafeRawBufferPointer, _ sink: inout some TapeWordSink & ~Copyable
  ) throws(JSONError) {
    let validCount = unsafe ByteScan.textPrefix(bytes)
    try unsafe processText(UnsafeRawBufferPointer(rebasing: bytes[..<validCount]), &sink)
    guard validCount < bytes.count, !isStopped, let error = try unsafe rejection(bytes[validCount], &sink) else {
      return
    }
    throw error
  }

  /// Returns the error for a byte that no JSON text may contain. Parses the bytes before it first, so that errors are
  /// reported in the order of the text. Returns `nil` if the sink stops during that.
  private mutating func rejection(
    _ byte: UInt8, _ sink: inout some TapeWordSink & ~Copyable
  ) throws(JSONError) -> JSONError? {
    // A literal that only this byte would complete is not a value.
    let pending = carryIsLiteral ? 0 : try feedCarry(&sink)
    if isStopped { return nil }
    let window = carry + [byte]
    return unsafe window.withUnsafeBytes {
      unsafe parser.rejection($0, index: carry.count, at: position - carry.count, pending: pending)
    }
  }

  // MARK: Tokens

  private mutating func processText(
    _ text: UnsafeRawBufferPointer, _ sink: inout some TapeWordSink & ~Copyable
  ) throws(JSONError) {
    var rest = unsafe text
    while !carry.isEmpty, unsafe !rest.isEmpty {
      let end = unsafe endOfOpenToken(in: rest)
      let taken = unsafe UnsafeRawBufferPointer(rebasing: rest[..<(end ?? rest.count)])
      unsafe carry.append(contentsOf: taken)
      position += taken.count
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[taken.count...])
      // An open token longer than its limit is fed incomplete, so that a fault before the limit is reported first.
      if end != nil || isOverLimit() { _ = try feedCarry(&sink) }
      if isStopped { return }
    }
    guard unsafe !rest.isEmpty else { return }
    let offset = position
    position += rest.count
    // libyajl reports a literal with its last letter. Without that letter it is a token that the chunk cuts.
    let fed = unsafe UnsafeRawBufferPointer(rebasing: rest.dropLast(rest.endsWithLiteral ? 1 : 0))
    let pending = try unsafe parse(fed, at: offset, from: 0, &sink) ?? fed.count
    if !isStopped, pending < rest.count {
      unsafe open(rest[pending...], at: offset + pending, fed: fed.count - pending)
    }
  }

  /// Returns the end of the open token in the next bytes, or `nil`: in a string, the index after its closing quote or after
  /// a byte that it must not contain; for a number or literal, the index after the byte that ends it, because the parser
  /// must see that byte.
  private mutating func endOfOpenToken(in bytes: UnsafeRawBufferPointer) -> Int? {
    if carry[0] == ASCII.quote {
      let quote = unsafe ByteScan.stringEnd(bytes, escaped: &carryEscaped)
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<(quote ?? bytes.count)])
      // A raw control character is rejected on arrival, not at the end of the string.
      if unsafe text.holdsControlCharacter, let control = unsafe text.firstIndex(where: { $0 < 0x20 }) {
        return control + 1
      }
      return quote.map { $0 + 1 }
    }
    let end = unsafe bytes.firstIndex {
      !($0.isDigit || $0.isLetter || $0 == ASCII.dot || $0 == ASCII.plus || $0 == ASCII.minus)
    }
    // An error names a byte order mark, for which the parser must see it whole.
    return end.map {
      unsafe $0 + (ByteOrderMark.begins(UnsafeRawBufferPointer(rebasing: bytes[$0...])) ? ByteOrderMark.count : 1)
    }
  }

  /// Starts to carry the token that is open at the end of the window.
  private mutating func open(_ bytes: Slice<UnsafeRawBufferPointer>, at offset: Int, fed: Int) {
    carry.removeAll(keepingCapacity: true)
    unsafe carry.append(contentsOf: bytes)
    carryOffset = offset
    carryFed = fed
    carryEscaped = false
    if carry[0] == ASCII.quote {
      unsafe carry.withUnsafeBytes { bytes in
        _ = unsafe ByteScan.stringEnd(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()), escaped: &carryEscaped)
      }
    }
  }

  /// Whether the open token is a complete literal. libyajl does not have its last letter then.
  private var carryIsLiteral: Bool {
    carry.elementsEqual("true".utf8) || carry.elementsEqual("false".utf8) || carry.elementsEqual("null".utf8)
  }

  /// Returns whether the open token exceeds its limit.
  private func isOverLimit() -> Bool {
    let isLiteral = carry[0] != ASCII.quote && carry[0] != ASCII.minus && !carry[0].isDigit
    if isLiteral { return carry.count > 16 }
    return (try? parser.checkOpen(length: carry.count, first: carry[0], at: 0)) == nil
  }

  /// Feeds the part of `carry` that libyajl does not have, and keeps the token that is open after it.
  ///
  /// - Returns: The index in `carry` of the open token, always 0, or `nil` if no token is open. `carry` is empty then.
  private mutating func feedCarry(_ sink: inout some TapeWordSink & ~Copyable) throws(JSONError) -> Int? {
    guard !carry.isEmpty else { return nil }
    guard carryFed < carry.count else { return 0 }
    let window = carry
    let fed = carryFed
    carryFed = carry.count
    let pending = unsafe try window.span.withUnsafeBytes { (window) throws(JSONError) in
      try unsafe parse(window, at: carryOffset, from: fed, &sink)
    }
    guard pending != 0 else { return 0 }
    carry.removeAll(keepingCapacity: true)
    guard let pending, !isStopped else { return nil }
    unsafe window.withUnsafeBytes {
      unsafe open($0[pending...], at: carryOffset + pending, fed: window.count - pending)
    }
    return 0
  }

  /// Feeds the end of `window` to libyajl and passes the events to the sink, including those before an error.
  private mutating func parse(
    _ window: UnsafeRawBufferPointer, at offset: Int, from fed: Int, _ sink: inout some TapeWordSink & ~Copyable
  ) throws(JSONError) -> Int? {
    let pending: Int?
    do throws(JSONError) {
      pending = try unsafe parser.parse(window, at: offset, from: fed)
    } catch {
      let isIncomplete = unsafe parser.lastEventIsIncomplete(at: error.byteOffset, window, offset)
      try unsafe deliver(window, offset, without: isIncomplete ? 1 : 0, &sink)
      if isStopped { return nil }
      throw error
    }
    try unsafe deliver(window, offset, &sink)
    return pending
  }

  private mutating func deliver(
    _ window: UnsafeRawBufferPointer, _ offset: Int, without last: Int = 0, _ sink: inout some TapeWordSink & ~Copyable
  ) throws(JSONError) {
    let words = unsafe UnsafeBufferPointer(rebasing: parser.words.dropLast(last))
    let batch = unsafe TapeWordBatch(words: words, window: window, origin: offset)
    if try !sink.take(batch) {
      isStopped = true
      parser.end()
    }
    parser.flush()
  }

  private mutating func finishText(_ sink: inout some TapeWordSink & ~Copyable) throws(JSONError) {
    if let first = held.first {
      guard let error = try rejection(first, &sink) else { return }
      throw error
    }
    let pending = try feedCarry(&sink)
    if isStopped { return }
    let window = carry
    unsafe try window.span.withUnsafeBytes { (window) throws(JSONError) in
      let offset = position - window.count
      do throws(JSONError) {
        try unsafe parser.complete(window, at: offset, pending: pending)
      } catch {
        try unsafe deliver(window, offset, &sink)
        if isStopped { return }
        throw error
      }
      try unsafe deliver(window, offset, &sink)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes end with `true`, `false` or `null`.
  fileprivate var endsWithLiteral: Bool {
    guard let last = unsafe last, last == ASCII.lowerE || last == ASCII.lowerL else { return false }
    if unsafe suffix(5).elementsEqual("false".utf8) { return true }
    let four = unsafe suffix(4)
    return unsafe four.elementsEqual("true".utf8) ? true : four.elementsEqual("null".utf8)
  }

  /// Whether any byte is below 0x20. A plain fold, which the compiler vectorizes.
  fileprivate var holdsControlCharacter: Bool { unsafe reduce(UInt8.max) { Swift.min($0, $1) } < 0x20 }
}
