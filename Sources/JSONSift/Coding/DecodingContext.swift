/// The state shared by all decoders of one value.
final class DecodingContext {
  private(set) var settings = DecoderSettings.defaults
  private(set) var convertsKeys = false
  /// Whether a key strategy is set, or failures of elements are reported.
  private(set) var hasStrategies = false
  /// Keeps the text alive to which the decoders point.
  private(set) var document: Document?
  private var line: Int?
  /// The last position that was described, and the line feeds before it. Errors about one text mostly follow one another, so that
  /// together they read it once.
  private var lastPlace = (offset: 0, lines: 0)
  private var knownUserInfo = UserInfo()
  /// SAFETY of the disabled exclusivity checks: no user code runs while this or `failures` is read or written. Worth it: the
  /// checks take 2.4 % more instructions where failures are reported (Scripts/measure instructions, decode).
  @exclusivity(unchecked) var elementwiseTypes = ElementwiseTypes()
  /// The index of the tape word of the value that is decoded.
  private(set) var root: UInt32 = 0
  private var hasHandler = false
  /// Whether elements may be left out now, those that were, and those that must not be, once they are known.
  var reportsFailures = false
  @exclusivity(unchecked) var failures: [StoredFailure] = []
  var required: Set<UInt32>?

  func configure(_ settings: Frozen<DecoderSettings>) {
    self.settings = settings
    convertsKeys = settings.value.convertsKeys
    hasHandler = settings.value.elementFailures.handler != nil
    hasStrategies = convertsKeys || hasHandler
    knownUserInfo = UserInfo()
  }

  func begin(_ document: Document, _ root: UInt32, line: Int?) {
    self.document = document
    self.root = root
    self.line = line
    lastPlace = (0, 0)
    guard hasHandler else { return }
    reportsFailures = true
    if unsafe !failures.isEmpty { unsafe failures = [] }
    if required != nil { required = nil }
  }

  /// Releases the text, so that its memory can be reused.
  func end() { document = nil }

  /// Releases the settings. They hold the pool, which may hold this context: this breaks the reference cycle.
  func endSettings() {
    settings = DecoderSettings.defaults
    knownUserInfo = UserInfo()
  }

  var userInfo: [CodingUserInfoKey: Any] { knownUserInfo.value(settings.value.userInfo) }

  /// Returns the context of an error about the value at `offset`. Its description is the reason followed by the position
  /// in words; the underlying error has both as data.
  func errorContext(_ path: [any CodingKey], _ reason: String, at offset: Int) -> DecodingError.Context {
    guard let document else { return DecodingError.Context(codingPath: path, debugDescription: reason) }
    return DecodingError.Context(
      codingPath: path, debugDescription: "\(reason) (\(position(of: offset, in: document)))",
      underlyingError: JSONError(
        .typeMismatch, at: offset &+ document.origin, .mismatch(reason: reason, in: JSONError.DecodingIdentity(self))))
  }

  /// Returns a description of the position. It includes the line only if the line of the text's first byte is known.
  private func position(of offset: Int, in document: Document) -> String {
    let first = line ?? (document.origin == 0 ? 1 : nil)
    let byte = "byte \(offset &+ document.origin)"
    guard let first else { return byte }
    unsafe document.withSource { source in
      let (place, last) = (min(max(offset, 0), source.count), lastPlace.offset)
      let between = unsafe UnsafeRawBufferPointer(rebasing: source[min(place, last)..<max(place, last)])
      let lines = unsafe ByteScan.countLineFeeds(between)
      lastPlace = (place, lastPlace.lines + (place < last ? -lines : lines))
    }
    return "line \(first + lastPlace.lines), \(byte)"
  }
}
