/// The matches of several queries in each record.
struct RecordMatches: ~Copyable {
  var reader: JSONRecordReader
  private let queries: [PathQuery]
  /// For each query: whether it selects at most one value.
  private let isSingular: [Bool]
  private let condition: JSONCondition?
  private let context: PathContext
  private let names: [String]
  /// The number of matches of each query.
  private(set) var counts: [Int]
  /// For each query: whether the container in which its last segment selects occurred in some record.
  private var reached: [Bool]
  private var record: JSON?
  private var query = 0
  private var evaluator: PathEvaluator?
  /// The reader's projection, if it finds the matches in lines without documents.
  private var matching: RecordProjection?
  /// Whether the only query is `$` with a condition, so that a match is a record.
  private let matchesRecords: Bool
  /// Whether the only query is `$` without a condition, so that each record is a match.
  private let matchesAll: Bool
  /// Whether the values of the kept queries are passed for the records that satisfy the condition.
  private var borrowsRows = false
  private var misses = TimeMisses()

  /// - Parameter kept: The queries that will be evaluated for the matches, if there are no others: then only their values
  ///   are parsed.
  init(
    _ queries: [PathQuery], names: [String], _ condition: JSONCondition?, _ reader: consuming JSONRecordReader,
    _ options: JSONOptions, keeping kept: [PathQuery]? = nil
  ) {
    self.reader = reader
    self.queries = queries
    isSingular = queries.map { $0.isSingular }
    self.names = names
    self.condition = condition
    context = PathContext(root: .null, limits: options.limits)
    counts = queries.map { _ in 0 }
    reached = queries.map { _ in false }
    let isRoot = queries.count == 1 && queries[0].segments.isEmpty
    (matchesRecords, matchesAll) = (isRoot && condition != nil, isRoot && condition == nil)
    prepare(options, keeping: kept)
  }

  /// Returns the records without a time, for a window of time, since the last call.
  mutating func takeMisses() -> TimeMisses { misses.taken(with: reader.projection?.scanner.takeMisses()) }

  /// Sets up the reader for the queries and the condition.
  ///
  /// Not part of the initializer: if a consumed reader is changed before it is stored, release builds destroy a reader
  /// that was never stored (a fault of the compiler).
  @inline(never)
  private mutating func prepare(_ options: JSONOptions, keeping kept: [PathQuery]?) {
    if matchesAll {
      if let kept { borrowsRows = reader.project(RecordProjection.of(kept, where: nil, options)) }
      return
    }
    reader.prefilter(by: condition, reader.options)
    let isProjected = reader.project(
      RecordProjection.of(kept ?? queries, where: condition, options)
        ?? RecordProjection.rulingOut(by: condition, options))
    if queries.isEmpty, condition == nil { reader.skipValidated() }
    guard isProjected, let projection = reader.projection, projection.findsMatches(where: condition) else { return }
    if matchesRecords {
      borrowsRows = kept != nil
    } else if kept == nil {
      matching = projection
    }
  }

  mutating func badRecord(of error: JSONError) -> JSONBadRecord { reader.badRecord(of: error) }

  mutating func next() throws(JSONError) -> JSONMatch? {
    if matchesAll {
      reader.buildDocuments()
      guard let value = try reader.next()?.value else { return nil }
      counts[0] += 1
      return JSONMatch(value: value, byteRange: value.byteRange ?? 0..<0, path: 0, name: names[0], packedLocation: nil)
    }
    while true {
      if let match = try nextOfRecord() { return match }
      if let match = matching?.scanner.nextMatch(&reader) {
        guard let (value, range) = try matching?.scanner.value(of: match, &reader) else { return nil }
        counts[match.query] += 1
        return JSONMatch(
          value: value, byteRange: range, path: match.query, name: names[match.query], packedLocation: nil)
      }
      if matching != nil, reader.completeLine() { continue }
      guard try advanceToRecord() else { return nil }
    }
  }

  /// Returns the next match. Its range is that in the input, even if a step makes the text of the records.
  mutating func nextPlaced() throws(JSONError) -> JSONMatch? {
    guard let match = try next() else { return nil }
    guard let origins = reader.window.origins, let start = origins.place(of: match.byteRange.lowerBound),
      let end = origins.place(of: match.byteRange.upperBound)
    else { return match }
    return match.moved(to: start.offset..<max(end.offset, start.offset))
  }

  /// Passes the path and the text of the next match. Returns `false` at the end.
  mutating func borrowNext(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void) throws(JSONError) -> Bool {
    if matchesAll {
      var isBorrowed = false
      let hasMore = try unsafe reader.borrowNext { text in
        isBorrowed = true
        unsafe body(0, text)
      }
      guard hasMore else { return false }
      counts[0] += 1
      // A record that is only counted has no text.
      if !isBorrowed { unsafe body(0, UnsafeRawBufferPointer(start: nil, count: 0)) }
      return true
    }
    while true {
      if let match = try nextOfRecord() {
        unsafe match.value.borrowRawBytes { unsafe body(match.pathIndex, $0) }
        return true
      }
      let count = unsafe borrowMatches { path, text in
        unsafe body(path, text)
        return false
      }
      if count > 0 { return true }
      // The line is complete now, so the scanner can try it before the reader parses it.
      if matching != nil || matchesRecords, reader.completeLine() { continue }
      guard try advanceToRecord() else { return false }
    }
  }

