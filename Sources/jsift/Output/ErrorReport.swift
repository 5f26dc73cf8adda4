import JSONSift

/// The report of an error, with its location and an excerpt of the text around it.
struct ErrorReport: Sendable {
  /// The location, the error, and below them the excerpt.
  let message: Message
  /// Whether the record can be read behind a prefix.
  var isBehindPrefix = false

  /// - Parameters:
  ///   - framing: How the records are cut; `nil` if it is not known.
  ///   - namesProgram: Whether the message begins with the name of the program, and not with the location.
  init(
    _ error: JSONError, file: InputFile, at position: SourcePosition, _ excerpt: SourceExcerpt?,
    in location: PathLocation? = nil, of framing: JSONFraming? = nil, namesProgram: Bool = true
  ) {
    guard !error.code.endsInput else {
      message = Message(Self.text(error, file: file))
      return
    }
    let path = location.map { ", at \(Self.shown($0))" } ?? ""
    let prefix = "\(file.displayName):\(position.line):\(position.column)"
    let text = "\(error.message)\(path)\(Self.hint(error, file)) (byte \(error.byteOffset))"
    var message = namesProgram ? Message("\(prefix): \(text)") : Message(at: prefix, text)
    if let excerpt {
      let margin = "  \(position.line) | "
      let blanks = String(repeating: " ", count: margin.count - 2)
      let column = DisplayWidth.of(excerpt.text.prefix(excerpt.caret))
      message.append("\n\(margin)\(excerpt.text)\n\(blanks)| \(String(repeating: " ", count: column))")
      message.appendCaret()
    }
    if framing == .document, let advice = Self.advice(error, file, at: position, excerpt) {
      message.append("\n    = \(advice)")
    }
    self.message = message
  }

  func write() { Self.write(message) }

  /// Returns the message for an error of the file itself, not of its content.
  static func text(_ error: JSONError, file: InputFile) -> String {
    "\(file.displayName): \(error.message)\(hint(error, file))"
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
    if let (command, isInside) = error.converter {
      let name = file.path == nil || isInside ? "" : " " + shellWord(file.displayName)
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

  /// Returns what to do with a document that ends or fails at once, because it is something else.
  private static func advice(
    _ error: JSONError, _ file: InputFile, at position: SourcePosition, _ excerpt: SourceExcerpt?
  ) -> String? {
    guard let excerpt else { return nil }
    let found = Array(excerpt.text.utf8.dropFirst(excerpt.caret))
    if error.code == .trailingContent, let byte = found.first, "{[\"".utf8.contains(byte) {
      return "--input values reads one value after another"
    }
    // A word can begin like a literal.
    let line = Array(excerpt.text.utf8)
    guard error.code == .unexpectedByte || error.code == .invalidLiteral, position.line == 1,
      let bracket = line.firstIndex(where: { "{[".utf8.contains($0) }), excerpt.caret < bracket,
      line.prefix(excerpt.caret).allSatisfy({ " nulltruefalse".utf8.contains($0) })
    else { return nil }
    let before = line[..<bracket].last { $0 != UInt8(ascii: " ") }
    guard before == UInt8(ascii: "=") else { return "--skip-prefix skips the text before the record on each line" }
    let name = file.path == nil ? "" : " " + shellWord(file.displayName)
    return "this looks like JavaScript; the value is read with:"
      + " sed -e '1s/^[^[{]*//' -e '$s/;[[:space:]]*$//'\(name) | jsift …"
  }

  /// Returns a file name as a word of a shell command.
  static func shellWord(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"): true
      case UInt8(ascii: "-"): true
      default: $0 >= 0x80
      }
    }
    return isPlain
      ? name : "'\(name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }

  /// Writes the error of a file that could not be opened.
  static func write(_ error: JSONError, file: InputFile) {
    write(text(error, file: file))
  }

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
