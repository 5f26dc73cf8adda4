/// One document, read and written piece by piece.
///
/// Where its tokens stay as they are, each window is proven and its tokens are copied: no parser reads them, and no words are
/// made. In a window with an error the parser makes the words before it, from the last token that was copied on. So what is
/// written before an error is the same on both ways, and so is the error.
struct DocumentReformatter: DocumentErrors, ~Copyable {
  private var text: DocumentText
  private let options: JSONOptions
  private let layout: JSONWriterOptions
  /// Reads all where nothing is proven.
  private var parser: ChunkedParser
  private var sink: LayoutSink
  private let checker: SharedChecker?
  private var copier: TokenCopier
  /// Up to here the text is copied: `held` follows, and then the bytes that come next.
  private var place = GrammarState.start
  private var held: [UInt8] = []
  private var isFinished = false
  private var failure: JSONError?
  /// What has been written and not yet been taken.
  private var output = ByteBuffer(capacity: 256)

  /// - Parameter proves: Whether text may be proven; without it the parser reads all.
  init(
    _ window: consuming ReadWindow, _ options: JSONOptions, _ layout: JSONWriterOptions, proves: Bool = ProofScan.isOn
  ) {
    text = DocumentText(window)
    self.options = options
    self.layout = layout
    parser = ChunkedParser(options: options)
    sink = LayoutSink(layout)
    copier = TokenCopier(layout)
    checker =
      proves && TokenCopier.copies(layout)
      ? SharedChecker(TextChecker(options: options), notesStates: true) : nil
    if let checker { text.inspectAhead(by: checker) }
  }

  func position(of error: JSONError) -> SourcePosition { text.position(at: error.byteOffset) }
  func excerpt(of error: JSONError) -> SourceExcerpt? { text.excerpt(at: error.byteOffset) }

  /// Where the proof was in doubt.
  var doubts: ProofDoubts { checker?.doubts ?? ProofDoubts() }

  /// Reads on. `false` at the end. What was written, also before an error, is lent by ``withOutput(_:)``.
  mutating func next() throws(JSONError) -> Bool {
    output.removeAll(keepingAtMost: Self.keptOutput)
    if let failure { throw failure }
    guard !isFinished else { return false }
    do throws(JSONError) {
      try advance()
    } catch {
      failure = error
      text.end(at: error)
      throw error
    }
    return true
  }

  /// A long token does not leave its memory behind.
  private static let keptOutput = 4 << 20

  /// Lends what the last call has written.
  func withOutput(_ body: (UnsafeRawBufferPointer) -> Void) { unsafe output.withBytes { unsafe body($0) } }

  private mutating func advance() throws(JSONError) {
    if unsafe !text.piece.isEmpty { text.leave() }
    if let checker { return try copyOn(checker) }
    do throws(JSONError) {
      if try text.next() {
        try unsafe parser.feed(text.piece, into: &sink)
      } else {
        try parser.finish(into: &sink)
        isFinished = true
      }
    } catch {
      sink.take(into: &output)
      throw error
    }
    sink.take(into: &output)
    if isFinished { output.append(ASCII.lineFeed) }
  }

  // MARK: Proven text

  private mutating func copyOn(_ checker: SharedChecker) throws(JSONError) {
    let isLast = try !text.next()
    let piece = unsafe text.piece
    let end = text.offset + piece.count
    if !text.isInspectedAhead {
      if isLast { checker.finish() } else { unsafe checker.take(piece) }
    }
    if let error = checker.failure(before: isLast ? .max : end) {
      unsafe parseRest(piece, isLast: isLast)
      throw error
    }
    if isLast {
      copyHeld(held.count)
      output.append(ASCII.lineFeed)
      isFinished = true
    } else if let next = checker.place(at: end) {
      unsafe copy(piece, upTo: next)
    } else {
      unsafe held.append(contentsOf: piece)
    }
  }

