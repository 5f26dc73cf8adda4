extension JSON: ExpressibleByStringLiteral {
  /// Creates a string.
  public init(stringLiteral value: String) { self.init(string: value) }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// Creates a number.
  public init(integerLiteral value: Int) { self.init(BuiltNumber(value)) }
}

extension JSON: ExpressibleByFloatLiteral {
  /// Creates a number.
  public init(floatLiteral value: Double) { self.init(.double(value)) }
}

extension JSON: ExpressibleByBooleanLiteral {
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self.init(.bool(value)) }
}

extension JSON: ExpressibleByArrayLiteral {
  /// Creates an array. The elements are converted as by ``init(_:)``.
  public init(arrayLiteral elements: Any...) { self.init(elements: elements.map { JSON($0) }) }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// Creates an object with members in this order. If keys are equal, the last one is used.
  public init(dictionaryLiteral elements: (String, Any)...) {
    self.init(members: elements.lazy.map { ($0.0, JSON($0.1)) })
  }
}
