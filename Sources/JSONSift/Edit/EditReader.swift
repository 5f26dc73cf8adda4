/// Reads a source, and passes the edited text chunk by chunk.
package struct EditReader: ~Copyable {
  private var content: DocumentOrRecords<EditedDocument, EditedRecords>
  /// How the stream is cut into records.
  package let framing: JSONFraming

  /// Opens a source.
  ///
  /// - Parameters:
  ///   - edit: The rules.
  ///   - source: The input.
  ///   - condition: If present, only records that satisfy it are changed. One document then counts as a record.
  ///   - options: How the source is cut and read. The recovery policy is ignored: a bad record is thrown.
  ///   - checkpoint: Where reading begins, if not at the start of the input.
  package init(
    _ edit: JSONEdit, _ source: JSONSource, where condition: JSONCondition? = nil, records options: JSONRecordOptions,
    resumingAt checkpoint: JSONCheckpoint? = nil
  ) throws(JSONError) {
    guard options.steps.isEmpty else {
      throw JSONError(
        code: .invalidPath, byteOffset: 0,
        reason: "expected no steps to records inside of records, because an edit keeps the text around them; "
          + "JSONEdit.Options.editsInside edits the JSON in strings")
    }
    var options = options
    options.recovery = .stop
    var window = try ReadWindow(source, readsAhead: true)
    let framing = try window.framing(options, name: source.name, resumingAt: checkpoint)
    if framing == .document, condition == nil, !edit.plan.needsNodes, checkpoint == nil {
      self.init(DocumentOrRecords(EditedDocument(window, edit, options.reading)), framing)
      return
    }
    let used = UsedText()
    window.usedText = used
    let reader = try JSONRecordReader(window, framing: framing, options: options, at: checkpoint)
    self.init(DocumentOrRecords(records: EditedRecords(reader, used, edit, where: condition)), framing)
  }

  private init(_ content: consuming DocumentOrRecords<EditedDocument, EditedRecords>, _ framing: JSONFraming) {
    self.content = content
    self.framing = framing
  }

  /// Edits the next chunk. Returns `false` at the end, after the last chunk.
  ///
  /// - Throws: ``JSONError``. In a stream of lines or a text sequence the next call continues after the bad record. What was
  ///   edited before is in the output.
  package mutating func next() throws(JSONError) -> Bool {
    if let hasMore = try content.document?.next() { return hasMore }
    return try content.records?.next() ?? false
  }

  /// Passes the output since the last call.
  package mutating func takeOutput(_ body: (UnsafeRawBufferPointer) -> Void) {
    unsafe content.document?.machine.takeOutput(body)
    unsafe content.records?.machine.takeOutput(body)
  }

  /// Returns the counts since the last call.
  package mutating func takeCounts() -> EditCounts {
    if let counts = content.document?.machine.counts.take() { return counts }
    return content.records?.machine.counts.take() ?? EditCounts(rules: 0)
  }

  /// The counts so far.
  package var counts: EditCounts {
    content.document.borrow { $0.machine.counts } ?? content.records.borrow { $0.machine.counts }
      ?? EditCounts(rules: 0)
  }

  /// The number of records so far, or of documents that are complete.
  package var recordCount: Int {
    content.document.borrow { $0.machine.rootCount } ?? content.records.borrow { $0.machine.rootCount } ?? 0
  }

  package func position(of error: JSONError) -> JSONError.Position { content.position(of: error) }
  package var stopReason: String? { content.stopReason }
  package var tally: ReadingTally { content.tally }

  /// Returns the bad record of the last error, without its bytes.
  package mutating func badRecord(of error: JSONError) -> JSONBadRecord? {
    content.badRecord(of: error).map {
      JSONBadRecord(
        error: $0.error.withoutFound, position: $0.position, line: $0.line, byteRange: $0.byteRange, rawBytes: [],
        stopReason: $0.stopReason)
    }
  }

  package mutating func begin(_ block: LineBlock) { content.records?.begin(block) }
  package mutating func end(_ block: LineBlock) { content.records?.end(block) }
}

