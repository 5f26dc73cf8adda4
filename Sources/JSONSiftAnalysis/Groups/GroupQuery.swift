import JSONSift

/// The paths that are evaluated on each record.
package struct GroupQuery: Sendable {
  /// The paths to numbers that are added up.
  package let numbers: [JSONPath]
  /// The paths whose distinct values are counted.
  package let distinct: [JSONPath]
  /// The intervals of time by which records are grouped before all keys.
  package let intervals: TimeIntervals?
  /// The values that records are grouped by.
  let keys: [JSONPath]
  /// The index at which the key of a group holds the template of a message; `nil` without messages.
  let template: Int?
  /// Whether each of their paths selects at most one value.
  let hasSingularKeys: Bool
  let limits: JSONLimits

  /// - Parameter template: The path to messages by whose templates records are grouped after `keys`.
  package init(
    numbers: [JSONPath], distinct: [JSONPath], intervals: TimeIntervals?, keys: [JSONPath], template: JSONPath?,
    limits: JSONLimits
  ) {
    let keys = keys + (template.map { [$0] } ?? [])
    self.template = template.map { _ in (intervals == nil ? 0 : 1) + keys.count - 1 }
    self.numbers = numbers
    self.distinct = distinct
    self.intervals = intervals
    self.keys = keys
    hasSingularKeys = keys.allSatisfy { $0.isSingular }
    self.limits = limits
  }

  /// All paths, in the order in which their values are passed.
  package var paths: [JSONPath] {
    numbers + distinct + (intervals.map { [$0.path] } ?? []) + keys
  }

  /// The number of values in the key of a group.
  var keyCount: Int { firstKey + keys.count }

  /// The index in the key of a group at which the values of `keys` begin.
  var firstKey: Int { intervals == nil ? 0 : 1 }

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
