extension JSONPointer {
  /// Reads a pointer that stands in a URI: `#/c%25d`.
  ///
  /// What a fragment of RFC 3986 cannot hold must be percent-encoded, and what is decoded must be UTF-8. Decoding comes
  /// first: `%7E1` is `~1`, which is a `/` inside a token.
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
        for place in (index + 1)...(index + 2) {
          guard place < text.count, let digit = text[place].hexValue else {
            throw Self.failure("two hexadecimal digits after '%'", in: text, at: place)
          }
          byte = byte << 4 | UInt8(truncatingIfNeeded: digit)
        }
        decoded.append(byte)
        index += 3
      } else if Self.standsInFragment(text[index]) {
        decoded.append(text[index])
        index += 1
      } else {
        throw Self.failure(
          "'%' and two hexadecimal digits for each byte that a fragment cannot hold", in: text, at: index)
      }
    }
    if let wrong = Self.firstIllFormed(decoded) {
      throw Self.failure("UTF-8 in percent-encoded bytes", in: text, at: Self.place(of: wrong, in: text))
    }
    do throws(JSONError) {
      self.init(names: try Self.names(of: decoded))
    } catch {
      let place = Self.place(of: error.byteOffset, in: text)
      throw JSONError(error.code, at: place, error.payload)
    }
  }

  /// The pointer as a URI has it: `#`, and ``description`` with percent signs for the bytes that a fragment of RFC 3986 cannot
  /// hold, and for no others.
  public var fragment: String {
    var text = [ASCII.hash]
    for byte in description.utf8 {
      if Self.standsInFragment(byte) {
        text.append(byte)
      } else {
        text.append(ASCII.percent)
        text += (byte < 16 ? "0" : "").utf8
        text += String(byte, radix: 16, uppercase: true).utf8
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// `pchar`, `/` and `?` of RFC 3986.
  private static func standsInFragment(_ byte: UInt8) -> Bool {
    if byte.isLetter || byte.isDigit { return true }
    switch Unicode.Scalar(byte) {
    case "-", ".", "_", "~", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=", ":", "@", "/", "?": return true
    default: return false
    }
  }

  /// Where the first bytes stand that are no character.
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

  /// The place in a fragment of a byte that was decoded from it.
  private static func place(of decoded: Int, in text: [UInt8]) -> Int {
    var place = 1
    for _ in 0..<decoded where place < text.count { place += text[place] == ASCII.percent ? 3 : 1 }
    return place
  }
}
