/// Text before the value on a line: `2024-05-01T10:00:00Z stdout F {"a":1}`, `[INFO] {"a":1}`, `<34>1 … su - {"a":1}`.
///
/// # What counts as prefix
///
/// The text up to the first `{` or `[` from which the rest of the line is one array or object. Escape sequences of a terminal
/// are no brackets, and may also follow the value. Three rules prevent that a record is lost in a prefix:
///
/// - A line that begins with `{` and a key has no prefix: it is a record itself, good or bad.
/// - Brackets in the prefix are skipped as groups, up to the closing bracket. Only a bracket that cannot begin a record
///   (`{tag`, `[10:30`) may have no closing one. So a value is never taken out of the middle of a record that was cut.
/// - A group that is itself JSON is a record, and makes the line bad, like any line with two values: an object always, an
///   array only before another array. `[7] {"a":1}` has the prefix `[7] `.
///
/// A number, a string or a literal has no prefix, because its start cannot be recognized.
///
/// The cost is one pass for brackets, and one for each of at most 16 brackets that are not closed. Each byte of a bad line is
/// parsed at most three times.
extension JSONRecordReader {
  mutating func prefixedRecord(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONRecord {
    guard let first = unsafe Self.firstBracket(in: bytes) else { return try unsafe record(bytes) }
    do throws(JSONError) {
      return try unsafe record(bytes, from: first)
    } catch {
      let value = unsafe rangeOfValue(in: bytes, from: first)
      guard value != first..<bytes.count else { throw error }
      return try unsafe record(UnsafeRawBufferPointer(rebasing: bytes[..<value.upperBound]), from: value.lowerBound)
    }
  }

  /// Returns the range of the value in a line, which may be unfinished; of the whole line if there is none.
  mutating func rangeOfValue(in bytes: UnsafeRawBufferPointer) -> Range<Int> {
    guard let first = unsafe Self.firstBracket(in: bytes) else { return 0..<bytes.count }
    return unsafe rangeOfValue(in: bytes, from: first)
  }

  /// Returns the first index at which a value in brackets can begin. `nil` if the line is parsed as it is.
  private static func firstBracket(in bytes: UnsafeRawBufferPointer) -> Int? {
    let blank = unsafe ByteScan.whitespacePrefix(bytes)
    guard blank < bytes.count else { return nil }
    switch unsafe bytes[blank] {
    case ASCII.openBrace where unsafe mayBeginRecord(bytes, at: blank):
      return unsafe Self.hasEscape(bytes) ? blank : nil
    case ASCII.quote:
      // A string may contain brackets.
      var extent = ValueExtent()
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[blank...])
      if let end = unsafe extent.end(in: text), unsafe isBlank(bytes, from: blank + end) { return nil }
    default: break
    }
    return unsafe bracket(in: bytes, from: blank)
  }

  /// Returns the range of the value, if the rest of the line from `first` on is not one value. The error is then reported
  /// from its start on.
  private mutating func rangeOfValue(in bytes: UnsafeRawBufferPointer, from first: Int) -> Range<Int> {
    var start = first
    var array: Int?
    /// The first bracket without a closing one.
    var open: Int?
    var opened = 0
    while true {
      var extent = ValueExtent()
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
      let next: Int
      if let length = unsafe extent.end(in: rest) {
        let isArray = unsafe bytes[start] == ASCII.openBracket
        if unsafe Self.isBlank(bytes, from: start + length) {
          if isArray, let array { return array..<bytes.count }
          let end = unsafe Self.hasEscape(rest) ? start + length : bytes.count
          return start..<end
        }
        if !isArray || array == nil, unsafe isValue(UnsafeRawBufferPointer(rebasing: rest[..<length])) {
          if !isArray { return start..<bytes.count }
          array = start
        }
        next = start + length
      } else {
        // The value is incomplete, or has an error inside.
        open = open ?? start
        opened += 1
        guard opened <= Self.maxOpened, unsafe !Self.mayBeginRecord(bytes, at: start) else {
          return start..<bytes.count
        }
        next = start + 1
      }
      guard let found = unsafe Self.bracket(in: bytes, from: next) else { return (array ?? open ?? 0)..<bytes.count }
      start = found
    }
  }

