import JSONSift

/// Files that workers read side by side: the parts come in the order of the files.
///
/// Lines are cut into blocks for all workers, and when a file has been cut up, the next one is begun. Any other file is read
/// by one worker as a whole. A worker hands over parts of what it makes of a block, each when it is its turn.
struct SideBySide: ~Copyable {
  private var blocks: JSONRecordBlocks<Part>
  private var progress: [ReadProgress]
  private let files: [InputFile]
  private let isStream: Bool

  /// Files that are smaller are read before workers have begun.
  private static let smallest = 1 << 20

  /// Whether that can be done, and is worth it.
  static func isOf(_ files: ArraySlice<InputFile>, _ options: ReadingOptions, jobs: Int?) -> Bool {
    guard jobs ?? 2 > 1, !files.isEmpty else { return false }
    let framing = options.input.framing
    let mayBeLines = framing == .automatic || framing == .lines
    guard mayBeLines || files.count > 1 else { return false }
    // An offset in an input that can be read only once is reached by one reader.
    if options.fromOffset != nil, files.contains(where: { $0.path == nil || $0.size == nil }) { return false }
    // No file is so long.
    var left = smallest + min(options.fromOffset ?? 0, 1 << 62)
    for file in files {
      left -= file.size ?? (file.isStream && mayBeLines ? left : 0)
      // One reader gives the same results.
      if left <= 0 { return unsafe StackLimit.isEnoughForThreads && TaskPool.refusal() == 0 }
    }
    return false
  }

  /// - Parameter job: What the workers do. Its files are those that are read.
  init<Stream: ResultStream & ~Copyable & SendableMetatype>(
    _ job: WorkerPlan, _ options: ReadingOptions, _ progress: [ReadProgress], jobs: Int?,
    _ make: @escaping @Sendable (Input) throws(JSONError) -> Stream
  ) {
    files = job.files
    self.progress = progress
    isStream = files.contains { $0.isStream }
    let reading = options.recordOptions
    let checkpoint = options.fromOffset.map { JSONCheckpoint(byteOffset: $0) }
    blocks = JSONRecordBlocks(
      workers: jobs, readingWholeFiles: files.count > 1,
      of: { number in
        guard job.files.indices.contains(number) else { return nil }
        return BlockInput(
          job.files[number].source, options: reading, startingAt: checkpoint,
          content: { job.content($0, number) })
      },
      makingWork: {
        let worker = Worker(job, make)
        return { try worker.step($0) }
      })
  }

  /// The next part. `nil` at the end.
  mutating func next() throws -> Part? {
    let isStream = isStream
    let wait = { unsafe isStream ? Output.standard.pauseIfWatched() : Output.standard.flushIfInteractive() }
    guard let part = try blocks.next(beforeWaiting: wait) else { return nil }
    Progress.read(progress[part.input].advance(part.inputBytes))
    return part
  }

  /// The file at which the reading has ended, because nobody can read it beside others; if it was opened, with its bytes.
  var rest: (number: Int, source: JSONSource?)? { blocks.rest }
}
