/// Receives the bytes of an input as they are read, on one thread at a time.
package protocol InputObserver: AnyObject, Sendable {
  /// Begins at an offset of the input, at which a record begins.
  func begin(at offset: Int)
  /// Receives the next bytes.
  func add(_ bytes: UnsafeRawBufferPointer)
}

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
    var lines = RecordLineScanner()
  }

  private let state = Lock(State())
  /// Receives all bytes, too.
  private let observer: (any InputObserver)?

  package init(for observer: (any InputObserver)? = nil) { self.observer = observer }

  /// Begins to count at an offset of the input.
  func begin(_ framing: JSONFraming, at offset: Int) {
    state.withLock { state in
      state.countsLines = framing == .lines
      state.lines = RecordLineScanner(from: LinePosition(offset: offset, line: 1))
      state.isDocument = framing == .document
    }
    observer?.begin(at: offset)
  }

  /// Counts the next bytes.
  func add(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      state.counts.bytes += bytes.count
      unsafe state.counts.lineFeeds += ByteScan.countLineFeeds(bytes)
      if state.countsLines { unsafe state.lines.add(bytes, at: 0) }
    }
    unsafe observer?.add(bytes)
  }

  /// Counts a record that is not a line.
  func addRecord() { state.withLock { $0.counts.records += 1 } }

  /// Counts a document that is not all of the input.
  func endDocument() {
    state.withLock { state in
      state.isDocument = false
      state.counts.records += 1
    }
  }

  /// Sets the number of compressed bytes, at the end of a compressed input.
  func setCompressed(_ count: Int) { state.withLock { $0.counts.compressedBytes = count } }

  package var counts: Counts {
    state.withLock { state in
      var counts = state.counts
      if state.isDocument { counts.records = 1 }
      if state.countsLines {
        var lines = state.lines
        lines.finish()
        counts.records += lines.records
      }
      return counts
    }
  }
}
