/// Text of a path to segments. What RFC 9535 has beyond names, indexes and wildcards is refused by name, so that nobody
/// takes it for a slip of the pen.
struct JSONPathParser {
  private let text: [UInt8]
  private var index = 0

  init(_ text: String) { self.text = Array(text.utf8) }

  mutating func segments() throws(JSONError) -> [JSONPath.Segment] {
    guard text.first == ASCII.dollar else { throw failure("'$' at the start of a path") }
    index = 1
    var segments: [JSONPath.Segment] = []
    while true {
      let end = index
      skipBlanks()
      guard index < text.count else {
        guard end == index else {
          index = end
          throw failure("the end of the path, without blanks after it")
        }
        return segments
      }
      guard segments.count < Self.mostSegments else { throw failure("at most \(Self.mostSegments) steps") }
      switch text[index] {
      case ASCII.dot: segments.append(try dotted())
      case ASCII.openBracket: segments.append(try bracketed())
      default: throw failure("'.' or '[' before the next step; a name that is no word stands in brackets: ['a-b']")
      }
    }
  }

  /// As many as a text of the default depth has levels: each is a call on the stack.
  private static let mostSegments = 1024

  private mutating func dotted() throws(JSONError) -> JSONPath.Segment {
    index += 1
    switch current {
    case ASCII.dot: throw failure("a name or '*' after '.'; descendants ('..') are not supported yet")
    case ASCII.star:
      index += 1
      return .wildcard
    case ASCII.openBracket: throw failure("a name or '*' after '.'; before '[' there is no '.'")
    default: break
    }
    let start = index
    guard let first = current, Self.beginsName(first) else { throw failure("a name or '*' after '.'") }
    while let byte = current, Self.beginsName(byte) || byte.isDigit { index += 1 }
    return .name(String(decoding: text[start..<index], as: UTF8.self))
  }

  private mutating func bracketed() throws(JSONError) -> JSONPath.Segment {
    index += 1
    skipBlanks()
    let segment: JSONPath.Segment
    switch current {
    case ASCII.star:
      index += 1
      segment = .wildcard
    case ASCII.quote, ASCII.apostrophe: segment = .name(try quoted())
    case let byte? where byte.isDigit: segment = .index(try number())
    case ASCII.minus: throw failure("an index from 0; indexes from the end are not supported yet")
    case UInt8(ascii: "?"): throw failure("a name in quotes, an index or '*'; filters ('?') are not supported yet")
    case ASCII.colon: throw failure("a name in quotes, an index or '*'; slices (':') are not supported yet")
    default: throw failure("a name in quotes, an index or '*' after '['")
    }
    skipBlanks()
    switch current {
    case ASCII.closeBracket: index += 1
    case ASCII.comma: throw failure("']'; several selectors (',') are not supported yet")
    case ASCII.colon: throw failure("']'; slices (':') are not supported yet")
    default: throw failure("']'")
    }
    return segment
  }

  private mutating func number() throws(JSONError) -> Int {
    let start = index
    var value = 0
    while let byte = current, byte.isDigit {
      // RFC 9535 keeps to the integers that a Double has exactly.
      guard value < 1 << 53 else { throw failure("an index below 2^53") }
      value = value * 10 + Int(byte - ASCII.zero)
      index += 1
    }
    guard value < 1 << 53 else { throw failure("an index below 2^53") }
    if index - start > 1, text[start] == ASCII.zero {
      index = start
      throw failure("an index without zeros before it")
    }
    return value
  }

  private mutating func quoted() throws(JSONError) -> String {
    let quote = text[index]
    index += 1
    var name = ""
    var run = index
    func runText(_ end: Int) -> String { String(decoding: text[run..<end], as: UTF8.self) }
    while let byte = current {
      if byte == quote {
        name += runText(index)
        index += 1
        return name
      }
      guard byte >= 0x20 else { throw failure("an escape for a control character in a name") }
      guard byte == ASCII.backslash else {
        index += 1
        continue
      }
      name += runText(index)
      index += 1
      name.unicodeScalars.append(try escape(quote))
      run = index
    }
    throw failure("the closing quote of a name")
  }

  private mutating func escape(_ quote: UInt8) throws(JSONError) -> Unicode.Scalar {
    guard let byte = current else { throw failure("an escape after '\\'") }
    switch byte {
    case quote, ASCII.backslash, ASCII.slash: index += 1; return Unicode.Scalar(byte)
    case 0x62: index += 1; return "\u{8}"
    case 0x66: index += 1; return "\u{C}"
    case 0x6E: index += 1; return "\n"
    case 0x72: index += 1; return "\r"
    case 0x74: index += 1; return "\t"
    case ASCII.lowerU: break
    default: throw failure("an escape after '\\': one of \\ / b f n r t u and the quote")
    }
    let start = index - 1
    let high = try codeUnit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    if 0xD800...0xDBFF ~= high, current == ASCII.backslash {
      index += 1
      if current == ASCII.lowerU {
        let low = try codeUnit()
        if 0xDC00...0xDFFF ~= low, let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) {
          return scalar
        }
      }
    }
    index = start
    throw failure("a \\u escape of a whole character")
  }

  /// Four hexadecimal digits after the `u` at `index`.
  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    index += 1
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = current?.hexValue else { throw failure("four hexadecimal digits after \\u") }
      unit = unit << 4 | digit
      index += 1
    }
    return unit
  }

  private var current: UInt8? { index < text.count ? text[index] : nil }

  private mutating func skipBlanks() {
    while let byte = current, byte.isJSONWhitespace { index += 1 }
  }

  private static func beginsName(_ byte: UInt8) -> Bool {
    byte.isLetter || byte == ASCII.underscore || byte >= 0x80
  }

  private func failure(_ expected: String) -> JSONError {
    JSONError(.invalidPath, at: index, found: current.map(JSONError.Found.init(byte:)), expected: expected)
  }
}
