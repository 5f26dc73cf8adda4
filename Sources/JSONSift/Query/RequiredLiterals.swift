/// The literals that a text must contain for a condition to hold.
///
/// A *clause* is a set of alternative literals. A condition can hold only for a text that contains, for each clause, at
/// least one literal of the clause or an escape that may spell one. The converse is not claimed: a text may contain all of
/// them and still fail. Each rule below keeps this guarantee: an operator requires what its operands require, and nothing if
/// it can be true without an operand.
struct RequiredLiterals: Hashable, Sendable {
  /// The clauses, rarest first as far as the literals allow an estimate. Empty if nothing is required.
  let clauses: [[RequiredLiteral]]

  init(_ filter: PathFilter) {
    var all: [[RequiredLiteral]] = []
    for clause in Self.needs(of: filter, isNegated: false) where !all.contains(clause) { all.append(clause) }
    clauses = all.sorted { Self.rarity($0) > Self.rarity($1) }
  }

  /// The maximum number of literals that one search accepts.
  private static let maxLiterals = 16

  /// Returns the rarity of a clause, which is the rarity of its most common literal.
  private static func rarity(_ clause: [RequiredLiteral]) -> Int {
    var lowest = Int.max
    for literal in clause { lowest = min(lowest, literal.rarity) }
    return lowest - clause.count
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
    // A record without a time is counted, so it must not be ruled out unseen.
    case .window: return []
    case .comparison(let left, let comparison, let right):
      return needs(of: left, isNegated ? comparison.opposite : comparison, right)
    case .function(let call): return isNegated ? [] : presence(of: call) + clause(call.function.literal(call))
    }
  }

  /// Returns the requirements of a conjunction: the requirements of all terms.
  private static func all(_ terms: [[[RequiredLiteral]]]) -> [[RequiredLiteral]] { terms.flatMap { $0 } }

  /// Returns the requirements of a disjunction: the union of the rarest clause of each term. A term without requirements can
  /// hold for any text, and then the disjunction requires nothing.
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

  /// Returns the requirements of a comparison. Here *Nothing* is the absent value of RFC 9535.
  ///
  /// - Parameter comparison: `nil` for a comparison that also holds for Nothing on either side.
  private static func needs(
    of left: PathComparable, _ comparison: PathComparison?, _ right: PathComparable
  ) -> [[RequiredLiteral]] {
    let both = presence(of: left) + presence(of: right)
    switch comparison {
    case nil: return []
    // Only existing values have an order.
    case .less, .greater: return both
    // Nothing equals Nothing, so `<=` and `>=` hold for it too.
    case .lessOrEqual, .greaterOrEqual: return left.isNeverNothing || right.isNeverNothing ? both : []
    case .equal:
      guard left.isNeverNothing || right.isNeverNothing else { return [] }
      return both + value(left, equalTo: right) + value(right, equalTo: left)
    // Nothing differs from each value but not from Nothing: one of the two operands must exist.
    case .notEqual: return any([presence(of: left), presence(of: right)])
    }
  }

  /// Returns the requirement that the text contains a string, if `literal` is one.
  private static func value(_ literal: PathComparable, equalTo other: PathComparable) -> [[RequiredLiteral]] {
    // The comparison of two literals does not depend on the text.
    if case .literal = other { return [] }
    guard case .literal(let json) = literal, let string = json.string else { return [] }
    return clause(.whole(string))
  }

  private static func clause(_ literal: RequiredLiteral?) -> [[RequiredLiteral]] { literal.map { [[$0]] } ?? [] }

  // MARK: Presence

  /// Returns the requirements of an operand for being a value rather than Nothing.
  private static func presence(of comparable: PathComparable) -> [[RequiredLiteral]] {
    switch comparable {
    case .literal: []
    case .query(let query): presence(of: query)
    case .function(let call): presence(of: call)
    }
  }

  /// Returns the requirements of a function for its result to be a value, or to be true.
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

  /// Returns the requirements of a query for selecting a value: each segment must select one.
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
  /// The comparison that holds where this one does not; `nil` if its falseness implies nothing about the operands.
  fileprivate var opposite: PathComparison? {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less, .lessOrEqual, .greater, .greaterOrEqual: Optional.none
    }
  }
}

extension PathComparable {
  /// Whether the operand is a value for each text.
  fileprivate var isNeverNothing: Bool {
    switch self {
    case .literal: true
    case .query: false
    case .function(let call): call.function.isNeverNothing
    }
  }
}
