import JSONSift
import JSONSiftAnalysis

/// Reads each block of lines twice, while it is in memory: first for the shape of the records, which validates them, then for
/// what a report asks of its fields. One reader for both would have to build each record as a value.
struct ReportReader: InputReader, ~Copyable {
  private var shape: JSONShape.Reader
  fileprivate var questions: JSONMatches
  private var block: (lines: LineBlock, place: Range<Int>)?
  /// Whether the block is read for the second time.
  fileprivate private(set) var isAsking = false

  /// - Parameter queries: What is asked of the fields.
  init(_ shaping: JSONShape.Options, _ queries: [GroupQuery], _ records: JSONRecordOptions) throws(JSONError) {
    // The lines of blocks are the records: steps have been applied.
    var options = records
    (options.steps, options.framing) = ([], .lines)
    // Both before either is stored: a value that cannot be copied is not destroyed on the way.
    var shape = try JSONShape.Reader(.bytes([]), options: shaping, records: options)
    shape.countManyLines()
    let questions = try JSONMatches(
      of: [("", JSONPath("$"))], where: nil, in: .bytes([]), records: options, keepsDocument: true, resumingAt: nil,
      keeping: queries.flatMap(\.paths))
    self.shape = shape
    self.questions = questions
  }

  mutating func begin(_ block: LineBlock) {
    self.block = (block, block.place)
    isAsking = false
    shape.begin(block)
  }

  /// Counts the next records for the shape. Returns `false` at the end of the block, which then is read again.
  fileprivate mutating func nextOfShape() throws(JSONError) -> Bool {
    if try shape.next() { return true }
    if let block {
      shape.end(block.lines)
      block.lines.beginAgain(at: block.place)
      questions.begin(block.lines)
    }
    isAsking = true
    return false
  }

  mutating func end(_ block: LineBlock) {
    if isAsking { questions.end(block) } else { shape.end(block) }
    self.block = nil
  }

  fileprivate var recordCount: Int { shape.recordCount }
  fileprivate mutating func takeShape() -> JSONShape { shape.takeShape() }

  var framing: JSONFraming { shape.framing }
  func position(of error: JSONError) -> JSONError.Position { shape.position(of: error) }
  func excerpt(of error: JSONError) -> JSONError.Excerpt? { shape.excerpt(of: error) }
  var stopReason: String? { shape.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { shape.badRecord(of: error) }
  var tally: ReadingTally { shape.tally }
  func takeTimeMisses() -> TimeMisses { TimeMisses() }
}

/// Collects the shape of the records and the answers about their fields.
struct ReportCollector: Collector {
  private var groups: GroupCollectors

  /// - Parameter hasLines: Whether the lines of records are those of the input.
  init(_ queries: [GroupQuery], hasLines: Bool) { groups = GroupCollectors(queries, hasLines: hasLines) }

  mutating func take(from input: OpenInput<ReportReader>, into open: OpenBatch) throws(JSONError) -> Bool {
    if !input.reader.isAsking {
      defer { open.batch.count += input.newlyCounted(of: input.reader.recordCount) }
      if try input.reader.nextOfShape() { return true }
    }
    do throws(JSONError) {
      if groups.addBorrowed(from: &input.reader.questions) { return true }
      guard let (match, line) = try input.reader.questions.nextWithLine() else { return false }
      try groups.add(match.value, line: line)
    } catch {
      // The first reading has reported it.
    }
    return true
  }

  var isFull: Bool { groups.isFull }

  mutating func gather(from input: OpenInput<ReportReader>, into open: OpenBatch) {
    if groups.count > 0 { open.batch.answers = groups.takeRows() }
    // The shape is taken once for each block: before that, its reader is inside it.
    guard input.reader.recordCount > 0 else { return }
    open.batch.shape = input.reader.takeShape()
    input.newlyCounted(of: input.reader.recordCount)
  }
}
