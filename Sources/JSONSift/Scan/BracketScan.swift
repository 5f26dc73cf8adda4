private import CJSONScan

/// Finds the brackets of a text, and the strings that may equal a name of a list. One call finds many of them.
///
/// A caller that iterates over these marks can skip the bytes between them, if the text is known to be JSON.
struct BracketScan: ~Copyable {
  /// A bracket, or the opening quote of a string that may equal a name.
  struct Mark {
    /// The offset in the bytes.
    let offset: Int
    /// The number of commas before it, outside of strings.
    let commas: Int
  }

  private var memory: RawMemory
  private var marked = json_scan_marked()

  /// The maximum number of marks that one call finds.
  private static let room = Sizes.of(1024, fuzzing: 5)

  init() { memory = RawMemory(capacity: 0) }

  /// The number of marks that the last call found.
  var count: Int { marked.marks }

  /// The offset after the last bracket or comma that the last call scanned; 0 if there was none.
  var end: Int { marked.end }

  /// The number of commas before ``end``.
  var commas: Int { Int(marked.commas) }

  /// Scans bytes for marks, up to ``end``: the scan ends before the last bytes, and when it has no room for more marks.
  ///
  /// - Parameter bytes: The bytes to scan. The first must be outside of strings.
  mutating func read(_ bytes: UnsafeRawBufferPointer, lookingFor names: KeyPatternLists.Reference) {
    marked = json_scan_marked()
    guard let base = bytes.baseAddress else { return }
    memory.grow(to: Self.room * MemoryLayout<json_scan_mark>.stride, keeping: 0)
    // SAFETY: the memory has room for `room` marks.
    unsafe json_scan_brackets(
      base.assumingMemoryBound(to: UInt8.self), bytes.count,
      names.address.assumingMemoryBound(to: json_scan_names.self),
      memory.base.assumingMemoryBound(to: json_scan_mark.self), Self.room, &marked)
  }

  /// The mark at an index, in document order.
  subscript(_ index: Int) -> Mark {
    get {
      precondition(index >= 0 && index < count)
      // SAFETY: the last call has written `count` marks.
      let mark = unsafe memory.base.assumingMemoryBound(to: json_scan_mark.self)[index]
      return Mark(offset: Int(mark.offset), commas: Int(mark.commas))
    }
  }
}
