import JSONSift
import JSONSiftAnalysis

/// Reads each block of lines twice, while it is in memory: first for what a report asks of the fields of its records, which
/// validates them, then for their shape. One reader for both would have to build each record as a value.
struct ReportReader: InputReader, ~Copyable {
  private var shape: JSONShape.Reader
  fileprivate var questions: JSONMatches
  private var block: (lines: LineBlock, place: Range<Int>)?
  /// Whether the block is read for the first time.
  fileprivate private(set) var isAsking = true

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
    isAsking = true
    questions.begin(block)
  }

  /// Begins to read the block again, for the shape.
  fileprivate mutating func readAgain() {
    isAsking = false
    guard let block else { return }
    let isValid = questions.hasValidatedAll
    questions.end(block.lines)
    block.lines.beginAgain(at: block.place)
    shape.begin(block.lines)
    if isValid { shape.trustLines() }
  }

  /// Counts the next records for the shape. Returns `false` at the end of the block.
  fileprivate mutating func nextOfShape() throws(JSONError) -> Bool { try shape.next() }

  mutating func end(_ block: LineBlock) {
    if isAsking { questions.end(block) } else { shape.end(block) }
    self.block = nil
  }

  fileprivate var recordCount: Int { shape.recordCount }
  fileprivate mutating func takeShape() -> JSONShape { shape.takeShape() }

  var framing: JSONFraming { questions.framing }
  func position(of error: JSONError) -> JSONError.Position { questions.position(of: error) }
  func excerpt(of error: JSONError) -> JSONError.Excerpt? { questions.excerpt(of: error) }
  var stopReason: String? { questions.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { questions.badRecord(of: error) }
  var tally: ReadingTally { questions.tally }
  func takeTimeMisses() -> TimeMisses { TimeMisses() }
}

/// Collects the shape of the records and the answers about their fields.
struct ReportCollector: Collector {
  private var groups: GroupCollectors

  /// - Parameter hasLines: Whether the lines of records are those of the input.
  init(_ queries: [GroupQuery], hasLines: Bool) { groups = GroupCollectors(queries, hasLines: hasLines) }

  mutating func take(from input: OpenInput<ReportReader>, into open: OpenBatch) throws(JSONError) -> Bool {
    if input.reader.isAsking {
      if groups.addBorrowed(from: &input.reader.questions) { return true }
      if let (match, line) = try input.reader.questions.nextWithLine() {
        // Nothing is asked of a record that exceeds a limit of paths.
        try? groups.add(match.value, line: line)
      } else {
        input.reader.readAgain()
      }
      return true
    }
    defer { open.batch.count += input.newlyCounted(of: input.reader.recordCount) }
    do throws(JSONError) {
      return try input.reader.nextOfShape()
    } catch {
      // The first reading has reported it.
      return true
    }
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
