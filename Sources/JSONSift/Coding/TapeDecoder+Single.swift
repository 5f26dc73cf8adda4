/// The decoder is its own single-value container.
extension TapeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { kind(index) == .null }

  private func integer<Integer: FixedWidthInteger>() throws -> Integer {
    guard let value: Integer = integer(at: index) else { throw numberError(Integer.self, at: index, .same) }
    return value
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard let value = bool(at: index) else { throw mismatch(type, at: index, .same) }
    return value
  }
  func decode(_ type: String.Type) throws -> String {
    guard let value = string(at: index) else { throw valueError(type, at: index, .same) }
    return value
  }
  func decode(_ type: Double.Type) throws -> Double {
    guard let value = double(at: index) else { throw numberError(type, at: index, .same) }
    return value
  }
  func decode(_ type: Float.Type) throws -> Float {
    guard let value = float(at: index) else { throw numberError(type, at: index, .same) }
    return value
  }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try unwrap(type, at: index, .same) }
}
