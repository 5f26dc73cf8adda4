/// The formatter of written text: it spells tokens according to the options, and writes the bytes between them.
struct TextLayout: ~Copyable {
  private let options: JSONWriterOptions
  /// The bytes that were written and not yet passed on.
  var output = ByteBuffer(capacity: 256)
  /// The number of open containers.
  private var depth = 0

  /// - Parameter depth: The number of open containers at the start.
  init(_ options: JSONWriterOptions, at depth: Int = 0) {
    self.options = options
    self.depth = depth
  }

  // MARK: Tokens

  /// Where a token stands among those of its value.
  struct Place {
    /// Whether the token is the first one in its container.
    var isFirst = true
    var isAfterKey = false
    /// Whether tokens precede it.
    var isInside = false
  }

  /// Writes a token of the given kind and what separates it from the token before it. `place` becomes that of the next one.
  ///
  /// - Parameter withText: Calls its argument with the text of the token, without quotes. Only for numbers, strings and keys.
  @inline(__always)
  mutating func write(
    _ kind: EventKind, at place: inout Place, withText: (_ body: (UnsafeRawBufferPointer) -> Void) -> Void
  ) {
    if !kind.isEnd, !place.isAfterKey, place.isInside { separate(isFirst: place.isFirst) }
    switch kind {
    case .objectStart: open(ASCII.openBrace)
    case .arrayStart: open(ASCII.openBracket)
    case .objectEnd: close(ASCII.closeBrace, isEmpty: place.isFirst)
    case .arrayEnd: close(ASCII.closeBracket, isEmpty: place.isFirst)
    case .null: output.append("null")
    case .true: output.append("true")
    case .false: output.append("false")
    case .number: unsafe withText { unsafe writeNumber($0) }
    default:
      unsafe withText { unsafe writeSource($0, isEscaped: kind.isEscaped) }
      if kind.isKey { writeColon() }
    }
    place = Place(isFirst: kind.isStart, isAfterKey: kind.isKey, isInside: true)
  }

  // MARK: Between tokens

  private var isIndented: Bool { options.isPretty && depth <= JSONLimits.maxRecursion }

  /// Opens a container.
  mutating func open(_ bracket: UInt8) {
    output.append(bracket)
    depth += 1
  }

  /// Closes a container.
  mutating func close(_ bracket: UInt8, isEmpty: Bool) {
    let wasIndented = isIndented
    depth -= 1
    if wasIndented, !isEmpty || options.layout == .foundation {
      // As in Foundation, an empty container has an empty line.
      if isEmpty { output.append(ASCII.lineFeed) }
      breakLine()
    }
    output.append(bracket)
  }

  /// Writes the bytes before a child.
  mutating func separate(isFirst: Bool) {
    if !isFirst { output.append(ASCII.comma) }
    if isIndented { breakLine() }
  }

  private mutating func breakLine() {
    output.append(ASCII.lineFeed)
    switch options.layout {
    case .foundation: output.append(repeating: ASCII.space, count: depth * 2)
    case .spaces(let count): output.append(repeating: ASCII.space, count: depth * min(max(count, 0), 16))
    case .tabs: output.append(repeating: ASCII.tab, count: depth)
    }
  }

  /// Writes the bytes between a name and its value.
  mutating func writeColon() {
    guard isIndented else { return output.append(ASCII.colon) }
    if options.layout == .foundation { output.append(" : ") } else { output.append(": ") }
  }

  // MARK: Tokens

  /// Writes a number of a parsed text.
  mutating func writeNumber(_ text: UnsafeRawBufferPointer) {
    guard options.spelling == .normalized else { return unsafe output.append(text) }
    // An integer keeps its spelling, except for the integer -0.
    if let integer = unsafe NumberBytes.integer(text), integer.magnitude != 0 { return unsafe output.append(text) }
    guard let number = unsafe DecimalText(prefixOf: text), !number.isOutOfRange else {
      return unsafe output.append(text)
    }
    var display = number.displayText
    display.withUTF8 { unsafe output.append(UnsafeRawBufferPointer($0)) }
  }

  /// Writes a string of a parsed text.
  ///
  /// - Parameters:
  ///   - raw: The source bytes between its quotes.
  ///   - isEscaped: Whether they contain a backslash.
  mutating func writeSource(_ raw: UnsafeRawBufferPointer, isEscaped: Bool) {
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
          unsafe output.append(UnsafeRawBufferPointer(rebasing: raw[start..<index]))
          if options.slashes == .escaped { output.append(ASCII.backslash) }
          output.append(ASCII.slash)
          start = index + (isPair ? 2 : 1)
        }
        index += isPair ? 2 : 1
      }
      unsafe output.append(UnsafeRawBufferPointer(rebasing: raw[start...]))
    }
    output.append(ASCII.quote)
  }

  /// Writes decoded UTF-8 as a string, with the necessary escapes.
  mutating func writeText(_ text: UnsafeRawBufferPointer) {
    unsafe output.append(quoting: text, escapesSlashes: options.slashes == .escaped)
  }
}
