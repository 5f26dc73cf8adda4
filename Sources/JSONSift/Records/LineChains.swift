/// Records, a line each, in which a path of names leads to a scalar: a kernel goes over all that are as usual, and each
/// costs little more than its match.
///
/// What is not as usual is left to the reader: so nothing is accepted here that it would refuse, and in between it stands
/// where it would stand without this. Scalars of many lines are parsed together, before one of them is handed out.
final class LineChains {
  private var lists = NameLists()
  private var chain = NameChain()
  /// The steps from a record to its scalar, packed.
  private let place: [UInt8]
  private let limits: JSONLimits
  private var scan = LineScan()
  private var scalars = ScalarBatch()
  private var values: SubtreeParser
  private var last: Document?

  /// The lines that were gone over: where they begin in the input, how long they are, the number of the first, and how
  /// many there are.
  private var run = (offset: 0, bytes: 0, line: 0, lines: 0)
  private var next = 0
  /// Up to this offset lines are left to the reader: a scalar among them is none.
  private var leftUntil = 0
  /// So many lines are left to the reader before the next try, and so many after the next one that fails.
  private var pause = 0
  private var nextPause = 1

  /// Where trying again and again finds nothing, it costs a sixty-fourth of the lines.
  private static let longestPause = 64

  /// `nil` if the query has other steps than names, or too many, or if the options do not say that something is passed
  /// over.
  init?(_ query: PathQuery, _ options: JSONOptions) {
    guard options.fastForward, !query.segments.isEmpty, query.segments.count <= options.limits.depth else { return nil }
    var place: [UInt8] = []
    var names: [[UInt8]] = []
    for segment in query.segments {
      guard segment.isSingular, case .name(let name) = segment.selectors[0] else { return nil }
      let bytes = Array(name.string.utf8)
      // No key has a control character as it stands, but this would take it for one.
      guard bytes.count <= options.limits.keyBytes, bytes.allSatisfy({ $0 >= ASCII.space }) else { return nil }
      names.append(bytes)
      place += MatchPlace.packed(bytes)
    }
    self.place = place
    limits = options.limits
    values = SubtreeParser(options: options)
    last = nil
    for name in names {
      guard let list = lists.add([name]), chain.append(list) else { return nil }
    }
  }

  /// Forgets lines that have not been asked for: others come.
  func reset() {
    next = 0
    run.lines = 0
    scan.removeAll()
    leftUntil = 0
  }

  /// The next match, as long as lines are as usual. The reader stands at its record then, as if it had read that.
  func nextMatch(_ reader: inout JSONRecordReader) -> (value: JSON, byteRange: Range<Int>)? {
    if next == scan.count {
      finishRun(&reader)
      guard begin(&reader) else { return nil }
      guard scan.count > 0 else {
        finishRun(&reader)
        return nil
      }
    }
    let (number, line, range) = scan[next]
    next += 1
    let offset = run.offset + line.lowerBound
    reader.stand(at: offset, line: run.line + number, byteCount: line.count)
    let window = unsafe reader.window.bytes
    let inLine = (range.lowerBound - line.lowerBound)..<(range.upperBound - line.lowerBound)
    let text = unsafe UnsafeRawBufferPointer(rebasing: window[inLine])
    let first = run.offset + range.lowerBound
    let document = Document.reusing(&last)
    unsafe place.withUnsafeBytes { place in
      unsafe document.setSource(copying: text, origin: first, place: place)
    }
    let word = unsafe EventWord(scalarIn: text, 0..<text.count)
    document.setTape(scalar: word.bits)
    return (JSON(document, Document.root), first..<(first + text.count))
  }

  /// Goes over the lines that are in the window. False if none is as usual.
  private func begin(_ reader: inout JSONRecordReader) -> Bool {
    guard pause == 0 else {
      pause -= 1
      return false
    }
    guard let (lines, offset) = unsafe reader.wholeLines, offset >= leftUntil, lines.count <= limits.recordBytes else {
      return false
    }
    let (used, count) = unsafe scan.read(lines, along: &chain)
    guard used > 0 else {
      pause = nextPause
      nextPause = min(nextPause * 2, Self.longestPause)
      return false
    }
    nextPause = 1
    for index in 0..<scan.count { unsafe scalars.append(lines, scan[index].range, isMember: true) }
    defer { scalars.removeAll() }
    guard scan.count == 0 || scalars.areGood(values: &values) else {
      scan.removeAll()
      leftUntil = offset + used
      return false
    }
    run = (offset, used, reader.nextLine, count)
    next = 0
    return true
  }

  /// Leaves the lines behind the last match.
  private func finishRun(_ reader: inout JSONRecordReader) {
    guard run.lines > 0 else { return }
    reader.pass(to: run.offset + run.bytes, line: run.line + run.lines)
    run.lines = 0
    next = 0
    scan.removeAll()
  }
}

extension JSONRecordReader {
  /// The whole lines behind the last record that are known to be text, and where they begin in the input; `nil` if there
  /// are none, or if what becomes of the next line is decided otherwise.
  fileprivate var wholeLines: (UnsafeRawBufferPointer, offset: Int)? {
    guard cut == .lines, !isPassing, !skipsPrefix, searched == 0, failure == nil, held == nil, prefilter == nil,
      shape == nil
    else { return nil }
    let offset = window.offset + min(pendingUse, window.count)
    guard offset < validOffset else { return nil }
    let bytes = unsafe window.bytes
    let range = (offset - window.offset)..<min(validOffset - window.offset, bytes.count)
    return unsafe (UnsafeRawBufferPointer(rebasing: bytes[range]), offset)
  }

  /// Makes the whole line that begins there the last record.
  @inline(__always)
  fileprivate mutating func stand(at offset: Int, line number: Int, byteCount: Int) {
    window.use(offset - window.offset)
    pendingUse = byteCount
    line = number
    nextLine = number + 1
    recordOffset = offset
    lineStart = offset
  }

  /// Goes past whole lines.
  fileprivate mutating func pass(to offset: Int, line number: Int) {
    pendingUse = 0
    window.use(offset - window.offset)
    line = number - 1
    nextLine = number
  }
}
