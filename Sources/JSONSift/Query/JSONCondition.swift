/// A condition on a value: a logical expression of RFC 9535, in which `@` is the value.
///
/// ```swift
/// let failed = try JSONCondition("@.level == 'error' && @.latency > 100")
/// if try failed.holds(for: record.value) { … }
/// ```
public struct JSONCondition: Sendable, Hashable, CustomStringConvertible {
  let filter: PathFilter
  private let text: String

  /// Compiles an expression.
  ///
  /// - Throws: ``JSONError`` with code ``JSONError/Code/invalidPath``; its offset counts bytes of `text`.
  public init(_ text: String) throws(JSONError) { try self.init(text, functions: PathFunction.all) }

  init(_ text: String, functions: [PathFunction]) throws(JSONError) {
    var parser = JSONPathParser(text, functions: functions)
    filter = try parser.condition()
    self.text = text
  }

  /// Whether the condition holds for a value. `$` in it is the value too.
  ///
  /// - Throws: ``JSONError/Code/queryLimit`` if that takes too many steps.
  /// - Complexity: O(what the queries in it look at).
  public func holds(for value: JSON, limits: JSONLimits = JSONLimits()) throws(JSONError) -> Bool {
    try PathEvaluator.matches(filter: filter, current: value, root: value, limits: limits)
  }

  /// The text.
  public var description: String { text }
}
