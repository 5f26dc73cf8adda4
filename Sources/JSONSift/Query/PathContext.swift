/// What the evaluators of one query share, those of the queries in its filters too: the root, the work that may still be
/// done, patterns that are compiled, and answers that are the same for every node.
///
/// One context can serve one evaluator after another, such as those of the records of a stream: compiled patterns stay.
/// Not sendable: each thread has its own.
final class PathContext {
  private(set) var root: JSON
  private let limit: Int
  private var stepsLeft: Int
  private var offset: Int?
  private var patterns: [MemberName: IRegexp?] = [:]
  /// Patterns come from the document too.
  private static let maxPatterns = 64

  // Answers of queries that begin at the root.
  private var existing: [PathQuery: Bool] = [:]
  private var counts: [PathQuery: Int] = [:]
  private var values: [PathQuery: JSON?] = [:]
  /// One of them has some: to ask the three for each record takes longer.
  private var hasAnswers = false

  init(root: JSON, limits: JSONLimits = JSONLimits()) {
    self.root = root
    limit = limits.querySteps
    stepsLeft = limit
  }

  /// Says what `$` means from now on. Answers that depended on it are forgotten.
  func setRoot(_ root: JSON) {
    self.root = root
    guard hasAnswers else { return }
    hasAnswers = false
    existing = [:]
    counts = [:]
    values = [:]
  }

  /// All the work may be done again.
  ///
  /// - Parameter offset: Where an error is reported; at the root, if it is `nil`.
  func refill(for offset: Int? = nil) {
    stepsLeft = limit
    self.offset = offset
  }

  // MARK: Work

  /// Counts steps: one for each value that is looked at, and more where a look costs more, as for a container that is
  /// entered. A step takes 14 to 22 ns (2 cores, 2026-11-22).
  @inline(__always)
  func spend(_ steps: Int) throws(QueryLimitExceeded) {
    stepsLeft -= steps
    if stepsLeft < 0 { throw QueryLimitExceeded() }
  }

  /// Why an evaluator has stopped: there is no other reason.
  var failure: JSONError { JSONError(.queryLimit, at: offset ?? root.byteRange?.lowerBound ?? 0, limit: limit) }

  // MARK: Patterns

  /// The expression of a pattern, or `nil` if it is none.
  ///
  /// One that is too large stops the evaluator: RFC 9535 takes only what is no pattern for one that nothing matches.
  func expression(_ pattern: String) throws(QueryLimitExceeded) -> IRegexp? {
    let name = MemberName(pattern)
    if let known = patterns[name] { return known }
    if patterns.count >= Self.maxPatterns { patterns = [:] }
    let made: IRegexp?
    do throws(JSONError) {
      made = try IRegexp(pattern, readsAnchors: true)
    } catch {
      guard !IRegexp.isLimit(error) else { throw QueryLimitExceeded() }
      made = nil
    }
    patterns[name] = .some(made)
    return made
  }

  // MARK: Queries in filters

  /// Whether a query selects something.
  func exists(_ query: PathQuery, _ current: JSON) throws(QueryLimitExceeded) -> Bool {
    if query.isSingular { return try single(query, current) != nil }
    if query.isRelative { return try first(query, current) != nil }
    if let known = existing[query] { return known }
    let answer = try first(query, current) != nil
    existing[query] = answer
    hasAnswers = true
    return answer
  }

  /// How many values a query selects.
  func count(_ query: PathQuery, _ current: JSON) throws(QueryLimitExceeded) -> Int {
    if !query.isRelative, let known = counts[query] { return known }
    var evaluator = PathEvaluator(query, current, self)
    var count = 0
    while try evaluator.advance() != nil { count += 1 }
    guard !query.isRelative else { return count }
    counts[query] = count
    hasAnswers = true
    return count
  }

  /// The value that a query selects, if it is one.
  func value(_ query: PathQuery, _ current: JSON) throws(QueryLimitExceeded) -> JSON? {
    if query.isSingular { return try single(query, current) }
    if !query.isRelative, let known = values[query] { return known }
    var evaluator = PathEvaluator(query, current, self)
    var answer = try evaluator.advance()
    if answer != nil, try evaluator.advance() != nil { answer = nil }
    guard !query.isRelative else { return answer }
    values[query] = .some(answer)
    hasAnswers = true
    return answer
  }

  private func first(_ query: PathQuery, _ current: JSON) throws(QueryLimitExceeded) -> JSON? {
    var evaluator = PathEvaluator(query, current, self)
    return try evaluator.advance()
  }

