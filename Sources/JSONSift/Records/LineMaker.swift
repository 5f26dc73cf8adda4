/// Makes the lines of the text of a step, and notes where each of them was found.
@safe struct LineMaker: ~Copyable {
  private(set) var text = ByteBuffer(capacity: 0)
  private let step: JSONRecordStep
  private let reading: JSONOptions
  private var scan: ValidationScan
  /// The number of the path of the records; the paths before it are those of outer members.
  private let recordPath: Int
  /// The texts of the outer members, and where the last of them was found.
  private var outer: [[UInt8]]
  private var outerOffset = 0
  /// The names of the outer members, as JSON with a colon.
  private let names: [[UInt8]]
  /// The offset of the first byte of ``text``.
  private var start = 0
  private var pieces = PlainVector<OriginChunk.Piece>()
  /// The lines of the block: its bytes, and the line at the offset up to which they were counted.
  private var lines = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  private var offset = 0
  private var counted = (index: 0, line: 1)
  private var found = 0
  /// Whether no record was found in the outer record, as far as it was read.
  private var isMissing = true
  /// The texts that were taken from an input that is not lines.
  private var texts = ByteBuffer(capacity: 0)

  init(_ step: JSONRecordStep, _ reading: JSONOptions) {
    self.step = step
    self.reading = reading
    var names: [[UInt8]] = []
    if case .members(let members) = step.outer {
      for member in members {
        names.append([])
        names[names.count - 1].append(quoting: member)
        names[names.count - 1].append(ASCII.colon)
      }
    }
    self.names = names
    recordPath = step.outer == .whole ? 1 : names.count + (step.readsOuter && step.outer != .none ? 1 : 0)
    outer = Array(repeating: [], count: recordPath)
    scan = ValidationScan(isLines: false, limits: reading.limits)
  }

  /// Begins a chunk of text at an offset.
  mutating func begin(at offset: Int) {
    text.removeAll()
    start = offset
    pieces = PlainVector()
  }

  /// Begins the lines of a block, before its memory is exchanged.
  ///
  /// SAFETY: the memory of the block is not released before ``endLines()``.
  mutating func beginLines(_ block: LineBlock) {
    unsafe lines = UnsafeRawBufferPointer(start: block.memory.base + block.range.lowerBound, count: block.range.count)
    offset = block.offset
    counted = (0, block.line)
    found = 0
    forgetOuter()
  }

  /// Counts the records without a match in the block.
  mutating func endLines() {
    if let missing = step.missing { unsafe missing.add(max(ByteScan.countRecords(lines) - found, 0)) }
    unsafe lines = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  mutating func chunk(of block: LineBlock, holdsLines: Bool) -> OriginChunk {
    var taken = PlainVector<OriginChunk.Piece>()
    swap(&taken, &pieces)
    return OriginChunk(start..<(start + text.count), of: block, holdsLines: holdsLines, taken)
  }

  /// Returns a block with the texts that were found since the last call.
  mutating func takeTexts() -> LineBlock {
    let block = LineBlock()
    block.range = 0..<texts.count
    block.memory = texts.takeMemory()
    return block
  }

  /// Appends a line of the input that is not JSON, as it is.
  mutating func append(line bytes: UnsafeRawBufferPointer, _ origin: Int) {
    found += 1
    var bytes = unsafe bytes
    if unsafe bytes.last == ASCII.lineFeed { unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes.dropLast()) }
    note(origin, line: nil, .copied)
    unsafe text.append(bytes)
    text.append(ASCII.lineFeed)
  }

  /// Appends the text that a path has found.
  ///
  /// - Parameters:
  ///   - value: The text of a value.
  ///   - path: The number of the path: that of a member of the outer record, or the last one.
  ///   - origin: The offset of the text in the input.
  ///   - line: Its line, if the input is not lines. Then the text is kept.
  mutating func append(_ value: UnsafeRawBufferPointer, of path: Int, at origin: Int, line: Int? = nil) {
    if line == nil, recordPath > 0, isOtherRecord(origin) { forgetOuter() }
    guard path >= recordPath else {
      outer[path] = unsafe Array(value)
      outerOffset = origin
      return
    }
    guard path == recordPath else { return unsafe append(otherwise: value, origin, line) }
    isMissing = unsafe !appendRecord(value, origin, line)
    if isMissing, line != nil { step.missing?.add(1) }
  }

  /// Appends a record in which no other was found, as the step demands.
  private mutating func append(otherwise value: UnsafeRawBufferPointer, _ origin: Int, _ line: Int?) {
    defer { isMissing = true }
    guard isMissing, case .unwrap(_, let otherwise) = step.kind else { return }
    found += 1
    if otherwise == .keep {
      _ = unsafe appendRecord(value, origin, line, asItIs: true)
    } else {
      note(origin, line: line, .missing)
      // No record begins like this.
      text.append(ASCII.closeBrace)
      text.append(ASCII.lineFeed)
    }
  }

  private mutating func appendRecord(
    _ value: UnsafeRawBufferPointer, _ origin: Int, _ line: Int?, asItIs: Bool = false
  ) -> Bool {
    let (before, pieceCount) = (text.count, pieces.count)
    if line != nil { unsafe texts.append(value) }
    if unsafe asItIs || isRecord(value), unsafe appendLine(value, origin, line, asItIs) {
      found += 1
      return true
    }
    text.truncate(to: before)
    while pieces.count > pieceCount { pieces.removeLast() }
    return false
  }

