import JSONSift

/// The template of lines whose times have the order of their bytes: the lines begin with the same bytes, and up to the end of
/// the time they differ in its digits only.
///
/// In such lines the path selects a value at the same position, because the bytes before the value decide: a name selects the
/// first of the members with that name, and an index counts from the start. A negative index counts from the end, so lines with
/// such a path have no template.
struct TimeLineTemplate {
  /// A line of this template up to the end of the time, with the byte after it.
  private let start: [UInt8]
  private let time: Range<Int>

  /// Returns the template of a line; `nil` if its time does not have the order of its bytes, or if it has no time.
  ///
  /// - Parameters:
  ///   - line: A line that is valid JSON.
  ///   - window: The paths of the time. Only a time at the first one gives a template: a line of it has no time that counts
  ///     more.
  init?(of line: UnsafeRawBufferPointer, _ window: JSONTimeWindow) {
    guard !window.path.countsFromEnd,
      let record = unsafe try? JSON(parsing: line),
      let value = try? PathEvaluations(of: record, count: 1, limits: JSONLimits()).value(ofSingular: window.path),
      let range = value.byteRange, range.upperBound < line.count,
      unsafe Self.isOrdered(UnsafeRawBufferPointer(rebasing: line[range]))
    else { return nil }
    start = unsafe Array(line[...range.upperBound])
    time = range
  }

  /// Returns whether times that differ from this one in digits only have the order of their bytes: it is an integer, whose
  /// unit depends on the number of its digits, or a time in UTC without escapes.
  private static func isOrdered(_ text: UnsafeRawBufferPointer) -> Bool {
    if unsafe text.allSatisfy({ $0.isDigit }) { return true }
    guard text.count > 2, unsafe text[text.count - 2] | 0x20 == UInt8(ascii: "z") else { return false }
    return unsafe InternetTime(UnsafeRawBufferPointer(rebasing: text[1..<(text.count - 1)])) != nil
  }

  /// Returns the time of a line; `nil` if the line does not have this template.
  func time(of line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard line.count >= start.count else { return nil }
    let isOfTemplate = unsafe start.withUnsafeBytes { start in
      guard unsafe UnsafeRawBufferPointer(rebasing: start[..<time.lowerBound]).memoryOrder(line) == 0 else {
        return false
      }
      for index in time.lowerBound..<start.count {
        let (byte, expected) = unsafe (line[index], start[index])
        guard byte == expected || byte.isDigit && expected.isDigit else { return false }
      }
      return true
    }
    return isOfTemplate ? unsafe UnsafeRawBufferPointer(rebasing: line[time]) : nil
  }
}
