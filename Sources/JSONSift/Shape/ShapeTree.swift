/// The paths of many records, each with what is known of its values: a tree of nodes that walks over events.
///
/// A key is compared with the name that came at this place in the object before, so most keys cost one comparison. No event
/// makes an object, a string or a reference. Memory grows with the paths only: what nodes leave behind that become one is
/// given back when it is more than what lives.
struct ShapeTree: ~Copyable {
  let options: JSONShapeOptions
  let maxExamples: UInt32
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
  /// The forms of the last records.
  var patterns = ShapePatterns()
  /// There were more of them than the options allow. Nothing is counted any more.
  var isFull = false
  /// How many bytes are those of nodes and texts that are in the tree no more.
  var goneBytes = 0

  /// An open container, or what stands around a record.
  struct Frame: BitwiseCopyable {
    /// 0 around a record.
    var node: UInt32
    /// The node of the member whose key came last, or that of all elements. Around a record the root.
    var last: UInt32 = 0
    /// The member that is likely to come next, or 0.
    var likely: UInt32 = 0
    /// How many children there were.
    var count = 0
    var isArray = false
  }

  static let root: UInt32 = 1

  var frame = ShapeTree.outermost
  var outer = PlainVector<Frame>()

  static var outermost: Frame { Frame(node: 0, last: root) }

  init(_ options: JSONShapeOptions) {
    self.options = options
    maxExamples = UInt32(clamping: options.examples)
    // Number 0 is nobody.
    appendNode(ShapeNode())
    appendNode(ShapeNode())
  }

  // MARK: Records

  /// Begins a record.
  @inline(__always)
  mutating func begin() {
    guard !isFull else { return }
    records &+= 1
    frame = Self.outermost
    outer.removeAll()
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

  // MARK: Keys

  /// Finds the node of a key that is not the one which was likely.
  @inline(never)
  mutating func lookUp(_ word: TapeWord, _ bytes: UnsafeRawBufferPointer) {
    let parent = frame.node
    let last = frame.last
    let folded = nodes[parent].anyMember
    frame.likely = 0
    guard folded == 0 else {
      frame.last = folded
      return
    }
    let source = unsafe UnsafeRawBufferPointer(rebasing: bytes[word.textRange(in: bytes)])
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
    frame.likely = nodes[frame.last].likelyNext
  }

  /// The node of a name, made if it is new. Where it is one too many it is the one that stands for all.
  mutating func child(_ name: UnsafeRawBufferPointer, of parent: UInt32) -> UInt32 {
    if nodes[parent].isFolded { return nodes[parent].anyMember }
    if let found = unsafe find(name, of: parent) { return found }
    guard nodes[parent].childCount < options.names else { return fold(parent, moreThan: UInt32(options.names)) }
    var new = ShapeNode()
    unsafe new.setName(name, at: texts.count)
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

  private func isNode(_ node: UInt32, _ name: UnsafeRawBufferPointer, in parent: UInt32) -> Bool {
    guard nodes[node].parent == parent, Int(nodes[node].nameCount) == name.count, !nodes[node].isGone,
      unsafe nodes[node].nameStart == ShapeNode.start(of: name)
    else { return false }
    if name.count <= 8 { return true }
    let start = nodes[node].nameOffset
    return unsafe texts.withBytes { unsafe name.elementsEqualMemory($0, at: start) }
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
    if pathCount > options.maxPaths { isFull = true }
  }
}
