/// One reading of what is new in the files of a folder.
///
/// Unchecked `Sendable`: the monitor protects all properties. The iterator and a caller that saves are usually one task.
final class FolderRun: @unchecked Sendable {
  private enum Phase {
    case new
    case reading(ReadingState, [ReadPart])
    case ended(isComplete: Bool)
  }

  private let monitor = Monitor()
  private var phase = Phase.new
  /// The names of the files that are read, by the numbers of their records.
  private var paths: [[UInt8]] = []
  /// The line of a part up to which was saved last.
  private var saved: (part: Int, position: LinePosition)?

  /// Locks the state, finds out what is new, and returns its text.
  func open(_ plan: FolderPlan, question: String) throws(JSONError) -> any ByteReader {
    try exclusively { (run) throws(JSONError) in
      let state = try ReadingState(
        plan.state, question: Array(question.utf8), restarting: plan.restarts, content: plan.content)
      let files = try plan.files()
      let parts = try state.plan(files) { path, head in
        !plan.guessesFraming || JSONFraming.guess(name: String(decoding: path, as: UTF8.self), head: head) == .lines
      }.parts
      guard parts.count <= Int(UInt16.max) else {
        throw ReadingState.failure("expected at most \(UInt16.max) files with new records, found \(parts.count)")
      }
      run.paths = parts.map(\.path)
      run.phase = .reading(state, parts)
      return FolderText(parts, plan)
    }
  }

  /// Saves that all was read, and unlocks the state.
  func finish() throws(JSONError) {
    try exclusively { (run) throws(JSONError) in
      guard case .reading(let state, let parts) = run.phase else { return }
      try state.save(parts)
      run.phase = .ended(isComplete: true)
    }
  }

  /// Unlocks the state.
  func close() { monitor.locked { if case .reading = phase { phase = .ended(isComplete: false) } } }

  /// Saves that a file was read up to the end of a line, and all files before it.
  func save(after line: Int, of part: Int) throws(JSONError) {
    try exclusively { (run) throws(JSONError) in
      switch run.phase {
      case .ended(isComplete: true): return
      case .reading(let state, let parts) where parts.indices.contains(part):
        var position =
          run.saved.flatMap { $0.part == part && $0.position.line <= line ? $0.position : nil }
          ?? parts[part].start
        let mark = try parts[part].mark(after: line, from: &position)
        try state.save(parts, before: part, mark)
        run.saved = (part, position)
      default: throw ReadingState.failure("expected a record of an iterator that is in use, found none that reads")
      }
    }
  }

  func path(of part: Int) -> [UInt8]? { monitor.locked { paths.indices.contains(part) ? paths[part] : nil } }

  private func exclusively<Found>(_ body: (FolderRun) throws(JSONError) -> Found) throws(JSONError) -> Found {
    try monitor.locked { () -> Result<Found, JSONError> in
      do throws(JSONError) {
        return .success(try body(self))
      } catch {
        return .failure(error)
      }
    }.get()
  }
}

/// The elements of a folder's new records. At their end the state is saved.
final class FolderStream<Element>: ElementStream {
  private let base: any ElementStream<Element>
  private let run = FolderRun()

  init(_ folder: FolderPlan, _ request: RecordRequest, _ step: any ElementStep<Element>) {
    folder.current.withLock { [run] in $0 = run }
    var request = request
    let question = if case .success(let condition)? = request.condition { "where \(condition)" } else { "all" }
    request.source = .reading(name: nil) { [run] () throws(JSONError) in try run.open(folder, question: question) }
    base = step.stream(request)
  }

  deinit { run.close() }

  nonisolated(nonsending) func next() async throws -> Element? {
    if let element = try await base.next() { return element }
    try run.finish()
    return nil
  }

  nonisolated(nonsending) func nextResult() async throws -> Result<Element, JSONBadRecord>? {
    if let result = try await base.nextResult() { return result }
    try run.finish()
    return nil
  }

  var checkpoint: JSONCheckpoint { base.checkpoint }
  var errorCount: Int { base.errorCount }
}

/// The new lines of files, those of one file after those of another.
final class FolderText: ByteReader {
  let origins: TextOrigins? = TextOrigins()
  let wouldBlock = false
  private let parts: [ReadPart]
  private let plan: FolderPlan
  /// The number of the part that is read.
  private var number = 0
  private var cutter: LineCutter?
  private var block = LineBlock()
  /// Whether the block is not in the text yet: a line that is too long is a chunk of its own.
  private var isWaiting = false
  private var copied = CopiedText()
  private var failure: JSONError?

  private static let readBytes = Sizes.of(1 << 16, fuzzing: 96)

  init(_ parts: [ReadPart], _ plan: FolderPlan) { (self.parts, self.plan) = (parts, plan) }

  var canReadAtOnce: Bool { true }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    if copied.isUsed {
      copied.begin(at: offset)
      let skipped = produce()
      if let origin = copied.finishChunk(skipping: skipped) { origins?.append(origin) }
    }
    // The text before an error is read first.
    if copied.isUsed, let failure { throw failure }
    return unsafe copied.read(into: buffer)
  }

  /// Makes text until a chunk is full. Returns the number of bytes of its last line that were not kept.
  private func produce() -> Int {
    guard failure == nil else { return 0 }
    do throws(JSONError) {
      if isWaiting {
        isWaiting = false
        if let skipped = copied.take(&block, of: UInt16(truncatingIfNeeded: number)) { return skipped }
      }
      while number < parts.count {
        if cutter == nil { cutter = try open(parts[number]) }
        guard case .block? = try cutter?.next(into: block) else {
          cutter = nil
          number += 1
          continue
        }
        if block.skippedBytes > 0, copied.text.bytes.count > 0 {
          isWaiting = true
          return 0
        }
        if let skipped = copied.take(&block, of: UInt16(truncatingIfNeeded: number)) { return skipped }
      }
    } catch {
      failure = error.naming(String(decoding: parts[number].path, as: UTF8.self))
    }
    return 0
  }

  private func open(_ part: ReadPart) throws(JSONError) -> LineCutter {
    var options = plan.options
    options.range = part.range
    var window = try ReadWindow(plan.content(part.source).counted(by: part.tally), readBytes: Self.readBytes)
    // The files are regular, so that no read waits.
    _ = try window.skipToStart(options, .lines, resumingAt: part.checkpoint)
    return LineCutter(window, options, at: part.checkpoint, isEager: true)
  }
}
