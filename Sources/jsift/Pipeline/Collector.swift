import JSONSift
import JSONSiftAnalysis

/// Makes the content of batches from what a worker reads: encoded results, or values that are gathered over many records.
protocol Collector {
  associatedtype Input: AnyObject
  /// Whether the gathered values keep the order of the records: a batch with a bad record then contains only values before
  /// that record.
  static var gathersInOrder: Bool { get }
  /// Takes the next results, and counts them. Returns `false` at the end.
  mutating func take(from input: Input, into open: OpenBatch) throws(JSONError) -> Bool
  /// Adds a bad record as a row of its own.
  mutating func append(_ bad: JSONBadRecord, of file: InputFile, into open: OpenBatch)
  /// Whether the gathered values are large enough to be moved into a batch.
  var isFull: Bool { get }
  /// Moves the gathered values into the batch, and starts again.
  mutating func gather(from input: Input, into open: OpenBatch)
}

extension Collector {
  static var gathersInOrder: Bool { false }
  mutating func append(_ bad: JSONBadRecord, of file: InputFile, into open: OpenBatch) {}
  var isFull: Bool { false }
  mutating func gather(from input: Input, into open: OpenBatch) {}
}

/// A collector that needs only the texts of some values, if they can be passed.
protocol RowCollector: Collector where Input == OpenInput<JSONMatches> {
  var limits: JSONLimits { get }
  /// Whether all records from one read have been collected.
  var hasBorrowed: Bool { get set }
  /// Reads the elements of a container as records, if the matches are elements.
  var elements: ElementRows? { get set }
  /// The number of records collected since ``gather(from:into:)``.
  var count: Int { get }
  /// Collects the next records without creating values. Returns `false` if the next record must be requested as a value.
  mutating func addBorrowed(from matches: inout JSONMatches) -> Bool
  /// - Throws: ``JSONError`` if a path exceeds a limit. Nothing of this record is collected then.
  mutating func add(_ found: Found) throws(JSONError)
}

extension RowCollector {
  static var gathersInOrder: Bool { true }

  /// Collects the records that are in memory, or the next one.
  mutating func take(from input: Input, into open: OpenBatch) throws(JSONError) -> Bool {
    let before = count
    defer { open.batch.count += count - before }
    if limits.countsNoSteps, addBorrowed(from: &input.reader) {
      hasBorrowed = true
      return true
    }
    if elements == nil, input.reader.completeRecord() { return true }
    let found =
      elements == nil
      ? try input.reader.nextFound()
      : try elements?.next(of: &input.reader).map { Found(value: $0, line: nil, match: nil) }
    guard let found else { return false }
    try add(found)
    return true
  }
}

/// The batch that a worker is making.
final class OpenBatch {
  var batch = Batch()
  var file: InputFile
  /// The files that are merged; empty if they are read one after another.
  var merged: [InputFile] = []
  /// The files that are followed together; `nil` if not several are.
  var followed: FollowedNames?
  /// The maximum number of results of the file or block; `nil` for any number.
  var limit: Int?
  /// The number of results in earlier batches.
  private var handedOver = 0

  init(_ file: InputFile, limit: Int?) {
    self.file = file
    self.limit = limit
  }

  /// Returns the file of the last record or error.
  func file(of reader: borrowing some InputReader & ~Copyable) -> InputFile {
    if let followed { return InputFile(argument: followed.path(of: reader.inputIndex)) }
    return merged.isEmpty ? file : merged[reader.inputIndex]
  }

  var hasEnough: Bool { left <= batch.count }

  /// The maximum number of results of the batch.
  var left: Int { (limit ?? .max) - handedOver }

  /// Returns the batch, and begins the next one of the same file or block, or of another one after the last.
  func take(isLast: Bool) -> Batch {
    var taken = Batch()
    swap(&taken, &batch)
    handedOver = isLast ? 0 : handedOver + taken.count
    return taken
  }

  func beginFile(limit: Int?) {
    self.limit = limit
    handedOver = 0
  }
}
