/// What is told of a tree.
extension ShapeTree {
  // MARK: Maps

  /// Puts the members of objects together that seem to be keys of maps.
  mutating func foldMaps() {
    // What was put together may be alike itself then. Who nests maps deeper than this sees their names.
    for _ in 0..<Self.deepestMaps {
      var hasChanged = false
      // Nodes inside come behind the node that they are inside of.
      for node in inOrder().reversed() where isMap(node) {
        let names = nodes[node].childCount
        _ = fold(node, moreThan: 0)
        nodes[node].childCount = names
        hasChanged = true
      }
      if !hasChanged { return }
    }
  }

  private static var deepestMaps: Int { 16 }

  private func isMap(_ node: UInt32) -> Bool {
    guard !nodes[node].isGone, !nodes[node].isFolded, nodes[node].childCount > options.likeNames else { return false }
    let children = children(of: node)
    var kinds = 0
    var values = 0
    for child in children {
      values = .sum(values, nodes[child].count)
      kinds |= nodes[child].kinds
    }
    // Of one type; null is of all.
    guard kinds.nonzeroBitCount == 1 else { return false }
    if kinds == ShapeNode.objectKind { return haveNamesInCommon(children) }
    // A field is in most objects, a key of a map in few.
    let all = children.count.multipliedReportingOverflow(by: nodes[node].objects)
    return all.overflow || values < all.partialValue / 2
  }

  /// Whether all names of some objects are at most twice as many as each has of them.
  private func haveNamesInCommon(_ objects: [UInt32]) -> Bool {
    var names: Set<[UInt8]> = []
    var all = 0
    for object in objects {
      // Maps are like maps.
      if nodes[object].isFolded { continue }
      for child in children(of: object) {
        names.insert(unsafe withName(of: child) { unsafe [UInt8]($0) })
        all += 1
      }
    }
    return names.count * objects.count <= 2 * all
  }

  // MARK: Paths

  /// The members of a node, in the order in which they came.
  private func children(of node: UInt32) -> [UInt32] {
    var children: [UInt32] = []
    var child = nodes[node].firstChild
    while child != 0 {
      children.append(child)
      child = nodes[child].nextSibling
    }
    return children.sorted { nodes[$0].first < nodes[$1].first }
  }

  /// All nodes with values, each before what is inside of it.
  private func inOrder() -> [UInt32] {
    var order: [UInt32] = []
    var open = [Self.root]
    while let node = open.popLast() {
      guard nodes[node].count > 0 else { continue }
      order.append(node)
      for child in children(of: node).reversed() { open.append(child) }
      if nodes[node].anyMember != 0 { open.append(nodes[node].anyMember) }
      if nodes[node].element != 0 { open.append(nodes[node].element) }
    }
    return order
  }

  /// Makes each path in its order. Of the texts only that of one path is in memory: below a long name they are much longer
  /// than what was read.
  func forEachPath(_ body: (JSONShapePath) -> Void) {
    var text: [UInt8] = []
    // `above` is how much of the text is the path that the node stands below.
    var open = [(node: Self.root, above: 0, isBelowMap: false)]
    while let (index, above, isBelowMap) = open.popLast() {
      let node = nodes[index]
      guard node.count > 0 else { continue }
      text.removeLast(max(text.count - above, 0))
      let parent = node.parent
      let isMember = parent != 0 && nodes[parent].element != index
      let isAnyMember = parent != 0 && nodes[parent].anyMember == index
      if parent == 0 {
        text += "$".utf8
      } else if isAnyMember {
        text += ".*".utf8
      } else if isMember {
        text += unsafe withName(of: index) { Self.step(unsafe String(utf8: $0)) }.utf8
      } else {
        text += "[*]".utf8
      }
      body(
        JSONShapePath(
          node, at: String(decoding: text, as: UTF8.self),
          records: isBelowMap ? Optional.none : isAnyMember ? nodes[parent].recordsWithMembers : node.records,
          parents: isMember ? nodes[parent].objects : Optional.none, in: self, index))
      let isMap = isBelowMap || isAnyMember
      for child in children(of: index).reversed() { open.append((child, text.count, isMap)) }
      if node.anyMember != 0 { open.append((node.anyMember, text.count, isMap)) }
      if node.element != 0 { open.append((node.element, text.count, isMap)) }
    }
  }

  /// A step of a path: a name as it is where RFC 9535 allows that, else in brackets.
  private static func step(_ name: String) -> String {
    var isFirst = true
    for scalar in name.unicodeScalars {
      let byte = UInt8(truncatingIfNeeded: scalar.value)
      let isLetter = scalar.value >= 0x80 || byte.isLetter || byte == ASCII.underscore
      guard isLetter || (!isFirst && byte.isDigit) else { return "[" + JSONPathParser.quoted(name) + "]" }
      isFirst = false
    }
    return isFirst ? "['']" : "." + name
  }

  fileprivate func text(_ text: ShapeText) -> String {
    unsafe texts.withBytes {
      unsafe String(utf8: UnsafeRawBufferPointer(rebasing: $0[text.offset..<(text.offset + text.count)]))
    }
  }

  fileprivate func exampleTexts(of node: UInt32) -> [String] {
    (0..<Int(nodes[node].exampleCount)).map { place in
      let example = examples[Int(node) * options.examples + place]
      return switch example.kind {
      case .number: text(example.text)
      case .string: "\"" + text(example.text) + "\""
      case .cutString: "\"" + text(example.text) + "…\""
      case .true: "true"
      case .false: "false"
      }
    }
  }
}

extension ShapeNode {
  fileprivate static let objectKind = 1 << 5

  /// The types of its values, a bit for each but null.
  fileprivate var kinds: Int {
    (trues + falses > 0 ? 1 : 0) | (numbers > 0 ? 1 << 1 : 0) | (strings > 0 ? 1 << 2 : 0) | (arrays > 0 ? 1 << 3 : 0)
      | (objects > 0 ? Self.objectKind : 0)
  }
}

extension JSONShapePath {
  fileprivate init(
    _ node: ShapeNode, at path: String, records: Int?, parents: Int?, in tree: borrowing ShapeTree, _ index: UInt32
  ) {
    self.path = path
    nullCount = node.nulls
    boolCount = node.trues + node.falses
    numberCount = node.numbers
    stringCount = node.strings
    arrayCount = node.arrays
    objectCount = node.objects
    count = node.count
    self.records = records
    parentCount = parents
    minNumber = node.numbers > 0 ? tree.text(node.least) : nil
    maxNumber = node.numbers > 0 ? tree.text(node.most) : nil
    characters = node.characters.bounds
    elements = node.elements.bounds
    members = node.members.bounds
    namesAreMore = node.hasTooManyNames
    // Of maps that were put together nobody knows how many names they share.
    let isKnown = node.objects > 0 && (!node.isFolded || node.childCount > 0)
    names = namesAreMore ? Int(node.moreNamesThan) : isKnown ? Int(node.childCount) : nil
    isMap = node.isFolded
    examples = tree.exampleTexts(of: index)
  }
}
