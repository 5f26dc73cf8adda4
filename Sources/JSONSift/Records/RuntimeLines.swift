/// Puts the parts of lines together that a container runtime has divided. See ``JSONRecordStep/join(_:)``.
final class RuntimeLines: LineJoiner {
  private let runtime: JSONRecordStep.Runtime
  private let limits: JSONLimits
  /// The records whose last part has not been read, one for each stream. There are few streams: a list is searched.
  private var open: [OpenRecord] = []
  private static let maxStreams = 8

  private final class OpenRecord {
    let stream: [UInt8]
    var parts = HeldLines()
    var textBytes = 0
    /// Whether the last part exceeds the limit of a record. Only one such part is kept, which shows where the record ends.
    var isTooLong = false

    init(_ stream: [UInt8]) { self.stream = stream }
  }

  /// A line of a runtime.
  private struct Part {
    var stream = 0..<0
    /// The text of the program; for Docker inside the string.
    var content = 0..<0
    var isLast = true
  }

  init(_ runtime: JSONRecordStep.Runtime, _ limits: JSONLimits) { (self.runtime, self.limits) = (runtime, limits) }

  var heldOffset: Int? { open.map { $0.parts.first?.place.offset ?? .max }.min() }

  func take(_ line: UnsafeRawBufferPointer, _ place: LinePosition, isCut: Bool, into writer: inout LineWriter) {
    guard !isCut, let part = unsafe runtime == .cri ? Self.cri(line) : Self.docker(line) else {
      return unsafe writer.addRecord(line, place, 0..<line.count)
    }
    let stream = unsafe line[part.stream]
    guard let number = open.firstIndex(where: { unsafe $0.stream.elementsEqual(stream) }) else {
      guard !part.isLast else {
        return unsafe writer.addRecord(line, place, runtime == .cri ? part.content : 0..<line.count)
      }
      if open.count == Self.maxStreams { write(open.removeFirst(), isEnded: false, &writer) }
      let record = unsafe OpenRecord(Array(stream))
      unsafe Self.add(line, place, part.content, to: record, limits)
      return open.append(record)
    }
    unsafe Self.add(line, place, part.content, to: open[number], limits)
    if part.isLast { write(open.remove(at: number), isEnded: true, &writer) }
  }

  func finish(into writer: inout LineWriter) {
    for record in open { write(record, isEnded: false, &writer) }
    open = []
  }

  private static func add(
    _ line: UnsafeRawBufferPointer, _ place: LinePosition, _ content: Range<Int>, to record: OpenRecord,
    _ limits: JSONLimits
  ) {
    if record.isTooLong { record.parts.removeLast() }
    record.isTooLong = record.textBytes > limits.recordBytes
    record.textBytes += content.count
    unsafe record.parts.append(HeldLine(place, content: content), line)
  }

  private func write(_ record: OpenRecord, isEnded: Bool, _ writer: inout LineWriter) {
    let lines = record.parts.lines
    guard let first = record.parts.first, let last = lines.last else { return }
    var firstIndex = 0
    for number in lines.first..<lines.end {
      let part = lines[number]
      var content = part.content
      if runtime == .docker, number == lines.first { content = 0..<content.upperBound }
      // Of a bad record only the place is known: its lines add no text.
      if !isEnded || record.isTooLong && number > lines.first && number == lines.end - 1 {
        content = content.lowerBound..<content.lowerBound
      }
      let index = unsafe record.parts.withText(of: part) {
        unsafe writer.add($0, part.place, content, number == lines.first ? .copied : .continued)
      }
      if number == lines.first { firstIndex = index }
      if number == lines.end - 1, !isEnded {
        unsafe record.parts.withText(of: last) {
          unsafe writer.add(last.content.upperBound..<last.content.upperBound, of: $0, last.place, at: index, .unended)
        }
        // No record begins like this.
        writer.append(ASCII.closeBrace)
      }
    }
    if isEnded, runtime == .docker {
      unsafe record.parts.withText(of: first) {
        unsafe writer.add(first.content.upperBound..<$0.count, of: $0, first.place, at: firstIndex, .continued)
      }
    }
    writer.append(ASCII.lineFeed)
  }

