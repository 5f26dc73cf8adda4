/// A text whose containers are parsed on access.
///
/// The text is proven to be JSON before it is kept, so nothing in it can be rejected later. With
/// ``JSONOptions/fastForward-swift.property`` it is not proven, and the parser validates each part on access.
final class LazyText: Sendable {
  let source: Document.Source
  let options: JSONOptions
  let isProven: Bool
  /// The range of the outermost value, from its opening to its closing bracket. In unproven text, to the end of the text.
  let range: Range<Int>
  let isObject: Bool
  /// The notes of the proof. Only for proven text that cannot change.
  let levels: LevelNotes?

  /// The minimum length of a text to keep. A shorter text is parsed as a whole: proving it and parsing the accessed parts
  /// would not be faster.
  static let minProven = Sizes.of(1 << 12, fuzzing: 24)
  static let minUnproven = Sizes.of(1 << 16, fuzzing: 40)

  /// The minimum length of a container to index. A shorter container is parsed as a whole on access. In a longer one the
  /// bytes of the children are skipped.
  let minIndexed: Int

  /// Whether other code may write to the bytes, so that they can differ from the proven text.
  var isVolatile: Bool { source.isVolatile }

  /// Whether the bytes are proven and cannot change, so that they need no further validation.
  var isValidText: Bool { isProven && !isVolatile }

  /// Proves a text. Returns `nil` if it is a scalar, or short, or if the proof cannot decide about it: the parser then reads
  /// all of it and reports the error.
  convenience init?(proving source: Document.Source, options: JSONOptions, minLength: Int = minProven) {
    guard ProofScan.isOn else { return nil }
    self.init(source, options, isProven: true, minLength: minLength)
  }

  /// Keeps a text that is validated on access. Returns `nil` if it is a scalar or short.
  convenience init?(unproven source: Document.Source, options: JSONOptions) {
    self.init(source, options, isProven: false, minLength: Self.minUnproven)
  }

  private init?(_ source: Document.Source, _ options: JSONOptions, isProven: Bool, minLength: Int) {
    self.source = source
    self.options = options
    self.isProven = isProven
    minIndexed = minLength
    var levels: LevelNotes?
    let outermost = unsafe source.withBytes { bytes -> (range: Range<Int>, isObject: Bool)? in
      guard bytes.count >= minLength else { return nil }
      // A tape over its limit is an error when the text is read. A text whose tape could exceed the limit is therefore not
      // parsed lazily.
      guard !isProven || bytes.count < Self.maxLength(options.limits) else { return nil }
      let mark = unsafe ByteOrderMark.begins(bytes) ? ByteOrderMark.count : 0
      let start = unsafe mark + ByteScan.whitespacePrefix(UnsafeRawBufferPointer(rebasing: bytes[mark...]))
      guard bytes.count - start >= minLength else { return nil }
      let isObject = unsafe bytes[start] == ASCII.openBrace
      guard unsafe isObject || bytes[start] == ASCII.openBracket else { return nil }
      var end = bytes.count
      guard isProven else { return (start..<end, isObject) }
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[mark...])
      guard var notes = unsafe Self.proves(text, options.limits) else { return nil }
      notes.start += mark
      levels = source.isVolatile ? nil : notes
      while end > start + 1, unsafe bytes[end - 1].isJSONWhitespace { end -= 1 }
      return (start..<end, isObject)
    }
    guard let outermost else { return nil }
    (range, isObject) = outermost
    self.levels = levels
  }

  private static func proves(_ bytes: UnsafeRawBufferPointer, _ limits: JSONLimits) -> LevelNotes? {
    var scan = ProofScan(isLines: false, limits: limits)
    var levels = LevelNotes(count: bytes.count)
    return unsafe scan.run(bytes, noting: &levels) == bytes.count && scan.finish() ? levels : nil
  }

  /// Returns the maximum length of a text whose tape cannot exceed the limit. A byte produces at most two tape words.
  private static func maxLength(_ limits: JSONLimits) -> Int {
    min(limits.effectiveTapeBytes, JSONLimits.maxTapeBytes) / 16 - YajlContext.headerWords
  }

  /// Parses a container, or in unproven text any value.
  ///
  /// - Parameter depth: The number of containers around it.
  func parse(_ range: Range<Int>, depth: Int) throws(JSONError) -> Document {
    var options = options
    options.limits.depth = max(options.limits.depth - depth, 0)
    // The proof has validated surrogate pairs.
    if isValidText { options.loneSurrogates = .replace }
    var builder = DocumentBuilder(options: options)
    let document =
      depth == 0 && !isProven
      ? try builder.document(of: source)
      : try builder.document(of: source, range: range, trust: isProven ? .proven : .unknown)
    document.trim()
    return document
  }
}
