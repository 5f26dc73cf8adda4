/// Finds in records what some queries ask for that begin with names: a kernel goes over all records that are as usual, and
/// each costs little more than what is found.
///
/// Of lines it goes over many at once. What is not as usual is left to the reader: so nothing is accepted here that it would
/// refuse, and in between it stands where it would stand without this. Where lines are not proven, what was found is parsed
/// before any of it is handed out.
struct LineTrieScanner: ~Copyable {
  private var tree: QueryTrie
  private let limits: JSONLimits
  /// Records are proven, so no value can be refused.
  private let isProven: Bool
  private var scan = LineScan()
  private var scalars = ScalarBatch()
  private var values: SubtreeParser
  private var projected = ProjectedRecord()
  private var last: Document?

  /// Where the lines that were gone over begin in the input, how long they are, and the number of the first.
  private var run = (offset: 0, bytes: 0, line: 0)
  /// How many of these lines the reader has reached, what was found in the last of them, and its next query.
  private var lines = 0
  private var found = 0..<0
  private var query = 0
  /// For each branch, the index in ``scan`` of its first value in the last line. An entry of an earlier line is stale: its index
  /// is outside of ``found``, or belongs to another branch. Empty where there are few queries.
  private var firsts: [Int]
  /// Objects of the tree that were in lines behind which the reader stands.
  private var opened: UInt32 = 0

  /// Up to this offset lines are left to the reader: a value among them is none.
  private var leftUntil = 0
  /// So many lines are left to the reader before the next try, and so many after the next one that fails.
  private var pause = 0
  private var nextPause = 1

  /// Where trying again and again finds nothing, it costs a sixty-fourth of the lines.
  private static let maxPause = 64

  private init(_ tree: consuming QueryTrie, _ options: JSONOptions) {
    firsts = tree.queries.count > Self.fewQueries ? Array(repeating: 0, count: tree.branches.count) : []
    self.tree = tree
    limits = options.limits
    isProven = !options.fastForward
    self.tree.names.hasProvenLines = isProven
    values = SubtreeParser(options: options)
    last = nil
  }

  /// `nil` if the queries do not all begin with names, or if there are too many.
  ///
  /// - Parameter exactly: As of ``QueryTrie``.
  static func of(_ queries: [PathQuery], _ options: JSONOptions, exactly: Bool = false) -> LineTrieScanner? {
    guard let tree = QueryTrie.of(queries, options.limits, exactly: exactly) else { return nil }
    return LineTrieScanner(tree, options)
  }

  /// Forgets lines that have not been asked for: others come.
  mutating func reset() {
    forgetLines()
    query = tree.queries.count
    leftUntil = 0
  }

  private mutating func forgetLines() {
    scan.removeAll()
    lines = 0
    found = 0..<0
  }

  /// Whether what the last step of a query selects in was there.
  func hasReached(_ query: Int) -> Bool { opened & tree.queries[query].owner != 0 }

  // MARK: Matches

  /// A match: its query, and where it stands in the lines that were gone over.
  struct Match {
    let query: Int
    fileprivate let range: Range<Int>
  }

  /// The next match, as long as lines are as usual. The reader stands at its record then, as if it had read that.
  mutating func nextMatch(_ reader: inout JSONRecordReader) -> Match? {
    while true {
      while query < tree.queries.count {
        let query = query
        self.query += 1
        if let range = firstRange(of: query) { return Match(query: query, range: range) }
      }
      guard goToLine(&reader, withValues: true) else { return nil }
      noteFirsts()
      query = 0
    }
  }

  /// Lends the text of the last match.
  @inline(__always)
  func lendText(
    of match: Match, _ reader: borrowing JSONRecordReader, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    let first = run.offset + match.range.lowerBound - reader.window.offset
    unsafe body(UnsafeRawBufferPointer(rebasing: reader.window.bytes[first..<(first + match.range.count)]))
  }

  /// The value of the last match, and its bytes in the input.
  ///
  /// - Throws: ``JSONError`` of a value that is none.
  mutating func value(
    of match: Match, _ reader: borrowing JSONRecordReader
  ) throws(JSONError) -> (JSON, byteRange: Range<Int>) {
    let (query, range) = (match.query, match.range)
    let start = run.offset + range.lowerBound
    let first = start - reader.window.offset
    let window = unsafe reader.window.bytes
    let text = unsafe UnsafeRawBufferPointer(rebasing: window[first..<(first + range.count)])
    let document = Document.reusing(&last)
    unsafe tree.queries[query].place.withUnsafeBytes {
      unsafe document.setSource(copying: text, origin: start, place: $0)
    }
    if unsafe text[0].opensContainer {
      guard unsafe values.parse(window, first..<(first + range.count), at: start, depth: 1, isProven: true) else {
        // What was proven is not refused.
        throw JSONError(.unexpectedByte, at: start)
      }
      unsafe document.setTape(copying: UnsafeRawBufferPointer(values.batch.words))
    } else {
      document.setTape(scalar: unsafe TapeWord(scalarIn: text, 0..<text.count).bits)
    }
    return (JSON(document, Document.root), start..<(start + text.count))
  }

