/// A text of which containers are parsed when they are touched.
///
/// The text is proven to be JSON before it is kept, so nothing in it can be refused later. With
/// ``JSONOptions/fastForward-swift.property`` it is not, and each touched part is checked by the parser.
final class LazyText: Sendable {
  let source: Document.Source
  let options: JSONOptions
  let isProven: Bool
  /// Where the outermost value stands, from its first bracket to its last. Of an unproven text: to the end of the text.
  let range: Range<Int>
  let isObject: Bool
  /// Of a proven text that cannot change.
  let levels: LevelNotes?

  /// A shorter text is parsed as a whole: to prove it and to parse what is touched would not be faster.
  static let minProven = 1 << 12
  static let minUnproven = 1 << 16

  /// Containers shorter than this are parsed as a whole when they are touched. A longer one is indexed: the bytes of its
  /// children are passed over.
  let minIndexed: Int

  /// Somebody else may write to the bytes, so they need not be the text that was proven.
  var isVolatile: Bool { source.isVolatile }

  /// The words of a document of this text need no check of the bytes any more.
  var isValidText: Bool { isProven && !isVolatile }

  /// A proven text. `nil` if it is a scalar, short, or in any doubt: then the parser reads all of it and says what is wrong.
  convenience init?(proving source: Document.Source, options: JSONOptions, least: Int = minProven) {
    guard ProofScan.isOn else { return nil }
    self.init(source, options, isProven: true, least: least)
  }

  /// A text that is checked where it is touched. `nil` if it is a scalar or short.
  convenience init?(unproven source: Document.Source, options: JSONOptions) {
    self.init(source, options, isProven: false, least: Self.minUnproven)
  }

  private init?(_ source: Document.Source, _ options: JSONOptions, isProven: Bool, least: Int) {
    self.source = source
    self.options = options
    self.isProven = isProven
    minIndexed = least
    var levels: LevelNotes?
    let place = unsafe source.withBytes { bytes -> (range: Range<Int>, isObject: Bool)? in
      guard bytes.count >= least else { return nil }
      // A tape over its limit is an error when the text is read. One that could get so long is not left for later.
      guard !isProven || bytes.count < Self.longest(options.limits) else { return nil }
      let mark = unsafe ByteOrderMark.begins(bytes) ? ByteOrderMark.count : 0
      let start = unsafe mark + ByteScan.whitespacePrefix(UnsafeRawBufferPointer(rebasing: bytes[mark...]))
      guard bytes.count - start >= least else { return nil }
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
    guard let place else { return nil }
    (range, isObject) = place
    self.levels = levels
  }

  private static func proves(_ bytes: UnsafeRawBufferPointer, _ limits: JSONLimits) -> LevelNotes? {
    var scan = ProofScan(isLines: false, limits: limits)
    var levels = LevelNotes(count: bytes.count)
    return unsafe scan.run(bytes, noting: &levels) == bytes.count && scan.finish() ? levels : nil
  }

  /// A byte makes at most two words.
  private static func longest(_ limits: JSONLimits) -> Int {
    min(max(limits.tapeBytes, 4096), JSONLimits.largestTape) / 16 - YajlContext.headerWords
  }

  /// Parses a container, or in an unproven text whatever stands in the place of a value.
  ///
  /// - Parameter depth: How many containers are around it.
  func parse(_ range: Range<Int>, depth: Int) throws(JSONError) -> Document {
    var options = options
    options.limits.depth = max(options.limits.depth - depth, 0)
    // The proof has seen that surrogates come in pairs.
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
