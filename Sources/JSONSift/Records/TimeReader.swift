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
    var time: Instant?
    let bounds = bounds
    let count = unsafe reader.borrowRows({ _, text in time = unsafe time ?? bounds.time(of: text) }, endRow: { false })
    if count > 0 { return line(time) }
    guard let record = try reader.next() else { return nil }
    do throws(JSONError) {
      return line(try self.time(of: record.value))
    } catch {
      // The query has exceeded its limit.
      return line(nil)
    }
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

  /// Passes each line of a block that is not blank: its range in the block's memory, its line, and its time. A bad record has
  /// no time.
  mutating func read(_ block: LineBlock, _ body: (_ range: Range<Int>, _ line: Int, _ time: Instant?) -> Void) {
    let range = block.range
    let first = block.offset - range.lowerBound
    // A line that is too long exceeds the limit, and so does its known part.
    guard block.skippedBytes == 0 else { return body(range, block.line, nil) }
    reader.begin(block)
    defer {
      reader.end(block)
      // The reader leaves the range of the lines that it has not used.
      block.range = range
    }
    while true {
      var time: Instant?
      do throws(JSONError) {
        guard let line = try next() else { return }
        time = line.time
      } catch {
        // The reader of the text finds the error.
        guard !error.code.endsInput else { return }
      }
      let start = max(reader.recordOffset - first, range.lowerBound)
      body(start..<min(start + max(reader.pendingUse, 1), range.upperBound), reader.textLine, time)
    }
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