  /// Copies the tokens up to a place, and keeps what is behind it.
  private mutating func copy(_ piece: UnsafeRawBufferPointer, upTo next: GrammarState) {
    let count = next.offset - place.offset
    // A byte order mark may come in pieces.
    let inPiece = place.offset == 0 ? 0 : max(count - held.count, 0)
    guard inPiece > 0 else {
      unsafe held.append(contentsOf: piece)
      copyHeld(count)
      place = next
      return
    }
    copyHeld(held.count)
    unsafe copier.copy(UnsafeRawBufferPointer(rebasing: piece[..<inPiece]), to: &output)
    unsafe held.append(contentsOf: piece[inPiece...])
    place = next
  }

  private mutating func copyHeld(_ count: Int) {
    guard count > 0 else { return }
    unsafe held.withUnsafeBytes { held in
      var tokens = unsafe UnsafeRawBufferPointer(rebasing: held.prefix(count))
      if place.offset == 0, unsafe ByteOrderMark.begins(tokens) {
        unsafe tokens = UnsafeRawBufferPointer(rebasing: tokens.dropFirst(ByteOrderMark.count))
      }
      unsafe copier.copy(tokens, to: &output)
    }
    if count < held.count {
      held.removeFirst(count)
    } else {
      held.removeAll(keepingCapacity: held.count <= ReadWindow.readBytes)
    }
  }

  /// Writes the tokens before an error, as far as a parser tells of them. It reads what has not been copied.
  private mutating func parseRest(_ piece: UnsafeRawBufferPointer, isLast: Bool) {
    parser = ChunkedParser(options: options, from: place)
    sink = LayoutSink(layout, at: place, isFirst: copier.isBehindOpen)
    unsafe held.append(contentsOf: piece)
    var rest: [UInt8] = []
    swap(&rest, &held)
    do throws(JSONError) {
      try unsafe rest.span.withUnsafeBytes { (rest) throws(JSONError) in try unsafe parser.feed(rest, into: &sink) }
      if isLast { try parser.finish(into: &sink) }
    } catch {
      // The checker has this error.
    }
    sink.take(into: &output)
  }
}

/// Writes words as they come.
private final class LayoutSink: WordSink {
  private var layout: TextLayout
  private var isFirst: Bool
  private var isAfterKey: Bool
  private var isInside: Bool

  /// - Parameters:
  ///   - place: Where in a text the words begin, between two tokens.
  ///   - isFirst: The token before that opened a container. The place does not tell where the next token is open: what has
  ///     begun does not depend on that.
  init(_ options: JSONWriterOptions, at place: GrammarState = .start, isFirst: Bool = true) {
    layout = TextLayout(options, at: place.depth)
    self.isFirst = isFirst
    isAfterKey = place.phase == .colon || place.phase == .member
    isInside = place.phase != .start
    // A key is written with its colon.
    if place.phase == .colon { layout.writeColon() }
  }

  func take(_ batch: WordBatch) throws(JSONError) -> Bool {
    var index = YajlContext.headerWords
    let words = unsafe batch.words
    while index < words.count {
      let word = unsafe TapeWord(bits: words[index])
      let kind = word.kind
      if !kind.isEnd, !isAfterKey, isInside { layout.separate(isFirst: isFirst) }
      switch kind {
      case .objectStart: layout.open(ASCII.openBrace)
      case .arrayStart: layout.open(ASCII.openBracket)
      case .objectEnd: layout.close(ASCII.closeBrace, isEmpty: isFirst)
      case .arrayEnd: layout.close(ASCII.closeBracket, isEmpty: isFirst)
      case .null: layout.output.append("null")
      case .true: layout.output.append("true")
      case .false: layout.output.append("false")
      default: write(word, in: batch)
      }
      isFirst = kind.isStart
      isAfterKey = kind.isKey
      isInside = true
      index &+= kind.isStart ? 2 : 1
    }
    return true
  }

  private func write(_ word: TapeWord, in batch: WordBatch) {
    let kind = word.kind
    let text = unsafe UnsafeRawBufferPointer(rebasing: batch.window[batch.textRange(of: word)])
    if kind == .number { return unsafe layout.writeNumber(text) }
    unsafe layout.writeSource(text, isEscaped: kind.isEscaped)
    if kind.isKey { layout.writeColon() }
  }

  /// Appends what has been written, and forgets it.
  func take(into bytes: inout ByteBuffer) {
    unsafe layout.output.withBytes { unsafe bytes.append($0) }
    layout.output.removeAll()
  }
}
