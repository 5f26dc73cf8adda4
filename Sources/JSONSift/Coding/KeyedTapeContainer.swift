/// The members of an object, as a type asks for them.
struct KeyedTapeContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: TapeDecoder

  init(_ decoder: TapeDecoder) throws { self.decoder = decoder }

  var codingPath: [any CodingKey] { decoder.codingPath }

  /// The keys of the members, in their order; those that the key type does not know are left out.
  var allKeys: [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(decoder.word(decoder.index &+ 1).childCount)
    decoder.forEachName { name in if let key = Key(stringValue: name) { keys.append(key) } }
    return keys
  }

  func contains(_ key: Key) -> Bool { decoder.member(key.stringValue) != 0 }

  /// The word of a member's value.
  @inline(__always)
  private func value(_ key: Key) throws -> UInt32 {
    let index = decoder.member(key.stringValue)
    guard index != 0 else { throw decoder.missing(key) }
    return index
  }

  /// The word of a member's value, if there is one and it is not null.
  @inline(__always)
  private func present(_ key: Key) -> UInt32? {
    let index = decoder.member(key.stringValue)
    return index == 0 || decoder.kind(index) == .null ? nil : index
  }

  // MARK: Scalars

  @inline(__always)
  private func integer<Integer: FixedWidthInteger>(_ key: Key, at index: UInt32) throws -> Integer {
    guard let value: Integer = decoder.integer(at: index) else {
      throw decoder.numberRefusal(Integer.self, at: index, .key(key))
    }
    return value
  }

  @inline(__always)
  private func bool(_ key: Key, at index: UInt32) throws -> Bool {
    guard let value = decoder.bool(at: index) else { throw decoder.mismatch(Bool.self, at: index, .key(key)) }
    return value
  }

  @inline(__always)
  private func string(_ key: Key, at index: UInt32) throws -> String {
    guard let value = decoder.string(at: index) else { throw decoder.refusal(String.self, at: index, .key(key)) }
    return value
  }

  @inline(__always)
  private func double(_ key: Key, at index: UInt32) throws -> Double {
    guard let value = decoder.double(at: index) else { throw decoder.numberRefusal(Double.self, at: index, .key(key)) }
    return value
  }

  @inline(__always)
  private func float(_ key: Key, at index: UInt32) throws -> Float {
    guard let value = decoder.float(at: index) else { throw decoder.numberRefusal(Float.self, at: index, .key(key)) }
    return value
  }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder.kind(value(key)) == .null }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try bool(key, at: value(key)) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try string(key, at: value(key)) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try double(key, at: value(key)) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try float(key, at: value(key)) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key, at: value(key)) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key, at: value(key)) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key, at: value(key)) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key, at: value(key)) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key, at: value(key)) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(key, at: value(key)) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key, at: value(key)) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key, at: value(key)) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key, at: value(key)) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key, at: value(key)) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key, at: value(key)) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(key, at: value(key)) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder.unwrap(type, at: value(key), .key(key))
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try present(key).map { try bool(key, at: $0) }
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try present(key).map { try string(key, at: $0) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try present(key).map { try double(key, at: $0) }
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try present(key).map { try float(key, at: $0) }
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try present(key).map { try integer(key, at: $0) }
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try present(key).map { try integer(key, at: $0) }
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try present(key).map { try integer(key, at: $0) }
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try present(key).map { try integer(key, at: $0) }
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try present(key).map { try integer(key, at: $0) }
  }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try present(key).map { try integer(key, at: $0) }
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try present(key).map { try integer(key, at: $0) }
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try present(key).map { try integer(key, at: $0) }
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try present(key).map { try integer(key, at: $0) }
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try present(key).map { try integer(key, at: $0) }
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try present(key).map { try integer(key, at: $0) }
  }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try present(key).map { try integer(key, at: $0) }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let index = present(key) else { return nil }
    return try decoder.unwrap(type, at: index, .key(key))
  }

  // MARK: Containers

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder.kept(value(key), .key(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.kept(value(key), .key(key)).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { superDecoder(CodingPathKey.super) }

  func superDecoder(forKey key: Key) -> any Decoder { superDecoder(key) }

  private func superDecoder(_ key: any CodingKey) -> any Decoder {
    let index = decoder.member(key.stringValue)
    return decoder.kept(index == 0 ? nil : index, .key(key))
  }
}
