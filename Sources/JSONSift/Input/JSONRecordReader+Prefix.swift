/// Text before the value on a line: `2024-05-01T10:00:00Z stdout F {"a":1}`, `[INFO] {"a":1}`, `<34>1 … su - {"a":1}`.
///
/// # What counts as prefix
///
/// The text up to the first `{` or `[` from which the rest of the line is one array or object. Three rules prevent that a
/// record is lost in a prefix:
///
/// - A line that begins with `{` has no prefix: it is a record itself, good or bad.
/// - Brackets in the prefix are skipped as groups, up to the closing bracket. So a value is never taken out of the middle of
///   a record that was cut.
/// - A group that is itself JSON is a record, and makes the line bad, like any line with two values: an object always, an
///   array only before another array. `[7] {"a":1}` has the prefix `[7] `.
///
/// A number, a string or a literal has no prefix, because its start cannot be recognized.
///
/// The cost is one pass for brackets. Each byte of a bad line is parsed at most three times.
extension JSONRecordReader {
  mutating func prefixedRecord(_ bytes: UnsafeRawBufferPointer, isValidText: Bool) throws(JSONError) -> JSONRecord {
    guard let first = unsafe Self.firstBracket(in: bytes) else {
      return try unsafe record(bytes, isValidText: isValidText)
    }
    do throws(JSONError) {
      return try unsafe record(bytes, from: first, isValidText: isValidText)
    } catch {
      let start = unsafe startOfValue(in: bytes, from: first)
      guard start != first else { throw error }
      return try unsafe record(bytes, from: start, isValidText: isValidText)
    }
  }

  /// Returns the first index at which a value in brackets can begin. `nil` if the line is parsed as it is.
  private static func firstBracket(in bytes: UnsafeRawBufferPointer) -> Int? {
    let blank = unsafe ByteScan.whitespacePrefix(bytes)
    guard blank < bytes.count else { return nil }
    switch unsafe bytes[blank] {
    case ASCII.openBrace: return nil
    case ASCII.quote:
      // A string may contain brackets.
      var extent = ValueExtent()
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[blank...])
      if let end = unsafe extent.end(in: text), unsafe isBlank(bytes, from: blank + end) { return nil }
    default: break
    }
    return unsafe bracket(in: bytes, from: blank)
  }

  /// Returns where the value begins, if the rest of the line from `first` on is not one value. The error is then reported
  /// from that index on.
  private mutating func startOfValue(in bytes: UnsafeRawBufferPointer, from first: Int) -> Int {
    var start = first
    var array: Int?
    while true {
      var extent = ValueExtent()
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
      // The value is incomplete, or has an error inside.
      guard let length = unsafe extent.end(in: rest) else { return start }
      let isArray = unsafe bytes[start] == ASCII.openBracket
      if unsafe Self.isBlank(bytes, from: start + length) { return isArray ? array ?? start : start }
      if !isArray || array == nil, unsafe isValue(UnsafeRawBufferPointer(rebasing: rest[..<length])) {
        if !isArray { return start }
        array = start
      }
      guard let next = unsafe Self.bracket(in: bytes, from: start + length) else {
        return array ?? 0
      }
      start = next
    }
  }

  private mutating func isValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
    (try? unsafe builder.document(copying: bytes, stripsMark: false)) != nil
  }

  private static func bracket(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    unsafe bytes[start...].firstIndex { $0 == ASCII.openBrace || $0 == ASCII.openBracket }
  }

  private static func isBlank(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
    return unsafe ByteScan.whitespacePrefix(rest) == rest.count
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
