/// A place in a text, as people name it.
public struct SourcePosition: Sendable, Hashable {
  /// Bytes before the place.
  public let byteOffset: Int
  /// The line, from 1. A line feed ends a line.
  public let line: Int
  /// The column, from 1, in bytes.
  public let column: Int

  /// A place that is known.
  public init(byteOffset: Int, line: Int, column: Int) {
    self.byteOffset = byteOffset
    self.line = line
    self.column = column
  }

  /// Counts lines up to `byteOffset`. An offset past the end gives the position of the end.
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
