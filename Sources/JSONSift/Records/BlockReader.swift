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
    var options = options
    recovery = options.recovery
    // What is done about bad records is decided where all of them are seen, in order.
    options.recovery = .report
    options.maximumErrors = nil
    reader = try JSONRecordReader(blocks: options)
    filter = condition.map { RecordFilter($0, options.reading) }
  }

  /// Reads a block.
  mutating func read<Output: Sendable>(
    _ block: LineBlock, _ transform: (JSONRecord) throws -> Output?
  ) -> BlockOutput<Output> {
    var found = BlockOutput<Output>()
    reader.begin(block)
    defer { reader.end(block) }
    do {
      while !Task.isCancelled, let element = try reader.nextElement() {
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
          if recovery == .stop { return found }
        }
      }
    } catch {
      found.failure = error
    }
    return found
  }
}
