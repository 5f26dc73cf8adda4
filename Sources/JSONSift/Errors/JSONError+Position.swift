extension JSONError {
  /// A position in a text, as byte offset and as line and column.
  public struct Position: Sendable, Hashable {
    /// The number of bytes before the position.
    public let byteOffset: Int
    /// The line, counted from 1. A line feed ends a line.
    public let line: Int
    /// The column in bytes, counted from 1.
    public let column: Int

    /// Creates a position from known values.
    public init(byteOffset: Int, line: Int, column: Int) {
      self.byteOffset = byteOffset
      self.line = line
      self.column = column
    }

    /// Computes the position of `byteOffset`. An offset past the end gives the position of the end.
    ///
    /// - Complexity: O(`byteOffset`).
    public init(of byteOffset: Int, in input: some Sequence<UInt8>) {
      var line = 1
      var column = 1
      var seen = 0
      for byte in input {
        if seen >= byteOffset { break }
        seen += 1
        column += 1
        if byte == ASCII.lineFeed {
          line += 1
          column = 1
        }
      }
      self.init(byteOffset: byteOffset, line: line, column: column)
    }
  }
}
