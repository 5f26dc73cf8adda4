/// What a reader has to parse of each record, where it is known what is asked of them and the rest is passed over.
///
/// A class: the reader is handed from one function to another, and this is much.
final class RecordProjection {
  private var trees: LineTrieScanner
  /// Where only records are wanted for which it holds: those are parsed as a whole then.
  private let filter: RecordFilter?
  /// Only records that are proven to be JSON are gone over.
  let needsProof: Bool
  /// The condition of records whose texts are lent, if their texts can answer it. Its queries come behind the others.
  private let condition: TextCondition?
  /// How many lines that nobody knows to be JSON were not parsed as a whole, since the condition does not hold.
  private(set) var ruledOut = 0

  private init(
    _ trees: consuming LineTrieScanner, _ filter: RecordFilter?, _ condition: TextCondition?, _ options: JSONOptions
  ) {
    self.trees = trees
    self.filter = filter
    self.condition = condition
    needsProof = !options.fastForward
  }

  /// Of each record what some paths and a condition ask for is parsed. `nil` if the options do not say that something is
  /// passed over, or if all of a record may be asked for.
  static func of(
    _ queries: [PathQuery], where condition: JSONCondition?, _ options: JSONOptions
  ) -> RecordProjection? {
    guard let condition else { return make(queries, nil, options) }
    return make(
      queries + condition.filter.queries, nil, options,
      lendingWhere: TextCondition(condition.filter, from: queries.count))
  }

  /// Records for which the condition does not hold are passed over, and the others parsed as a whole. `nil` as above.
  static func rulingOut(by condition: JSONCondition?, _ options: JSONOptions) -> RecordProjection? {
    guard let condition else { return nil }
    return make(condition.filter.queries, RecordFilter(condition, options), options)
  }

  /// What it finds are the matches of some paths. `nil` if a path is more than names, or leads into what another one selects.
  static func matching(_ queries: [PathQuery], _ options: JSONOptions) -> RecordProjection? {
    make(queries, nil, options, exactly: true)
  }

  /// Not inlined: in release the compiler would destroy trees that were not made.
  @inline(never)
  private static func make(
    _ queries: [PathQuery], _ filter: RecordFilter?, _ options: JSONOptions, exactly: Bool = false,
    lendingWhere condition: TextCondition? = nil
  ) -> RecordProjection? {
    guard let trees = LineTrieScanner.of(queries, options, exactly: exactly) else { return nil }
    return RecordProjection(trees, filter, condition, options)
  }

  /// Records may be ruled out that nobody knows to be JSON.
  var rulesOutUnproven: Bool { filter != nil && !needsProof }

  /// Forgets lines that have not been asked for: others come.
  func reset() { trees.reset() }

  /// The next match, where matches are found, as long as lines are as usual. The reader stands at its record then.
  @inline(__always)
  func nextMatch(_ reader: inout JSONRecordReader) -> LineTrieScanner.Match? { trees.nextMatch(&reader) }

  func value(
    of match: LineTrieScanner.Match, _ reader: borrowing JSONRecordReader
  ) throws(JSONError) -> (JSON, byteRange: Range<Int>) { try trees.value(of: match, reader) }

  @inline(__always)
  func lendText(
    of match: LineTrieScanner.Match, _ reader: borrowing JSONRecordReader, _ body: (UnsafeRawBufferPointer) -> Void
  ) { unsafe trees.lendText(of: match, reader) { unsafe body($0) } }

  /// Whether what the last step of a query selects in was there, in the lines that were gone over so.
  func hasReached(_ query: Int) -> Bool { trees.hasReached(query) }

