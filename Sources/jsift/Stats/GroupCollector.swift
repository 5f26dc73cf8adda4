import JSONSift

/// Collects groups and numbers of records.
struct GroupCollector: RowCollector {
  private let query: GroupQuery
  private var rows: CollectedRows
  private var key = GroupKey()
  /// The interval of the time of each record; `nil` if records are not grouped by time.
  private var interval: IntervalFinder?
  private let maxGroups: Int
  var hasBorrowed = false
  var elements: ElementRows?

  /// - Parameters:
  ///   - maxGroups: The maximum number of groups; more end the run.
  ///   - elements: Reads elements as records; `nil` if the records are those of the input.
  init(_ query: GroupQuery, maxGroups: Int, of elements: ElementRows?) {
    self.query = query
    self.elements = elements
    self.maxGroups = maxGroups
    interval = query.intervals.map { IntervalFinder($0) }
    rows = CollectedRows(paths: query.numbers.count, distinct: query.distinct.count)
  }

  var limits: JSONLimits { query.limits }

  mutating func addBorrowed(from matches: inout JSONMatches) -> Bool {
    let numbers = query.numbers.count
    let values = numbers + query.distinct.count
    let keys = query.keyCount
    let hasTime = interval != nil
    // The text of a single key need not be copied.
    var group: Int?
    key.begin()
    // Taken out, because the closures change the collector.
    var elements = self.elements.take()
    defer { self.elements = elements }
    let count = unsafe ElementRows.borrow(&elements, of: &matches) { column, text in
      if column < numbers {
        unsafe rows.add(text, ofPath: column)
      } else if column < values {
        unsafe rows.distinct.add(text, ofPath: column - numbers)
      } else if column == values, hasTime {
        guard unsafe interval?.find(text) == true, let found = interval?.key else { return }
        if keys == 1 { group = rows.number(ofInterval: found) } else { key.add(first: found) }
      } else if keys == 1, let known = unsafe rows.number(ofText: text) {
        group = known
      } else {
        unsafe key.add(text, column - values)
      }
    } endRow: {
      if let number = group {
        rows.add(toGroup: number)
        group = nil
      } else {
        key.fill(to: keys)
        rows.add(toGroup: rows.number(of: key))
        key.begin()
      }
      rows.endRecord()
      return !rows.isFull
    }
    return count > 0
  }

  mutating func add(_ found: Found) throws(JSONError) {
    do throws(JSONError) {
      let questions = PathEvaluations(
        of: found.value, count: query.paths.count, limits: query.limits)
      for (index, number) in query.numbers.enumerated() {
        try unsafe query.forEach(number.path, questions) { unsafe rows.add($0, ofPath: index) }
      }
      for (index, value) in query.distinct.enumerated() {
        try unsafe query.forEach(value.path, questions) { unsafe rows.distinct.add($0, ofPath: index) }
      }
      var time: [UInt8]?
      if let intervals = query.intervals {
        try unsafe query.first(intervals.path, questions) { text in
          if unsafe interval?.find(text) == true { time = interval?.key }
        }
      }
      if query.hasSingularKeys {
        begin(time)
        for (index, key) in query.keys.enumerated() {
          try unsafe query.first(key.path, questions) { unsafe self.key.add($0, query.firstKey + index) }
        }
        key.fill(to: query.keyCount)
        rows.add(toGroup: rows.number(of: key))
      } else {
        var values: [[[UInt8]]] = []
        for key in query.keys { values.append(try distinctValues(key.path, questions)) }
        addCombinations(of: values, time)
      }
      rows.endRecord()
    } catch {
      rows.dropRecord()
      throw error
    }
  }

  /// Begins the key of a group with the interval of the record's time, if there is one.
  private mutating func begin(_ time: [UInt8]?) {
    key.begin()
    if let time { key.add(first: time) }
  }