extension JSONError {
  /// Returns the same error without the byte of the input that was found.
  package var withoutFound: JSONError {
    guard case .syntax(let found, let expected) = payload, found != nil else { return self }
    return JSONError(code, at: byteOffset, expected.map { .reason("expected \($0.words)") })
  }
}

/// Edits one document, which is never held as a whole. Each window is validated. Then the tape words of its tokens are written.
struct EditedDocument: DocumentErrors, ~Copyable {
  private var text: DocumentText
  private let options: JSONOptions
  private let checker: SharedChecker
  var machine: EditMachine
  /// The state of the grammar before the bytes that were not edited, and their number in the window.
  private var state = GrammarState.start
  private var known = 0
  private var tape = RawMemory(capacity: 0)
  private var progress = DocumentProgress.reading

  init(_ window: consuming ReadWindow, _ edit: JSONEdit, _ options: JSONOptions) {
    text = DocumentText(window)
    self.options = options
    machine = EditMachine(edit.plan, edit.options, options)
    checker = SharedChecker(TextChecker(options: options), notesStates: true)
    text.inspectAhead(by: checker)
  }

  func position(of error: JSONError) -> JSONError.Position { text.position(at: error.byteOffset) }
  func excerpt(of error: JSONError) -> JSONError.Excerpt? { nil }

  var tally: ReadingTally { ReadingTally(undecided: checker.undecided) }

  mutating func next() throws(JSONError) -> Bool {
    guard try progress.isReading() else { return false }
    do throws(JSONError) {
      try advance()
    } catch {
      progress = .failed(error)
      throw error
    }
    if case .finished = progress { return false }
    return true
  }

  private mutating func advance() throws(JSONError) {
    text.dropChunk()
    let hasMore = try text.nextAfterRest()
    let chunk = unsafe text.chunk
    let end = text.offset + chunk.count
    if !hasMore {
      checker.finish()
    } else if !text.isInspectedAhead {
      unsafe checker.take(UnsafeRawBufferPointer(rebasing: chunk[min(known, chunk.count)...]))
    }
    if let error = checker.failure(before: hasMore ? end : .max) { throw error }
    var used = chunk.count
    var next = state
    if hasMore {
      guard let reached = checker.grammarState(at: end) else {
        known = chunk.count
        return text.use(0)
      }
      next = reached
      used = max(reached.offset - text.offset, 0)
    }
    try unsafe edit(UnsafeRawBufferPointer(rebasing: chunk[..<used]))
    state = next
    known = chunk.count - used
    text.use(used)
    if !hasMore { progress = .finished }
  }

  private mutating func edit(_ tokens: UnsafeRawBufferPointer) throws(JSONError) {
    guard unsafe !tokens.isEmpty else { return }
    let mark = unsafe state.offset == 0 && ByteOrderMark.begins(tokens) ? ByteOrderMark.count : 0
    let rest = unsafe UnsafeRawBufferPointer(rebasing: tokens[mark...])
    unsafe machine.copy(UnsafeRawBufferPointer(rebasing: tokens[..<mark]))
    guard unsafe !rest.isEmpty else { return }
    guard let words = unsafe TapeWordScan.write(tokens: rest, from: state, into: &tape, limit: JSONLimits.maxTapeBytes)
    else { throw JSONError(.recordLimit, at: state.offset, limit: options.limits.recordBytes) }
    // SAFETY: the words have been written, and the tape is not changed before the next call.
    let part = unsafe EditMachine.Part(
      words: UnsafeBufferPointer(
        start: tape.base.assumingMemoryBound(to: UInt64.self) + words.lowerBound, count: words.count),
      text: rest, links: words.lowerBound, document: nil)
    try QueryLimitExceeded.converting(try machine.take(part, 0..<rest.count)) { _ in machine.context.failure }
    guard machine.gapCount <= options.limits.recordBytes else {
      throw JSONError(.recordLimit, at: state.offset, limit: options.limits.recordBytes)
    }
  }
}
