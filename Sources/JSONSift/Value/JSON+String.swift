extension JSON {
  /// The characters of a string, or `nil` if this is none.
  public var string: String? {
    guard case .node(let document, let index) = storage, document.word(index).kind.isString else { return nil }
    return document.string(at: index)
  }

  /// A string's characters, a number as plain text, `true` or `false`; otherwise empty.
  ///
  /// Of a number: an integer has all its digits; a decimal of up to 38 digits is exact, without needless zeros, and with
  /// an exponent where it is very small or large; any other is the shortest text that reads back to the same Double.
  public var stringValue: String {
    guard case .node(let document, let index) = storage else { return "" }
    switch document.word(index).kind {
    case .string, .escapedString: return document.string(at: index)
    case .number:
      guard let number = decimalText, !number.isBeyond || number.digits.isEmpty else { return numberText ?? "" }
      return number.displayText
    case .true: return "true"
    case .false: return "false"
    default: return ""
    }
  }
}

extension JSON {
  /// The value of `true` or `false`, or `nil` if this is neither.
  public var bool: Bool? {
    guard case .node(let document, let index) = storage else { return nil }
    switch document.word(index).kind {
    case .true: return true
    case .false: return false
    default: return nil
    }
  }

  /// `true`, a number that is not 0, and the strings `true`, `t`, `yes`, `y` and `1` in any case are true; all else is
  /// false.
  public var boolValue: Bool {
    switch type {
    case .bool: bool ?? false
    case .number: (decimalText?.digits.isEmpty).map { !$0 } ?? false
    case .string: ["true", "t", "yes", "y", "1"].contains(stringValue.lowercased())
    default: false
    }
  }
}
