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
  package init(_ condition: JSONCondition, _ paths: [JSONPath]) {
    let numbers = Dictionary(
      paths.indices.map { (paths[$0].query.segments, $0) }, uniquingKeysWith: { first, _ in first })
    self.init(condition.filter, numbers)
  }

  private init(_ filter: PathFilter, _ paths: [[PathSegment]: Int]) {
    /// `$` and `@` are both the record.
    func number(of query: PathQuery) -> Int? { paths[query.segments] }
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
  /// Returns for each path whether the condition reads the value there.
  package func reads(_ paths: [JSONPath]) -> [Bool] {
    let read = Set(filter.queries.map { $0.segments })
    return paths.map { read.contains($0.query.segments) }
  }
}
