/// An open input whose framing is known, at the start of the first record.
package struct OpenRecords: ~Copyable {
  var window: ReadWindow
  /// Waits for bytes; `nil` if every read of the source returns bytes or the end.
  let input: NonblockingInput?
  /// The options, with the framing that was found.
  var options: JSONRecordOptions
  private var name: String?
  /// Where reading begins, if not at the start of the input.
  let checkpoint: JSONCheckpoint?

  consuming func takeWindow() -> ReadWindow { window }

  /// Opens the input, guesses the framing if the options require it, and advances to the checkpoint.
  static nonisolated(nonsending) func opening(_ records: RecordRequest) async throws -> OpenRecords {
    var open = try OpenRecords(records.source, records.options, at: records.checkpoint, readBytes: records.readBytes)
    try await open.goToStart()
    return open
  }

  /// Opens a source that is not a sequence of chunks, guesses the framing if required, and advances to the checkpoint.
  static nonisolated(nonsending) func opening(_ own: BlockInput) async throws -> OpenRecords {
    var open = try OpenRecords(waitingFor: own)
    try await open.goToStart()
    return open
  }

  private nonisolated(nonsending) mutating func goToStart() async throws {
    var found = try window.framingAtOnce(options, name: name, resumingAt: checkpoint)
    while found == nil {
      try await input?.waitForBytes()
      found = try window.framingAtOnce(options, name: name, resumingAt: checkpoint)
    }
    options.framing = found ?? options.framing
    while try !window.skipToStart(options, framing, resumingAt: checkpoint) { try await input?.waitForBytes() }
  }

  /// Opens a source without determining its framing.
  private init(waitingFor own: BlockInput) throws(JSONError) {
    try self.init(own.source, own.options, at: own.checkpoint, skippingInPipes: own.skipsInPipes, content: own.content)
  }

  private init(
    _ source: JSONSource, _ options: JSONRecordOptions, at checkpoint: JSONCheckpoint?,
    readBytes: Int = ReadWindow.readBytes, skippingInPipes skipsInPipes: Bool = true,
    content: (JSONSource) -> JSONSource = { $0 }
  ) throws(JSONError) {
    let (opened, input) = try Self.waiting(source)
    // A pipe cannot be opened again. Its bytes before the checkpoint are skipped only if the caller requests it.
    var checkpoint = input == nil || skipsInPipes ? checkpoint : nil
    var options = options
    let content = content(opened).nested(&options, &checkpoint)
    window = try ReadWindow(content, readBytes: readBytes)
    self.input = input
    self.options = options
    self.checkpoint = checkpoint
    name = content.name
  }

  /// Opens a source in the same way, but blocks the thread while more bytes are needed.
  static func blocking(_ own: BlockInput) throws(JSONError) -> OpenRecords {
    var open = try OpenRecords(waitingFor: own)
    // Blocks consist of lines, so the framing is not guessed.
    open.options.framing = try open.options.knownFraming(resumingAt: open.checkpoint) ?? .lines
    while try !open.window.skipToStart(open.options, open.framing, resumingAt: open.checkpoint) {
      open.input?.waitBlocking()
    }
    return open
  }

  package var framing: JSONFraming { options.framing }

  /// Returns the whole input, with the bytes already read, for a blocking reader. `nil` for a file, which is opened again.
  package consuming func source() -> JSONSource? {
    guard let input else { return nil }
    let name = name
    let window = takeWindow()
    let bytes = unsafe Array(window.bytes)
    // SAFETY: one reader opens the source, which has the rest of this input.
    nonisolated(unsafe) let rest = RemainingInput(bytes, window.takeSource(), input)
    return .reading(name: name) { () throws(JSONError) in unsafe rest }
  }

  /// Returns a nonblocking source for a descriptor, for a path that is not a regular file, and for what arrives over time,
  /// also inside of compressed input. Other sources are returned unchanged: reads of a regular file do not wait, and chunks
  /// have no descriptor to wait for.
  private static func waiting(_ source: JSONSource) throws(JSONError) -> (JSONSource, NonblockingInput?) {
    if let plan = source.merge { return try source.waiting(plan) { (part) throws(JSONError) in try waiting(part) } }
    if case .reader(let inner, let open) = source.kind {
      let (content, input) = try waiting(inner)
      return (source.replacing(.reader(of: content, open)), input)
    }
    let opened: NonblockingInput
    do throws(File.Failure) {
      switch source.kind {
      case .path(let path):
        // An expected file is regular: opening it checks that.
        if source.expectation != nil { return (source, nil) }
        let file = try File(pathWithoutWaiting: path)
        if let following = source.following {
          opened = FollowedInput(file, following)
        } else {
          let input = DescriptorInput(file)
          if input.isRegular { return (source, nil) }
          opened = input
        }
      case .descriptor(let descriptor): opened = DescriptorInput(File(borrowing: descriptor))
      case .arriving(let make), .nonblocking(let make): opened = make()
      case .bytes, .chunks, .descriptorAt, .reader, .unopenable: return (source, nil)
      }
    } catch {
      throw JSONError(.unreadable, at: 0, system: error.number).naming(source.file)
    }
    // SAFETY: the source is opened once, by the owner that waits.
    nonisolated(unsafe) let input = opened
    return (source.replacing(.nonblocking { unsafe input }), opened)
  }
}

