/// What one window of bytes brought: words, and the bytes that they refer to. Good only during the call that lends it.
@safe struct WordBatch {
  /// The words, behind the header.
  let words: UnsafeBufferPointer<UInt64>
  /// The bytes; offsets in the words count from its start.
  let window: UnsafeRawBufferPointer
  /// The offset of the window's first byte in the input.
  let origin: Int
}

/// Takes the words of a text that comes in chunks.
protocol WordSink: ~Copyable {
  /// Takes one window and the events that it brought, which may be none. No event is cut; the window may end inside a
  /// token, and then the next one begins at that token again.
  ///
  /// Return `true` to go on and `false` to stop: then there are no further calls, and bytes that follow are not checked.
  /// An error stops too and is thrown to whoever feeds the bytes.
  mutating func take(_ batch: WordBatch) throws(JSONError) -> Bool
}

/// Parses one text that comes in chunks of any size.
///
/// Whatever the chunks, the events, their ranges and the error are the same. Three things are held back to make that so,
/// and no more: the start of a character or byte order mark that a chunk cuts (up to three bytes), a token that a
/// chunk cuts, and a word that its chunk ends with. libyajl would lex such a token again from its start with every chunk,
/// which is quadratic; so its end is looked for with a kernel, and libyajl is fed when it has come.
///
/// A number or word is told when the byte behind it ends it, or the text does: the `0` of `012` and the `true` of `truex`
/// are no values, and nobody may stop reading at one.
struct ChunkedParser: ~Copyable {
  private var parser: YajlParser
  /// The bytes of the token that is open, and how many of them libyajl has.
  private var carry: [UInt8] = []
  private var carryOffset = 0
  private var carryFed = 0
  /// In an open string: the next byte is escaped.
  private var carryEscaped = false
  /// Bytes of a character or mark that is not complete. They follow the carry.
  private var held: [UInt8] = []
  /// Offset after the last byte that was taken in, held bytes not counted.
  private var position: Int
  private var hasBegun = false
  /// Where in a text it begins, if not at its start.
  private let start: GrammarState?
  private(set) var isStopped = false
  /// The text has been said to be complete, and is.
  private var isFinished = false
  private var failure: JSONError?
  /// The byte that the error refuses, if an earlier chunk had it.
  private(set) var refusedByte: UInt8?
  private let pieceBytes: Int

  /// What is parsed at once of a chunk of any length: offsets in its words stay far below ``TapeWord/largestOffset``.
  private static let pieceBytes = 1 << 30

  /// - Parameter origin: The offset of the first byte in the input that the text is a piece of.
  init(options: JSONOptions, origin: Int = 0, pieceBytes: Int = Self.pieceBytes) {
    self.init(options: options, at: origin, start: nil, pieceBytes: pieceBytes)
  }

  /// - Parameter place: Where in the text the parser begins, between two tokens. Events count children from there on.
  init(options: JSONOptions, from place: GrammarState) {
    self.init(options: options, at: place.offset, start: place, pieceBytes: Self.pieceBytes)
  }

  private init(options: JSONOptions, at offset: Int, start: GrammarState?, pieceBytes: Int) {
    position = offset
    self.start = start
    self.pieceBytes = max(pieceBytes, 1)
    // The words of a window are no tape that anybody keeps.
    var options = options
    options.limits.tapeBytes = JSONLimits.largestTape
    parser = YajlParser(options: options)
  }

  /// The number of bytes fed.
  var bytesFed: Int { position + held.count }

  /// Open arrays and objects.
  var depth: Int { parser.depth }

  /// Where the text stands before the token that is open, or behind what was fed.
  var place: GrammarState { parser.place(at: carry.isEmpty ? position : carryOffset) }

  /// The bytes fed that stand behind ``place``.
  var openBytes: [UInt8] { carry + held }

