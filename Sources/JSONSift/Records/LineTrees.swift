/// Records, a line each, in which paths of names lead to scalars: a kernel goes over all that are as usual, and each costs
/// little more than its matches.
///
/// What is not as usual is left to the reader: so nothing is accepted here that it would refuse, and in between it stands
/// where it would stand without this. Scalars of many lines are parsed together, before one of them is handed out.
struct LineTrees: ~Copyable {
  /// One of the paths.
  private struct Query {
    /// The name that leads to its scalar, and a bit for the object that has it.
    let branch: Int
    let object: UInt32
    /// The steps from a record to the scalar, packed.
    let place: [UInt8]
  }

  private let lists: NameLists
  private var tree: NameTree
  private let queries: [Query]
  private let limits: JSONLimits
  /// Lines are proven, so no scalar can be refused.
  private let isProven: Bool
  private var scan = LineScan()
  private var scalars = ScalarBatch()
  private var values: SubtreeParser
  private var last: Document?

  /// Where the lines that were gone over begin in the input, how long they are, and the number of the first.
  private var run = (offset: 0, bytes: 0, line: 0)
  /// How many of these lines the reader has reached, its scalars in the last of them, and the next query of that.
  private var lines = 0
  private var found = 0..<0
  private var query = 0
  /// Objects of the tree that were in lines behind which the reader stands.
  private var opened: UInt32 = 0

  /// Up to this offset lines are left to the reader: a scalar among them is none.
  private var leftUntil = 0
  /// So many lines are left to the reader before the next try, and so many after the next one that fails.
  private var pause = 0
  private var nextPause = 1

  /// Where trying again and again finds nothing, it costs a sixty-fourth of the lines.
  private static let longestPause = 64

  private init(
    _ lists: consuming NameLists, _ tree: NameTree, _ queries: [Query], _ options: JSONOptions
  ) {
    self.lists = lists
    self.tree = tree
    self.queries = queries
    limits = options.limits
    isProven = !options.fastForward
    values = SubtreeParser(options: options)
    last = nil
  }

  /// `nil` if a query has other steps than names, or leads to what another one goes through, or if there are too many.
  static func of(_ queries: [PathQuery], _ options: JSONOptions) -> LineTrees? {
    guard !queries.isEmpty, let nodes = NameNodes(queries, options.limits) else { return nil }
    var lists = NameLists()
    var tree = NameTree()
    var objects: [Int: (number: Int, firstName: Int)] = [:]
    for (place, node) in nodes.all.enumerated() where !node.names.isEmpty {
      let branch = objects[node.outer].map { $0.firstName + node.number }
      guard let list = lists.add(node.names), let first = tree.append(list, at: branch) else { return nil }
      objects[place] = (objects.count, first)
    }
    let own = nodes.ends.map { end in
      let node = nodes.all[end.node]
      let object = objects[node.outer] ?? (0, 0)
      return Query(
        branch: object.firstName + node.number, object: 1 << UInt32(object.number), place: end.place)
    }
    return LineTrees(lists, tree, own, options)
  }

  /// Forgets lines that have not been asked for: others come.
  mutating func reset() {
    scan.removeAll()
    lines = 0
    query = queries.count
    leftUntil = 0
  }

  /// Whether what the last step of a query selects in was there.
  func hasReached(_ query: Int) -> Bool { opened & queries[query].object != 0 }

  /// The next match, as long as lines are as usual. The reader stands at its record then, as if it had read that.
  mutating func nextMatch(_ reader: inout JSONRecordReader) -> (query: Int, value: JSON, byteRange: Range<Int>)? {
    while true {
      while query < queries.count {
        let query = query
        self.query += 1
        for index in found where scan[index].branch == queries[query].branch {
          let (value, range) = match(scan[index].range, of: query, reader)
          return (query, value, range)
        }
      }
      guard goToLine(&reader) else { return nil }
    }
  }

  @inline(__always)
  private mutating func match(
    _ range: Range<Int>, of query: Int, _ reader: borrowing JSONRecordReader
  ) -> (JSON, Range<Int>) {
    let start = run.offset + range.lowerBound
    let first = start - reader.window.offset
    let text = unsafe UnsafeRawBufferPointer(rebasing: reader.window.bytes[first..<(first + range.count)])
    let document = Document.reusing(&last)
    unsafe queries[query].place.withUnsafeBytes { unsafe document.setSource(copying: text, origin: start, place: $0) }
    document.setTape(scalar: unsafe EventWord(scalarIn: text, 0..<text.count).bits)
    return (JSON(document, Document.root), start..<(start + text.count))
  }

  // MARK: Lines

  /// Goes on to the next line that has a match. False if there is none, or the next line is not as usual.
  private mutating func goToLine(_ reader: inout JSONRecordReader) -> Bool {
    if lines > 0 { opened |= scan.line(lines - 1).opened }
    while true {
      guard lines < scan.lineCount else {
        if lines > 0 { reader.pass(to: run.offset + run.bytes, line: run.line + lines) }
        scan.removeAll()
        lines = 0
        found = 0..<0
        guard begin(&reader) else { return false }
        continue
      }
      let number = lines
      lines += 1
      var end = found.upperBound
      while end < scan.count, scan[end].element == number { end += 1 }
      found = found.upperBound..<end
      guard !found.isEmpty else {
        opened |= scan.line(number).opened
        continue
      }
      let start = number > 0 ? scan.line(number - 1).end : 0
      reader.stand(at: run.offset + start, line: run.line + number, byteCount: scan.line(number).end - start)
      query = 0
      return true
    }
  }

