import ArgumentParser
import JSONSift

/// The report of an error, with its location and an excerpt of the text around it.
struct ErrorReport: Sendable {
  /// The location, the error, and below them the excerpt.
  let message: Message
  /// Where the error is, and the error; `nil` if it is one of the file itself.
  private var located: (prefix: String, error: JSONError)?
  /// How the record could be read; `nil` if nothing is known.
  var recordAdvice: String?

  /// - Parameters:
  ///   - framing: How the records are cut; `nil` if it is not known.
  ///   - namesProgram: Whether the message begins with the name of the program, and not with the location.
  init(
    _ error: JSONError, file: InputFile, at position: JSONError.Position, _ excerpt: JSONError.Excerpt?,
    in location: JSONPath.Location? = nil, of framing: JSONFraming? = nil, namesProgram: Bool = true
  ) {
    guard !error.code.endsInput else {
      message = Message(Self.text(error, file: file))
      return
    }
    let path = location.map { ", at \(Self.shown($0))" } ?? ""
    let prefix = "\(file.displayName):\(position.line):\(position.column)"
    located = (prefix, error)
    let text = "\(error.message)\(path)\(Self.hint(error, file)) (byte \(error.byteOffset))"
    var message = namesProgram ? Message("\(prefix): \(text)") : Message(at: prefix, text)
    if let excerpt {
      let margin = "  \(position.line) | "
      let blanks = String(repeating: " ", count: margin.count - 2)
      let column = DisplayWidth.of(excerpt.text.prefix(excerpt.caret))
      message.append("\n\(margin)\(excerpt.text)\n\(blanks)| \(String(repeating: " ", count: column))")
      message.appendCaret()
    }
    if framing == .document, file.hasGuessedFraming, let excerpt,
      let advice = Advice.about(error, in: file, at: position, excerpt)
    {
      message.append("\n    = \(advice)")
    }
    self.message = message
  }

  func write() { Self.write(message) }

  /// The location and the error without any text of the input; `nil` if the error is not about the input.
  var place: String? { located.map { "\($0.prefix): \($0.error.withoutFound.message) (byte \($0.error.byteOffset))" } }

  /// Returns the message for an error of the file itself, not of its content.
  static func text(_ error: JSONError, file: InputFile) -> String {
    // An error of the input below a step.
    if let position = error.position, !error.code.endsInput {
      return "\(file.displayName):\(position.line):\(position.column): \(error.message)\(hint(error, file)) (byte "
        + "\(error.byteOffset))"
    }
    let place = error.code == .foreignEncoding ? " (byte \(error.byteOffset))" : ""
    return "\(file.displayName): \(error.message)\(hint(error, file))\(place)"
  }

  /// Returns the path at which a limit was exceeded. Reads a file again if the bytes are no longer in memory.
  static func location(
    of error: JSONError, _ file: InputFile, _ framing: JSONFraming, badRecord: () -> JSONBadRecord?
  ) -> JSONPath.Location? {
    switch error.code {
    case .depthLimit, .stringLimit, .keyLimit, .numberLimit: break
    case .recordLimit where framing == .document: break
    default: return nil
    }
    if framing == .document {
      let isReadable = file.size != nil && file.path != nil
      return isReadable && file.start == 0 ? error.location(in: file.source) : nil
    }
    return badRecord().flatMap { error.location(in: $0.rawBytes, from: $0.byteRange.lowerBound) }
  }

  /// Returns the text of a location; omits steps in the middle of a long one.
  private static func shown(_ location: JSONPath.Location) -> String {
    let steps = location.steps
    let text =
      steps.count <= 2 * shownSteps
      ? location.description
      : JSONPath.Location(steps: steps.prefix(shownSteps)).description + "…"
        + JSONPath.Location(steps: steps.suffix(shownSteps)).description.dropFirst()
    // Names may be long.
    let isLong = text.count > shownCharacters
    let half = shownCharacters / 2
    return (isLong ? "\(text.prefix(half))…\(text.suffix(half))" : text).utf8.printable
  }

  private static let shownSteps = 8
  private static let shownCharacters = 240

  /// Returns a suggestion for an error, or an empty string.
  private static func hint(_ error: JSONError, _ file: InputFile) -> String {
    if let (command, isCompressed) = error.converter {
      // tar decompresses its input.
      let isInside = isCompressed && !command.hasPrefix("tar ")
      let name = file.path == nil || isInside ? "" : " " + Shell.file(file.displayName)
      return "; \(isInside ? "decompress it, and then: " : "")\(command)\(name) | jsift …"
    }
    return switch error.code {
    case .decompressionLimit: "; use --max-decompressed-bytes to change the limit"
    // No option allows a larger window.
    case .decompressionWindow: "; decompress it with zstd -d --long=31 and pipe the output"
    case .queryLimit where error.exceedsQuerySteps: "; use --max-query-steps to change the limit"
    case .depthLimit: "; use --max-depth to change the limit"
    case .stringLimit: "; use --max-string-bytes to change the limit"
    case .keyLimit: "; use --max-key-bytes to change the limit"
    case .numberLimit: "; use --max-number-bytes to change the limit"
    case .loneSurrogate: "; use --lone-surrogates replace to read U+FFFD for it"
    case .recordLimit where error.exceedsRecordBytes: "; use --max-record-bytes to change the limit"
    default: ""
    }
  }

  /// Writes the error of a file that could not be opened.
  static func write(_ error: JSONError, file: InputFile) { write(text(error, file: file)) }

  /// Writes one message of the program to standard error.
  static func write(_ text: String) { write(Message(text)) }

  /// Writes one message to standard error. Hides the progress bar first.
  static func write(_ message: Message) {
    unsafe Progress.current?.hide()
    put(message.text(coloured: Style.isOnErrors) + "\n")
  }

  /// Writes text to standard error. Waits if standard error is a full pipe in nonblocking mode, so that no text is lost.
  static func put(_ text: String) {
    let bytes = Array(text.utf8)
    // There is no other place to report that this failed.
    unsafe bytes.withUnsafeBytes { _ = try? unsafe File(borrowing: 2).write($0) }
  }
}

/// Writes a message to standard error, and returns the error that ends the run.
func failure(_ message: Message) -> ExitCode {
  ErrorReport.write(message)
  return ExitCode(Status.failed)
}

func failure(_ message: String) -> ExitCode { failure(Message(message)) }