  /// Passes the matches in the lines in memory; see ``JSONMatches/borrowMatches(_:)``.
  mutating func borrowMatches(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Bool) -> Int {
    if matchesAll {
      let count = unsafe reader.borrowLines { unsafe body(0, $0) }
      counts[0] += count
      return count
    }
    guard record == nil else { return 0 }
    if let matching { return unsafe matching.scanner.borrowMatches(&reader, counting: &counts, body) }
    var count = 0
    var goesOn = true
    while goesOn, unsafe borrowRecord({ goesOn = unsafe body(0, $0) }) { count += 1 }
    return count
  }

  /// Passes the text of the next record that satisfies the condition. Returns `false` if the record must be parsed.
  private mutating func borrowRecord(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard matchesRecords, reader.cutsLines, let projection = reader.projection else { return false }
    reader.usePending()
    guard unsafe projection.borrowRecord(&reader, body) else { return false }
    counts[0] += 1
    return true
  }

  /// Scans the records from the next one on, and passes the texts of the kept queries for those that satisfy the condition.
  ///
  /// - Returns: The number of records scanned. If it is 0, the caller requests the next match.
  mutating func borrowRows(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool) -> Int {
    guard canBorrowRows() else { return 0 }
    return unsafe reader.borrowRows(body) {
      counts[0] += 1
      return endRow()
    }
  }

  /// Scans records like ``borrowRows(_:endRow:)``, and passes those that satisfy the condition by column.
  mutating func borrowColumns(_ body: (borrowing BorrowedColumns) -> Void) -> Int {
    guard canBorrowRows() else { return 0 }
    return reader.borrowColumns { columns in
      counts[0] += columns.rowCount
      body(columns)
    }
  }

  /// Returns whether rows can be passed: no record is being evaluated.
  private mutating func canBorrowRows() -> Bool {
    guard borrowsRows else { return false }
    if query == queries.count { releaseRecord() }
    return record == nil
  }

  /// Reads until the next record is complete, as ``JSONRecordReader/completeLine()`` does.
  mutating func completeRecord() -> Bool { record == nil && reader.completeLine() }

  /// Returns the next match in the current record. If there is none, the record is released, so that the reader can reuse
  /// its memory.
  private mutating func nextOfRecord() throws(JSONError) -> JSONMatch? {
    guard let record else { return nil }
    if let match = try nextMatch(in: record) { return match }
    releaseRecord()
    return nil
  }

  private mutating func nextMatch(in record: JSON) throws(JSONError) -> JSONMatch? {
    do throws(JSONError) {
      while query < queries.count {
        if isSingular[query] {
          if let match = try single(record) { return match }
          continue
        }
        if evaluator == nil {
          // The limit of steps applies to each query of a record, and to its summary, separately.
          context.refill()
          evaluator = PathEvaluator(queries[query].segments, from: record, context)
        }
        if let value = try evaluator?.nextValue() {
          counts[query] += 1
          return JSONMatch(
            value: value, byteRange: value.byteRange ?? 0..<0, path: query, name: names[query], packedLocation: nil)
        }
        try reach(record)
        evaluator = nil
        query += 1
      }
      return nil
    } catch {
      // The query exceeded its limit for this record; the next record gets a new one.
      evaluator = nil
      query = queries.count
      throw error
    }
  }

  /// Advances to the next record for which the queries are evaluated. Returns `false` at the end.
  private mutating func advanceToRecord() throws(JSONError) -> Bool {
    guard let next = try reader.next() else { return false }
    context.setRoot(next.value)
    context.refill()
    if let condition, try !context.test(condition.filter, next.value) {
      context.addMiss(to: &misses, line: reader.line)
      // The reader reuses the memory of a record that nothing refers to.
      context.setRoot(.null)
      return true
    }
    record = next.value
    return true
  }

  /// Returns the match of a query that has at most one. Advances to the next query.
  private mutating func single(_ record: JSON) throws(JSONError) -> JSONMatch? {
    context.refill()
    guard let value = try context.value(ofSingular: queries[query], from: record, oneOf: queries.count) else {
      try reach(record)
      query += 1
      return nil
    }
    let path = query
    query += 1
    counts[path] += 1
    return JSONMatch(
      value: value, byteRange: value.byteRange ?? 0..<0, path: path, name: names[path], packedLocation: nil)
  }

  /// Returns whether the container in which the last segment of a query selects occurred in some record.
  func hasReached(_ query: Int) -> Bool { reached[query] || matching?.scanner.hasReached(query) == true }

  /// Records whether the query could select a value, if it has not selected any so far.
  private mutating func reach(_ record: JSON) throws(JSONError) {
    guard !reached[query], counts[query] == 0 else { return }
    context.refill()
    reached[query] = try PathEvaluator.reachesLast(of: queries[query].segments[...], from: record, context)
  }

  /// Returns the line on which the last record begins. Mutating, because the compiler copies a value that is only borrowed.
  mutating func currentLine() -> Int { reader.line }

  mutating func releaseRecord() {
    evaluator = nil
    record = nil
    context.setRoot(.null)
    query = 0
  }
}
