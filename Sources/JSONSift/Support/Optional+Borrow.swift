extension Optional where Wrapped: ~Copyable {
  /// Calls `body` with the value, without consuming it. Returns `nil` if there is none.
  ///
  /// Optional chaining would consume `self` to read a property of a value that cannot be copied.
  @inline(__always)
  func borrow<Result>(_ body: (borrowing Wrapped) -> Result) -> Result? {
    switch self {
    case .some(let value): body(value)
    case .none: nil
    }
  }
}
