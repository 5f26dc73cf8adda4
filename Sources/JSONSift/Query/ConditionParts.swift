/// The parts of a condition that can be decided from what is known of the values at some paths.
package indirect enum ConditionParts {
  case any([ConditionParts])
  case all([ConditionParts])
  /// There is a value at the path with this number.
  case exists(path: Int)
  case comparison(path: Int, PathComparison, JSON)
  /// This part cannot be decided.
  case unknown

  /// - Parameters:
  ///   - condition: The condition on a record.
  ///   - paths: The paths.
  package init(_ condition: JSONCondition, _ paths: [JSONPath]) { self.init(condition.filter, paths) }

  private init(_ filter: PathFilter, _ paths: [JSONPath]) {
    /// `$` and `@` are both the record.
    func number(of query: PathQuery) -> Int? { paths.firstIndex { $0.query.segments == query.segments } }
    switch filter {
    case .or(let parts): self = .any(parts.map { Self($0, paths) })
    case .and(let parts): self = .all(parts.map { Self($0, paths) })
    case .exists(let query): self = number(of: query).map { .exists(path: $0) } ?? .unknown
    case .comparison(.query(let query), let comparison, .literal(let value)):
      self = number(of: query).map { .comparison(path: $0, comparison, value) } ?? .unknown
    case .comparison(.literal(let value), let comparison, .query(let query)):
      self = number(of: query).map { .comparison(path: $0, comparison.flipped, value) } ?? .unknown
    case .not, .comparison, .function, .window: self = .unknown
    }
  }
}

extension JSONCondition {
  /// Whether the condition reads the value at a path.
  package func reads(_ path: JSONPath) -> Bool { filter.queries.contains { $0.segments == path.query.segments } }
}
