extension Error {
  /// Evaluates an expression. An error that it throws is converted.
  @inline(__always)
  package static func converting<Result: ~Copyable, Other: Error>(
    _ body: @autoclosure () throws(Self) -> Result, _ convert: (Self) -> Other
  ) throws(Other) -> Result {
    do throws(Self) { return try body() } catch { throw convert(error) }
  }
}
