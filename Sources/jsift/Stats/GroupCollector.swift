import JSONSift

/// Collects groups and numbers of records.
struct GroupCollector: RowCollector {
  private let query: GroupQuery
  private var rows: CollectedRows
  private var key = GroupKey()
  /// The interval of the time of each record; `nil` if records are not grouped by time.
  private var interval: IntervalFinder?
  private let maxGroups: Int
  var hasLent = false

  /// - Parameter maxGroups: The maximum number of groups; more end the run.
  init(_ query: GroupQuery, maxGroups: Int) {
    self.query = query
    self.maxGroups = maxGroups
    interval = query.intervals.map { IntervalFinder($0) }
    rows = CollectedRows(paths: query.numbers.count, distinct: query.distinct.count)
  }

  var limits: JSONLimits { query.limits }

  mutating func addLent<Records: ResultStream & ~Copyable>(from records: inout Records) -> Bool {
    let numbers = query.numbers.count
    let values = numbers + query.distinct.count
    let keys = query.keyCount
    let hasTime = interval != nil
    // The text of a single key need not be copied.
    var group: Int?
    key.begin()
    let count = unsafe records.lendRows { column, text in
      if column < numbers {
        unsafe rows.add(text, ofPath: column)
      } else if column < values {
        unsafe rows.distinct.add(text, ofPath: column - numbers)
      } else if column == values, hasTime {
        guard unsafe interval?.find(text) == true, let found = interval?.key else { return }
        if keys == 1 { group = rows.number(of: found) } else { key.add(first: found) }
      } else if keys == 1, unsafe GroupKey.isKey(text) {
        group = unsafe rows.number(of: text)
      } else {
        unsafe key.add(text, column - values)
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

  mutating func add(_ found: Found) throws(JSONError) {
    do throws(JSONError) {
      key.begin()
      let questions = PathEvaluations(
        of: found.value, count: query.paths.count, limits: query.limits)
      for (index, number) in query.numbers.enumerated() {
        try unsafe query.forEach(number.path, questions) { unsafe rows.add($0, ofPath: index) }
      }
      for (index, value) in query.distinct.enumerated() {
        try unsafe query.forEach(value.path, questions) { unsafe rows.distinct.add($0, ofPath: index) }
      }
      if let intervals = query.intervals {
        try unsafe query.first(intervals.path, questions) { text in
          if unsafe interval?.find(text) == true, let found = interval?.key { key.add(first: found) }
        }
      }
      let firstKey = query.keyCount - query.keys.count
      for (index, key) in query.keys.enumerated() {
        try unsafe query.first(key.path, questions) { unsafe self.key.add($0, firstKey + index) }
      }
      key.fill(to: query.keyCount)
      rows.endRecord(key.bytes)
    } catch {
      rows.dropRecord()
      throw error
    }
  }

  /// Whether the rows are to be passed on. The records of each read are passed on, so that a run with too many groups
  /// ends without waiting for more input.
  var isFull: Bool { rows.isFull || hasLent || rows.keys.count > maxGroups }

  var count: Int { rows.count }

  mutating func gather(into part: inout Part) {
    hasLent = false
    guard rows.count > 0 else { return }
    var next = CollectedRows(paths: rows.numbers.paths, distinct: rows.distinct.paths)
    // A block has about as many records as the previous one.
    next.reserve(rows)
    swap(&next, &rows)
    part.groups = next
  }
}

/// The paths that are evaluated on each record.
struct GroupQuery: Sendable {
  /// The paths to numbers that are added up.
  let numbers: [NamedPath]
  /// The paths whose distinct values are counted.
  let distinct: [NamedPath]
  /// The intervals of time by which records are grouped before all keys.
  let intervals: TimeIntervals?
  /// The values that records are grouped by.
  let keys: [NamedPath]
  let limits: JSONLimits

  /// All paths, in the order in which their values are lent.
  var paths: [JSONPath] {
    (numbers + distinct).map(\.path) + (intervals.map { [$0.path] } ?? []) + keys.map(\.path)
  }

  /// The number of values in the key of a group.
  var keyCount: Int { (intervals == nil ? 0 : 1) + keys.count }

  /// The names of the values in the key of a group.
  var keyNames: [String] { (intervals == nil ? [] : [TimeIntervals.name]) + keys.map(\.name) }

  /// Lends the text of each value that a path selects.
  func forEach(
    _ path: JSONPath, _ questions: PathEvaluations, _ body: (_ text: UnsafeRawBufferPointer) -> Void
  ) throws(JSONError) {
    if limits.countsNoSteps, path.isSingular { return try unsafe first(path, questions, body) }
    for value in try questions.values(path) { unsafe value.lendRawBytes(body) }
  }

  /// Lends the text of the first value that a path selects.
  func first(
    _ path: JSONPath, _ questions: PathEvaluations, _ body: (_ text: UnsafeRawBufferPointer) -> Void
  ) throws(JSONError) {
    let isSingular = limits.countsNoSteps && path.isSingular
    let found = isSingular ? try questions.value(ofSingular: path) : try questions.values(path).first
    unsafe found?.lendRawBytes(body)
  }
}
