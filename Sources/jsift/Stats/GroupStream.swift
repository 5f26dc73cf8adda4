import JSONSift

/// Collects groups and numbers of the records of another stream. It has no results.
struct GroupStream<Records: ResultStream & ~Copyable>: ResultStream, ~Copyable {
  private var records: Records
  private let query: GroupQuery
  private var rows: CollectedRows
  private var key = GroupKey()
  /// The number of collected records that `takeCounted()` has returned.
  private var counted = 0
  private let maxGroups: Int
  /// Whether all records from one read have been collected.
  private var hasLent = false

  /// - Parameters:
  ///   - records: The records. If possible, the stream lends the texts of the query's values, in the order of the
  ///     query.
  ///   - maxGroups: The maximum number of groups; more end the run.
  init(_ records: consuming Records, _ query: GroupQuery, maxGroups: Int) {
    self.records = records
    self.query = query
    self.maxGroups = maxGroups
    rows = CollectedRows(paths: query.numbers.count)
  }

  static var gathers: Bool { true }
  static var gathersInOrder: Bool { true }

  /// Collects the records that are in memory, or the next one. Returns `false` at the end.
  mutating func step() throws(JSONError) -> Bool {
    if query.countsNoSteps, lendRecords() {
      hasLent = true
      return true
    }
    guard let found = try records.next() else { return false }
    try add(found.value)
    return true
  }

  /// Collects the next records without creating values. Returns `false` if the next record must be requested as a
  /// value.
  private mutating func lendRecords() -> Bool {
    let (numbers, keys) = (query.numbers.count, query.keys.count)
    // The text of a single key need not be copied.
    var group: Int?
    key.begin()
    let count = unsafe records.lendRows { column, text in
      if column < numbers {
        unsafe rows.add(text, ofPath: column)
      } else if keys == 1, unsafe GroupKey.isKey(text) {
        group = unsafe rows.number(of: text)
      } else {
        unsafe key.add(text, column - numbers)
      }
    } endRow: {
      if let number = group {
        rows.endRecord(inGroup: number)
        group = nil
      } else {
        key.fill(to: keys)
        rows.endRecord(key.bytes)
        key.begin()
      }
      return !rows.isFull
    }
    return count > 0
  }

  /// - Throws: ``JSONError`` if a path exceeds a limit. Nothing of this record is collected then.
  private mutating func add(_ record: JSON) throws(JSONError) {
    do throws(JSONError) {
      key.begin()
      let questions = PathEvaluations(
        of: record, count: query.numbers.count + query.keys.count, limits: query.limits)
      for (index, number) in query.numbers.enumerated() {
        if query.countsNoSteps, number.path.isSingular {
          guard let value = try questions.value(ofSingular: number.path) else { continue }
          unsafe value.lendRawBytes { unsafe rows.add($0, ofPath: index) }
        } else {
          for value in try questions.values(number.path) {
            unsafe value.lendRawBytes { unsafe rows.add($0, ofPath: index) }
          }
        }
      }
      for (index, key) in query.keys.enumerated() {
        let isSingular = query.countsNoSteps && key.path.isSingular
        let found =
          isSingular ? try questions.value(ofSingular: key.path) : try questions.values(key.path).first
        guard let value = found else { continue }
        unsafe value.lendRawBytes { unsafe self.key.add($0, index) }
      }
      key.fill(to: query.keys.count)
      rows.endRecord(key.bytes)
    } catch {
      rows.dropRecord()
      throw error
    }
  }

  /// Whether the rows are to be passed on. The records of each read are passed on, so that a run with too many groups
  /// ends without waiting for more input.
  var isFull: Bool { rows.isFull || hasLent || rows.keys.count > maxGroups }

  mutating func gather(into part: inout Part) {
    counted = 0
    hasLent = false
    guard rows.count > 0 else { return }
    var next = CollectedRows(paths: rows.paths)
    // A block has about as many records as the previous one.
    next.reserve(rows)
    swap(&next, &rows)
    part.groups = next
  }

  mutating func takeCounted() -> Int {
    defer { counted = rows.count }
    return rows.count - counted
  }

  var doubts: ProofDoubts { records.doubts }
  var framing: JSONFraming { records.framing }
  var rulesOutLines: Bool { records.rulesOutLines }
  var ruledOutLines: Int { records.ruledOutLines }
  func position(of error: JSONError) -> SourcePosition { records.position(of: error) }
  func excerpt(of error: JSONError) -> SourceExcerpt? { records.excerpt(of: error) }
  var stopReason: String? { records.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { records.badRecord(of: error) }
  mutating func begin(_ block: LineBlock) { records.begin(block) }
  mutating func end(_ block: LineBlock) { records.end(block) }
}

/// The paths that are evaluated on each record.
struct GroupQuery: Sendable {
  let numbers: [NamedPath]
  let keys: [NamedPath]
  let limits: JSONLimits

  /// Whether values may be read without counting the steps of a path. Not with a limit so low that a path of names alone
  /// could exceed it: then the error would be missing.
  var countsNoSteps: Bool { limits.querySteps >= 1 << 12 }
}
