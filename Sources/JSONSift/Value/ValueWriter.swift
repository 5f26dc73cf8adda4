/// Writes one value, a piece at a time.
///
/// Of a value that stands in a text the words are walked in their order, without a value for each of them. Everything
/// else has a frame for each open container, so that depth costs memory and no stack.
struct ValueWriter: ~Copyable {
  /// What is handed out at once.
  static let piece = 1 << 16

  private let options: JSONWriterOptions
  /// What has been written and not yet been taken.
  var output: ByteBuffer
  private var writtenBefore = 0
  private var root: JSON?
  private var frames: [Frame] = []
  private var depth = 0
  private var words: WordCursor?
  private let copiesSource: Bool

  init(_ json: JSON, _ options: JSONWriterOptions) {
    self.options = options
    root = json
    copiesSource = !options.isPretty && options.slashes == .asWritten && options.spelling == .source
    output = ByteBuffer(capacity: 256)
  }

  /// A container that is being written child by child.
  private struct Frame {
    let isObject: Bool
    private var children: ChildCursor
    private var sorted: [ChildCursor.Child] = []
    private var next = 0
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
      sorted = order.map { members[$0].child }
    }

    mutating func nextChild() -> (child: ChildCursor.Child, isFirst: Bool)? {
      guard let child = isSorted ? nextSorted() : children.next() else { return nil }
      defer { isEmpty = false }
      return (child, isEmpty)
    }

