import JSONSift

/// Merging of nodes: the members of an object with too many keys are folded into one node. `ShapeTree+Adding.swift`
/// adds whole trees.
extension ShapeTree {
  // MARK: Folding

  /// Folds all members into one node, and returns it.
  ///
  /// - Parameter limit: The limit of keys that the members exceed; 0 if they are folded for another reason.
  mutating func fold(_ parent: UInt32, moreThan limit: UInt32) -> UInt32 {
    var work: [(source: UInt32, target: UInt32)] = []
    let folded = fold(parent, moreThan: limit, &work)
    merge(&work)
    return folded
  }

  private mutating func fold(
    _ parent: UInt32, moreThan limit: UInt32, _ work: inout [(source: UInt32, target: UInt32)]
  ) -> UInt32 {
    nodes[parent].exceededNameLimit = max(nodes[parent].exceededNameLimit, limit)
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

  /// Removes the members from a node, and returns them.
  private mutating func takeChildren(of parent: UInt32) -> [UInt32] {
    let children = members(of: parent)
    nodes[parent].firstChild = 0
    nodes[parent].lastChild = 0
    nodes[parent].childCount = 0
    return children
  }

  /// Merges each source into its target, and removes the source from the tree.
  ///
  /// An explicit stack, because the depth of the tree is unbounded. A target may have been merged itself before its
  /// turn.
  private mutating func merge(_ work: inout [(source: UInt32, target: UInt32)]) {
    while let (source, target) = work.popLast() {
      let target = resolved(target)
      guard source != target else { continue }
      let bytes = textBytes(of: source) + textBytes(of: target)
      mergeValues(source, into: target)
      nodes[source].merged = target
      nodes[source].name.word = 0
      pathCount -= 1
      garbageBytes += nodeBytes + bytes - textBytes(of: target)
      mergeElements(source, target, &work)
      mergeMembers(source, target, &work)
    }
  }

  /// Returns the node that now counts the values of a node.
  func resolved(_ node: UInt32) -> UInt32 {
    var node = node
    while nodes[node].isMerged { node = nodes[node].merged }
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
        work.append((folded, fold(target, moreThan: nodes[source].exceededNameLimit, &work)))
      } else {
        nodes[target].exceededNameLimit = nodes[source].exceededNameLimit
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
      } else if nodes[target].childCount < options.maxKeys {
        adopt(child, in: target)
      } else {
        work.append((child, fold(target, moreThan: UInt32(options.maxKeys), &work)))
      }
    }
  }

  /// Adds the values of a node to another node.
  private mutating func mergeValues(_ source: UInt32, into target: UInt32) {
    let other = nodes[source]
    var node = nodes[target]
    let (replacesMin, replacesMax) = unsafe texts.withBytes {
      unsafe replacedExtremes(of: node, by: other, $0, after: 0)
    }
    if replacesMin { node.minimum = other.minimum }
    if replacesMax { node.maximum = other.maximum }
    node.addCounts(other, after: 0, 0)
    node.hasTrueExample = node.hasTrueExample || other.hasTrueExample
    node.hasFalseExample = node.hasFalseExample || other.hasFalseExample
    nodes[target] = node
    mergeExamples(source, into: target)
  }

  /// Keeps the first distinct examples of both nodes.
  private mutating func mergeExamples(_ source: UInt32, into target: UInt32) {
    for index in 0..<Int(nodes[source].exampleCount) {
      let example = examples[Int(source) * options.maxExamples + index]
      let same = unsafe texts.withBytes { bytes in
        unsafe indexOfExample(example.kind, UnsafeRawBufferPointer(rebasing: bytes[example.text.range]), of: target)
      }
      // The caller counts the texts that are no longer kept.
      _ = insertExample(example.kind, equalTo: same, valueNumber: example.text.valueNumber, to: target) { _ in
        example.text
      }
    }
  }

  // MARK: Memory

  /// The memory of a node with its examples but without its texts, in bytes.
  private var nodeBytes: Int {
    MemoryLayout<ShapeNode>.stride + options.maxExamples * MemoryLayout<ShapeExample>.stride
  }

  /// Returns the number of bytes of the texts that belong to a node.
  private func textBytes(of index: UInt32) -> Int {
    var bytes = Int(nodes[index].name.count) + nodes[index].minimum.text.room + nodes[index].maximum.text.room
    for exampleIndex in 0..<Int(nodes[index].exampleCount) {
      bytes += examples[Int(index) * options.maxExamples + exampleIndex].text.count
    }
    return bytes
  }

  /// The memory of nodes, examples and texts, in bytes, including those no longer in the tree.
  var heldBytes: Int { nodes.count * nodeBytes + texts.count }

  /// Compacts the memory if more of it is garbage than in use. So each byte is moved once on average.
  ///
  /// The caller must not hold node numbers across this call: nodes are renumbered, and only the frames of open
  /// containers are updated.
  mutating func compactIfWasteful() {
    guard garbageBytes > 1 << 16, garbageBytes > heldBytes / 2, !isFull else { return }
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
    frame.node = moved[Int(resolved(frame.node))]
    frame.last = moved[Int(resolved(frame.last))]
    frame.likely = moved[Int(resolved(frame.likely))]
    return frame
  }
}
