import JSONSift

/// The results of a tree.
extension ShapeTree {
  // MARK: Maps

  /// Folds the members of objects that seem to be maps.
  mutating func foldMaps() {
    // A folded node may make its parent a map. Maps nested deeper than this limit keep their keys.
    for _ in 0..<Self.maxMapPasses {
      var hasChanged = false
      // Reversed, so that nested nodes precede their parents.
      for node in inOrder().reversed() where isMap(node) {
        let names = nodes[node].childCount
        _ = fold(node, moreThan: 0)
        nodes[node].childCount = names
        hasChanged = true
      }
      if !hasChanged { return }
    }
  }

  private static var maxMapPasses: Int { 16 }

  private func isMap(_ node: UInt32) -> Bool {
    guard !nodes[node].isMerged, !nodes[node].isFolded, nodes[node].childCount > options.maxAlikeKeys else {
      return false
    }
    let children = children(of: node)
    var kinds = 0
    var values = 0
    for child in children {
      values = .sum(values, nodes[child].count)
      kinds |= nodes[child].kinds
    }
    // All values must have one type. Null is compatible with every type.
    guard kinds.nonzeroBitCount == 1 else { return false }
    if kinds == ShapeNode.objectKind { return shareMostKeys(children) }
    // A field occurs in most objects, a key of a map in few.
    let all = children.count.multipliedReportingOverflow(by: nodes[node].objects)
    return all.overflow || values < all.partialValue / 2
  }

  /// Returns whether the objects have, together, at most twice as many distinct keys as one of them has on average.
  private func shareMostKeys(_ objects: [UInt32]) -> Bool {
    var names: Set<[UInt8]> = []
    var all = 0
    for object in objects {
      // A map is compatible with every object.
      if nodes[object].isFolded { continue }
      for child in children(of: object) {
        names.insert(unsafe withName(of: child) { unsafe [UInt8]($0) })
        all += 1
      }
    }
    return names.count * objects.count <= 2 * all
  }

  // MARK: Paths

  /// Returns the members of a node in the order of their first values.
  private func children(of node: UInt32) -> [UInt32] {
    members(of: node).sorted { nodes[$0].first < nodes[$1].first }
  }

  /// Returns all nodes with values, each before its children.
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

  /// Calls `body` with each path in order. The text of only one path is in memory at a time: below a long key the texts
  /// together are much longer than the input.
  func forEachPath(_ body: (JSONShape.Path) -> Void) {
    var text: [UInt8] = []
    // `parentCount` is the length of the parent's path in `text`.
    var open = [(node: Self.root, parentCount: 0, isBelowMap: false)]
    while let (index, parentCount, isBelowMap) = open.popLast() {
      let node = nodes[index]
      guard node.count > 0 else { continue }
      text.removeLast(max(text.count - parentCount, 0))
      let parent = node.parent
      let isMember = parent != 0 && nodes[parent].element != index
      let isAnyMember = parent != 0 && nodes[parent].anyMember == index
      if parent == 0 {
        text += "$".utf8
      } else if isAnyMember {
        text += ".*".utf8
      } else if isMember {
        text += unsafe withName(of: index) { JSONPath.step(unsafe String(utf8: $0)) }.utf8
      } else {
        text += "[*]".utf8
      }
      body(
        JSONShape.Path(
          node, at: String(decoding: text, as: UTF8.self),
          records: isBelowMap ? Optional.none : isAnyMember ? nodes[parent].recordsWithMembers : node.records,
          parents: isMember ? nodes[parent].objects : Optional.none, in: self, index))
      let isMap = isBelowMap || isAnyMember
      for child in children(of: index).reversed() { open.append((child, text.count, isMap)) }
      if node.anyMember != 0 { open.append((node.anyMember, text.count, isMap)) }
      if node.element != 0 { open.append((node.element, text.count, isMap)) }
    }
  }

  fileprivate func text(_ text: ShapeText) -> String {
    unsafe texts.withBytes { unsafe String(utf8: UnsafeRawBufferPointer(rebasing: $0[text.range])) }
  }

  fileprivate func exampleTexts(of node: UInt32) -> [String] {
    (0..<Int(nodes[node].exampleCount)).map { index in
      let example = examples[Int(node) * options.maxExamples + index]
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

  /// The types of the values except null, one bit each.
  fileprivate var kinds: Int {
    (trues + falses > 0 ? 1 : 0) | (numbers > 0 ? 1 << 1 : 0) | (strings > 0 ? 1 << 2 : 0) | (arrays > 0 ? 1 << 3 : 0)
      | (objects > 0 ? Self.objectKind : 0)
  }
}

extension JSONShape.Path {
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
    recordCount = records
    parentCount = parents
    minNumber = node.numbers > 0 ? tree.text(node.minimum.text) : nil
    maxNumber = node.numbers > 0 ? tree.text(node.maximum.text) : nil
    characters = node.characters.bounds
    elements = node.elements.bounds
    members = node.members.bounds
    hasMoreKeys = node.hasTooManyNames
    // The number of keys of folded maps is unknown.
    let isKnown = node.objects > 0 && (!node.isFolded || node.childCount > 0)
    keyCount = hasMoreKeys ? Int(node.exceededNameLimit) : isKnown ? Int(node.childCount) : nil
    isMap = node.isFolded
    examples = tree.exampleTexts(of: index)
  }
}
