/// Makes the lines of the text of a step, and notes where each of them was found.
@safe struct LineMaker: ~Copyable {
  var text = StepText()
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
    unsafe text.bytes.append(bytes)
    text.bytes.append(ASCII.lineFeed)
  }

  /// Appends the text that a path has found.
  ///
  /// - Parameters:
  ///   - value: The text of a value.
  ///   - path: The number of the path, which selects a member of the outer record or, as the last one, the records.
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
      text.bytes.append(ASCII.closeBrace)
      text.bytes.append(ASCII.lineFeed)
    }
  }

  private mutating func appendRecord(
    _ value: UnsafeRawBufferPointer, _ origin: Int, _ line: Int?, asItIs: Bool = false
  ) -> Bool {
    let before = text.end
    if line != nil { unsafe texts.append(value) }
    if unsafe asItIs || isRecord(value), unsafe appendLine(value, origin, line, asItIs) {
      found += 1
      return true
    }
    text.forget(after: before)
    return false
  }

  /// Appends the record in a value, with its line feed. Returns `false` if there is none.
  private mutating func appendLine(_ value: UnsafeRawBufferPointer, _ origin: Int, _ line: Int?, _ asItIs: Bool) -> Bool
  {
    let first = text.end
    let index = line == nil ? nil : Optional(texts.count - value.count)
    if recordPath > 0 {
      note(origin, line: line, index: index, .added)
      text.bytes.append(#"{"v":"#)
    }
    let start = text.bytes.count
    let isString = unsafe !asItIs && isUnwrapping && value.first == ASCII.quote
    let quote = isString ? 1 : 0
    note(origin + quote, line: line, index: index.map { $0 + quote }, isString ? .decoded : .copied)
    if isString {
      let inside = unsafe UnsafeRawBufferPointer(rebasing: value[1..<max(value.count - 1, 1)])
      unsafe text.bytes.append(upTo: inside.count) { target in
        unsafe EscapedText.decode(
          inside,
          into: UnsafeMutableBufferPointer(start: target.assumingMemoryBound(to: UInt8.self), count: inside.count))
      }
    } else {
      unsafe text.bytes.append(value)
    }
    if isString || line != nil { text.bytes.replaceLineFeeds(from: start) }
    switch isString ? content(from: start) : .whole {
    case .none: return false
    case .whole:
      if recordPath > 0 {
        note(origin, line: line, index: index, .added)
        appendOuter()
      }
    case .damaged:
      // The reader of the text has to find the error that the string has by itself.
      let inside = unsafe text.bytes.withBytes(in: start..<text.bytes.count) { unsafe Array($0) }
      text.forget(after: first)
      note(origin + quote, line: line, index: index.map { $0 + quote }, .decoded)
      append(inside)
    }
    text.bytes.append(ASCII.lineFeed)
    return true
  }

  private enum Content { case none, damaged, whole }

  /// Returns what a decoded string holds. Without outer members the reader of the text finds the error of a damaged one.
  private mutating func content(from start: Int) -> Content {
    unsafe text.bytes.withBytes(in: start..<text.bytes.count) { inside in
      // A reader of the text strips a mark.
      let mark = unsafe ByteOrderMark.begins(inside) ? ByteOrderMark.count : 0
      let blanks = unsafe mark + ByteScan.whitespacePrefix(UnsafeRawBufferPointer(rebasing: inside[mark...]))
      guard blanks < inside.count else { return .none }
      let begins = unsafe inside[blanks].opensContainer
      if begins, recordPath == 0 { return .whole }
      scan.resume(at: .start)
      if unsafe scan.run(inside) == inside.count, scan.finish() { return .whole }
      if unsafe (try? JSON(parsing: Array(inside), options: reading)) != nil { return .whole }
      return begins ? .damaged : .none
    }
  }

  private var isUnwrapping: Bool { if case .unwrap = step.kind { true } else { false } }

  /// Returns whether a value can be a record: in a string, or a container. The elements of a container all are.
  private func isRecord(_ value: UnsafeRawBufferPointer) -> Bool {
    guard isUnwrapping, let first = unsafe value.first else { return unsafe !value.isEmpty }
    return first == ASCII.quote || first.opensContainer
  }

  /// Appends what is kept of the outer record behind a record.
  private mutating func appendOuter() {
    text.bytes.append(#","^":"#)
    if step.outer == .whole {
      append(outer[0])
    } else {
      if step.readsOuter { text.bytes.append(#"{"v":"#) }
      var separator = ASCII.openBrace
      for (name, value) in zip(names, outer) where !value.isEmpty {
        text.bytes.append(separator)
        append(name)
        append(value)
        separator = ASCII.comma
      }
      if separator == ASCII.openBrace { text.bytes.append(separator) }
      text.bytes.append(ASCII.closeBrace)
      if step.readsOuter {
        text.bytes.append(#","^":"#)
        append(outer[names.count])
        text.bytes.append(ASCII.closeBrace)
      }
    }
    text.bytes.append(ASCII.closeBrace)
  }

  private mutating func append(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe text.bytes.append($0) } }

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
    text.note(origin, index: place, line: line ?? counted.line, kind)
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
