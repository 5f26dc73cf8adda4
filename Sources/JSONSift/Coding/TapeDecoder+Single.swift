/// The decoder is its own single-value container.
extension TapeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { kind(index) == .null }

  func decode<T: TapeScalar>(_ type: T.Type) throws -> T { try scalar(at: index, .same) }
  func decode(_ type: Int128.Type) throws -> Int128 { try scalar(at: index, .same) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar(at: index, .same) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try unwrap(type, at: index, .same) }
}
