/// A batch of scalars from one window that libyajl validates in one call. A call for each scalar costs several times as much
/// as the parsing itself.
struct ScalarBatch: ~Copyable {
  private struct Entry: BitwiseCopyable {
    let start, end: Int
    let isMember: Bool
  }

  /// The scalars as elements of an array, each followed by a comma.
  private var text = ByteBuffer(capacity: 0)
  private var entries = PlainVector<Entry>()

  /// The limit for the length of a scalar in a batch. Longer scalars are parsed immediately.
  static let maxLength = SubtreeParser.maxLength

  var count: Int { entries.count }

  /// The range of a scalar in its window, and whether it is the value of a member.
  subscript(_ index: Int) -> (range: Range<Int>, isMember: Bool) {
    let entry = entries[index]
    return (entry.start..<entry.end, entry.isMember)
  }

  /// Appends the scalar in a range of the window, as an element or as the value of a member.
  mutating func append(_ window: UnsafeRawBufferPointer, _ range: Range<Int>, isMember: Bool) {
    unsafe text.append(UnsafeRawBufferPointer(rebasing: window[range]))
    text.append(ASCII.comma)
    entries.append(Entry(start: range.lowerBound, end: range.upperBound, isMember: isMember))
  }

  /// Returns whether each of them is one valid scalar.
  func areValid(values: inout SubtreeParser) -> Bool {
    unsafe text.withBytes { unsafe values.areScalars($0, count: count) }
  }

  mutating func removeAll() {
    text.removeAll(keepingAtMost: 1 << 20)
    entries.removeAll()
  }
}
