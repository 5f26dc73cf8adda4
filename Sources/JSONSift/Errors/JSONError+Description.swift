extension JSONError: CustomStringConvertible {
  /// One line for human readers: the byte offset and ``message``.
  public var description: String { "byte \(byteOffset): \(message)" }

  /// A description of the expected input and of the class of the rejected byte, without the offset.
  public var message: String {
    switch code {
    case .unexpectedByte, .invalidNumber, .invalidLiteral, .invalidEscape:
      "expected \(expected ?? "something else"), found \(found.map(String.init(describing:)) ?? "something else")"
    case .unexpectedEnd:
      "expected \(expected ?? "the rest of a value"), found the end of the text"
    case .trailingContent:
      "expected the end after one value, found \(found.map(String.init(describing:)) ?? "more")"
    case .missingSeparator:
      "expected white space between two values, found \(found.map(String.init(describing:)) ?? "the next one")"
    case .controlCharacter:
      "expected an escape such as \\n or \\u0000, found \(found.map(String.init(describing:)) ?? "a control character")"
        + " in a string"
    case .loneSurrogate:
      "expected a \\u escape of a whole character, found half of a surrogate pair"
    case .invalidUTF8:
      "expected UTF-8, found bytes that are no character"
    case .depthLimit: "expected at most \(limit) open arrays and objects, found one more"
    case .stringLimit: "expected a string of at most \(limit) bytes, found a longer one"
    case .keyLimit: "expected a key of at most \(limit) bytes, found a longer one"
    case .numberLimit: "expected a number of at most \(limit) bytes, found a longer one"
    case .recordLimit: expected ?? "expected a record of at most \(limit) bytes, found a longer one"
    case .tapeLimit: "expected a document whose index fits into \(limit) bytes, found a larger one"
    case .tooManyErrors: "expected at most \(limit) bad records, found one more"
    case .unreadable: expected ?? "the input cannot be read: \(Self.systemMessage(number ?? 0))"
    case .unwritable: expected ?? "the output cannot be written: \(Self.systemMessage(number ?? 0))"
    case .invalidPath:
      detail == .wholePath || detail == .patternSize
        ? expected ?? "expected another path"
        : "expected \(expected ?? "a path"), found \(found.map { $0.pathDescription } ?? "its end")"
    case .queryLimit:
      expected ?? "expected a query that is answered in at most \(limit) steps, found one that takes more"
    default: expected ?? "the text is refused"
    }
  }

  private var limit: String { number.map { String($0) } ?? "a few" }

  /// Returns the system's description of an error number.
  static func systemMessage(_ number: Int) -> String {
    File.Failure(number: Int32(truncatingIfNeeded: number)).reason
  }
}
