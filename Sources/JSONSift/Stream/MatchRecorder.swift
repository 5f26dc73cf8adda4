/// Copies values out of a stream that are not complete in one window. Nested values share one copy.
struct MatchRecorder {
  private var bytes: [UInt8] = []
  private var writer = TapeWriter()
  /// The input offsets of the first copied byte and of the byte after the last.
  private(set) var start = 0
  private var end = 0
  /// The number of values that are being copied.
  private var openValues = 0

  /// A value that is being copied.
  struct Mark {
    let start: Int
    fileprivate let word: Int
    fileprivate let depth: Int
  }

  var isOpen: Bool { openValues > 0 }

  /// The current size of the tape in bytes.
  var tapeBytes: Int { writer.words.count * 8 }

  /// Begins a value at an offset in the input. The value's first event must be appended next.
  mutating func begin(at offset: Int) -> Mark {
    if openValues == 0 {
      bytes.removeAll(keepingCapacity: true)
      writer.reset()
      start = offset
      end = offset
    }
    openValues += 1
    return Mark(start: offset, word: writer.words.count, depth: writer.depth)
  }

  mutating func append(_ word: TapeWord, origin: Int) { writer.append(word, shiftedBy: origin &- start) }

  /// Returns whether all events of a value were appended.
  func isComplete(_ mark: Mark) -> Bool { writer.depth == mark.depth }

  /// Copies bytes of a window, up to an offset in the input.
  mutating func keep(_ batch: TapeWordBatch, to offset: Int) {
    guard offset > end else { return }
    let range = (end - batch.origin)..<(offset - batch.origin)
    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: batch.window[range]))
    end = offset
  }

  /// Calls a closure with the tape words and bytes of a complete value, which ends at an offset in the input.
  func withValue(_ mark: Mark, to offset: Int, _ body: (TapeWordSlice, UnsafeRawBufferPointer) -> Void) {
    unsafe writer.words.withUnsafeBufferPointer { words in
      let slice = unsafe TapeWordSlice(
        words: UnsafeBufferPointer(rebasing: words[mark.word...]), index: mark.word, offset: mark.start - start)
      unsafe bytes.withUnsafeBytes {
        unsafe body(slice, UnsafeRawBufferPointer(rebasing: $0[(mark.start - start)..<(offset - start)]))
      }
    }
  }

  /// Ends a value. When no value is open, releases a large buffer.
  mutating func finish() {
    openValues -= 1
    if openValues == 0, bytes.count > Self.maxReusedBytes { bytes = [] }
  }

  /// The maximum size of a buffer that is reused.
  private static let maxReusedBytes = Sizes.of(1 << 20, fuzzing: 16)
}
