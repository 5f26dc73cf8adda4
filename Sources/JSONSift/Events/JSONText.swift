/// The text of a string, key or number, borrowed by a handler for the duration of one call. The compiler enforces that it
/// does not outlive the call.
@safe public struct JSONText: ~Escapable {
  /// The bytes of the token as written in the source, with escapes but without the quotes of a string or key.
  public let source: RawSpan
  /// Whether the source contains an escape. If not, the source is the decoded text.
  public let isEscaped: Bool
  /// The range of the token in the whole input, in bytes; it includes the quotes of a string or key.
  public let byteRange: Range<Int>

  @_lifetime(copy source)
  init(_ source: RawSpan, isEscaped: Bool, byteRange: Range<Int>) {
    self.source = source
    self.isEscaped = isEscaped
    self.byteRange = byteRange
  }

  /// The text as a string, with escapes decoded.
  ///
  /// - Complexity: O(length). Each call creates a new string.
  public var string: String {
    let isEscaped = isEscaped
    return unsafe source.withUnsafeBytes { unsafe isEscaped ? EscapedText.decode($0) : String(utf8: $0) }
  }

  /// Returns whether the decoded text equals `other`, byte by byte. Creates a string only if the source contains an escape.
  public func isEqual(to other: StaticString) -> Bool {
    guard !isEscaped else { return string.utf8.elementsEqual(String(describing: other).utf8) }
    guard other.hasPointerRepresentation, other.utf8CodeUnitCount == source.byteCount else {
      return !other.hasPointerRepresentation && string == String(describing: other)
    }
    let count = other.utf8CodeUnitCount
    return unsafe source.withUnsafeBytes { bytes in
      unsafe bytes.elementsEqual(UnsafeRawBufferPointer(start: other.utf8Start, count: count))
    }
  }
}
