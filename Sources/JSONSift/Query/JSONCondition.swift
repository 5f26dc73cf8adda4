/// A condition on a value: a logical expression of RFC 9535, in which `@` is the value.
///
/// ```swift
/// let failed = try JSONCondition("@.level == 'error' && @.latency > 100")
/// if try failed.holds(for: record.value) { … }
/// ```
public struct JSONCondition: Sendable, Hashable, CustomStringConvertible {
  let filter: PathFilter
  private let text: String

  /// Parses an expression.
  ///
  /// - Throws: ``JSONError`` with code ``JSONError/Code/invalidPath``; its offset counts bytes of `text`.
  public init(_ text: String) throws(JSONError) { try self.init(text, functions: PathFunction.all) }

  init(_ text: String, functions: [PathFunction]) throws(JSONError) {
    var parser = JSONPathParser(text, functions: functions)
    filter = try parser.condition()
    self.text = text
  }

  /// Creates the condition that the time of a value is in a window.
  public init(_ window: JSONTimeWindow) {
    filter = .window(window.queries, window.bounds)
    text = window.paths.map(\.description).joined(separator: ", ") + window.bounds.description
  }

  private init(_ filter: PathFilter, _ text: String) {
    self.filter = filter
    self.text = text
  }

  /// Returns the condition that both conditions hold. The other one is evaluated only if this one holds.
  package func and(_ other: JSONCondition) -> JSONCondition {
    JSONCondition(.and([filter, other.filter]), "(\(self)) && (\(other))")
  }

  /// Returns whether the condition holds for a value. `$` refers to that value too.
  ///
  /// - Throws: ``JSONError/Code/queryLimit`` if the evaluation takes more than ``JSONLimits/querySteps`` steps.
  /// - Complexity: O(number of values that its queries read).
  public func holds(for value: JSON, limits: JSONLimits = JSONLimits()) throws(JSONError) -> Bool {
    try PathContext(root: value, limits: limits).test(filter, value)
  }

  /// Returns whether the condition holds, and adds a value without a time.
  package func holds(for value: JSON, limits: JSONLimits, _ misses: inout TimeMisses) throws(JSONError) -> Bool {
    let context = PathContext(root: value, limits: limits)
    if try context.test(filter, value) { return true }
    context.addMiss(to: &misses, line: nil)
    return false
  }

  /// The text of the expression, as it was parsed; for a window of time its paths and bounds, which no expression can spell.
  public var description: String { text }
}
