/// Makes the words of values that stand alone in a text of which the rest is passed over. What is proven needs no parser.
///
/// Others share one handle of libyajl, as elements of an array that is never closed: a handle for each costs three times as
/// much as parsing a number.
///
/// The array lies as deep as the values do, so the limit of depth is that of the text. What is not a plain value here is
/// not judged: the caller has it parsed again in its own surroundings, and is told the right error there.
///
/// SAFETY of `bytes`: they lie in the window that `parse` was lent or in `copy`, and are lent on by `batch` only.
@safe struct SubtreeParser: ~Copyable {
  private var parser: YajlParser
  /// How many arrays are open in the parser, if it has been begun and has met no error.
  private var openDepth: Int?
  /// A value with a comma behind it, where the window has none.
  private var copy = RawMemory(capacity: 4096)
  private var bytes: UnsafeRawBufferPointer = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  private var origin = 0

  /// Longer values are worth a handle of their own.
  static let longest = 1 << 16

  init(options: JSONOptions) {
    // The words of one value are no tape that anybody keeps.
    var options = options
    options.limits.tapeBytes = JSONLimits.largestTape
    parser = YajlParser(options: options)
  }

  /// The words of the last value, and its bytes. Good until the next one is parsed or the window goes.
  var batch: WordBatch { unsafe WordBatch(words: parser.words, window: bytes, origin: origin) }

  /// Parses one value.
  ///
  /// - Parameters:
  ///   - range: Where it stands in the window. Of more than ``longest`` bytes it keeps the memory.
  ///   - origin: Where the window begins in the input.
  ///   - depth: How many containers are around it, at least 1.
  ///   - isProven: It is known to be JSON within the limits.
  /// - Returns: Whether it is one value, and nothing is wrong with it.
  mutating func parse(
    _ window: UnsafeRawBufferPointer, _ range: Range<Int>, at origin: Int, depth: Int, isProven: Bool = false
  ) -> Bool {
    let text = unsafe UnsafeRawBufferPointer(rebasing: window[range])
    if isProven, unsafe fill(proven: text) {
      self.origin = origin &+ range.lowerBound
      return true
    }
    guard unsafe ByteScan.textPrefix(text) == text.count else { return false }
    if openDepth == depth {
      parser.flush()
    } else {
      guard open(depth) else { return false }
    }
    self.origin = origin &+ range.lowerBound
    if range.upperBound < window.count, unsafe window[range.upperBound] == ASCII.comma {
      unsafe bytes = UnsafeRawBufferPointer(rebasing: window[range.lowerBound...range.upperBound])
    } else {
      unsafe bytes = withComma(text)
    }
    do throws(JSONError) {
      let pending = try unsafe parser.parse(bytes, at: 0)
      guard pending == nil, parser.depth == depth, isOneValue else {
        openDepth = nil
        return false
      }
    } catch {
      openDepth = nil
      return false
    }
    return true
  }

  /// Takes the words of a proven array or object.
  private mutating func fill(proven text: UnsafeRawBufferPointer) -> Bool {
    guard unsafe text.first?.opensContainer == true else { return false }
    openDepth = nil
    parser.reserve(forBytes: text.count)
    unsafe bytes = text
    return unsafe parser.fill(proven: text, 0..<text.count)
  }

  /// Parses elements of an array, each with a comma behind it.
  ///
  /// - Returns: Whether they are so many scalars, and nothing is wrong with any.
  mutating func areScalars(_ text: UnsafeRawBufferPointer, count: Int) -> Bool {
    guard unsafe ByteScan.textPrefix(text) == text.count else { return false }
    if openDepth != nil {
      parser.flush()
    } else {
      guard open(1) else { return false }
    }
    let depth = openDepth
    openDepth = nil
    do throws(JSONError) {
      let pending = try unsafe parser.parse(text, at: 0)
      guard pending == nil, parser.depth == depth, unsafe parser.words.count == YajlContext.headerWords + count else {
        return false
      }
    } catch {
      return false
    }
    openDepth = depth
    // A container has three words or more, so there can be as many words and fewer values.
    return unsafe parser.words.dropFirst(YajlContext.headerWords).allSatisfy { !TapeWord(bits: $0).kind.isStart }
  }

  private var isOneValue: Bool {
    let words = unsafe parser.words
    let first = YajlContext.headerWords
    guard first < words.count else { return false }
    guard unsafe TapeWord(bits: words[first]).kind.isStart else { return first + 1 == words.count }
    return unsafe first + 1 < words.count && TapeWord(bits: words[first + 1]).linkedIndex == words.count
  }

  private mutating func open(_ depth: Int) -> Bool {
    openDepth = nil
    let brackets = [UInt8](repeating: ASCII.openBracket, count: depth)
    do throws(JSONError) {
      try parser.begin()
      try unsafe brackets.span.withUnsafeBytes { (brackets) throws(JSONError) in
        _ = try unsafe parser.parse(brackets, at: 0)
      }
    } catch {
      return false
    }
    parser.flush()
    openDepth = depth
    return true
  }

  /// The text with a comma behind it.
  ///
  /// SAFETY: `copy` is grown before it is written to, and not touched again before the next value.
  private mutating func withComma(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    copy.grow(to: text.count &+ 1, keeping: 0)
    if let base = text.baseAddress { unsafe copy.base.copyMemory(from: base, byteCount: text.count) }
    unsafe copy.base.storeBytes(of: ASCII.comma, toByteOffset: text.count, as: UInt8.self)
    return unsafe UnsafeRawBufferPointer(start: copy.base, count: text.count &+ 1)
  }
}
