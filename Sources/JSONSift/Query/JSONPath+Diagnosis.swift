extension JSONPath {
  /// An explanation of an invalid path for its author: the error, its position and a suggestion.
  ///
  /// ```text
  /// path '$.items.[0]': expected a name or '*' after '.', or '[' without '.', found '['
  ///     | $.items.[0]
  ///     |         ^ did you mean '$.items[0]'?
  /// ```
  public struct Diagnosis: Sendable, Hashable, CustomStringConvertible {
    /// The error that ``JSONPath/init(_:)`` throws, or the error of a literal pattern; see ``JSONPath/patternDiagnosis``.
    public let error: JSONError
    /// A valid path that may be intended: the text with one or a few corrections. `nil` if no correction makes it valid.
    public let suggestion: String?
    private let text: String
    /// The kind of the text, as messages name it.
    private let kind: String

    /// Parses a text as a path; returns `nil` if it is one.
    ///
    /// - Complexity: O(length of `text`), for each of at most a few attempts to correct it.
    public init?(_ text: String) { self.init(text, functions: PathFunction.all) }

    init?(_ text: String, functions: [PathFunction], isCondition: Bool = false) {
      var parser = JSONPathParser(text, functions: functions)
      guard let error = parser.error(isCondition: isCondition) else { return nil }
      self.init(error, text, isCondition: isCondition, suggestion: Self.corrected(parser, isCondition))
    }

    /// Parses a text as a ``JSONCondition``; returns `nil` if it is one.
    ///
    /// - Complexity: O(length of `text`), for each of at most a few attempts to correct it.
    public init?(condition text: String) { self.init(text, functions: PathFunction.all, isCondition: true) }

    init(_ error: JSONError, _ text: String, isCondition: Bool, suggestion: String?) {
      self.error = error
      self.text = text
      kind = isCondition ? "condition" : "path"
      self.suggestion = suggestion
    }

    /// Three lines: the text and the error message; the text again; a caret under the position of the error, and the
    /// suggestion. A long text is shortened.
    public var description: String {
      let (before, after) = aroundCaret { "'\($0)'" }
      return "\(before)^\(after)"
    }

    /// Returns the description up to the caret, and after it.
    ///
    /// - Parameter quoted: Puts a suggestion into quotes.
    package func aroundCaret(_ quoted: (String) -> String) -> (before: String, after: String) {
      let shown = Self.shown(text)
      let bytes = text.utf8
      let excerpt = JSONError.Excerpt(
        around: min(error.byteOffset, bytes.count), in: bytes.map { $0 == ASCII.lineFeed ? 0x0B : $0 },
        width: Self.width)
      let blanks = String(repeating: " ", count: excerpt.caret)
      let guess = suggestion.map { " did you mean \(quoted(Self.shown($0)))?" } ?? ""
      return ("\(kind) '\(shown)': \(error.message)\n    | \(excerpt.text)\n    | \(blanks)", guess)
    }

    /// Returns the same explanation with a text of the same length that was typed instead, and no suggestion.
    package func shown(as typed: String) -> Self {
      Self(error, typed, isCondition: kind == "condition", suggestion: nil)
    }

    private static let width = 200

    /// Returns a text on one line, shortened to the width.
    private static func shown(_ text: String) -> String {
      guard text.utf8.count > width else { return JSONError.Excerpt.printable(text.utf8) }
      return JSONError.Excerpt.printable(String(text.unicodeScalars.prefix(width / 2)).utf8) + "…"
    }

    private static let quotes: [Character: Character] = ["“": "\"", "”": "\"", "„": "\"", "‘": "'", "’": "'", "‚": "'"]

    /// The maximum number of corrections of one text.
    private static let maxCorrections = 32

    /// Returns the text after correcting each error that stops the parser, or `nil` if it stays invalid.
    private static func corrected(_ failed: JSONPathParser, _ isCondition: Bool) -> String? {
      var parser = failed
      guard parser.text.count <= JSONPathParser.maxBytes else { return nil }
      // Word processors and chat programs write other quotes.
      let text = String(decoding: parser.text, as: UTF8.self)
      if text.contains(where: { quotes[$0] != nil }) {
        let plain = String(text.map { quotes[$0] ?? $0 })
        parser = JSONPathParser(plain, functions: failed.functions)
        if parser.error(isCondition: isCondition) == nil { return withPatterns(of: parser, plain) }
      }
      for _ in 0..<maxCorrections {
        guard let repair = parser.repair else { return nil }
        let bytes = parser.text
        let text = String(
          decoding: bytes[..<repair.range.lowerBound] + repair.replacement.utf8 + bytes[repair.range.upperBound...],
          as: UTF8.self)
        parser = JSONPathParser(text, functions: failed.functions)
        if parser.error(isCondition: isCondition) == nil { return withPatterns(of: parser, text) }
      }
      return nil
    }
  }
}