  /// Goes over the lines that are in the window. False if none is as usual.
  private mutating func begin(_ reader: inout JSONRecordReader) -> Bool {
    guard pause == 0 else {
      pause -= 1
      return false
    }
    guard let (bytes, offset) = unsafe isProven ? reader.provenLines() : reader.wholeLines, offset >= leftUntil,
      bytes.count <= limits.recordBytes
    else {
      return false
    }
    let used = unsafe scan.read(bytes, along: &tree)
    guard used > 0 else {
      pause = nextPause
      nextPause = min(nextPause * 2, Self.longestPause)
      return false
    }
    nextPause = 1
    if !isProven { for index in 0..<scan.count { unsafe scalars.append(bytes, scan[index].range, isMember: true) } }
    defer { scalars.removeAll() }
    guard scalars.count == 0 || scalars.areGood(values: &values) else {
      scan.removeAll()
      leftUntil = offset + used
      return false
    }
    run = (offset, used, reader.nextLine)
    return true
  }
}

/// The names of some queries, those of one object side by side. An object comes behind those around it.
private struct NameNodes {
  struct Node {
    /// The object that has the name, and the number of the name among its names.
    var outer = -1
    var number = 0
    var names: [[UInt8]] = []
    var inner: [Int] = []
  }

  private(set) var all = [Node()]
  /// By query: where it ends, and its steps, packed.
  private(set) var ends: [(node: Int, place: [UInt8])] = []

  /// `nil` as of ``LineTrees``.
  init?(_ queries: [PathQuery], _ limits: JSONLimits) {
    for query in queries {
      guard !query.segments.isEmpty, query.segments.count <= limits.depth else { return nil }
      var node = 0
      var place: [UInt8] = []
      for segment in query.segments {
        // No key has a control character as it stands, but the kernel would take it for one.
        guard let name = segment.onlyName, name.count <= limits.keyBytes, name.allSatisfy({ $0 >= ASCII.space }) else {
          return nil
        }
        node = step(name, from: node)
        place += MatchPlace.packed(name)
      }
      ends.append((node, place))
    }
    guard ends.allSatisfy({ all[$0.node].names.isEmpty }) else { return nil }
  }

  private mutating func step(_ name: [UInt8], from node: Int) -> Int {
    if let number = all[node].names.firstIndex(of: name) { return all[node].inner[number] }
    let next = all.count
    all.append(Node(outer: node, number: all[node].names.count))
    all[node].names.append(name)
    all[node].inner.append(next)
    return next
  }
}

extension PathSegment {
  /// The bytes of the name that it selects, if it is one name and nothing else.
  fileprivate var onlyName: [UInt8]? {
    guard isSingular, case .name(let name) = selectors[0] else { return nil }
    return Array(name.string.utf8)
  }
}

extension JSONRecordReader {
  /// The whole lines behind the last record that are known to be text, and where they begin in the input; `nil` if there
  /// are none, or if what becomes of the next line is decided otherwise.
  fileprivate var wholeLines: (UnsafeRawBufferPointer, offset: Int)? {
    guard cut == .lines, !isPassing, !skipsPrefix, searched == 0, failure == nil, held == nil, prefilter == nil,
      shape == nil
    else { return nil }
    let offset = window.offset + min(pendingUse, window.count)
    guard offset < validOffset else { return nil }
    let bytes = unsafe window.bytes
    let range = (offset - window.offset)..<min(validOffset - window.offset, bytes.count)
    return unsafe (UnsafeRawBufferPointer(rebasing: bytes[range]), offset)
  }

  /// The same of lines that are known to be JSON.
  fileprivate mutating func provenLines() -> (UnsafeRawBufferPointer, offset: Int)? {
    guard cut == .lines, !isPassing, !skipsPrefix, searched == 0, failure == nil, held == nil, prefilter == nil,
      shape == nil
    else { return nil }
    usePending()
    proveLines()
    let end = proof?.provenEnd ?? 0
    guard window.offset < end else { return nil }
    return unsafe (UnsafeRawBufferPointer(rebasing: window.bytes[..<(end - window.offset)]), window.offset)
  }

  /// Makes the whole line that begins there the last record.
  @inline(__always)
  fileprivate mutating func stand(at offset: Int, line number: Int, byteCount: Int) {
    window.use(offset - window.offset)
    pendingUse = byteCount
    line = number
    nextLine = number + 1
    recordOffset = offset
    lineStart = offset
  }

  /// Goes past whole lines.
  fileprivate mutating func pass(to offset: Int, line number: Int) {
    pendingUse = 0
    window.use(offset - window.offset)
    line = number - 1
    nextLine = number
  }
}
