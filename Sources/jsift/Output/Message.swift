import JSONSift

/// A message of the tool. The parts to highlight on a terminal are marked when the message is created.
struct Message: Sendable {
  /// The kind of a part of the text.
  fileprivate enum Kind {
    case text, program, location, caret
  }

  private var parts: [(kind: Kind, text: String)]

  /// A message of the program: begins with its name.
  init(_ text: String) { parts = [(.program, "jsift:"), (.text, " " + text)] }

  /// A result of `check`: begins with the location of an error.
  init(at location: String, _ text: String) { parts = [(.location, location), (.text, ": " + text)] }

  /// The error of a path or a condition, after a text.
  init(_ prefix: String = "", _ diagnosis: JSONPath.Diagnosis) {
    let (before, after) = diagnosis.aroundCaret { Shell.word($0) }
    self.init(prefix + before)
    appendCaret()
    append(after)
  }

  mutating func append(_ text: String) { parts.append((.text, text)) }

  /// Appends the mark below an error.
  mutating func appendCaret() { parts.append((.caret, "^")) }

  /// Returns the text, with colours if that is requested.
  func text(coloured: Bool) -> String {
    parts.map { part in
      guard coloured, let style = part.kind.style else { return part.text }
      return style + part.text + Style.plain
    }.joined()
  }
}

extension Message.Kind {
  fileprivate var style: String? {
    switch self {
    case .text: nil
    case .program: Style.red
    case .location: Style.bold
    case .caret: Style.green
    }
  }
}

extension Collection<UInt8> {
  /// The text in a message: one line, with escapes for control characters.
  var printable: String { JSONError.Excerpt.printable(self) }
}
