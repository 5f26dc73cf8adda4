import JSONSift

/// The traversal of tape words.
///
/// The common cases are inline, with plain loads and comparisons. The rare ones are calls: an unexpected key, a number
/// that may be a bound, a value that may be an example. The traversal keeps its state in the tree: local variables that
/// the calls change too would be copied back and forth at each word.
extension ShapeTree {
  /// Processes tape words, possibly the continuation of a record.
  ///
  /// - Parameter bytes: The bytes to which the offsets of the words refer.
  mutating func process(_ words: UnsafeBufferPointer<UInt64>, _ bytes: UnsafeRawBufferPointer) {
    // Without bytes there are no words, and an empty buffer has no base address.
    guard !isFull, let text = bytes.baseAddress else { return }
    let source = unsafe ShapeSource(base: text, count: bytes.count)
    var index = 0
    // SAFETY of pointers to nodes: each is used only until a node may be appended. Worth it: see `ShapeNodes`.
    while index < words.count {
      var word = unsafe TapeWord(bits: words[index])
      index &+= 1
      let node: UnsafeMutablePointer<ShapeNode>
      if word.kind.isKey {
        guard frame.node != 0, !frame.isArray else { continue }
        if frame.count == 0 { unsafe nodes.pointer(of: frame.node).pointee.countRecordWithMembers(in: records) }
        frame.count &+= 1
        let likely = unsafe nodes.pointer(of: frame.likely)
        if unsafe isNode(likely, word, source) {
          frame.last = frame.likely
          frame.likely = unsafe likely.pointee.likelyNext
          unsafe node = likely
        } else {
          unsafe lookUp(word, bytes)
          if isFull { return }
          unsafe node = nodes.pointer(of: frame.last)
        }
        // The value may be in the next words.
        guard index < words.count else { return }
        word = unsafe TapeWord(bits: words[index])
        index &+= 1
      } else if word.kind.isEnd {
        close()
        continue
      } else {
        if frame.isArray {
          frame.count &+= 1
          if frame.last == 0 {
            frame.last = makeElement(of: frame.node)
            if isFull { return }
          }
        }
        unsafe node = nodes.pointer(of: frame.last)
      }

      values &+= 1
      unsafe node.pointee.countRecord(values, in: records)
      switch word.kind {
      case .string:
        unsafe node.pointee.strings &+= 1
        if unsafe !isNoted(word, source, to: node, number: frame.last) {
          unsafe addString(word, bytes, to: frame.last)
        }
      case .escapedString:
        unsafe node.pointee.strings &+= 1
        unsafe addString(word, bytes, to: frame.last)
      case .number:
        unsafe node.pointee.numbers &+= 1
        if unsafe !NumberRank.isInside(word, source, node) || node.pointee.exampleCount < maxExamples {
          unsafe addNumber(word, bytes, to: frame.last)
        }
      case .arrayStart:
        unsafe node.pointee.arrays &+= 1
        outer.append(frame)
        frame = unsafe Frame(node: frame.last, last: node.pointee.element, isArray: true)
        index &+= 1
      case .objectStart:
        unsafe node.pointee.objects &+= 1
        outer.append(frame)
        frame = unsafe Frame(node: frame.last, likely: node.pointee.likelyChild)
        index &+= 1
      case .true:
        unsafe node.pointee.trues &+= 1
        if unsafe !node.pointee.hasTrueExample, unsafe node.pointee.exampleCount < maxExamples {
          addLiteral(.true, to: frame.last)
        }
      case .false:
        unsafe node.pointee.falses &+= 1
        if unsafe !node.pointee.hasFalseExample, unsafe node.pointee.exampleCount < maxExamples {
          addLiteral(.false, to: frame.last)
        }
      default: unsafe node.pointee.nulls &+= 1
      }
    }
  }

  private mutating func close() {
    guard frame.node != 0 else { return }
    let node = unsafe nodes.pointer(of: frame.node)
    if frame.isArray {
      unsafe node.pointee.elements.add(frame.count)
    } else {
      unsafe node.pointee.members.add(frame.count)
    }
    if let around = outer.popLast() { frame = around }
  }

  /// Returns whether a node is certainly the member with this key. False means unknown: the key is then looked up.
  ///
  /// Mutating, so that the compiler does not copy the tree.
  private mutating func isNode(_ node: UnsafePointer<ShapeNode>, _ word: TapeWord, _ source: ShapeSource) -> Bool {
    let start = word.offset &+ 1
    let count = word.length
    guard unsafe node.pointee.name.word == word.kindAndLength, unsafe node.pointee.parent == frame.node,
      unsafe (source.eightBytes(at: start) ^ node.pointee.name.start) & node.pointee.name.mask == 0
    else { return false }
    return unsafe count <= 8 || isRest(source, start, count, end: node.pointee.name.end, at: node.pointee.name.offset)
  }

  /// Returns whether the bytes of a key after the first eight are equal to those of a node.
  ///
  /// - Parameter offset: The offset of the node's key in the texts.
  mutating func isRest(_ source: ShapeSource, _ start: Int, _ count: Int, end: UInt64, at offset: Int) -> Bool {
    guard start &+ count <= source.count, source.load(at: start &+ count &- 8) == end else { return false }
    if count <= 16 { return true }
    let name = unsafe UnsafeRawBufferPointer(start: source.base + start, count: count)
    return unsafe texts.withBytes { unsafe name.elementsEqualMemory($0, at: offset) }
  }

  /// Records the length of a string in characters, if its tape word contains the length in bytes.
  ///
  /// - Returns: Whether nothing is left to do: the string cannot become an example, or equals one.
  mutating func isNoted(
    _ word: TapeWord, _ source: ShapeSource, to node: UnsafeMutablePointer<ShapeNode>, number: UInt32
  ) -> Bool {
    let start = word.offset &+ 1
    let count = word.length
    guard !word.isLong, start &+ count <= source.count else { return false }
    // A character has one to four bytes.
    if unsafe count > node.pointee.characters.upper || (count &+ 3) &>> 2 < node.pointee.characters.lower {
      unsafe node.pointee.characters.add(source.characterCount(at: start, count))
    }
    return unsafe node.pointee.exampleCount >= maxExamples || isKept(start, count, source, number)
  }

  /// Returns whether a string without escapes certainly equals an example. False means unknown for a string that would
  /// be cut.
  @inline(never)
  private mutating func isKept(_ start: Int, _ count: Int, _ source: ShapeSource, _ node: UInt32) -> Bool {
    let isCut = count > options.maxExampleBytes
    let kept = isCut ? options.maxExampleBytes : count
    // The cut would be inside a character, so the example would end before it.
    if isCut, unsafe source.base.load(fromByteOffset: start &+ kept, as: UInt8.self) & 0xC0 == 0x80 { return false }
    let text = unsafe UnsafeRawBufferPointer(start: source.base + start, count: kept)
    let first = Int(node) &* options.maxExamples
    for index in first..<(first &+ Int(nodes[node].exampleCount)) {
      if unsafe isExample(index, isCut ? .cutString : .string, text) { return true }
    }
    return false
  }
}
