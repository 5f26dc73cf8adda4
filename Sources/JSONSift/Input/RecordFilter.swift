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
}
