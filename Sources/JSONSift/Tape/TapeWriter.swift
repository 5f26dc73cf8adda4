/// Writes a tape from the events of several windows: a subtree that is picked out of a stream.
struct TapeWriter {
  private(set) var words: [UInt64] = []
  private var open: [(index: Int, children: UInt32)] = []

  /// Whether the value that was begun is complete.
  var isComplete: Bool { open.isEmpty && words.count > YajlContext.headerWords }

  /// Arrays and objects that are open.
  var depth: Int { open.count }

  init() { reset() }

  mutating func reset() {
    words.removeAll(keepingCapacity: true)
    words.append(contentsOf: repeatElement(0, count: YajlContext.headerWords))
    open.removeAll(keepingCapacity: true)
  }

  /// Appends an event whose offset counts in a window, at `shift` from the start of the subtree.
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