  /// The value of a singular query.
  func single(_ query: PathQuery, _ current: JSON) throws(QueryLimitExceeded) -> JSON? {
    // A query from the root looks at the same objects each time.
    try walk(query, from: query.isRelative ? current : root, query.isRelative ? .once : .often)
  }

  /// The same outside of filters: what a query from the root selects in a value.
  ///
  /// - Parameter count: How many queries are asked of the value.
  /// - Throws: ``JSONError/Code/queryLimit``.
  func value(ofSingular query: PathQuery, from start: JSON, oneOf count: Int) throws(JSONError) -> JSON? {
    do throws(QueryLimitExceeded) {
      try spend(1)
      return try walk(query, from: start, count < Self.manyQueries ? .once : .oneOfMany)
    } catch {
      throw failure
    }
  }

  /// The number of queries from which a hash table of an object's members costs less than a search for each query. Inserting a
  /// member costs about as much as comparing 20 keys.
  private static let manyQueries = 32

  /// How an object is asked for a member.
  enum Lookup {
    case once
    /// The same object is asked again and again, so that a table of its members pays. A lookup is one step.
    case often
    /// Many queries ask the same object, so that a table pays. Each lookup counts as many steps as without the table.
    case oneOfMany
  }

  /// Goes along the steps of a singular query.
  private func walk(_ query: PathQuery, from start: JSON, _ lookup: Lookup) throws(QueryLimitExceeded) -> JSON? {
    var value = start
    var done = 0
    if case .node(let document, var index) = start.storage {
      // Most steps are names, and a place in a document costs less than a value.
      while done < query.segments.count, case .name(let name) = query.segments[done].selectors[0] {
        guard let next = try member(name, of: index, in: document, lookup) else { return nil }
        index = next
        done += 1
      }
      if done > 0 { value = JSON(document, index) }
    }
    for segment in query.segments[done...] {
      switch segment.selectors[0] {
      case .name(let name):
        guard let next = try member(name, of: value, lookup) else { return nil }
        value = next
      case .index(let index):
        try spend(1)
        guard let next = element(index, of: value) else { return nil }
        value = next
      case .wildcard, .slice, .filter: return nil
      }
    }
    return value.exists() ? value : Optional.none
  }

  // MARK: Children

  /// The value of the first member with this name.
  func member(_ name: MemberName, of json: JSON, _ lookup: Lookup) throws(QueryLimitExceeded) -> JSON? {
    var string = name.string
    switch json.storage {
    case .node(let document, let index):
      return try member(name, of: index, in: document, lookup).map { JSON(document, $0) }
    case .overlay(let branch):
      guard branch.isObject else { return nil }
      try spend(1 + branch.count / 4)
      var children = ChildCursor(json)
      return string.withUTF8 { wanted in
        let wanted = UnsafeRawBufferPointer(wanted)
        while let child = children.next() {
          let isWanted = unsafe child.name?.withBytes {
            unsafe $0.count == wanted.count && $0.elementsEqualMemory(wanted, at: 0)
          }
          if isWanted == true { return child.value }
        }
        return nil
      }
    default: return nil
    }
  }

  /// The same in a document.
  private func member(
    _ name: MemberName, of index: UInt32, in document: Document, _ lookup: Lookup
  ) throws(QueryLimitExceeded) -> UInt32? {
    var string = name.string
    guard document.word(index).kind == .objectStart else { return nil }
    let count = document.childCount(of: index)
    let isLarge = count > Document.smallContainer
    // A look at a key costs far less than a step.
    try spend(isLarge && lookup == .often ? 1 : 1 + count / 16)
    if isLarge, lookup != .once {
      return string.withUTF8 { unsafe document.firstMemberByTable(UnsafeRawBufferPointer($0), of: index) }
    }
    return string.withUTF8 { unsafe document.firstMember(UnsafeRawBufferPointer($0), of: index) }
  }

  /// An element of an array. Below 0 the index counts from the end.
  func element(_ index: Int, of json: JSON) -> JSON? {
    guard json.type == .array else { return nil }
    let place = index < 0 ? index + json.count : index
    guard place >= 0, place < json.count else { return nil }
    return json[place]
  }
}

extension Document {
  /// The value of the first member with this key, or `nil`.
  func firstMember(_ key: UnsafeRawBufferPointer, of index: UInt32) -> UInt32? {
    let end = after(index) &- 1
    var name = index &+ 2
    while name < end {
      if unsafe matches(name, key) { return name &+ 1 }
      name = after(name &+ 1)
    }
    return nil
  }
}
