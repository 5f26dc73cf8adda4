/// What a text must hold so that a condition can hold for it.
///
/// The condition holds only for a text that has, of each clause, at least one needle or an escape of one. Nothing is said
/// the other way round. Each rule below keeps to that: what an operator needs to be true is what its operands need, and
/// where it can be true without an operand, nothing.
struct RequiredLiterals: Hashable, Sendable {
  /// The rarest first, as far as that can be told from the needles. Empty: nothing is known.
  let clauses: [[RequiredLiteral]]

  init(_ filter: PathFilter) {
    var all: [[RequiredLiteral]] = []
    for clause in Self.needs(of: filter, isNegated: false) where !all.contains(clause) { all.append(clause) }
    clauses = all.sorted { Self.rarity($0) > Self.rarity($1) }
  }

  /// A search has room for so many.
  private static let maxLiterals = 16

  /// A clause is as common as the most common of its needles.
  private static func rarity(_ clause: [RequiredLiteral]) -> Int {
    var least = Int.max
    for literal in clause { least = min(least, literal.rarity) }
    return least - clause.count
  }

  // MARK: Logic

  private static func needs(of filter: PathFilter, isNegated: Bool) -> [[RequiredLiteral]] {
    switch filter {
    case .not(let inner): return needs(of: inner, isNegated: !isNegated)
    case .and(let terms), .or(let terms):
      let each = terms.map { needs(of: $0, isNegated: isNegated) }
      if case .and = filter { return isNegated ? any(each) : all(each) }
      return isNegated ? all(each) : any(each)
    case .exists(let query): return isNegated ? [] : presence(of: query)
    case .comparison(let left, let comparison, let right):
      return needs(of: left, isNegated ? comparison.opposite : comparison, right)
    case .function(let call): return isNegated ? [] : presence(of: call) + clause(call.function.literal(call))
    }
  }

  /// All of some terms hold: what each needs is needed.
  private static func all(_ terms: [[[RequiredLiteral]]]) -> [[RequiredLiteral]] { terms.flatMap { $0 } }

  /// One of some terms holds: of each its rarest clause, as one. A term that needs nothing can hold for any text.
  private static func any(_ terms: [[[RequiredLiteral]]]) -> [[RequiredLiteral]] {
    if terms.count == 1 { return terms[0] }
    var union: [RequiredLiteral] = []
    for term in terms {
      guard let best = term.max(by: { rarity($0) < rarity($1) }) else { return [] }
      for literal in best where !union.contains(literal) { union.append(literal) }
    }
    return union.isEmpty || union.count > maxLiterals ? [] : [union]
  }

  // MARK: Comparisons

  /// - Parameter comparison: `nil` is one that also holds where there is nothing to compare.
  private static func needs(
    of left: PathComparable, _ comparison: PathComparison?, _ right: PathComparable
  ) -> [[RequiredLiteral]] {
    let both = presence(of: left) + presence(of: right)
    switch comparison {
    case nil: return []
    // Only what is there has an order.
    case .less, .greater: return both
    // Nothing is equal to Nothing, and so less or equal.
    case .lessOrEqual, .greaterOrEqual: return left.isNeverNothing || right.isNeverNothing ? both : []
    case .equal:
      guard left.isNeverNothing || right.isNeverNothing else { return [] }
      return both + value(left, equalTo: right) + value(right, equalTo: left)
    // Nothing differs from all that is there: one of the two must be.
    case .notEqual: return any([presence(of: left), presence(of: right)])
    }
  }

  /// What the text needs to have a value that is equal to a string.
  private static func value(_ literal: PathComparable, equalTo other: PathComparable) -> [[RequiredLiteral]] {
    // Two literals are equal without a text.
    if case .literal = other { return [] }
    guard case .literal(let json) = literal, let string = json.string else { return [] }
    return clause(.whole(string))
  }

  private static func clause(_ literal: RequiredLiteral?) -> [[RequiredLiteral]] { literal.map { [[$0]] } ?? [] }

  // MARK: Presence

  /// What is needed for one side to be something.
  private static func presence(of comparable: PathComparable) -> [[RequiredLiteral]] {
    switch comparable {
    case .literal: []
    case .query(let query): presence(of: query)
    case .function(let call): presence(of: call)
    }
  }

  /// What is needed for a function to be something, and to be true.
  private static func presence(of call: PathCall) -> [[RequiredLiteral]] {
    guard call.function.needsArguments else { return [] }
    return all(
      call.arguments.map { argument in
        switch argument {
        case .value(let comparable): presence(of: comparable)
        case .nodes(let query): presence(of: query)
        }
      })
  }

  /// What is needed for a query to select something: each segment must.
  private static func presence(of query: PathQuery) -> [[RequiredLiteral]] {
    all(query.segments.map { segment in any(segment.selectors.map { presence(of: $0) }) })
  }

  private static func presence(of selector: PathSelector) -> [[RequiredLiteral]] {
    switch selector {
    case .name(let name): clause(.whole(name.string, isName: true))
    case .filter(let filter): needs(of: filter, isNegated: false)
    case .wildcard, .index, .slice: []
    }
  }
}

extension PathComparison {
  /// What holds where this does not; `nil` where that says nothing about the operands.
  fileprivate var opposite: PathComparison? {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less, .lessOrEqual, .greater, .greaterOrEqual: Optional.none
    }
  }
}

extension PathComparable {
  /// It is a value, whatever is asked.
  fileprivate var isNeverNothing: Bool {
    switch self {
    case .literal: true
    case .query: false
    case .function(let call): call.function.isNeverNothing
    }
  }
}
