/// The paths of many records, each with what is known of its values: a tree of nodes that walks over events.
///
/// A key is compared with the name that came at this place in the object before, so most keys cost one comparison. No event
/// makes an object, a string or a reference. Memory grows with the paths only: what nodes leave behind that become one is
/// given back when it is more than what lives.
struct ShapeTree: ~Copyable {
  let options: JSONShapeOptions
  var nodes = ShapeNodes()
  /// So many for each node.
  var examples = PlainVector<ShapeExample>()
  var texts = ByteBuffer(capacity: 4096)
  /// Nodes by the name and its parent; 0 is free. The number of slots is a power of two.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)
  private var usedSlots = 0

  /// How many records and values there were.
  var records = 0
  var values = 0
  /// How many nodes are in the tree.
  var pathCount = 1
  /// There were more of them than the options allow. Nothing is counted any more.
  var isFull = false
  /// How many bytes are those of nodes and texts that are in the tree no more.
  var goneBytes = 0

  /// An open container.
  struct Frame: BitwiseCopyable {
    var node: UInt32
    var isArray: Bool
    /// How many children there were, and the node of the last one.
    var count = 0
    var last: UInt32 = 0
  }

  static let root: UInt32 = 1

  var frame = Frame(node: 0, isArray: false)
  var outer = PlainVector<Frame>()
  var depth = 0

  init(_ options: JSONShapeOptions) {
    self.options = options
    // Number 0 is nobody.
    appendNode(ShapeNode())
    appendNode(ShapeNode())
  }

  // MARK: Events

  /// Begins a record.
  mutating func begin() {
    guard !isFull else { return }
    records &+= 1
    depth = 0
    outer.removeAll()
  }

  /// Takes events, of which some may have come before.
  ///
  /// - Parameter bytes: What their offsets count in.
  mutating func take(_ words: UnsafeBufferPointer<UInt64>, _ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index < words.count, !isFull {
      let word = unsafe EventWord(bits: words[index])
      let kind = word.kind
      index &+= 1
      if kind.isKey {
        unsafe key(word, bytes)
      } else if kind.isEnd {
        close()
      } else {
        let node = nextNode()
        switch kind {
        case .string, .escapedString: unsafe addString(word, bytes, to: node)
        case .number: unsafe addNumber(word, bytes, to: node)
        case .arrayStart:
          nodes[node].arrays &+= 1
          open(Frame(node: node, isArray: true))
          index &+= 1
        case .objectStart:
          nodes[node].objects &+= 1
          open(Frame(node: node, isArray: false))
          index &+= 1
        case .true:
          nodes[node].trues &+= 1
          unsafe addExample(.true, UnsafeRawBufferPointer(start: nil, count: 0), to: node)
        case .false:
          nodes[node].falses &+= 1
          unsafe addExample(.false, UnsafeRawBufferPointer(start: nil, count: 0), to: node)
        default: nodes[node].nulls &+= 1
        }
      }
    }
  }

  /// The node of the value that comes.
  @inline(__always)
  private mutating func nextNode() -> UInt32 {
    var node = Self.root
    if depth > 0 {
      if frame.isArray {
        frame.count &+= 1
        node = nodes[frame.node].element
        if node == 0 { node = makeElement(of: frame.node) }
      } else {
        node = frame.last
      }
    }
    values &+= 1
    nodes[node].touch(values, in: records)
    return node
  }

  /// The node of the elements of another.
  @inline(never)
  mutating func makeElement(of parent: UInt32) -> UInt32 {
    var new = ShapeNode()
    new.parent = parent
    let node = appendNode(new)
    nodes[parent].element = node
    countPath()
    return node
  }

  private mutating func open(_ new: Frame) {
    if depth > 0 { outer.append(frame) }
    depth &+= 1
    frame = new
  }

  private mutating func close() {
    guard depth > 0 else { return }
    if frame.isArray {
      nodes[frame.node].elements.add(frame.count)
    } else {
      nodes[frame.node].members.add(frame.count)
    }
    depth &-= 1
    if depth > 0, outer.count > 0 {
      frame = outer[outer.count &- 1]
      outer.removeLast()
    }
  }

  // MARK: Keys

