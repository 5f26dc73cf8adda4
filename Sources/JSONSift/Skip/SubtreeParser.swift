/// Parses single values of a text whose other parts are skipped. A proven array or object is read without libyajl.
///
/// All other values share one handle of libyajl, as elements of an array that is never closed. A handle for each value costs
/// three times as much as parsing a number.
///
/// The array is nested as deep as the value is in the text, so the depth limit applies unchanged. A rejected value is not
/// diagnosed here: the caller parses it again in its context, which reports the right error.
///
/// SAFETY of `bytes`: they lie in the window that was passed to `parse`, or in `copy`, and only `batch` exposes them.
@safe struct SubtreeParser: ~Copyable {
  private var parser: YajlParser
  /// The number of open arrays in the parser. `nil` before it has begun, and after an error.
  private var openDepth: Int?
  /// A copy of a value followed by a comma, if the window has no comma there.
  private var copy = RawMemory(capacity: 4096)
  private var bytes: UnsafeRawBufferPointer = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  private var origin = 0

  /// The maximum length of a value to parse here. A longer one justifies its own handle.
  static let maxLength = Sizes.of(1 << 16, fuzzing: 48)

  init(options: JSONOptions) {
    // The tape words of one value are transient, so the tape limit of the options does not apply.
    var options = options
    options.limits.tapeBytes = JSONLimits.maxTapeBytes
    parser = YajlParser(options: options)
  }

  /// The tape words of the last value, and its bytes. Valid until the next value is parsed or the window is released.
  var batch: TapeWordBatch { unsafe TapeWordBatch(words: parser.words, window: bytes, origin: origin) }

  /// Parses one value.
  ///
  /// - Parameters:
  ///   - range: The range of the value in the window. If it is longer than ``maxLength``, its memory stays reserved.
  ///   - origin: The offset of the window in the input.
  ///   - depth: The number of containers around the value, at least 1.
  ///   - isProven: Whether the value is known to be JSON within the limits.
  /// - Returns: Whether it is one valid value.
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

  /// Fills the tape with a proven array or object.
  private mutating func fill(proven text: UnsafeRawBufferPointer) -> Bool {
    guard unsafe text.first?.opensContainer == true else { return false }
    openDepth = nil
    parser.reserve(forBytes: text.count)
    unsafe bytes = text
    return unsafe parser.fill(proven: text, 0..<text.count)
  }

  /// Parses elements of an array, each followed by a comma.
  ///
  /// - Returns: Whether they are exactly `count` valid scalars.
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
    // A container has at least three tape words, so the number of tape words can match although there are fewer values.
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

  /// Returns a copy of the text followed by a comma.
  ///
  /// SAFETY: `copy` is grown before it is written to, and not changed again before the next value.
  private mutating func withComma(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    copy.grow(to: text.count &+ 1, keeping: 0)
    if let base = text.baseAddress { unsafe copy.base.copyMemory(from: base, byteCount: text.count) }
    unsafe copy.base.storeBytes(of: ASCII.comma, toByteOffset: text.count, as: UInt8.self)
    return unsafe UnsafeRawBufferPointer(start: copy.base, count: text.count &+ 1)
  }
}
