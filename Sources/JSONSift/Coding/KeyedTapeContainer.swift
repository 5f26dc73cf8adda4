/// The keyed container of a decoder: the members of an object that a type reads.
///
/// The standard library copies a container to a box on the heap, which costs more than decoding some records. So the
/// decoder owns one box for each key type and passes it again. The container must not retain the decoder, because that
/// would be a reference cycle.
@safe struct KeyedTapeContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  /// SAFETY: while the decoder owns the box that contains this value, the decoder exists: it passes the box only to
  /// calls that it makes itself. When it gives up a box that other code still holds, the keeper retains the decoder:
  /// see ``TapeDecoder/reclaimContainers()``. Worth it: an `unowned` reference takes 10 % more instructions
  /// (Scripts/measure instructions, decode).
  private let reference: Unmanaged<TapeDecoder>
  private let keeper: DecoderKeeper

  init(_ decoder: TapeDecoder, _ keeper: DecoderKeeper) {
    unsafe reference = .passUnretained(decoder)
    self.keeper = keeper
  }

  /// Calls `body` with the decoder, without retaining it.
  private func with<Result>(_ body: (TapeDecoder) throws -> Result) rethrows -> Result {
    try unsafe reference._withUnsafeGuaranteedRef(body)
  }

  var codingPath: [any CodingKey] { with { $0.codingPath } }

  /// The keys of the members in their order, without those that `Key` does not accept.
  var allKeys: [Key] {
    with { decoder in
      var keys: [Key] = []
      keys.reserveCapacity(decoder.word(decoder.index &+ 1).childCount)
      decoder.forEachName { name in if let key = Key(stringValue: name) { keys.append(key) } }
      return keys
    }
  }

  func contains(_ key: Key) -> Bool { with { $0.member(key.stringValue) != 0 } }

  // MARK: Scalars

  func decodeNil(forKey key: Key) throws -> Bool { try with { try $0.kind($0.value(key)) == .null } }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try with { try $0.scalar(key) } }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try with { try $0.scalar(key) } }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try with { try $0.scalar(key) } }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try with { try $0.scalar(key) } }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try with { try $0.scalar(key) } }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try with { try $0.scalar(key) } }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try with { try $0.scalar(key) } }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try with { try $0.scalar(key) } }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try with { try $0.scalar(key) } }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try with { try $0.scalar(key) } }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try with { try $0.scalar(key) } }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try with { try $0.scalar(key) } }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try with { try $0.scalar(key) } }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try with { try $0.scalar(key) } }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try with { try $0.scalar(key) } }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try with { try $0.scalar(key) } }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try with { try $0.unwrap(type, at: $0.value(key), .key(key)) }
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try with { try $0.optional(key) } }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try with { try $0.optional(key) } }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try with { try $0.optional(key) } }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try with { try $0.optional(key) } }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try with { try $0.optional(key) } }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try with { try $0.optional(key) } }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try with { try $0.optional(key) } }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try with { try $0.optional(key) } }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try with { try $0.optional(key) } }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try with { try $0.optional(key) } }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try with { try $0.optional(key) } }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try with { try $0.optional(key) } }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try with { try $0.optional(key) } }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try with { try $0.optional(key) } }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try with { try $0.optional(key) } }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try with { try $0.optional(key) } }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try with { decoder in
      guard let index = decoder.present(key) else { return nil }
      return try decoder.unwrap(type, at: index, .key(key))
    }
  }

  // MARK: Containers

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try with { try $0.escapingChild($0.value(key), .key(key)).container(keyedBy: type) }
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try with { try $0.escapingChild($0.value(key), .key(key)).unkeyedContainer() }
  }

  func superDecoder() -> any Decoder { superDecoder(CodingPathKey.super) }

  func superDecoder(forKey key: Key) -> any Decoder { superDecoder(key) }

  private func superDecoder(_ key: any CodingKey) -> any Decoder {
    with { decoder in
      let index = decoder.member(key.stringValue)
      return decoder.escapingChild(index == 0 ? nil : index, .key(key))
    }
  }
}

extension TapeDecoder {
  // Forced inlining in this file saves 7.1 % of `decode` (Scripts/measure instructions).
  /// Returns the index of the tape word of a member's value. Throws if there is no such member.
  @inline(__always)
  fileprivate func value(_ key: some CodingKey) throws -> UInt32 {
    let index = member(key.stringValue)
    guard index != 0 else { throw missing(key) }
    return index
  }

  /// Returns the index of the tape word of a member's value, or `nil` if there is no such member or it is null.
  fileprivate func present(_ key: some CodingKey) -> UInt32? {
    let index = member(key.stringValue)
    return index == 0 || kind(index) == .null ? nil : index
  }

  @inline(__always)
  fileprivate func scalar<Scalar: TapeScalar>(_ key: some CodingKey) throws -> Scalar {
    try scalar(at: value(key), .key(key))
  }

  @inline(__always)
  fileprivate func optional<Scalar: TapeScalar>(_ key: some CodingKey) throws -> Scalar? {
    guard let index = present(key) else { return nil }
    return try scalar(at: index, .key(key)) as Scalar
  }
}
