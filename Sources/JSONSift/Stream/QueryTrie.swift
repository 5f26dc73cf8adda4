/// The names with which some queries begin, as a tree that a kernel follows in each record.
///
/// For a query the tree ends behind its last name that comes before anything else, or where it ends for another query: what
/// is asked of the value there is somebody else's matter.
struct QueryTrie: ~Copyable {
  /// A name in the tree.
  struct Branch: BitwiseCopyable {
    /// How many bytes it has.
    let nameCount: Int
    /// The number of the object that has it, and how many objects are open there.
    let owner, depth: Int
    /// The number of the object in which the tree goes on behind it; 0 if it is a leaf.
    var object = 0
  }

  /// Where the tree ends for a query.
  struct Query {
    /// The number of the name.
    let branch: Int
    /// A bit for the object that has the name.
    let owner: UInt32
    /// The steps from a record to the value, packed.
    let place: [UInt8]
  }

  private let lists: KeyPatternLists
  var names: PathTrie
  let branches: PlainVector<Branch>
  let queries: [Query]
  /// Every query ends where the tree does.
  let isExact: Bool

  /// `nil` if a query does not begin with a name or asks for the root in a filter, or if there are too many names.
  ///
  /// - Parameter exactly: Every query must end where the tree does, so that a value at a leaf is the match of the queries that
  ///   lead there.
  static func of(_ queries: [PathQuery], _ limits: JSONLimits, exactly: Bool = false) -> QueryTrie? {
    guard !queries.isEmpty, let nodes = TrieNodes(queries, limits), nodes.areExact || !exactly else { return nil }
    var lists = KeyPatternLists()
    var names = PathTrie(takesAll: true)
    var branches = PlainVector<Branch>()
    // By node: the number of its name.
    var numbers: [Int: Int] = [:]
    var next = [0]
    for number in 0... where number < next.count {
      let node = nodes.all[next[number]]
      let outer = numbers[next[number]]
      guard let list = lists.add(node.names), let first = names.append(list, at: outer) else { return nil }
      if let outer { branches[outer].object = number }
      for (place, inner) in node.inner.enumerated() {
        numbers[inner] = first + place
        branches.append(Branch(nameCount: node.names[place].count, owner: number, depth: node.depth + 1))
        if !nodes.all[inner].isEnd { next.append(inner) }
      }
      if number + 1 == next.count { break }
    }
    let ends = nodes.ends.map { node in
      let branch = numbers[node] ?? 0
      return Query(branch: branch, owner: 1 << UInt32(branches[branch].owner), place: nodes.all[node].place)
    }
    return QueryTrie(lists: lists, names: names, branches: branches, queries: ends, isExact: nodes.areExact)
  }
}

/// The names as nodes, those of one object side by side.
private struct TrieNodes {
  struct Node {
    var names: [[UInt8]] = []
    var inner: [Int] = []
    /// The steps to it: how many, and packed.
    var depth = 0
    var place: [UInt8] = []
    /// A query ends here, or goes on with something else than a name.
    var isEnd = false
  }

  private(set) var all = [Node()]
  /// By query: the first node on its way at which one ends.
  private(set) var ends: [Int] = []
  /// Each query is over where it ends here.
  private(set) var areExact = true

  init?(_ queries: [PathQuery], _ limits: JSONLimits) {
    let ways = queries.map { query in
      query.segments.prefix(limits.depth).prefix { $0.name(limits) != nil }.compactMap { $0.name(limits) }
    }
    // What stands elsewhere in the record may be asked for.
    guard !queries.contains(where: { $0.segments.contains { $0.asksForRoot } }) else { return nil }
    for way in ways {
      guard !way.isEmpty else { return nil }
      var node = 0
      for name in way { node = step(name, from: node) }
      all[node].isEnd = true
    }
    for (query, way) in zip(queries, ways) {
      var (node, steps) = (0, 0)
      while steps < way.count, !all[node].isEnd {
        node = step(way[steps], from: node)
        steps += 1
      }
      ends.append(node)
      if steps < query.segments.count { areExact = false }
    }
  }

  private mutating func step(_ name: [UInt8], from node: Int) -> Int {
    if let number = all[node].names.firstIndex(of: name) { return all[node].inner[number] }
    let next = all.count
    all.append(Node(depth: all[node].depth + 1, place: all[node].place + MatchLocation.packed(name)))
    all[node].names.append(name)
    all[node].inner.append(next)
    return next
  }
}

extension PathSegment {
  /// The bytes of the name that it selects, if it is one name and nothing else, which a key can have as it stands.
  fileprivate func name(_ limits: JSONLimits) -> [UInt8]? {
    guard isSingular, case .name(let name) = selectors[0] else { return nil }
    let bytes = Array(name.string.utf8)
    // The kernel would take a control character for itself.
    guard bytes.count <= min(limits.keyBytes, TapeWord.longLength - 1), bytes.allSatisfy({ $0 >= ASCII.space })
    else { return nil }
    return bytes
  }
}
