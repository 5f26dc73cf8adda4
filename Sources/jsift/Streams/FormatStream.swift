import JSONSift

/// The text of a file in another layout, in chunks. It returns no values: every chunk is lent to a closure.
struct FormatStream: ResultStream, ~Copyable {
  private var text: JSONReformatter
  private var reportedRecords = 0

  /// - Parameter text: A chunk of it is a part of a document, or one or more complete records. A run with a limit
  ///   creates it with `oneByOne`: then a chunk is one record.
  init(_ text: consuming JSONReformatter) { self.text = text }

  /// Lends the next chunk. If a document has an error, lends the text before the error, then throws.
  mutating func lendNext(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void) throws(JSONError) -> Bool {
    do throws(JSONError) {
      return try unsafe text.lendNext { if unsafe !$0.isEmpty { unsafe body(0, $0) } }
    } catch {
      unsafe text.lendRest { if unsafe !$0.isEmpty { unsafe body(0, $0) } }
      throw error
    }
  }

  /// Returns the number of records beyond one per chunk, since the last call.
  mutating func takeCounted() -> Int {
    defer { reportedRecords = text.skippedRecords }
    return text.skippedRecords - reportedRecords
  }

  var framing: JSONFraming { text.framing }
  var doubts: ProofDoubts { text.doubts }
  func position(of error: JSONError) -> JSONError.Position { text.position(of: error) }
  func excerpt(of error: JSONError) -> JSONError.Excerpt? { text.excerpt(of: error) }
  var stopReason: String? { text.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { text.badRecord(of: error) }
  mutating func begin(_ block: LineBlock) { text.begin(block) }
  mutating func end(_ block: LineBlock) { text.end(block) }
}
