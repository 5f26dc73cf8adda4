extension PathFilter {
  /// The queries of the filter, both from `@` and from `$`. Excludes the queries in filters inside these queries.
  var queries: [PathQuery] {
    switch self {
    case .or(let parts), .and(let parts): parts.flatMap { $0.queries }
    case .not(let part): part.queries
    case .comparison(let left, _, let right): left.queries + right.queries
    case .exists(let query): [query]
    case .window(let queries, _): queries
    case .function(let call): call.queries
    }
  }
}

extension PathComparable {
  var queries: [PathQuery] {
    switch self {
    case .literal: []
    case .query(let query): [query]
    case .function(let call): call.queries
    }
  }
}

extension PathCall {
  var queries: [PathQuery] {
    arguments.flatMap { argument in
      switch argument {
      case .value(let value): value.queries
      case .nodes(let query): [query]
      }
    }
  }
}
