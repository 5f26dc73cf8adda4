/// The matches of some queries in each record.
struct RecordMatches: ~Copyable {
  var reader: JSONRecordReader
  private let queries: [PathQuery]
  /// By query: it selects one value at most.
  private let isSingular: [Bool]
  private let condition: JSONCondition?
  private let context: PathContext
  private let names: [String]
  /// How many matches each query has had.
  private(set) var counts: [Int]
  /// Whether what the last segment of each query selects in was there in some record.
  private var reached: [Bool]
  private var record: JSON?
  private var query = 0
  private var evaluator: PathEvaluator?
  /// Goes over lines where paths lead by names.
  private let matching: RecordProjection?
  /// Records are matches themselves, and it is known what is asked of them.
  private let lendsRecords: Bool

  /// - Parameter kept: What will be asked of the matches, if that is all that will be: then no more of a record need be
  ///   there.
  init(
    _ queries: [PathQuery], names: [String], _ condition: JSONCondition?, _ reader: consuming JSONRecordReader,
    _ options: JSONOptions, keeping kept: [PathQuery]? = nil
  ) {
    reader.prefilter(by: condition, reader.options)
    reader.project(
      RecordProjection.of(kept ?? queries, where: condition, options)
        ?? RecordProjection.rulingOut(by: condition, options))
    if queries.isEmpty, condition == nil { reader.passProven() }
    let isExact = condition == nil && kept == nil && (options.fastForward || reader.projection != nil)
    matching = isExact ? RecordProjection.matching(queries, options) : nil
    lendsRecords = kept != nil && condition != nil && queries.count == 1 && queries[0].segments.isEmpty
    self.reader = reader
    self.queries = queries
    isSingular = queries.map { $0.isSingular }
    self.names = names
    self.condition = condition
    context = PathContext(root: .null, limits: options.limits)
    counts = queries.map { _ in 0 }
    reached = queries.map { _ in false }
  }

  mutating func badRecord(of error: JSONError) -> JSONBadRecord { reader.badRecord(of: error) }

  mutating func next() throws(JSONError) -> JSONMatch? {
    while true {
      if let match = try nextOfRecord() { return match }
      if let match = matching?.nextMatch(&reader) {
        guard let (value, range) = try matching?.value(of: match, reader) else { return nil }
        counts[match.query] += 1
        return JSONMatch(value: value, byteRange: range, path: match.query, name: names[match.query], place: nil)
      }
      guard try goToRecord() else { return nil }
    }
  }

  /// Lends path and text of the next match. `false` at the end.
  mutating func lendNext(
    _ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void
  ) throws(JSONError) -> Bool {
    while true {
      if let match = try nextOfRecord() {
        unsafe match.value.lendRawBytes { unsafe body(match.path, $0) }
        return true
      }
      if let match = matching?.nextMatch(&reader) {
        counts[match.query] += 1
        unsafe matching?.lendText(of: match, reader) { unsafe body(match.query, $0) }
        return true
      }
      guard try goToRecord() else { return false }
    }
  }

  /// Goes over records from the next one on, and lends what is asked of those for which the condition holds.
  ///
  /// - Returns: How many records it has gone over. If it is 0, the next match has to be asked for.
  mutating func lendRows(
    _ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int {
    guard lendsRecords, reader.cutsLines, let projection = reader.projection else { return 0 }
    if query == queries.count { forget() }
    guard record == nil else { return 0 }
    reader.usePending()
    return unsafe projection.lendRowsWhere(&reader, body) {
      counts[0] += 1
      return endRow()
    }
  }

  /// The next match in the record that is there. If there is none, nobody holds the record any more: so the reader can use it
  /// again.
  @inline(__always)
  private mutating func nextOfRecord() throws(JSONError) -> JSONMatch? {
    guard let record else { return nil }
    if let match = try nextMatch(in: record) { return match }
    forget()
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
          // Each query of a record has the whole limit, and so has what its summary asks.
          context.refill()
          evaluator = PathEvaluator(queries[query].segments, from: record, context)
        }
        if let value = try evaluator?.nextValue() {
          counts[query] += 1
          return JSONMatch(
            value: value, byteRange: value.byteRange ?? 0..<0, path: query, name: names[query], place: nil)
        }
        try reach(record)
        evaluator = nil
        query += 1
      }
      return nil
    } catch {
      // The query has asked too much of this record; the next one is another matter.
      evaluator = nil
      query = queries.count
      throw error
    }
  }

  /// Goes on to the next record of which the queries are asked. `false` at the end.
  private mutating func goToRecord() throws(JSONError) -> Bool {
    guard let next = try reader.next() else { return false }
    context.setRoot(next.value)
    context.refill()
    if let condition, try !context.test(condition.filter, next.value) { return true }
    record = next.value
    return true
  }

  /// The match of a query that has one at most. Goes on to the next query.
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
    return JSONMatch(value: value, byteRange: value.byteRange ?? 0..<0, path: path, name: names[path], place: nil)
  }

  /// Whether what the last segment of a query selects in was there in some record.
  func hasReached(_ query: Int) -> Bool { reached[query] || matching?.hasReached(query) == true }

  /// Remembers whether the query could select something, where it has selected nothing in any record.
  private mutating func reach(_ record: JSON) throws(JSONError) {
    guard !reached[query], counts[query] == 0 else { return }
    context.refill()
    reached[query] = try PathEvaluator.reachesLast(of: queries[query].segments[...], from: record, context)
  }

  /// The line on which the last record begins.
  mutating func currentLine() -> Int { reader.line }

  /// Forgets lines that have not been asked for: others come.
  mutating func reset() { matching?.reset() }

  /// Lets the record go.
  mutating func forget() {
    evaluator = nil
    record = nil
    context.setRoot(.null)
    query = 0
  }
}
