import JSONSift

/// Reads the times of lines. The lines are validated, and no record is kept.
struct TimeReader: ~Copyable {
  /// A record, its range in the input with its line feed, and its time; `nil` if it has none.
  struct Line {
    let range: Range<Int>
    let time: Instant?
    var position: TimePosition? { time.map { TimePosition(time: $0, byteOffset: range.lowerBound) } }
  }

  private var reader: JSONRecordReader
  private let path: JSONPath
  private let bounds: TimeBounds
  private let limits: JSONLimits

  /// Reads pushed bytes.
  ///
  /// - Parameters:
  ///   - window: The path of the times, and the unit of numbers.
  ///   - options: How lines are read. Bad records are skipped.
  ///   - offset: The offset in the input of the first byte, at which a line begins.
  init(_ window: JSONTimeWindow, _ options: JSONRecordOptions, at offset: Int) throws(JSONError) {
    let options = Self.options(options, range: nil)
    let reader = try JSONRecordReader(
      ReadWindow(pushedFrom: offset), framing: .lines, options: options, at: JSONCheckpoint(byteOffset: offset))
    try self.init(window, reader, options)
  }

  /// Reads a range of a source.
  init(
    _ window: JSONTimeWindow, _ options: JSONRecordOptions, in source: JSONSource, _ range: JSONInputRange
  ) throws(JSONError) {
    let options = Self.options(options, range: range)
    try self.init(window, JSONRecordReader(source, options: options), options)
  }

  private init(
    _ window: JSONTimeWindow, _ reader: consuming JSONRecordReader, _ options: JSONRecordOptions
  ) throws(JSONError) {
    self.reader = reader
    path = window.path
    bounds = window.bounds
    limits = options.reading.limits
    try self.reader.keep(only: [window.path])
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
  mutating func push(_ bytes: UnsafeRawBufferPointer) { unsafe reader.push(bytes) }

  /// Marks the end of the input.
  mutating func close() { reader.window.close() }

  /// Returns the next complete record; `nil` if more bytes are needed, or at the end.
  ///
  /// - Throws: An error of the source; never with pushed bytes.
  mutating func next() throws(JSONError) -> Line? {
    var time: Instant?
    let bounds = bounds
    let count = unsafe reader.borrowRows({ _, text in time = unsafe bounds.time(of: text) }, endRow: { false })
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
  mutating func nextTime() throws(JSONError) -> TimePosition? {
    while let line = try next() {
      if let position = line.position { return position }
    }
    return nil
  }

  private func line(_ time: Instant?) -> Line {
    Line(range: reader.recordOffset..<(reader.recordOffset + reader.pendingUse), time: time)
  }

  private func time(of record: JSON) throws(JSONError) -> Instant? {
    try PathEvaluations(of: record, count: 1, limits: limits).value(ofSingular: path).flatMap { bounds.time(of: $0) }
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
