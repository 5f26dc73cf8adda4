/// Nodes that become one: members of an object with too many names, and the trees of several workers.
extension ShapeTree {
  // MARK: Folding

  /// Makes one node of all members, and returns it.
  ///
  /// - Parameter isFull: They have too many names.
  mutating func fold(_ parent: UInt32, isFull: Bool) -> UInt32 {
    var work: [(source: UInt32, target: UInt32)] = []
    let folded = fold(parent, isFull: isFull, &work)
    merge(&work)
    return folded
  }

  private mutating func fold(
    _ parent: UInt32, isFull: Bool, _ work: inout [(source: UInt32, target: UInt32)]
  ) -> UInt32 {
    if isFull { nodes[parent].hasTooManyNames = true }
    if nodes[parent].isFolded { return nodes[parent].anyMember }
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
      var target = target
      while nodes[target].isGone { target = nodes[target].merged }
      guard source != target else { continue }
      mergeValues(source, into: target)
      nodes[source].merged = target
      pathCount -= 1
      goneCount += 1
      mergeElements(source, target, &work)
      mergeMembers(source, target, &work)
    }
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
        work.append((folded, fold(target, isFull: nodes[source].hasTooManyNames, &work)))
      } else {
        nodes[target].hasTooManyNames = nodes[source].hasTooManyNames
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
        work.append((child, fold(target, isFull: true, &work)))
      }
    }
  }

  /// Adds the values of a node to those of another. Records are those of both: whoever merges nodes of one record knows that
  /// they are too many.
  private mutating func mergeValues(_ source: UInt32, into target: UInt32) {
    let other = nodes[source]
    var node = nodes[target]
    mergeNumbers(other, into: &node)
    node.nulls += other.nulls
    node.trues += other.trues
    node.falses += other.falses
    node.numbers += other.numbers
    node.strings += other.strings
    node.arrays += other.arrays
    node.objects += other.objects
    node.first = node.first == 0 ? other.first : other.first == 0 ? node.first : min(node.first, other.first)
    node.records += other.records
    node.recordsWithMembers += other.recordsWithMembers
    node.lastRecord = max(node.lastRecord, other.lastRecord)
    node.lastRecordWithMembers = max(node.lastRecordWithMembers, other.lastRecordWithMembers)
    node.characters.add(other.characters)
    node.elements.add(other.elements)
    node.members.add(other.members)
    nodes[target] = node
    mergeExamples(source, into: target)
  }

  /// Of equal numbers the one that stood first is kept.
  private func mergeNumbers(_ other: ShapeNode, into node: inout ShapeNode) {
    guard other.numbers > 0 else { return }
    guard node.numbers > 0 else {
      (node.leastDouble, node.mostDouble) = (other.leastDouble, other.mostDouble)
      (node.least, node.most) = (other.least, other.most)
      return
    }
    let least = order(other.least, other.leastDouble, node.least, node.leastDouble)
    if least < 0 || (least == 0 && other.least.place < node.least.place) {
      (node.leastDouble, node.least) = (other.leastDouble, other.least)
    }
    let most = order(other.most, other.mostDouble, node.most, node.mostDouble)
    if most > 0 || (most == 0 && other.most.place < node.most.place) {
      (node.mostDouble, node.most) = (other.mostDouble, other.most)
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

  // MARK: Trees

  /// Adds the records of another tree, as if they stood behind those of this one.
  mutating func add(_ other: borrowing ShapeTree) {
    let root = graft(other)
    var work = [(source: root, target: Self.root)]
    merge(&work)
    records += other.records
    values += other.values
    if goneCount > pathCount + 1000 { compact() }
  }

  /// Copies the nodes of another tree beside those of this one. Its root is returned.
  private mutating func graft(_ other: borrowing ShapeTree) -> UInt32 {
    // Nodes count from 1.
    let shift = UInt32(clamping: nodes.count - 1)
    let textShift = texts.count
    unsafe other.texts.withBytes { unsafe texts.append($0) }
    for index in 1..<UInt32(clamping: other.nodes.count) {
      var node = other.nodes[index]
      if node.parent != 0 { node.parent &+= shift }
      if node.firstChild != 0 { node.firstChild &+= shift }
      if node.lastChild != 0 { node.lastChild &+= shift }
      if node.nextSibling != 0 { node.nextSibling &+= shift }
      if node.element != 0 { node.element &+= shift }
      if node.anyMember != 0 { node.anyMember &+= shift }
      if node.merged != 0 { node.merged &+= shift }
      node.likelyChild = 0
      node.likelyNext = 0
      node.nameOffset += textShift
      node.least.move(by: textShift, values)
      node.most.move(by: textShift, values)
      if node.first > 0 { node.first += values }
      if node.lastRecord > 0 { node.lastRecord += records }
      if node.lastRecordWithMembers > 0 { node.lastRecordWithMembers += records }
      let new = appendNode(node)
      for place in 0..<Int(node.exampleCount) {
        var example = other.examples[Int(index) * options.examples + place]
        example.text.move(by: textShift, values)
        examples[Int(new) * options.examples + place] = example
      }
      if node.isGone { goneCount += 1 } else { pathCount += 1 }
    }
    for index in (shift + 1)..<UInt32(clamping: nodes.count) where !nodes[index].isGone {
      var child = nodes[index].firstChild
      while child != 0 {
        insert(child)
        child = nodes[child].nextSibling
      }
    }
    return shift + Self.root
  }

  /// Leaves behind what is in the tree no more.
  private mutating func compact() {
    var fresh = ShapeTree(options)
    var work = [(old: Self.root, new: Self.root)]
    while let (old, new) = work.popLast() {
      copy(old, to: &fresh, new)
      if nodes[old].element != 0 {
        let element = fresh.appendNode(ShapeNode())
        fresh.nodes[new].element = element
        fresh.nodes[element].parent = new
        work.append((nodes[old].element, element))
      }
      if nodes[old].anyMember != 0 {
        let folded = fresh.appendNode(ShapeNode())
        fresh.nodes[new].anyMember = folded
        fresh.nodes[folded].parent = new
        work.append((nodes[old].anyMember, folded))
      }
      var child = nodes[old].firstChild
      while child != 0 {
        var named = ShapeNode()
        named.nameOffset = fresh.texts.count
        named.nameCount = nodes[child].nameCount
        named.nameStart = nodes[child].nameStart
        unsafe withName(of: child) { unsafe fresh.texts.append($0) }
        let copied = fresh.appendNode(named)
        fresh.adopt(copied, in: new)
        work.append((child, copied))
        child = nodes[child].nextSibling
      }
    }
    fresh.pathCount = pathCount
    fresh.records = records
    fresh.values = values
    self = fresh
  }

  /// Copies what is known of values, with its texts.
  private func copy(_ old: UInt32, to fresh: inout ShapeTree, _ new: UInt32) {
    let known = fresh.nodes[new]
    var node = nodes[old]
    node.parent = known.parent
    (node.nameOffset, node.nextSibling) = (known.nameOffset, known.nextSibling)
    (node.firstChild, node.lastChild, node.childCount) = (0, 0, 0)
    (node.element, node.anyMember, node.likelyChild, node.likelyNext) = (0, 0, 0, 0)
    copy(&node.least, to: &fresh)
    copy(&node.most, to: &fresh)
    fresh.nodes[new] = node
    for place in 0..<Int(node.exampleCount) {
      var example = examples[Int(old) * options.examples + place]
      copy(&example.text, to: &fresh)
      fresh.examples[Int(new) * options.examples + place] = example
    }
  }

  private func copy(_ text: inout ShapeText, to fresh: inout ShapeTree) {
    let start = fresh.texts.count
    let bytes = text.offset..<(text.offset + text.count)
    unsafe texts.withBytes { unsafe fresh.texts.append(UnsafeRawBufferPointer(rebasing: $0[bytes])) }
    text.offset = start
    text.room = text.count
  }

  /// The same tree once more.
  func copied() -> ShapeTree {
    var copy = ShapeTree(options)
    copy.add(self)
    return copy
  }
}

extension ShapeText {
  /// Says where the text stands in a tree that was put behind another.
  fileprivate mutating func move(by offset: Int, _ values: Int) {
    self.offset += offset
    place += values
  }
}
