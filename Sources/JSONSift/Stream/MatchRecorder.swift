/// Copies values out of a stream that are not complete in one window. Values inside one another are parts of one copy.
struct MatchRecorder {
  private var bytes: [UInt8] = []
  private var writer = TapeWriter()
  /// The offset in the input of the first byte, and of the one behind the last.
  private(set) var start = 0
  private var end = 0
  /// How many values are being copied.
  private var openValues = 0

  /// A value that is being copied.
  struct Mark {
    let start: Int
    fileprivate let word: Int
    fileprivate let depth: Int
  }

  var isOpen: Bool { openValues > 0 }

  /// How large the tape is so far.
  var tapeBytes: Int { writer.words.count * 8 }

  /// Begins a value at an offset in the input; its first event comes next.
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

  /// Whether all events of a value have come.
  func isComplete(_ mark: Mark) -> Bool { writer.depth == mark.depth }

  /// Keeps bytes of a window, up to an offset in the input.
  mutating func keep(_ batch: WordBatch, to offset: Int) {
    guard offset > end else { return }
    let range = (end - batch.origin)..<(offset - batch.origin)
    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: batch.window[range]))
    end = offset
  }

  /// Lends words and bytes of a complete value, which ends at an offset in the input.
  func withValue(_ mark: Mark, to offset: Int, _ body: (WordSlice, UnsafeRawBufferPointer) -> Void) {
    unsafe writer.words.withUnsafeBufferPointer { words in
      let slice = unsafe WordSlice(
        words: UnsafeBufferPointer(rebasing: words[mark.word...]), index: mark.word, offset: mark.start - start)
      unsafe bytes.withUnsafeBytes {
        unsafe body(slice, UnsafeRawBufferPointer(rebasing: $0[(mark.start - start)..<(offset - start)]))
      }
    }
  }

  /// Ends a value. When none is open any more the copy can go.
  mutating func finish() {
    openValues -= 1
    if openValues == 0, bytes.count > Self.keptBytes { bytes = [] }
  }

  /// A buffer up to this size is used again.
  private static let keptBytes = 1 << 20
}
