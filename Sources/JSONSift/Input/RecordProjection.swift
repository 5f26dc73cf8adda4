/// Parses only a part of each record, where the queries for the records are known.
///
/// A class, because the reader is moved from function to function, and this value is large.
final class RecordProjection {
  var scanner: LineTrieScanner
  /// If present, only records that satisfy it are returned. They are parsed as a whole.
  private let filter: RecordFilter?

  private init(_ scanner: consuming LineTrieScanner, _ filter: RecordFilter?, _ condition: TextCondition?) {
    self.scanner = scanner
    self.filter = filter
    self.scanner.condition = condition
    if filter != nil { self.scanner.passesTexts = false }
  }

  /// Creates a projection for a set of queries and a condition. Returns `nil` if the queries may need all of a record.
  static func of(_ queries: [PathQuery], where condition: JSONCondition?, _ options: JSONOptions) -> RecordProjection? {
    guard let condition else { return make(queries, nil, options) }
    let partial = make(queries + condition.filter.queries, nil, options, where: condition, after: queries.count)
    // A condition that texts decide is worth more than partial documents.
    if let partial, partial.scanner.condition == nil, let other = rulingOut(by: condition, options),
      other.scanner.condition != nil
    {
      return other
    }
    return partial
  }

  /// Creates a projection that skips the records for which the condition is false, and parses the others as a whole. Returns
  /// `nil` as ``of(_:where:_:)`` does.
  static func rulingOut(by condition: JSONCondition?, _ options: JSONOptions) -> RecordProjection? {
    guard let condition else { return nil }
    return make(condition.filter.queries, RecordFilter(condition, options), options, where: condition, after: 0)
  }

  /// - Parameter first: The number of queries before those of the condition.
  ///
  /// Not inlined: in release builds the compiler would destroy a scanner that was never initialized.
  @inline(never)
  private static func make(
    _ queries: [PathQuery], _ filter: RecordFilter?, _ options: JSONOptions, where condition: JSONCondition? = nil,
    after first: Int = 0
  ) -> RecordProjection? {
    // On a longer line the condition could exceed its limit of steps, which is an error. Texts are compared without a limit.
    let maxBytes = condition.flatMap { ConditionWork(of: $0.filter) }?.maxBytes(within: options.limits.querySteps)
    guard let scanner = LineTrieScanner.of(queries, options, maxBytes: maxBytes ?? .max) else { return nil }
    let test = scanner.isExact && maxBytes != nil ? condition.flatMap { TextCondition($0.filter, from: first) } : nil
    return RecordProjection(scanner, filter, test)
  }

  /// Returns whether the values found are the matches of the queries in the records that satisfy the condition. Returns `false`
  /// if a query has other steps than names, or leads into a value that another one selects, or if texts are not enough to
  /// evaluate the condition.
  ///
  /// - Parameter condition: The condition that the projection was created with.
  func findsMatches(where condition: JSONCondition?) -> Bool {
    scanner.passesTexts && (condition == nil || scanner.condition != nil)
  }

  /// Returns the next record of a reader of lines, as long as the kernel accepts the lines. The reader then has it as its
  /// last record. Records for which texts decide that the condition is false are skipped.
  func nextRecord(_ reader: inout JSONRecordReader) -> LineTrieScanner.Outcome? {
    let isDecided = filter != nil && scanner.condition != nil
    let outcome = scanner.nextRecord(&reader, wholly: isDecided)
    guard !isDecided, case .projected(let document)? = outcome, isWanted(document) else { return outcome }
    return .whole
  }

  /// Passes the text of the next record that satisfies the condition, as long as the kernel accepts the lines. Returns `false`
  /// also if texts are not enough to evaluate the condition.
  func borrowRecord(_ reader: inout JSONRecordReader, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard scanner.condition != nil, scanner.nextRecord(&reader, wholly: true) != nil else { return false }
    let line = unsafe UnsafeRawBufferPointer(rebasing: reader.window.bytes[..<reader.pendingUse])
    unsafe body(UnsafeRawBufferPointer(rebasing: line[line.rangeWithoutBlanks(from: 0)]))
    return true
  }

  /// Returns the partial document of a record; `nil` if the record must be parsed as a whole.
  ///
  /// With a filter, it returns a partial document only when the condition is false. The caller evaluates the condition again
  /// and gets the same answer.
  func document(of bytes: UnsafeRawBufferPointer, from start: Int, at offset: Int) -> Document? {
    guard let document = unsafe scanner.document(of: bytes, from: start, at: offset) else { return nil }
    return isWanted(document) ? nil : document
  }

  /// Returns whether a record satisfies the filter, so that it must be parsed as a whole.
  private func isWanted(_ document: Document) -> Bool {
    guard let filter else { return false }
    do throws(JSONError) {
      if try filter.holds(for: JSONRecord(value: JSON(document, Document.root), line: 0)) { return true }
    } catch {
      // The caller evaluates the condition for the whole record, and gets the error.
      return true
    }
    return false
  }
}

extension JSONRecordReader {
  /// Declares that only these paths will be evaluated for records. Records can then contain nothing else. The elements and
  /// members of a document stay complete.
  ///
  /// - Parameter paths: The paths.
  /// - Throws: ``JSONError/Code/invalidPath`` if a path is an invalid literal.
  package mutating func keep(only paths: [JSONPath]) throws(JSONError) {
    project(RecordProjection.of(try paths.checked(), where: nil, options.reading))
  }

  /// Advances over records in memory, and passes the texts of the values that the paths of ``keep(only:)`` select in each, in
  /// order, each with the index of its path. No document is built.
  ///
  /// - Parameters:
  ///   - body: Receives the index of a path and the text.
  ///   - endRow: Called after the texts of each record; returns whether to continue with another record.
  /// - Returns: The number of records passed. If it is 0, the next record must be read with ``next()``.
  package mutating func borrowRows(
    _ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int {
    guard let projection, cutsLines else { return 0 }
    usePending()
    return unsafe projection.scanner.borrowRows(&self, body, endRow: endRow)
  }

  /// Passes several records by column, at most those in memory.
  ///
  /// - Returns: The number of records passed. If it is 0, the next record must be read with ``next()``.
  package mutating func borrowColumns(_ body: (borrowing BorrowedColumns) -> Void) -> Int {
    guard let projection, cutsLines else { return 0 }
    usePending()
    return projection.scanner.borrowColumns(&self, body)
  }

  /// Sets the projection, if there is one, and if records are validated. Returns whether it is set.
  @discardableResult
  mutating func project(_ projection: RecordProjection?) -> Bool {
    guard let projection, validateRecords() else { return false }
    lane = .fields(projection)
    if projection.scanner.condition != nil, !skipsPrefix { prefilter?.decideByTexts() }
    return true
  }
}
