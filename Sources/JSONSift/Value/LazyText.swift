/// A text whose containers are parsed on access. It is validated before it is kept, so nothing in it can be rejected
/// later.
final class LazyText: Sendable {
  let source: Document.Source
  let options: JSONOptions
  /// The range of the outermost value, from its opening to its closing bracket.
  let range: Range<Int>
  let isObject: Bool
  /// The notes of the validation. Only for text that cannot change.
  let levels: LevelNotes?

  /// The minimum length of a text to keep. A shorter text is parsed as a whole: validating it and parsing the accessed parts
  /// would not be faster.
  static let minValidated = Sizes.of(1 << 12, fuzzing: 24)

  /// The minimum length of a container to index. A shorter container is parsed as a whole on access. In a longer one the
  /// bytes of the children are skipped.
  let minIndexed: Int

  /// Whether other code may write to the bytes, so that they can differ from the validated text.
  var isVolatile: Bool { source.isVolatile }

  /// Validates a text. Returns `nil` if it is a scalar, or short, or if the validation cannot decide about it: the parser
  /// then reads all of it and reports the error.
  init?(validating source: Document.Source, options: JSONOptions, minLength: Int = minValidated) {
    guard ValidationScan.isOn else { return nil }
    self.source = source
    self.options = options
    minIndexed = minLength
    var levels: LevelNotes?
    let outermost = unsafe source.withBytes { bytes -> (range: Range<Int>, isObject: Bool)? in
      guard bytes.count >= minLength else { return nil }
      // A tape over its limit is an error when the text is read. A text whose tape could exceed the limit is therefore not
      // parsed lazily.
      guard bytes.count < Self.maxLength(options.limits) else { return nil }
      let mark = unsafe ByteOrderMark.begins(bytes) ? ByteOrderMark.count : 0
      let start = unsafe mark + ByteScan.whitespacePrefix(UnsafeRawBufferPointer(rebasing: bytes[mark...]))
      guard bytes.count - start >= minLength else { return nil }
      let isObject = unsafe bytes[start] == ASCII.openBrace
      guard unsafe isObject || bytes[start] == ASCII.openBracket else { return nil }
      var end = bytes.count
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[mark...])
      guard var notes = unsafe Self.validates(text, options.limits) else { return nil }
      notes.start += mark
      levels = source.isVolatile ? nil : notes
      while end > start + 1, unsafe bytes[end - 1].isJSONWhitespace { end -= 1 }
      return (start..<end, isObject)
    }
    guard let outermost else { return nil }
    (range, isObject) = outermost
    self.levels = levels
  }

  private static func validates(_ bytes: UnsafeRawBufferPointer, _ limits: JSONLimits) -> LevelNotes? {
    var scan = ValidationScan(isLines: false, limits: limits)
    var levels = LevelNotes(count: bytes.count)
    return unsafe scan.run(bytes, noting: &levels) == bytes.count && scan.finish() ? levels : nil
  }

  /// Returns the maximum length of a text whose tape cannot exceed the limit. A byte produces at most two tape words.
  private static func maxLength(_ limits: JSONLimits) -> Int {
    min(limits.effectiveTapeBytes, JSONLimits.maxTapeBytes) / 16 - YajlContext.headerWords
  }

  /// Parses a container.
  ///
  /// - Parameter depth: The number of containers around it.
  func parse(_ range: Range<Int>, depth: Int) throws(JSONError) -> Document {
    var options = options
    options.limits.depth = max(options.limits.depth - depth, 0)
    // The validation has checked surrogate pairs.
    if !isVolatile { options.loneSurrogates = .replace }
    var builder = DocumentBuilder(options: options)
    let document = try builder.document(of: source, range: range, trust: .validated)
    document.trim()
    return document
  }
}
