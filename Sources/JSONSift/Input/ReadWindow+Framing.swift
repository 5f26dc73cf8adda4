/// The state of a guess of the framing, while too few lines of the input have arrived.
struct FramingGuess {
  /// The kind of the first line.
  fileprivate var firstLine: JSONFraming.FirstLine?
  /// The number of lines after a damaged first line that are known not to be records.
  fileprivate var linesAfterFirst = 0
}

/// Guesses how an input is cut into records.
extension ReadWindow {
  /// Reads the first lines, as many as a guess needs, and guesses the framing. The result does not depend on how the bytes
  /// arrive.
  package mutating func guessFraming(name: String?) throws(JSONError) -> JSONFraming {
    while true {
      if let framing = guessedFraming(name: name) { return framing }
      _ = try fill()
    }
  }

  /// Returns the framing that is known, or guesses it. Returns `nil` if the input would block.
  mutating func framingAtOnce(
    _ options: JSONRecordOptions, name: String?, resumingAt checkpoint: JSONCheckpoint?
  ) throws(JSONError) -> JSONFraming? {
    if let known = try options.knownFraming(resumingAt: checkpoint) { return known }
    while true {
      if let framing = guessedFraming(name: name) { return framing }
      if try !fill(), wouldBlock { return nil }
    }
  }

  /// Returns whether the first line, which was read for a guess, is several values side by side.
  func beginsWithValues() -> Bool {
    let near = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.readBytes))
    guard guess.firstLine.map({ $0.isOfValues }) ?? (isAtEnd && count <= Self.readBytes) else { return false }
    let line = unsafe JSONFraming.firstLine(of: Array(near))
    do throws(JSONError) {
      _ = try JSON(parsing: line)
      return false
    } catch {
      return error.code == .trailingContent && JSONFraming.beginsValue(line.dropFirst(error.byteOffset))
    }
  }

  /// Guesses the framing from the bytes in memory; `nil` if they are too few.
  mutating func guessedFraming(name: String?) -> JSONFraming? {
    guard count > 0 else { return isAtEnd ? JSONFraming.guess(name: name, head: []) : nil }
    // No JSON text begins with a record separator.
    if unsafe bytes[0] == ASCII.recordSeparator { return .textSequence }
    let named = JSONFraming.ofFile(named: name)
    if named == .lines {
      // A followed file is not waited for.
      let blank = unsafe ByteScan.whitespacePrefix(bytes)
      if blank == count, !isAtEnd, count < Self.readBytes, !mayGrow { return nil }
      if blank == count || mayGrow { return .lines }
    }
    let near = named == .document ? Self.readBytes : Self.maxFirstLine
    guard let kind = guess.firstLine ?? kindOfFirstLine(within: near) else {
      // A first line that does not end within this limit is not a line.
      if count >= near { return named ?? .document }
      return isAtEnd ? unsafe JSONFraming.guess(name: name, head: Array(bytes)) : nil
    }
    guess.firstLine = kind
    // The reader of a followed file does not wait for a second line: a file with one document would have no reason to grow.
    if kind == .whole, named == nil || mayGrow { return .lines }
    if named == .lines {
      guard kind == .cut else { return .lines }
      let isAll = isAtEnd || count >= near
      return unsafe guess(name, UnsafeRawBufferPointer(rebasing: bytes.prefix(near)), isAll: isAll, within: near)
    }
    // If the first line can be the start of a document, fewer bytes after it are read.
    let limit = kind == .cut || kind == .text ? near : Self.maxFirstLine
    let isAll = isAtEnd || count >= limit
    let start = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(limit))
    if kind == .whole {
      let first = unsafe head(lines: 1, within: limit)?.count ?? 0
      if unsafe start.dropFirst(first).contains(where: { !$0.isJSONWhitespace }) { return .lines }
      return isAll ? .document : nil
    }
    if kind.isDamaged || kind.isText && named == nil {
      if hasRecord(within: limit, whole: kind.isText) { return .lines }
      let isEnough = isAll || guess.linesAfterFirst == JSONFraming.linesAfterDamaged
      return isEnough ? unsafe JSONFraming.guess(name: name, head: Array(start)) : nil
    }
    return unsafe guess(name, start, isAll: isAll, within: limit)
  }

  /// Guesses the framing behind an incomplete first line; `nil` if more lines must be read.
  private func guess(_ name: String?, _ start: UnsafeRawBufferPointer, isAll: Bool, within limit: Int) -> JSONFraming? {
    // Further lines matter only if the second one is not the continuation of a document.
    let few = JSONFraming.ofFile(named: name) == .lines ? 3 : 2
    for lines in [few, 1 + JSONFraming.linesAfterDamaged] {
      guard let head = unsafe head(lines: lines, within: limit) else { break }
      let text = unsafe Array(head)
      if lines > few || !JSONFraming.mayHoldRecords(text) { return JSONFraming.guess(name: name, head: text) }
    }
    return isAll ? unsafe JSONFraming.guess(name: name, head: Array(start)) : nil
  }

  /// Returns whether one of the uninspected lines after the first one is a record.
  private mutating func hasRecord(within limit: Int, whole: Bool) -> Bool {
    while guess.linesAfterFirst < JSONFraming.linesAfterDamaged,
      let before = unsafe head(lines: 1 + guess.linesAfterFirst, within: limit)?.count,
      let lines = unsafe head(lines: 2 + guess.linesAfterFirst, within: limit)
    {
      let line = unsafe Array(UnsafeRawBufferPointer(rebasing: lines[before..<lines.count - 1]))
      if whole ? JSONFraming.isWholeRecord(line[...]) : JSONFraming.isRecord(line[...]) { return true }
      guess.linesAfterFirst += 1
    }
    return false
  }

  /// The maximum length of the first line: an input with a longer one is taken for one document.
  private static let maxFirstLine = 2 << 20

  /// Returns `nil` if the first line does not end within the first bytes.
  private func kindOfFirstLine(within limit: Int) -> JSONFraming.FirstLine? {
    guard let line = unsafe head(lines: 1, within: limit) else { return nil }
    return unsafe JSONFraming.FirstLine(JSONFraming.firstLine(of: Array(line)), isEnded: true)
  }

  /// Returns the bytes up to the end of a line, counted from the first one that is not blank; `nil` if it does not end
  /// within the first `limit` bytes. No further bytes are inspected, so the result does not depend on how many have arrived.
  private func head(lines: Int, within limit: Int) -> UnsafeRawBufferPointer? {
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(limit))
    var end = unsafe ByteScan.whitespacePrefix(bytes)
    for _ in 0..<lines {
      guard let feed = unsafe ByteScan.lineFeed(UnsafeRawBufferPointer(rebasing: bytes[end...])) else { return nil }
      end += feed + 1
    }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[..<end])
  }
}
