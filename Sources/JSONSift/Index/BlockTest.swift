/// The part of a condition that an index can decide for a block.
indirect enum BlockTest {
  case any([BlockTest])
  case all([BlockTest])
  /// There is a value at the path with this number.
  case exists(path: Int)
  case comparison(path: Int, PathComparison, JSON)
  /// The index cannot decide this part, so it may hold.
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
    // A sketch can prove that a value does not occur, but not that every record has it. So a negation is never ruled
    // out.
    case .not, .comparison, .function, .window: self = .unknown
    }
  }

  /// Returns `false` if the condition holds for no record of a block, and `true` if it may hold.
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
