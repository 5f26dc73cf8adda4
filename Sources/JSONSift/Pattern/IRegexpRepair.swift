/// Rewrites a pattern of other languages of regular expressions as a pattern of RFC 9485 that means the same: `\d` as
/// `[0-9]`. Names the first part of the pattern that RFC 9485 does not have.
///
/// The result is a suggestion for an author, so a part without a certain equivalent, such as a lookahead, gives none.
struct IRegexpRepair {
  /// A pattern of RFC 9485 with the same meaning; `nil` if there is none, or if the pattern needs no change.
  private(set) var pattern: String?
  /// The first foreign part: its offset in bytes, and what would have been right.
  private(set) var fault: (offset: Int, expected: String)?

  private let text: [Unicode.Scalar]
  /// Whether the whole text must match, as for `match`.
  private let isWhole: Bool
  private var index = 0
  private var pieces: [String] = []
  /// The pieces of the groups that are open.
  private var groups: [Int] = []
  /// Whether the last piece can be repeated.
  private var isAtom = false
  private var ignoresCase = false
  private var isPossible = true

  init(_ pattern: String, isWhole: Bool) {
    text = Array(pattern.unicodeScalars)
    self.isWhole = isWhole
    while let scalar = current { rewrite(scalar) }
    for group in groups { pieces[group] = "\\(" }
    let result = pieces.joined()
    if isPossible, result != pattern, (try? IRegexp(result, readsAnchors: true)) != nil { self.pattern = result }
  }

  private var current: Unicode.Scalar? { scalar(0) }

  private func scalar(_ distance: Int) -> Unicode.Scalar? {
    let place = index + distance
    return text.indices.contains(place) ? text[place] : nil
  }

  private func follows(_ words: String) -> Bool { text[index...].starts(with: words.unicodeScalars) }

  private mutating func emit(_ piece: String, length: Int = 1, isAtom: Bool = true) {
    pieces.append(piece)
    index += length
    self.isAtom = isAtom
  }

  private mutating func report(_ expected: String) {
    guard fault == nil else { return }
    let offset = text[..<index].reduce(0) { $0 + UTF8.width($1) }
    fault = (offset, expected + " (patterns are those of RFC 9485)")
  }

  /// Passes over a part that has no equivalent.
  private mutating func giveUp(_ expected: String, length: Int) {
    report(expected)
    isPossible = false
    index += length
  }

