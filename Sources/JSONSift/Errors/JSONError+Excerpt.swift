extension JSONError {
  /// The part of a line around an error, with a caret under the rejected byte.
  ///
  /// It shows text from the document, so only a program that owns the document should print it.
  ///
  /// ```text
  /// {"id": 17, "total": 12.50 "currency": "EUR"}
  ///                           ^
  /// ```
  public struct Excerpt: Sendable, Hashable, CustomStringConvertible {
    /// The text of the line, truncated to the width around the rejected byte; a byte that cannot be displayed is `·`.
    public let text: String
    /// The number of characters before the caret.
    public let caret: Int

    /// Creates the excerpt of the line that contains a byte.
    ///
    /// - Parameters:
    ///   - offset: The offset in `bytes` of the byte to point at.
    ///   - bytes: The bytes around that offset. The excerpt ends where the line ends in them.
    ///   - width: The maximum number of bytes of the line to show.
    public init(around offset: Int, in bytes: some Collection<UInt8>, width: Int = 72) {
      self.init(around: offset, in: bytes, width: width, beginsInLine: false)
    }

    /// - Parameter beginsInLine: Whether the first line in `bytes` lacks its beginning.
    init(around offset: Int, in bytes: some Collection<UInt8>, width: Int = 72, beginsInLine: Bool) {
      let line = Array(bytes)
      let width = min(max(width, 1), 1 << 16)
      let point = min(max(offset, 0), line.count)
      let feed = line[..<point].lastIndex(of: ASCII.lineFeed)
      let start = feed.map { $0 + 1 } ?? 0
      let end = line[point...].firstIndex(of: ASCII.lineFeed) ?? line.count
      var from = max(start, point - width / 2)
      var to = min(end, from + width)
      // Truncates at character boundaries only.
      while from < point, line[from] & 0xC0 == 0x80 { from += 1 }
      while to > point, to < end, line[to] & 0xC0 == 0x80 { to -= 1 }
      let head = (from > start || beginsInLine && feed == nil ? "…" : "") + Self.printable(line[from..<point])
      let tail = Self.printable(line[point..<max(to, point)]) + (to < end ? "…" : "")
      text = head + tail
      caret = head.count
    }

    /// The text, and the caret in a second line below it.
    public var description: String { text + "\n" + String(repeating: " ", count: caret) + "^" }

    /// Returns the bytes as one line of text without control characters for a terminal: a character that cannot be displayed
    /// becomes `·`.
    package static func printable(_ bytes: some Collection<UInt8>) -> String {
      var result = ""
      for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
        switch scalar.value {
        case 0x09: result.unicodeScalars.append(" ")
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFFFD:
          result.unicodeScalars.append("·")
        default: result.unicodeScalars.append(scalar)
        }
      }
      return result
    }
  }
}
