extension JSON: ExpressibleByStringLiteral {
  /// A string.
  public init(stringLiteral value: String) { self.init(string: value) }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// A number.
  public init(integerLiteral value: Int) { self.init(BuiltNumber(value)) }
}

extension JSON: ExpressibleByFloatLiteral {
  /// A number.
  public init(floatLiteral value: Double) { self.init(.double(value)) }
}

extension JSON: ExpressibleByBooleanLiteral {
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self.init(.bool(value)) }
}

extension JSON: ExpressibleByArrayLiteral {
  /// An array of whatever ``init(_:)`` takes.
  public init(arrayLiteral elements: Any...) {
    self.init(elements: elements.map { JSON($0) })
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// An object with members in this order. Of equal keys the last wins.
  public init(dictionaryLiteral elements: (String, Any)...) {
    self.init(members: elements.lazy.map { ($0.0, JSON($0.1)) })
  }
}
