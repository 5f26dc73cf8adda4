extension JSONPointer {
  /// Parses a pointer written as a URI fragment, such as `#/c%25d`.
  ///
  /// Bytes that RFC 3986 does not allow in a fragment must be percent-encoded, and the decoded bytes must be UTF-8.
  /// Percent-decoding precedes unescaping: `%7E1` becomes `~1`, which is a `/` inside a token.
  ///
  /// - Throws: ``JSONError`` with code ``JSONError/Code/invalidPath``; its offset counts bytes of `fragment`.
  public init(fragment: String) throws(JSONError) {
    let text = Array(fragment.utf8)
    guard text.first == ASCII.hash else { throw Self.failure("'#' at the start of a fragment", in: text, at: 0) }
    var decoded: [UInt8] = []
    var index = 1
    while index < text.count {
      if text[index] == ASCII.percent {
        var byte: UInt8 = 0
        for offset in (index + 1)...(index + 2) {
          guard offset < text.count, let digit = text[offset].hexValue else {
            throw Self.failure("two hexadecimal digits after '%'", in: text, at: offset)
          }
          byte = byte << 4 | UInt8(truncatingIfNeeded: digit)
        }
        decoded.append(byte)
        index += 3
      } else if Self.isAllowedInFragment(text[index]) {
        decoded.append(text[index])
        index += 1
      } else {
        throw Self.failure(
          "'%' and two hexadecimal digits for each byte that a fragment cannot hold", in: text, at: index)
      }
    }
    if let wrong = Self.firstIllFormed(decoded) {
      throw Self.failure("UTF-8 in percent-encoded bytes", in: text, at: Self.offset(of: wrong, in: text))
    }
    do throws(JSONError) {
      self.init(names: try Self.names(of: decoded))
    } catch {
      let offset = Self.offset(of: error.byteOffset, in: text)
      throw JSONError(error.code, at: offset, error.payload)
    }
  }

  /// The pointer as a URI fragment: `#` and ``description``, percent-encoding exactly the bytes that RFC 3986 does not allow
  /// in a fragment.
  public var fragment: String {
    var text = [ASCII.hash]
    for byte in description.utf8 {
      if Self.isAllowedInFragment(byte) {
        text.append(byte)
      } else {
        text.append(ASCII.percent)
        text += (byte < 16 ? "0" : "").utf8
        text += String(byte, radix: 16, uppercase: true).utf8
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns whether RFC 3986 allows a byte in a fragment: `pchar`, `/` or `?`.
  private static func isAllowedInFragment(_ byte: UInt8) -> Bool {
    if byte.isLetter || byte.isDigit { return true }
    switch Unicode.Scalar(byte) {
    case "-", ".", "_", "~", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=", ":", "@", "/", "?": return true
    default: return false
    }
  }

  /// Returns the offset of the first bytes that are not valid UTF-8, or `nil`.
  private static func firstIllFormed(_ bytes: [UInt8]) -> Int? {
    var rest = bytes.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let character): offset += character.count
      case .emptyInput: return nil
      case .error: return offset
      }
    }
  }

  /// Returns the offset in the fragment from which the byte at offset `decoded` was decoded.
  private static func offset(of decoded: Int, in text: [UInt8]) -> Int {
    var offset = 1
    for _ in 0..<decoded where offset < text.count { offset += text[offset] == ASCII.percent ? 3 : 1 }
    return offset
  }
}