  // MARK: The forms of lines

  /// Returns the parts of a line of CRI: `2023-01-27T13:40:28.926Z stdout P {"a":`. Other tags may follow behind `P:`.
  private static func cri(_ line: UnsafeRawBufferPointer) -> Part? {
    guard line.count > 20, unsafe line[0].isDigit, unsafe line[4] == ASCII.minus, unsafe line[10] == ASCII.upperT
    else { return nil }
    guard let streamStart = unsafe word(in: line, from: 0), let streamEnd = unsafe word(in: line, from: streamStart)
    else { return nil }
    let stream = streamStart..<(streamEnd - 1)
    guard unsafe line[stream].elementsEqual("stdout".utf8) || line[stream].elementsEqual("stderr".utf8),
      streamEnd < line.count
    else { return nil }
    let end = unsafe word(in: line, from: streamEnd)
    let tag = streamEnd..<(end.map { $0 - 1 } ?? line.count)
    let isLast = unsafe line[streamEnd] == ASCII.upperF
    guard unsafe isLast || line[streamEnd] == ASCII.upperP, unsafe tag.count == 1 || line[streamEnd + 1] == ASCII.colon
    else { return nil }
    return Part(stream: stream, content: (end ?? line.count)..<line.count, isLast: isLast)
  }

  /// Returns the index after the next blank.
  private static func word(in line: UnsafeRawBufferPointer, from start: Int) -> Int? {
    unsafe UnsafeRawBufferPointer(rebasing: line[start...]).firstOffset(of: ASCII.space).map { start + $0 + 1 }
  }

  /// Returns the parts of a line of Docker: `{"log":"…\n","stream":"stdout","time":"…"}`, with its members in any order. The
  /// line is not validated.
  private static func docker(_ line: UnsafeRawBufferPointer) -> Part? {
    func next(_ index: Int) -> Int {
      unsafe index + ByteScan.whitespacePrefix(UnsafeRawBufferPointer(rebasing: line[index...]))
    }
    func end(_ index: Int) -> Int? {
      var extent = ValueExtent()
      return unsafe extent.end(in: UnsafeRawBufferPointer(rebasing: line[index...])).map { index + $0 }
    }
    func byte(_ index: Int) -> UInt8? { index < line.count ? unsafe line[index] : nil }
    var part = Part()
    var log: Range<Int>?
    var index = next(0)
    guard byte(index) == ASCII.openBrace else { return nil }
    while true {
      let name = next(index + 1)
      guard byte(name) == ASCII.quote, let nameEnd = end(name) else { return nil }
      let colon = next(nameEnd)
      guard byte(colon) == ASCII.colon else { return nil }
      let value = next(colon + 1)
      guard let valueEnd = end(value) else { return nil }
      if byte(value) == ASCII.quote {
        let inside = (value + 1)..<(valueEnd - 1)
        let key = unsafe line[(name + 1)..<(nameEnd - 1)]
        if log == nil, unsafe key.elementsEqual("log".utf8) { log = inside }
        if part.stream.isEmpty, unsafe key.elementsEqual("stream".utf8) { part.stream = inside }
      }
      index = next(valueEnd)
      if byte(index) == ASCII.closeBrace { break }
      guard byte(index) == ASCII.comma else { return nil }
    }
    guard next(index + 1) == line.count, let log else { return nil }
    part.content = log
    part.isLast = ["n", "u000a", "u000A"].contains { escape in
      let text = unsafe line[log]
      guard unsafe text.suffix(escape.utf8.count).elementsEqual(escape.utf8) else { return false }
      // An escape begins with an odd backslash.
      return unsafe text.dropLast(escape.utf8.count).reversed().prefix { $0 == ASCII.backslash }.count % 2 == 1
    }
    return part
  }
}
