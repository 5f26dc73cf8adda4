/// A bad record, while its end is looked for.
struct HeldRecord {
  let error: JSONError
  let position: SourcePosition
  let line: Int
  let offset: Int
  let stopReason: String?
  let rawByteLimit: Int
  fileprivate(set) var count = 0
  fileprivate(set) var rawBytes: [UInt8] = []

  /// Takes bytes of the record that are passed over.
  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    count += bytes.count
    let room = rawByteLimit - rawBytes.count
    if room > 0 { unsafe rawBytes.append(contentsOf: bytes.prefix(room)) }
  }

  /// Counts bytes of the record that somebody else has passed over.
  mutating func pass(_ count: Int) { self.count += count }

  /// Takes the first of some bytes.
  fileprivate mutating func take(_ first: [UInt8], of count: Int) {
    self.count += count
    rawBytes += first.prefix(max(rawByteLimit - rawBytes.count, 0))
  }
}

extension JSONRecordReader {
  /// The bad record whose error ``next()`` has just thrown. Of a record that is too long the rest is read and dropped.
  ///
  /// - Returns: The record; what cannot be known any more is left out of it, for example when another record has been asked
  ///   for since.
  public mutating func badRecord(of error: JSONError) -> JSONBadRecord {
    if held == nil { hold(error) }
    do throws(JSONError) {
      if let bad = try takeHeld() { return bad }
    } catch {
      // It is thrown when the next record is asked for.
      failure = error
      isPassing = false
    }
    return finishHeld()
      ?? JSONBadRecord(
        error: error, position: position(of: error), line: line, byteRange: recordOffset..<recordOffset, rawBytes: [])
  }

  /// Why reading cannot go on after an error of the last call; `nil` if it can.
  public var stopReason: String? { framer.stopReason }

  /// Gathers what is known of the record whose error was thrown.
  mutating func hold(_ error: JSONError) {
    let position = position(of: error)
    if let children {
      let start = unsafe children.openChild(before: error, in: window.bytes, at: window.offset)
      held = HeldRecord(
        error: error, position: position, line: start.line, offset: start.offset, stopReason: stopReason,
        rawByteLimit: options.rawByteLimit)
      let (bytes, count) = unsafe children.bytes(from: start.offset, to: error, in: window.bytes, at: window.offset)
      held?.take(bytes, of: count)
      return
    }
    held = HeldRecord(
      error: error, position: position, line: line, offset: recordOffset, stopReason: stopReason,
      rawByteLimit: options.rawByteLimit)
    // The rest of a record that is passed over comes later.
    guard !isPassing, window.offset == recordOffset else { return }
    var count = min(pendingUse, window.count)
    if count == 0 {
      // Nothing says where it ends: as far as the limit lets it go, or a byte that is refused.
      count = min(error.code == .recordLimit ? limits.recordBytes : error.byteOffset - recordOffset + 1, window.count)
    }
    var bytes = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[..<max(count, 0)])
    if cutsLines, unsafe bytes.last == ASCII.lineFeed {
      unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes.dropLast())
    }
    unsafe held?.take(bytes)
  }

  /// The bad record that is held, when all of it has been passed over. `nil` if there is more of it to come.
  mutating func takeHeld() throws(JSONError) -> JSONBadRecord? {
    if isPassing, try !framer.passRest(of: &self) { return nil }
    return finishHeld()
  }

  private mutating func finishHeld() -> JSONBadRecord? {
    guard let record = held else { return nil }
    held = nil
    return JSONBadRecord(
      error: record.error, position: record.position, line: record.line,
      byteRange: record.offset..<(record.offset + record.count), rawBytes: record.rawBytes,
      stopReason: record.stopReason)
  }
}
