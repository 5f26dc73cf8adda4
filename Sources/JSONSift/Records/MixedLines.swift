/// Finds values that extend over several lines, between lines of other text. See ``JSONRecordStep/mixed(maxLines:)``.
///
/// An *attempt* begins at a line that begins a container, and extends over the next lines while they can belong to it. One scan
/// serves all attempts: a container that begins a line inside of an attempt is validated by the same rules as by itself. So it is
/// noted where it ends. If the attempt comes to nothing, the containers that were closed by then are records, and those that are
/// open have the same error. Only a limit may hit the attempt alone: then the next open container becomes the attempt, and the
/// scan goes on inside of it. The line with an error is scanned again, as the first one of another attempt. So each line is
/// scanned at most twice, whatever the text.
final class MixedLines: LineJoiner {
  /// Counts the lines of other text.
  private let missing: MissingRecords?
  private let maxLines: Int
  private let reading: JSONOptions
  private let skipsPrefix: Bool
  /// Finds the text before the values; `nil` if there is none.
  private var prefixReader: JSONRecordReader?
  private var scan: ValidationScan
  /// The lines of the attempt.
  private var held = HeldLines()
  /// The numbers of the lines whose containers are open, the outermost first: the attempt.
  private var open = NumberedQueue<Int>()
  /// The text before the value on the first line that was scanned for the attempt.
  private var prefix: [UInt8] = []
  /// The number of containers that are open after the text that was noted, and how many of them the scan has forgotten.
  private var depth = 0
  private var forgotten = 0
  /// The number of bytes of the text of all lines that were held.
  private var textOffset = 0

  init(maxLines: Int, _ missing: MissingRecords?, _ options: JSONRecordOptions) throws(JSONError) {
    self.maxLines = maxLines
    self.missing = missing
    reading = options.reading
    skipsPrefix = options.skipsPrefix
    scan = ValidationScan(isLines: false, limits: options.reading.limits)
    if skipsPrefix { prefixReader = try JSONRecordReader(blocks: options) }
  }

  var heldOffset: Int? { held.first?.place.offset }

  func take(_ line: UnsafeRawBufferPointer, _ place: LinePosition, isCut: Bool, into writer: inout LineWriter) {
    guard !isCut else {
      finish(into: &writer)
      return unsafe writer.addRecord(line, place, 0..<line.count)
    }
    guard held.count > 0 else { return unsafe begin(line, place, &writer) }
    let content = unsafe prefixEnd(in: line)..<line.count
    while let first = held.first,
      held.count >= maxLines || textOffset - first.textOffset + content.count > reading.limits.recordBytes
    {
      if held.count >= maxLines { missing?.addLong() }
      leaveAttempt(&writer)
    }
    guard held.count > 0 else { return unsafe begin(line, place, &writer) }
    unsafe hold(line, place, content)
    unsafe extend(line, content, &writer)
  }

  func finish(into writer: inout LineWriter) {
    while open.count > 0 {
      held[open[open.first]].container = .bad
      open.removeFirst()
    }
    writeKnown(&writer)
  }

  // MARK: Attempts

  /// Takes a line that belongs to no attempt.
  private func begin(_ line: UnsafeRawBufferPointer, _ place: LinePosition, _ writer: inout LineWriter) {
    // A reader strips the mark of each line.
    var content = unsafe (ByteOrderMark.begins(line) ? ByteOrderMark.count : 0)..<line.count
    if let range = unsafe prefixReader?.rangeOfValue(in: line) { content = range }
    guard let first = unsafe Self.first(in: line, content) else { return }
    let byte = unsafe line[first]
    // Bytes of zero are the error of a file that was cut.
    guard byte == 0 || byte.opensContainer else {
      missing?.add(1)
      return
    }
    (depth, forgotten) = (0, 0)
    scan.resume(at: .start)
    scan.limitDepth(to: reading.limits.depth)
    var index = content.lowerBound
    let stop = unsafe validate(line, &index, &content)
    guard stop == .end, scan.phase != .end else {
      // What no array begins with is text, such as `[INFO]`.
      if unsafe stop != .end && byte == ASCII.openBracket && !JSONRecordReader.mayBeginRecord(line, at: first) {
        missing?.add(1)
        return
      }
      return unsafe writer.addRecord(line, place, content)
    }
    unsafe prefix = !skipsPrefix ? [] : Array(line[..<content.lowerBound])
    unsafe hold(line, place, content)
    _ = unsafe note(line, content, content.lowerBound..<content.upperBound)
  }

