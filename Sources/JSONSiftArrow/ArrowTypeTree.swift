import JSONSift

/// Finds the columns for many records: for each path to a value that is not an object, the narrowest type that holds all
/// values there.
///
/// Every value of every record is read, so a type is never a guess from the first records. Trees of parts of the input can be
/// merged, with the same result as one tree for all.
package struct ArrowTypeTree: Sendable {
  /// A column, and the number of values that are not null.
  package struct Column: Sendable {
    package let name: String
    package let path: String
    package let type: ArrowType
    package let count: Int
  }

  private struct Kinds: OptionSet {
    let rawValue: UInt16
    static let bool = Kinds(rawValue: 1)
    /// Integers from -2^53 to 2^53, written as digits only.
    static let integer = Kinds(rawValue: 2)
    /// Other 64-bit integers: beyond 2^53, or written with a decimal point or an exponent.
    static let longInteger = Kinds(rawValue: 4)
    static let float = Kinds(rawValue: 8)
    /// Integers that do not fit 64 bits, and numbers beyond the range of Double.
    static let hugeNumber = Kinds(rawValue: 16)
    static let timestamp = Kinds(rawValue: 32)
    static let date = Kinds(rawValue: 64)
    static let text = Kinds(rawValue: 128)
    static let array = Kinds(rawValue: 256)
    static let object = Kinds(rawValue: 512)
    /// Containers whose contents are not inspected: maps, and values nested too deeply.
    static let opaque = Kinds(rawValue: 1024)
    /// Times with a nonzero digit below microseconds.
    static let nanosecondTime = Kinds(rawValue: 2048)
    /// Times that are too far from 1970 for nanoseconds.
    static let farTime = Kinds(rawValue: 4096)
    static let strings: Kinds = [.timestamp, .nanosecondTime, .farTime, .date, .text]
  }

  private struct Node {
    var kinds: Kinds = []
    var count = 0
    var name: [UInt8] = []
    var children: [Int] = []
    /// The position among the children of the parent.
    var position = 0
    /// The node of all elements; 0 if there is none.
    var element = 0
  }

  /// A child by the hash of its name: the nodes of a parent whose names have the same hash.
  private struct Slot: Hashable {
    let parent: Int
    let hash: Int
  }

  private var nodes = [Node()]
  /// The children of nodes that have many.
  private var slots: [Slot: [Int]] = [:]
  /// The number of records.
  package private(set) var recordCount = 0
  private let maxKeys: Int
  private let maxNodes: Int
  /// Whether there were more paths than the limit. The tree is then incomplete.
  package private(set) var isFull = false

  /// - Parameters:
  ///   - maxKeys: The number of distinct keys above which an object is a map, and stays JSON.
  ///   - maxPaths: The maximum number of paths in memory.
  package init(maxKeys: Int, maxPaths: Int) {
    self.maxKeys = maxKeys
    maxNodes = max(maxPaths, 1)
  }

  // MARK: Values

  /// Adds a record.
  package mutating func add(_ text: UnsafeRawBufferPointer) {
    recordCount += 1
    unsafe add(text, to: 0, depth: 1)
  }

  private mutating func add(_ text: UnsafeRawBufferPointer, to node: Int, depth: Int) {
    guard let first = unsafe text.first, first != UInt8(ascii: "n") else { return }
    nodes[node].count += 1
    switch first {
    case UInt8(ascii: "t"), UInt8(ascii: "f"): nodes[node].kinds.insert(.bool)
    case UInt8(ascii: "\""): nodes[node].kinds.insert(unsafe kind(ofString: text, known: nodes[node].kinds))
    case UInt8(ascii: "["):
      nodes[node].kinds.insert(.array)
      guard depth < ArrowType.maxDepth / 2 else { return foldOpaque(node) }
      unsafe addElements(text, to: node, depth: depth)
    case UInt8(ascii: "{"):
      nodes[node].kinds.insert(.object)
      guard depth < ArrowType.maxDepth / 2 else { return foldOpaque(node) }
      unsafe addMembers(text, to: node, depth: depth)
    default: nodes[node].kinds.insert(unsafe kind(ofNumber: text))
    }
  }

  private func kind(ofNumber text: UnsafeRawBufferPointer) -> Kinds {
    if let (_, magnitude) = unsafe NumberBytes.integer(text), magnitude <= 1 << 53 { return .integer }
    // 1.0 and 1e3 are integers too.
    if let value = unsafe ArrowText.int64(text) { return value.magnitude <= 1 << 53 ? .integer : .longInteger }
    let isInteger = unsafe text.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") }
    return unsafe isInteger || !NumberBytes.double(text).isFinite ? .hugeNumber : .float
  }

  private func kind(ofString text: UnsafeRawBufferPointer, known: Kinds) -> Kinds {
    // One string that is no date or time makes the column a column of strings.
    if known.contains(.text) { return .text }
    if unsafe ArrowText.day(text) != nil { return .date }
    guard let microseconds = unsafe ArrowText.timestamp(text, .microseconds) else {
      return unsafe ArrowText.timestamp(text, .nanoseconds) != nil ? .nanosecondTime : .text
    }
    return abs(microseconds) > Int64.max / 1000 - 1 ? .farTime : .timestamp
  }

  private mutating func addElements(_ text: UnsafeRawBufferPointer, to node: Int, depth: Int) {
    guard !nodes[node].kinds.contains(.opaque) else { return }
    if nodes[node].element == 0 {
      guard let element = makeNode([]) else { return }
      nodes[node].element = element
    }
    var cursor = ArrowChildCursor()
    while let child = unsafe cursor.next(text), !isFull {
      unsafe add(UnsafeRawBufferPointer(rebasing: text[child.value]), to: nodes[node].element, depth: depth + 1)
    }
  }

  private mutating func addMembers(_ text: UnsafeRawBufferPointer, to node: Int, depth: Int) {
    var cursor = ArrowChildCursor()
    var next = 0
    // A path selects only the first of duplicate keys, but the type must hold the values of all of them.
    while !nodes[node].kinds.contains(.opaque), let child = unsafe cursor.next(text), let key = child.key, !isFull {
      let raw = unsafe UnsafeRawBufferPointer(rebasing: text[key])
      let isEscaped = unsafe raw.firstOffset(of: UInt8(ascii: "\\")) != nil
      func member(_ name: UnsafeRawBufferPointer) -> Int? {
        unsafe self.child(name, of: node, expected: &next) ?? makeChild(Array(name), of: node)
      }
      guard let member = unsafe isEscaped ? EscapedText.withDecoded(raw, member) : member(raw) else { return }
      unsafe add(UnsafeRawBufferPointer(rebasing: text[child.value]), to: member, depth: depth + 1)
    }
  }

  // MARK: Nodes

  /// Returns the child with a name. The members of most objects are in the order of the first one.
  private func child(_ name: UnsafeRawBufferPointer, of node: Int, expected next: inout Int) -> Int? {
    let children = nodes[node].children
    for step in 0..<min(children.count, Self.maxCompared) {
      let index = next + step < children.count ? next + step : next + step - children.count
      guard unsafe name.elementsEqual(nodes[children[index]].name) else { continue }
      next = index + 1 < children.count ? index + 1 : 0
      return children[index]
    }
    guard children.count > Self.maxCompared else { return nil }
    let known = unsafe slots[Slot(parent: node, hash: Self.hash(name))]?.first {
      unsafe name.elementsEqual(nodes[$0].name)
    }
    guard let known else { return nil }
    next = nodes[known].position + 1 < children.count ? nodes[known].position + 1 : 0
    return known
  }

  /// The number of names that are compared before the children are looked up by a hash.
  private static let maxCompared = Sizes.of(16, fuzzing: 2)

  /// The seed is random in each run, so input cannot be made to collide.
  private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    unsafe hasher.combine(bytes: name)
    return hasher.finalize()
  }

  private mutating func insert(_ child: Int, of node: Int) {
    let hash = unsafe nodes[child].name.withUnsafeBytes { unsafe Self.hash($0) }
    slots[Slot(parent: node, hash: hash), default: []].append(child)
  }

  private mutating func makeNode(_ name: [UInt8]) -> Int? {
    guard nodes.count < maxNodes else {
      isFull = true
      return nil
    }
    var node = Node()
    node.name = name
    nodes.append(node)
    return nodes.count - 1
  }

  /// Returns a new child; `nil` if the object is now a map, or there are too many paths.
  private mutating func makeChild(_ name: [UInt8], of node: Int) -> Int? {
    guard nodes[node].children.count < maxKeys else {
      foldOpaque(node)
      return nil
    }
    guard let child = makeNode(name) else { return nil }
    nodes[child].position = nodes[node].children.count
    nodes[node].children.append(child)
    let count = nodes[node].children.count
    if count == Self.maxCompared + 1 {
      for child in nodes[node].children { insert(child, of: node) }
    } else if count > Self.maxCompared {
      insert(child, of: node)
    }
    return child
  }

  private mutating func foldOpaque(_ node: Int) {
    nodes[node].kinds.insert(.opaque)
    nodes[node].children = []
    nodes[node].element = 0
  }

  /// Adds the records of another tree after the records of this one.
  package mutating func merge(_ other: ArrowTypeTree) {
    recordCount += other.recordCount
    isFull = isFull || other.isFull
    merge(0, other, 0)
  }

  private mutating func merge(_ node: Int, _ other: ArrowTypeTree, _ source: Int) {
    let from = other.nodes[source]
    nodes[node].count += from.count
    nodes[node].kinds.formUnion(from.kinds)
    guard !nodes[node].kinds.contains(.opaque) else { return foldOpaque(node) }
    if from.element != 0 {
      if nodes[node].element == 0, let element = makeNode([]) { nodes[node].element = element }
      if nodes[node].element != 0 { merge(nodes[node].element, other, from.element) }
    }
    var next = 0
    for index in from.children {
      let name = other.nodes[index].name
      let known = unsafe name.withUnsafeBytes { unsafe child($0, of: node, expected: &next) }
      guard let child = known ?? makeChild(name, of: node) else { return }
      merge(child, other, index)
    }
  }

  // MARK: Columns

  /// The columns, in the order of the first values. A column for each path below objects; arrays are lists.
  package var columns: [Column] {
    var columns: [Column] = []
    var names: [String: Int] = [:]
    append(0, "", "$", to: &columns, &names)
    return columns
  }

  private func append(
    _ index: Int, _ name: String, _ path: String, to columns: inout [Column], _ names: inout [String: Int]
  ) {
    let node = nodes[index]
    if node.kinds == .object, !node.children.isEmpty {
      for child in node.children {
        let key = String(decoding: nodes[child].name, as: UTF8.self)
        append(child, name.isEmpty ? key : name + "." + key, path + JSONPath.step(key), to: &columns, &names)
      }
      return
    }
    let base = name.isEmpty ? "value" : name
    var unique = base
    var number = names[base] ?? 1
    while names[unique] != nil {
      number += 1
      unique = "\(base)_\(number)"
    }
    // The next column of the same name begins its search here.
    names[base] = number
    if unique != base { names[unique] = 1 }
    columns.append(Column(name: unique, path: path, type: type(of: index), count: node.count))
  }

  private func type(of index: Int) -> ArrowType {
    let node = nodes[index]
    switch node.kinds {
    case .bool: return .bool
    case .timestamp, .farTime, [.timestamp, .farTime]: return .timestamp
    case .nanosecondTime, [.timestamp, .nanosecondTime]: return .timestampNanoseconds
    case .date: return .date
    case .array: return .list(node.element == 0 ? .json : type(of: node.element))
    case .object where !node.children.isEmpty:
      return .structure(
        node.children.map { ArrowColumn(String(decoding: nodes[$0].name, as: UTF8.self), type(of: $0)) })
    case let kinds where !kinds.isEmpty && kinds.isSubset(of: [.integer, .longInteger]): return .int64
    // Not with a long integer, because a Double does not represent all of them.
    case let kinds where !kinds.isEmpty && kinds.isSubset(of: [.integer, .float]): return .float64
    case let kinds where !kinds.isEmpty && kinds.isSubset(of: Kinds.strings): return .utf8
    default: return .json
    }
  }
}
