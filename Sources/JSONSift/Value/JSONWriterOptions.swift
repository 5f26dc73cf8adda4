/// The format of a written value. The defaults write one line, and copy parsed text as it was read.
///
/// ```swift
/// var options = JSONWriterOptions.pretty
/// options.sortsKeys = true
/// let text = try json.bytes(options)
/// ```
public struct JSONWriterOptions: Sendable, Hashable {
  /// The escaping of `/` in strings.
  public enum Slashes: Sendable, Hashable {
    /// In parsed text as it was read, otherwise unescaped. The default.
    case asWritten
    /// Always `\/`.
    case escaped
    /// Never `\/`.
    case plain
  }

  /// The spelling of strings and numbers.
  public enum Spelling: Sendable, Hashable {
    /// Parsed text is copied byte by byte: `1.50` and `"\u00e9"` stay as they are, and so does a lone surrogate that the
    /// options accepted. The default.
    case source
    /// All values have one canonical spelling: numbers as ``JSON/stringValue`` formats them, and strings with only the
    /// necessary escapes. Minus zero is written as `-0`, as Foundation writes it; that is read as the integer 0.
    case normalized
  }

  /// The indentation and spacing of pretty text.
  public enum Layout: Sendable, Hashable {
    /// The layout of Foundation: two spaces per level, `"a" : 1`, and an empty line in an empty container. The default.
    case foundation
    /// This number of spaces per level, from 0 to 16; `"a": 1`, `[]`.
    case spaces(Int)
    /// One tab per level; `"a": 1`, `[]`.
    case tabs
  }

  /// Whether each element and member is on its own line, in the style of ``layout``. Values nested more than 512 deep are
  /// written in one line, so that the size of the text stays proportional to the value.
  public var isPretty = false
  /// The indentation and spacing of pretty text.
  public var layout = Layout.foundation
  /// Whether members are sorted by the UTF-8 bytes of their names. Members with equal names keep their order.
  public var sortsKeys = false
  /// The escaping of `/` in strings.
  public var slashes = Slashes.asWritten
  /// The spelling of strings and numbers.
  public var spelling = Spelling.source

  /// Creates the default options.
  public init() {}

  /// One line without white space.
  public static var compact: JSONWriterOptions { JSONWriterOptions() }

  /// One line for each element and member.
  public static var pretty: JSONWriterOptions {
    var options = JSONWriterOptions()
    options.isPretty = true
    return options
  }
}
