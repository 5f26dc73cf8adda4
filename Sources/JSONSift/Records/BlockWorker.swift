/// The results of one worker for a block: values, and the bad records among them.
///
/// SAFETY: only `JSONRecords.workers` requests workers, and it requires that the values are `Sendable`. Not a requirement
/// here, because a stream without workers has the same type.
package struct BlockOutput<Output>: @unchecked Sendable {
  /// The number of the block.
  var number = 0
  package var outputs: [Output] = []
  /// For each of `outputs`: the position in the input after its record.
  var ends: [LinePosition] = []
  /// The bad records, each with the number of values before it, the error if its value was rejected, and the position after
  /// it.
  package var bad: [(index: Int, record: JSONBadRecord, cause: (any Error)?, end: LinePosition)] = []
  /// The position in the input after all of these results; after a failure, where another reader reads again.
  var end = LinePosition(offset: 0, line: 1)
  /// The error that ended the work on this block; nothing follows it.
  package var failure: (any Error)?
  /// Whether the block is finished.
  package var isLast = true
}

/// One worker of a parallel reader: reads the records of one block after another, and reuses its memory.
package struct BlockWorker: ~Copyable {
  private var reader: JSONRecordReader
  private let filter: RecordFilter?

  package init(_ options: JSONRecordOptions, where condition: JSONCondition?) throws(JSONError) {
    // The consumer, which sees all bad records in order, applies the policy.
    var reporting = options
    reporting.recovery = .report
    reporting.maxErrors = nil
    reader = try JSONRecordReader(blocks: reporting)
    reader.prefilter(by: condition, options)
    if let projection = RecordProjection.rulingOut(by: condition, options.reading) { reader.lane = .fields(projection) }
    filter = condition.map { RecordFilter($0, options.reading) }
  }

  /// Reads a block from its start, or from the end of the part that the last call returned. Returns bad records in parts, so
  /// that a block of many bad records does not hold all of them in memory.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - number: The block's number.
  ///   - isNew: Whether the block has not been begun.
  ///   - transform: Converts a record into an output; `nil` drops the record.
  package mutating func read<Output>(
    _ block: LineBlock, _ number: Int = 0, isNew: Bool, _ transform: (JSONRecord) throws -> Output?
  ) -> BlockOutput<Output> {
    var found = BlockOutput<Output>(number: number)
    var failedPosition: LinePosition?
    if isNew { reader.begin(block) }
    var rawBytes = 0
    do {
      reading: while !Task.isCancelled, let result = try reader.nextResult() {
        switch result {
        case .success(let record):
          if let filter, try !filter.holds(for: record) { continue }
          do {
            guard let output = try transform(record) else { continue }
            found.outputs.append(output)
            found.ends.append(position(in: block))
          } catch let rejected as RejectedRecord {
            let bad = reader.badRecord(of: rejected)
            found.bad.append((found.outputs.count, bad, rejected.cause, position(in: block)))
          } catch {
            // The error of the closure is not an error of the record. The record has no result, so the checkpoint is before
            // it: another reader reads it again.
            found.failure = error
            failedPosition = reader.recordPosition
            break reading
          }
        case .failure(let bad):
          found.bad.append((found.outputs.count, bad, nil, position(in: block)))
          rawBytes += bad.rawBytes.count
          if found.bad.count >= Self.maxBadRecords || rawBytes >= Self.maxRawBytes {
            found.end = position(in: block)
            found.isLast = false
            return found
          }
        }
      }
    } catch {
      found.failure = error
    }
    found.end = failedPosition ?? position(in: block)
    reader.end(block)
    return found
  }

  /// Returns the position in the input after the last record. A block with the start of a line that is too long is one
  /// record.
  private func position(in block: LineBlock) -> LinePosition {
    block.skippedBytes > 0 ? block.end : reader.linePosition
  }

  /// The limits after which a part of a block's bad records is returned. The last record of a part may exceed them.
  private static let maxBadRecords = Sizes.of(1024, fuzzing: 2)
  private static let maxRawBytes = Sizes.of(1 << 18, fuzzing: 64)
}