  /// Lends what is asked of the next record of a reader of lines, as ``LineTrieScanner/lendRow(_:_:)`` does.
  func lendRow(
    _ reader: inout JSONRecordReader, _ body: (_ query: Int, _ text: UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    guard filter == nil else { return false }
    return unsafe trees.lendRow(&reader, body)
  }

  /// The same of record after record, as ``LineTrieScanner/lendRows(_:_:endRow:)`` does.
  func lendRows(
    _ reader: inout JSONRecordReader, _ body: (_ query: Int, _ text: UnsafeRawBufferPointer) -> Void,
    endRow: () -> Bool
  ) -> Int {
    guard filter == nil else { return 0 }
    return unsafe trees.lendRows(&reader, nil, body, endRow: endRow)
  }

  /// The same where there is a condition: of records for which it holds. 0 too if texts cannot answer it.
  func lendRowsWhere(
    _ reader: inout JSONRecordReader, _ body: (_ query: Int, _ text: UnsafeRawBufferPointer) -> Void,
    endRow: () -> Bool
  ) -> Int {
    guard let condition else { return 0 }
    return unsafe trees.lendRows(&reader, condition, body, endRow: endRow)
  }

  /// The next record of a reader of lines, as long as these are as usual. The reader stands at it then.
  func nextRecord(_ reader: inout JSONRecordReader) -> LineTrieScanner.Outcome? {
    let outcome = trees.nextRecord(&reader)
    guard case .projected(let document)? = outcome, isWanted(document) else { return outcome }
    return .whole
  }

  /// The document of a record, of which only a part has been parsed. `nil` if it is to be parsed as a whole.
  ///
  /// Where there is a condition, only records have one for which it does not hold: whoever asks it of them finds that too.
  func document(
    of bytes: UnsafeRawBufferPointer, from start: Int, isValidText: Bool, at offset: Int
  ) -> Document? {
    if !isValidText {
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
      guard unsafe ByteScan.textPrefix(text) == text.count else { return nil }
    }
    guard let document = unsafe trees.document(of: bytes, from: start, at: offset) else { return nil }
    return isWanted(document) ? nil : document
  }

  /// Whether a record is wanted as a whole.
  private func isWanted(_ document: Document) -> Bool {
    guard let filter else { return false }
    do throws(JSONError) {
      if try filter.holds(for: JSONRecord(value: JSON(document, Document.root), line: 0)) { return true }
    } catch {
      // Who asks the whole record is told.
      return true
    }
    if !needsProof { ruledOut += 1 }
    return false
  }
}

extension JSONRecordReader {
  /// Says that nothing but some paths will be asked of records. With ``JSONOptions/fastForward-swift.property`` there is no
  /// more of them then. Elements and members of a document stay whole.
  ///
  /// - Throws: ``JSONError/Code/invalidPath`` if a path is a bad literal.
  package mutating func keep(only paths: [JSONPath]) throws(JSONError) {
    var queries: [PathQuery] = []
    for path in paths { queries.append(try path.checked()) }
    project(RecordProjection.of(queries, where: nil, options.reading))
  }

  /// Goes on to the next record, and lends the texts of what the paths of ``keep(only:)`` select in it, in their order, each
  /// with the number of its path. No document is made of it.
  ///
  /// - Returns: `false` if the next record has to be asked for by ``next()``.
  package mutating func lendRow(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void) -> Bool {
    guard let projection, cutsLines else { return false }
    usePending()
    return unsafe projection.lendRow(&self, body)
  }

  /// Does the same with record after record. At most the records that are in memory are lent.
  ///
  /// - Parameter endRow: Is called behind the texts of each record, and returns whether another record is wanted.
  /// - Returns: How many records were lent. If it is 0, the next record has to be asked for by ``next()``.
  package mutating func lendRows(
    _ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int {
    guard let projection, cutsLines else { return 0 }
    usePending()
    return unsafe projection.lendRows(&self, body, endRow: endRow)
  }

  /// Parses only a part of each record, if there is what says which, and if records are proven where they must be.
  mutating func project(_ projection: RecordProjection?) {
    guard let projection, !projection.needsProof || proveRecords() else { return }
    self.projection = projection
  }
}

extension JSONCondition {
  /// With ``JSONOptions/fastForward-swift.property`` no more of a record is parsed for it than what it asks for.
  package var canFastForward: Bool { QueryTrie.of(filter.queries, JSONLimits()) != nil }
}
