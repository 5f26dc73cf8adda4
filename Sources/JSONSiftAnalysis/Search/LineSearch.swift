import JSONSift

/// The unit of line numbers: all lines, or records, which are the lines that are not blank.
package enum LineUnit: String, Sendable {
  case line, record

  /// The number of the line that begins there, or of the first record at or after it. Both count from 1.
  func number(at start: CountedPosition) -> Int { self == .line ? start.line : start.count + 1 }
}

/// Finds lines of a file by their numbers, or by the numbers of their records. They are counted from the start of the file,
/// or from a line whose start an index knows.
package struct LineSearch: ~Copyable {
  private var file: SearchedFile
  /// The start of a line. No line before it is searched for.
  private let known: CountedPosition

  private static let readBytes = Sizes.of(1 << 18, fuzzing: 16)

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - framing: The framing that was requested.
  ///   - known: A line whose start is known. No line before it can be found.
  /// - Throws: `JSONError.Code.unreadable`, also if it is not a regular file; `JSONError.Code.compressedInput`.
  package init(
    _ path: [UInt8], _ framing: JSONFraming, from known: CountedPosition = CountedPosition()
  ) throws(JSONError) {
    file = try SearchedFile(path, framing)
    self.known = known
  }

  /// The result of a search.
  package enum Outcome {
    /// The bytes in which the lines begin. The range has the number of the first line.
    case found(JSONInputRange)
    /// The file has fewer lines or records than the first number; the associated value is their number.
    case tooFew(Int)
    /// The records are not lines.
    case framing(JSONFraming)
  }

  /// Finds lines, or records.
  ///
  /// - Parameters:
  ///   - first: The number of the first one, from 1.
  ///   - last: The number of the last one, not before the first; `nil` for all up to the end. The file may have fewer.
  ///   - unit: The unit of the numbers.
  /// - Throws: `JSONError.Code.unreadable`.
  package mutating func find(
    _ first: Int, through last: Int?, counting unit: LineUnit = .line
  ) throws(JSONError) -> Outcome {
    // In another framing a record can begin in the middle of a line.
    guard file.framing == .lines else { return .framing(file.framing) }
    let next = last.flatMap { $0 < .max ? $0 + 1 : nil }
    return switch unit {
    case .line: try findLines(first, next)
    case .record: try findRecords(first, next)
    }
  }

  // MARK: Lines

  /// - Parameter next: The number of the line after the last one; `nil` for all lines.
  private mutating func findLines(_ first: Int, _ next: Int?) throws(JSONError) -> Outcome {
    var position = LinePosition(offset: known.offset, line: known.line)
    var isLineStart = true
    guard let start = try start(of: first, from: &position, &isLineStart) else {
      return .tooFew(isLineStart ? position.line - 1 : position.line)
    }
    var end: Int?
    if let next { end = try self.start(of: next, from: &position, &isLineStart) }
    return .found(JSONInputRange(fromLine: first, at: start, to: end))
  }

  /// Returns the offset at which a line begins; `nil` if the file ends before. The end of the file after a line feed begins no
  /// line, unless the file is empty.
  ///
  /// - Parameters:
  ///   - known: An offset, and the number of the line that contains it.
  ///   - isLineStart: Whether the byte before is a line feed.
  private mutating func start(
    of line: Int, from known: inout LinePosition, _ isLineStart: inout Bool
  ) throws(JSONError) -> Int? {
    while known.line < line {
      let bytes = try unsafe file.bytes(at: known.offset, count: Self.readBytes)
      guard let last = unsafe bytes.last else { return nil }
      let found = unsafe ByteScan.countLineFeeds(bytes)
      guard known.line + found >= line else {
        known = LinePosition(offset: known.offset + bytes.count, line: known.line + found)
        isLineStart = last == UInt8(ascii: "\n")
        continue
      }
      var rest = unsafe bytes
      while known.line < line, let feed = unsafe ByteScan.lineFeed(rest) {
        known = LinePosition(offset: known.offset + feed + 1, line: known.line + 1)
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[(feed + 1)...])
      }
      isLineStart = true
    }
    return known.offset < file.size || file.size == 0 ? known.offset : nil
  }

  // MARK: Records

  /// - Parameter next: The number of the record after the last one; `nil` for all records.
  private mutating func findRecords(_ first: Int, _ next: Int?) throws(JSONError) -> Outcome {
    var lines = RecordLineScanner(from: LinePosition(offset: known.offset, line: known.line))
    var number = known.count
    var start: LinePosition?
    var end: Int?
    func note(_ line: LinePosition) {
      number += 1
      if number == first { start = line }
      if number == next { end = line.offset }
    }
    var offset = known.offset
    while start == nil || next != nil && end == nil {
      let bytes = try unsafe file.bytes(at: offset, count: Self.readBytes)
      if unsafe bytes.isEmpty {
        lines.finish(note)
        break
      }
      unsafe lines.add(bytes, at: offset, note)
      offset += bytes.count
    }
    guard let start else { return .tooFew(number) }
    return .found(JSONInputRange(fromLine: start.line, at: start.offset, to: end))
  }
}

extension JSONInputRange {
  /// A range from the start of a line, with its number, to an offset or the end of the file.
  init(fromLine line: Int, at start: Int, to end: Int?) {
    self = end.map { JSONInputRange(start..<$0) } ?? JSONInputRange(start...)
    firstLine = line
  }
}
