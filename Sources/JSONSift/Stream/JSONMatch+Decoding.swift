extension JSONMatch {
  /// Decodes the match as a value of a type.
  ///
  /// ```swift
  /// while let match = try matches.next() { users.append(try match.decode(User.self)) }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - decoder: The decoder with its options; `nil` for a decoder with default options.
  /// - Returns: The decoded value.
  /// - Throws: `DecodingError` with the byte offset in the input; its coding path begins at the match. Also any error that
  ///   an initializer of a type throws.
  public func decode<T: Decodable>(_ type: T.Type, with decoder: JSONSiftDecoder? = nil) throws -> T {
    try value.decode(type, with: decoder)
  }
}
