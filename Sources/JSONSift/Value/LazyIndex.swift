import Synchronization

/// An index of the children of one large container, without parsing them.
///
/// The index is a document whose tape has one level. A scalar is a normal tape word. Any other child is a
/// *placeholder*: the three tape words of an empty container, with the offsets of the child's first and last byte, and its
/// slot number as the number of children. So elements and members are found as in any document, and the index is never
/// longer than the tape of the container.
final class LazyIndex: Sendable {
  let document: Document
  /// The number of bytes of children that were parsed separately, plus the overhead of doing so.
  let parsedBytes = ParsedBytes()
  private let maxParsedBytes: Int
  let slots: LazySlots

  /// A counter of a container, to which its children add.
  final class ParsedBytes: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add(_ bytes: Int) { count.wrappingAdd(bytes, ordering: .relaxed) }
  }

  /// Whether enough children were parsed separately to expect that the program reads all of them. Parsing the container as a
  /// whole is then cheaper than one document per child.
  var isExhausted: Bool { parsedBytes.value > maxParsedBytes }

  /// The cost of a child's object and of its own document, in equivalent bytes of parsing. It keeps the objects of all
  /// children far smaller than the text.
  static let childCost = Sizes.of(128, fuzzing: 4)
  static let documentCost = Sizes.of(128, fuzzing: 4)

  private init(_ document: Document, _ slotCount: Int, maxParsedBytes: Int) {
    self.document = document
    self.maxParsedBytes = maxParsedBytes
    slots = LazySlots(count: slotCount)
  }

  /// - Parameters:
  ///   - range: The range of the container in the text.
  ///   - structure: The ranges of its children.
  convenience init(_ text: LazyText, _ range: Range<Int>, isObject: Bool, _ structure: StructuralIndex) {
    var words: [UInt64] = []
    words.reserveCapacity(Int(Document.root) + 3 + structure.children.count * (isObject ? 4 : 3))
    words.append(contentsOf: repeatElement(0, count: Int(Document.root)))
    words.append(TapeWord(isObject ? .objectStart : .arrayStart, at: range.lowerBound).bits)
    words.append(0)
    let start = range.lowerBound + 1
    let slotCount = unsafe text.source.withBytes { bytes in
      var slotCount = 0
      for child in structure.children {
        if isObject {
          let key = unsafe UnsafeRawBufferPointer(
            rebasing: bytes[(start + child.key.lowerBound)..<(start + child.key.upperBound)])
          let isEscaped = unsafe key.firstOffset(of: ASCII.backslash) != nil
          words.append(
            TapeWord(
              isEscaped ? .escapedKey : .key, at: start + child.key.lowerBound - 1,
              length: min(key.count, TapeWord.longLength)
            ).bits)
        }
        let value = unsafe Self.trimmed((start + child.value.lowerBound)..<(start + child.value.upperBound), bytes)
        if let word = unsafe Self.scalar(bytes, value) {
          words.append(word.bits)
        } else {
          // A placeholder. Its kind is determined by the first byte alone.
          let isObject = unsafe value.isEmpty ? false : bytes[value.lowerBound] == ASCII.openBrace
          words.append(TapeWord(isObject ? .objectStart : .arrayStart, at: value.lowerBound).bits)
          words.append(UInt64(truncatingIfNeeded: slotCount) << 32 | UInt64(truncatingIfNeeded: words.count + 2))
          words.append(TapeWord(isObject ? .objectEnd : .arrayEnd, at: max(value.upperBound - 1, 0)).bits)
          slotCount += 1
        }
      }
      return slotCount
    }
    words.append(TapeWord(isObject ? .objectEnd : .arrayEnd, at: start + structure.end - 1).bits)
    words[Int(Document.root) + 1] =
      UInt64(truncatingIfNeeded: structure.children.count) << 32 | UInt64(truncatingIfNeeded: words.count)
    let document = Document()
    document.setSource(text.source, origin: 0)
    unsafe words.withUnsafeBytes { unsafe document.setTape(copying: $0) }
    self.init(document, slotCount, maxParsedBytes: range.count / 16)
  }

  /// Returns the range without trailing white space, clamped to the text.
  private static func trimmed(_ range: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Range<Int> {
    var upper = min(range.upperBound, bytes.count)
    let lower = min(range.lowerBound, upper)
    while upper > lower, unsafe bytes[upper - 1].isJSONWhitespace { upper -= 1 }
    return lower..<upper
  }

  /// Returns the tape word of a scalar. Returns `nil` for a container, and for an invalid value in a file
  /// that was written to meanwhile.
  private static func scalar(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> TapeWord? {
    guard !range.isEmpty else { return nil }
    let first = unsafe bytes[range.lowerBound]
    switch first {
    case ASCII.openBrace, ASCII.openBracket: return nil
    case ASCII.quote where unsafe range.count < 2 || bytes[range.upperBound - 1] != ASCII.quote: return nil
    default: break
    }
    let word = unsafe TapeWord(scalarIn: bytes, range)
    if word.kind == .number, !first.isDigit, first != ASCII.minus { return nil }
    return word
  }
}

/// A slot for each unparsed child of a container. Any thread fills a slot when it first accesses the child; all threads read
/// it without a lock.
///
/// SAFETY: the references are initialized before the object is shared and destroyed with it, and they do not move. A slot
/// number is checked against their count.
@safe struct LazySlots: ~Copyable, @unchecked Sendable {
  private let references: UnsafeMutablePointer<OnceReference<LazyContainer>>
  private let count: Int

  init(count: Int) {
    self.count = count
    unsafe references = .allocate(capacity: count)
    for number in 0..<count { unsafe (references + number).initialize(to: OnceReference()) }
  }

  deinit {
    unsafe references.deinitialize(count: count)
    unsafe references.deallocate()
  }

  subscript(_ number: Int) -> LazyContainer? {
    guard number >= 0, number < count else { return nil }
    return unsafe references[number].load()
  }

  /// Fills a slot, unless another thread was faster. Returns the content of the slot.
  func fill(_ number: Int, _ value: LazyContainer) -> LazyContainer {
    guard number >= 0, number < count else { return value }
    return unsafe references[number].storeIfNil(value)
  }
}
