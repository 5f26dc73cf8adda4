/// Builds the tape of a subtree of a stream from the events of several windows.
struct TapeWriter {
  private(set) var words: [UInt64] = []
  private var open: [(index: Int, children: UInt32)] = []

  /// Whether the value is complete.
  var isComplete: Bool { open.isEmpty && words.count > YajlContext.headerWords }

  /// The number of open arrays and objects.
  var depth: Int { open.count }

  init() { reset() }

  mutating func reset() {
    words.removeAll(keepingCapacity: true)
    words.append(contentsOf: repeatElement(0, count: YajlContext.headerWords))
    open.removeAll(keepingCapacity: true)
  }

  /// Appends an event. Its offset counts from the start of its window; `shift` converts it to an offset in the subtree.
  mutating func append(_ word: TapeWord, shiftedBy shift: Int) {
    let kind = word.kind
    if !kind.isKey, !kind.isEnd, let last = open.indices.last { open[last].children &+= 1 }
    words.append(TapeWord(kind, at: word.offset &+ shift, length: word.length).bits)
    if kind.isStart {
      open.append((words.count - 1, 0))
      words.append(0)
    } else if kind.isEnd, let container = open.popLast() {
      words[container.index + 1] = UInt64(container.children) << 32 | UInt64(truncatingIfNeeded: words.count)
    }
  }
}
