/// How a value is written. The defaults give one line, with what was read as it was read.
///
/// ```swift
/// var options = JSONWriterOptions.pretty
/// options.sortsKeys = true
/// let text = try json.bytes(options)
/// ```
public struct JSONWriterOptions: Sendable, Hashable {
  /// What becomes of `/` in strings.
  public enum Slashes: Sendable, Hashable {
    /// In a text that was read as it stands there; else plain. The default.
    case asWritten
    /// Always `\/`.
    case escaped
    /// Never `\/`.
    case plain
  }

  /// Which spelling strings and numbers have.
  public enum Spelling: Sendable, Hashable {
    /// What was read is copied byte by byte: `1.50` and `"\u00e9"` stay so, and half a surrogate pair that was let in. The
    /// default.
    case source
    /// All are spelled in one way: numbers as ``JSON/stringValue`` has them, and in strings only what must be escaped is.
    case normalized
  }

  /// How the lines of a pretty text look.
  public enum Layout: Sendable, Hashable {
    /// As Foundation writes: two spaces a level, `"a" : 1`, and an empty line in what is empty. The default.
    case foundation
    /// So many spaces a level, from 0 to 16; `"a": 1`, `[]`.
    case spaces(Int)
    /// A tab a level; `"a": 1`, `[]`.
    case tabs
  }

  /// Whether each element and member has a line, in the style of ``layout``. What lies more than 512 deep is written in one
  /// line, so that the text stays proportional to the value.
  public var isPretty = false
  /// How the lines of a pretty text look.
  public var layout = Layout.foundation
  /// Whether members are written in the order of the UTF-8 bytes of their names. Members with one name keep their order.
  public var sortsKeys = false
  /// What becomes of `/` in strings.
  public var slashes = Slashes.asWritten
  /// Which spelling strings and numbers have.
  public var spelling = Spelling.source

  /// The defaults.
  public init() {}

  /// One line without white space.
  public static var compact: JSONWriterOptions { JSONWriterOptions() }

  /// A line for each element and member.
  public static var pretty: JSONWriterOptions {
    var options = JSONWriterOptions()
    options.isPretty = true
    return options
  }

  /// Levels that are indented.
  static let prettyDepth = 512
}
