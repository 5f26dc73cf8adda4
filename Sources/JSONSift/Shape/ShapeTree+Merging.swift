/// Nodes that become one: members of an object with too many names, and the trees of several workers.
extension ShapeTree {
  // MARK: Folding

  /// Makes one node of all members, and returns it.
  ///
  /// - Parameter limit: They have more names than this; 0 if that is not known.
  mutating func fold(_ parent: UInt32, moreThan limit: UInt32) -> UInt32 {
    var work: [(source: UInt32, target: UInt32)] = []
    let folded = fold(parent, moreThan: limit, &work)
    merge(&work)
    return folded
  }

  private mutating func fold(
    _ parent: UInt32, moreThan limit: UInt32, _ work: inout [(source: UInt32, target: UInt32)]
  ) -> UInt32 {
    nodes[parent].moreNamesThan = max(nodes[parent].moreNamesThan, limit)
    if nodes[parent].isFolded { return nodes[parent].anyMember }
    forgetPatterns()
    var new = ShapeNode()
    new.parent = parent
    let folded = appendNode(new)
    pathCount += 1
    for child in takeChildren(of: parent) { work.append((child, folded)) }
    nodes[parent].anyMember = folded
    nodes[parent].likelyChild = 0
    return folded
  }

  /// Takes the members off a node.
  private mutating func takeChildren(of parent: UInt32) -> [UInt32] {
    var children: [UInt32] = []
    var child = nodes[parent].firstChild
    while child != 0 {
      children.append(child)
      child = nodes[child].nextSibling
    }
    nodes[parent].firstChild = 0
    nodes[parent].lastChild = 0
    nodes[parent].childCount = 0
    return children
  }

  /// Adds each source to its target. A source is in the tree no more.
  ///
  /// A stack of its own: nobody knows how deep the tree is. A target may have been merged itself before its turn.
  private mutating func merge(_ work: inout [(source: UInt32, target: UInt32)]) {
    while let (source, target) = work.popLast() {
      let target = living(target)
      guard source != target else { continue }
      let bytes = textBytes(of: source) + textBytes(of: target)
      mergeValues(source, into: target)
      nodes[source].merged = target
      nodes[source].nameWord = 0
      pathCount -= 1
      goneBytes += nodeBytes + bytes - textBytes(of: target)
      mergeElements(source, target, &work)
      mergeMembers(source, target, &work)
    }
  }

  /// The node that counts the values of another now.
  func living(_ node: UInt32) -> UInt32 {
    var node = node
    while nodes[node].isGone { node = nodes[node].merged }
    return node
  }

  private mutating func mergeElements(
    _ source: UInt32, _ target: UInt32, _ work: inout [(source: UInt32, target: UInt32)]
  ) {
    let element = nodes[source].element
    guard element != 0 else { return }
    if nodes[target].element == 0 {
      nodes[target].element = element
      nodes[element].parent = target
    } else {
      work.append((element, nodes[target].element))
    }
  }

  private mutating func mergeMembers(
    _ source: UInt32, _ target: UInt32, _ work: inout [(source: UInt32, target: UInt32)]
  ) {
    let folded = nodes[source].anyMember
    if folded != 0 {
      if nodes[target].isFolded || nodes[target].firstChild != 0 {
        work.append((folded, fold(target, moreThan: nodes[source].moreNamesThan, &work)))
      } else {
        nodes[target].moreNamesThan = nodes[source].moreNamesThan
        nodes[target].anyMember = folded
        nodes[folded].parent = target
      }
      return
    }
    for child in takeChildren(of: source) {
      if nodes[target].isFolded {
        work.append((child, nodes[target].anyMember))
      } else if let known = unsafe withName(of: child, { unsafe find($0, of: target) }) {
        work.append((child, known))
      } else if nodes[target].childCount < options.names {
        adopt(child, in: target)
      } else {
        work.append((child, fold(target, moreThan: UInt32(options.names), &work)))
      }
    }
  }

  /// Adds the values of a node to those of another.
  private mutating func mergeValues(_ source: UInt32, into target: UInt32) {
    let other = nodes[source]
    var node = nodes[target]
    mergeNumbers(other, into: &node)
    node.addCounts(other, behind: 0, 0)
    node.hasTrueExample = node.hasTrueExample || other.hasTrueExample
    node.hasFalseExample = node.hasFalseExample || other.hasFalseExample
    nodes[target] = node
    mergeExamples(source, into: target)
  }

