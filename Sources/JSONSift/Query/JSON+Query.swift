extension JSONPath {
  /// A value that a query selects, and its location.
  public struct Match: Sendable {
    /// The value.
    public let value: JSON
    /// The normalized path of the value, seen from the value that was queried.
    public let location: JSONPath.Location
  }
}

/// Evaluates several paths on one value, one after the other. The limit of steps applies to each path separately.
package struct PathEvaluations {
  private let value: JSON
  private let context: PathContext
  private let count: Int

  /// - Parameter count: The number of paths that will be evaluated. With many of them, lookups in large objects use hash
  ///   tables.
  package init(of value: JSON, count: Int, limits: JSONLimits) {
    self.value = value
    self.count = count
    context = PathContext(root: value, limits: limits)
  }

  /// Returns the values that a path selects, like ``JSON/query(_:limits:)``.
  package func values(_ path: JSONPath) throws(JSONError) -> [JSON] {
    context.refill()
    var evaluator = PathEvaluator(try path.checked().segments, from: value, context)
    var result: [JSON] = []
    while let value = try evaluator.nextValue() { result.append(value) }
    return result
  }

  /// Returns the value that a singular path selects. A singular path selects at most one value, so no array is allocated.
  package func value(ofSingular path: JSONPath) throws(JSONError) -> JSON? {
    context.refill()
    return try context.value(ofSingular: try path.checked(), from: value, oneOf: count)
  }
}

extension JSON {
  /// Returns the values that a path selects, in the order of RFC 9535. That is document order, unless the path prescribes
  /// another order or selects a value more than once.
  ///
  /// ```swift
  /// for title in try json.query("$..book[?@.price < 10].title") { print(title.stringValue) }
  /// ```
  ///
  /// `$` is this value, even if it is part of a larger one. A missing value has no matches. Of members with duplicate keys,
  /// a name selects the first, unlike a subscript; a wildcard selects all.
  ///
  /// - Parameters:
  ///   - path: The query.
  ///   - limits: The limits; only ``JSONLimits/querySteps`` applies.
  /// - Throws: ``JSONError/Code/invalidPath`` if `path` is an invalid literal, ``JSONError/Code/queryLimit`` if the
  ///   evaluation takes more than ``JSONLimits/querySteps`` steps.
  /// - Complexity: O(number of children of the containers along the path), times the number of values that each filter
  ///   reads. The depth of the value does not increase the use of the call stack.
  public func query(_ path: JSONPath, limits: JSONLimits = JSONLimits()) throws(JSONError) -> [JSON] {
    try PathEvaluations(of: self, count: 1, limits: limits).values(path)
  }

  /// Returns the values that a path selects, each with its normalized path (RFC 9535, 2.7).
  ///
  /// ```swift
  /// for match in try json.matches(of: "$..price") { print(match.location, match.value.doubleValue) }
  /// // $['store']['book'][0]['price'] 8.95
  /// ```
  ///
  /// - Throws: The errors of ``query(_:limits:)``.
  /// - Complexity: As ``query(_:limits:)``, plus the depth of each match.
  public func matches(of path: JSONPath, limits: JSONLimits = JSONLimits()) throws(JSONError) -> [JSONPath.Match] {
    var evaluator = PathEvaluator(try path.checked().segments, from: self, root: self, limits: limits)
    var result: [JSONPath.Match] = []
    while let match = try evaluator.next() {
      result.append(JSONPath.Match(value: match.value, location: match.location))
    }
    return result
  }
}
