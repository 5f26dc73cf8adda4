/// Reads one document and writes it in another layout, chunk by chunk.
///
/// If the layout keeps the tokens, each window is validated, and its tokens are copied: no parser reads them, and no
/// tape words are built. In a window with an error, the parser processes the tokens before the error, from the last copied
/// one on. So the output before an error and the error itself are the same in both modes.
struct DocumentReformatter: DocumentErrors, ~Copyable {
  private var text: DocumentText
  private let options: JSONOptions
  private let layout: JSONWriterOptions
  /// Parses all text, if nothing is validated.
  private var parser: ChunkedParser
  private var sink: LayoutSink
  private let checker: SharedChecker?
  private var copier: TokenCopier
  /// The grammar state at the end of the copied text. `held` follows, and then the next chunk.
  private var state = GrammarState.start
  private var held: [UInt8] = []
  private var progress = DocumentProgress.reading
  /// The output that has not been passed yet.
  private var output = ByteBuffer(capacity: 256)

  /// - Parameters:
  ///   - window: The input.
  ///   - options: Limits, and the handling of lone surrogates.
  ///   - layout: The output format.
  ///   - validates: Whether text may be validated. Otherwise the parser reads all of it.
  init(
    _ window: consuming ReadWindow, _ options: JSONOptions, _ layout: JSONWriterOptions,
    validates: Bool = ValidationScan.isOn
  ) {
    text = DocumentText(window)
    self.options = options
    self.layout = layout
    parser = ChunkedParser(options: options)
    sink = LayoutSink(layout)
    copier = TokenCopier(layout)
    checker =
      validates && TokenCopier.copies(layout)
      ? SharedChecker(TextChecker(options: options), notesStates: true) : nil
    if let checker { text.inspectAhead(by: checker) }
  }

  func position(of error: JSONError) -> JSONError.Position { text.position(at: error.byteOffset) }
  func excerpt(of error: JSONError) -> JSONError.Excerpt? { text.excerpt(at: error.byteOffset) }

  var tally: ReadingTally { ReadingTally(undecided: checker?.undecided ?? UndecidedText()) }

  /// Reads and writes the next chunk. Returns `false` at the end. ``withOutput(_:)`` passes the output, also the part before
  /// an error.
  mutating func next() throws(JSONError) -> Bool {
    output.removeAll(keepingAtMost: Self.keptOutput)
    guard try progress.isReading() else { return false }
    do throws(JSONError) {
      try advance()
    } catch {
      progress = .failed(error)
      text.end(at: error)
      throw error
    }
    return true
  }

  /// The maximum memory of the output that is kept; larger memory, after a long token, is released.
  private static let keptOutput = Sizes.of(4 << 20, fuzzing: 32)

  /// Passes the output of the last call.
  func withOutput(_ body: (UnsafeRawBufferPointer) -> Void) { unsafe output.withBytes { unsafe body($0) } }

  private mutating func advance() throws(JSONError) {
    if unsafe !text.chunk.isEmpty { text.dropChunk() }
    if let checker { return try copyOn(checker) }
    do throws(JSONError) {
      if try text.next() {
        try unsafe parser.feed(text.chunk, into: &sink)
      } else {
        try parser.finish(into: &sink)
        progress = .finished
      }
    } catch {
      sink.take(into: &output)
      throw error
    }
    sink.take(into: &output)
    if case .finished = progress { output.append(ASCII.lineFeed) }
  }

  // MARK: Validated text

  private mutating func copyOn(_ checker: SharedChecker) throws(JSONError) {
    let isLast = try !text.next()
    let chunk = unsafe text.chunk
    let end = text.offset + chunk.count
    if !text.isInspectedAhead {
      if isLast { checker.finish() } else { unsafe checker.take(chunk) }
    }
    if let error = checker.failure(before: isLast ? .max : end) {
      unsafe parseRest(chunk, isLast: isLast)
      throw error
    }
    if isLast {
      copyHeld(held.count)
      output.append(ASCII.lineFeed)
      progress = .finished
    } else if let next = checker.grammarState(at: end) {
      unsafe copy(chunk, upTo: next)
    } else {
      unsafe held.append(contentsOf: chunk)
    }
  }

  /// Copies the tokens up to a grammar state, and holds the bytes after it.
  private mutating func copy(_ chunk: UnsafeRawBufferPointer, upTo next: GrammarState) {
    let count = next.offset - state.offset
    // At the start the tokens are held, because a byte order mark may arrive in chunks.
    let inChunk = state.offset == 0 ? 0 : max(count - held.count, 0)
    guard inChunk > 0 else {
      unsafe held.append(contentsOf: chunk)
      copyHeld(count)
      state = next
      return
    }
    copyHeld(held.count)
    unsafe copier.copy(UnsafeRawBufferPointer(rebasing: chunk[..<inChunk]), to: &output)
    unsafe held.append(contentsOf: chunk[inChunk...])
    state = next
  }

  private mutating func copyHeld(_ count: Int) {
    guard count > 0 else { return }
    unsafe held.withUnsafeBytes { held in
      var tokens = unsafe UnsafeRawBufferPointer(rebasing: held.prefix(count))
      if state.offset == 0, unsafe ByteOrderMark.begins(tokens) {
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

  /// Writes the tokens before an error, as far as the parser reports them. Parses the text that has not been copied.
  private mutating func parseRest(_ chunk: UnsafeRawBufferPointer, isLast: Bool) {
    parser = ChunkedParser(options: options, from: state)
    sink = LayoutSink(layout, at: state, isFirst: copier.isAfterOpen)
    unsafe held.append(contentsOf: chunk)
    var rest: [UInt8] = []
    swap(&rest, &held)
    do throws(JSONError) {
      try unsafe rest.span.withUnsafeBytes { (rest) throws(JSONError) in try unsafe parser.feed(rest, into: &sink) }
      if isLast { try parser.finish(into: &sink) }
    } catch {
      // The checker has reported this error.
    }
    sink.take(into: &output)
  }
}

/// Writes tape words as they arrive.
private final class LayoutSink: TapeWordSink {
  private var layout: TextLayout
  private var place: TextLayout.Place

  /// - Parameters:
  ///   - options: The output format.
  ///   - state: The grammar state, between two tokens, at which the tape words begin.
  ///   - isFirst: Whether the previous token opened a container. Within a token the state is that before the token, and does
  ///     not show this.
  init(_ options: JSONWriterOptions, at state: GrammarState = .start, isFirst: Bool = true) {
    layout = TextLayout(options, at: state.depth)
    place = TextLayout.Place(
      isFirst: isFirst, isAfterKey: state.phase == .colon || state.phase == .member, isInside: state.phase != .start)
    // A key is written with its colon.
    if state.phase == .colon { layout.writeColon() }
  }

  func take(_ batch: TapeWordBatch) throws(JSONError) -> Bool {
    var index = YajlContext.headerWords
    let words = unsafe batch.words
    while index < words.count {
      let word = unsafe TapeWord(bits: words[index])
      let kind = word.kind
      unsafe layout.write(kind, at: &place) { body in
        unsafe body(UnsafeRawBufferPointer(rebasing: batch.window[batch.textRange(of: word)]))
      }
      index &+= kind.isStart ? 2 : 1
    }
    return true
  }

  /// Appends the output to `bytes`, and clears it.
  func take(into bytes: inout ByteBuffer) {
    unsafe layout.output.withBytes { unsafe bytes.append($0) }
    layout.output.removeAll()
  }
}
