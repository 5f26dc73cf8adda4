/// The encoder is its own single-value container.
extension ByteEncoder: SingleValueEncodingContainer {
  func encodeNil() throws { try beginScalar().append("null") }
  func encode(_ value: Bool) throws {
    if value { try beginScalar().append("true") } else { try beginScalar().append("false") }
  }
  func encode(_ value: String) throws { try beginScalar().append(string: value, escapesSlashes: escapesSlashes) }
  func encode(_ value: Double) throws { try scalar { try write(value, .same, to: $0) } }
  func encode(_ value: Float) throws { try scalar { try write(value, .same, to: $0) } }
  func encode(_ value: Int) throws { try beginScalar().append(value) }
  func encode(_ value: Int8) throws { try beginScalar().append(value) }
  func encode(_ value: Int16) throws { try beginScalar().append(value) }
  func encode(_ value: Int32) throws { try beginScalar().append(value) }
  func encode(_ value: Int64) throws { try beginScalar().append(value) }
  func encode(_ value: Int128) throws { try beginScalar().append(value) }
  func encode(_ value: UInt) throws { try beginScalar().append(value) }
  func encode(_ value: UInt8) throws { try beginScalar().append(value) }
  func encode(_ value: UInt16) throws { try beginScalar().append(value) }
  func encode(_ value: UInt32) throws { try beginScalar().append(value) }
  func encode(_ value: UInt64) throws { try beginScalar().append(value) }
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
