/// What all decoders of one value share.
final class DecodingContext {
  private(set) var settings = DecoderSettings.defaults
  private(set) var convertsKeys = false
  /// Keeps the text alive that decoders point into.
  private(set) var document: Document?
  private var line: Int?
  /// The last place that was put into words, as an error does, with its offset in the input.
  private(set) var lastPlace: (words: String, byteOffset: Int)?
  private var knownUserInfo: [CodingUserInfoKey: Any]?
  /// SAFETY, of what is not checked for exclusive access: no code of others runs while it is read or written. Worth
  /// it: see `TapeDecoder`.
  @exclusivity(unchecked) private var elementwiseTypes = ElementwiseTypes()

  func configure(_ settings: Frozen<DecoderSettings>) {
    self.settings = settings
    convertsKeys = settings.value.convertsKeys
    knownUserInfo = nil
  }

  /// The type as an array, if it is one.
  @inline(__always)
  func elementwise<T>(_ type: T.Type) -> (any ElementwiseDecodable.Type)? { unsafe elementwiseTypes.find(type) }

  func begin(_ document: Document, line: Int?) {
    self.document = document
    self.line = line
    lastPlace = nil
  }

  /// Lets go of the text, so that its memory can be used again.
  func end() { document = nil }

  /// Lets go of the settings, which hold the pool that may hold this.
  func endSettings() {
    settings = DecoderSettings.defaults
    knownUserInfo = nil
  }

  var userInfo: [CodingUserInfoKey: Any] {
    if let knownUserInfo { return knownUserInfo }
    let made: [CodingUserInfoKey: Any] = settings.value.userInfo
    knownUserInfo = made
    return made
  }

  /// Where a byte of the text stands, to be put behind a reason.
  func place(of offset: Int) -> String {
    guard let document else { return "" }
    let words = " (\(words(for: offset, in: document)))"
    lastPlace = (words, offset &+ document.origin)
    return words
  }

  /// The line is told where the text begins with one that is known.
  private func words(for offset: Int, in document: Document) -> String {
    let first = line ?? (document.origin == 0 ? 1 : nil)
    let byte = "byte \(offset &+ document.origin)"
    guard let first else { return byte }
    let lines = unsafe document.withSource { source in
      unsafe ByteScan.countLineFeeds(UnsafeRawBufferPointer(rebasing: source[..<min(max(offset, 0), source.count)]))
    }
    return "line \(first + lines), \(byte)"
  }
}
