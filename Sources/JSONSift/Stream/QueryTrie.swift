/// The leading names of some queries as a trie, which a kernel follows in each record.
///
/// For a query, the trie ends after its last leading name, or earlier where it ends for another query. The owner of the trie
/// evaluates the rest of the query on the value found there.
struct QueryTrie: ~Copyable {
  /// A name in the trie.
  struct Branch: BitwiseCopyable {
    /// The length of the name in bytes.
    let nameCount: Int
    /// The number of the object that contains the name, and the number of objects that are open there.
    let owner, depth: Int
    /// The number of the object in which the trie continues after the name; 0 for a leaf.
    var object = 0
  }

  /// The end of the trie for a query.
  struct Query {
    /// The number of the last name.
    let branch: Int
    /// A bit mask with the bit of the object that contains the name.
    let owner: UInt32
    /// The packed steps from a record to the value.
    let packedSteps: [UInt8]
  }

  private let lists: KeyPatternLists
  var names: PathTrie
  let branches: PlainVector<Branch>
  let queries: [Query]
  /// Whether every query ends where the trie ends for it, so that a value at a leaf is the match of the queries that lead
  /// there.
  let isExact: Bool

  /// Returns the trie of some queries; `nil` if a query does not begin with a name or refers to the root in a filter, or if
  /// there are too many names.
  static func of(_ queries: [PathQuery], _ limits: JSONLimits) -> QueryTrie? {
    guard !queries.isEmpty, let nodes = TrieNodes(queries, limits) else { return nil }
    var lists = KeyPatternLists()
    var names = PathTrie(includesContainers: true)
    var branches = PlainVector<Branch>()
    // For each node, the number of its name.
    var numbers: [Int: Int] = [:]
    var next = [0]
    for number in 0... where number < next.count {
      let node = nodes.all[next[number]]
      let outer = numbers[next[number]]
      guard let list = lists.add(node.names), let first = names.append(list, at: outer) else { return nil }
      if let outer { branches[outer].object = number }
      for (index, inner) in node.inner.enumerated() {
        numbers[inner] = first + index
        branches.append(Branch(nameCount: node.names[index].count, owner: number, depth: node.depth + 1))
        if !nodes.all[inner].isEnd { next.append(inner) }
      }
      if number + 1 == next.count { break }
    }
    let ends = nodes.ends.map { node in
      let branch = numbers[node] ?? 0
      return Query(branch: branch, owner: 1 << UInt32(branches[branch].owner), packedSteps: nodes.all[node].location)
    }
    return QueryTrie(lists: lists, names: names, branches: branches, queries: ends, isExact: nodes.areExact)
  }
}

/// The trie as nodes, each with the names of one object.
private struct TrieNodes {
  struct Node {
    var names: [[UInt8]] = []
    var inner: [Int] = []
    /// The number of steps to the node.
    var depth = 0
    /// The packed steps to the node.
    var location: [UInt8] = []
    /// Whether a query ends here or continues with a segment that is not a name.
    var isEnd = false
  }

  private(set) var all = [Node()]
  /// For each query, the first node on its path at which a query ends.
  private(set) var ends: [Int] = []
  /// Whether each query has no segments after its end in the trie.
  private(set) var areExact = true

  init?(_ queries: [PathQuery], _ limits: JSONLimits) {
    let nameLists = queries.map { query in
      query.segments.prefix(limits.depth).prefix { $0.name(limits) != nil }.compactMap { $0.name(limits) }
    }
    // Such a filter may refer to a value elsewhere in the record.
    guard !queries.contains(where: { $0.segments.contains { $0.refersToRoot } }) else { return nil }
    for names in nameLists {
      guard !names.isEmpty else { return nil }
      var node = 0
      for name in names {
        let next = step(name, from: node)
        // No list can have more names.
        guard KeyPatternLists.takes(all[node].names.count) else { return nil }
        node = next
      }
      all[node].isEnd = true
    }
    for (query, names) in zip(queries, nameLists) {
      var (node, steps) = (0, 0)
      while steps < names.count, !all[node].isEnd {
        node = step(names[steps], from: node)
        steps += 1
      }
      ends.append(node)
      if steps < query.segments.count { areExact = false }
    }
  }

  private mutating func step(_ name: [UInt8], from node: Int) -> Int {
    if let number = all[node].names.firstIndex(of: name) { return all[node].inner[number] }
    let next = all.count
    all.append(Node(depth: all[node].depth + 1, location: all[node].location + MatchLocation.packed(name)))
    all[node].names.append(name)
    all[node].inner.append(next)
    return next
  }
}

extension PathSegment {
  /// Returns the bytes of the selected name, if the segment selects exactly one name and a key can contain it without
  /// escapes.
  fileprivate func name(_ limits: JSONLimits) -> [UInt8]? {
    guard isSingular, case .name(let name) = selectors[0] else { return nil }
    let bytes = Array(name.string.utf8)
    // The kernel would match such a name with a key that contains the raw control character, which is not valid JSON.
    guard bytes.count <= min(limits.keyBytes, TapeWord.longLength - 1), bytes.allSatisfy({ $0 >= ASCII.space })
    else { return nil }
    return bytes
  }
}
