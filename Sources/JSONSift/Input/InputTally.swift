/// Counts the bytes, line feeds and records of the input that a reader owns: all of it, or the lines that begin in its range.
///
/// One thread at a time counts. Another one may read the counts.
package final class InputTally: Sendable {
  package struct Counts: Sendable, Equatable {
    package var bytes = 0
    package var lineFeeds = 0
    /// The number of records: good, bad and ruled out. Blank lines are no records.
    package var records = 0
    /// The number of compressed bytes; `nil` for an input that is not compressed.
    package var compressedBytes: Int?

    package init() {}
  }

  fileprivate struct State {
    var counts = Counts()
    /// Whether records are lines, which are counted here.
    var countsLines = false
    /// Whether all of the input is one record.
    var isDocument = false
    /// Whether the current line has only had white space so far.
    var isBlank = true
    /// The number of bytes of a byte order mark at the start of the input; `nil` after it.
    var mark: Int?
  }

  private let state = Lock(State())
  /// Checks the order of the records; `nil` if that is not requested.
  private let order: TimeOrderCheck?

  package init(checking order: TimeOrderCheck? = nil) { self.order = order }

  /// Begins to count at an offset of the input.
  func begin(_ framing: JSONFraming, at offset: Int) {
    state.withLock { state in
      state.countsLines = framing == .lines
      state.mark = offset == 0 ? 0 : nil
      state.isDocument = framing == .document
    }
    order?.begin(at: offset)
  }

  /// Counts the next bytes.
  func add(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      state.counts.bytes += bytes.count
      unsafe state.counts.lineFeeds += ByteScan.countLineFeeds(bytes)
      if state.countsLines { unsafe state.addLines(bytes) }
    }
    unsafe order?.add(bytes)
  }

  /// Counts a record that is not a line.
  func addRecord() { state.withLock { $0.counts.records += 1 } }

  /// Sets the number of compressed bytes, at the end of a compressed input.
  func setCompressed(_ count: Int) { state.withLock { $0.counts.compressedBytes = count } }

  package var counts: Counts {
    state.withLock { state in
      var counts = state.counts
      if state.isDocument { counts.records = 1 }
      // A mark alone is a text without a value, which is a bad record.
      if state.countsLines, state.mark ?? 0 > 0, state.isBlank { counts.records += 1 }
      return counts
    }
  }
}

extension InputTally.State {
  /// Counts the lines that are not blank. A line is counted at its first byte that is not white space.
  fileprivate mutating func addLines(_ bytes: UnsafeRawBufferPointer) {
    var index = unsafe skipMark(bytes)
    while index < bytes.count {
      if isBlank {
        // For most lines the first byte decides.
        if unsafe bytes[index] <= ASCII.space {
          let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[index...])
          let blank = unsafe ByteScan.whitespacePrefix(rest)
          if mark != nil, unsafe ByteScan.lineFeed(UnsafeRawBufferPointer(rebasing: rest[..<blank])) != nil {
            mark = nil
          }
          index += blank
          if index == bytes.count { return }
        }
        isBlank = false
        counts.records += 1
      }
      guard let found = unsafe ByteScan.lineFeed(UnsafeRawBufferPointer(rebasing: bytes[index...])) else { return }
      index += found + 1
      isBlank = true
      mark = nil
    }
  }

  /// Returns the number of bytes that belong to a byte order mark at the start of the input.
  private mutating func skipMark(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard var known = mark, known < ByteOrderMark.count, isBlank else { return 0 }
    var index = 0
    while known < ByteOrderMark.count, index < bytes.count {
      guard unsafe bytes[index] == ByteOrderMark.bytes[known] else {
        // The first bytes of the mark were text.
        if known > 0 {
          isBlank = false
          counts.records += 1
        }
        mark = nil
        return index
      }
      known += 1
      index += 1
    }
    mark = known
    return index
  }
}
