import JSONSift

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An error with its place and the text around it, as people read it.
struct ErrorReport: Sendable {
  /// What a message of the program begins with.
  static let program = "jsift: "

  /// The place, the message, and under it the line.
  let text: String

  init(
    _ error: JSONError, file: InputFile, at position: SourcePosition, _ excerpt: SourceExcerpt?,
    in location: PathLocation? = nil, head: String = Self.program
  ) {
    guard !error.code.endsInput else {
      text = Self.text(error, file: file, head: head)
      return
    }
    let place = location.map { ", at \(Self.shown($0))" } ?? ""
    var text =
      "\(head)\(file.displayName):\(position.line):\(position.column): \(error.message)\(place)"
      + "\(Self.wayOut(error, file)) (byte \(error.byteOffset))"
    if let excerpt {
      let margin = "  \(position.line) | "
      let blanks = String(repeating: " ", count: margin.count - 2)
      text +=
        "\n\(margin)\(excerpt.text)\n\(blanks)| \(String(repeating: " ", count: DisplayWidth.of(excerpt.text.prefix(excerpt.caret))))^"
    }
    self.text = text
  }

  func write() { Self.write(text) }

  /// An error of a file and not of what it says.
  static func text(_ error: JSONError, file: InputFile, head: String = program) -> String {
    "\(head)\(file.displayName): \(error.message)\(wayOut(error, file))"
  }

  /// Where a limit was passed. Bytes that are gone are read again, if they are those of a file.
  static func location(
    of error: JSONError, _ file: InputFile, _ framing: JSONFraming, badRecord: () -> JSONBadRecord?
  ) -> PathLocation? {
    switch error.code {
    case .depthLimit, .stringLimit, .keyLimit, .numberLimit: break
    case .recordLimit where framing == .document: break
    default: return nil
    }
    if framing == .document {
      let isThere = file.size != nil && file.path != nil
      return isThere && file.start == 0 ? error.location(in: file.source) : nil
    }
    return badRecord().flatMap { error.location(in: $0.rawBytes, from: $0.byteRange.lowerBound) }
  }

  /// A location, in the middle of which steps may be left out.
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

  /// What can be done about an error, if anything can.
  private static func wayOut(_ error: JSONError, _ file: InputFile) -> String {
    switch error.code {
    case .decompressionLimit: "; --max-decompressed-bytes sets another limit"
    // No option makes more room for a window.
    case .decompressionWindow: "; zstd -d --long=31 reads it, into a pipe"
    case .queryLimit where error.isOfQuerySteps: "; --max-query-steps sets another limit"
    case .depthLimit: "; --max-depth sets another limit"
    case .recordLimit where error.isOfSize: "; --max-record-bytes sets another limit"
    case .unreadable where file.looksLikePath:
      "\n    = that is a path: jsift get takes one before the files; with -p all arguments are files"
    default: ""
    }
  }

  /// An error of a file that could not be opened.
  static func write(_ error: JSONError, file: InputFile) {
    write(text(error, file: file))
  }

  /// Writes one message to standard error, after what has been found before it.
  static func write(_ message: String) {
    unsafe Progress.current?.hide()
    put((Style.isOnErrors ? Style.painted(message) : message) + "\n")
  }

  /// Writes characters to standard error.
  static func put(_ text: String) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        #if canImport(Glibc)
          unsafe Glibc.write(2, bytes.baseAddress.unsafelyUnwrapped + written, bytes.count - written)
        #elseif canImport(Musl)
          unsafe Musl.write(2, bytes.baseAddress.unsafelyUnwrapped + written, bytes.count - written)
        #else
          unsafe Darwin.write(2, bytes.baseAddress.unsafelyUnwrapped + written, bytes.count - written)
        #endif
      }
      if count < 0, errno != EINTR { return }
      written += max(count, 0)
    }
  }
}
