import JSONSift

/// An expression of jq with a pipe or `select`, to name the path or option that does the same.
struct JQExpression {
  private let parts: [String]

  /// Returns `nil` for a text without a pipe, without `select`, and without brackets around a path.
  init?(_ text: String) {
    // `[.items[].id]` collects what the path selects.
    if text.hasPrefix("[."), text.hasSuffix("]"),
      let path = JSONPath.Diagnosis(String(text.dropFirst().dropLast()))?.suggestion
    {
      parts = [path]
      return
    }
    parts = Self.parts(of: text)
    guard parts.count > 1 || Self.argument(of: "select", in: text) != nil else { return nil }
  }

  /// The path or the options that mean the same; a general advice if there are none.
  var advice: String {
    let general = "paths have no pipes; jsift reads what another jsift has written: jsift '$.a' FILE | jsift '$.b'"
    var path = "$"
    var condition: String?
    for (index, part) in parts.enumerated() {
      if part == "length", index > 0, index == parts.count - 1, condition == nil, let all = Self.joined(path, "[*]") {
        return "paths have no pipes; jsift \(Shell.word(all)) --count writes the number of elements"
      }
      if let test = Self.argument(of: "select", in: part) {
        guard condition == nil, let valid = Self.condition(test) else { return general }
        // '.[] | select(…)' selects children of a container.
        if path.hasSuffix("[*]"), let filtered = Self.joined(String(path.dropLast(3)), "[?\(valid)]") {
          path = filtered
        } else if path == "$" {
          condition = valid
        } else {
          return general
        }
        continue
      }
      guard part != "." else { continue }
      // Other words are functions of jq.
      guard let first = part.first, ".[$".contains(first) else { return general }
      guard let step = Self.path(part), let next = Self.joined(path, String(step.dropFirst())) else { return general }
      path = next
    }
    guard let condition else {
      return "\(parts.count > 1 ? "paths have no pipes; " : "")did you mean \(Shell.word(path))?"
    }
    let command = path == "$" ? "jsift records" : "jsift \(Shell.word(path))"
    return "a condition on records follows --where: \(command) --where \(Shell.word(condition))"
  }

  private static func joined(_ path: String, _ rest: String) -> String? {
    let text = path + rest
    return (try? JSONPath(text)) == nil ? nil : text
  }

  /// Returns a path as RFC 9535 spells it.
  private static func path(_ text: String) -> String? { JSONPath.Diagnosis(text).map { $0.suggestion } ?? text }

  /// Returns a condition as RFC 9535 spells it.
  static func condition(_ text: String) -> String? {
    PathArguments.diagnosis(ofCondition: text).map { $0.suggestion } ?? text
  }

  /// Returns the argument of a call that is the whole text.
  private static func argument(of function: String, in text: String) -> String? {
    let text = trimmed(text[...])
    guard text.hasPrefix(function + "("), text.hasSuffix(")") else { return nil }
    return trimmed(text.dropFirst(function.utf8.count + 1).dropLast())
  }

  /// Divides a text at the bars outside of quotes and parentheses. Two bars are an operator.
  private static func parts(of text: String) -> [String] {
    var parts: [String] = []
    var (start, depth): (String.Index, Int) = (text.startIndex, 0)
    var quote: Character?
    var previous: Character?
    for index in text.indices {
      let character = text[index]
      if let open = quote {
        if character == open, previous != "\\" { quote = nil }
      } else {
        switch character {
        case "\"", "'": quote = character
        case "(", "[", "{": depth += 1
        case ")", "]", "}": depth -= 1
        case "|" where depth == 0:
          let next = text.index(after: index)
          guard previous != "|", next == text.endIndex || text[next] != "|" else { break }
          parts.append(trimmed(text[start..<index]))
          start = next
        default: break
        }
      }
      previous = character
    }
    return parts + [trimmed(text[start...])]
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
