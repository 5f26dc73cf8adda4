import JSONSift

/// The paths of many records, with the counts and bounds of their values, as a tree of nodes. Tape words drive the
/// traversal.
///
/// A key is first compared with the key that followed the previous one in an earlier object, so most keys cost one
/// comparison. No tape word allocates an object, a string or a reference. Memory grows only with the paths: merged
/// nodes leave garbage, which is freed when it exceeds the memory in use.
struct ShapeTree: ~Copyable {
  let options: JSONShape.Options
  let maxExamples: UInt32
  var nodes = ShapeNodes()
  /// The examples of all nodes: `options.maxExamples` for each.
  var examples = PlainVector<ShapeExample>()
  var texts = ByteBuffer(capacity: 4096)
  /// A hash table of nodes by key and parent.
  private var slots = HashSlots<UInt32>(64)

  var records = 0
  var values = 0
  /// The number of nodes in the tree.
  var pathCount = 1
  /// The patterns of recent records.
  var patterns = ShapePatterns()
  /// Whether there were more paths than the options allow. Then nothing more is counted.
  var isFull = false
  /// The memory of nodes and texts that are no longer in the tree, in bytes.
  var garbageBytes = 0

  /// An open container, or the outermost level, which contains the record.
  struct Frame: BitwiseCopyable {
    /// The node of the container; 0 at the outermost level.
    var node: UInt32
    /// The node of the last member, or of all elements. At the outermost level the root.
    var last: UInt32 = 0
    /// The likely next member, or 0.
    var likely: UInt32 = 0
    /// The number of children so far.
    var count = 0
    var isArray = false
  }

  static let root: UInt32 = 1

  var frame = ShapeTree.outermost
  var outer = PlainVector<Frame>()

  static var outermost: Frame { Frame(node: 0, last: root) }

  init(_ options: JSONShape.Options) {
    self.options = options
    maxExamples = UInt32(clamping: options.maxExamples)
    // Number 0 is no node.
    appendNode(ShapeNode())
    appendNode(ShapeNode())
  }

  // MARK: Records

  /// Begins a record.
  mutating func begin() {
    guard !isFull else { return }
    records &+= 1
    frame = Self.outermost
    outer.removeAll()
  }

  /// Makes the node of the elements of another node.
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

  /// Finds or makes the node of a key that is not the likely one.
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
    frame.last =
      unsafe word.kind.isEscaped
      ? EscapedText.withDecoded(source) { unsafe child($0, of: parent) } : child(source, of: parent)
    // Folded members have no order, and folding may have left much garbage.
    guard !nodes[parent].isFolded else { return compactIfWasteful() }
    if frame.count == 1 { nodes[parent].likelyChild = frame.last } else { nodes[last].likelyNext = frame.last }
    frame.likely = nodes[frame.last].likelyNext
  }

  /// Returns the node of a key, and makes it if it is new. If it exceeds the limit of keys, all members are folded, and
  /// the result is their common node.
  mutating func child(_ name: UnsafeRawBufferPointer, of parent: UInt32) -> UInt32 {
    if nodes[parent].isFolded { return nodes[parent].anyMember }
    if let found = unsafe find(name, of: parent) { return found }
    guard nodes[parent].childCount < options.maxKeys else { return fold(parent, moreThan: UInt32(options.maxKeys)) }
    var new = ShapeNode()
    new.name = unsafe ShapeName(name, at: texts.count)
    unsafe texts.append(name)
    let node = appendNode(new)
    adopt(node, in: parent)
    countPath()
    return node
  }

  /// Returns the node of a key, or `nil`.
  func find(_ name: UnsafeRawBufferPointer, of parent: UInt32) -> UInt32? {
    unsafe slots[slots.slot(Self.hash(name, parent)) { unsafe isNode($0, name, in: parent) }]
  }

  /// Makes a node with a key the last child of another node.
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

  /// Inserts a node into the hash table.
  mutating func insert(_ node: UInt32) {
    let slot = slots.slot(Self.hash(of: nodes[node], texts)) { _ in false }
    slots.fill(slot, node) { Self.hash(of: nodes[$0], texts) }
  }

  func withName<Result>(of node: UInt32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let range = nodes[node].name.range
    return unsafe texts.withBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  private static func hash(of node: ShapeNode, _ texts: borrowing ByteBuffer) -> Int {
    unsafe texts.withBytes { unsafe hash(UnsafeRawBufferPointer(rebasing: $0[node.name.range]), node.parent) }
  }

  /// The seed is random in each run, so input cannot be made to collide.
  private static func hash(_ name: UnsafeRawBufferPointer, _ parent: UInt32) -> Int {
    var hasher = Hasher()
    unsafe hasher.combine(bytes: name)
    hasher.combine(parent)
    return hasher.finalize()
  }

  private func isNode(_ node: UInt32, _ name: UnsafeRawBufferPointer, in parent: UInt32) -> Bool {
    guard nodes[node].parent == parent, Int(nodes[node].name.count) == name.count, !nodes[node].isMerged,
      unsafe nodes[node].name.start == ShapeName.start(of: name)
    else { return false }
    if name.count <= 8 { return true }
    let start = nodes[node].name.offset
    return unsafe texts.withBytes { unsafe name.elementsEqualMemory($0, at: start) }
  }

  // MARK: Nodes

  /// Returns the members of a node in the order in which they were adopted.
  func members(of node: UInt32) -> [UInt32] {
    var members: [UInt32] = []
    var member = nodes[node].firstChild
    while member != 0 {
      members.append(member)
      member = nodes[member].nextSibling
    }
    return members
  }

  @discardableResult
  mutating func appendNode(_ node: ShapeNode) -> UInt32 {
    nodes.append(node)
    for _ in 0..<options.maxExamples { examples.append(ShapeExample(text: ShapeText(), kind: .true)) }
    return UInt32(clamping: nodes.count - 1)
  }

  mutating func countPath() {
    pathCount += 1
    if pathCount > options.maxPaths { isFull = true }
  }
}