/// The asynchronous form of `JSONRecordReader`: when that reader finds too few bytes, this one waits and calls it again.
final class AsyncRecordReader: ElementStream {
  typealias Element = JSONRecord

  private let request: RecordRequest
  /// The number of the iteration in the records' tally.
  private let iteration: Int
  /// The number of bad records so far.
  private(set) var errorCount = 0
  private var input: NonblockingInput?
  private var reader: JSONRecordReader?
  private var filter: RecordFilter?
  /// Whether the reader was opened. Not asked of the reader, which is copied when it is compared.
  private var isOpen = false
  private var isFinished = false
  /// The error that every further call throws.
  private var failure: (any Error)?
  /// Whether the records are only counted.
  private var isCounting = false
  private var skippedRecords = 0
  /// The checkpoint while there is no reader: before the first record and after the last.
  private var outerCheckpoint: JSONCheckpoint

  init(_ request: RecordRequest, iteration: Int) {
    self.request = request
    self.iteration = iteration
    outerCheckpoint = request.start
  }

  /// Creates a reader for an input that is already open.
  convenience init(_ request: RecordRequest, _ open: consuming OpenRecords, iteration: Int) throws(JSONError) {
    self.init(request, iteration: iteration)
    try start(open)
  }

  /// Where reading continues after the last record that was returned, good or bad.
  var checkpoint: JSONCheckpoint { reader.borrow { $0.checkpoint } ?? outerCheckpoint }

  /// Returns the number of remaining records.
  nonisolated(nonsending) func count() async throws -> Int {
    isCounting = true
    var count = 0
    while try await next() != nil { count += 1 }
    return count + skippedRecords
  }

  nonisolated(nonsending) func next() async throws -> JSONRecord? {
    try await advance { (stream) throws(JSONError) in
      while let record = try stream.reader?.next() {
        guard let filter = stream.filter else { return record }
        if try filter.holds(for: record) { return record }
      }
      return nil
    }
  }

  nonisolated(nonsending) func nextResult() async throws -> Result<JSONRecord, JSONBadRecord>? {
    try await advance { (stream) throws(JSONError) in
      while let result = try stream.reader?.nextResult() {
        guard case .success(let record) = result, let filter = stream.filter else { return result }
        if try filter.holds(for: record) { return result }
      }
      return nil
    }
  }

