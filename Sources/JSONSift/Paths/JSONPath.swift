/// A query in the language of RFC 9535: which values of a text are asked for.
///
/// This version knows the root, names, indexes and wildcards: `$.statuses[*].user['screen_name']`. Of several members
/// with one name a name selects the first.
///
/// ```swift
/// let path = try JSONPath("$.statuses[*].user.screen_name")
/// for name in json.query(path) { print(name.stringValue) }
/// ```
///
/// A path is compiled once and can be used by many readers at the same time.
public struct JSONPath: Sendable, Hashable, CustomStringConvertible {
  /// One step down.
  enum Segment: Sendable, Hashable {
    case name(String)
    case index(Int)
    case wildcard

    /// Names are equal if their bytes are: Swift's strings take two spellings of one character for the same.
    static func == (left: Segment, right: Segment) -> Bool {
      switch (left, right) {
      case (.name(let left), .name(let right)): left.utf8.elementsEqual(right.utf8)
      case (.index(let left), .index(let right)): left == right
      case (.wildcard, .wildcard): true
      default: false
      }
    }

    func hash(into hasher: inout Hasher) {
      switch self {
      case .name(let name): for byte in name.utf8 { hasher.combine(byte) }
      case .index(let index): hasher.combine(index)
      case .wildcard: hasher.combine(-1)
      }
    }
  }

  let segments: [Segment]

  /// Compiles the text of a path.
  ///
  /// - Throws: ``JSONError`` with code ``JSONError/Code/invalidPath``; its offset counts bytes of `text`.
  public init(_ text: String) throws(JSONError) {
    var parser = JSONPathParser(text)
    segments = try parser.segments()
  }

  /// Whether at most one value can match: there is no wildcard. A reader of such a path stops when it has the answer; but
  /// `$` is answered by the whole text.
  public var isDefinite: Bool { !segments.contains(.wildcard) }

  /// The path in one spelling: names in brackets and single quotes.
  public var description: String {
    "$"
      + segments.map { segment in
        switch segment {
        case .name(let name): "['\(Self.escaped(name))']"
        case .index(let index): "[\(index)]"
        case .wildcard: "[*]"
        }
      }.joined()
  }

  private static func escaped(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      switch scalar.value {
      case 0x08: result += "\\b"
      case 0x09: result += "\\t"
      case 0x0A: result += "\\n"
      case 0x0C: result += "\\f"
      case 0x0D: result += "\\r"
      case 0x27: result += "\\'"
      case 0x5C: result += "\\\\"
      case 0..<0x20: result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
