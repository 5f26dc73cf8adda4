/// A condition, as far as an index can decide it for a block.
indirect enum BlockTest {
  case any([BlockTest])
  case all([BlockTest])
  /// There is a value at the path with this number.
  case exists(path: Int)
  case comparison(path: Int, PathComparison, JSON)
  /// The index does not know.
  case unknown

  /// - Parameters:
  ///   - filter: The condition on a record.
  ///   - paths: The paths of the index.
  init(_ filter: PathFilter, _ paths: [JSONPath]) {
    /// `$` and `@` are both the record.
    func number(of query: PathQuery) -> Int? { paths.firstIndex { $0.query.segments == query.segments } }
    switch filter {
    case .or(let parts): self = .any(parts.map { BlockTest($0, paths) })
    case .and(let parts): self = .all(parts.map { BlockTest($0, paths) })
    case .exists(let query): self = number(of: query).map { .exists(path: $0) } ?? .unknown
    case .comparison(.query(let query), let comparison, .literal(let value)):
      self = number(of: query).map { .comparison(path: $0, comparison, value) } ?? .unknown
    case .comparison(.literal(let value), let comparison, .query(let query)):
      self = number(of: query).map { .comparison(path: $0, comparison.flipped, value) } ?? .unknown
    // A sketch says what does not occur, so the opposite of a condition is never ruled out.
    case .not, .comparison, .function: self = .unknown
    }
  }

  /// Returns whether the condition can hold for a record of a block. `false` is certain.
  ///
  /// - Parameter sketch: Returns the sketch of the block for a path.
  func mayHold(_ sketch: (_ path: Int) -> ValueSketch) -> Bool {
    switch self {
    case .any(let parts): parts.contains { $0.mayHold(sketch) }
    case .all(let parts): parts.allSatisfy { $0.mayHold(sketch) }
    case .exists(let path): !sketch(path).kinds.isEmpty
    case .comparison(let path, let comparison, let literal): sketch(path).mayHold(comparison, literal)
    case .unknown: true
    }
  }
}