  /// The number of brackets without a closing one that a prefix may have.
  private static let maxOpened = 16

  /// Returns whether an array or object can begin with the bracket at an index: its first key, or its first element up to
  /// what follows it.
  static func mayBeginRecord(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[(index + 1)...])
    let first = unsafe UnsafeRawBufferPointer(rebasing: rest.dropFirst(ByteScan.whitespacePrefix(rest)))
    guard let byte = unsafe first.first else { return true }
    if unsafe bytes[index] == ASCII.openBrace { return byte == ASCII.quote || byte == ASCII.closeBrace }
    switch byte {
    case ASCII.quote, ASCII.openBrace, ASCII.openBracket, ASCII.closeBracket: return true
    default:
      let end = unsafe first.firstIndex { $0.isJSONWhitespace || $0 == ASCII.comma || $0 == ASCII.closeBracket }
      let token = unsafe Array(first[..<(end ?? first.count)])
      guard let end, (try? JSON(parsing: token[...])) != nil else { return false }
      let behind = unsafe UnsafeRawBufferPointer(rebasing: first[end...])
      let next = unsafe behind.dropFirst(ByteScan.whitespacePrefix(behind)).first
      return next == nil || next == ASCII.comma || next == ASCII.closeBracket
    }
  }

  private mutating func isValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
    (try? unsafe builder.document(copying: bytes, stripsMark: false)) != nil
  }

  /// Returns the first bracket from an index on that is not in an escape sequence.
  private static func bracket(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var start = start
    while let found = unsafe bytes[start...].firstIndex(where: {
      $0 == ASCII.openBrace || $0 == ASCII.openBracket || $0 == escape
    }) {
      guard unsafe bytes[found] == escape else { return found }
      unsafe start = escapeEnd(in: bytes, from: found)
    }
    return nil
  }

  /// Returns whether the rest of the line is white space and escape sequences.
  static func isBlank(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    var start = start
    while true {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
      unsafe start += ByteScan.whitespacePrefix(rest)
      guard start < bytes.count else { return true }
      guard unsafe bytes[start] == escape else { return false }
      unsafe start = escapeEnd(in: bytes, from: start)
    }
  }

  // MARK: Escape sequences of a terminal (ECMA-48)

  private static let escape: UInt8 = 0x1B

  private static func hasEscape(_ bytes: UnsafeRawBufferPointer) -> Bool { unsafe bytes.firstOffset(of: escape) != nil }

  /// Returns the end of the escape sequence at an index: a control sequence (`ESC [ 3 6 m`), an operating system command
  /// (`ESC ] … BEL`), or two bytes.
  private static func escapeEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start + 1
    guard index < bytes.count else { return index }
    let kind = unsafe bytes[index]
    index += 1
    if kind == ASCII.openBracket {
      while index < bytes.count, unsafe (0x20...0x3F).contains(bytes[index]) { index += 1 }
      return min(index + 1, bytes.count)
    }
    guard kind == ASCII.closeBracket else { return index }
    let bell: UInt8 = 0x07
    guard let end = unsafe bytes[index...].firstIndex(where: { $0 == bell || $0 == escape }) else { return index }
    return unsafe bytes[end] == bell ? end + 1 : min(end + 2, bytes.count)
  }
}

extension JSONRecord {
  /// The text before the value on its line, if ``JSONRecordOptions/skipsPrefix`` allowed it. Without that option at most
  /// white space and a byte order mark.
  public var prefix: [UInt8] {
    guard case .node(let document, let index) = value.storage, index == Document.root else { return [] }
    let start = document.range(of: index).lowerBound
    return unsafe document.withSource { unsafe Array($0.prefix(start)) }
  }
}
