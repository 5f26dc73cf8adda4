/// How a stream is cut into records.
///
/// ``automatic`` guesses; ``lines``, ``values``, ``textSequence``, ``children(of:)`` and ``document`` are explicit.
public struct JSONFraming: Sendable, Hashable {
  /// `nil` if the framing is to be guessed.
  let framer: (any Framer.Type)?
  /// The path of the container, for ``children(of:)``; `nil` for other framings.
  public let path: JSONPath?

  init(_ framer: (any Framer.Type)?, path: JSONPath? = nil) {
    self.framer = framer
    self.path = path
  }

  /// A guess from the source's name and first lines; see ``guess(name:head:)``.
  public static var automatic: JSONFraming { JSONFraming(nil) }

  /// Whether reading can continue after a bad record. False for ``automatic``, where it is unknown.
  package var canResumeAfterErrors: Bool { framer.map { $0.stopReason == nil } ?? false }

  /// The framings that a checkpoint can name.
  static var all: [JSONFraming] { [.lines, .values, .textSequence, .children, .document] }

  /// Returns whether both framings cut a stream in the same way.
  public static func == (left: JSONFraming, right: JSONFraming) -> Bool {
    left.framer.map { ObjectIdentifier($0) } == right.framer.map { ObjectIdentifier($0) } && left.path == right.path
  }

