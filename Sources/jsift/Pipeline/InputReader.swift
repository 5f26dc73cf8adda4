import JSONSift
import JSONSiftAnalysis

/// What a worker reads: the matches of paths, a text in another layout, or a shape.
protocol InputReader: ~Copyable {
  /// Whether messages and files of bad records contain positions only, and no text of the input.
  static var hidesText: Bool { get }
  var framing: JSONFraming { get }
  /// Begins a block of complete lines or children, for a reader created on an empty input; `end(_:)` ends it.
  mutating func begin(_ block: LineBlock)
  mutating func end(_ block: LineBlock)
  func position(of error: JSONError) -> JSONError.Position
  func excerpt(of error: JSONError) -> JSONError.Excerpt?
  var stopReason: String? { get }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord?
  var tally: ReadingTally { get }
  /// The number of the file of the last record or error, if files are merged.
  var inputIndex: Int { get }
  /// Returns the records that a window of time excluded because they have no time, since the last call.
  mutating func takeTimeMisses() -> TimeMisses
}

extension InputReader where Self: ~Copyable {
  static var hidesText: Bool { false }
  var inputIndex: Int { 0 }
}

extension JSONMatches: InputReader {}
extension JSONShape.Reader: InputReader {}

extension JSONReformatter: InputReader {
  func takeTimeMisses() -> TimeMisses { TimeMisses() }
}

extension EditReader: InputReader {
  static var hidesText: Bool { true }
  func excerpt(of error: JSONError) -> JSONError.Excerpt? { nil }
  func takeTimeMisses() -> TimeMisses { TimeMisses() }
}

/// A reader that a worker has opened. A class, so that it can be passed to the collectors of any reader.
final class OpenInput<Reader: InputReader & ~Copyable> {
  var reader: Reader
  private var counted = 0

  init(_ reader: consuming Reader) { self.reader = reader }

  /// Returns how many records more than at the last call a reader has counted.
  @discardableResult
  func newlyCounted(of count: Int) -> Int {
    defer { counted = count }
    return count - counted
  }
}

/// One result, before its encoding is known.
struct Found {
  let value: JSON
  /// The line on which its record begins; `nil` in one document.
  let line: Int?
  /// The match of a path; `nil` for an element of a container.
  let match: JSONMatch?

  var byteOffset: Int { match?.byteRange.lowerBound ?? value.byteRange?.lowerBound ?? 0 }
}

extension JSONMatches {
  /// Opens the matches of paths in a file. If a path cannot be evaluated on a stream, the whole document is kept in memory.
  ///
  /// - Parameter kept: The paths that will be evaluated on the matched records, if no other part of them is required.
  static func of(
    _ paths: [NamedPath], where condition: JSONCondition?, in input: Input, _ options: JSONRecordOptions,
    keepsDocument: Bool = false, keeping kept: [JSONPath]? = nil
  ) throws(JSONError) -> JSONMatches {
    var matches = try JSONMatches(
      of: paths.map { ($0.name, $0.path) }, where: condition, in: input.source, records: input.options(options),
      keepsDocument: keepsDocument || paths.contains { $0.path.streaming.form == .rejected },
      resumingAt: input.checkpoint, keeping: kept)
    if let rest = input.rest { try matches.resume(rest) }
    return matches
  }

  /// Opens the records that satisfy a condition; `nil` for all records.
  static func ofRecords(
    where condition: JSONCondition?, in input: Input, _ options: JSONRecordOptions, keeping kept: [JSONPath]? = nil
  ) throws(JSONError) -> JSONMatches {
    // Columns are evaluated on a whole line.
    let record = kept == nil ? Nesting.launch.record : "$"
    return try of(
      [NamedPath(name: "", path: try JSONPath(record))], where: condition, in: input, options, keepsDocument: true,
      keeping: kept)
  }

  mutating func nextFound() throws(JSONError) -> Found? {
    guard let (match, line) = try nextWithLine() else { return nil }
    return Found(value: match.value, line: line, match: match)
  }
}
