/// Reads the times of lines from pushed bytes. The lines are validated, and no record is kept.
struct TimeReader: ~Copyable {
  /// A record, its range in the input with its line feed, and its time; `nil` if it has none.
  struct Line {
    let range: Range<Int>
    let time: Instant?
  }

  private var reader: JSONRecordReader
  private let query: PathQuery
  private let unit: JSONTimeUnit?
  private let context: PathContext

  /// - Parameters:
  ///   - window: The path of the times, and the unit of numbers.
  ///   - options: How lines are read. Bad records are skipped.
  ///   - offset: The offset in the input of the first byte, at which a line begins.
  init(_ window: JSONTimeWindow, _ options: JSONRecordOptions, at offset: Int) throws(JSONError) {
    var options = options
    options.framing = .lines
    options.recovery = .skip
    options.maximumErrors = nil
    options.range = nil
    var reader = try JSONRecordReader(
      ReadWindow(pushedFrom: offset), framing: .lines, options: options, at: JSONCheckpoint(byteOffset: offset))
    try reader.keep(only: [window.path])
    self.reader = reader
    query = window.query
    unit = window.unit
    context = PathContext(root: .null, limits: options.reading.limits)
  }

  /// Appends the next bytes of the input.
  mutating func push(_ bytes: UnsafeRawBufferPointer) { unsafe reader.push(bytes) }

  /// Marks the end of the input.
  mutating func close() { reader.window.close() }

  /// Returns the next complete record; `nil` if more bytes are needed, or at the end.
  mutating func next() -> Line? {
    var time: Instant?
    let unit = unit
    if unsafe reader.lendRow({ _, text in time = unsafe Instant(json: text, unit) }) { return line(time) }
    do throws(JSONError) {
      guard let record = try reader.next() else { return nil }
      return line(try self.time(of: record.value))
    } catch {
      // The query has exceeded its limit. Pushed bytes cause no other error that is not skipped.
      return line(nil)
    }
  }

  private func line(_ time: Instant?) -> Line {
    Line(range: reader.recordOffset..<(reader.recordOffset + reader.pendingUse), time: time)
  }

  private func time(of record: JSON) throws(JSONError) -> Instant? {
    context.setRoot(record)
    context.refill()
    // Releases the record: its memory is reused only if nothing references it.
    defer { context.setRoot(.null) }
    return try context.value(ofSingular: query, from: record, oneOf: 1).flatMap { Instant($0, unit) }
  }
}