  /// Returns the texts of the different values that a path selects, in their order.
  private func distinctValues(_ path: JSONPath, _ questions: PathEvaluations) throws(JSONError) -> [[UInt8]] {
    var known: Set<[UInt8]> = []
    var values: [[UInt8]] = []
    try unsafe query.forEach(path, questions) { text in
      var canonical: [UInt8] = []
      unsafe canonical.append(canonical: text)
      if known.insert(canonical).inserted { unsafe values.append(Array(text)) }
    }
    return values
  }

  /// Adds the current record to the group of each combination of one value of each path. A path without a value has an absent
  /// one. All combinations are different groups, so the run ends if there are more than the maximum; no more are made.
  private mutating func addCombinations(of values: [[[UInt8]]], _ time: [UInt8]?) {
    var chosen = values.map { _ in 0 }
    for number in 0...maxGroups {
      begin(time)
      for (index, values) in values.enumerated() where !values.isEmpty {
        unsafe values[chosen[index]].withUnsafeBytes { unsafe key.add($0, query.firstKey + index) }
      }
      key.fill(to: query.keyCount)
      rows.add(toGroup: rows.number(of: key), isFurther: number > 0)
      // The last path changes fastest.
      guard let next = chosen.indices.last(where: { chosen[$0] + 1 < values[$0].count }) else { return }
      chosen[next] += 1
      for index in (next + 1)..<chosen.count { chosen[index] = 0 }
    }
  }

  /// Whether the rows are to be passed on. The records of each read are passed on, so that a run with too many groups
  /// ends without waiting for more input.
  var isFull: Bool { rows.isFull || hasBorrowed || rows.keys.count > maxGroups }

  var count: Int { rows.count }

  mutating func gather(from input: OpenInput<JSONMatches>, into open: OpenBatch) {
    hasBorrowed = false
    if let misses = elements?.takeTimeMisses() { open.batch.timeMisses.add(misses) }
    guard rows.count > 0 else { return }
    var next = CollectedRows(paths: rows.numbers.paths, distinct: rows.distinct.paths)
    // A block has about as many records as the previous one.
    next.reserve(rows)
    swap(&next, &rows)
    open.batch.groups = next
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
  /// Whether each of their paths selects at most one value.
  let hasSingularKeys: Bool
  let limits: JSONLimits

  init(
    numbers: [NamedPath], distinct: [NamedPath], intervals: TimeIntervals?, keys: [NamedPath], limits: JSONLimits
  ) {
    self.numbers = numbers
    self.distinct = distinct
    self.intervals = intervals
    self.keys = keys
    hasSingularKeys = keys.allSatisfy { $0.path.isSingular }
    self.limits = limits
  }

  /// All paths, in the order in which their values are passed.
  var paths: [JSONPath] {
    (numbers + distinct).map(\.path) + (intervals.map { [$0.path] } ?? []) + keys.map(\.path)
  }

  /// The number of values in the key of a group.
  var keyCount: Int { firstKey + keys.count }

  /// The index in the key of a group at which the values of `keys` begin.
  var firstKey: Int { intervals == nil ? 0 : 1 }

  /// The names of the values in the key of a group.
  var keyNames: [String] { (intervals == nil ? [] : [TimeIntervals.name]) + keys.map(\.name) }

  /// Passes the text of each value that a path selects.
  func forEach(
    _ path: JSONPath, _ questions: PathEvaluations, _ body: (_ text: UnsafeRawBufferPointer) -> Void
  ) throws(JSONError) {
    if limits.countsNoSteps, path.isSingular { return try unsafe first(path, questions, body) }
    for value in try questions.values(path) { unsafe value.borrowRawBytes(body) }
  }

  /// Passes the text of the first value that a path selects.
  func first(
    _ path: JSONPath, _ questions: PathEvaluations, _ body: (_ text: UnsafeRawBufferPointer) -> Void
  ) throws(JSONError) {
    let isSingular = limits.countsNoSteps && path.isSingular
    let found = isSingular ? try questions.value(ofSingular: path) : try questions.values(path).first
    unsafe found?.borrowRawBytes(body)
  }
}