  // MARK: Records

  /// Goes on to the next record, as long as lines are as usual, and lends what each query finds in it, in their order: the
  /// number of the query and the text. `false` if the next line is not as usual, or if a query is more than names.
  mutating func lendRow(
    _ reader: inout JSONRecordReader, _ body: (_ query: Int, _ text: UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    guard tree.isExact, goToLine(&reader, withValues: false) else { return false }
    noteFirsts()
    unsafe lendTexts(reader, to: tree.queries.count, body)
    return true
  }

  private func lendTexts(
    _ reader: borrowing JSONRecordReader, to end: Int, _ body: (_ query: Int, _ text: UnsafeRawBufferPointer) -> Void
  ) {
    for query in 0..<end {
      if let text = unsafe text(of: query, reader) { unsafe body(query, text) }
    }
  }

  /// The text of the first value that a query finds in the last line.
  @inline(__always)
  private func text(of query: Int, _ reader: borrowing JSONRecordReader) -> UnsafeRawBufferPointer? {
    guard let range = firstRange(of: query) else { return nil }
    let first = run.offset + range.lowerBound - reader.window.offset
    return unsafe UnsafeRawBufferPointer(rebasing: reader.window.bytes[first..<(first + range.count)])
  }

  // MARK: Of several values with one name the first

  /// The maximum number of queries that each search the values of a line: for so few, that costs less than an index.
  private static let fewQueries = 8

  /// Notes what was found in the last line, so that each query finds its own at once.
  @inline(__always)
  private mutating func noteFirsts() {
    guard !firsts.isEmpty else { return }
    for index in found.reversed() { firsts[scan[index].branch] = index }
  }

  /// Where the first value stands that a query finds in the last line.
  @inline(__always)
  private func firstRange(of query: Int) -> Range<Int>? {
    let branch = tree.queries[query].branch
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

  /// Does the same with record after record, as long as lines are as usual and `endRow` says that more are wanted. Returns how
  /// many records it has gone over.
  ///
  /// - Parameter condition: Only records for which it holds are lent. Its queries are the last ones, and are not lent.
  mutating func lendRows(
    _ reader: inout JSONRecordReader, _ condition: TextCondition?,
    _ body: (_ query: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int {
    guard tree.isExact else { return 0 }
    let lent = tree.queries.count - (condition?.queryCount ?? 0)
    var count = 0
    while goToLine(&reader, withValues: false) {
      count += 1
      noteFirsts()
      if let condition, unsafe !condition.holds({ unsafe text(of: $0, reader) }) { continue }
      unsafe lendTexts(reader, to: lent, body)
      guard endRow() else { break }
    }
    return count
  }

  /// What has become of a record.
  enum Outcome {
    /// The queries can be asked of this document. What they do not ask for is not in it.
    case projected(Document)
    /// The record is to be parsed as a whole.
    case whole
  }

  /// The next record, as long as lines are as usual. The reader stands at it then, as if it had read that.
  mutating func nextRecord(_ reader: inout JSONRecordReader) -> Outcome? {
    guard goToLine(&reader, withValues: false) else { return nil }
    let start = reader.recordOffset - run.offset
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: reader.window.bytes[..<reader.pendingUse])
    return unsafe document(bytes, from: 0, start, at: reader.recordOffset).map { .projected($0) } ?? .whole
  }

  /// The document of a record that was cut. `nil` if it is to be parsed as a whole.
  ///
  /// - Parameters:
  ///   - bytes: The record, and what stands before it.
  ///   - first: How many bytes stand before it.
  ///   - offset: Where the bytes begin in the input.
  mutating func document(of bytes: UnsafeRawBufferPointer, from first: Int, at offset: Int) -> Document? {
    forgetLines()
    defer { forgetLines() }
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[first...])
    let blanks = unsafe ByteScan.whitespacePrefix(rest)
    let text = unsafe UnsafeRawBufferPointer(rebasing: rest[blanks...])
    let end = unsafe scan.read(object: text, along: &tree.names)
    let behind = unsafe UnsafeRawBufferPointer(rebasing: text[end...])
    guard end > 0, unsafe ByteScan.whitespacePrefix(behind) == behind.count else { return nil }
    found = 0..<scan.count
    guard unsafe isProven || areGood(text) else { return nil }
    return unsafe document(bytes, from: first + blanks, -(first + blanks), at: offset)
  }

  /// The document of what was found in one record.
  ///
  /// - Parameters:
  ///   - first: Where the record begins in the bytes.
  ///   - start: Where the bytes begin in what was gone over.
  private mutating func document(
    _ bytes: UnsafeRawBufferPointer, from first: Int, _ start: Int, at offset: Int
  ) -> Document? {
    projected.begin(at: first)
    for index in found {
      let value = scan[index]
      let range = (value.range.lowerBound - start)..<(value.range.upperBound - start)
      guard unsafe projected.append(bytes, range, tree.branches[value.branch], &values) else { return nil }
    }
    var end = bytes.count
    while end > first + 1, unsafe bytes[end - 1] <= ASCII.space { end -= 1 }
    projected.end(before: end)
    guard projected.tapeBytes <= max(limits.tapeBytes, 4096) else { return nil }
    let document = Document.reusing(&last)
    unsafe document.setSource(
      copying: UnsafeRawBufferPointer(rebasing: bytes[..<projected.sourceEnd]), origin: offset)
    unsafe projected.withTape { unsafe document.setTape(copying: $0) }
    return document
  }

  /// Whether nothing is wrong with what was found.
  private mutating func areGood(_ bytes: UnsafeRawBufferPointer) -> Bool {
    defer { scalars.removeAll() }
    for index in 0..<scan.count {
      let range = scan[index].range
      guard !range.isEmpty else { continue }
      if unsafe bytes[range.lowerBound].opensContainer {
        // So a limit of depth is that of the record.
        guard unsafe values.parse(bytes, range, at: 0, depth: tree.branches[scan[index].branch].depth) else {
          return false
        }
      } else {
        unsafe scalars.append(bytes, range, isMember: true)
      }
    }
    return scalars.count == 0 || scalars.areGood(values: &values)
  }

  // MARK: Lines

  /// Goes on to the next line. False if there is none, or the next line is not as usual.
  ///
  /// - Parameter withValues: Lines are passed over in which nothing was found.
  private mutating func goToLine(_ reader: inout JSONRecordReader, withValues: Bool) -> Bool {
    if lines > 0 {
      opened |= scan.line(lines - 1).opened
      // Somebody else has led the reader on.
      if reader.window.offset + reader.pendingUse != run.offset + scan.line(lines - 1).end { forgetLines() }
    }
    while true {
      guard lines < scan.lineCount else {
        if lines > 0 { reader.pass(to: run.offset + run.bytes, line: run.line + lines) }
        forgetLines()
        guard begin(&reader) else { return false }
        continue
      }
      let number = lines
      lines += 1
      var end = found.upperBound
      while end < scan.count, scan[end].element == number { end += 1 }
      found = found.upperBound..<end
      guard !found.isEmpty || !withValues else {
        opened |= scan.line(number).opened
        continue
      }
      let start = number > 0 ? scan.line(number - 1).end : 0
      reader.stand(at: run.offset + start, line: run.line + number, byteCount: scan.line(number).end - start)
      return true
    }
  }

  /// Goes over the lines that are in the window. False if none is as usual.
  private mutating func begin(_ reader: inout JSONRecordReader) -> Bool {
    guard pause == 0 else {
      pause -= 1
      return false
    }
    guard let (lines, offset) = unsafe reader.wholeLines(areProven: isProven), offset >= leftUntil,
      let bytes = unsafe lines.firstLines(within: limits.recordBytes)
    else {
      return false
    }
    let used = unsafe scan.read(bytes, along: &tree.names)
    guard used > 0 else {
      pause = nextPause
      nextPause = min(nextPause * 2, Self.maxPause)
      return false
    }
    nextPause = 1
    guard unsafe isProven || areGood(bytes) else {
      scan.removeAll()
      leftUntil = offset + used
      return false
    }
    run = (offset, used, reader.nextLine)
    return true
  }
}

extension JSONRecordReader {
  /// The whole lines behind the last record that are known to be text, or to be JSON, and where they begin in the input;
  /// `nil` if there are none, or if what becomes of the next line is decided otherwise.
  fileprivate mutating func wholeLines(areProven: Bool) -> (UnsafeRawBufferPointer, offset: Int)? {
    guard cutsLines, !isPassing, !skipsPrefix, searched == 0, failure == nil, held == nil, shape == nil
    else { return nil }
    usePending()
    // Where the prefilter has stepped aside, it would rule out few lines.
    guard prefilter?.isOn(at: window.offset) != true else { return nil }
    if areProven { proveLines() }
    let end = areProven ? proof?.provenEnd ?? 0 : validOffset
    let bytes = unsafe window.bytes
    guard window.offset < end else { return nil }
    let lines = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<min(end - window.offset, bytes.count)])
    return unsafe (lines, window.offset)
  }

  /// Makes the whole line that begins there the last record.
  @inline(__always)
  fileprivate mutating func stand(at offset: Int, line number: Int, byteCount: Int) {
    window.use(offset - window.offset)
    pendingUse = byteCount
    line = number
    nextLine = number + 1
    recordOffset = offset
    lineStart = offset
  }

  /// Goes past whole lines.
  fileprivate mutating func pass(to offset: Int, line number: Int) {
    pendingUse = 0
    window.use(offset - window.offset)
    line = number - 1
    nextLine = number
  }
}
