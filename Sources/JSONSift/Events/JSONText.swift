/// The text of a string, key or number, lent to a handler for one call. The compiler does not let it outlive that.
@safe public struct JSONText: ~Escapable {
  /// The bytes as they stand in the source: of a string or key what is between its quotes, with escapes.
  public let source: RawSpan
  /// Whether the source holds an escape. If not, it is the text itself.
  public let isEscaped: Bool
  /// The place of the token in the whole input; of a string or key with its quotes.
  public let byteRange: Range<Int>

  @_lifetime(copy source)
  init(_ source: RawSpan, isEscaped: Bool, byteRange: Range<Int>) {
    self.source = source
    self.isEscaped = isEscaped
    self.byteRange = byteRange
  }

  /// The characters, with escapes decoded.
  ///
  /// - Complexity: O(length). Made anew by each call.
  public var string: String {
    let isEscaped = isEscaped
    return unsafe source.withUnsafeBytes { unsafe isEscaped ? EscapedText.decode($0) : String(utf8: $0) }
  }

  /// Whether the characters are those of `other`, byte by byte. Makes no string unless there is an escape.
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
