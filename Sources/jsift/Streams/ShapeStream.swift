import JSONSift

/// Computes the shape of a file. It has no results.
struct ShapeStream: ResultStream, ~Copyable {
  private var reader: JSONShape.Reader
  private var counted = 0

  /// - Parameter isLimited: Whether records are counted one by one, so that reading can stop after any of them.
  init(_ reader: consuming JSONShape.Reader, isLimited: Bool) {
    self.reader = reader
    if !isLimited { self.reader.countManyLines() }
  }

  static var gathers: Bool { true }

  /// Counts a record, or a chunk of a document. Returns `false` at the end, and when there are too many paths.
  mutating func step() throws(JSONError) -> Bool { try reader.next() }

  mutating func takeCounted() -> Int {
    defer { counted = reader.recordCount }
    return reader.recordCount - counted
  }

  mutating func gather(into part: inout Part) {
    part.shape = reader.takeShape()
    counted = reader.recordCount
  }

  var framing: JSONFraming { reader.framing }
  var rulesOutLines: Bool { reader.rulesOutLines }
  var ruledOutLines: Int { reader.rulesOutLines ? reader.ruledOutLines : 0 }
  mutating func takeTimeMisses() -> TimeMisses { reader.takeTimeMisses() }
  func position(of error: JSONError) -> JSONError.Position { reader.position(of: error) }
  func excerpt(of error: JSONError) -> JSONError.Excerpt? { reader.excerpt(of: error) }
  var stopReason: String? { reader.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { reader.badRecord(of: error) }
  mutating func begin(_ block: LineBlock) { reader.begin(block) }
  mutating func end(_ block: LineBlock) { reader.end(block) }
}
