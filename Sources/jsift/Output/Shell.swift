import JSONSift

/// Spells arguments for a shell, so that a command of a hint can be pasted.
enum Shell {
  /// Returns an argument in single quotes, as a hint shows a path or a condition.
  ///
  /// A shell ends single quotes at the next one. Names and strings of a path are therefore put into double quotes, if the
  /// path is the same; otherwise each single quote is `'\''`.
  static func word(_ text: String) -> String {
    guard text.utf8.contains(apostrophe) else { return "'\(text)'" }
    if !text.utf8.contains(UInt8(ascii: "\"")) {
      let other = text.replacing("'", with: "\"")
      if isSameQuery(text, other) { return "'\(other)'" }
    }
    return quoted(text)
  }

  /// Returns the name of a file as an argument: without quotes, if it needs none.
  static func file(_ name: String) -> String {
    // Programs take a name that begins with a minus for an option.
    let name = name.hasPrefix("-") && name != "-" ? "./" + name : name
    return !name.isEmpty && name.utf8.allSatisfy(isPlain) ? name : quoted(name)
  }

  /// Returns any other argument, without quotes if it needs none.
  static func argument(_ text: String) -> String {
    !text.isEmpty && text.utf8.allSatisfy(isPlain) ? text : quoted(text)
  }

  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

  private static let apostrophe = UInt8(ascii: "'")

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "+")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "%"), 0x80...:
      true
    default: false
    }
  }

  /// Returns whether two texts are the same path or the same condition.
  private static func isSameQuery(_ first: String, _ second: String) -> Bool {
    for (before, after) in [("", ""), ("$[?", "]")] {
      if let path = try? JSONPath(before + first + after) { return (try? JSONPath(before + second + after)) == path }
    }
    return false
  }
}
