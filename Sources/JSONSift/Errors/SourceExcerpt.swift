/// The piece of a line around an error, with a caret under the refused byte.
///
/// It shows text from the document, so only a program that owns the document should print it.
///
/// ```text
/// {"id": 17, "total": 12.50 "currency": "EUR"}
///                           ^
/// ```
public struct SourceExcerpt: Sendable, Hashable, CustomStringConvertible {
  /// The text of the line, cut to what fits around the place; bytes that cannot be shown are `·`.
  public let text: String
  /// How many characters stand before the caret.
  public let caret: Int

  /// - Parameters:
  ///   - place: The byte to point at, counted in `bytes`.
  ///   - bytes: Some bytes around the place; the line is looked for in them.
  ///   - width: How many bytes of the line are shown at most.
  public init(around place: Int, in bytes: some Collection<UInt8>, width: Int = 72) {
    self.init(around: place, in: bytes, width: width, beginsInLine: false)
  }

  /// - Parameter beginsInLine: Before the bytes stands more of the line with which they begin.
  init(around place: Int, in bytes: some Collection<UInt8>, width: Int = 72, beginsInLine: Bool) {
    let line = Array(bytes)
    let width = min(max(width, 1), 1 << 16)
    let point = min(max(place, 0), line.count)
    let feed = line[..<point].lastIndex(of: ASCII.lineFeed)
    let start = feed.map { $0 + 1 } ?? 0
    let end = line[point...].firstIndex(of: ASCII.lineFeed) ?? line.count
    var from = max(start, point - width / 2)
    var to = min(end, from + width)
    // Characters stay whole: a cut moves to the next boundary.
    while from < point, line[from] & 0xC0 == 0x80 { from += 1 }
    while to > point, to < end, line[to] & 0xC0 == 0x80 { to -= 1 }
    let head = (from > start || beginsInLine && feed == nil ? "…" : "") + Self.printable(line[from..<point])
    let tail = Self.printable(line[point..<max(to, point)]) + (to < end ? "…" : "")
    text = head + tail
    caret = head.count
  }

  /// The text, and under it the caret.
  public var description: String { text + "\n" + String(repeating: " ", count: caret) + "^" }

  /// Bytes as one line of text that does nothing to a terminal: what cannot be shown is `·`.
  public static func printable(_ bytes: some Collection<UInt8>) -> String {
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
