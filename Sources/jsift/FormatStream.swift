import JSONSift

/// The text of a file in another layout, piece by piece. It has no values: every piece is lent.
struct FormatStream: ResultStream, ~Copyable {
  private var text: JSONReformatter
  private var counted = 0

  /// - Parameter text: A piece of it is a part of a document, or one or more whole records. A run with a limit makes it with
  ///   `oneByOne`: then a piece is one record.
  init(_ text: consuming JSONReformatter) { self.text = text }

  /// Lends the next piece; also the rest of a document before its error, and then throws that.
  mutating func lendNext(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void) throws(JSONError) -> Bool {
    do throws(JSONError) {
      return try unsafe text.lendNext { if unsafe !$0.isEmpty { unsafe body(0, $0) } }
    } catch {
      unsafe text.lendRest { if unsafe !$0.isEmpty { unsafe body(0, $0) } }
      throw error
    }
  }

  /// How many records there were beyond one for each piece.
  mutating func takeCounted() -> Int {
    defer { counted = text.passedRecords }
    return text.passedRecords - counted
  }

  var framing: JSONFraming { text.framing }
  var doubts: ProofDoubts { text.doubts }
  func position(of error: JSONError) -> SourcePosition { text.position(of: error) }
  func excerpt(of error: JSONError) -> SourceExcerpt? { text.excerpt(of: error) }
  var stopReason: String? { text.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { text.badRecord(of: error) }
  mutating func begin(_ block: LineBlock) { text.begin(block) }
  mutating func end(_ block: LineBlock) { text.end(block) }
}
