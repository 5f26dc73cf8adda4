/// How a stream is cut into records.
///
/// ``automatic`` guesses; ``lines``, ``values``, ``sequence``, ``children(of:)`` and ``document`` say how.
public struct JSONFraming: Sendable, Hashable {
  /// `nil` if it is to be guessed.
  let framer: (any Framer.Type)?
  /// Where the container is, of ``children(of:)``; `nil` for the others.
  public let path: JSONPath?

  init(_ framer: (any Framer.Type)?, path: JSONPath? = nil) {
    self.framer = framer
    self.path = path
  }

  /// A guess from the source's name and first line; see ``guess(name:head:)``.
  public static var automatic: JSONFraming { JSONFraming(nil) }

  /// Whether there can be a record behind a bad one; unknown, and false, of ``automatic``.
  package var goesOnBehindErrors: Bool { framer.map { $0.stopReason == nil } ?? false }

  /// What a checkpoint can name.
  static var all: [JSONFraming] { [.lines, .values, .sequence, .children, .document] }

  /// Whether both cut a stream in the same way.
  public static func == (left: JSONFraming, right: JSONFraming) -> Bool {
    left.framer.map { ObjectIdentifier($0) } == right.framer.map { ObjectIdentifier($0) } && left.path == right.path
  }

  /// Feeds what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(framer.map { ObjectIdentifier($0) })
    hasher.combine(path)
  }

  /// A guess from the name of a file and its first lines. It depends on nothing but these.
  ///
  /// A record separator as the first byte means a text sequence. The endings `.ndjson`, `.jsonl`, `.ndj` and `.log` mean
  /// lines. `.json` and `.geojson` mean a document, unless the first line is a whole value and more stands behind it, or a
  /// damaged one of many. Otherwise an empty input is a stream without records, and the first line of any other one that is not
  /// blank decides: a whole value means lines, two values side by side mean values, a damaged one of many means lines, and all
  /// else a document.
  ///
  /// The first line is a damaged one of many if the two lines behind it are an array or object each. If an error stands inside
  /// of it, and not only at its end, one of the next 64 lines is enough that is an array or object, also a damaged one. No
  /// document that is valid has such lines.
  ///
  /// - Parameters:
  ///   - name: The name, or nil for a stream without one.
  ///   - head: The first bytes of the input: 65 lines, or all there is.
  public static func guess(name: String?, head: [UInt8]) -> JSONFraming {
    if head.isEmpty { return ofFile(named: name) ?? .lines }
    if head.first == ASCII.recordSeparator { return .sequence }
    let named = ofFile(named: name)
    if named == .lines { return .lines }
    let line = firstLine(of: head)
    let rest = head[line.endIndex...]
    if line.isEmpty { return named ?? .lines }
    let kind = FirstLine(line)
    if kind == .whole { return named == nil || rest.contains { !$0.isJSONWhitespace } ? .lines : .document }
    if kind.isDamaged ? hasRecord(rest.dropFirst()) : holdsRecords(rest.dropFirst(), atLeast: 2) { return .lines }
    return named ?? (kind.isOfValues ? .values : .document)
  }

  /// What the first line of an input is.
  enum FirstLine {
    /// One value.
    case whole
    /// What a document that is written over several lines begins with; or no array or object, and no value.
    case cut
    /// Values side by side.
    case values
    /// An array or object that has an error inside, or behind it what begins no value. No valid document begins so.
    case damaged
    /// The same where the error is in a number, which can be two values side by side.
    case damagedNumber

    var isDamaged: Bool { self == .damaged || self == .damagedNumber }
    var isOfValues: Bool { self == .values || self == .damagedNumber }

    init(_ line: ArraySlice<UInt8>) {
      do throws(JSONError) {
        _ = try JSON(parsing: line)
        self = .whole
      } catch {
        let start = unsafe line.withUnsafeBytes { unsafe ByteOrderMark.begins($0) } ? ByteOrderMark.count : 0
        let first = line.dropFirst(start).first
        let isContainer = first == ASCII.openBrace || first == ASCII.openBracket
        switch error.code {
        case .trailingContent: self = line.dropFirst(error.byteOffset).first?.isOfValues == false ? .damaged : .values
        case .invalidNumber: self = isContainer ? .damagedNumber : .values
        case .unexpectedByte, .invalidLiteral, .controlCharacter, .invalidEscape, .loneSurrogate, .invalidUTF8:
          self = isContainer ? .damaged : .cut
        default: self = .cut
        }
      }
    }
  }

  /// What the ending of a file's name says, if it says anything.
  static func ofFile(named name: String?) -> JSONFraming? {
    switch name.flatMap({ name in name.lastIndex(of: ".").map { name[$0...].lowercased() } }) {
    case ".ndjson", ".jsonl", ".ndj", ".log": .lines
    case ".json", ".geojson": .document
    default: nil
    }
  }

  /// The first line that is not blank, without its line feed.
  static func firstLine(of head: [UInt8]) -> ArraySlice<UInt8> {
    let start = head.firstIndex { !$0.isJSONWhitespace } ?? head.endIndex
    return head[start...].prefix { $0 != ASCII.lineFeed }
  }

  /// How many lines behind a damaged one are looked at.
  static let linesBehind = 64

  /// Whether one of the next lines is an array or object, or begins as one and is damaged.
  private static func hasRecord(_ rest: ArraySlice<UInt8>) -> Bool {
    rest.split(separator: ASCII.lineFeed, maxSplits: linesBehind, omittingEmptySubsequences: false)
      .prefix(linesBehind).contains { isRecord($0) }
  }

  /// Whether a line is an array or object, or begins as one and is damaged.
  static func isRecord(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first, first == ASCII.openBrace || first == ASCII.openBracket else { return false }
    let kind = FirstLine(line)
    return kind == .whole || kind.isDamaged
  }

  /// Whether the second line is an array or object, so that the third one decides.
  static func mayHoldRecords(_ head: [UInt8]) -> Bool {
    holdsRecords(head[firstLine(of: head).endIndex...].dropFirst(), atLeast: 1)
  }

  /// Whether the next lines, one or two, are an array or object each. One such line is no proof behind one that is cut: a
  /// document can be written so.
  private static func holdsRecords(_ rest: ArraySlice<UInt8>, atLeast count: Int) -> Bool {
    let lines = rest.split(separator: ASCII.lineFeed, maxSplits: 2, omittingEmptySubsequences: false)
    return lines.count >= count
      && lines.prefix(count).allSatisfy { line in
        guard let json = try? JSON(parsing: line) else { return false }
        return json.type == .array || json.type == .dictionary
      }
  }
}

extension JSONFraming: CustomStringConvertible {
  /// Its name, such as `lines` or `children(of: $.items)`.
  public var description: String {
    let name = framer?.name ?? "automatic"
    return path.map { "\(name)(of: \($0))" } ?? name
  }
}

extension UInt8 {
  /// Whether it can stand between values or begin one.
  fileprivate var isOfValues: Bool {
    switch self {
    case ASCII.quote, ASCII.minus, ASCII.openBrace, ASCII.closeBrace, ASCII.openBracket, ASCII.closeBracket,
      ASCII.comma,
      ASCII.colon, ASCII.lowerT, ASCII.lowerF, ASCII.lowerN:
      true
    default: isDigit
    }
  }
}