    private mutating func nextSorted() -> ChildCursor.Child? {
      guard next < sorted.count else { return nil }
      defer { next += 1 }
      return sorted[next]
    }
  }

  /// Where in a text the writer is.
  private struct WordCursor {
    let document: Document
    var position: UInt32
    let end: UInt32
    /// Nothing has been written in the container around the next word.
    var isFirst = true
    var isAfterKey = false
    /// The value that the writer began with is open.
    var isInside = false
    /// Source bytes that are to be copied next, without a break.
    var run: Range<Int>
  }

  /// Writes on until at least `limit` bytes are in `output`. False when the value is written.
  mutating func fill(to limit: Int) throws(JSONError) -> Bool {
    while output.count < limit {
      if var cursor = words.take() {
        if copiesSource { copyWords(&cursor, limit) } else { try spellWords(&cursor, limit) }
        if cursor.position < cursor.end || !cursor.run.isEmpty { words = cursor }
      } else if let value = root.take() {
        try begin(value)
      } else if let (child, isFirst) = frames.isEmpty ? nil : frames[frames.count - 1].nextChild() {
        separate(isFirst: isFirst)
        if let name = child.name {
          writeName(name)
          writeColon()
        }
        try begin(child.value)
      } else if let frame = frames.popLast() {
        close(frame.isObject ? ASCII.closeBrace : ASCII.closeBracket, isEmpty: frame.isEmpty)
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
    case .branch: openFrame(value)
    case .scalar(let scalar):
      switch scalar.content {
      case .string(var string):
        string.withUTF8 { unsafe writeText(UnsafeRawBufferPointer($0)) }
      case .number(let number):
        guard number.nonFinite == nil else {
          throw refusal(.nonFiniteNumber, "expected a number, found NaN or infinity, which JSON cannot write")
        }
        var text = options.spelling == .source ? number.sourceText : number.text
        text.withUTF8 { unsafe output.append(UnsafeRawBufferPointer($0)) }
      }
    case .bool(let value): if value { output.append("true") } else { output.append("false") }
    case .null: output.append("null")
    case .unknown:
      throw refusal(.unsupportedValue, "expected a value that JSON has a form for, found one of another Swift type")
    }
  }

  private func refusal(_ code: JSONError.Code, _ reason: String) -> JSONError {
    JSONError(code: code, byteOffset: writtenBefore + output.count, reason: reason)
  }

  /// Forgets what has been taken out of `output`.
  mutating func discardOutput() {
    writtenBefore += output.count
    output.removeAll()
  }

  // MARK: Layout

  private var isIndented: Bool { options.isPretty && depth <= JSONWriterOptions.prettyDepth }

  private mutating func openFrame(_ value: JSON) {
    let frame = Frame(value, sortsKeys: options.sortsKeys)
    open(frame.isObject ? ASCII.openBrace : ASCII.openBracket)
    frames.append(frame)
  }

  private mutating func open(_ bracket: UInt8) {
    output.append(bracket)
    depth += 1
  }

  private mutating func close(_ bracket: UInt8, isEmpty: Bool) {
    let wasIndented = isIndented
    depth -= 1
    if wasIndented {
      // Foundation's: an empty container has an empty line.
      if isEmpty { output.append(ASCII.lineFeed) }
      breakLine()
    }
    output.append(bracket)
  }

  private mutating func separate(isFirst: Bool) {
    if !isFirst { output.append(ASCII.comma) }
    if isIndented { breakLine() }
  }

  private mutating func breakLine() {
    output.append(ASCII.lineFeed)
    output.append(repeating: ASCII.space, count: depth * 2)
  }

  private mutating func writeColon() {
    if isIndented { output.append(" : ") } else { output.append(ASCII.colon) }
  }

  // MARK: Words

  /// Copies the source but for white space between tokens: as long as tokens stand side by side they are one run.
  private mutating func copyWords(_ cursor: inout WordCursor, _ limit: Int) {
    let document = cursor.document
    unsafe document.withSource { source in
      var run = cursor.run
      while cursor.position < cursor.end, output.count &+ run.count < limit {
        let word = document.word(cursor.position)
        let kind = word.kind
        let separates = cursor.isAfterKey || !(cursor.isFirst || kind.isEnd)
        let upper = word.isLong ? document.range(of: cursor.position).upperBound : word.end
        if word.offset &- run.upperBound == (separates ? 1 : 0) {
          run = run.lowerBound..<max(upper, run.lowerBound)
        } else {
          unsafe append(source, run)
          if separates { output.append(cursor.isAfterKey ? ASCII.colon : ASCII.comma) }
          run = word.offset..<upper
        }
        cursor.isFirst = kind.isStart
        cursor.isAfterKey = kind.isKey
        cursor.position &+= kind.isStart ? 2 : 1
      }
      // A long string goes out in pieces too.
      let room = max(limit &- output.count, 0)
      let taken = run.lowerBound..<(run.count <= room ? run.upperBound : run.lowerBound &+ room)
      unsafe append(source, taken)
      cursor.run = taken.upperBound..<run.upperBound
    }
  }

  private mutating func append(_ source: UnsafeRawBufferPointer, _ range: Range<Int>) {
    unsafe output.append(UnsafeRawBufferPointer(rebasing: source[range.clamped(to: 0..<source.count)]))
  }

  /// Writes token by token, with layout and spelling as asked.
  private mutating func spellWords(_ cursor: inout WordCursor, _ limit: Int) throws(JSONError) {
    let document = cursor.document
    while cursor.position < cursor.end, output.count < limit {
      let word = document.word(cursor.position)
      let kind = word.kind
      if !kind.isEnd, !cursor.isAfterKey, cursor.isInside { separate(isFirst: cursor.isFirst) }
      switch kind {
      case .objectStart: open(ASCII.openBrace)
      case .arrayStart: open(ASCII.openBracket)
      case .objectEnd: close(ASCII.closeBrace, isEmpty: cursor.isFirst)
      case .arrayEnd: close(ASCII.closeBracket, isEmpty: cursor.isFirst)
      case .null: output.append("null")
      case .true: output.append("true")
      case .false: output.append("false")
      case .number: unsafe document.withText(of: cursor.position) { unsafe writeNumber($0) }
      default:
        unsafe document.withText(of: cursor.position) { unsafe writeSource($0, isEscaped: kind.isEscaped) }
        if kind.isKey { writeColon() }
      }
      cursor.isFirst = kind.isStart
      cursor.isAfterKey = kind.isKey
      cursor.position &+= kind.isStart ? 2 : 1
      cursor.isInside = true
    }
  }

  // MARK: Tokens

  private mutating func writeNumber(_ text: UnsafeRawBufferPointer) {
    guard options.spelling == .normalized else { return unsafe output.append(text) }
    // An integer is spelled as it is, but for the integer -0.
    if let integer = unsafe NumberBytes.integer(text), integer.magnitude != 0 { return unsafe output.append(text) }
    guard let number = unsafe DecimalText(prefixOf: text), !number.isBeyond || number.digits.isEmpty else {
      return unsafe output.append(text)
    }
    var display = number.displayText
    display.withUTF8 { unsafe output.append(UnsafeRawBufferPointer($0)) }
  }

  private mutating func writeName(_ name: ChildCursor.Name) {
    switch name {
    case .source(let document, let index):
      unsafe document.withText(of: index) {
        unsafe writeSource($0, isEscaped: document.word(index).kind.isEscaped)
      }
    case .built(let name):
      var string = name.string
      string.withUTF8 { unsafe writeText(UnsafeRawBufferPointer($0)) }
    }
  }

  /// Writes a string of a text, given what stands between its quotes.
  private mutating func writeSource(_ raw: UnsafeRawBufferPointer, isEscaped: Bool) {
    if options.spelling == .normalized, isEscaped {
      return unsafe EscapedText.withDecoded(raw) { unsafe writeText($0) }
    }
    output.append(ASCII.quote)
    if options.slashes == .asWritten || (options.slashes == .plain && !isEscaped) {
      unsafe output.append(raw)
    } else {
      var start = 0
      var index = 0
      while index < raw.count {
        let isPair = unsafe raw[index] == ASCII.backslash && index + 1 < raw.count
        if unsafe raw[index + (isPair ? 1 : 0)] == ASCII.slash, isPair != (options.slashes == .escaped) {
          unsafe append(raw, start..<index)
          if options.slashes == .escaped { output.append(ASCII.backslash) }
          output.append(ASCII.slash)
          start = index + (isPair ? 2 : 1)
        }
        index += isPair ? 2 : 1
      }
      unsafe append(raw, start..<raw.count)
    }
    output.append(ASCII.quote)
  }

  /// Writes characters as a string, with the escapes that it needs.
  private mutating func writeText(_ text: UnsafeRawBufferPointer) {
    output.append(ASCII.quote)
    let escapesSlashes = options.slashes == .escaped
    var start = 0
    for index in 0..<text.count {
      let byte = unsafe text[index]
      let isEscaped =
        byte < ASCII.space || byte == ASCII.quote || byte == ASCII.backslash || (byte == ASCII.slash && escapesSlashes)
      guard isEscaped else { continue }
      unsafe append(text, start..<index)
      start = index + 1
      switch byte {
      case 0x08: output.append("\\b")
      case ASCII.tab: output.append("\\t")
      case ASCII.lineFeed: output.append("\\n")
      case ASCII.formFeed: output.append("\\f")
      case ASCII.carriageReturn: output.append("\\r")
      case ..<ASCII.space:
        output.append("\\u00")
        output.append(ASCII.zero + byte >> 4)
        output.append(byte & 15 < 10 ? ASCII.zero + byte & 15 : 0x61 + byte & 15 - 10)
      default:
        output.append(ASCII.backslash)
        output.append(byte)
      }
    }
    unsafe append(text, start..<text.count)
    output.append(ASCII.quote)
  }
}
