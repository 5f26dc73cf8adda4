import ArgumentParser
import JSONSift

/// The text of an option that takes a number or a range of numbers.
enum NumberRange {
  /// Returns the numbers of `N`, `A-B` or `A-`; `nil` for any other text.
  static func numbers(_ text: String) -> (first: Int, last: Int?)? {
    if let line = Int(digits: text) { return (line, line) }
    return bounds(text)
  }

  /// Returns the two numbers of `A-B`, or the number of `A-`; `nil` for any other text.
  static func bounds(_ text: String) -> (Int, Int?)? {
    guard let (first, second) = halves(text, "-"), let start = Int(digits: first) else { return nil }
    if second.isEmpty { return (start, nil) }
    return Int(digits: second).map { (start, $0) }
  }

  static func halves(_ text: String, _ separator: Character) -> (Substring, Substring)? {
    guard let middle = text.firstIndex(of: separator) else { return nil }
    return (text[..<middle], text[text.index(after: middle)...])
  }

  static func shown(_ text: String) -> String { "'\(text.utf8.printable)'" }
}

extension ParsableArguments {
  /// Rejects a number that is less than the least that an option takes.
  func require(_ option: String, _ number: Int?, atLeast least: Int) throws {
    guard let number, number < least else { return }
    throw ValidationError("\(option) takes a number of at least \(least), not \(number)")
  }
}
