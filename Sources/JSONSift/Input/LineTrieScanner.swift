/// Finds the values that a set of queries, which all begin with names, select in records. A kernel scans the records along a
/// trie of the names, at little more than the cost of the values found.
///
/// The kernel scans many validated lines at once. It accepts a line if the line is one object of a form that it can read; every
/// other line is left to the reader. After each record the reader has the same position as without the scanner.
///
/// Matches, rows, columns and partial documents share this file, so that no other code can access the state of a scan.
struct LineTrieScanner: ~Copyable {
  private var trie: QueryTrie
  private let options: JSONOptions
  /// If present, only records that satisfy it have matches, rows and columns. Its queries are the last ones, and their texts
  /// are not passed.
  var condition: TextCondition?
  /// Whether the texts that are found are passed as rows and columns. They are not if a query has other steps than names.
  var passesTexts: Bool
  /// The maximum number of bytes that are scanned together. A longer line is left to the reader.
  private let maxBytes: Int
  /// The records that a window of time excludes because they have no time.
  private var misses = TimeMisses()
  private var scan = LineScan()
  private var values: SubtreeParser
  private var projected = ProjectedRecord()
  private var last: Document?
  private var columns: TrieColumns

  /// The scanned lines: their offset in the input, their length in bytes, and the number of the first line.
  private var run = (offset: 0, bytes: 0, line: 0)
  /// The number of these lines that the reader has reached, the indices of the values found in the last of them, and the
  /// next query to evaluate on that line.
  private var lines = 0
  private var found = 0..<0
  private var query = 0
  /// For each branch, the index in ``scan`` of its first value in the last line. An entry of an earlier line is stale: its
  /// index is outside of ``found``, or belongs to another branch. Empty if there are few queries.
  private var firsts: [Int]
  /// A bit set of the trie's objects that occurred in the finished lines. If matches have a condition, only in the lines that
  /// satisfied it.
  private var opened: UInt32 = 0

  /// The number of calls to skip before the next scan, and the number after the next failure (exponential back-off).
  private var pause = 0
  private var nextPause = 1

  /// With the maximum pause, one of 64 calls scans. A line that is not accepted takes a call for matches and one for records.
  private static let maxPause = Sizes.of(64, fuzzing: 2)
  /// The pause after several scans in turn that accept nothing.
  private static let longPause = Sizes.of(16, fuzzing: 2)

  private init(_ trie: consuming QueryTrie, _ options: JSONOptions, _ maxBytes: Int) {
    firsts = trie.queries.count > Self.fewQueries ? Array(repeating: 0, count: trie.branches.count) : []
    passesTexts = trie.isExact
    self.trie = trie
    self.options = options
    self.maxBytes = min(maxBytes, options.limits.recordBytes)
    values = SubtreeParser(options: options)
    last = nil
    columns = TrieColumns(self.trie)
  }

  /// Returns `nil` if a query does not begin with names, or if there are too many queries.
  ///
  /// - Parameters:
  ///   - queries: The queries.
  ///   - options: The limits.
  ///   - maxBytes: The maximum length of a line.
  static func of(_ queries: [PathQuery], _ options: JSONOptions, maxBytes: Int = .max) -> LineTrieScanner? {
    guard let trie = QueryTrie.of(queries, options.limits) else { return nil }
    return LineTrieScanner(trie, options, maxBytes)
  }

  /// Discards the scanned lines: the reader continues with other ones.
  mutating func reset() {
    forgetLines()
    query = trie.queries.count
  }

  /// Releases the memory that is kept for the next value, after a long one.
  mutating func releaseMemory() {
    values = SubtreeParser(options: options)
    projected = ProjectedRecord()
    last = nil
  }

  private mutating func forgetLines() {
    scan.removeAll()
    lines = 0
    found = 0..<0
  }

  /// Returns whether the container in which the last step of a query selects occurred.
  func hasReached(_ query: Int) -> Bool { opened & trie.queries[query].owner != 0 }

  /// Whether a value that is found is the match of the queries that lead there.
  var isExact: Bool { trie.isExact }

  // MARK: Matches

  /// A match: its query, and its range in the scanned lines.
  struct Match {
    let query: Int
    let range: Range<Int>
  }

  /// The number of queries that are not those of the condition.
  private var passedQueries: Int { trie.queries.count - (condition?.queryCount ?? 0) }

  /// Returns the next match, as long as the kernel accepts the lines. The reader then has the match's record as its last
  /// record.
  mutating func nextMatch(_ reader: inout JSONRecordReader) -> Match? {
    let end = passedQueries
    while true {
      while query < end {
        let query = query
        self.query += 1
        if let range = firstRange(of: query) { return Match(query: query, range: range) }
      }
      guard advanceToLine(&reader, withValues: true, onlySelected: true) else { return nil }
      if condition == nil { noteFirsts() }
      query = 0
    }
  }

