/// What all decoders of one value share.
final class DecodingContext {
  private(set) var settings = DecoderSettings.defaults
  private(set) var convertsKeys = false
  /// Keeps the text alive that decoders point into.
  private(set) var document: Document?
  private var line: Int?
  /// The errors that were made last, for one who needs their parts.
  private(set) var refusals: [Refusal] = []

  /// What an error says, and of which value.
  struct Refusal {
    let reason: String
    /// The reason, and behind it the place in words: what the error's description is.
    let description: String
    /// In the input.
    let byteOffset: Int
  }

  /// A type that tries others first may throw an error that is not the last.
  private static let keptRefusals = 16
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
    if !refusals.isEmpty { refusals = [] }
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

  /// A reason with the place of the byte behind it that is to blame.
  func description(of reason: String, at offset: Int) -> String {
    guard let document else { return reason }
    let description = "\(reason) (\(words(for: offset, in: document)))"
    if refusals.count == Self.keptRefusals { refusals.removeFirst() }
    refusals.append(Refusal(reason: reason, description: description, byteOffset: offset &+ document.origin))
    return description
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