  private mutating func rewrite(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\\": escape()
    case "[": characterClass()
    case "(": group()
    case ")":
      emit(groups.popLast() == nil ? "\\)" : ")")
    case "|": emit("|", isAtom: false)
    case "*", "+", "?":
      // A pattern that begins with '*' is a pattern of file names.
      guard isAtom else { return emit(scalar == "*" && (isWhole || text.count > 1) ? ".*" : "\\\(scalar)") }
      emit(String(scalar))
      endQuantifier()
    case "{": braces()
    case "]", "}": emit("\\\(scalar)")
    default: emit(spelled(scalar))
    }
  }

  /// Returns a character outside of brackets.
  private mutating func spelled(_ scalar: Unicode.Scalar) -> String {
    guard ignoresCase else { return String(scalar) }
    guard let other = Self.otherCase(scalar) else {
      if scalar.properties.isCased { isPossible = false }
      return String(scalar)
    }
    return "[\(scalar)\(other)]"
  }

  private static func otherCase(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard let byte = UInt8(exactly: scalar.value), byte.isLetter else { return nil }
    return Unicode.Scalar(byte ^ 0x20)
  }

  // MARK: Groups and quantifiers

  private mutating func group() {
    guard scalar(1) == "?" else { return open(length: 1) }
    if follows("(?i)"), index == 0 {
      report("both cases of each letter, such as '[Aa]', instead of '(?i)'")
      ignoresCase = true
      index += 4
      return
    }
    if follows("(?=") || follows("(?!") { return giveUp("no lookahead", length: 3) }
    if follows("(?<=") || follows("(?<!") { return giveUp("no lookbehind", length: 4) }
    if follows("(?:") {
      report("'(' instead of '(?:'")
      return open(length: 3)
    }
    if follows("(?<") || follows("(?P<"), let end = text[index...].firstIndex(of: ">") {
      report("'(' without a name of the group")
      return open(length: end + 1 - index)
    }
    giveUp("no '(?'", length: 2)
  }

  private mutating func open(length: Int) {
    groups.append(pieces.count)
    emit("(", length: length, isAtom: false)
  }

  /// Reads what other languages allow after a quantifier.
  private mutating func endQuantifier() {
    if current == "?" {
      // Whether a text matches does not depend on it.
      report("no '?' after a quantifier, which would change nothing")
      index += 1
    } else if current == "+" {
      giveUp("no '+' after a quantifier", length: 1)
    }
  }

  private mutating func braces() {
    var end = index + 1
    func digits() -> ArraySlice<Unicode.Scalar> { text[end...].prefix { "0"..."9" ~= $0 } }
    let lower = digits()
    end += lower.count
    let hasComma = end < text.count && text[end] == ","
    if hasComma { end += 1 }
    let upper = hasComma ? digits() : []
    end += upper.count
    let isClosed = end < text.count && text[end] == "}"
    guard isAtom, !(lower.isEmpty && upper.isEmpty), isClosed || end == text.count else { return emit("\\{") }
    let numbers = (lower.isEmpty ? "0" : Self.string(lower)) + (hasComma ? "," : "") + Self.string(upper)
    emit("{\(numbers)}", length: end - index + (isClosed ? 1 : 0))
    endQuantifier()
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  // MARK: Escapes

  /// Sets of characters, as the inside of brackets. The first ones are named by a letter, the others in `[:alpha:]`.
  private static let sets: [(name: String, items: String)] = [
    ("d", "0-9"), ("w", "A-Za-z0-9_"), ("s", #" \t\n\r"#),
    ("digit", "0-9"), ("alpha", "A-Za-z"), ("alnum", "A-Za-z0-9"), ("upper", "A-Z"), ("lower", "a-z"),
    ("space", #" \t\n\r"#), ("xdigit", "0-9A-Fa-f"), ("word", "A-Za-z0-9_"),
  ]

  private static func set(_ letter: Unicode.Scalar) -> String? {
    sets.first { $0.name == String(letter) }?.items
  }

  private mutating func escape() {
    guard let letter = scalar(1) else { return emit(#"\\"#) }
    if let items = Self.set(letter) {
      report("'[\(items)]' instead of '\\\(letter)'")
      return emit("[\(items)]", length: 2)
    }
    if let items = Self.set(letter.properties.lowercaseMapping.unicodeScalars.first ?? letter) {
      report("'[^\(items)]' instead of '\\\(letter)'")
      return emit("[^\(items)]", length: 2)
    }
    switch letter {
    case "b": boundary()
    case "A", "z", "Z":
      let anchor = letter == "A" ? "^" : "$"
      report("'\(anchor)' instead of '\\\(letter)'")
      emit(anchor, length: 2)
    default:
      guard let (piece, length) = character(after: letter) else { return }
      // `$` outside of brackets is an anchor.
      let plain = piece == "$" ? nil : piece.unicodeScalars.first.flatMap { piece.unicodeScalars.count == 1 ? $0 : nil }
      emit(piece == "$" ? "[$]" : plain.map { spelled($0) } ?? piece, length: length)
    }
  }

  /// Rewrites `\b`, where the character next to it on one side is part of a word and the other side is the end of a branch.
  private mutating func boundary() {
    report("no '\\b', because patterns have no word boundaries")
    let begins = pieces.last.map { $0 == "(" || $0 == "|" } ?? true
    let ends = scalar(2).map { $0 == ")" || $0 == "|" } ?? true
    let other = "[^\(Self.sets[1].items)]"
    if begins, !ends, isWord(2) {
      emit(isWhole ? "" : "(^|\(other))", length: 2, isAtom: false)
    } else if ends, !begins, isWord(-1) {
      emit(isWhole ? "" : "(\(other)|$)", length: 2, isAtom: false)
    } else {
      giveUp("", length: 2)
    }
  }

  /// Returns whether the character at a distance is a letter, a digit or `_`, or the letter of `\d` or `\w`.
  private func isWord(_ distance: Int) -> Bool {
    guard let scalar = scalar(distance) else { return false }
    func isPlain(_ scalar: Unicode.Scalar) -> Bool {
      scalar == "_" || UInt8(exactly: scalar.value).map { $0.isLetter || $0.isDigit } ?? false
    }
    if distance > 0 {
      return isPlain(scalar) || scalar == "\\" && (self.scalar(distance + 1).map { $0 == "d" || $0 == "w" } ?? false)
    }
    let isEscaped = self.scalar(distance - 1) == "\\"
    return isEscaped ? scalar == "d" || scalar == "w" : isPlain(scalar)
  }

  /// Returns an escaped character in the notation of RFC 9485, with the length of the escape; `nil` if there is none, after
  /// passing over it.
  private mutating func character(after letter: Unicode.Scalar) -> (piece: String, length: Int)? {
    switch letter {
    case "n", "r", "t": return ("\\\(letter)", 2)
    case "p", "P":
      guard scalar(2) == "{" else {
        return ("\\\(letter){\(scalar(2).map(String.init) ?? "")}", scalar(2) == nil ? 2 : 3)
      }
      let end = text[index...].firstIndex(of: "}") ?? text.count - 1
      return (Self.string(text[index...end]), end + 1 - index)
    case "f", "v", "a", "e":
      report("the character itself instead of '\\\(letter)'")
      return (letter == "f" ? "\u{C}" : letter == "v" ? "\u{B}" : letter == "a" ? "\u{7}" : "\u{1B}", 2)
    case "x", "u":
      let digits = text[(index + 2)...].prefix(letter == "x" ? 2 : 4)
      guard digits.count == (letter == "x" ? 2 : 4), let value = UInt32(Self.string(digits), radix: 16),
        let scalar = Unicode.Scalar(value)
      else { break }
      report("the character itself instead of '\\\(letter)\(Self.string(digits))'")
      return (Self.escaped(scalar), 2 + digits.count)
    case "1"..."9", "k":
      giveUp("no reference to a group", length: 2)
      return nil
    default:
      // An escaped mark means itself.
      guard !letter.properties.isAlphabetic, !("0"..."9" ~= letter) else { break }
      if (try? IRegexp("\\\(letter)")) == nil { report("'\(letter)' without '\\'") }
      return (Self.escaped(letter), 2)
    }
    giveUp("no '\\\(letter)'", length: 2)
    return nil
  }

  /// Returns a character that means itself, with `\` where RFC 9485 needs or allows it.
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    (try? IRegexp("\\\(scalar)")) != nil && !scalar.properties.isAlphabetic ? "\\\(scalar)" : String(scalar)
  }
}

extension IRegexpRepair {
  /// Rewrites a class in brackets.
  private mutating func characterClass() {
    let isNegated = scalar(1) == "^"
    let first = index + (isNegated ? 2 : 1)
    // A bracket that closes nothing would be an empty class; other languages read it as a character.
    guard let end = closing(after: first) else { return emit("\\[") }
    index = first
    var items = isNegated ? "[^" : "["
    // The character that can begin a range.
    var low: Unicode.Scalar?
    while index < end {
      if current == "-", index > first, index + 1 < end {
        index += 1
        guard let start = low, let (item, high) = classItem(end), let high else {
          items += "\\-"
          if low != nil { isPossible = false }
          continue
        }
        items += "-" + item
        if ignoresCase { insertOtherCase(&items, start, high) }
        low = nil
        continue
      }
      guard let (item, scalar) = classItem(end) else { continue }
      items += item
      low = scalar
      if ignoresCase, let scalar, current != "-", let other = Self.otherCase(scalar) {
        items.unicodeScalars.append(other)
      }
    }
    index = end
    emit(items + "]")
  }

  private mutating func insertOtherCase(_ items: inout String, _ low: Unicode.Scalar, _ high: Unicode.Scalar) {
    switch (Self.otherCase(low), Self.otherCase(high)) {
    case (let first?, let last?) where first <= last: items += "\(first)-\(last)"
    case (nil, nil): break
    default: isPossible = false
    }
  }

  /// Returns the index of the bracket that ends a class.
  private func closing(after first: Int) -> Int? {
    var end = first
    while end < text.count {
      if text[end] == "]", end > first { return end }
      if text[end] == "\\" {
        end += 1
      } else if text[end...].starts(with: "[:".unicodeScalars),
        let colon = text[end...].dropFirst(2).firstIndex(of: ":"), text[colon...].starts(with: ":]".unicodeScalars)
      {
        end = colon + 1
      }
      end += 1
    }
    return nil
  }

  /// Reads an item of a class, with its character if it is one.
  private mutating func classItem(_ end: Int) -> (item: String, scalar: Unicode.Scalar?)? {
    guard let scalar = current else { return nil }
    switch scalar {
    case "[" where follows("[:"):
      for (name, items) in Self.sets where name.utf8.count > 1 && follows("[:\(name):]") {
        report("'\(items)' instead of '[:\(name):]'")
        index += name.utf8.count + 4
        return (items, nil)
      }
    case "\\":
      guard let letter = self.scalar(1) else { break }
      if letter == "b" {
        giveUp("no '\\b'", length: 2)
        return nil
      }
      if let items = Self.set(letter) {
        report("'\(items)' instead of '\\\(letter)' in brackets")
        index += 2
        return (items, nil)
      }
      guard let (item, length) = character(after: letter) else { return nil }
      index += length
      if item.hasPrefix("\\p") || item.hasPrefix("\\P") { return (item, nil) }
      // No letter: an escape has no other case.
      return (item, item.unicodeScalars.count == 1 ? item.unicodeScalars.first : "\n")
    default: break
    }
    index += 1
    return ("[]".unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar), scalar)
  }
}