  /// Of equal numbers the one that stood first is kept.
  private func mergeNumbers(_ other: ShapeNode, into node: inout ShapeNode) {
    guard other.numbers > 0 else { return }
    guard node.numbers > 0 else {
      (node.minDouble, node.maxDouble) = (other.minDouble, other.maxDouble)
      (node.minRank, node.maxRank) = (other.minRank, other.maxRank)
      (node.least, node.most) = (other.least, other.most)
      return
    }
    let least = order(other.least, other.minDouble, node.least, node.minDouble)
    if least < 0 || (least == 0 && other.least.place < node.least.place) {
      (node.minDouble, node.minRank, node.least) = (other.minDouble, other.minRank, other.least)
    }
    let most = order(other.most, other.maxDouble, node.most, node.maxDouble)
    if most > 0 || (most == 0 && other.most.place < node.most.place) {
      (node.maxDouble, node.maxRank, node.most) = (other.maxDouble, other.maxRank, other.most)
    }
  }

  private func order(_ left: ShapeText, _ leftDouble: Double, _ right: ShapeText, _ rightDouble: Double) -> Int {
    if leftDouble != rightDouble { return leftDouble < rightDouble ? -1 : 1 }
    return unsafe texts.withBytes { bytes in
      unsafe order(UnsafeRawBufferPointer(rebasing: bytes[left.offset..<(left.offset + left.count)]), of: right)
    }
  }

  /// The first few different ones of both.
  private mutating func mergeExamples(_ source: UInt32, into target: UInt32) {
    var all: [ShapeExample] = []
    for node in [target, source] {
      for index in 0..<Int(nodes[node].exampleCount) { all.append(examples[Int(node) * options.examples + index]) }
    }
    all.sort { $0.text.place < $1.text.place }
    var kept: [ShapeExample] = []
    for example in all where kept.count < options.examples {
      if !kept.contains(where: { isSame($0, example) }) { kept.append(example) }
    }
    for (index, example) in kept.enumerated() { examples[Int(target) * options.examples + index] = example }
    nodes[target].exampleCount = UInt32(clamping: kept.count)
  }

  private func isSame(_ left: ShapeExample, _ right: ShapeExample) -> Bool {
    guard left.kind == right.kind, left.text.count == right.text.count else { return false }
    return unsafe texts.withBytes { bytes in
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[left.text.offset..<(left.text.offset + left.text.count)])
      return unsafe text.elementsEqualMemory(bytes, at: right.text.offset)
    }
  }

  // MARK: Memory

  /// How many bytes one node takes, with its examples but without texts.
  private var nodeBytes: Int {
    MemoryLayout<ShapeNode>.stride + options.examples * MemoryLayout<ShapeExample>.stride
  }

  /// How many bytes of the texts are a node's.
  private func textBytes(of index: UInt32) -> Int {
    var bytes = Int(nodes[index].nameCount) + nodes[index].least.room + nodes[index].most.room
    for place in 0..<Int(nodes[index].exampleCount) {
      bytes += examples[Int(index) * options.examples + place].text.count
    }
    return bytes
  }

  /// How many bytes nodes, examples and texts take, also those that are in the tree no more.
  var heldBytes: Int { nodes.count * nodeBytes + texts.count }

  /// Leaves behind what is in the tree no more, if that is more than what is. So each byte is moved once, by and large.
  ///
  /// Who holds the number of a node must not call this: nodes get others, and only those of open containers are told.
  mutating func compactIfWasteful() {
    guard goneBytes > 1 << 16, goneBytes > heldBytes / 2, !isFull else { return }
    compact()
  }

  private mutating func compact() {
    forgetPatterns()
    var fresh = ShapeTree(options)
    var moved = [UInt32](repeating: 0, count: nodes.count)
    fresh.copy(self, &moved)
    for index in 0..<outer.count { fresh.outer.append(renumbered(outer[index], moved)) }
    fresh.frame = renumbered(frame, moved)
    self = fresh
  }

  private func renumbered(_ frame: Frame, _ moved: [UInt32]) -> Frame {
    var frame = frame
    frame.node = moved[Int(living(frame.node))]
    frame.last = moved[Int(living(frame.last))]
    frame.likely = moved[Int(living(frame.likely))]
    return frame
  }
}
