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

  private mutating func integer<Integer: FixedWidthInteger>(at index: UInt32) throws -> Integer {
    guard let value: Integer = decoder.integer(at: index) else {
      throw decoder.numberError(Integer.self, at: index, .index(currentIndex))
    }
    advance()
    return value
  }

  private mutating func bool(at index: UInt32) throws -> Bool {
    guard let value = decoder.bool(at: index) else {
      throw decoder.mismatch(Bool.self, at: index, .index(currentIndex))
    }
    advance()
    return value
  }

  private mutating func string(at index: UInt32) throws -> String {
    guard let value = decoder.string(at: index) else {
      throw decoder.valueError(String.self, at: index, .index(currentIndex))
    }
    advance()
    return value
  }

  private mutating func double(at index: UInt32) throws -> Double {
    guard let value = decoder.double(at: index) else {
      throw decoder.numberError(Double.self, at: index, .index(currentIndex))
    }
    advance()
    return value
  }

  private mutating func float(at index: UInt32) throws -> Float {
    guard let value = decoder.float(at: index) else {
      throw decoder.numberError(Float.self, at: index, .index(currentIndex))
    }
    advance()
    return value
  }

  /// Skips a null and returns true; returns false for any other value.
  mutating func decodeNil() throws -> Bool {
    guard try decoder.kind(value(Never.self)) == .null else { return false }
    advance()
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try bool(at: value(type)) }
  mutating func decode(_ type: String.Type) throws -> String { try string(at: value(type)) }
  mutating func decode(_ type: Double.Type) throws -> Double { try double(at: value(type)) }
  mutating func decode(_ type: Float.Type) throws -> Float { try float(at: value(type)) }
  mutating func decode(_ type: Int.Type) throws -> Int { try integer(at: value(type)) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(at: value(type)) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(at: value(type)) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(at: value(type)) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(at: value(type)) }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(at: value(type)) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(at: value(type)) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(at: value(type)) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(at: value(type)) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(at: value(type)) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(at: value(type)) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(at: value(type)) }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try decoder.unwrap(type, at: value(type), .index(currentIndex))
    advance()
    return value
  }

  mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? {
    guard let index = present() else { return nil }
    return try bool(at: index)
  }
  mutating func decodeIfPresent(_ type: String.Type) throws -> String? {
    guard let index = present() else { return nil }
    return try string(at: index)
  }
  mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? {
    guard let index = present() else { return nil }
    return try double(at: index)
  }
  mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? {
    guard let index = present() else { return nil }
    return try float(at: index)
  }
  private mutating func integerIfPresent<Integer: FixedWidthInteger>() throws -> Integer? {
    guard let index = present() else { return nil }
    return try integer(at: index) as Integer
  }
  mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { try integerIfPresent() }
  mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { try integerIfPresent() }
  mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { try integerIfPresent() }
  mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { try integerIfPresent() }
  mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { try integerIfPresent() }
  mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? { try integerIfPresent() }
  mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { try integerIfPresent() }
  mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { try integerIfPresent() }
  mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { try integerIfPresent() }
  mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { try integerIfPresent() }
  mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { try integerIfPresent() }
  mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128? { try integerIfPresent() }

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
