/// What the iterators of a stream of records read, and how.
struct RecordRequest: Sendable {
  var source: JSONSource
  var options: JSONRecordOptions
  /// Where each iterator begins, if not at the start of the stream.
  let checkpoint: JSONCheckpoint?
  /// The number of bytes of one read; smaller in tests.
  var readBytes = ReadWindow.readBytes
  let tally = BadRecordTally()
  /// The folder whose new records are read, instead of the source.
  var folder: FolderPlan?
  /// If present, only records that satisfy it are returned. An invalid condition is thrown when reading begins.
  var condition: Result<JSONCondition, JSONError>?
  /// The number of workers; `nil` if the iterator reads.
  var workers: Int?
  /// Whether the results of workers have the order of the input.
  var isOrdered = true

  init(_ source: JSONSource, _ options: JSONRecordOptions, _ checkpoint: JSONCheckpoint?) {
    self.source = source
    self.options = options
    self.checkpoint = checkpoint
  }

  /// The checkpoint of an iterator before its first call.
  var start: JSONCheckpoint { checkpoint ?? options.start }
}
