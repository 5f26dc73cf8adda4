extension JSONError: CustomStringConvertible {
  /// One line for human readers: the file or the position, as far as they are known, otherwise the byte offset; and
  /// ``message``. `"events.ndjson": No such file or directory`, or `line 3, column 31 (byte 231): expected …`.
  public var description: String {
    let line = position.map { "line \($0.line), column \($0.column) (byte \(byteOffset)): " }
    let offset = line ?? "byte \(byteOffset): "
    guard let file else { return offset + message }
    let name = "\"\(JSONError.Excerpt.printable(file.utf8))\": "
    if case .system(let number) = payload { return name + Self.systemMessage(number) }
    return name + (isOfFile ? "" : offset) + message
  }

  /// A description of the expected input and of the class of the rejected byte, without the offset.
  public var message: String {
    switch payload {
    case .syntax(let found, let expected): syntaxMessage(found, expected)
    case .limit(let limit, let subject): limitMessage(limit, subject)
    case .system(let number):
      "the \(code == .unwritable ? "output cannot be written" : "input cannot be read"): \(Self.systemMessage(number))"
    case .readFailure(let number): "the input cannot be read from byte \(byteOffset) on: \(Self.systemMessage(number))"
    case .shortInput(let wanted):
      "expected an input of at least \(wanted) bytes, found its end at byte \(byteOffset)"
    case .noRanges(let framing):
      "expected records that are lines, or a text sequence, for a range of bytes, found \(framing)"
    case .noRandomAccess(isCompressed: true):
      "expected a regular file, for a range of bytes, found a compressed input that must be read from its start"
    case .noRandomAccess(isCompressed: false):
      "expected a regular file, for a range of bytes, found an input that must be read from its start"
    case .changedFile(let wanted): "expected the \(wanted) bytes that were indexed, found \(byteOffset)"
    case .otherFile(let difference): Self.message(difference)
    case .shortRejects(let wanted, let size):
      "expected a file of rejects with at least \(wanted) bytes, as at the checkpoint, found "
        + (size.map { "one of \($0) bytes" } ?? "no regular file")
    case .compressed(let format, isInside: true):
      "expected JSON text after decompression, found \(format) data: the input is compressed twice"
    case .compressed(let format, isInside: false):
      "expected JSON text, found \(format) data, which needs JSONSiftCompression (for jsift, a build with --traits "
        + "Compression)"
    case .gap(let end):
      "expected a value, found a gap of \(end - byteOffset) NUL bytes up to byte \(end)"
    case .foreign(let format, _, isEncoding: true, _): "expected JSON text in UTF-8, found \(format)"
    case .foreign(let format, _, isEncoding: false, isInside: true):
      "expected JSON text after decompression, found \(format) data"
    case .foreign(let format, _, isEncoding: false, isInside: false): "expected JSON text, found \(format) data"
    case .foreignURL(let scheme):
      "expected the URL of a file, found \(scheme.map { "one of the scheme '\($0)'" } ?? "one without a scheme")"
    case .emptyURL: "expected the URL of a file, found one whose path is empty or not UTF-8"
    case .noMemory: "there is no memory for a parser"
    case .unanswerablePath(.rootInFilter):
      "expected '@' instead of '$' inside a filter: '$' is the whole text, which a stream does not keep"
    case .unanswerablePath(.notOneContainer):
      "expected the path of one array or object, with names and nonnegative indexes only"
    case .unanswerablePath(.severalValues(let path)):
      "expected a path of one value, with names and indexes only, such as $.time, found \(path)"
    case .mismatch(let reason, _), .reason(let reason): reason
    case .found, nil:
      switch code {
      case .loneSurrogate: "expected a \\u escape of a whole character, found half of a surrogate pair"
      case .invalidUTF8: "expected UTF-8, found an invalid byte sequence"
      case .trailingContent, .missingSeparator, .unexpectedEnd: syntaxMessage(nil, nil)
      default: "the text is rejected: \(code)"
      }
    }
  }

  private func syntaxMessage(_ found: Found?, _ expected: Expectation?) -> String {
    switch code {
    case .unexpectedEnd: "expected \((expected ?? .restOfValue).words), found the end of the text"
    case .trailingContent: "expected \(Expectation.endOfText.words), found \(found?.description ?? "more")"
    case .missingSeparator:
      "expected white space between two values, found \(found?.description ?? "the next one")"
    case .controlCharacter:
      "expected \(Expectation.escapeOfControlCharacter.words), found \(found?.description ?? "a control character")"
        + " in a string"
    case .invalidEscape where found?.byte == ASCII.quote:
      "expected \((expected ?? .hexadecimalDigits).words), found the end of the string"
    case .invalidPath:
      "expected \(expected?.words ?? "a path"), found \(found?.pathDescription ?? "the end of the text")"
    default:
      // Without a rejected byte, the text has ended.
      "expected \((expected ?? .value).words), found \(found?.description ?? "the end of the text")"
    }
  }

  private static func message(_ difference: FileDifference) -> String {
    func when(_ isAfterReading: Bool) -> String { isAfterReading ? " after it was read" : "" }
    switch difference {
    case .kind: return "expected a regular file, which has a size, found another kind of file"
    case .size(let found, let expected, let isAfterReading):
      return "expected a file of \(expected) bytes, found \(found) bytes\(when(isAfterReading))"
    case .time(let found, let expected, let isAfterReading):
      return "expected a file that was modified at \(expected.text()), found \(found.text())\(when(isAfterReading))"
    case .end(let found, let expected):
      return "expected a file of \(expected) bytes, found its end at byte \(found)"
    }
  }

  private func limitMessage(_ limit: Int, _ subject: LimitSubject) -> String {
    switch subject {
    case .pathStates:
      "expected queries that together have at most \(limit) states during evaluation, found more"
    case .waitingMatches(let heldBytes):
      "expected pending matches with at most \(limit) bytes of text and \(heldBytes) bytes of overhead, found more"
    case .path(.conditionBytes): "expected a condition of at most \(limit) bytes, found more"
    case .path(.pathBytes): "expected a path of at most \(limit) bytes, found more"
    case .path(.steps): "expected at most \(limit) segments, found more"
    case .path(.selectors): "expected at most \(limit) selectors in a segment, found more"
    case .path(.nesting):
      "expected at most \(limit) nested parentheses, filters and functions, found more"
    case .pattern(.groups): "expected at most \(limit) nested groups, found more"
    case .pattern(.classItems): "expected at most \(limit) characters, ranges and categories in classes, found more"
    case .pattern(.instructions):
      "expected a pattern of fewer than \(limit) instructions with repetitions expanded, found more"
    case .ofCode:
      switch code {
      case .depthLimit: "expected arrays and objects nested at most \(limit) deep, found one more level"
      case .stringLimit: "expected a string of at most \(limit) bytes, found a longer one"
      case .keyLimit: "expected a key of at most \(limit) bytes, found a longer one"
      case .numberLimit: "expected a number of at most \(limit) bytes, found a longer one"
      case .recordLimit: "expected a record of at most \(limit) bytes, found a longer one"
      case .tapeLimit:
        "expected a document whose tape (the index of its values) has at most \(limit) bytes, found a larger one"
      case .tooManyErrors: "expected at most \(limit) bad records, found one more"
      case .queryLimit: "expected a query that takes at most \(limit) steps, found one that takes more"
      default: "expected at most \(limit), found more"
      }
    }
  }

  /// Returns the system's description of an error number.
  private static func systemMessage(_ number: Int32) -> String { File.Failure(number: number).reason }
}