  /// Hashes the values that ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(framer.map { ObjectIdentifier($0) })
    hasher.combine(path)
  }

  /// Guesses the framing, only from the name of a file and its first lines.
  ///
  /// A record separator as the first byte means a text sequence. The extensions `.ndjson`, `.jsonl`, `.ndj` and `.log`, also
  /// of a rotated file (`app.log.1`, `app.log-20261124`), mean lines, unless the first lines are those of one document that
  /// spans several lines. `.json` and `.geojson` mean a document, unless the first line is a whole value followed by more
  /// text, or one damaged line among many records. For all other names, an empty input is a stream without records, and the
  /// first line that is not blank decides: a whole value means lines, two values side by side mean values, a damaged line among many
  /// records means lines, text that cannot begin JSON means lines if one of the next 64 lines is an array or object, and
  /// anything else a document.
  ///
  /// The first line counts as a damaged line among many records if two of the next 64 lines, one after the other, are arrays or
  /// objects, or one if the line after the first is text that no document has. If the error of the first line is inside it, or
  /// it ends inside a string, it is enough that one of the next 64 lines is an array or object, even a damaged one. No valid
  /// document has such lines.
  ///
  /// - Parameters:
  ///   - name: The file name, or nil for a stream without one.
  ///   - head: The first bytes of the input: 65 lines, or the whole input.
  /// - Returns: The framing.
  public static func guess(name: String?, head: [UInt8]) -> JSONFraming {
    if head.isEmpty { return ofFile(named: name) ?? .lines }
    if head.first == ASCII.recordSeparator { return .textSequence }
    let named = ofFile(named: name)
    let line = firstLine(of: head)
    let rest = head[line.endIndex...]
    if line.isEmpty { return named ?? .lines }
    let kind = FirstLine(line, isEnded: !rest.isEmpty)
    if named == .lines, kind != .cut || !opensDocument(line, before: rest) { return .lines }
    let next = rest.dropFirst()
    if kind.isText, named == nil, lines(of: next).contains(where: { isWholeRecord($0) }) { return .lines }
    if kind == .whole { return named == nil || rest.contains { !$0.isJSONWhitespace } ? .lines : .document }
    if kind.isDamaged ? lines(of: next).contains(where: { isRecord($0) }) : holdsRecords(next) { return .lines }
    return named == .document || !kind.isOfValues || kind == .textOfValues && mayHoldRecord(line) ? .document : .values
  }

  /// The kind of text on the first line of an input.
  enum FirstLine {
    /// One value.
    case whole
    /// The beginning of a document that spans several lines; or text that is neither a value nor the beginning of an array
    /// or object.
    case cut
    /// Values side by side.
    case values
    /// An array or object with an error inside, or followed by a byte that cannot begin a value. No valid document begins
    /// like this.
    case damaged
    /// A damaged array or object whose error is in a number, which can be two values side by side.
    case damagedNumber
    /// Text that cannot begin JSON, and is no comment.
    case text
    /// Text that begins like values side by side, such as a time.
    case textOfValues

    /// Returns whether a line is values side by side, the last of which can be incomplete.
    private static func holdsValues(_ line: ArraySlice<UInt8>) -> Bool {
      do throws(JSONError) {
        var reader = try JSONRecordReader(.bytes(Array(line)), framing: .values)
        while try reader.next() != nil {}
        return true
      } catch {
        return error.byteOffset >= line.count && (error.code == .unexpectedEnd || error.code == .invalidNumber)
      }
    }

    var isDamaged: Bool { self == .damaged || self == .damagedNumber }
    var isOfValues: Bool { self == .values || self == .damagedNumber || self == .textOfValues }
    var isText: Bool { self == .text || self == .textOfValues }

    /// - Parameter isEnded: Whether a line feed follows, which no string contains.
    init(_ line: ArraySlice<UInt8>, isEnded: Bool = false) {
      do throws(JSONError) {
        _ = try JSON(parsing: isEnded ? line + [ASCII.lineFeed] : line)
        self = .whole
      } catch {
        let start = unsafe line.withUnsafeBytes { unsafe ByteOrderMark.begins($0) } ? ByteOrderMark.count : 0
        let first = line.dropFirst(start).first
        let isContainer = first == ASCII.openBrace || first == ASCII.openBracket
        switch error.code {
        case .trailingContent:
          let rest = line.dropFirst(error.byteOffset)
          let hasValues = rest.first == ASCII.comma || JSONFraming.beginsValue(rest)
          self = hasValues ? isContainer || Self.holdsValues(line) ? .values : .textOfValues : .damaged
        case .invalidNumber: self = isContainer ? .damagedNumber : Self.holdsValues(line) ? .values : .textOfValues
        case .unexpectedByte, .invalidLiteral, .controlCharacter, .invalidEscape, .loneSurrogate, .invalidUTF8:
          self = isContainer ? .damaged : first == ASCII.slash ? .cut : .text
        default: self = .cut
        }
      }
    }
  }

  /// Returns whether a text begins like a value. Of a literal, all letters and the byte after them must be there: text like
  /// `not JSON` is no value.
  static func beginsValue(_ text: ArraySlice<UInt8>) -> Bool {
    let isMarked = text.starts(with: ByteOrderMark.bytes)
    let text = text.dropFirst(isMarked ? ByteOrderMark.count : 0)
    switch text.first {
    case ASCII.quote, ASCII.openBrace, ASCII.openBracket: return true
    case ASCII.minus: return text.dropFirst().first?.isDigit == true
    case let byte? where byte.isDigit: return true
    default:
      guard let word = ["true", "false", "null"].first(where: { text.starts(with: $0.utf8) }) else { return false }
      return text.dropFirst(word.utf8.count).first?.isLetter != true
    }
  }

  /// The number of bytes that ``beginsValue(_:)`` needs.
  static let beginningBytes = 9

  /// Returns the framing that a file extension means; `nil` for other extensions. The name of a rotated log is the name of a
  /// log: `app.log.1`, `app.log-20261124`, `app.jsonl.2026-11-24.zst`.
  static func ofFile(named name: String?) -> JSONFraming? {
    guard var name = name?.lowercased() else { return nil }
    if let slash = name.lastIndex(of: "/") { name = String(name[name.index(after: slash)...]) }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
    if let last = parts.last, last == "json" || last == "geojson" { return .document }
    return parts.last { !isOfRotation($0) }.map { isOfLines($0) } == true ? .lines : nil
  }

  /// Returns whether a part of a file name is the extension of a file of lines, also with the date of a rotation.
  private static func isOfLines(_ part: Substring) -> Bool {
    let end = part.firstIndex { $0 == "-" || $0 == "_" } ?? part.endIndex
    guard ["ndjson", "jsonl", "ndj", "log"].contains(part[..<end]) else { return false }
    return end == part.endIndex || isOfRotation(part[part.index(after: end)...])
  }

  /// Returns whether a part of a file name is what a rotation appends: a number, a date, or the name of a copy.
  private static func isOfRotation(_ part: Substring) -> Bool {
    let isNumber = !part.isEmpty && part.utf8.allSatisfy { $0.isDigit || "-_:tz+".utf8.contains($0) }
    return isNumber && part.utf8.contains { $0.isDigit } || ["old", "bak", "gz", "gzip", "zst", "zstd"].contains(part)
  }

  /// Returns the first line that is not blank, without its line feed.
  static func firstLine(of head: [UInt8]) -> ArraySlice<UInt8> {
    let start = head.firstIndex { !$0.isJSONWhitespace } ?? head.endIndex
    return head[start...].prefix { $0 != ASCII.lineFeed }
  }

  /// The number of lines after a damaged one that are inspected.
  static let linesAfterDamaged = 64

  /// Returns the next lines, as many as are searched for a record.
  private static func lines(of rest: ArraySlice<UInt8>) -> ArraySlice<ArraySlice<UInt8>> {
    rest.split(separator: ASCII.lineFeed, maxSplits: linesAfterDamaged, omittingEmptySubsequences: false)
      .prefix(linesAfterDamaged)
  }

  static func isWholeRecord(_ line: ArraySlice<UInt8>) -> Bool {
    (line.first == ASCII.openBrace || line.first == ASCII.openBracket) && FirstLine(line) == .whole
  }

  /// Returns whether the incomplete first line of a file of lines begins one document: it ends with the bracket of a container
  /// whose children are on lines of their own, or begins an array with an element on each line, as a comma or a closing
  /// bracket shows.
  private static func opensDocument(_ line: ArraySlice<UInt8>, before rest: ArraySlice<UInt8>) -> Bool {
    let isMarked = line.starts(with: ByteOrderMark.bytes)
    let first = trimmed(line.dropFirst(isMarked ? ByteOrderMark.count : 0))
    let next = rest.split(separator: ASCII.lineFeed, maxSplits: 2).prefix(2).map { trimmed($0) }
    func continues(_ line: ArraySlice<UInt8>) -> Bool { line.first == ASCII.comma || line.first == ASCII.closeBracket }
    guard let second = next.first, !second.isEmpty else { return false }
    let isOpen = first.last == ASCII.openBracket || first.last == ASCII.openBrace
    guard isOpen || first.first == ASCII.openBracket else { return false }
    if continues(second) || second.last == ASCII.comma { return true }
    // After a record that was cut comes the next record.
    if FirstLine(second) == .whole { return next.dropFirst().first.map(continues) ?? false }
    return isOpen || second.last == ASCII.closeBracket
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = line.drop { $0.isJSONWhitespace }
    return start.prefix(upTo: start.lastIndex { !$0.isJSONWhitespace }.map { $0 + 1 } ?? start.startIndex)
  }

  /// Returns whether there may be an array or object behind the text at the start of a line.
  private static func mayHoldRecord(_ line: ArraySlice<UInt8>) -> Bool {
    line.contains { $0 == ASCII.openBrace || $0 == ASCII.openBracket }
  }

  /// Returns whether a line is an array or object, or begins as one and is damaged.
  static func isRecord(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first, first == ASCII.openBrace || first == ASCII.openBracket else { return false }
    let kind = FirstLine(line)
    return kind == .whole || kind.isDamaged
  }

  /// Returns whether records may follow an incomplete first line. A document continues with a line that is indented, begins with
  /// a name, a number or a closing bracket, or ends with a comma or an opening bracket.
  static func mayHoldRecords(_ head: [UInt8]) -> Bool {
    mayHoldRecords(head[firstLine(of: head).endIndex...].dropFirst())
  }

  private static func mayHoldRecords(_ rest: ArraySlice<UInt8>) -> Bool {
    let line = rest.drop { $0.isJSONWhitespace }.prefix { $0 != ASCII.lineFeed }
    let isIndented = rest.prefix(line.startIndex - rest.startIndex).last.map { $0 != ASCII.lineFeed } ?? false
    guard let first = line.first, let last = trimmed(line).last else { return true }
    return !isIndented && !"\"]},:".utf8.contains(first) && !first.isDigit && first != ASCII.minus
      && !",[{".utf8.contains(last)
  }

  /// Returns whether records follow an incomplete first line. In a document no array or object follows another one without a
  /// comma, and no line begins like text.
  private static func holdsRecords(_ rest: ArraySlice<UInt8>) -> Bool {
    guard mayHoldRecords(rest) else { return false }
    let lines = lines(of: rest).filter { !$0.allSatisfy(\.isJSONWhitespace) }
    if let first = lines.first, FirstLine(first).isText { return lines.contains { isWholeRecord($0) } }
    return zip(lines, lines.dropFirst()).contains { isWholeRecord($0) && isWholeRecord($1) }
  }
}

extension JSONFraming: CustomStringConvertible {
  /// The name of the framing, such as `lines` or `children(of: $.items)`.
  public var description: String {
    let name = framer?.name ?? "automatic"
    return path.map { "\(name)(of: \($0))" } ?? name
  }
}
