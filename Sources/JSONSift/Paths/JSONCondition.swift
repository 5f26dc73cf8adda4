/// A condition on a value: a logical expression of RFC 9535, in which `@` is the value.
///
/// ```swift
/// let failed = try JSONCondition("@.level == 'error' && @.latency > 100")
/// if try failed.holds(for: record.value) { … }
/// ```
public struct JSONCondition: Sendable, Hashable, CustomStringConvertible {
  private let filter: PathFilter
  private let text: String

  /// Compiles an expression.
  ///
  /// - Throws: ``JSONError`` with code ``JSONError/Code/invalidPath``; its offset counts bytes of `text`.
  public init(_ text: String) throws(JSONError) {
    // An expression is what stands in the brackets of a filter.
    let path: JSONPath
    do throws(JSONError) {
      path = try JSONPath(Self.opening + text + "]")
    } catch {
      throw error.shifted(by: -min(Self.opening.utf8.count, error.byteOffset))
    }
    guard path.query.segments.count == 1, path.query.segments[0].selectors.count == 1,
      case .filter(let filter) = path.query.segments[0].selectors[0]
    else { throw JSONError(.invalidPath, at: text.utf8.count, expected: "one logical expression") }
    self.filter = filter
    self.text = text
  }

  private static let opening = "$[?"

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
