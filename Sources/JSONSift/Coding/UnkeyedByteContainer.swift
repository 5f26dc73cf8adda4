/// The unkeyed container of an encoder: the elements of an array that a type writes.
struct UnkeyedByteContainer: UnkeyedEncodingContainer {
  private let encoder: ByteEncoder

  init(_ encoder: ByteEncoder) { self.encoder = encoder }

  var codingPath: [any CodingKey] { encoder.codingPath }

  var count: Int { encoder.count }

  // MARK: Scalars

  func encodeNil() throws { encoder.beginElement().append("null") }
  func encode(_ value: Bool) throws { encoder.beginElement().append(value) }
  func encode(_ value: String) throws {
    encoder.beginElement().append(string: value, escapesSlashes: encoder.escapesSlashes)
  }
  func encode<T: BinaryFloatingPoint & CustomStringConvertible & Encodable>(_ value: T) throws {
    let step = CodingStep.index(encoder.count)
    try encoder.atomically { try encoder.write(value, step, to: encoder.beginElement()) }
  }
  func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws { encoder.beginElement().append(value) }
  func encode(_ value: Int128) throws { encoder.beginElement().append(value) }
  func encode(_ value: UInt128) throws { encoder.beginElement().append(value) }

  func encode<T: Encodable>(_ value: T) throws {
    let step = CodingStep.index(encoder.count)
    try encoder.atomically { try encoder.write(value, step, to: encoder.beginElement()) }
  }

  // MARK: Containers

  private func nested(_ kind: ByteEncoder.Kind) -> ByteEncoder {
    let step = CodingStep.index(encoder.count)
    return encoder.escapingChild(step, encoder.beginElement(), kind)
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
    nested(.object).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested(.array).unkeyedContainer() }

  func superEncoder() -> any Encoder { nested(.empty) }
}
