/// A bad record whose end the reader has not found yet.
struct HeldRecord {
  let error: JSONError
  let position: JSONError.Position
  let line: Int
  let offset: Int
  let stopReason: String?
  let rawByteLimit: Int
  fileprivate(set) var count = 0
  fileprivate(set) var rawBytes: [UInt8] = []

  /// Whether all of the record is known, so that nothing is appended.
  fileprivate var isWhole = false

  /// Appends bytes of the record that are skipped.
  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    guard !isWhole else { return }
    count += bytes.count
    let room = rawByteLimit - rawBytes.count
    if room > 0 { unsafe rawBytes.append(contentsOf: bytes.prefix(room)) }
  }

  /// Counts bytes of the record that were skipped elsewhere and are not in memory.
  mutating func skip(_ count: Int) { self.count += isWhole ? 0 : count }

  /// Appends the first bytes of a run of `count` bytes.
  fileprivate mutating func take(_ first: [UInt8], of count: Int) {
    self.count += count
    rawBytes += first.prefix(max(rawByteLimit - rawBytes.count, 0))
  }
}

extension JSONRecordReader {
  /// Returns the bad record whose error ``next()`` has just thrown. Reads and drops the rest of a record that is too long.
  ///
  /// - Parameter error: The error.
  /// - Returns: The record. Data that are no longer available, for example after another record has been read, are
  ///   omitted.
  public mutating func badRecord(of error: JSONError) -> JSONBadRecord {
    if held == nil { hold(error) }
    do throws(JSONError) {
      if let bad = try takeHeld() { return bad }
    } catch {
      // Thrown by the call for the next record.
      failure = error
      isSkipping = false
    }
    return finishHeld()
      ?? JSONBadRecord(
        error: error, position: position(of: error), line: line, byteRange: recordOffset..<recordOffset, rawBytes: [])
  }

  /// Why reading cannot continue after the error of the last call; `nil` if it can.
  public var stopReason: String? {
    guard let failure else { return reasonOfFraming }
    if let failed = window.origins?.failure { return failed.stopReason }
    if failure.code.endsInput { return "the input cannot be read further" }
    return failure.code == .tooManyErrors ? "there are more bad records than the maximum" : reasonOfFraming
  }

  private var reasonOfFraming: String? { isStuck ? framer.stopReason : nil }

  /// Stores the data of the record whose error was thrown.
  mutating func hold(_ error: JSONError) {
    let position = position(of: error)
    if let children = framer.children {
      let start = unsafe children.openChild(before: error, in: window.bytes, at: window.offset)
      held = HeldRecord(
        error: error, position: position, line: start.line, offset: start.offset, stopReason: framer.stopReason,
        rawByteLimit: options.rawByteLimit)
      let (bytes, count) = unsafe children.bytes(from: start.offset, to: error, in: window.bytes, at: window.offset)
      held?.take(bytes, of: count)
      return
    }
    if let record = window.origins?.record(of: recordOffset, limit: options.rawByteLimit) {
      held = HeldRecord(
        error: error, position: position, line: record.line, offset: record.range.lowerBound,
        stopReason: framer.stopReason, rawByteLimit: options.rawByteLimit)
      held?.take(record.bytes, of: record.range.count)
      held?.isWhole = true
      return
    }
    held = HeldRecord(
      error: error, position: position, line: line, offset: recordOffset, stopReason: framer.stopReason,
      rawByteLimit: options.rawByteLimit)
    if let gap = error.gap {
      held?.take(Array(repeating: 0, count: min(gap.count, options.rawByteLimit)), of: gap.count)
      return
    }
    // The bytes of a record that is being skipped are added later.
    guard !isSkipping, window.offset == recordOffset else { return }
    var count = min(pendingUse, window.count)
    if count == 0 {
      // The end of the record is unknown: it is taken to end at the record limit or at the rejected byte.
      count = min(error.code == .recordLimit ? limits.recordBytes : error.byteOffset - recordOffset + 1, window.count)
    }
    var bytes = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[..<max(count, 0)])
    if cutsLines, unsafe bytes.last == ASCII.lineFeed {
      unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes.dropLast())
    }
    unsafe held?.take(bytes)
  }

  /// Returns the bad record, once all of it has been skipped; `nil` if more of it follows.
  mutating func takeHeld() throws(JSONError) -> JSONBadRecord? {
    if isSkipping, try !framer.skipRest(of: &self) { return nil }
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
