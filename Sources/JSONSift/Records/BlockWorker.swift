/// What one worker has found in a block: values, and where bad records stood among them.
struct BlockOutput<Output: Sendable>: Sendable {
  /// The number of the block.
  var number = 0
  var outputs: [Output] = []
  /// For each of `outputs`: where the input goes on behind its record.
  var ends: [LinePosition] = []
  /// Each with the number of values before it, and with its end.
  var bad: [(place: Int, record: JSONBadRecord, end: LinePosition)] = []
  /// Where the input goes on behind all of this; with a failure, from where it can be tried again.
  var end = LinePosition(offset: 0, line: 1)
  /// What ended the work on this block; nothing follows.
  var failure: (any Error)?
  /// The block is done with.
  var isLast = true
}

/// One worker of a parallel reader: reads the records of one block after another, and uses its memory again.
struct BlockWorker: ~Copyable {
  private var reader: JSONRecordReader
  private let filter: RecordFilter?
  private let recovery: JSONRecovery

  init(_ options: JSONRecordOptions, where condition: JSONCondition?) throws(JSONError) {
    recovery = options.recovery
    // What is done about bad records is decided where all of them are seen, in order.
    var reporting = options
    reporting.recovery = .report
    reporting.maximumErrors = nil
    reader = try JSONRecordReader(blocks: reporting)
    reader.prefilter(by: condition, options)
    reader.projection = RecordProjection.rulingOut(by: condition, options.reading)
    filter = condition.map { RecordFilter($0, options.reading) }
  }

  /// Reads a block, or goes on in it. Returns what was found: bad records are handed out in parts, so that a block of
  /// nothing else is no heap of them.
  ///
  /// - Parameters:
  ///   - number: The block's number.
  ///   - isNew: The block has not been begun.
  mutating func read<Output: Sendable>(
    _ block: LineBlock, _ number: Int = 0, isNew: Bool, _ transform: (JSONRecord) throws -> Output?
  ) -> BlockOutput<Output> {
    var found = BlockOutput<Output>(number: number)
    var unhanded: LinePosition?
    if isNew { reader.begin(block) }
    var rawBytes = 0
    do {
      reading: while !Task.isCancelled, let element = try reader.nextElement() {
        switch element {
        case .record(let record):
          if let filter, try !filter.holds(for: record) { continue }
          do {
            guard let output = try transform(record) else { continue }
            found.outputs.append(output)
            found.ends.append(place(in: block))
          } catch let refused as RefusedRecord {
            if recovery == .stop { throw refused.cause }
            found.bad.append((found.outputs.count, reader.badRecord(of: refused), place(in: block)))
          } catch {
            // The caller's own error says nothing about the record, which was not handed out: it is read again.
            found.failure = error
            unhanded = reader.recordPosition
            break reading
          }
        case .bad(let bad):
          found.bad.append((found.outputs.count, bad, place(in: block)))
          rawBytes += bad.rawBytes.count
          if recovery == .stop { break reading }
          if found.bad.count >= Self.maxBadRecords || rawBytes >= Self.maxRawBytes {
            found.end = place(in: block)
            found.isLast = false
            return found
          }
        }
      }
    } catch {
      found.failure = error
    }
    found.end = unhanded ?? place(in: block)
    reader.end(block)
    return found
  }

  /// Where the input goes on behind what was read last. A block that is the start of a line which is too long is one record.
  private func place(in block: LineBlock) -> LinePosition {
    block.passedBytes > 0 ? block.end : reader.linePosition
  }

  /// More than these are not held for one block, or one more.
  private static let maxBadRecords = 1024
  private static let maxRawBytes = 1 << 18
}
