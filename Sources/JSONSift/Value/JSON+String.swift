extension JSON {
  /// The string, or `nil` if this is not a string.
  ///
  /// Setting makes this a string; `nil` makes it null.
  public var string: String? {
    get {
      guard case .node(let document, let index) = raw else { return builtString }
      return document.word(index).kind.isString ? document.string(at: index) : nil
    }
    set { self = newValue.map { JSON(string: $0) } ?? .null }
  }

  /// The string, a number as plain text, or `true` or `false`; otherwise empty.
  ///
  /// For a number: an integer has all its digits. A decimal of up to 38 digits is exact, without redundant zeros, and with
  /// an exponent if it is below 0.0001 or has more than 16 digits before its decimal point. Any other number is the shortest
  /// text that parses back to the same Double.
  public var stringValue: String {
    get {
      switch raw {
      case .node(let document, let index):
        let kind = document.word(index).kind
        if kind.isString { return document.string(at: index) }
        guard kind == .number else { return kind == .true ? "true" : kind == .false ? "false" : "" }
        guard let number = decimalText, !number.isOutOfRange else { return numberText ?? "" }
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
  /// Calls `body` with the bytes of a string, escapes decoded; with no bytes if the value is not a string.
  func withStringBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if case .node(let document, let index) = raw, document.word(index).kind.isString {
      return unsafe document.withDecodedText(of: index, body)
    }
    var string = builtString ?? ""
    return string.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
  }

  /// The Bool, or `nil` if this is neither `true` nor `false`.
  ///
  /// Setting makes this a Bool; `nil` makes it null.
  public var bool: Bool? {
    get {
      switch raw {
      case .node(let document, let index): document.word(index).kind.bool
      case .bool(let value): value
      default: nil
      }
    }
    set { self = newValue.map { JSON(.bool($0)) } ?? .null }
  }

  /// Whether this is `true`, a number whose nearest Double is not 0, or one of the strings `true`, `t`, `yes`, `y` and `1`,
  /// case-insensitively. All other values are false.
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