  /// Returns the result of `find`, and waits for bytes while it has none.
  ///
  /// - Throws: The error of a bad record, according to the options. Another error ends the stream, and is thrown by each
  ///   further call.
  private nonisolated(nonsending) func advance<Found>(
    _ find: (AsyncRecordReader) throws(JSONError) -> Found?
  ) async throws -> Found? {
    if isFinished {
      if let failure { throw failure }
      return nil
    }
    var isWaiting = false
    do {
      // Checked even if bytes are available: a cancelled task gets no more records.
      try Task.checkCancellation()
      if !isOpen { try start(try await OpenRecords.opening(request)) }
      while true {
        let found = try find(self)
        countErrors()
        if let found { return found }
        guard wouldBlock else { break }
        isWaiting = true
        try await input?.waitForBytes()
        isWaiting = false
        try Task.checkCancellation()
      }
    } catch {
      countErrors()
      // An error of the source is final, whatever its type.
      if isWaiting {
        finish(error)
        throw error
      }
      let located = located(error)
      if !canContinue(after: error) { finish(located) }
      throw located
    }
    finish()
    return nil
  }

  /// Handles the last record, whose value was rejected; see ``JSONRecordReader/reject(_:reports:)``.
  func reject(_ rejected: RejectedRecord, reports: Bool) throws -> JSONBadRecord? {
    defer { countErrors() }
    return try reader?.reject(rejected, reports: reports)
  }

  private func canContinue(after error: any Error) -> Bool {
    guard let error = error as? JSONError, error.code != .queryLimit else { return false }
    // After too many errors the next call has another error to throw.
    return reader.borrow { $0.failure != error && !$0.hasEnded } ?? false
  }

  private func countErrors() {
    guard let count = reader?.countOfErrors(), count != errorCount else { return }
    errorCount = count
    request.tally.set(count, in: iteration)
  }

  /// Returns the error with its file, or with its line and column if it is one of a record: they are not known when the
  /// stream has ended.
  private func located(_ error: any Error) -> any Error {
    guard let error = error as? JSONError else { return error }
    if error.isOfFile { return error.naming(request.source.file) }
    guard error.code != .queryLimit, let position = reader?.position(of: error) else { return error }
    return error.located(at: position)
  }

  private func start(_ open: consuming OpenRecords) throws(JSONError) {
    let condition = try request.condition?.get()
    if let condition { filter = RecordFilter(condition, request.options.reading) }
    input = open.input
    let (options, checkpoint) = (open.options, open.checkpoint)
    reader = try JSONRecordReader(open.takeWindow(), framing: options.framing, options: options, at: checkpoint)
    reader?.prefilter(by: condition, options)
    reader?.project(RecordProjection.rulingOut(by: condition, options.reading))
    if isCounting, condition == nil { reader?.skipValidated() }
    isOpen = true
  }

  /// Whether the reader has no result only because no bytes are available. After an error that ended the stream it needs
  /// no more bytes.
  private var wouldBlock: Bool { reader.borrow { !$0.hasEnded && $0.window.wouldBlock } ?? false }

  /// Closes the input immediately, because the iterator may exist for much longer.
  func finish(_ error: (any Error)? = nil) {
    isFinished = true
    failure = error
    outerCheckpoint = checkpoint
    skippedRecords = reader?.skippedRecords ?? 0
    reader = nil
    input = nil
    filter = nil
  }
}

/// The first bytes of an input, followed by the rest of it. Reading blocks until bytes arrive.
private final class RemainingInput: ByteReader {
  private var first: ArraySlice<UInt8>
  private var rest: ByteSource?
  private let input: NonblockingInput
  let wouldBlock = false
  var canReadAtOnce: Bool {
    if !first.isEmpty { return true }
    return rest.borrow { $0.canReadAtOnce } ?? true
  }

  init(_ first: [UInt8], _ rest: consuming ByteSource?, _ input: NonblockingInput) {
    self.first = first[...]
    self.rest = rest
    self.input = input
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    guard first.isEmpty else {
      let count = min(first.count, buffer.count)
      unsafe buffer.copyBytes(from: first.prefix(count))
      first = first.dropFirst(count)
      return count
    }
    while true {
      let count = try unsafe rest?.read(into: buffer, at: offset) ?? 0
      guard count == 0, restWouldBlock else { return count }
      input.waitBlocking()
    }
  }

  private var restWouldBlock: Bool { rest.borrow { $0.wouldBlock } ?? false }
}
