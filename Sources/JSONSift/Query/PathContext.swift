/// The state that the evaluators of one query and of the queries in its filters share: the root, the remaining steps, the
/// compiled patterns, and the results that are the same for every node.
///
/// One context can serve several evaluators one after another, such as those of the records of a stream; the compiled
/// patterns are kept. Not sendable: each thread has its own.
final class PathContext {
  private(set) var root: JSON
  private let limit: Int
  private var stepsLeft: Int
  private var offset: Int?
  private var patterns: [MemberName: IRegexp?] = [:]
  /// The maximum number of cached patterns. Patterns may be values of the document, so the cache is bounded.
  private static let maxPatterns = Sizes.of(64, fuzzing: 2)

  // Results of queries that begin at the root.
  private var existing: [PathQuery: Bool] = [:]
  private var counts: [PathQuery: Int] = [:]
  private var values: [PathQuery: JSON?] = [:]
  /// Whether any of the three dictionaries has an entry. Checking one flag for each record is faster than checking all
  /// three.
  private var hasAnswers = false

  /// Whether the last test found no time for a window of time, and the value in its place.
  var lacksTime = false
  var notATime: JSON?

  init(root: JSON, limits: JSONLimits = JSONLimits()) {
    self.root = root
    limit = limits.querySteps
    stepsLeft = limit
  }

  /// Adds the record of the last test, which was false, if it has no time.
  func addMiss(to misses: inout TimeMisses, line: Int?) {
    guard lacksTime else { return }
    misses.add(notATime, line: line)
    notATime = nil
  }

  /// Sets the value of `$`. Discards the results that depended on the old value.
  func setRoot(_ root: JSON) {
    self.root = root
    if lacksTime { notATime = nil }
    guard hasAnswers else { return }
    hasAnswers = false
    existing = [:]
    counts = [:]
    values = [:]
  }

  /// Resets the number of remaining steps to the limit.
  ///
  /// - Parameter offset: The offset that an error reports; `nil` for the offset of the root.
  func refill(for offset: Int? = nil) {
    stepsLeft = limit
    self.offset = offset
  }

  // MARK: Work

  /// Counts steps: one for each value that is read, and more for expensive operations, such as entering a container. A step
  /// takes 14 to 22 ns (2 cores, 2026-11-22).
  func spend(_ steps: Int) throws(QueryLimitExceeded) {
    stepsLeft -= steps
    if stepsLeft < 0 { throw QueryLimitExceeded() }
  }

  /// The error of an evaluator that has stopped. Exceeding the limit is the only reason to stop.
  var failure: JSONError { JSONError(.queryLimit, at: offset ?? root.byteRange?.lowerBound ?? 0, limit: limit) }

  // MARK: Patterns

  /// Returns the compiled pattern, or `nil` if the pattern is invalid.
  ///
  /// A pattern that is too large stops the evaluator: by RFC 9535 only an invalid pattern matches nothing.
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

  /// Returns whether a query selects a value.
  func exists(_ query: PathQuery, _ current: JSON) throws(QueryLimitExceeded) -> Bool {
    if query.isSingular { return try single(query, current) != nil }
    if query.isRelative { return try first(query, current) != nil }
    if let known = existing[query] { return known }
    let answer = try first(query, current) != nil
    existing[query] = answer
    hasAnswers = true
    return answer
  }

  /// Returns the number of values that a query selects.
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

  /// Returns the value that a query selects if it selects exactly one, otherwise `nil`.
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

  /// Returns the value that a singular query selects.
  func single(_ query: PathQuery, _ current: JSON) throws(QueryLimitExceeded) -> JSON? {
    // A query from the root reads the same objects for each node.
    try walk(query, from: query.isRelative ? current : root, query.isRelative ? .once : .often)
  }

  /// Returns the value that a singular query from the root selects, outside a filter.
  ///
  /// - Parameter count: The number of queries that read the value.
  /// - Throws: ``JSONError/Code/queryLimit``.
  func value(ofSingular query: PathQuery, from start: JSON, oneOf count: Int) throws(JSONError) -> JSON? {
    do throws(QueryLimitExceeded) {
      try spend(1)
      return try walk(query, from: start, count < Self.minQueriesForTable ? .once : .oneOfMany)
    } catch {
      throw failure
    }
  }

  /// The number of queries from which a hash table of an object's members is cheaper than a search for each query. Inserting
  /// a member costs about as much as comparing 20 keys.
  private static let minQueriesForTable = Sizes.of(32, fuzzing: 2)

  /// How often lookups read the same object.
  enum Lookup {
    case once
    /// The object is read repeatedly, so a hash table of its members pays off. A lookup costs one step.
    case often
    /// Many queries read the object, so a hash table pays off. A lookup costs as many steps as without the table.
    case oneOfMany
  }

  /// Follows the steps of a singular query.
  private func walk(_ query: PathQuery, from start: JSON, _ lookup: Lookup) throws(QueryLimitExceeded) -> JSON? {
    var value = start
    var done = 0
    if case .node(let document, var index) = start.storage {
      // Most steps are names, and an index in a document is cheaper than a value.
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

  /// Returns the value of the first member with a name.
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

  /// Returns the index of the value of the first member with a name, in a document.
  private func member(
    _ name: MemberName, of index: UInt32, in document: Document, _ lookup: Lookup
  ) throws(QueryLimitExceeded) -> UInt32? {
    var string = name.string
    guard document.word(index).kind == .objectStart else { return nil }
    let count = document.childCount(of: index)
    let isLarge = count > Document.maxScannedChildren
    // Comparing a key costs far less than a step.
    try spend(isLarge && lookup == .often ? 1 : 1 + count / 16)
    if isLarge, lookup != .once {
      return string.withUTF8 { unsafe document.firstIndexedMember(UnsafeRawBufferPointer($0), of: index) }
    }
    return string.withUTF8 { unsafe document.firstMember(UnsafeRawBufferPointer($0), of: index) }
  }

  /// Returns an element of an array. A negative index counts from the end.
  func element(_ index: Int, of json: JSON) -> JSON? {
    guard json.type == .array else { return nil }
    let position = index < 0 ? index + json.count : index
    guard position >= 0, position < json.count else { return nil }
    return json[position]
  }
}

extension Document {
  /// Returns the index of the value of the first member with a key, or `nil`.
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