  /// Feeds the next bytes.
  mutating func feed(_ chunk: UnsafeRawBufferPointer, into sink: inout some WordSink & ~Copyable) throws(JSONError) {
    if let failure { throw failure }
    guard unsafe !chunk.isEmpty else { return }
    if isFinished {
      let error = JSONError(.trailingContent, at: position, found: unsafe JSONError.Found(byte: chunk[0]))
      fail(error, ([], position))
      throw error
    }
    guard !isStopped else { return }
    // What is taken in of the held bytes is not held any more when it is refused.
    let before = (held, position)
    do throws(JSONError) {
      try begin()
      var rest = unsafe chunk
      while unsafe !rest.isEmpty, !isStopped {
        let piece = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(pieceBytes))
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(pieceBytes))
        try unsafe takeIn(piece, &sink)
      }
    } catch {
      fail(error, before)
      throw error
    }
  }

  /// Says that the text is complete.
  mutating func finish(into sink: inout some WordSink & ~Copyable) throws(JSONError) {
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

  /// - Parameter before: The bytes that were held before the last chunk, and their offset.
  private mutating func fail(_ error: JSONError, _ before: (held: [UInt8], position: Int)) {
    failure = error
    let inHeld = error.byteOffset - before.position
    let inCarry = error.byteOffset - carryOffset
    if before.held.indices.contains(inHeld) {
      refusedByte = before.held[inHeld]
    } else if carry.indices.contains(inCarry) {
      refusedByte = carry[inCarry]
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

  /// Takes in a chunk without what it cuts at its end.
  private mutating func takeIn(
    _ chunk: UnsafeRawBufferPointer, _ sink: inout some WordSink & ~Copyable
  ) throws(JSONError) {
    var rest = unsafe chunk
    if position == 0, held.isEmpty, unsafe ByteOrderMark.begins(rest) {
      position = ByteOrderMark.count
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(ByteOrderMark.count))
    } else if position == 0, held.isEmpty, rest.count < ByteOrderMark.count, unsafe rest.first == 0xEF {
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
          try unsafe takeWhole(bytes, &sink)
        }
      }
    }
    guard unsafe !rest.isEmpty, !isStopped else { return }
    let tail = unsafe ByteScan.incompleteTail(rest)
    try unsafe takeWhole(UnsafeRawBufferPointer(rebasing: rest.dropLast(tail)), &sink)
    held = unsafe [UInt8](rest.suffix(tail))
  }

  /// Takes in bytes that cut no character.
  private mutating func takeWhole(
    _ bytes: UnsafeRawBufferPointer, _ sink: inout some WordSink & ~Copyable
  ) throws(JSONError) {
    let good = unsafe ByteScan.textPrefix(bytes)
    try unsafe takeText(UnsafeRawBufferPointer(rebasing: bytes[..<good]), &sink)
    guard good < bytes.count, !isStopped, let error = try unsafe refused(bytes[good], &sink) else { return }
    throw error
  }

  /// The error for a byte that no text may hold. What stands before it is parsed first, so that errors come in order;
  /// `nil` if the sink has had enough of that.
  private mutating func refused(_ byte: UInt8, _ sink: inout some WordSink & ~Copyable) throws(JSONError) -> JSONError?
  {
    // What this byte would end is no value.
    let pending = carryIsWord ? 0 : try feedCarry(&sink)
    if isStopped { return nil }
    let window = carry + [byte]
    return unsafe window.withUnsafeBytes {
      unsafe parser.refused($0, index: carry.count, at: position - carry.count, pending: pending)
    }
  }

  // MARK: Tokens

  private mutating func takeText(
    _ text: UnsafeRawBufferPointer, _ sink: inout some WordSink & ~Copyable
  ) throws(JSONError) {
    var rest = unsafe text
    while !carry.isEmpty, unsafe !rest.isEmpty {
      let end = unsafe endOfOpenToken(in: rest)
      let taken = unsafe UnsafeRawBufferPointer(rebasing: rest[..<(end ?? rest.count)])
      unsafe carry.append(contentsOf: taken)
      position += taken.count
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[taken.count...])
      // Past its limit an open token is fed as it is, so that a fault before the limit is told first.
      if end != nil || isOverLimit() { _ = try feedCarry(&sink) }
      if isStopped { return }
    }
    guard unsafe !rest.isEmpty else { return }
    let offset = position
    position += rest.count
    // libyajl tells a word with its last letter. Without that the word is a token that the chunk cuts.
    let fed = unsafe UnsafeRawBufferPointer(rebasing: rest.dropLast(rest.endsInWord ? 1 : 0))
    let pending = try unsafe parse(fed, at: offset, from: 0, &sink) ?? fed.count
    if !isStopped, pending < rest.count {
      unsafe open(rest[pending...], at: offset + pending, fed: fed.count - pending)
    }
  }

  /// Where the open token ends in the next bytes: after the quote of a string, or a byte that it cannot hold; after the
  /// byte that ends a number or word, for that one must be seen.
  private mutating func endOfOpenToken(in bytes: UnsafeRawBufferPointer) -> Int? {
    if carry[0] == ASCII.quote {
      let quote = unsafe ByteScan.stringEnd(bytes, escaped: &carryEscaped)
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<(quote ?? bytes.count)])
      // A raw control character is refused when it comes, not when the string ends.
      if unsafe text.holdsControlCharacter, let control = unsafe text.firstIndex(where: { $0 < 0x20 }) {
        return control + 1
      }
      return quote.map { $0 + 1 }
    }
    return unsafe bytes.firstIndex {
      !($0.isDigit || $0.isLetter || $0 == ASCII.dot || $0 == ASCII.plus || $0 == ASCII.minus)
    }.map { $0 + 1 }
  }

  /// Begins to carry the token that is open at the end of the window.
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

  /// The open token is a whole word, of which libyajl does not have the last letter.
  private var carryIsWord: Bool {
    carry.elementsEqual("true".utf8) || carry.elementsEqual("false".utf8) || carry.elementsEqual("null".utf8)
  }

  /// Whether the open token is longer than its limit.
  private func isOverLimit() -> Bool {
    let isWord = carry[0] != ASCII.quote && carry[0] != ASCII.minus && !carry[0].isDigit
    if isWord { return carry.count > 16 }
    return (try? parser.checkOpen(length: carry.count, first: carry[0], at: 0)) == nil
  }

  /// Feeds what libyajl does not have of the carry, and keeps the token that is open after that.
  ///
  /// - Returns: Where a token is open in the carry: at its start, or `nil`; then it is empty.
  private mutating func feedCarry(_ sink: inout some WordSink & ~Copyable) throws(JSONError) -> Int? {
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

  /// Runs libyajl over the end of `window` and hands over the events, also those before an error.
  private mutating func parse(
    _ window: UnsafeRawBufferPointer, at offset: Int, from fed: Int, _ sink: inout some WordSink & ~Copyable
  ) throws(JSONError) -> Int? {
    let pending: Int?
    do throws(JSONError) {
      pending = try unsafe parser.parse(window, at: offset, from: fed)
    } catch {
      let runsOn = unsafe parser.lastRunsOn(at: error.byteOffset, window, offset)
      try unsafe handOver(window, offset, without: runsOn ? 1 : 0, &sink)
      if isStopped { return nil }
      throw error
    }
    try unsafe handOver(window, offset, &sink)
    return pending
  }

  private mutating func handOver(
    _ window: UnsafeRawBufferPointer, _ offset: Int, without last: Int = 0, _ sink: inout some WordSink & ~Copyable
  ) throws(JSONError) {
    let words = unsafe UnsafeBufferPointer(rebasing: parser.words.dropLast(last))
    let batch = unsafe WordBatch(words: words, window: window, origin: offset)
    if try !sink.take(batch) {
      isStopped = true
      parser.end()
    }
    parser.flush()
  }

  private mutating func finishText(_ sink: inout some WordSink & ~Copyable) throws(JSONError) {
    if let first = held.first {
      guard let error = try refused(first, &sink) else { return }
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
        try unsafe handOver(window, offset, &sink)
        if isStopped { return }
        throw error
      }
      try unsafe handOver(window, offset, &sink)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the last bytes are those of a word of JSON.
  fileprivate var endsInWord: Bool {
    guard let last = unsafe last, last == ASCII.lowerE || last == ASCII.lowerL else { return false }
    if unsafe suffix(5).elementsEqual("false".utf8) { return true }
    let four = unsafe suffix(4)
    return unsafe four.elementsEqual("true".utf8) ? true : four.elementsEqual("null".utf8)
  }

  /// Whether there is a byte below 0x20. A plain fold, which the compiler makes wide.
  fileprivate var holdsControlCharacter: Bool { unsafe reduce(UInt8.max) { Swift.min($0, $1) } < 0x20 }
}
