/// What one worker has found in a block: values, and where bad records stood among them.
struct BlockOutput<Output: Sendable>: Sendable {
  var outputs: [Output] = []
  /// Each with the number of values before it.
  var bad: [(place: Int, record: JSONBadRecord)] = []
  /// What ended the work on this block; nothing follows.
  var failure: (any Error)?
}

/// One worker of a parallel reader: reads the records of one block after another, and uses its memory again.
struct BlockReader: ~Copyable {
  private var reader: JSONRecordReader
  private let filter: RecordFilter?
  private let recovery: JSONRecovery

  init(_ options: JSONRecordOptions, where condition: JSONCondition?) throws(JSONError) {
    let prefilter = LinePrefilter(condition, options)
    var options = options
    recovery = options.recovery
    // What is done about bad records is decided where all of them are seen, in order.
    options.recovery = .report
    options.maximumErrors = nil
    reader = try JSONRecordReader(blocks: options)
    reader.prefilter = prefilter
    reader.pruning = RecordPruning.rulingOut(by: condition, options.reading)
    filter = condition.map { RecordFilter($0, options.reading) }
  }

  /// Reads a block, or goes on in it. Returns what was found, and whether that was all: bad records are handed out in
  /// parts, so that a block of nothing else is no heap of them.
  ///
  /// - Parameter isNew: The block has not been begun.
  mutating func read<Output: Sendable>(
    _ block: LineBlock, isNew: Bool, _ transform: (JSONRecord) throws -> Output?
  ) -> (BlockOutput<Output>, isLast: Bool) {
    var found = BlockOutput<Output>()
    if isNew { reader.begin(block) }
    var rawBytes = 0
    do {
      reading: while !Task.isCancelled, let element = try reader.nextElement() {
        switch element {
        case .record(let record):
          if let filter, try !filter.holds(for: record) { continue }
          do {
            if let output = try transform(record) { found.outputs.append(output) }
          } catch let refused as RefusedRecord {
            if recovery == .stop { throw refused.cause }
            found.bad.append((found.outputs.count, reader.badRecord(of: refused)))
          }
        case .bad(let bad):
          found.bad.append((found.outputs.count, bad))
          rawBytes += bad.rawBytes.count
          if recovery == .stop { break reading }
          if found.bad.count >= Self.mostBadRecords || rawBytes >= Self.mostRawBytes { return (found, false) }
        }
      }
    } catch {
      found.failure = error
    }
    reader.end(block)
    return (found, true)
  }

  /// More than these are not held for one block, or one more.
  private static let mostBadRecords = 1024
  private static let mostRawBytes = 1 << 18
}
