/// The encoder is its own single-value container.
extension ByteEncoder: SingleValueEncodingContainer {
  func encodeNil() throws { try beginScalar().append("null") }
  func encode(_ value: Bool) throws { try beginScalar().append(value) }
  func encode(_ value: String) throws { try beginScalar().append(string: value, escapesSlashes: escapesSlashes) }
  func encode<T: BinaryFloatingPoint & CustomStringConvertible & Encodable>(_ value: T) throws {
    try scalar { try write(value, .same, to: $0) }
  }
  func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws { try beginScalar().append(value) }
  func encode(_ value: Int128) throws { try beginScalar().append(value) }
  func encode(_ value: UInt128) throws { try beginScalar().append(value) }

  func encode<T: Encodable>(_ value: T) throws { try scalar { try write(value, .same, to: $0) } }

  /// Writes the single value. On an error everything written for it is removed.
  private func scalar(_ body: (EncodedPart) throws -> Void) throws {
    let target = try beginScalar()
    let mark = target.mark
    do { try body(target) } catch {
      rollBackScalar(to: mark, in: target)
      throw error
    }
  }
}
