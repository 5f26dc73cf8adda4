/// Guesses of the intended text for errors in segments and selectors.
extension JSONPathParser {
  /// Records an error for a byte that cannot follow `.` or `..`.
  mutating func dotFailure(_ start: Int, _ isDescendant: Bool) -> PathSyntaxError {
    let dots = start..<index
    let from = isDescendant ? index : start
    let expected = isDescendant ? "a name, '*' or '[' after '..'" : "a name or '*' after '.'"
    guard let byte = current else {
      return failure(expected, Repair(dots, isDescendant ? "..*" : ""))
    }
    if isDescendant {
      if byte == ASCII.dot {
        return failure(expected, Repair(index..<(index + 1), ""))
      }
    } else if byte == ASCII.openBracket {
      return failure("a name or '*' after '.', or '[' without '.'", Repair(dots, ""))
    }
    if byte.isJSONWhitespace {
      return failure(expected + ", without blanks between them", Repair(index..<blankEnd, ""))
    }
    if byte == ASCII.quote || byte == ASCII.apostrophe {
      guard let close = text[(index + 1)...].firstIndex(of: byte) else { return failure(expected) }
      let repair = Repair(from..<(close + 1), "[" + string(index..<(close + 1)) + "]")
      return failure(expected + " (a name in quotes is written in brackets)", repair)
    }
    let word = wordEnd(from: index)
    guard word > index else { return failure(expected) }
    let isIndex = string(index..<word) == "0" || (byte != ASCII.zero && text[index..<word].allSatisfy { $0.isDigit })
    let step = isIndex ? "[" + string(index..<word) + "]" : "[" + Self.quoted(string(index..<word)) + "]"
    return failure(expected + (isIndex ? " (an index is written in brackets)" : ""), Repair(from..<word, step))
  }

  /// Returns the end of a run of bytes from `start` on that may be intended as a name, such as `a-b` or `$ref`.
  func wordEnd(from start: Int) -> Int {
    let ends: [UInt8] = Array(" \t\r\n.[]()*?,'\"&|=<>!\\".utf8)
    return text[start...].firstIndex { ends.contains($0) || $0 < 0x20 } ?? text.count
  }

  /// Returns a repair that puts a name into brackets: one that continues after `end` with bytes that a name after a dot
  /// cannot contain.
  func nameRepair(from end: Int) -> Repair? {
    guard lastName.upperBound == end, !lastName.isEmpty else { return nil }
    let word = wordEnd(from: index)
    guard word > index else { return nil }
    let start = lastName.lowerBound + (text[lastName.lowerBound] == ASCII.dot ? 1 : 0)
    return Repair(lastName.lowerBound..<word, "[" + Self.quoted(string(start..<word)) + "]")
  }

  var startRepair: Repair? {
    guard let byte = current else { return Repair(0..<0, "$") }
    if byte == ASCII.at { return Repair(0..<1, "$") }
    if byte == ASCII.dot || byte == ASCII.openBracket { return Repair(0..<0, "$") }
    if byte.isJSONWhitespace {
      return Repair(0..<(text.firstIndex { !$0.isJSONWhitespace } ?? text.count), "")
    }
    return Self.beginsName(byte) || byte == ASCII.star ? Repair(0..<0, "$.") : nil
  }

  func separatorRepair(_ after: Int) -> Repair? {
    if let slice = sliceRepair(after) { return slice }
    switch current {
    case nil, ASCII.dot, ASCII.openBracket: return Repair(after..<after, "]")
    case ASCII.quote, ASCII.apostrophe, ASCII.star, ASCII.minus: return Repair(after..<after, ",")
    case let byte? where byte.isDigit && index > after: return Repair(after..<after, ",")
    default: return nil
    }
  }

  /// Returns a repair for `1..2`, `1-2` or `1 to 2` of other languages, which include the last index.
  private func sliceRepair(_ after: Int) -> Repair? {
    guard after > 0, text[after - 1].isDigit else { return nil }
    for word in ["..", "-", "to"] where text[index...].starts(with: word.utf8) {
      let rest = text[(index + word.utf8.count)...].drop { $0.isJSONWhitespace }
      let digits = rest.prefix { $0.isDigit }
      let closes = rest.dropFirst(digits.count).first == ASCII.closeBracket
      guard closes, let last = Int(string(digits.startIndex..<digits.endIndex)), last < Int32.max else { continue }
      return Repair(after..<digits.endIndex, ":\(last + 1)")
    }
    return nil
  }

  func selectorRepair(isFirst: Bool, _ before: Int) -> Repair? {
    guard let byte = current else { return isFirst ? Repair(before..<before, "*]") : nil }
    for (word, selector) in [("last]", "-1"), ("$-1]", "-1"), ("first]", "0")]
    where text[index...].starts(with: word.utf8) {
      return Repair(index..<(index + word.utf8.count - 1), selector)
    }
    switch byte {
    case ASCII.closeBracket:
      return isFirst
        ? Repair(before..<index, "*") : Repair((before - 1)..<before, "")
    case ASCII.comma, ASCII.plus: return Repair(index..<(index + 1), "")
    case ASCII.openParenthesis:
      // The script syntax of older JSONPath dialects, in which `(@.length-1)` is the last element.
      let script = Array("(@.length-".utf8)
      if text[index...].starts(with: script) {
        let digits = text[(index + script.count)...].prefix { $0.isDigit }
        if !digits.isEmpty, digits.endIndex < text.count, text[digits.endIndex] == ASCII.closeParenthesis {
          return Repair(index..<(digits.endIndex + 1), "-" + string(digits.startIndex..<digits.endIndex))
        }
      }
      return Repair(index..<index, "?")
    case ASCII.exclamation, ASCII.at, ASCII.dollar:
      // `@type` and `$ref` are intended as names; `@.a` begins a filter.
      let word = wordEnd(from: index)
      guard word == index + 1 || word == index else { fallthrough }
      return Repair(index..<index, "?")
    default:
      var end = index
      while end < text.count, !Array("[],'\"".utf8).contains(text[end]), text[end] >= 0x20 { end += 1 }
      while end > index, text[end - 1] == ASCII.space { end -= 1 }
      return end > index ? Repair(index..<end, Self.quoted(string(index..<end))) : nil
    }
  }
}
