import JSONSift

/// The report of an error, with its location and an excerpt of the text around it.
struct ErrorReport: Sendable {
  /// The prefix of messages of the program.
  static let program = "jsift: "

  /// The location, the message, and below it the excerpt.
  let text: String

  init(
    _ error: JSONError, file: InputFile, at position: SourcePosition, _ excerpt: SourceExcerpt?,
    in location: PathLocation? = nil, head: String = Self.program
  ) {
    guard !error.code.endsInput else {
      text = Self.text(error, file: file, head: head)
      return
    }
    let locationText = location.map { ", at \(Self.shown($0))" } ?? ""
    var text =
      "\(head)\(file.displayName):\(position.line):\(position.column): \(error.message)\(locationText)"
      + "\(Self.hint(error, file)) (byte \(error.byteOffset))"
    if let excerpt {
      let margin = "  \(position.line) | "
      let blanks = String(repeating: " ", count: margin.count - 2)
      text +=
        "\n\(margin)\(excerpt.text)\n\(blanks)| \(String(repeating: " ", count: DisplayWidth.of(excerpt.text.prefix(excerpt.caret))))^"
    }
    self.text = text
  }

  func write() { Self.write(text) }

  /// Returns the message for an error of the file itself, not of its content.
  static func text(_ error: JSONError, file: InputFile, head: String = program) -> String {
    "\(head)\(file.displayName): \(error.message)\(hint(error, file))"
  }

  /// Returns the path at which a limit was exceeded. Reads a file again if the bytes are no longer in memory.
  static func location(
    of error: JSONError, _ file: InputFile, _ framing: JSONFraming, badRecord: () -> JSONBadRecord?
  ) -> PathLocation? {
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
  private static func shown(_ location: PathLocation) -> String {
    let steps = location.steps
    let text =
      steps.count <= 2 * shownSteps
      ? location.description
      : PathLocation(steps: steps.prefix(shownSteps)).description + "…"
        + PathLocation(steps: steps.suffix(shownSteps)).description.dropFirst()
    // Names may be long.
    let isLong = text.count > shownCharacters
    let half = shownCharacters / 2
    return SourceExcerpt.printable((isLong ? "\(text.prefix(half))…\(text.suffix(half))" : text).utf8)
  }

  private static let shownSteps = 8
  private static let shownCharacters = 240

  /// Returns a suggestion for an error, or an empty string.
  private static func hint(_ error: JSONError, _ file: InputFile) -> String {
    switch error.code {
    case .decompressionLimit: "; use --max-decompressed-bytes to change the limit"
    // No option allows a larger window.
    case .decompressionWindow: "; decompress it with zstd -d --long=31 and pipe the output"
    case .queryLimit where error.exceedsQuerySteps: "; use --max-query-steps to change the limit"
    case .depthLimit: "; use --max-depth to change the limit"
    case .recordLimit where error.exceedsRecordBytes: "; use --max-record-bytes to change the limit"
    case .unreadable where file.looksLikePath:
      "\n    = this looks like a path; jsift get expects it before the files; with -p all arguments are files"
    default: ""
    }
  }

  /// Writes the error of a file that could not be opened.
  static func write(_ error: JSONError, file: InputFile) {
    write(text(error, file: file))
  }

  /// Writes one message to standard error. Hides the progress bar first.
  static func write(_ message: String) {
    unsafe Progress.current?.hide()
    put((Style.isOnErrors ? Style.painted(message) : message) + "\n")
  }

  /// Writes text to standard error. Waits if standard error is a full pipe in nonblocking mode, so that no text is lost.
  static func put(_ text: String) {
    let bytes = Array(text.utf8)
    // There is no other place to report that this failed.
    unsafe bytes.withUnsafeBytes { _ = try? unsafe File(borrowing: 2).write($0) }
  }
}
