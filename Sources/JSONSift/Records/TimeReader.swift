/// A time, and the offset in the input of its record.
package struct TimePosition: Sendable, Hashable {
  package let time: Instant
  package let byteOffset: Int
  /// In a compressed input, the offset of the frame from which `byteOffset` counts bytes of the text; `nil` if it counts from
  /// the start of the input.
  package var frame: Int?

  package init(time: Instant, byteOffset: Int, frame: Int? = nil) {
    (self.time, self.byteOffset, self.frame) = (time, byteOffset, frame)
  }
}

/// Reads the times of lines. The lines are validated, and no record is kept.
package struct TimeReader: ~Copyable {
  /// A record, its range in the input with its line feed, and its time; `nil` if it has none.
  package struct Line {
    package let range: Range<Int>
    package let time: Instant?
    package var position: TimePosition? { time.map { TimePosition(time: $0, byteOffset: range.lowerBound) } }
  }

  private var reader: JSONRecordReader
  private let paths: [JSONPath]
  private let bounds: TimeBounds
  private let limits: JSONLimits
  /// The range of the last time in its line.
  private var valueRange = 0..<0
  private var place: TimePlace
  /// The number of lines before the place is tried again, and that after the next failure (exponential back-off).
  private var linesBeforePlace = 0
  private var pause = 0

  private static let fewLines = Sizes.of(64, fuzzing: 2)
  private static let maxPause = Sizes.of(1024, fuzzing: 4)

  /// Reads pushed bytes.
  ///
  /// - Parameters:
  ///   - window: The path of the times, and the unit of numbers.
  ///   - options: How lines are read. Bad records are skipped.
  ///   - offset: The offset in the input of the first byte, at which a line begins.
  package init(_ window: JSONTimeWindow, _ options: JSONRecordOptions, at offset: Int) throws(JSONError) {
    let options = Self.options(options, range: nil)
    let reader = try JSONRecordReader(
      ReadWindow(pushedFrom: offset), framing: .lines, options: options, at: JSONCheckpoint(byteOffset: offset))
    try self.init(window, reader, options)
  }

  /// Reads a range of a source.
  package init(
    _ window: JSONTimeWindow, _ options: JSONRecordOptions, in source: JSONSource, _ range: JSONInputRange
  ) throws(JSONError) {
    let options = Self.options(options, range: range)
    try self.init(window, JSONRecordReader(source, options: options), options)
  }

  /// Reads blocks of lines; see ``read(_:_:)``.
  init(blocks options: JSONRecordOptions, _ window: JSONTimeWindow) throws(JSONError) {
    var options = Self.options(options, range: nil)
    options.recovery = .stop
    try self.init(window, JSONRecordReader(blocks: options), options)
  }

  private init(
    _ window: JSONTimeWindow, _ reader: consuming JSONRecordReader, _ options: JSONRecordOptions
  ) throws(JSONError) {
    self.reader = reader
    paths = window.paths
    bounds = window.bounds
    limits = options.reading.limits
    place = TimePlace(window.path)
    try self.reader.keep(only: window.paths)
  }

  private static func options(_ options: JSONRecordOptions, range: JSONInputRange?) -> JSONRecordOptions {
    var options = options
    options.framing = .lines
    options.recovery = .skip
    options.maxErrors = nil
    options.range = range
    return options
  }

  /// Appends the next bytes of the input.
  package mutating func push(_ bytes: UnsafeRawBufferPointer) { unsafe reader.push(bytes) }

  /// Marks the end of the input.
  package mutating func close() { reader.window.close() }

  /// Returns the next complete record; `nil` if more bytes are needed, or at the end.
  ///
  /// - Throws: An error of the source; never with pushed bytes.
  package mutating func next() throws(JSONError) -> Line? {
    if let (time, _) = borrowNext() { return line(time) }
    guard let record = try reader.next() else { return nil }
    do throws(JSONError) {
      return line(try self.time(of: record.value))
    } catch {
      // The query has exceeded its limit.
      return line(nil)
    }
  }

  /// Returns the time of the next line, and the number of its path, if the values of the line are found without a document. Sets
  /// ``valueRange``.
  private mutating func borrowNext() -> (time: Instant?, path: Int)? {
    var found: (time: Instant?, path: Int) = (nil, -1)
    var start = unsafe UnsafeRawPointer?.none
    var length = 0
    let bounds = bounds
    let count = unsafe reader.borrowRows(
      { path, text in
        guard found.time == nil, let time = unsafe bounds.time(of: text) else { return }
        found = (time, path)
        unsafe (start, length) = (text.baseAddress, text.count)
      }, endRow: { false })
    guard count > 0 else { return nil }
    valueRange = 0..<0
    if let start = unsafe start, let base = unsafe reader.window.bytes.baseAddress {
      let first = unsafe start - base
      if first >= 0 { valueRange = first..<(first + length) }
    }
    return found
  }

  /// Returns the time of the next record that has one; `nil` if more bytes are needed, or at the end.
  package mutating func nextTime() throws(JSONError) -> TimePosition? {
    while let line = try next() {
      if let position = line.position { return position }
    }
    return nil
  }

  private func line(_ time: Instant?) -> Line {
    Line(range: reader.recordOffset..<(reader.recordOffset + reader.pendingUse), time: time)
  }

  private func time(of record: JSON) throws(JSONError) -> Instant? {
    let values = PathEvaluations(of: record, count: paths.count, limits: limits)
    for path in paths {
      if let time = try values.value(ofSingular: path).flatMap({ bounds.time(of: $0) }) { return time }
    }
    return nil
  }

  // MARK: Blocks

  /// Passes each line of a block that is not blank: its range in the block's memory, its line, its time, and whether it is known to be
  /// JSON. A bad record has no time.
  mutating func read(
    _ block: LineBlock, _ body: (_ range: Range<Int>, _ line: Int, _ time: Instant?, _ isValidated: Bool) -> Void
  ) {
    let range = block.range
    let first = block.offset - range.lowerBound
    // A line that is too long exceeds the limit, and so does its known part.
    guard block.skippedBytes == 0 else { return body(range, block.line, nil, false) }
    reader.begin(block)
    defer {
      reader.end(block)
      // The reader leaves the range of the lines that it has not used.
      block.range = range
    }
    while true {
      if linesBeforePlace > 0 {
        linesBeforePlace -= 1
      } else {
        readAtPlace { body(($0 - first)..<($0 - first + $1), $2, $3, true) }
      }
      var time: Instant?
      var isValidated = false
      do throws(JSONError) {
        if let (passed, path) = borrowNext() {
          (time, isValidated) = (passed, true)
          // A time at another path counts only if there is none at the first one, which a later line may have.
          if path == 0, time != nil { unsafe place.set(valueRange, in: reader.window.bytes) }
        } else {
          guard let record = try reader.next() else { return }
          time = try? self.time(of: record.value)
        }
      } catch {
        // The reader of the text finds the error.
        guard !error.code.endsInput else { return }
      }
      let start = max(reader.recordOffset - first, range.lowerBound)
      body(start..<min(start + max(reader.pendingUse, 1), range.upperBound), reader.textLine, time, isValidated)
    }
  }

  /// Passes the next lines in which the time stands behind the same bytes as in the line before: their offsets and lengths with the
  /// line feed, their lines and times. They are validated, so no index of their tokens is needed.
  private mutating func readAtPlace(_ body: (_ offset: Int, _ count: Int, _ line: Int, _ time: Instant) -> Void) {
    guard place.isKnown, let (lines, offset) = unsafe reader.wholeLines() else { return }
    let firstLine = reader.nextLine
    var (start, number) = (0, reader.nextLine)
    var last = 0
    while start < lines.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: lines[start...])
      guard let time = unsafe place.time(in: rest, bounds), let feed = unsafe ByteScan.lineFeed(rest) else { break }
      body(offset + start, feed + 1, number, time)
      last = start
      start += feed + 1
      number += 1
    }
    // Where lines differ, a scan of many of them is cheaper.
    if start < lines.count {
      pause = number - firstLine < Self.fewLines ? min(max(pause * 2, 8), Self.maxPause) : 0
      linesBeforePlace = pause
    }
    guard start > 0 else { return }
    reader.setRecord(at: offset + last, line: number - 1, byteCount: start - last)
    reader.forgetTokens()
  }
}

