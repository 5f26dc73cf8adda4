import JSONSift

/// Collects groups and numbers of records.
package struct GroupCollector {
  private let query: GroupQuery
  private var rows: CollectedRows
  private var key = GroupKey()
  /// The interval of the time of each record; `nil` if records are not grouped by time.
  private var interval: IntervalFinder?
  /// The message of the current record, if records are grouped by templates.
  private var message: [UInt8] = []
  private let maxGroups: Int
  /// The indices at which the paths to distinct values begin, and those to the values of the key.
  private let numbersEnd, valuesEnd: Int
  /// Whether the text of the only value of a key need not be copied.
  private let isPlain: Bool
  /// The group of the current record, if the text of its key is known.
  private var group: Int?
  package var hasBorrowed = false
  package var elements: ElementRows?

  /// - Parameters:
  ///   - maxGroups: The maximum number of groups; more end the run.
  ///   - elements: Reads elements as records; `nil` if the records are those of the input.
  package init(_ query: GroupQuery, maxGroups: Int, of elements: ElementRows?) {
    self.query = query
    self.elements = elements
    self.maxGroups = maxGroups
    numbersEnd = query.numbers.count
    valuesEnd = numbersEnd + query.distinct.count
    isPlain = query.keyCount == 1 && query.template == nil
    interval = query.intervals.map { IntervalFinder($0) }
    rows = CollectedRows(paths: query.numbers.count, distinct: query.distinct.count)
  }

  package var limits: JSONLimits { query.limits }

  package mutating func addBorrowed(from matches: inout JSONMatches) -> Bool {
    let hasLines = elements == nil
    // Taken out, because the closures change the collector.
    var elements = self.elements.take()
    defer { self.elements = elements }
    var count = 0
    var needsLine = false
    beginKey()
    repeat {
      needsLine = false
      count += unsafe ElementRows.borrow(&elements, of: &matches) { column, text in
        unsafe take(text, ofColumn: column)
      } endRow: {
        needsLine = endRow() && hasLines
        return !rows.isFull && !needsLine
      }
      // The reader knows the line of its last record only, so it stops at the first record of each template.
      if needsLine { setLine(matches.currentLine()) }
    } while needsLine && !rows.isFull
    return count > 0
  }

  /// Adds a value of the current record, of the path at an index of ``GroupQuery/paths``.
  @inline(__always)
  mutating func take(_ text: UnsafeRawBufferPointer, ofColumn column: Int) {
    if column < numbersEnd {
      unsafe rows.add(text, ofPath: column)
    } else if column < valuesEnd {
      unsafe rows.add(distinct: text, ofPath: column &- numbersEnd)
    } else if column == valuesEnd, interval != nil {
      guard unsafe interval?.find(text) == true, let found = interval?.key else { return }
      if query.keyCount == 1 { group = rows.keys.number(of: found) } else { key.add(first: found) }
    } else if isPlain, let known = unsafe rows.keys.number(ofText: text) {
      group = known
    } else {
      unsafe addKey(text, column &- valuesEnd)
    }
  }

  /// Completes the current record. Returns whether its message is the example of a group, which needs a line.
  @inline(__always)
  mutating func endRow() -> Bool {
    defer { rows.endRecord() }
    if let number = group {
      rows.add(toGroup: number)
      group = nil
      return false
    }
    defer { beginKey() }
    return addToGroupOfKey()
  }

  /// Sets the line of the examples that were added since the last call.
  mutating func setLine(_ line: Int?) { rows.setLine(line) }

  /// Adds a record.
  ///
  /// - Parameter line: The line on which it begins, if it is known.
  /// - Throws: `JSONError` if a path exceeds a limit. Nothing of this record is added then.
  package mutating func add(_ record: JSON, line: Int?) throws(JSONError) {
    do throws(JSONError) {
      let questions = PathEvaluations(
        of: record, count: query.paths.count, limits: query.limits)
      for (index, number) in query.numbers.enumerated() {
        try unsafe query.forEach(number, questions) { unsafe rows.add($0, ofPath: index) }
      }
      for (index, value) in query.distinct.enumerated() {
        try unsafe query.forEach(value, questions) { unsafe rows.add(distinct: $0, ofPath: index) }
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
          try unsafe query.first(key, questions) { unsafe addKey($0, query.firstKey + index) }
        }
        addToGroupOfKey()
      } else {
        var values: [[[UInt8]]] = []
        for (index, key) in query.keys.enumerated() {
          values.append(try distinctValues(key, questions, areMessages: query.firstKey + index == query.template))
        }
        addCombinations(of: values, time)
      }
      rows.setLine(line)
      rows.endRecord()
    } catch {
      rows.dropRecord()
      throw error
    }
  }

  /// Begins the key of a group with the interval of the record's time, if there is one.
  private mutating func begin(_ time: [UInt8]?) {
    beginKey()
    if let time { key.add(first: time) }
  }

  /// Forgets what a record before has left in the key.
  mutating func beginKey() {
    key.begin()
    if !message.isEmpty { message.removeAll(keepingCapacity: true) }
  }

  /// Adds the value at an index of the key, or its template.
  private mutating func addKey(_ text: UnsafeRawBufferPointer, _ number: Int) {
    guard number == query.template else { return unsafe key.add(text, number) }
    unsafe message.append(contentsOf: text)
    unsafe key.add(templateOf: text, number)
  }

  /// Adds the current record to the group of the key, whose values after the last one are absent. Returns whether its message
  /// is the example of a group.
  @discardableResult
  private mutating func addToGroupOfKey(isFurther: Bool = false) -> Bool {
    key.fill(to: query.keyCount)
    rows.add(toGroup: rows.keys.number(of: key.bytes, spelled: key.spelling), isFurther: isFurther)
    return query.template != nil && rows.addExamples(message)
  }

  /// Returns the texts of the different values that a path selects, or of those with different templates, in their order.
  private func distinctValues(
    _ path: JSONPath, _ questions: PathEvaluations, areMessages: Bool
  ) throws(JSONError) -> [[UInt8]] {
    var known: Set<[UInt8]> = []
    var values: [[UInt8]] = []
    try unsafe query.forEach(path, questions) { text in
      var canonical: [UInt8] = []
      if areMessages {
        unsafe MessageTemplate.append(text, to: &canonical)
      } else {
        unsafe canonical.append(canonical: text)
      }
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
        unsafe values[chosen[index]].withUnsafeBytes { unsafe addKey($0, query.firstKey + index) }
      }
      addToGroupOfKey(isFurther: number > 0)
      // The last path changes fastest.
      guard let next = chosen.indices.last(where: { chosen[$0] + 1 < values[$0].count }) else { return }
      chosen[next] += 1
      for index in (next + 1)..<chosen.count { chosen[index] = 0 }
    }
  }

  /// Whether the rows are to be passed on. The records of each read are passed on, so that a run with too many groups
  /// ends without waiting for more input.
  package var isFull: Bool { rows.isFull || hasBorrowed || rows.keys.count > maxGroups }

  package var count: Int { rows.count }

  /// The approximate size of the collected rows in bytes.
  var byteCount: Int { rows.byteCount }

  /// Returns the collected rows, and starts again; `nil` if there are none.
  package mutating func takeRows() -> CollectedRows? {
    guard rows.count > 0 else { return nil }
    // A block has about as many records as the previous one.
    var next = CollectedRows(like: rows)
    swap(&next, &rows)
    return next
  }
}
