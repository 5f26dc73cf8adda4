/// Parses single values of a validated text whose other parts are skipped. An array or object is read without libyajl.
///
/// All other values share one handle of libyajl, as elements of an array that is never closed. A handle for each value costs
/// three times as much as parsing a number.
///
/// SAFETY of `bytes`: they lie in the window that was passed to `parse`, or in `copy`, and only `batch` exposes them.
@safe struct SubtreeParser: ~Copyable {
  private var parser: YajlParser
  /// Whether the array is open in the parser: not before it has begun, and not after an error.
  private var isOpen = false
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
  /// - Returns: Whether it is one valid value.
  mutating func parse(_ window: UnsafeRawBufferPointer, _ range: Range<Int>, at origin: Int) -> Bool {
    let text = unsafe UnsafeRawBufferPointer(rebasing: window[range])
    self.origin = origin &+ range.lowerBound
    if unsafe fill(text) { return true }
    if isOpen {
      parser.flush()
    } else {
      guard open() else { return false }
    }
    if range.upperBound < window.count, unsafe window[range.upperBound] == ASCII.comma {
      unsafe bytes = UnsafeRawBufferPointer(rebasing: window[range.lowerBound...range.upperBound])
    } else {
      unsafe bytes = withComma(text)
    }
    do throws(JSONError) {
      let pending = try unsafe parser.parse(bytes, at: 0)
      isOpen = pending == nil && parser.depth == 1 && isOneValue
    } catch {
      isOpen = false
    }
    return isOpen
  }

  /// Fills the tape with an array or object.
  private mutating func fill(_ text: UnsafeRawBufferPointer) -> Bool {
    guard unsafe text.first?.opensContainer == true else { return false }
    isOpen = false
    parser.reserve(forBytes: text.count)
    unsafe bytes = text
    return unsafe parser.fill(validated: text, 0..<text.count)
  }

  private var isOneValue: Bool {
    let words = unsafe parser.words
    let first = YajlContext.headerWords
    guard first < words.count else { return false }
    guard unsafe TapeWord(bits: words[first]).kind.isStart else { return first + 1 == words.count }
    return unsafe first + 1 < words.count && TapeWord(bits: words[first + 1]).linkedIndex == words.count
  }

  private mutating func open() -> Bool {
    isOpen = false
    do throws(JSONError) {
      try parser.begin()
      try unsafe [ASCII.openBracket].span.withUnsafeBytes { (bracket) throws(JSONError) in
        _ = try unsafe parser.parse(bracket, at: 0)
      }
      isOpen = true
      parser.flush()
    } catch {}
    return isOpen
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
