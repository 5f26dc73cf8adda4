import JSONSift

/// Reads files in parallel with several workers; the batches are returned in the order of the files.
///
/// Files of lines are split into blocks for all workers; after the last block of a file, the next file is begun. Any
/// other file is read as a whole by one worker. One document that is the only file can be divided; one reader reads the
/// text after its last block. A worker returns the batches of a block in order.
struct ParallelReading: ~Copyable {
  private var blocks: JSONRecordBlocks<Batch>
  private var progress: [ReadProgress]
  private let files: [InputFile]
  private let isStream: Bool

  /// The minimum number of bytes for workers. Fewer bytes are read before workers have started.
  private static let minBytes = 1 << 20

  /// Returns whether the files can be read in parallel, and are large enough.
  static func isOf(_ files: ArraySlice<InputFile>, _ options: ReadingOptions, jobs: Int?, dividing: Bool) -> Bool {
    guard jobs ?? 2 > 1, !files.isEmpty else { return false }
    let framing = options.input.framing
    // The text of a step is lines.
    let mayBeLines = framing == .automatic || framing == .lines || !options.steps.isEmpty
    guard mayBeLines || files.count > 1 || framing == .document && dividing else { return false }
    // An offset in an input that can be read only once requires a single reader.
    if options.fromOffset != nil, files.contains(where: { $0.path == nil || $0.size == nil }) { return false }
    // Clamped to a size that no file has, so that the sum does not overflow.
    var left = minBytes + min(options.fromOffset ?? 0, 1 << 62)
    for file in files {
      left -= file.readSize ?? (file.isStream && mayBeLines ? left : 0)
      // If threads are unavailable, one reader produces the same results.
      if left <= 0 { return unsafe StackLimit.isEnoughForThreads && TaskPool.rejection() == 0 }
    }
    return false
  }

  /// - Parameter job: The plan of the workers. Its files are the files to read.
  init<Reader: ~Copyable & SendableMetatype, Values: SendableMetatype>(
    _ job: WorkerPlan, _ options: ReadingOptions, _ records: JSONRecordOptions, _ progress: [ReadProgress], jobs: Int?,
    readingWholeFiles: Bool, _ method: ReadingMethod<Reader, Values>
  ) {
    files = job.files
    self.progress = progress
    isStream = files.contains { $0.isStream }
    let threads = jobs ?? Processors.count
    // Not inside the call: the closure of `&&` would capture a value that is not complete, and in release it would be destroyed.
    let readsSeveral = readingWholeFiles && job.files.count > 1
    let checkpoint = options.fromOffset.map { JSONCheckpoint(byteOffset: $0) }
    blocks = JSONRecordBlocks(
      workers: jobs, readingWholeFiles: readsSeveral,
      of: { number in
        guard job.files.indices.contains(number) else { return nil }
        var options = records
        options.range = job.files[number].range
        if job.files[number].isKnownLines { options.framing = .lines }
        return BlockInput(
          job.files[number].source, options: options, startingAt: job.files[number].fresh?.checkpoint ?? checkpoint,
          dividedBy: job.division,
          content: { job.content($0, number, threads) })
      },
      makingWork: {
        let worker = Worker(job, method)
        return { try worker.step($0) }
      })
  }

  /// Returns the next batch, or `nil` at the end.
  mutating func next() throws -> Batch? {
    let isStream = isStream
    let wait = { unsafe isStream ? Output.standard.pauseIfWatched() : Output.standard.flushIfInteractive() }
    unsafe Output.standard.endIfReaderHasGone()
    guard let batch = try blocks.next(beforeWaiting: wait) else { return nil }
    Progress.read(progress[batch.input].advance(batch.inputBytes))
    return batch
  }

  /// The index of the file that cannot be read in parallel, with its source if it was already opened; `nil` if all
  /// files were read.
  var rest: (number: Int, source: JSONSource?)? { blocks.rest }
}
