import JSONSift

/// Gathers groups and numbers of the records of another stream. It has no results.
struct GroupStream<Records: ResultStream & ~Copyable>: ResultStream, ~Copyable {
  private var records: Records
  private let question: GroupQuestion
  private var rows: GroupRows
  private var key = GroupKey()
  /// How many records were gathered and told by `takeCounted()`.
  private var counted = 0
  private let most: Int
  /// All records that came with one read have been gathered.
  private var hasLent = false

  /// - Parameters:
  ///   - records: Where it can, it lends the texts of what the question asks for, in its order.
  ///   - most: With more groups than this the run ends.
  init(_ records: consuming Records, _ question: GroupQuestion, most: Int) {
    self.records = records
    self.question = question
    self.most = most
    rows = GroupRows(paths: question.numbers.count)
  }

  static var gathers: Bool { true }
  static var gathersInOrder: Bool { true }

  /// Gathers the records that are in memory, or the next one. False at the end.
  mutating func step() throws(JSONError) -> Bool {
    if question.countsNoSteps, lendRecords() {
      hasLent = true
      return true
    }
    guard let found = try records.next() else { return false }
    try add(found.value)
    return true
  }

  /// Gathers the next records without making them. `false` if the next record has to be asked for.
  private mutating func lendRecords() -> Bool {
    let (numbers, keys) = (question.numbers.count, question.keys.count)
    // Of a single value the text need not be copied.
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

  /// - Throws: ``JSONError`` of a path that asks for too much. Nothing is gathered then.
  private mutating func add(_ record: JSON) throws(JSONError) {
    do throws(JSONError) {
      key.begin()
      let questions = PathQuestions(
        of: record, count: question.numbers.count + question.keys.count, limits: question.limits)
      for (place, number) in question.numbers.enumerated() {
        if question.countsNoSteps, number.path.isSingular {
          guard let value = try questions.value(ofSingular: number.path) else { continue }
          unsafe value.lendRawBytes { unsafe rows.add($0, ofPath: place) }
        } else {
          for value in try questions.values(number.path) {
            unsafe value.lendRawBytes { unsafe rows.add($0, ofPath: place) }
          }
        }
      }
      for (place, key) in question.keys.enumerated() {
        let isSingular = question.countsNoSteps && key.path.isSingular
        let found =
          isSingular ? try questions.value(ofSingular: key.path) : try questions.values(key.path).first
        guard let value = found else { continue }
        unsafe value.lendRawBytes { unsafe self.key.add($0, place) }
      }
      key.fill(to: question.keys.count)
      rows.endRecord(key.bytes)
    } catch {
      rows.dropRecord()
      throw error
    }
  }

  /// What came with one read is handed on, so that the end of a run with too many groups does not wait for more input.
  var isFull: Bool { rows.isFull || hasLent || rows.keys.count > most }

  mutating func gather(into part: inout Part) {
    counted = 0
    hasLent = false
    guard rows.count > 0 else { return }
    var next = GroupRows(paths: rows.paths)
    // Blocks have about as many records as the one before.
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

/// What is asked of each record.
struct GroupQuestion: Sendable {
  let numbers: [NamedPath]
  let keys: [NamedPath]
  let limits: JSONLimits

  /// Whether values may be taken in ways that do not count the steps of a path, or count fewer. Not where a path may take fewer
  /// steps than one with names only could need.
  var countsNoSteps: Bool { limits.querySteps >= 1 << 12 }
}
