/// A text that divides the elements of an array: a comma, the brace of an object and its first key, with the white space
/// between them. An array of records usually has it before each of them.
///
/// A cutter that finds the delimiter need not inspect the text before it. The delimiter is a guess: an object deeper in an
/// element, or in another array, may begin with the same text. So the reader of a block verifies that it ends in the same
/// container.
struct ChildDelimiter {
  private let literal: LiteralSet

  /// Finds the delimiter of an array. Returns `nil` if there is none, or if the text also has it where no element begins.
  ///
  /// - Parameters:
  ///   - text: The start of a document up to a comma between the elements.
  ///   - depth: The number of open containers there.
  init?(of text: UnsafeRawBufferPointer, depth: Int) {
    let commas = unsafe DocumentHead.commas(in: text, depth: depth)
    guard commas.count > Self.minOccurrences,
      let delimiter = unsafe Self.bytes(in: text, from: commas[commas.count - 2]), let literal = LiteralSet([delimiter])
    else { return nil }
    let known = Set(commas)
    var index = 0
    var occurrences = 0
    while let found = unsafe literal.first(in: UnsafeRawBufferPointer(rebasing: text[index...])) {
      guard known.contains(index + found.offset) else { return nil }
      occurrences += 1
      index += found.offset + 1
    }
    guard occurrences >= Self.minOccurrences else { return nil }
    self.literal = literal
  }

  /// Returns the index after the comma of the first delimiter from an index on.
  func comma(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    unsafe literal.first(in: UnsafeRawBufferPointer(rebasing: text[start...])).map { start + $0.offset + 1 }
  }

  /// The minimum number of delimiters in the head: with fewer, later elements may begin with another text.
  private static let minOccurrences = Sizes.of(8, fuzzing: 2)
  private static let maxLength = 256

  /// Returns the bytes from a comma to the colon after the first key of the object that follows.
  private static func bytes(in text: UnsafeRawBufferPointer, from comma: Int) -> [UInt8]? {
    var index = comma + 1
    func skip(_ byte: UInt8) -> Bool {
      while index < text.count, unsafe text[index].isJSONWhitespace { index += 1 }
      guard index < text.count, unsafe text[index] == byte else { return false }
      index += 1
      return true
    }
    guard skip(ASCII.openBrace), skip(ASCII.quote) else { return nil }
    var escaped = false
    let rest = unsafe UnsafeRawBufferPointer(rebasing: text[index...])
    guard let count = unsafe ByteScan.stringEnd(rest, escaped: &escaped), count > 0 else { return nil }
    index += count + 1
    guard skip(ASCII.colon), index - comma <= maxLength else { return nil }
    return unsafe Array(text[comma..<index])
  }
}
