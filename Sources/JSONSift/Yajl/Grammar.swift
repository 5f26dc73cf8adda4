/// The state of the JSON grammar (RFC 8259) between tokens.
///
/// libyajl decides whether a text is JSON. This type tracks the same grammar for two facts that libyajl does not report:
/// where an unfinished token began, and which token was expected at a rejected byte.
struct Grammar {
  enum State: UInt8 {
    case value, firstElement, element, afterElement, firstKey, key, colon, memberValue, afterMember, end
  }

  var state: State
  /// The offset after the last event.
  var lastEnd: Int
  /// Whether the last event is a number.
  var lastIsNumber: Bool

  init() {
    state = .value
    lastEnd = 0
    lastIsNumber = false
  }

  /// The result of scanning to the next token.
  enum Gap {
    /// The rest of the window contains only white space and punctuation.
    case exhausted
    /// A token begins at this index of the window.
    case token(Int)
    /// The byte at this index is not allowed there.
    case misplaced(Int)
  }

  /// Skips white space, commas and colons from `index` to the next token.
  mutating func advance(in window: UnsafeRawBufferPointer, from index: Int) -> Gap {
    var index = index
    while index < window.count {
      let byte = unsafe window[index]
      switch byte {
      case ASCII.space, ASCII.lineFeed, ASCII.carriageReturn, ASCII.tab:
        index += unsafe ByteScan.whitespacePrefix(UnsafeRawBufferPointer(rebasing: window[index...]))
        continue
      case ASCII.comma:
        switch state {
        case .afterElement: state = .element
        case .afterMember: state = .key
        default: return .misplaced(index)
        }
      case ASCII.colon:
        guard state == .colon else { return .misplaced(index) }
        state = .memberValue
      default:
        return allows(byte) ? .token(index) : .misplaced(index)
      }
      index += 1
    }
    return .exhausted
  }

  /// Returns whether a token that begins with `byte` is allowed in this state.
  func allows(_ byte: UInt8) -> Bool {
    switch byte {
    case ASCII.quote: allowsValue || state == .firstKey || state == .key
    case ASCII.openBrace, ASCII.openBracket, ASCII.minus, ASCII.zero...ASCII.nine, ASCII.lowerT, ASCII.lowerF,
      ASCII.lowerN:
      allowsValue
    case ASCII.closeBracket: state == .firstElement || state == .afterElement
    case ASCII.closeBrace: state == .firstKey || state == .afterMember
    default: false
    }
  }

  private var allowsValue: Bool {
    state == .value || state == .firstElement || state == .element || state == .memberValue
  }

  /// Whether a string that begins here is a key.
  var expectsKey: Bool { state == .firstKey || state == .key }

  /// What the grammar allows in this state.
  var expectation: Expectation {
    switch state {
    case .value, .memberValue: .value
    case .element: .elementAfterComma
    case .firstElement: .elementOrEnd
    case .afterElement: .commaOrArrayEnd
    case .firstKey: .keyOrEnd
    case .key: .keyAfterComma
    case .colon: .colon
    case .afterMember: .commaOrObjectEnd
    case .end: .endOfText
    }
  }

  /// Returns the error for `byte`, which is not allowed at `offset` of the input.
  func misplaced(_ byte: UInt8, at offset: Int) -> JSONError {
    let found = JSONError.Found(byte: byte)
    if lastIsNumber, offset == lastEnd, Self.continuesNumber(byte) {
      return JSONError(.invalidNumber, at: offset, found: found, expected: .endOfNumber)
    }
    if state == .end { return JSONError(.trailingContent, at: offset, found: found, expected: .endOfText) }
    return JSONError(.unexpectedByte, at: offset, found: found, expected: expectation)
  }

  /// Returns whether the author of the text may have intended the byte as a part of a number. A JSON number ends before it,
  /// so the error is reported for the number.
  private static func continuesNumber(_ byte: UInt8) -> Bool {
    byte.isDigit || byte.isLetter || byte == ASCII.dot || byte == ASCII.plus || byte == ASCII.minus
      || byte == ASCII.underscore
  }
}

extension Grammar {
  /// Advances the state past one complete value.
  mutating func skipValue() {
    switch state {
    case .value: state = .end
    case .firstElement, .element: state = .afterElement
    case .memberValue: state = .afterMember
    default: break
    }
    lastIsNumber = false
  }
}
