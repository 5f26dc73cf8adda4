import JSONSift

/// Files that workers read side by side: what they find comes in the order of the files.
///
/// Lines are cut into blocks for all workers, and when a file has been cut up, the next one is begun. Any other file is read
/// by one worker as a whole. What a worker finds it hands out in parts, the next one when it is its turn.
struct SideBySide: ~Copyable {
  private var blocks: JSONRecordBlocks<BlockResults>
  private var progress: [ReadProgress]
  private let files: [InputFile]
  private let isStream: Bool

  /// Files that are smaller are read before workers have begun.
  private static let smallest = 1 << 20

  /// Whether that can be done, and is worth it.
  static func isOf(_ files: [InputFile], _ options: ReadingOptions, jobs: Int?) -> Bool {
    guard jobs ?? 2 > 1, !files.isEmpty else { return false }
    let framing = options.input.framing
    let mayBeLines = framing == .automatic || framing == .lines
    guard mayBeLines || files.count > 1 else { return false }
    // An offset in what can be read but once is gone to by who reads it alone.
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

  init<Stream: ResultStream & ~Copyable & SendableMetatype>(
    _ files: [InputFile], _ options: ReadingOptions, jobs: Int?, _ prepare: (inout BlockJob) -> Void,
    _ make: @escaping @Sendable (Input) throws(JSONError) -> Stream
  ) {
    let progress = files.map { _ in ReadProgress() }
    let content: @Sendable (JSONSource, Int) -> JSONSource = { options.content(of: $0, progress[$1]) }
    var job = BlockJob(files: files, content: content)
    job.isStopping = options.onError == .stop
    prepare(&job)
    self.files = files
    isStream = files.contains { $0.isStream }
    self.progress = progress
    let reading = options.recordOptions
    let checkpoint = options.fromOffset.map { JSONCheckpoint(byteOffset: $0) }
    let finished = job
    blocks = JSONRecordBlocks(
      workers: jobs, readingWholeFiles: files.count > 1,
      of: { number in
        guard files.indices.contains(number) else { return nil }
        return BlockInput(
          files[number].source, options: reading, startingAt: checkpoint,
          content: { content($0, number) })
      },
      makingWork: {
        let worker = BlockWorker(finished, make)
        return { try worker.step($0) }
      })
  }

  /// What comes next, with its file. `nil` at the end.
  mutating func next() throws -> (BlockResults, InputFile)? {
    let isStream = isStream
    let wait = { unsafe isStream ? Output.standard.pauseIfWatched() : Output.standard.flushIfInteractive() }
    guard let found = try blocks.next(beforeWaiting: wait) else {
      return nil
    }
    Progress.read(progress[found.input].advance(found.inputBytes))
    return (found, files[found.input])
  }

  /// The file at which the reading has ended, because nobody can read it beside others; if it was opened, with its bytes.
  var rest: (number: Int, source: JSONSource?)? { blocks.rest }
}

/// A run that reads files side by side where it can, and one after another where not.
protocol FileReading {
  var isDone: Bool { get }
  /// Whether these files can be read side by side, and it is worth it. Of fewer files it does not become true.
  func readsSideBySide(_ files: [InputFile]) -> Bool
}

extension FileReading {
  /// Reads files to their ends. One that cannot be read is told of, and the run goes on with the next.
  ///
  /// - Parameters:
  ///   - readSideBySide: Returns the file at which that has ended, because nobody can read it beside others; if somebody has
  ///     opened it, with its bytes.
  ///   - open: Reads one file to its end.
  mutating func read(
    _ files: [InputFile],
    sideBySide readSideBySide: (inout Self, [InputFile]) -> (number: Int, source: JSONSource?)?,
    alone open: (inout Self, InputFile, JSONSource?) -> Void
  ) {
    var left = files[...]
    var isSideBySide = readsSideBySide(files)
    while !isDone, !left.isEmpty {
      var content: JSONSource?
      if isSideBySide {
        guard let rest = readSideBySide(&self, Array(left)) else { return }
        left = left.dropFirst(rest.number)
        content = rest.source
        isSideBySide = readsSideBySide(Array(left.dropFirst()))
      }
      guard !isDone, let file = left.popFirst() else { return }
      open(&self, file, content)
    }
  }
}

extension Run: FileReading {
  func readsSideBySide(_ files: [InputFile]) -> Bool {
    !options.results.follow && SideBySide.isOf(files, options.reading, jobs: options.workers.jobs)
  }

  mutating func read<Stream: ResultStream & ~Copyable & SendableMetatype>(
    _ files: [InputFile], _ make: @escaping @Sendable (Input) throws(JSONError) -> Stream
  ) {
    read(files) {
      $0.readSideBySide($1, make)
    } alone: {
      $0.open($1, content: $2, make)
    }
  }

  /// Returns the file at which that has ended.
  private mutating func readSideBySide<Stream: ResultStream & ~Copyable & SendableMetatype>(
    _ files: [InputFile], _ make: @escaping @Sendable (Input) throws(JSONError) -> Stream
  ) -> (number: Int, source: JSONSource?)? {
    let (line, isCounting, limit) = (line, options.results.count, options.results.limit.map { $0 - results })
    let (keepsRecords, needsRecords) = (errors.putsAside, needsRecords)
    var reading = SideBySide(
      files, options.reading, jobs: options.workers.jobs,
      { job in
        job.line = line
        job.isCounting = isCounting
        job.limit = limit
        job.keepsRecords = keepsRecords
        job.needsRecords = needsRecords
      }, make)
    var last: (number: Int, file: InputFile)?
    do {
      while !isDone, let (found, file) = try reading.next() {
        if let last, last.number != found.input { errors.tell(last.file) }
        last = (found.input, file)
        write(found, file)
        paths.add(found.summaries)
        errors.look(at: found)
        unsafe Progress.current?.found(results, errors)
      }
    } catch {
      hasFailed = true
      if let error = error as? JSONError, let last { ErrorReport.write(error, file: last.file) }
    }
    if let last { errors.tell(last.file) }
    return reading.rest
  }

  private mutating func write(_ found: BlockResults, _ file: InputFile) {
    var written = Written()
    var reports = found.reports[...]
    for bad in found.bad where !isDone {
      write(found, &written, to: bad.results, bad.bytes)
      // Who has enough does not ask for more.
      guard !isDone else { return }
      let line = found.rejects[written.rejects..<bad.rejects]
      written.rejects = bad.rejects
      guard pass(over: reports.popFirst(), line) else { return }
    }
    if !isDone { write(found, &written, to: found.count, found.bytes.count) }
    if !isDone, let end = found.end { _ = take(end, file) }
    if let refusal = found.refusal {
      hasFailed = true
      ErrorReport.write(refusal)
    }
  }

  /// How far the results of a part have been written.
  private struct Written {
    var results = 0
    var bytes = 0
    var rejects = 0
  }

  /// Writes the results up to one, or up to the limit.
  private mutating func write(_ found: BlockResults, _ written: inout Written, to end: Int, _ endBytes: Int) {
    let count = min(end - written.results, (options.results.limit ?? .max) - results)
    guard count > 0 else { return }
    let isAll = written.results + count == end
    let bytes = isAll || options.results.count ? endBytes : found.ends[written.results + count - 1]
    output.write(found.bytes[written.bytes..<bytes])
    let width = found.count > 0 ? found.kinds.count / found.count : 0
    columns.add(found.kinds[(written.results * width)..<((written.results + count) * width)])
    results += count
    written.results += count
    written.bytes = bytes
  }
}
