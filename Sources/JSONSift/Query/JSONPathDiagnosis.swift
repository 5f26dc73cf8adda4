/// What is wrong with the text of a path, for the people who wrote it.
///
/// ```text
/// path '$.items.[0]': expected a name or '*' after '.'; before '[' there is no '.', found '['
///     | $.items.[0]
///     |         ^ did you mean '$.items[0]'?
/// ```
public struct JSONPathDiagnosis: Sendable, Hashable, CustomStringConvertible {
  /// The error that ``JSONPath/init(_:)`` throws.
  public let error: JSONError
  /// The text that may be meant: a path, which differs in a slip or a few. `nil` if no guess is good.
  public let suggestion: String?
  private let text: String
  /// What the text is, or should be.
  private let kind: String

  /// Looks at a text; `nil` if it is a path.
  ///
  /// - Complexity: O(length of `text`), a few times.
  public init?(_ text: String) { self.init(text, functions: PathFunction.all) }

  init?(_ text: String, functions: [PathFunction]) {
    var parser = JSONPathParser(text, functions: functions)
    do throws(JSONError) {
      _ = try parser.query()
      return nil
    } catch {
      self.error = error
      self.text = text
      kind = "path"
      suggestion = Self.mended(parser)
    }
  }

  /// Looks at the text of a ``JSONCondition``; `nil` if it is one.
  ///
  /// - Complexity: O(length of `text`), a few times.
  public init?(condition text: String) {
    var parser = JSONPathParser(text)
    do throws(JSONError) {
      _ = try parser.condition()
      return nil
    } catch {
      self.error = error
      self.text = text
      kind = "condition"
      suggestion = Self.mended(parser, isCondition: true)
    }
  }

  /// Three lines: the text with what was found and what would have been right; the text again; a caret under the place,
  /// and the suggestion. A long text is cut.
  public var description: String {
    let shown = Self.shown(text)
    let bytes = text.utf8
    let excerpt = SourceExcerpt(
      around: min(error.byteOffset, bytes.count), in: bytes.map { $0 == ASCII.lineFeed ? 0x0B : $0 }, width: Self.width)
    let blanks = String(repeating: " ", count: excerpt.caret)
    let guess = suggestion.map { " did you mean '\(Self.shown($0))'?" } ?? ""
    return "\(kind) '\(shown)': \(error.message)\n    | \(excerpt.text)\n    | \(blanks)^\(guess)"
  }

  private static let width = 200

  /// A text on one line, cut to what fits.
  private static func shown(_ text: String) -> String {
    guard text.utf8.count > width else { return SourceExcerpt.printable(text.utf8) }
    return SourceExcerpt.printable(String(text.unicodeScalars.prefix(width / 2)).utf8) + "…"
  }

  /// Slips that are mended in one text, at most.
  private static let maxSlips = 8

  /// The text with each slip mended that stops the parser, if it is right then.
  private static func mended(_ failed: JSONPathParser, isCondition: Bool = false) -> String? {
    var parser = failed
    guard parser.text.count <= JSONPathParser.maxBytes else { return nil }
    for _ in 0..<maxSlips {
      guard let repair = parser.repair else { return nil }
      let bytes = parser.text
      let text = String(
        decoding: bytes[..<repair.range.lowerBound] + repair.replacement.utf8 + bytes[repair.range.upperBound...],
        as: UTF8.self)
      parser = JSONPathParser(text, functions: failed.functions)
      if isCondition ? (try? parser.condition()) != nil : (try? parser.query()) != nil { return text }
    }
    return nil
  }
}
