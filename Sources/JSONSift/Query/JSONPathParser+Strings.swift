extension JSONPathParser {
  /// Parses a string in single or double quotes (`string-literal` of RFC 9535).
  mutating func quoted() throws(PathSyntaxError) -> String {
    let quote = text[index]
    index += 1
    var result = ""
    var run = index
    while let byte = current {
      if byte == quote {
        result += string(run..<index)
        index += 1
        return result
      }
      guard byte >= 0x20 else {
        let escape = Self.quoted(String(Unicode.Scalar(byte))).dropFirst().dropLast()
        throw failure("an escape for a control character in a string", Repair(index..<(index + 1), String(escape)))
      }
      guard byte == ASCII.backslash else {
        index += 1
        continue
      }
      result += string(run..<index)
      index += 1
      result.unicodeScalars.append(try escape(quote))
      run = index
    }
    let close = Character(Unicode.Scalar(quote))
    let isBracketed = text.last == ASCII.closeBracket
    let offset = isBracketed ? text.count - 1 : text.count
    throw failure("the closing quote of a string", Repair(offset..<offset, String(close)))
  }

  private mutating func escape(_ quote: UInt8) throws(PathSyntaxError) -> Unicode.Scalar {
    let start = index - 1
    switch current {
    case quote, ASCII.backslash, ASCII.slash:
      defer { index += 1 }
      return Unicode.Scalar(text[index])
    case 0x62: index += 1; return "\u{8}"
    case ASCII.lowerF: index += 1; return "\u{C}"
    case ASCII.lowerN: index += 1; return "\n"
    case 0x72: index += 1; return "\r"
    case ASCII.lowerT: index += 1; return "\t"
    case ASCII.lowerU: break
    case ASCII.quote, ASCII.apostrophe:
      throw failure("no '\\' before a quote of the other kind", Repair(start..<index, ""))
    default:
      throw failure("an escape after '\\': one of \\ / b f n r t u and the quote", Repair(start..<start, "\\"))
    }
    let high = try codeUnit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    if 0xD800...0xDBFF ~= high, current == ASCII.backslash, byte(1) == ASCII.lowerU {
      index += 1
      let low = try codeUnit()
      if 0xDC00...0xDFFF ~= low, let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) {
        return scalar
      }
    }
    index = start
    throw failure("a \\u escape of a whole character")
  }

  /// Parses four hexadecimal digits after the `u` at `index`.
  private mutating func codeUnit() throws(PathSyntaxError) -> UInt32 {
    index += 1
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = current?.hexValue else { throw failure("four hexadecimal digits after \\u") }
      unit = unit << 4 | digit
      index += 1
    }
    return unit
  }

  /// Returns a string in the notation of normalized paths (RFC 9535, 2.7): in single quotes, and only with the required
  /// escapes.
  static func quoted(_ string: String, by quote: Character = "'") -> String {
    var result = String(quote)
    for scalar in string.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x27: result += Character(scalar) == quote ? "\\\(quote)" : String(scalar)
      case 0x5C: result += "\\\\"
      case 0..<0x20:
        StringEscaper.appendEscape(of: UInt8(scalar.value)) { result.unicodeScalars.append(Unicode.Scalar($0)) }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + String(quote)
  }

  /// Returns the offset in the text of a byte of the string that a literal spells.
  func offset(ofByte byte: Int, inLiteralAt start: Int) -> Int {
    var (offset, decoded) = (start + 1, 0)
    while decoded < byte, offset < text.count {
      var escape = self
      escape.index = offset + 1
      if text[offset] == ASCII.backslash, let scalar = try? escape.escape(text[start]) {
        (offset, decoded) = (escape.index, decoded + UTF8.width(scalar))
      } else {
        (offset, decoded) = (offset + 1, decoded + 1)
      }
    }
    return offset
  }
}
