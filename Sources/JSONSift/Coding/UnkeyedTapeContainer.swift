/// The unkeyed container of a decoder. It is small enough to be stored inline in an existential, without an allocation.
struct UnkeyedTapeContainer: UnkeyedDecodingContainer {
  private let decoder: TapeDecoder
  private var next: UInt32
  private let end: UInt32
  private(set) var currentIndex = 0

  init(_ decoder: TapeDecoder) {
    self.decoder = decoder
    next = decoder.index &+ 2
    end = decoder.after(decoder.index) &- 1
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var count: Int? { decoder.word(decoder.index &+ 1).childCount }

  var isAtEnd: Bool { next >= end }

  private func value(_ type: Any.Type) throws -> UInt32 {
    guard next < end else { throw atEnd(type) }
    return next
  }

  @inline(never)
  private func atEnd(_ type: Any.Type) -> DecodingError {
    .valueNotFound(type, decoder.context(.index(currentIndex), at: end, "Unkeyed container is at end."))
  }

  private mutating func advance() {
    next = decoder.after(next)
    currentIndex &+= 1
  }

  /// Returns the index of the tape word of the next value; `nil` at the end. Skips a null, and returns `nil` for it.
  private mutating func present() -> UInt32? {
    guard next < end else { return nil }
    guard decoder.kind(next) != .null else {
      advance()
      return nil
    }
    return next
  }

  // MARK: Scalars

  private mutating func scalar<Scalar: TapeScalar>(at index: UInt32) throws -> Scalar {
    let value: Scalar = try decoder.scalar(at: index, .index(currentIndex))
    advance()
    return value
  }

  /// Skips a null and returns true; returns false for any other value.
  mutating func decodeNil() throws -> Bool {
    guard try decoder.kind(value(Never.self)) == .null else { return false }
    advance()
    return true
  }

  mutating func decode<T: TapeScalar>(_ type: T.Type) throws -> T { try scalar(at: value(type)) }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try scalar(at: value(type)) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar(at: value(type)) }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try decoder.unwrap(type, at: value(type), .index(currentIndex))
    advance()
    return value
  }

  private mutating func scalarIfPresent<Scalar: TapeScalar>() throws -> Scalar? {
    guard let index = present() else { return nil }
    return try scalar(at: index) as Scalar
  }

  mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: String.Type) throws -> String? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128? { try scalarIfPresent() }

  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    guard let index = present() else { return nil }
    let value = try decoder.unwrap(type, at: index, .index(currentIndex))
    advance()
    return value
  }

  // MARK: Containers

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let index = try value(KeyedDecodingContainer<NestedKey>.self)
    let container = try decoder.escapingChild(index, .index(currentIndex)).container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let index = try value((any UnkeyedDecodingContainer).self)
    let container = try decoder.escapingChild(index, .index(currentIndex)).unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let nested = try decoder.escapingChild(value((any Decoder).self), .index(currentIndex))
    advance()
    return nested
  }
}
