/// What is known of numbers and strings, and the values that stand for the others.
extension ShapeTree {
  // MARK: Numbers

  /// Notes a number that may be the smallest, the largest or an example.
  @inline(never)
  mutating func addNumber(_ word: TapeWord, _ bytes: UnsafeRawBufferPointer, to node: UInt32) {
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[word.textRange(in: bytes)])
    let rank = unsafe NumberRank(text)
    if rank.lower < nodes[node].minRank || rank.upper > nodes[node].maxRank {
      unsafe addExtreme(text, rank, to: node)
    }
    if nodes[node].exampleCount < options.examples, text.count <= options.exampleBytes {
      unsafe addExample(.number, text, to: node)
    }
  }

  private mutating func addExtreme(_ text: UnsafeRawBufferPointer, _ rank: NumberRank, to node: UInt32) {
    let number = unsafe NumberBytes.double(text)
    let isFirst = nodes[node].least.room == 0
    // A rounded number is never on the other side: only of equal ones the texts decide.
    if unsafe isFirst || number < nodes[node].minDouble
      || (number == nodes[node].minDouble && order(text, of: nodes[node].least) < 0)
    {
      nodes[node].minDouble = number
      nodes[node].minRank = rank.upper
      nodes[node].least = unsafe keep(text, in: nodes[node].least, place: values)
    }
    if unsafe isFirst || number > nodes[node].maxDouble
      || (number == nodes[node].maxDouble && order(text, of: nodes[node].most) > 0)
    {
      nodes[node].maxDouble = number
      nodes[node].maxRank = rank.lower
      nodes[node].most = unsafe keep(text, in: nodes[node].most, place: values)
    }
  }

  /// How a number stands to one that is kept, exactly.
  func order(_ text: UnsafeRawBufferPointer, of kept: ShapeText) -> Int {
    unsafe texts.withBytes { bytes in
      let other = unsafe UnsafeRawBufferPointer(rebasing: bytes[kept.offset..<(kept.offset + kept.count)])
      if other.count == text.count, unsafe other.elementsEqualMemory(text, at: 0) { return 0 }
      guard let left = unsafe ExactNumber(text: text), let right = unsafe ExactNumber(text: other) else { return 0 }
      return ExactNumber.compare(left, right)
    }
  }

  /// Puts a text where another stood, if it has room there: the largest of many that grow takes one place.
  mutating func keep(_ text: UnsafeRawBufferPointer, in kept: ShapeText, place: Int) -> ShapeText {
    guard text.count > kept.room else {
      unsafe texts.overwrite(at: kept.offset, with: text)
      return ShapeText(offset: kept.offset, count: text.count, room: kept.room, place: place)
    }
    goneBytes += kept.room
    let start = texts.count
    let room = max(text.count * 2, 24)
    unsafe texts.append(text)
    texts.append(repeating: 0, count: room - text.count)
    return ShapeText(offset: start, count: text.count, room: room, place: place)
  }

  // MARK: Strings

  /// Notes a string that may be an example, or of which the word does not say how many characters it has at most.
  @inline(never)
  mutating func addString(_ word: TapeWord, _ bytes: UnsafeRawBufferPointer, to node: UInt32) {
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[word.textRange(in: bytes)])
    let isEscaped = word.kind.isEscaped
    // So many characters it has at least: `\ud83d\ude00` is one.
    let least = isEscaped ? (text.count &+ 11) / 12 : (text.count &+ 3) / 4
    if least < nodes[node].characters.least || text.count > nodes[node].characters.most {
      nodes[node].characters.add(unsafe isEscaped ? EscapedText.characterCount(text) : text.characterCount)
    }
    if nodes[node].exampleCount < options.examples { unsafe addText(text, isEscaped: isEscaped, to: node) }
  }

  private mutating func addText(_ text: UnsafeRawBufferPointer, isEscaped: Bool, to node: UInt32) {
    guard text.count > options.exampleBytes else { return unsafe addExample(.string, text, to: node) }
    let end = unsafe Self.cut(text, to: options.exampleBytes, isEscaped: isEscaped)
    unsafe addExample(.cutString, UnsafeRawBufferPointer(rebasing: text[..<end]), to: node)
  }

  /// Where a text can be cut: between characters, and not inside an escape.
  static func cut(_ text: UnsafeRawBufferPointer, to most: Int, isEscaped: Bool) -> Int {
    var end = min(most, text.count)
    if isEscaped {
      var index = 0
      while index < end {
        guard unsafe text[index] == ASCII.backslash, index + 1 < text.count else {
          index += 1
          continue
        }
        var next = index + (unsafe text[index + 1] == ASCII.lowerU ? 6 : 2)
        // A pair of escapes is one character.
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

  /// Keeps `true` or `false`, if there is room.
  @inline(never)
  mutating func addWord(_ kind: ShapeExample.Kind, to node: UInt32) {
    unsafe addExample(kind, UnsafeRawBufferPointer(start: nil, count: 0), to: node)
  }

  /// Keeps a value, if it is another than those that are kept and there is room.
  mutating func addExample(_ kind: ShapeExample.Kind, _ text: UnsafeRawBufferPointer, to node: UInt32) {
    let count = Int(nodes[node].exampleCount)
    guard count < options.examples else { return }
    let start = Int(node) * options.examples
    for index in 0..<count where unsafe isExample(start + index, kind, text) { return }
    examples[start + count] = ShapeExample(
      text: ShapeText(offset: texts.count, count: text.count, room: text.count, place: values), kind: kind)
    unsafe texts.append(text)
    nodes[node].exampleCount += 1
    nodes[node].noteExample(kind)
  }

  /// Whether a value is one that is kept.
  @inline(__always)
  mutating func isExample(_ index: Int, _ kind: ShapeExample.Kind, _ text: UnsafeRawBufferPointer) -> Bool {
    let kept = examples[index]
    guard kept.kind == kind, kept.text.count == text.count else { return false }
    return unsafe texts.withBytes { unsafe text.elementsEqualMemory($0, at: kept.text.offset) }
  }
}
