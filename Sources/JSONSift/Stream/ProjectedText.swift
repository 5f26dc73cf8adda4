/// A reduced text, written together with its tape: the values that are kept whole, and the containers that lead to them.
///
/// A container is written only when something in it is kept. Elements that are not kept leave no gap: the kept elements of
/// an array become adjacent.
struct ProjectedText {
  private var bytes: [UInt8] = []
  private var writer = TapeWriter()
  /// Open containers, outermost first. The containers from `written` on have not been written yet.
  private var open: [Container] = []
  private var written = 0
  /// The raw keys of the open containers, without quotes, and then the key of the next value.
  private var keys: [UInt8] = []
  private var key: Key?

  /// A range in `keys`.
  private struct Key {
    let range: Range<Int>
    let isEscaped: Bool
  }

  private struct Container {
    let isObject: Bool
    let key: Key?
    /// The number of bytes of `keys` in use before the container's own key, and including it.
    let keysBefore, keysWithin: Int
    var isEmpty = true
  }

  /// The current size of the tape in bytes.
  var tapeBytes: Int { writer.words.count * 8 }

  /// Sets the key of the member whose value follows.
  mutating func setKey(_ raw: UnsafeRawBufferPointer, isEscaped: Bool) {
    let start = open.last?.keysWithin ?? 0
    keys.removeLast(keys.count - start)
    unsafe keys.append(contentsOf: raw)
    key = Key(range: start..<keys.count, isEscaped: isEscaped)
  }

  /// Opens a container, without writing it.
  mutating func begin(isObject: Bool) {
    let before = open.last?.keysWithin ?? 0
    open.append(
      Container(isObject: isObject, key: key, keysBefore: before, keysWithin: key?.range.upperBound ?? before))
    key = nil
  }

  /// Closes the innermost container, which was written only if something was kept in it.
  mutating func end() {
    guard let container = open.popLast() else { return }
    key = nil
    keys.removeLast(keys.count - container.keysBefore)
    guard open.count < written else { return }
    written = open.count
    writer.append(TapeWord(container.isObject ? .objectEnd : .arrayEnd, at: bytes.count), shiftedBy: 0)
    bytes.append(container.isObject ? ASCII.closeBrace : ASCII.closeBracket)
  }

  /// Begins a value that is kept, and returns the offset of its first byte.
  mutating func keep() -> Int {
    while written < open.count {
      let container = open[written]
      separate(container.key, in: written - 1)
      writer.append(TapeWord(container.isObject ? .objectStart : .arrayStart, at: bytes.count), shiftedBy: 0)
      bytes.append(container.isObject ? ASCII.openBrace : ASCII.openBracket)
      written += 1
    }
    separate(key, in: open.count - 1)
    key = nil
    return bytes.count
  }

  private mutating func separate(_ key: Key?, in container: Int) {
    guard container >= 0 else { return }
    if !open[container].isEmpty { bytes.append(ASCII.comma) }
    open[container].isEmpty = false
    guard let key else { return }
    writer.append(
      TapeWord(key.isEscaped ? .escapedKey : .key, at: bytes.count, length: min(key.range.count, TapeWord.longLength)),
      shiftedBy: 0)
    bytes.append(ASCII.quote)
    bytes += keys[key.range]
    bytes.append(ASCII.quote)
    bytes.append(ASCII.colon)
  }

  /// Appends an event of a value that is kept.
  mutating func append(_ word: TapeWord, shiftedBy shift: Int) { writer.append(word, shiftedBy: shift) }

  /// Appends bytes of a value that is kept.
  mutating func append(_ source: UnsafeRawBufferPointer) { unsafe bytes.append(contentsOf: source) }

  /// Keeps a whole value of a document.
  mutating func keep(_ index: UInt32, of document: Document) {
    let range = document.range(of: index)
    let shift = keep() - range.lowerBound
    unsafe document.withSource { source in
      unsafe append(UnsafeRawBufferPointer(rebasing: source[range.clamped(to: 0..<source.count)]))
    }
    var position = index
    let end = document.after(index)
    while position < end {
      let word = document.word(position)
      writer.append(word, shiftedBy: shift)
      position &+= word.kind.isStart ? 2 : 1
    }
  }

  /// Keeps some values of a document, and the containers around them.
  ///
  /// - Parameter selected: The indexes of the tape words of the values, in ascending order.
  mutating func keep(_ selected: [UInt32], of document: Document) {
    var next = 0
    var position = Document.root
    var ends: [UInt32] = []
    while next < selected.count {
      while let end = ends.last, position &+ 1 >= end {
        ends.removeLast()
        self.end()
        position = end
      }
      let word = document.word(position)
      if word.kind.isKey {
        unsafe document.withText(of: position) { unsafe setKey($0, isEscaped: word.kind.isEscaped) }
        position &+= 1
      } else if position == selected[next] {
        keep(position, of: document)
        position = document.after(position)
        // Selected values inside it are kept with it.
        while next < selected.count, selected[next] < position { next += 1 }
      } else if word.kind.isStart, selected[next] < document.after(position) {
        begin(isObject: word.kind == .objectStart)
        ends.append(document.after(position))
        position &+= 2
      } else {
        position = document.after(position)
      }
    }
    for _ in ends { end() }
  }

  /// Returns the projected document, or `nil` if nothing was kept.
  consuming func document() -> Document? {
    guard writer.isComplete else { return nil }
    let document = Document()
    document.setSource(.array(SourceArray(bytes)), origin: 0)
    unsafe writer.words.withUnsafeBytes { unsafe document.setTape(copying: $0) }
    return document
  }
}
