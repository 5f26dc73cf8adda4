/// One value that a query has selected, and where it stands.
public struct JSONPathMatch: Sendable {
  /// The value.
  public let value: JSON
  /// Its normalized path, seen from the value that was asked.
  public let location: PathLocation
}

/// Asks one value for several paths, one after the other. Each has the whole limit of steps.
package struct PathQuestions {
  private let value: JSON
  private let context: PathContext
  private let count: Int

  /// - Parameter count: How many paths it will be asked for.
  package init(of value: JSON, count: Int, limits: JSONLimits) {
    self.value = value
    self.count = count
    context = PathContext(root: value, limits: limits)
  }

  /// The values that a path selects, as ``JSON/query(_:limits:)`` gives them.
  package func values(_ path: JSONPath) throws(JSONError) -> [JSON] {
    context.refill()
    var evaluator = PathEvaluator(try path.checked().segments, from: value, context)
    var result: [JSON] = []
    while let value = try evaluator.nextValue() { result.append(value) }
    return result
  }

  /// The same of a path that selects one value at most: it costs no list.
  package func value(ofSingular path: JSONPath) throws(JSONError) -> JSON? {
    context.refill()
    return try context.value(ofSingular: try path.checked(), from: value, oneOf: count)
  }
}

extension JSON {
  /// The values that a path selects, in the order of RFC 9535: that of the text, but for a path that says another or selects
  /// a value more than once.
  ///
  /// ```swift
  /// for title in try json.query("$..book[?@.price < 10].title") { print(title.stringValue) }
  /// ```
  ///
  /// `$` is this value, also if it is a part of a larger one. A missing value has no matches. Of several members with one
  /// name a name selects the first, unlike a subscript; a wildcard goes over all.
  ///
  /// - Parameters:
  ///   - path: The query.
  ///   - limits: Of them only ``JSONLimits/querySteps`` counts.
  /// - Throws: ``JSONError/Code/invalidPath`` if `path` is a literal that is none, ``JSONError/Code/queryLimit`` if the answer
  ///   takes too many steps.
  /// - Complexity: O(values that stand beside the path), times those that each filter looks at. A value of any depth takes
  ///   no deep stack.
  public func query(_ path: JSONPath, limits: JSONLimits = JSONLimits()) throws(JSONError) -> [JSON] {
    try PathQuestions(of: self, count: 1, limits: limits).values(path)
  }

  /// The values that a path selects, each with its normalized path (RFC 9535, 2.7).
  ///
  /// ```swift
  /// for match in try json.matches(of: "$..price") { print(match.location, match.value.doubleValue) }
  /// // $['store']['book'][0]['price'] 8.95
  /// ```
  ///
  /// - Throws: What ``query(_:limits:)`` throws.
  /// - Complexity: That of ``query(_:limits:)``, and for each match the depth at which it stands.
  public func matches(of path: JSONPath, limits: JSONLimits = JSONLimits()) throws(JSONError) -> [JSONPathMatch] {
    var evaluator = PathEvaluator(try path.checked().segments, from: self, root: self, limits: limits)
    var result: [JSONPathMatch] = []
    while let match = try evaluator.next() {
      result.append(JSONPathMatch(value: match.value, location: match.location))
    }
    return result
  }
}
