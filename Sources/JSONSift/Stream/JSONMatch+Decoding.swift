extension JSONMatch {
  /// The match as one of your own types.
  ///
  /// ```swift
  /// while let match = try matches.next() { users.append(try match.decode(User.self)) }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - decoder: Options; without one, the defaults.
  /// - Throws: `DecodingError`, with the byte in the input; its coding path begins at the match. What an initialiser
  ///   of a type throws.
  public func decode<T: Decodable>(_ type: T.Type, with decoder: JSONSiftDecoder? = nil) throws -> T {
    try value.decode(type, with: decoder)
  }
}
