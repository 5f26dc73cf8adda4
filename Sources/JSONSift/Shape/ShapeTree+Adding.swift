/// Trees that become one: those of several workers, and of files one after another.
extension ShapeTree {
  /// Adds the records of another tree, as if they stood behind those of this one.
  ///
  /// The two are walked side by side, and what this one needs is copied: it tells as many names apart and keeps as many
  /// examples as its own options say, whatever those of the other are.
  mutating func add(_ other: borrowing ShapeTree) {
    var moved: [UInt32] = []
    copy(other, &moved)
    compactIfWasteful()
  }

  /// The same tree once more.
  func copied() -> ShapeTree {
    var copy = ShapeTree(options)
    copy.add(self)
    return copy
  }

  /// - Parameter moved: What becomes the number here of each node, if there is room.
  mutating func copy(_ other: borrowing ShapeTree, _ moved: inout [UInt32]) {
    // What is known of a part says nothing, and nobody asks for it: it needs no memory.
    if other.isFull { isFull = true }
    // A stack of its own: nobody knows how deep the tree is. A target may have been merged before its turn.
    var work = [(source: Self.root, target: Self.root)]
    while !other.isFull, pathCount <= options.maxPaths, let next = work.popLast() {
      let source = next.source
      let target = living(next.target)
      if Int(source) < moved.count { moved[Int(source)] = target }
      addValues(of: source, in: other, to: target)
      let element = other.nodes[source].element
      if element != 0 {
        let known = nodes[target].element
        work.append((element, known != 0 ? known : makeElement(of: target)))
      }
      let folded = other.nodes[source].anyMember
      if folded != 0 {
        // More than this one tells apart is all that it says.
        let limit = min(other.nodes[source].moreNamesThan, UInt32(options.names))
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
    nodes[target].addCounts(node, behind: values, records)
    for index in 0..<Int(node.exampleCount) {
      let example = other.examples[Int(source) * other.options.examples + index]
      unsafe other.texts.withBytes { unsafe addExample(example, $0, to: target) }
    }
  }

  /// Of equal numbers the one that stood first is kept.
  private mutating func addExtremes(_ other: ShapeNode, _ bytes: UnsafeRawBufferPointer, to target: UInt32) {
    guard other.numbers > 0 else { return }
    let node = nodes[target]
    let least = unsafe UnsafeRawBufferPointer(rebasing: bytes[other.least.range])
    let minPlace = Int.sum(other.least.place, values)
    let minOrder = unsafe order(least, other.minDouble, of: node.least, node.minDouble)
    if node.numbers == 0 || minOrder < 0 || (minOrder == 0 && minPlace < node.least.place) {
      nodes[target].minDouble = other.minDouble
      nodes[target].minRank = other.minRank
      nodes[target].least = unsafe keep(least, in: node.least, place: minPlace)
    }
    let most = unsafe UnsafeRawBufferPointer(rebasing: bytes[other.most.range])
    let maxPlace = Int.sum(other.most.place, values)
    let maxOrder = unsafe order(most, other.maxDouble, of: node.most, node.maxDouble)
    if node.numbers == 0 || maxOrder > 0 || (maxOrder == 0 && maxPlace < node.most.place) {
      nodes[target].maxDouble = other.maxDouble
      nodes[target].maxRank = other.maxRank
      nodes[target].most = unsafe keep(most, in: node.most, place: maxPlace)
    }
  }

  private func order(
    _ text: UnsafeRawBufferPointer, _ number: Double, of kept: ShapeText, _ keptNumber: Double
  ) -> Int {
    if number != keptNumber { return number < keptNumber ? -1 : 1 }
    return unsafe order(text, of: kept)
  }

  // MARK: Examples

  /// Adds an example of another tree, as this one would keep it.
  private mutating func addExample(_ example: ShapeExample, _ bytes: UnsafeRawBufferPointer, to node: UInt32) {
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[example.text.range])
    let place = Int.sum(example.text.place, values)
    guard text.count > options.exampleBytes else {
      return unsafe insertExample(example.kind, text, place: place, to: node)
    }
    // A longer number is none.
    guard example.kind == .string || example.kind == .cutString else { return }
    let end = unsafe Self.cut(text, to: options.exampleBytes, isEscaped: text.contains(ASCII.backslash))
    unsafe insertExample(.cutString, UnsafeRawBufferPointer(rebasing: text[..<end]), place: place, to: node)
  }

  /// Keeps a value if it is one of the first different ones. They lie in the order of their places.
  private mutating func insertExample(
    _ kind: ShapeExample.Kind, _ text: UnsafeRawBufferPointer, place: Int, to node: UInt32
  ) {
    guard options.examples > 0 else { return }
    let start = Int(node) * options.examples
    let count = Int(nodes[node].exampleCount)
    var hole = count
    for index in 0..<count where unsafe isExample(start + index, kind, text) { hole = index }
    var new = ShapeExample(text: ShapeText(), kind: kind)
    if hole < count {
      new = examples[start + hole]
      guard place < new.text.place else { return }
      new.text.place = place
    } else {
      if count == options.examples {
        hole = count - 1
        let last = examples[start + hole].text
        guard place < last.place else { return }
        goneBytes += last.count
      } else {
        nodes[node].exampleCount += 1
      }
      new.text = ShapeText(offset: texts.count, count: text.count, room: text.count, place: place)
      unsafe texts.append(text)
    }
    while hole > 0, examples[start + hole - 1].text.place > place {
      examples[start + hole] = examples[start + hole - 1]
      hole -= 1
    }
    examples[start + hole] = new
    nodes[node].noteExample(kind)
  }
}
