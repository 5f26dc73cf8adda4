/// What the iterators of a stream of records read, and how.
struct RecordRequest: Sendable {
  /// The input that each iterator opens for itself.
  enum Origin: Sendable {
    case path([UInt8])
    case descriptor(Int32)
    case bytes([UInt8])
    case chunks(@Sendable () -> NonblockingInput)
    case unopenable(JSONError)
  }

  let origin: Origin
  let name: String?
  var options: JSONRecordOptions
  /// Where each iterator begins, if not at the start of the stream.
  let checkpoint: JSONCheckpoint?
  /// Returns the content of the source, for example decompressed. Called once for each iterator.
  var content: (@Sendable (JSONSource) -> JSONSource)?
  /// The number of bytes of one read; smaller in tests.
  var readBytes = ReadWindow.readBytes
  let tally = BadRecordTally()
  /// If present, only records that satisfy it are returned. An invalid condition is thrown when reading begins.
  var condition: Result<JSONCondition, JSONError>?
  /// The number of workers; `nil` if the iterator reads.
  var workers: Int?
  /// Whether the results of workers have the order of the input.
  var isOrdered = true

  init(origin: Origin, name: String?, options: JSONRecordOptions, checkpoint: JSONCheckpoint?) {
    self.origin = origin
    self.name = name
    self.options = options
    self.checkpoint = checkpoint
  }

  /// The checkpoint of an iterator before its first call.
  var start: JSONCheckpoint { checkpoint ?? options.start }
}
