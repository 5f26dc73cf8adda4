/// Writes one value, chunk by chunk.
///
/// A value of a parsed text is written from its tape words in order, without creating a value for each. Other values have a
/// frame for each open container on the heap, so that depth costs memory and no stack.
struct ValueWriter: ~Copyable {
  /// The size of a chunk in bytes.
  static let chunk = Sizes.of(1 << 16, fuzzing: 24)

  private let options: JSONWriterOptions
  private var layout: TextLayout
  private var writtenBefore = 0
  private var root: JSON?
  private var frames: [Frame] = []
  private var words: WordCursor?
  private let copiesSource: Bool

  init(_ json: JSON, _ options: JSONWriterOptions) {
    self.options = options
    root = json
    copiesSource = !options.isPretty && options.slashes == .asWritten && options.spelling == .source
    layout = TextLayout(options)
  }

  /// A container whose children are being written.
  private struct Frame {
    let isObject: Bool
    private var children: ChildCursor
    private var sorted = [ChildCursor.Child]().makeIterator()
    private let isSorted: Bool
    private(set) var isEmpty = true

    init(_ json: JSON, sortsKeys: Bool) {
      children = ChildCursor(json)
      isObject = children.isObject
      isSorted = sortsKeys && isObject
      guard isSorted else { return }
      var members: [(bytes: [UInt8], child: ChildCursor.Child)] = []
      members.reserveCapacity(json.count)
      while let child = children.next() {
        unsafe members.append((child.name?.withBytes { unsafe Array($0) } ?? [], child))
      }
      let order = members.indices.sorted { left, right in
        members[left].bytes == members[right].bytes
          ? left < right : members[left].bytes.lexicographicallyPrecedes(members[right].bytes)
      }
      sorted = order.map { members[$0].child }.makeIterator()
    }

    mutating func nextChild() -> (child: ChildCursor.Child, isFirst: Bool)? {
      guard let child = isSorted ? sorted.next() : children.next() else { return nil }
      defer { isEmpty = false }
      return (child, isEmpty)
    }
  }

  /// The position of the writer on a tape.
  private struct WordCursor {
    let document: Document
    var position: UInt32
    let end: UInt32
    var place = TextLayout.Place()
    /// A range of source bytes to be copied next.
    var run: Range<Int>
  }

  /// Writes until `output` has at least `limit` bytes. Returns `false` when the whole value is written.
  mutating func fill(to limit: Int) throws(JSONError) -> Bool {
    while layout.output.count < limit {
      if var cursor = words.take() {
        if copiesSource { copyWords(&cursor, limit) } else { spellWords(&cursor, limit) }
        if cursor.position < cursor.end || !cursor.run.isEmpty { words = cursor }
      } else if let value = root.take() {
        try begin(value)
      } else if let (child, isFirst) = frames.isEmpty ? nil : frames[frames.count - 1].nextChild() {
        layout.separate(isFirst: isFirst)
        if let name = child.name {
          writeName(name)
          layout.writeColon()
        }
        try begin(child.value)
      } else if let frame = frames.popLast() {
        layout.close(frame.isObject ? ASCII.closeBrace : ASCII.closeBracket, isEmpty: frame.isEmpty)
      } else {
        return false
      }
    }
    return true
  }

  private mutating func begin(_ value: JSON) throws(JSONError) {
    switch value.storage {
    case .node(let document, let index):
      let word = document.word(index)
      if options.sortsKeys, word.kind.isStart { return openFrame(value) }
      words = WordCursor(
        document: document, position: index, end: document.after(index), run: word.offset..<word.offset)
    case .overlay: openFrame(value)
    case .scalar(let scalar):
      switch scalar.content {
      case .string(var string):
        string.withUTF8 { unsafe layout.writeText(UnsafeRawBufferPointer($0)) }
      case .number(let number):
        guard number.nonFinite == nil else {
          throw writingError(.nonFiniteNumber, "expected a number, found NaN or infinity, which JSON cannot represent")
        }
        var text = options.spelling == .source ? number.sourceText : number.text
        text.withUTF8 { unsafe layout.output.append(UnsafeRawBufferPointer($0)) }
      }
    case .bool(let value): if value { layout.output.append("true") } else { layout.output.append("false") }
    case .null, .lazy: layout.output.append("null")
    case .unknown:
      throw writingError(
        .unsupportedValue, "expected a value that JSON can represent, found a Swift value of another type")
    }
  }

  private func writingError(_ code: JSONError.Code, _ reason: String) -> JSONError {
    JSONError(code: code, byteOffset: writtenBefore + layout.output.count, reason: reason)
  }

  /// Calls `body` with the bytes that were written and not yet passed on.
  func withOutput<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe layout.output.withBytes(body)
  }

  /// Discards the bytes in `output` after they were passed on.
  mutating func discardOutput() {
    writtenBefore += layout.output.count
    layout.output.removeAll()
  }

  private mutating func openFrame(_ value: JSON) {
    let frame = Frame(value, sortsKeys: options.sortsKeys)
    layout.open(frame.isObject ? ASCII.openBrace : ASCII.openBracket)
    frames.append(frame)
  }

  // MARK: Tape words

  /// Copies the source without the white space between tokens. Adjacent tokens are copied as one run.
  private mutating func copyWords(_ cursor: inout WordCursor, _ limit: Int) {
    let document = cursor.document
    unsafe document.withSource { source in
      var run = cursor.run
      while cursor.position < cursor.end, layout.output.count &+ run.count < limit {
        let word = document.word(cursor.position)
        let kind = word.kind
        let separates = cursor.place.isAfterKey || !(cursor.place.isFirst || kind.isEnd)
        let upper = word.isLong ? document.range(of: cursor.position).upperBound : word.end
        if word.offset &- run.upperBound == (separates ? 1 : 0) {
          run = run.lowerBound..<max(upper, run.lowerBound)
        } else {
          unsafe append(source, run)
          if separates { layout.output.append(cursor.place.isAfterKey ? ASCII.colon : ASCII.comma) }
          run = word.offset..<upper
        }
        cursor.place.isFirst = kind.isStart
        cursor.place.isAfterKey = kind.isKey
        cursor.position &+= kind.isStart ? 2 : 1
      }
      // A long string is written in chunks too.
      let room = max(limit &- layout.output.count, 0)
      let taken = run.lowerBound..<(run.count <= room ? run.upperBound : run.lowerBound &+ room)
      unsafe append(source, taken)
      cursor.run = taken.upperBound..<run.upperBound
    }
  }

  private mutating func append(_ source: UnsafeRawBufferPointer, _ range: Range<Int>) {
    unsafe layout.output.append(UnsafeRawBufferPointer(rebasing: source[range.clamped(to: 0..<source.count)]))
  }

  /// Writes token by token, with the layout and spelling of the options.
  private mutating func spellWords(_ cursor: inout WordCursor, _ limit: Int) {
    let document = cursor.document
    while cursor.position < cursor.end, layout.output.count < limit {
      let kind = document.word(cursor.position).kind
      unsafe layout.write(kind, at: &cursor.place) { body in
        unsafe document.withText(of: cursor.position) { unsafe body($0) }
      }
      cursor.position &+= kind.isStart ? 2 : 1
    }
  }

  private mutating func writeName(_ name: ChildCursor.Name) {
    switch name {
    case .source(let document, let index):
      unsafe document.withText(of: index) {
        unsafe layout.writeSource($0, isEscaped: document.word(index).kind.isEscaped)
      }
    case .built(let name):
      var string = name.string
      string.withUTF8 { unsafe layout.writeText(UnsafeRawBufferPointer($0)) }
    }
  }
}