  private func hold(_ line: UnsafeRawBufferPointer, _ place: LinePosition, _ content: Range<Int>) {
    var new = HeldLine(place, content: content)
    new.textOffset = textOffset
    textOffset += content.count + 1
    unsafe held.append(new, line)
  }

  /// Validates the line that was held last, and notes its containers.
  private func extend(_ line: UnsafeRawBufferPointer, _ whole: Range<Int>, _ writer: inout LineWriter) {
    let number = held.lines.end - 1
    var (index, content) = (whole.lowerBound, whole)
    while true {
      let start = index
      let stop = unsafe validate(line, &index, &content)
      held[number].content = content
      guard stop != .error else { return unsafe restart(line, &writer) }
      if let end = unsafe note(line, content, start..<index) {
        guard unsafe JSONRecordReader.isBlank(line, from: end) else { return unsafe restart(line, &writer) }
        write(held.lines.first...number, &writer)
        open.removeFirst()
        return
      }
      if stop == .end { return }
      // The bracket is too deep for the attempt, not for one inside of it.
      guard open.count > 1 else { return unsafe restart(line, &writer) }
      leaveAttempt(&writer)
      scan.resume(at: scan.grammarState)
    }
  }

  /// Ends the attempt with an error in the last line, which is then the first of another one.
  private func restart(_ line: UnsafeRawBufferPointer, _ writer: inout LineWriter) {
    guard let place = held.lines.last?.place else { return }
    if open.last == held.lines.end - 1 { open.removeLast() }
    held.removeLast()
    finish(into: &writer)
    unsafe begin(line, place, &writer)
  }

  /// Leaves an attempt that exceeds a limit for the one inside of it.
  private func leaveAttempt(_ writer: inout LineWriter) {
    guard open.count > 0 else { return }
    held[open[open.first]].container = .bad
    open.removeFirst()
    writeKnown(&writer)
    guard let base = held.first?.depth else { return }
    if base - forgotten >= Self.forgottenDepth {
      // The containers around the attempt would be kept for ever.
      var state = scan.grammarState
      let words = min((base - forgotten) / 64, state.kinds.count)
      state.kinds.removeFirst(words)
      state.depth -= words * 64
      forgotten += words * 64
      scan.resume(at: state)
    }
    let (limit, isOver) = reading.limits.depth.addingReportingOverflow(base - forgotten)
    scan.limitDepth(to: isOver ? .max : limit)
  }

  private static let forgottenDepth = Sizes.of(1024, fuzzing: 64)

  // MARK: Lines

  private enum Stop { case end, depth, error }

  /// Validates the content of a line from an index on, and moves the index to where the validation ends. Escape sequences at
  /// the end of the line are no content.
  private func validate(_ line: UnsafeRawBufferPointer, _ index: inout Int, _ content: inout Range<Int>) -> Stop {
    while true {
      unsafe index += scan.run(UnsafeRawBufferPointer(rebasing: line[index..<content.upperBound]))
      guard let undecided = scan.undecided else { break }
      if undecided.reason == .depth { return .depth }
      let start = index - (undecided.offset - undecided.tokenStart)
      if skipsPrefix, index < content.upperBound, unsafe JSONRecordReader.isBlank(line, from: index) {
        // The token before the escape sequences is validated again, now at the end of the content.
        scan.resume(at: scan.grammarState)
        (content, index) = (content.lowerBound..<index, start)
        continue
      }
      guard let next = unsafe endOfString(line, start, undecided, content.upperBound) else { return .error }
      index = next
    }
    // No token continues on the next line.
    return unsafe withUnsafeBytes(of: ASCII.carriageReturn) { unsafe scan.run($0) } == 1 ? .end : .error
  }

