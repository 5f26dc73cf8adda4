import JSONSift

/// Addition of trees: the trees of several workers, and of files one after another.
extension ShapeTree {
  /// Adds the records of another tree after the records of this one.
  ///
  /// Both trees are traversed in parallel, and the parts that this tree needs are copied. Its own limits of keys and
  /// examples apply, whatever the limits of the other tree are.
  mutating func add(_ other: borrowing ShapeTree) {
    var moved: [UInt32] = []
    copy(other, &moved)
    compactIfWasteful()
  }

  /// Returns a copy of the tree without the memory of merged nodes.
  func copied() -> ShapeTree {
    var copy = ShapeTree(options)
    copy.add(self)
    return copy
  }

  /// - Parameter moved: Receives the number in this tree of each node of the other one, for as many nodes as it has
  ///   elements.
  mutating func copy(_ other: borrowing ShapeTree, _ moved: inout [UInt32]) {
    // A tree that is full is incomplete and never read: its nodes are not copied.
    if other.isFull { isFull = true }
    // An explicit stack, because the depth of the tree is unbounded. A target may have been merged before its turn.
    var work = [(source: Self.root, target: Self.root)]
    while !other.isFull, pathCount <= options.maxPaths, let next = work.popLast() {
      let source = next.source
      let target = resolved(next.target)
      if Int(source) < moved.count { moved[Int(source)] = target }
      addValues(of: source, in: other, to: target)
      let element = other.nodes[source].element
      if element != 0 {
        let known = nodes[target].element
        work.append((element, known != 0 ? known : makeElement(of: target)))
      }
      let folded = other.nodes[source].anyMember
      if folded != 0 {
        // It is only known that the members exceed the limit, not their number.
        let limit = min(other.nodes[source].exceededNameLimit, UInt32(options.maxKeys))
        work.append((folded, fold(target, moreThan: limit)))
        continue
      }
      var named = other.nodes[source].firstChild
      while named != 0, pathCount <= options.maxPaths {
        let known = unsafe other.withName(of: named) { unsafe child($0, of: target) }
        work.append((named, known))
        named = other.nodes[named].nextSibling
      }
    }
    if pathCount > options.maxPaths { isFull = true }
    records = .sum(records, other.records)
    values = .sum(values, other.values)
  }

  // MARK: Values

  private mutating func addValues(of source: UInt32, in other: borrowing ShapeTree, to target: UInt32) {
    let node = other.nodes[source]
    unsafe other.texts.withBytes { unsafe addExtremes(node, $0, to: target) }
    nodes[target].addCounts(node, after: values, records)
    for index in 0..<Int(node.exampleCount) {
      let example = other.examples[Int(source) * other.options.maxExamples + index]
      unsafe other.texts.withBytes { unsafe addExample(example, $0, to: target) }
    }
  }

  /// Adds the smallest and the largest number of a node of another tree.
  private mutating func addExtremes(_ other: ShapeNode, _ bytes: UnsafeRawBufferPointer, to target: UInt32) {
    let node = nodes[target]
    let (replacesMin, replacesMax) = unsafe replacedExtremes(of: node, by: other, bytes, after: values)
    if replacesMin { nodes[target].minimum = unsafe keep(other.minimum, bytes, in: node.minimum.text) }
    if replacesMax { nodes[target].maximum = unsafe keep(other.maximum, bytes, in: node.maximum.text) }
  }

  private mutating func keep(
    _ extreme: ShapeExtreme, _ bytes: UnsafeRawBufferPointer, in kept: ShapeText
  ) -> ShapeExtreme {
    var extreme = extreme
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[extreme.text.range])
    extreme.text = unsafe keep(text, in: kept, valueNumber: .sum(extreme.text.valueNumber, values))
    return extreme
  }

  /// Returns which of the smallest and the largest number of a node are replaced by those of another one. Of equal numbers the
  /// first one is kept.
  ///
  /// - Parameters:
  ///   - node: A node of this tree.
  ///   - bytes: The texts of the tree of the other node.
  ///   - values: The number of values before those that the other node counts.
  func replacedExtremes(
    of node: ShapeNode, by other: ShapeNode, _ bytes: UnsafeRawBufferPointer, after values: Int
  ) -> (min: Bool, max: Bool) {
    guard other.numbers > 0 else { return (false, false) }
    guard node.numbers > 0 else { return (true, true) }
    func replaces(_ new: ShapeExtreme, _ kept: ShapeExtreme, sign: Int) -> Bool {
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[new.text.range])
      let order = unsafe order(text, new.double, of: kept) * sign
      return order < 0 || (order == 0 && .sum(new.text.valueNumber, values) < kept.text.valueNumber)
    }
    return (replaces(other.minimum, node.minimum, sign: 1), replaces(other.maximum, node.maximum, sign: -1))
  }

  // MARK: Examples

  /// Adds an example of another tree, cut to the limit of this tree.
  private mutating func addExample(_ example: ShapeExample, _ bytes: UnsafeRawBufferPointer, to node: UInt32) {
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[example.text.range])
    let valueNumber = Int.sum(example.text.valueNumber, values)
    guard text.count > options.maxExampleBytes else {
      return unsafe addExample(example.kind, text, valueNumber: valueNumber, to: node)
    }
    // A longer number is not an example.
    guard example.kind == .string || example.kind == .cutString else { return }
    let end = unsafe Self.cut(text, to: options.maxExampleBytes, isEscaped: text.contains(UInt8(ascii: "\\")))
    unsafe addExample(.cutString, UnsafeRawBufferPointer(rebasing: text[..<end]), valueNumber: valueNumber, to: node)
  }

  private mutating func addExample(
    _ kind: ShapeExample.Kind, _ text: UnsafeRawBufferPointer, valueNumber: Int, to node: UInt32
  ) {
    let same = unsafe indexOfExample(kind, text, of: node)
    let dropped = insertExample(kind, equalTo: same, valueNumber: valueNumber, to: node) { tree in
      let start = tree.texts.count
      unsafe tree.texts.append(text)
      return ShapeText(offset: start, count: text.count, room: text.count, valueNumber: valueNumber)
    }
    garbageBytes += dropped
  }

  /// Keeps a value if it is one of the first distinct ones. Examples are sorted by value number.
  ///
  /// - Parameters:
  ///   - same: The index of an equal example of the node.
  ///   - store: Returns the text of the value in this tree. Called only if the value is a new example.
  /// - Returns: The length of the text of an example that is no longer kept.
  mutating func insertExample(
    _ kind: ShapeExample.Kind, equalTo same: Int?, valueNumber: Int, to node: UInt32,
    _ store: (inout ShapeTree) -> ShapeText
  ) -> Int {
    guard options.maxExamples > 0 else { return 0 }
    let start = Int(node) * options.maxExamples
    var hole = Int(nodes[node].exampleCount)
    var new = ShapeExample(text: ShapeText(), kind: kind)
    var dropped = 0
    if let same {
      hole = same
      new = examples[start + hole]
      guard valueNumber < new.text.valueNumber else { return 0 }
      new.text.valueNumber = valueNumber
    } else {
      if hole == options.maxExamples {
        hole -= 1
        let last = examples[start + hole].text
        guard valueNumber < last.valueNumber else { return 0 }
        dropped = last.count
      } else {
        nodes[node].exampleCount += 1
      }
      new.text = store(&self)
    }
    while hole > 0, examples[start + hole - 1].text.valueNumber > valueNumber {
      examples[start + hole] = examples[start + hole - 1]
      hole -= 1
    }
    examples[start + hole] = new
    nodes[node].noteExample(kind)
    return dropped
  }
}