  /// Finds the node of a key.
  @inline(__always)
  private mutating func key(_ word: EventWord, _ bytes: UnsafeRawBufferPointer) {
    guard depth > 0, !frame.isArray else { return }
    let parent = frame.node
    if frame.count == 0 { nodes[parent].touchMembers(in: records) }
    frame.count &+= 1
    let folded = nodes[parent].anyMember
    guard folded == 0 else {
      frame.last = folded
      return
    }
    let likely = frame.count == 1 ? nodes[parent].likelyChild : nodes[frame.last].likelyNext
    if likely != 0, !word.kind.isEscaped, !word.isLong {
      let start = min(word.offset &+ 1, bytes.count)
      let name = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<min(start &+ word.length, bytes.count)])
      if unsafe isNode(likely, name, in: parent) {
        frame.last = likely
        return
      }
    }
    unsafe lookUp(word, bytes, in: parent)
  }

  @inline(never)
  private mutating func lookUp(_ word: EventWord, _ bytes: UnsafeRawBufferPointer, in parent: UInt32) {
    let source = unsafe UnsafeRawBufferPointer(rebasing: bytes[word.textRange(in: bytes)])
    let last = frame.last
    if word.kind.isEscaped {
      unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(source.count, 1)) { buffer in
        let count = unsafe EscapedText.decode(source, into: buffer)
        frame.last = unsafe child(
          UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), of: parent)
      }
    } else {
      frame.last = unsafe child(source, of: parent)
    }
    // What was folded has no order, and may have left much behind.
    guard !nodes[parent].isFolded else { return compactIfWasteful() }
    if frame.count == 1 { nodes[parent].likelyChild = frame.last } else { nodes[last].likelyNext = frame.last }
  }

  /// The node of a name, made if it is new. Where it is one too many it is the one that stands for all.
  mutating func child(_ name: UnsafeRawBufferPointer, of parent: UInt32) -> UInt32 {
    if nodes[parent].isFolded { return nodes[parent].anyMember }
    if let found = unsafe find(name, of: parent) { return found }
    guard nodes[parent].childCount < options.names else { return fold(parent, moreThan: UInt32(options.names)) }
    var new = ShapeNode()
    new.nameOffset = texts.count
    new.nameCount = UInt32(clamping: name.count)
    new.nameStart = unsafe Self.start(of: name)
    unsafe texts.append(name)
    let node = appendNode(new)
    adopt(node, in: parent)
    countPath()
    return node
  }

  /// The node of a name, if there is one.
  func find(_ name: UnsafeRawBufferPointer, of parent: UInt32) -> UInt32? {
    var slot = unsafe hash(name, parent)
    while slots[slot] != 0 {
      if unsafe isNode(slots[slot], name, in: parent) { return slots[slot] }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    return nil
  }

  /// Puts a node that has a name below another, behind its children.
  mutating func adopt(_ node: UInt32, in parent: UInt32) {
    nodes[node].parent = parent
    nodes[node].nextSibling = 0
    nodes[node].likelyNext = 0
    let last = nodes[parent].lastChild
    if last == 0 { nodes[parent].firstChild = node } else { nodes[last].nextSibling = node }
    nodes[parent].lastChild = node
    nodes[parent].childCount += 1
    insert(node)
  }

  /// Makes the name of a node known.
  mutating func insert(_ node: UInt32) {
    if usedSlots * 2 >= slots.count { growSlots() }
    let parent = nodes[node].parent
    var slot = unsafe withName(of: node) { unsafe hash($0, parent) }
    while slots[slot] != 0 { slot = (slot &+ 1) & (slots.count &- 1) }
    slots[slot] = node
    usedSlots += 1
  }

  private mutating func growSlots() {
    let old = slots
    slots = Array(repeating: 0, count: old.count * 2)
    usedSlots = 0
    for node in old where node != 0 && !nodes[node].isGone { insert(node) }
  }

  func withName<Result>(of node: UInt32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = nodes[node].nameOffset
    let end = start &+ Int(nodes[node].nameCount)
    return unsafe texts.withBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
  }

  /// Seeded anew in each run, so that nobody can choose names that fall together.
  private func hash(_ name: UnsafeRawBufferPointer, _ parent: UInt32) -> Int {
    var hasher = Hasher()
    unsafe hasher.combine(bytes: name)
    hasher.combine(parent)
    return hasher.finalize() & (slots.count &- 1)
  }

  @inline(__always)
  private func isNode(_ node: UInt32, _ name: UnsafeRawBufferPointer, in parent: UInt32) -> Bool {
    guard nodes[node].parent == parent, Int(nodes[node].nameCount) == name.count, !nodes[node].isGone,
      unsafe nodes[node].nameStart == Self.start(of: name)
    else { return false }
    if name.count <= 8 { return true }
    let start = nodes[node].nameOffset
    return unsafe texts.withBytes { unsafe name.elementsEqualMemory($0, at: start) }
  }

  /// SAFETY: no byte is read at or behind the count.
  @inline(__always)
  static func start(of name: UnsafeRawBufferPointer) -> UInt64 {
    if name.count >= 8 { return unsafe name.loadUnaligned(as: UInt64.self) }
    var start: UInt64 = 0
    if name.count >= 4 {
      // Two halves that overlap.
      let head = unsafe UInt64(name.loadUnaligned(as: UInt32.self))
      let tail = unsafe UInt64(name.loadUnaligned(fromByteOffset: name.count &- 4, as: UInt32.self))
      return head | tail &<< UInt64(truncatingIfNeeded: (name.count &- 4) &* 8)
    }
    for index in 0..<name.count { start |= unsafe UInt64(name[index]) &<< UInt64(truncatingIfNeeded: index &* 8) }
    return start
  }

  // MARK: Nodes

  @discardableResult
  mutating func appendNode(_ node: ShapeNode) -> UInt32 {
    nodes.append(node)
    for _ in 0..<options.examples { examples.append(ShapeExample(text: ShapeText(), kind: .true)) }
    return UInt32(clamping: nodes.count - 1)
  }

  mutating func countPath() {
    pathCount += 1
    if pathCount > options.mostPaths { isFull = true }
  }
}

extension ShapeNode {
  /// Notes a value.
  @inline(__always)
  fileprivate mutating func touch(_ value: Int, in record: Int) {
    if lastRecord != record {
      lastRecord = record
      records &+= 1
      if first == 0 { first = value }
    }
  }

  /// Notes an object with a member.
  @inline(__always)
  fileprivate mutating func touchMembers(in record: Int) {
    if lastRecordWithMembers != record {
      lastRecordWithMembers = record
      recordsWithMembers &+= 1
    }
  }
}
