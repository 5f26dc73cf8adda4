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

  private var marks: [json_scan_mark] = []
  private var marked = json_scan_marked()

  /// The maximum number of marks that one call finds.
  private static let room = Sizes.of(1024, fuzzing: 5)

  init() {}

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
    if marks.isEmpty { marks = Array(repeating: json_scan_mark(), count: Self.room) }
    // SAFETY: the kernel writes at most `marks.count` marks.
    unsafe json_scan_brackets(
      base.assumingMemoryBound(to: UInt8.self), bytes.count,
      names.address.assumingMemoryBound(to: json_scan_names.self), &marks, marks.count, &marked)
  }

  /// The mark at an index, in document order.
  subscript(_ index: Int) -> Mark {
    get {
      precondition(index < count)
      let mark = marks[index]
      return Mark(offset: Int(mark.offset), commas: Int(mark.commas))
    }
  }
}