  /// Appends the record in a value, with its line feed. Returns `false` if there is none.
  private mutating func appendLine(_ value: UnsafeRawBufferPointer, _ origin: Int, _ line: Int?, _ asItIs: Bool) -> Bool
  {
    let first = text.count
    let index = line == nil ? nil : Optional(texts.count - value.count)
    if recordPath > 0 {
      note(origin, line: line, index: index, .added)
      text.append(#"{"v":"#)
    }
    let start = text.count
    let isString = unsafe !asItIs && isUnwrapping && value.first == ASCII.quote
    let quote = isString ? 1 : 0
    note(origin + quote, line: line, index: index.map { $0 + quote }, isString ? .decoded : .copied)
    if isString {
      let inside = unsafe UnsafeRawBufferPointer(rebasing: value[1..<max(value.count - 1, 1)])
      unsafe text.append(upTo: inside.count) { target in
        unsafe EscapedText.decode(
          inside,
          into: UnsafeMutableBufferPointer(start: target.assumingMemoryBound(to: UInt8.self), count: inside.count))
      }
    } else {
      unsafe text.append(value)
    }
    if isString || line != nil { text.replaceLineFeeds(from: start) }
    let content: Content = isString ? kind(from: start) : .whole
    switch content {
    case .none: return false
    case .whole:
      if recordPath > 0 {
        note(origin, line: line, index: index, .added)
        appendOuter()
      }
    case .damaged:
      // The error of the text itself, not that of the text around it.
      let inside = unsafe text.withBytes(in: start..<text.count) { unsafe Array($0) }
      text.truncate(to: first)
      append(inside)
      if recordPath > 0, let piece = pieces.popLast() {
        pieces.removeLast()
        pieces.append(piece.moved(by: first - start))
      }
    }
    text.append(ASCII.lineFeed)
    return true
  }

  private enum Content { case none, damaged, whole }

  /// Returns what a decoded string holds. Without outer members the reader of the text finds the error of a damaged one.
  private mutating func kind(from start: Int) -> Content {
    let kept = recordPath > 0
    return unsafe text.withBytes(in: start..<text.count) { inside in
      unsafe Self.kind(of: inside, alone: !kept, reading, &scan)
    }
  }

  private static func kind(
    of inside: UnsafeRawBufferPointer, alone: Bool, _ reading: JSONOptions, _ scan: inout ValidationScan
  ) -> Content {
    // A reader of the text strips a mark.
    let mark = unsafe ByteOrderMark.begins(inside) ? ByteOrderMark.count : 0
    let blanks = unsafe mark + ByteScan.whitespacePrefix(UnsafeRawBufferPointer(rebasing: inside[mark...]))
    guard blanks < inside.count else { return .none }
    let begins = unsafe inside[blanks].opensContainer
    if begins, alone { return .whole }
    scan.resume(at: .start)
    if unsafe scan.run(inside) == inside.count, scan.finish() { return .whole }
    if unsafe (try? JSON(parsing: Array(inside), options: reading)) != nil { return .whole }
    return begins ? .damaged : .none
  }

  private var isUnwrapping: Bool { if case .unwrap = step.kind { true } else { false } }

  /// Returns whether a value can be a record: in a string, or a container. The elements of a container all are.
  private func isRecord(_ value: UnsafeRawBufferPointer) -> Bool {
    guard isUnwrapping, let first = unsafe value.first else { return unsafe !value.isEmpty }
    return first == ASCII.quote || first.opensContainer
  }

  /// Appends what is kept of the outer record behind a record.
  private mutating func appendOuter() {
    text.append(#","^":"#)
    if step.outer == .whole {
      append(outer[0])
    } else {
      if step.readsOuter { text.append(#"{"v":"#) }
      var separator = ASCII.openBrace
      for (name, value) in zip(names, outer) where !value.isEmpty {
        text.append(separator)
        append(name)
        append(value)
        separator = ASCII.comma
      }
      if separator == ASCII.openBrace { text.append(separator) }
      text.append(ASCII.closeBrace)
      if step.readsOuter {
        text.append(#","^":"#)
        append(outer[names.count])
        text.append(ASCII.closeBrace)
      }
    }
    text.append(ASCII.closeBrace)
  }

  private mutating func append(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe text.append($0) } }

  private mutating func forgetOuter() {
    for index in outer.indices { outer[index].removeAll(keepingCapacity: true) }
  }

  /// Returns whether a line feed lies between the last member and an offset.
  private func isOtherRecord(_ origin: Int) -> Bool {
    let (low, high) = (min(outerOffset, origin) - offset, max(outerOffset, origin) - offset)
    guard low >= 0, unsafe high <= lines.count else { return true }
    return unsafe ByteScan.lineFeed(UnsafeRawBufferPointer(rebasing: lines[low..<high])) != nil
  }

  /// Notes where the next bytes of the text were found.
  private mutating func note(_ origin: Int, line: Int?, index: Int? = nil, _ kind: OriginChunk.Piece.Kind) {
    let place = index ?? (origin - offset)
    if line == nil, place >= counted.index, unsafe place <= lines.count {
      let new = unsafe UnsafeRawBufferPointer(rebasing: lines[counted.index..<place])
      counted = unsafe (place, counted.line + ByteScan.countLineFeeds(new))
    }
    pieces.append(
      OriginChunk.Piece(
        start: start + text.count, origin: origin, index: place,
        line: Int32(truncatingIfNeeded: line ?? counted.line), kind: kind))
  }
}

extension ByteScan {
  /// Returns the number of lines that are not blank.
  fileprivate static func countRecords(_ lines: UnsafeRawBufferPointer) -> Int {
    var (count, start) = (0, 0)
    while start < lines.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: lines[start...])
      let end = unsafe lineFeed(rest) ?? rest.count
      if unsafe whitespacePrefix(UnsafeRawBufferPointer(rebasing: rest[..<end])) < end { count += 1 }
      start += end + 1
    }
    return count
  }
}