/// Where the time stood in a line: behind which bytes, and how long its text was.
///
/// In valid lines that begin with the same bytes, a path selects a value at the same position; see ``JSONTimeWindow``. A negative index
/// counts from the end, so a path with one has no place.
struct TimePlace {
  private var prefix: [UInt8] = []
  private var count = 0
  private var known = InternetTime.LastDay()
  private let isPossible: Bool

  private static let maxPrefix = 256

  init(_ path: JSONPath) { isPossible = !path.countsFromEnd }

  var isKnown: Bool { count > 0 }

  mutating func set(_ value: Range<Int>, in line: UnsafeRawBufferPointer) {
    guard isPossible, value.upperBound < line.count, value.lowerBound <= Self.maxPrefix else { return }
    unsafe prefix = Array(line[..<value.lowerBound])
    count = value.count
  }

  /// Returns the time of a line that begins with the same bytes and has a time of this length there: a string of RFC 3339 without
  /// escapes, or an integer.
  @inline(__always)
  mutating func time(in line: UnsafeRawBufferPointer, _ bounds: TimeBounds) -> Instant? {
    let end = prefix.count + count
    guard end < line.count, count > 2, unsafe prefix.withUnsafeBytes({ unsafe $0.memoryOrder(line) == 0 }) else {
      return nil
    }
    let text = unsafe UnsafeRawBufferPointer(rebasing: line[prefix.count..<end])
    if unsafe text[0] == ASCII.quote {
      guard unsafe text[count - 1] == ASCII.quote else { return nil }
      return unsafe Instant(internetTime: UnsafeRawBufferPointer(rebasing: text[1..<(count - 1)]), &known)
    }
    guard unsafe text.allSatisfy({ $0.isDigit }), unsafe line[end] == ASCII.comma || line[end] == ASCII.closeBrace
    else { return nil }
    return unsafe bounds.time(of: text)
  }
}

extension JSONTimeWindow {
  /// Returns the first two records with a time in a range of a source; fewer if there are no more.
  package func firstTimes(
    in source: JSONSource, _ range: JSONInputRange, _ options: JSONRecordOptions
  ) throws(JSONError) -> (first: TimePosition, second: TimePosition?)? {
    var reader = try TimeReader(self, options, in: source, range)
    guard let first = try reader.nextTime() else { return nil }
    return (first, try reader.nextTime())
  }
}
