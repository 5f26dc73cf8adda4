extension JSON {
  /// The characters of a string, or `nil` if this is none.
  ///
  /// Setting makes this a string; `nil` makes it null.
  public var string: String? {
    get {
      guard case .node(let document, let index) = raw else { return builtString }
      return document.word(index).kind.isString ? document.string(at: index) : nil
    }
    set { self = newValue.map { JSON(string: $0) } ?? .null }
  }

  /// A string's characters, a number as plain text, `true` or `false`; otherwise empty.
  ///
  /// Of a number: an integer has all its digits; a decimal of up to 38 digits is exact, without needless zeros, and with
  /// an exponent where it is below 0.0001 or has more than 16 digits before its point; any other is the shortest text that
  /// reads back to the same Double.
  public var stringValue: String {
    get {
      switch raw {
      case .node(let document, let index):
        let kind = document.word(index).kind
        if kind.isString { return document.string(at: index) }
        guard kind == .number else { return kind == .true ? "true" : kind == .false ? "false" : "" }
        guard let number = decimalText, !number.isBeyond || number.digits.isEmpty else { return numberText ?? "" }
        return number.displayText
      case .scalar(let scalar):
        switch scalar.content {
        case .string(let string): return string
        case .number(let number): return number.text
        }
      case .bool(let value): return value ? "true" : "false"
      default: return ""
      }
    }
    set { string = newValue }
  }
}

extension JSON {
  /// The value of `true` or `false`, or `nil` if this is neither.
  ///
  /// Setting makes this a Bool; `nil` makes it null.
  public var bool: Bool? {
    get {
      switch raw {
      case .node(let document, let index):
        switch document.word(index).kind {
        case .true: true
        case .false: false
        default: nil
        }
      case .bool(let value): value
      default: nil
      }
    }
    set { self = newValue.map { JSON(.bool($0)) } ?? .null }
  }

  /// `true`, a number whose nearest Double is not 0, and the strings `true`, `t`, `yes`, `y` and `1` in any case are true; all else is
  /// false.
  public var boolValue: Bool {
    get {
      switch type {
      case .bool: bool ?? false
      case .number: double != 0
      case .string: ["true", "t", "yes", "y", "1"].contains(stringValue.lowercased())
      default: false
      }
    }
    set { bool = newValue }
  }
}