  /// Continues the scan behind a string with half of a surrogate pair, if the options allow it. Returns the index there.
  private func endOfString(
    _ line: UnsafeRawBufferPointer, _ start: Int, _ undecided: ValidationScan.Undecided, _ end: Int
  ) -> Int? {
    guard undecided.reason == .surrogate || undecided.reason == .keyLength, start >= 0, start < end else { return nil }
    var escaped = false
    let rest = unsafe UnsafeRawBufferPointer(rebasing: line[(start + 1)..<end])
    guard let length = unsafe ByteScan.stringEnd(rest, escaped: &escaped),
      unsafe (try? JSON(parsing: Array(line[start...(start + 1 + length)]), options: reading)) != nil
    else { return nil }
    var state = scan.grammarState
    let isKey = state.phase == .key || state.phase == .keyOrClose
    guard !isKey || length <= reading.limits.keyBytes else { return nil }
    state.phase = isKey ? .colon : .commaOrClose
    state.offset += length + 2
    scan.resume(at: state)
    return start + length + 2
  }

  /// Notes which containers begin and end in a part of the line that was held last. Returns the index behind the attempt, if it
  /// ends.
  private func note(_ line: UnsafeRawBufferPointer, _ content: Range<Int>, _ part: Range<Int>) -> Int? {
    let number = held.lines.end - 1
    let first = unsafe Self.first(in: line, content)
    var index = part.lowerBound
    while index < part.upperBound {
      let byte = unsafe line[index]
      if byte == ASCII.quote {
        var escaped = false
        let rest = unsafe UnsafeRawBufferPointer(rebasing: line[(index + 1)..<part.upperBound])
        unsafe index += 1 + (ByteScan.stringEnd(rest, escaped: &escaped) ?? rest.count)
      } else if byte.opensContainer {
        if index == first {
          (held[number].depth, held[number].container) = (depth, .open)
          open.append(number)
        }
        depth += 1
      } else if byte | 0x20 == ASCII.closeBrace {
        depth -= 1
        if let last = open.last, held[last].depth == depth {
          if open.count == 1 { return index + 1 }
          held[last].container = unsafe JSONRecordReader.isBlank(line, from: index + 1) ? .closed(number) : .bad
          open.removeLast()
        }
      }
      index += 1
    }
    return nil
  }

  /// Returns the index of the first byte that is not white space.
  private static func first(in line: UnsafeRawBufferPointer, _ content: Range<Int>) -> Int? {
    let text = unsafe UnsafeRawBufferPointer(rebasing: line[content])
    let blanks = unsafe ByteScan.whitespacePrefix(text)
    return blanks < text.count ? content.lowerBound + blanks : nil
  }

  /// Returns the end of the text before the value on a further line of the attempt: it is like that on its first line, with other
  /// digits.
  private func prefixEnd(in line: UnsafeRawBufferPointer) -> Int {
    var (index, end) = (0, 0)
    while index < prefix.count {
      guard end < line.count else { return 0 }
      if prefix[index].isDigit, unsafe line[end].isDigit {
        while index < prefix.count, prefix[index].isDigit { index += 1 }
        while end < line.count, unsafe line[end].isDigit { end += 1 }
      } else {
        guard unsafe line[end] == prefix[index] else { return 0 }
        index += 1
        end += 1
      }
    }
    return end
  }

  // MARK: Records

  /// Writes the lines before the attempt, which is then the first line that is held.
  private func writeKnown(_ writer: inout LineWriter) {
    while let line = held.first {
      let number = held.lines.first
      switch line.container {
      case .open: return
      case .closed(let last): write(number...last, &writer)
      case .bad: write(number...number, &writer)
      case .none:
        if unsafe held.withText(of: line, { unsafe Self.first(in: $0, line.content) }) != nil { missing?.add(1) }
        held.removeFirst()
      }
    }
  }

  /// Writes lines as one record, and drops them.
  private func write(_ numbers: ClosedRange<Int>, _ writer: inout LineWriter) {
    for number in numbers {
      let line = held[number]
      if number > numbers.lowerBound { writer.append(ASCII.carriageReturn) }
      unsafe held.withText(of: line) {
        unsafe _ = writer.add($0, line.place, line.content, number == numbers.lowerBound ? .copied : .continued)
      }
    }
    for _ in numbers { held.removeFirst() }
    writer.append(ASCII.lineFeed)
  }
}
