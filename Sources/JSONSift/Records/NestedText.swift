/// The text that a step makes of an input: the records inside its records, one on each line.
///
/// The matches of the step's path are found in blocks of lines by the readers that serve every other query; in any other input
/// by one reader of the whole. The text is read by them again, as lines. So each of these readers, each filter and each limit
/// works for the inner records as for the records of a file, and an error is found where it is: a line of the input that is not
/// JSON is passed on as it is.
final class NestedText: ByteReader {
  let origins: TextOrigins?
  private(set) var wouldBlock = false
  private let options: JSONRecordOptions
  private let checkpoint: JSONCheckpoint?
  private let name: String?
  private let paths: [(name: String, path: JSONPath)]
  private var maker: LineMaker
  private var state: State
  /// The block of lines that is filled next.
  private var block = LineBlock()

  private enum State: ~Copyable {
    case unopened(ReadWindow)
    case lines(LineCutter, RecordMatches)
    case other(JSONMatches)
    case ended
  }

  init(
    _ step: JSONRecordStep, _ source: JSONSource, _ options: JSONRecordOptions, _ checkpoint: JSONCheckpoint?
  ) throws(JSONError) {
    self.options = options
    self.checkpoint = checkpoint
    name = source.name
    origins = TextOrigins()
    paths = try step.paths().map { ("", $0) }
    maker = LineMaker(step, options.reading)
    state = .unopened(try ReadWindow(source))
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    if let failure = origins?.failure { throw failure.error }
    wouldBlock = false
    while maker.text.isUsed {
      maker.text.begin(at: offset)
      guard try produce() else { return 0 }
    }
    return unsafe maker.text.read(into: buffer)
  }

  var canReadAtOnce: Bool { !maker.text.isUsed }

  /// Makes more text, which may be empty. Returns `false` at the end, and if the input would block.
  private func produce() throws(JSONError) -> Bool {
    // The state is a value that cannot be copied: it is taken out, and put back.
    var taken = State.ended
    swap(&taken, &state)
    switch consume taken {
    case .ended: return false
    case .unopened(var window):
      guard let framing = try open(&window) else {
        state = .unopened(window)
        return false
      }
      state = try opened(window, framing)
      return true
    case .lines(var cutter, var matches):
      let answer = try cutter.next(into: block)
      guard case .block = answer else {
        wouldBlock = answer == .wouldBlock
        state = wouldBlock ? .lines(cutter, matches) : .ended
        return false
      }
      try take(block, &matches)
      state = .lines(cutter, matches)
      return true
    case .other(var matches):
      guard try take(&matches) else { return false }
      state = .other(matches)
      return true
    }
  }

  /// Finds out how the input is cut, and goes to the start. Returns `nil` if the input would block.
  private func open(_ window: inout ReadWindow) throws(JSONError) -> JSONFraming? {
    let framing = try window.framingAtOnce(options, name: name, resumingAt: checkpoint)
    guard let framing, try window.skipToStart(options, framing, resumingAt: checkpoint) else {
      wouldBlock = true
      return nil
    }
    return framing
  }

  private func opened(_ window: consuming ReadWindow, _ framing: JSONFraming) throws(JSONError) -> State {
    guard framing == .lines else {
      window.beginTally(framing)
      return .other(try JSONMatches(of: paths, in: window, framing, records: self.options, resumingAt: checkpoint))
    }
    var options = options
    options.framing = .lines
    let queries = try paths.map(\.path).checked()
    let reader = try JSONRecordReader(blocks: options)
    return .lines(
      LineCutter(window, options, at: checkpoint, isEager: true),
      RecordMatches(queries, names: paths.map { $0.name }, nil, reader, options.reading))
  }

  // MARK: Lines

  private func take(_ block: LineBlock, _ matches: inout RecordMatches) throws(JSONError) {
    defer { finish(block, holdsLines: true) }
    do throws(JSONError) {
      // One access of the maker for all of the block.
      try Self.take(block, &matches, &maker)
    } catch {
      throw fail(error, matches.position(of: error))
    }
  }

  private static func take(
    _ block: LineBlock, _ matches: inout RecordMatches, _ maker: inout LineMaker
  ) throws(JSONError) {
    let base = unsafe UnsafeRawPointer(block.memory.base)
    let range = block.range
    let first = block.offset - range.lowerBound
    maker.beginLines(block)
    // The matches exchange their memory with the block.
    matches.begin(block)
    defer {
      matches.end(block)
      // The reader leaves the range of the lines that it has not used.
      block.range = range
    }
    guard block.skippedBytes == 0 else {
      // The line exceeds the limit, and so does its known part: the reader of the text finds the error.
      unsafe maker.append(
        line: UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count), block.offset)
      return
    }
    while true {
      let count = unsafe matches.borrowMatches { path, text in
        guard let start = text.baseAddress else { return true }
        unsafe maker.append(text, of: path, at: first + (start - base))
        return true
      }
      if count > 0 { continue }
      do throws(JSONError) {
        guard let match = try matches.next() else { break }
        unsafe match.value.borrowRawBytes {
          unsafe maker.append($0, of: match.pathIndex, at: match.byteRange.lowerBound)
        }
      } catch {
        guard !error.code.endsInput, error.code != .queryLimit else { throw error }
        let start = matches.reader.recordOffset - first
        let end = min(start + max(matches.reader.pendingUse, 1), range.upperBound)
        unsafe maker.append(line: UnsafeRawBufferPointer(start: base + start, count: end - start), first + start)
      }
    }
    maker.endLines()
  }

  /// Keeps the bytes of a block while its text is in use.
  private func finish(_ block: LineBlock, holdsLines: Bool) {
    guard let chunk = maker.text.chunk(of: block, holdsLines: holdsLines) else { return }
    origins?.append(chunk)
    self.block = LineBlock()
  }

  /// Notes the error that ends the text, which is one of the input and has its position.
  private func fail(
    _ error: JSONError, _ position: JSONError.Position, _ reason: String? = nil, _ excerpt: JSONError.Excerpt? = nil
  ) -> JSONError {
    guard !error.code.endsInput else { return error }
    let error = error.located(at: position)
    origins?.failure = TextOrigins.Failure(error: error, stopReason: reason, excerpt: excerpt)
    return error
  }

  // MARK: Other inputs

  private static let textBytes = Sizes.of(1 << 18, fuzzing: 64)

  /// Takes matches until a chunk is full. Returns `false` at the end.
  private func take(_ matches: inout JSONMatches) throws(JSONError) -> Bool {
    var hasMore = true
    do throws(JSONError) {
      while hasMore, maker.text.bytes.count < Self.textBytes {
        hasMore = try unsafe matches.borrowNextPlaced { path, text, offset, line in
          unsafe maker.append(text, of: path, at: offset, line: line)
        }
        if !hasMore, matches.wouldBlock {
          wouldBlock = true
          hasMore = true
          break
        }
      }
    } catch {
      // The text before the error is read first.
      let reason = matches.framing == .document ? DocumentFramer.stopReason : matches.stopReason
      let error = fail(
        error, matches.position(of: error), reason ?? DocumentFramer.stopReason, matches.excerpt(of: error))
      guard maker.text.bytes.count > 0 else { throw error }
    }
    finish(maker.takeTexts(), holdsLines: false)
    return hasMore || maker.text.bytes.count > 0
  }
}
