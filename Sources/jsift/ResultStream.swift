import JSONSift

/// What a command reads: values, and errors with their place.
protocol ResultStream: ~Copyable {
  mutating func next() throws(JSONError) -> JSON?
  var framing: JSONFraming { get }
  func position(of error: JSONError) -> SourcePosition
  func excerpt(of error: JSONError) -> SourceExcerpt?
}

struct MatchStream: ResultStream, ~Copyable {
  private var matches: JSONMatches
  init(_ matches: consuming JSONMatches) { self.matches = matches }

  mutating func next() throws(JSONError) -> JSON? { try matches.next()?.value }
  var framing: JSONFraming { matches.framing }
  func position(of error: JSONError) -> SourcePosition { matches.position(of: error) }
  func excerpt(of error: JSONError) -> SourceExcerpt? { matches.excerpt(of: error) }
}

struct RecordStream: ResultStream, ~Copyable {
  private var reader: JSONRecordReader
  init(_ reader: consuming JSONRecordReader) { self.reader = reader }

  mutating func next() throws(JSONError) -> JSON? { try reader.next()?.value }
  var framing: JSONFraming { reader.framing }
  func position(of error: JSONError) -> SourcePosition { reader.position(of: error) }
  func excerpt(of error: JSONError) -> SourceExcerpt? { reader.excerpt(of: error) }
}