  /// Passes the query and the text of each match in the lines in memory, as long as the kernel accepts them and `body`
  /// returns true. Returns the number of matches; the reader then has the record of the last one as its last record.
  ///
  /// - Parameters:
  ///   - reader: The reader of the lines.
  ///   - counts: For each query, the number of its matches is added.
  ///   - body: Receives the number of a query and the text.
  mutating func borrowMatches(
    _ reader: inout JSONRecordReader, counting counts: inout [Int],
    _ body: (_ query: Int, _ text: UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    var count = 0
    var goesOn = true
    while goesOn, let match = nextMatch(&reader) {
      counts[match.query] += 1
      count += 1
      let lines = LineText(&reader, at: run.offset)
      goesOn = unsafe body(match.query, lines[match.range])
    }
    return count
  }

  /// Returns the value of the last match, and the range of its bytes in the input.
  ///
  /// - Throws: ``JSONError`` if the value is invalid.
  mutating func value(
    of match: Match, _ reader: inout JSONRecordReader
  ) throws(JSONError) -> (JSON, byteRange: Range<Int>) {
    let (query, range) = (match.query, match.range)
    let start = run.offset + range.lowerBound
    let first = start - reader.window.offset
    let window = unsafe reader.window.bytes
    let text = unsafe UnsafeRawBufferPointer(rebasing: window[first..<(first + range.count)])
    let document = Document.reusing(&last)
    unsafe trie.queries[query].packedSteps.withUnsafeBytes {
      unsafe document.setSource(copying: text, origin: start, packedLocation: $0)
    }
    if unsafe text[0].opensContainer {
      guard unsafe values.parse(window, first..<(first + range.count), at: start) else {
        // A validated value is never rejected.
        throw JSONError(.unexpectedByte, at: start)
      }
      unsafe document.setTape(copying: UnsafeRawBufferPointer(values.batch.words))
    } else {
      document.setTape(scalar: unsafe TapeWord(scalarIn: text, 0..<text.count).bits)
    }
    return (JSON(document, Document.root), start..<(start + text.count))
  }

  // MARK: Records

  /// The scanned lines, as far as they are in memory. They are passed instead of the reader, because a large struct that a
  /// function borrows is copied for each call, which is 9 % of the instructions of `stats` (callgrind).
  ///
  /// Safe: it is used before the reader changes.
  @safe private struct LineText {
    private let bytes: UnsafeRawBufferPointer
    private let shift: Int

    /// - Parameter offset: The offset in the input of the scanned lines.
    init(_ reader: inout JSONRecordReader, at offset: Int) {
      unsafe (bytes, shift) = (reader.window.bytes, offset - reader.window.offset)
    }

    /// One line.
    init(_ line: UnsafeRawBufferPointer) { unsafe (bytes, shift) = (line, 0) }

    /// The bytes of a range in the scanned lines.
    subscript(_ range: Range<Int>) -> UnsafeRawBufferPointer {
      unsafe UnsafeRawBufferPointer(rebasing: bytes[(range.lowerBound + shift)..<(range.upperBound + shift)])
    }
  }

  /// Returns whether the last line satisfies the condition, if there is one.
  private mutating func isSelected(_ text: LineText, line: Int?) -> Bool {
    func found(_ query: Int) -> UnsafeRawBufferPointer? { unsafe firstRange(of: query).map { unsafe text[$0] } }
    var lacksTime = false
    if unsafe condition?.holds(&lacksTime, found) ?? true { return true }
    if lacksTime { unsafe misses.add(condition?.valueInPlaceOfTime(found), line: line) }
    return false
  }

  /// Passes the text of the first value that each query selects in the last line. Inlined, as ``firstRange(of:)`` is.
  @inline(__always)
  private func pass(_ text: LineText, to end: Int, _ body: (_ query: Int, _ text: UnsafeRawBufferPointer) -> Void) {
    for query in 0..<end {
      if let range = firstRange(of: query) { unsafe body(query, text[range]) }
    }
  }

  /// Returns the records without a time since the last call.
  mutating func takeMisses() -> TimeMisses { misses.take() }

  // MARK: The first of several values with one name

  /// The maximum number of queries that each search the values of a line: for so few, the search is cheaper than an index.
  private static let fewQueries = Sizes.of(8, fuzzing: 1)

  /// Indexes the values found in the last line by branch.
  private mutating func noteFirsts() {
    guard !firsts.isEmpty else { return }
    for index in found.reversed() { firsts[scan[index].branch] = index }
  }

  /// Returns the range of the first value that a query selects in the last line. Inlined, because the scanner would be copied for
  /// each call.
  @inline(__always)
  private func firstRange(of query: Int) -> Range<Int>? {
    let branch = trie.queries[query].branch
    guard firsts.isEmpty else {
      let index = firsts[branch]
      guard found.contains(index) else { return nil }
      let value = scan[index]
      return value.branch == branch ? value.range : nil
    }
    var index = found.lowerBound
    while index < found.upperBound, scan[index].branch != branch { index += 1 }
    return index < found.upperBound ? scan[index].range : nil
  }

  /// Advances over records, as long as the kernel accepts the lines and `endRow` returns true, and passes the value that each
  /// query selects in each, in the order of the queries: the number of the query and the text. Returns the number of scanned
  /// records; 0 also if a query has other steps than names.
  ///
  /// - Parameters:
  ///   - reader: The reader of the lines.
  ///   - body: Receives the index of a query and the text.
  ///   - endRow: Called after the texts of each record; returns whether to continue with another record.
  mutating func borrowRows(
    _ reader: inout JSONRecordReader, _ body: (_ query: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int {
    guard passesTexts else { return 0 }
    let borrowed = passedQueries
    var count = 0
    while advanceToLine(&reader, withValues: false) {
      count += 1
      noteFirsts()
      let text = LineText(&reader, at: run.offset)
      guard isSelected(text, line: run.line + lines - 1) else { continue }
      unsafe pass(text, to: borrowed, body)
      guard endRow() else { break }
    }
    return count
  }

  /// Passes the values of several records by column, in the order of the queries, as far as the kernel has scanned the lines.
  /// Returns the number of these records. The reader then has the last of them as its last record.
  ///
  /// - Parameters:
  ///   - reader: The reader of the lines.
  ///   - body: Receives the records that satisfy the condition.
  mutating func borrowColumns(_ reader: inout JSONRecordReader, _ body: (borrowing BorrowedColumns) -> Void) -> Int {
    guard passesTexts, advanceToLine(&reader, withValues: false) else { return 0 }
    let first = lines - 1
    unsafe columns.begin(
      reader.window.bytes, at: reader.window.offset, line: run.line + first, rows: scan.lineCount - first)
    let shift = run.offset - reader.window.offset
    for index in found.lowerBound..<scan.count {
      let value = scan[index]
      let range = (value.range.lowerBound &+ shift)..<(value.range.upperBound &+ shift)
      columns.set(range, branch: value.branch, row: value.element &- first)
    }
    columns.finish(condition, &misses)
    body(columns.borrowed)
    for line in lines..<scan.lineCount {
      opened |= scan.line(line - 1).opened
      lines = line + 1
    }
    found = scan.count..<scan.count
    let (number, start) = (lines - 1, lines > 1 ? scan.line(lines - 2).end : 0)
    reader.setRecord(at: run.offset + start, line: run.line + number, byteCount: scan.line(number).end - start)
    return lines - first
  }

  /// How a record is to be processed.
  enum Outcome {
    /// This document answers the queries. It contains only the values that they select.
    case projected(Document)
    /// The record must be parsed as a whole.
    case whole
  }

  /// Returns the next record that satisfies the condition, as long as the kernel accepts the lines. The reader then has it as
  /// its last record.
  ///
  /// - Parameters:
  ///   - reader: The reader of the lines.
  ///   - wholly: Whether the record must be parsed as a whole.
  mutating func nextRecord(_ reader: inout JSONRecordReader, wholly: Bool) -> Outcome? {
    guard advanceToLine(&reader, withValues: false, onlySelected: true) else { return nil }
    if wholly { return .whole }
    let start = reader.recordOffset - run.offset
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: reader.window.bytes[..<reader.pendingUse])
    return unsafe document(bytes, from: 0, start, at: reader.recordOffset).map { .projected($0) } ?? .whole
  }

  /// Returns the document of a record that was cut; `nil` if it must be parsed as a whole.
  ///
  /// - Parameters:
  ///   - bytes: The record, and the text before it.
  ///   - first: The number of bytes before it.
  ///   - offset: The offset of the bytes in the input.
  mutating func document(of bytes: UnsafeRawBufferPointer, from first: Int, at offset: Int) -> Document? {
    defer { forgetLines() }
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[first...])
    let blanks = unsafe ByteScan.whitespacePrefix(rest)
    guard unsafe scanObject(UnsafeRawBufferPointer(rebasing: rest[blanks...])) else { return nil }
    return unsafe document(bytes, from: first + blanks, -(first + blanks), at: offset)
  }

  /// Passes the value that each query selects in one value, as ``borrowRows(_:_:_:endRow:)`` does. Returns `false` if the
  /// kernel does not accept the text, or if a query has other steps than names.
  ///
  /// - Parameter isSelected: Receives whether the condition holds.
  mutating func borrowRow(
    of text: UnsafeRawBufferPointer, isSelected: inout Bool,
    _ body: (_ query: Int, _ text: UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    defer { forgetLines() }
    guard passesTexts, text.count <= maxBytes, unsafe scanObject(text) else { return false }
    noteFirsts()
    let line = unsafe LineText(text)
    isSelected = self.isSelected(line, line: nil)
    if isSelected { unsafe pass(line, to: passedQueries, body) }
    return true
  }

  /// Scans a text that begins with an object. Returns false if the kernel does not accept it, or if more than blanks follow.
  private mutating func scanObject(_ text: UnsafeRawBufferPointer) -> Bool {
    forgetLines()
    let end = unsafe scan.read(object: text, along: &trie.names)
    let following = unsafe UnsafeRawBufferPointer(rebasing: text[end...])
    guard end > 0, unsafe ByteScan.whitespacePrefix(following) == following.count else { return false }
    found = 0..<scan.count
    return true
  }

  /// Returns the document of the values found in one record.
  ///
  /// - Parameters:
  ///   - bytes: The record, and the text before it.
  ///   - first: The index in the bytes at which the record begins.
  ///   - start: The offset of the bytes in the scanned text.
  ///   - offset: The offset of the bytes in the input.
  private mutating func document(
    _ bytes: UnsafeRawBufferPointer, from first: Int, _ start: Int, at offset: Int
  ) -> Document? {
    projected.begin(at: first)
    for index in found {
      let value = scan[index]
      let range = (value.range.lowerBound - start)..<(value.range.upperBound - start)
      guard unsafe projected.append(bytes, range, trie.branches[value.branch], &values) else { return nil }
    }
    var end = bytes.count
    while end > first + 1, unsafe bytes[end - 1] <= ASCII.space { end -= 1 }
    projected.end(before: end)
    guard projected.tapeBytes <= options.limits.effectiveTapeBytes else { return nil }
    let document = Document.reusing(&last)
    unsafe document.setSource(copying: UnsafeRawBufferPointer(rebasing: bytes[..<projected.sourceEnd]), origin: offset)
    unsafe projected.withTape { unsafe document.setTape(copying: $0) }
    return document
  }

  // MARK: Lines

  /// Advances to the next line. Returns false if no line is left, or if the kernel does not accept the next one.
  ///
  /// - Parameters:
  ///   - reader: The reader of the lines.
  ///   - withValues: Whether lines without a value are skipped.
  ///   - onlySelected: Whether lines that do not satisfy the condition are skipped.
  private mutating func advanceToLine(
    _ reader: inout JSONRecordReader, withValues: Bool, onlySelected: Bool = false
  ) -> Bool {
    if lines > 0 {
      opened |= scan.line(lines - 1).opened
      // The reader was advanced by other means.
      if reader.window.offset + reader.pendingUse != run.offset + scan.line(lines - 1).end { forgetLines() }
    }
    while true {
      guard lines < scan.lineCount else {
        if lines > 0 { reader.skip(to: run.offset + run.bytes, line: run.line + lines) }
        forgetLines()
        guard begin(&reader) else { return false }
        continue
      }
      let number = lines
      lines += 1
      var end = found.upperBound
      while end < scan.count, scan[end].element == number { end += 1 }
      found = found.upperBound..<end
      if onlySelected, condition != nil {
        noteFirsts()
        let text = LineText(&reader, at: run.offset)
        guard isSelected(text, line: run.line + number) else { continue }
      }
      guard !found.isEmpty || !withValues else {
        opened |= scan.line(number).opened
        continue
      }
      let start = number > 0 ? scan.line(number - 1).end : 0
      reader.setRecord(at: run.offset + start, line: run.line + number, byteCount: scan.line(number).end - start)
      return true
    }
  }

  /// Scans the lines in the window. Returns false if the kernel does not accept the first one.
  private mutating func begin(_ reader: inout JSONRecordReader) -> Bool {
    guard pause == 0 else {
      pause -= 1
      return false
    }
    guard let (lines, offset) = unsafe reader.wholeLines(), let bytes = unsafe lines.firstLines(within: maxBytes) else {
      return false
    }
    // Positions in borrowed columns have 32 bits.
    let near = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, BorrowedColumns.maxBytes)])
    let used = unsafe reader.scan(near, at: offset, &scan, along: &trie.names)
    guard used > 0 else {
      pause = nextPause
      nextPause = min(nextPause * 2, Self.maxPause)
      if nextPause >= Self.longPause { reader.prefilter?.note(kernelAccepts: false) }
      return false
    }
    nextPause = 1
    reader.prefilter?.note(kernelAccepts: true)
    run = (offset, used, reader.nextLine)
    return true
  }
}
