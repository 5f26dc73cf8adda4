/// Edits records, and copies the text between them. Validated lines are edited many at a time.
struct EditedRecords: RecordErrors, ~Copyable {
  private var reader: JSONRecordReader
  private let used: UsedText
  var machine: EditMachine
  private let edit: JSONEdit
  private let filter: RecordFilter?
  /// Notes the strings of records that the condition does not select.
  private var unselected: EditMachine?
  private let skipsPrefix: Bool
  private var tape = RawMemory(capacity: 0)
  /// The last byte of the previous value of several, and whether that was changed.
  private var last: (byte: UInt8, isChanged: Bool)?

  init(_ reader: consuming JSONRecordReader, _ used: UsedText, _ edit: JSONEdit, where condition: JSONCondition?) {
    skipsPrefix = reader.skipsPrefix
    let reading = reader.options.reading
    self.reader = reader
    self.used = used
    machine = EditMachine(edit.plan, edit.options, reading)
    self.edit = edit
    filter = condition.map { RecordFilter($0, reading) }
    if condition != nil, edit.options.notesStrings, let plan = try? EditPlan([]) {
      var options = JSONEdit.Options()
      options.notesStrings = true
      unselected = EditMachine(plan, options, reading, pathMasker: machine.masker)
    }
    if self.reader.cutsLines, filter == nil, !edit.plan.hasFilters { _ = self.reader.validateRecords() }
  }

  func position(of error: JSONError) -> JSONError.Position { reader.position(of: error) }
  func excerpt(of error: JSONError) -> JSONError.Excerpt { JSONError.Excerpt(around: 0, in: []) }
  var stopReason: String? { reader.stopReason }
  var tally: ReadingTally { reader.tally }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord { reader.badRecord(of: error) }

  mutating func begin(_ block: LineBlock) { reader.begin(block) }

  mutating func end(_ block: LineBlock) {
    reader.end(block)
    if block.isLong { tape = RawMemory(capacity: 0) }
  }

  /// Edits the next records. Returns `false` at the end.
  mutating func next() throws(JSONError) -> Bool {
    if filter == nil, !edit.plan.hasFilters, try editLines() { return true }
    let record: JSONRecord?
    do throws(JSONError) {
      record = try reader.next()
    } catch {
      leaveOut(error)
      copyUsed()
      throw error
    }
    copyUsed()
    guard let record else { return false }
    used.ignored = min(reader.pendingUse, reader.window.count)
    if reader.framing == .values { try writeApart(record) } else { try write(record) }
    return true
  }

  /// Writes one of several values, after a line feed where an edit could have joined it with the previous one: an array may have
  /// become a number.
  private mutating func writeApart(_ record: JSONRecord) throws(JSONError) {
    let gap = machine.takeOutput()
    try write(record)
    let text = machine.takeOutput()
    let isChanged = unsafe !reader.window.bytes.prefix(reader.pendingUse).elementsEqual(text)
    if let last, last.isChanged || isChanged, !last.byte.isJSONWhitespace, (gap + text).first?.isJSONWhitespace == false
    {
      unsafe [ASCII.lineFeed].withUnsafeBytes { unsafe machine.copy($0) }
    }
    unsafe gap.withUnsafeBytes { unsafe machine.copy($0) }
    unsafe text.withUnsafeBytes { unsafe machine.copy($0) }
    if let byte = text.last { last = (byte, isChanged) }
  }

  private mutating func copyUsed() { unsafe used.move { unsafe machine.copy($0) } }

  // MARK: One record

  private mutating func write(_ record: JSONRecord) throws(JSONError) {
    let value = record.value
    guard case .node(let document, let root) = value.storage else { return }
    let end = document.range(of: root).upperBound
    let prefix = skipsPrefix ? record.prefix : []
    let isPrefixed = !prefix.allSatisfy(\.isJSONWhitespace) && !prefix.elementsEqual(ByteOrderMark.bytes)
    var start = 0
    if isPrefixed {
      start = prefix.count
      if edit.options.keepsPrefix {
        machine.counts.keptPrefixes += 1
        let masked = unsafe prefix.withUnsafeBytes { unsafe machine.masker.masked($0, &machine.counts) }
        unsafe (masked ?? prefix).withUnsafeBytes { unsafe machine.copy($0) }
      }
    }
    if try filter?.holds(for: record) ?? true {
      try machine.edit(value, from: start)
    } else {
      machine.copy(value, from: start)
      machine.counts.unselected += 1
      try unselected?.edit(value)
      unsafe unselected?.takeOutput { _ in }
      if let counts = unselected?.counts.take() { machine.counts.strings.formUnion(counts.strings) }
    }
    // The record ends with the text of the line that the document does not contain.
    let count = unsafe document.withSource { $0.count }
    let all = unsafe UnsafeRawBufferPointer(rebasing: reader.window.bytes.prefix(reader.pendingUse))
    var tail = unsafe UnsafeRawBufferPointer(rebasing: all.dropFirst(count))
    if skipsPrefix, let last = unsafe tail.lastIndex(where: { !$0.isJSONWhitespace }), end <= count {
      unsafe tail = UnsafeRawBufferPointer(rebasing: tail[(last + 1)...])
    }
    unsafe machine.copy(tail)
  }

  /// Leaves out a bad record, or notes that it is copied.
  private mutating func leaveOut(_ error: JSONError) {
    guard !error.code.endsInput else { return }
    guard !edit.options.keepsBadRecords else {
      machine.counts.keptBad += 1
      return
    }
    used.drop(max(reader.window.offset - reader.recordOffset, 0))
    used.ignored = min(reader.pendingUse, reader.window.count)
    guard reader.isSkipping else { return }
    let isSequence = reader.framing == .textSequence
    used.ignore(to: isSequence ? ASCII.recordSeparator : ASCII.lineFeed, including: !isSequence)
  }

  // MARK: Many lines

  /// Edits the validated lines in memory. Returns `false` if there are none.
  private mutating func editLines() throws(JSONError) -> Bool {
    guard reader.validationUse == .lines, let (lines, offset) = unsafe reader.wholeLines() else { return false }
    copyUsed()
    var start = 0
    while start < lines.count {
      let chunk = unsafe TapeWordLines.chunk(of: lines, from: start)
      start = chunk.upperBound
      // A validated record has a bounded length, so its tape is bounded too: see `RecordValidation`.
      guard let count = unsafe TapeWordScan.write(lines, chunk, into: &tape, after: 1, limit: JSONLimits.maxTapeBytes)
      else { throw JSONError(.recordLimit, at: offset + chunk.lowerBound, limit: reader.limits.recordBytes) }
      // SAFETY: the words have been written, and the tape is not changed before the next chunk.
      let part = unsafe EditMachine.Part(
        words: UnsafeBufferPointer(start: tape.base.assumingMemoryBound(to: UInt64.self) + 1, count: count - 1),
        text: lines, links: 1, document: nil)
      try QueryLimitExceeded.converting(try machine.take(part, chunk)) { _ in machine.context.failure }
    }
    let feeds = unsafe ByteScan.countLineFeeds(lines)
    used.ignored = lines.count
    reader.skip(to: offset + lines.count, line: reader.nextLine + feeds)
    return true
  }
}
