/// Conversion of keys between camel case and other cases; of snake case by Foundation's rules.
enum KeyCase {
  /// Returns `oneTwoThree` for `one_two_three`, with `_` as the separator. Separators at the start and end stay.
  static func camel(_ name: String, from separator: Character) -> String {
    guard let first = name.firstIndex(where: { $0 != separator }), let last = name.lastIndex(where: { $0 != separator })
    else { return name }
    let words = name[first...last].split(separator: separator)
    guard words.count > 1 else { return name }
    var result = String(name[..<first])
    result += words[0].lowercased()
    for word in words.dropFirst() { result += capitalized(word) }
    result += name[name.index(after: last)...]
    return result
  }

  /// Returns each word with an uppercase first letter and a lowercase rest. A word is a run of letters and apostrophes
  /// that begins with a letter.
  private static func capitalized(_ text: Substring) -> String {
    var result = ""
    var isInside = false
    for character in text {
      if isInside {
        result += character.lowercased()
      } else if let first = character.unicodeScalars.first {
        result += first.properties.titlecaseMapping
        for scalar in character.unicodeScalars.dropFirst() { result += scalar.properties.lowercaseMapping }
      }
      isInside = character.isLetter || (isInside && character == "'")
    }
    return result
  }

  /// Returns `oneTwo` for `OneTwo`. Of several capital letters the last one begins the next word if a small letter follows.
  static func camel(fromPascal name: String) -> String {
    let capitals = name.prefix { $0.isUppercase }.count
    let isWord = capitals > 1 && name.dropFirst(capitals).first?.isLowercase ?? false
    let count = isWord ? capitals - 1 : capitals
    return name.prefix(count).lowercased() + name.dropFirst(count)
  }

  static func pascal(fromCamel name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  /// Returns `one_two_three` for `oneTwoThree`, and `my_url_property` for `myURLProperty`, with `_` as the separator.
  static func words(ofCamel name: String, joinedBy separator: String) -> String {
    let characters = Array(name)
    guard let first = characters.first else { return name }
    var words: [String] = []
    var word = String(first)
    var index = 1
    func isUpper(_ character: Character) -> Bool { character.unicodeScalars.first?.properties.isUpper ?? false }
    func isLower(_ character: Character) -> Bool { character.unicodeScalars.first?.properties.isLower ?? false }
    while index < characters.count {
      guard isUpper(characters[index]) else {
        word.append(characters[index])
        index += 1
        continue
      }
      words.append(word)
      // Of several uppercase letters in a row the last one begins the next word, and the others are a word.
      guard let lower = characters[index...].firstIndex(where: isLower) else {
        word = String(characters[index...])
        index = characters.count
        break
      }
      if lower > index + 1 { words.append(String(characters[index..<(lower - 1)])) }
      word = String(characters[(lower - 1)...lower])
      index = lower + 1
    }
    words.append(word)
    return words.map { $0.lowercased() }.joined(separator: separator)
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isUpper: Bool { generalCategory == .uppercaseLetter || generalCategory == .titlecaseLetter }
  fileprivate var isLower: Bool { generalCategory == .lowercaseLetter }
}
