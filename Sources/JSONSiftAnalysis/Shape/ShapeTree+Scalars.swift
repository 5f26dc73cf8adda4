import JSONSift

/// Bounds of numbers and strings, and examples.
extension ShapeTree {
  // MARK: Numbers

  /// Records a number that may be the smallest, the largest or an example.
  @inline(never)
  mutating func addNumber(_ word: TapeWord, _ bytes: UnsafeRawBufferPointer, to node: UInt32) {
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[word.textRange(in: bytes)])
    let rank = unsafe NumberRank(text)
    if rank.lower < nodes[node].minimum.rank || rank.upper > nodes[node].maximum.rank {
      unsafe addExtreme(text, rank, to: node)
    }
    if nodes[node].exampleCount < options.maxExamples, text.count <= options.maxExampleBytes {
      unsafe addExample(.number, text, to: node)
    }
  }

  private mutating func addExtreme(_ text: UnsafeRawBufferPointer, _ rank: NumberRank, to node: UInt32) {
    let number = unsafe NumberBytes.double(text)
    let isFirst = nodes[node].minimum.text.room == 0
    if unsafe isFirst || order(text, number, of: nodes[node].minimum) < 0 {
      let kept = unsafe keep(text, in: nodes[node].minimum.text, valueNumber: values)
      nodes[node].minimum = ShapeExtreme(double: number, rank: rank.upper, text: kept)
    }
    if unsafe isFirst || order(text, number, of: nodes[node].maximum) > 0 {
      let kept = unsafe keep(text, in: nodes[node].maximum.text, valueNumber: values)
      nodes[node].maximum = ShapeExtreme(double: number, rank: rank.lower, text: kept)
    }
  }

  /// Compares a number with a kept one by exact value: returns a negative number, 0 or a positive number.
  func order(_ text: UnsafeRawBufferPointer, _ number: Double, of kept: ShapeExtreme) -> Int {
    // Rounding to Double keeps the order, so the exact texts are compared only if the Doubles are equal.
    if number != kept.double { return number < kept.double ? -1 : 1 }
    return unsafe texts.withBytes { bytes in
      let other = unsafe UnsafeRawBufferPointer(rebasing: bytes[kept.text.range])
      if other.count == text.count, unsafe other.elementsEqualMemory(text, at: 0) { return 0 }
      guard let left = unsafe ExactNumber(text: text), let right = unsafe ExactNumber(text: other) else { return 0 }
      return ExactNumber.compare(left, right)
    }
  }

  /// Stores a text in the room of another one if it fits, and else in new room of twice its length: a growing maximum
  /// rarely needs new memory.
  mutating func keep(_ text: UnsafeRawBufferPointer, in kept: ShapeText, valueNumber: Int) -> ShapeText {
    guard text.count > kept.room else {
      unsafe texts.overwrite(at: kept.offset, with: text)
      return ShapeText(offset: kept.offset, count: text.count, room: kept.room, valueNumber: valueNumber)
    }
    garbageBytes += kept.room
    let start = texts.count
    let room = max(text.count * 2, 24)
    unsafe texts.append(text)
    texts.append(repeating: 0, count: room - text.count)
    return ShapeText(offset: start, count: text.count, room: room, valueNumber: valueNumber)
  }

  // MARK: Strings

  /// Records a string that may be an example, or whose number of characters may change the bounds.
  @inline(never)
  mutating func addString(_ word: TapeWord, _ bytes: UnsafeRawBufferPointer, to node: UInt32) {
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[word.textRange(in: bytes)])
    let isEscaped = word.kind.isEscaped
    // The minimum number of characters: an escape pair such as `\ud83d\ude00` has 12 bytes and is one character.
    let minCharacters = isEscaped ? (text.count &+ 11) / 12 : (text.count &+ 3) / 4
    if minCharacters < nodes[node].characters.lower || text.count > nodes[node].characters.upper {
      nodes[node].characters.add(unsafe isEscaped ? EscapedText.characterCount(text) : text.characterCount)
    }
    if nodes[node].exampleCount < options.maxExamples { unsafe addText(text, isEscaped: isEscaped, to: node) }
  }

  private mutating func addText(_ text: UnsafeRawBufferPointer, isEscaped: Bool, to node: UInt32) {
    guard text.count > options.maxExampleBytes else { return unsafe addExample(.string, text, to: node) }
    let end = unsafe Self.cut(text, to: options.maxExampleBytes, isEscaped: isEscaped)
    unsafe addExample(.cutString, UnsafeRawBufferPointer(rebasing: text[..<end]), to: node)
  }

  /// Returns the length to which a text can be cut: between characters, and not inside an escape.
  static func cut(_ text: UnsafeRawBufferPointer, to limit: Int, isEscaped: Bool) -> Int {
    var end = min(limit, text.count)
    if isEscaped {
      var index = 0
      while index < end {
        guard unsafe text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
          index += 1
          continue
        }
        var next = index + (unsafe text[index + 1] == UInt8(ascii: "u") ? 6 : 2)
        // A surrogate pair of escapes is one character.
        if let unit = unsafe SurrogateEscapes.codeUnit(in: text, at: index), 0xD800...0xDBFF ~= unit,
          unsafe SurrogateEscapes.codeUnit(in: text, at: next) != nil
        {
          next += 6
        }
        if next > end { end = index }
        index = next
      }
    }
    while end > 0, end < text.count, unsafe text[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  // MARK: Examples

  /// Adds `true` or `false` as an example, if there is room.
  @inline(never)
  mutating func addLiteral(_ kind: ShapeExample.Kind, to node: UInt32) {
    unsafe addExample(kind, UnsafeRawBufferPointer(start: nil, count: 0), to: node)
  }

  /// Adds a value as an example, if it differs from the existing ones and there is room.
  mutating func addExample(_ kind: ShapeExample.Kind, _ text: UnsafeRawBufferPointer, to node: UInt32) {
    let count = Int(nodes[node].exampleCount)
    guard count < options.maxExamples else { return }
    guard unsafe indexOfExample(kind, text, of: node) == nil else { return }
    examples[Int(node) * options.maxExamples + count] = ShapeExample(
      text: ShapeText(offset: texts.count, count: text.count, room: text.count, valueNumber: values), kind: kind)
    unsafe texts.append(text)
    nodes[node].exampleCount += 1
    nodes[node].noteExample(kind)
  }

  /// Returns the index of the example of a node that equals a value.
  func indexOfExample(_ kind: ShapeExample.Kind, _ text: UnsafeRawBufferPointer, of node: UInt32) -> Int? {
    let start = Int(node) * options.maxExamples
    for index in 0..<Int(nodes[node].exampleCount) where unsafe isExample(start + index, kind, text) { return index }
    return nil
  }

  /// Returns whether a value equals an example.
  func isExample(_ index: Int, _ kind: ShapeExample.Kind, _ text: UnsafeRawBufferPointer) -> Bool {
    let kept = examples[index]
    guard kept.kind == kind, kept.text.count == text.count else { return false }
    return unsafe texts.withBytes { unsafe text.elementsEqualMemory($0, at: kept.text.offset) }
  }
}
