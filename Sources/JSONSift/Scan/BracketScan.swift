private import CJSONScan

/// Finds the brackets of a text, and the strings that may be one of some names, many at once.
///
/// Whoever goes from one to the next need not look at what lies between them, if the text is known to be JSON.
struct BracketScan: ~Copyable {
  /// A bracket, or the opening quote of a string that may be a name.
  struct Mark {
    /// Where it stands in the bytes.
    let offset: Int
    /// How many commas stand before it, outside of strings.
    let commas: Int
  }

  private var memory: RawMemory
  private var marked = json_scan_marked()

  /// So many marks at most are found at once.
  private static let room = 1024

  init() { memory = RawMemory(capacity: 0) }

  /// How many marks the last call has found.
  @inline(__always) var count: Int { marked.marks }

  /// Behind the last bracket or comma that the last call has gone over; 0 if there was none.
  @inline(__always) var end: Int { marked.end }

  /// How many commas stand before that.
  @inline(__always) var commas: Int { Int(marked.commas) }

  /// - Parameter bytes: The first is outside of strings. The last ones, and what there is no room for, are not gone over.
  mutating func read(_ bytes: UnsafeRawBufferPointer, lookingFor names: KeyPatternLists.Reference) {
    marked = json_scan_marked()
    guard let base = bytes.baseAddress else { return }
    memory.grow(to: Self.room * MemoryLayout<json_scan_mark>.stride, keeping: 0)
    // SAFETY: the memory has room for that many.
    unsafe json_scan_brackets(
      base.assumingMemoryBound(to: UInt8.self), bytes.count,
      names.address.assumingMemoryBound(to: json_scan_names.self),
      memory.base.assumingMemoryBound(to: json_scan_mark.self), Self.room, &marked)
  }

  /// A mark, in the order of the text.
  subscript(_ index: Int) -> Mark {
    @inline(__always) get {
      precondition(index >= 0 && index < count)
      // SAFETY: the last call has written `count` marks.
      let mark = unsafe memory.base.assumingMemoryBound(to: json_scan_mark.self)[index]
      return Mark(offset: Int(mark.offset), commas: Int(mark.commas))
    }
  }
}
