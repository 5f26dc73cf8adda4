/// Evaluates a condition for one record after another.
struct RecordFilter {
  private let condition: JSONCondition
  private let context: PathContext

  init(_ condition: JSONCondition, _ options: JSONOptions) {
    self.condition = condition
    context = PathContext(root: .null, limits: options.limits)
  }

  func holds(for record: JSONRecord) throws(JSONError) -> Bool {
    context.setRoot(record.value)
    context.refill()
    // Releases the record: its memory is reused only if nothing references it.
    defer { context.setRoot(.null) }
    return try context.test(condition.filter, record.value)
  }

  /// Evaluates the condition in this way, and adds a record without a time.
  func holds(for record: JSONRecord, _ misses: inout TimeMisses) throws(JSONError) -> Bool {
    context.setRoot(record.value)
    context.refill()
    defer { context.setRoot(.null) }
    if try context.test(condition.filter, record.value) { return true }
    context.addMiss(to: &misses, line: record.line > 0 ? record.line : nil)
    return false
  }
}
