/// An array, set or dictionary, whose elements are decoded one by one here. The initializers of the standard library look up
/// their own type for each element, and end at the first element that cannot be decoded.
protocol ElementwiseDecodable {
  /// Decodes the value of a decoder. `T` is the conforming type itself.
  static func decode<T>(as type: T.Type, from decoder: TapeDecoder) throws -> T
}

/// A cache of the types that are arrays, sets or dictionaries: the dynamic cast costs more than decoding a short array.
struct ElementwiseTypes {
  private struct Entry {
    var type: ObjectIdentifier
    var elementwise: (any ElementwiseDecodable.Type)?
  }

  private static let count = 64
  private var entries = [Entry](
    repeating: Entry(type: ObjectIdentifier(Never.self), elementwise: nil), count: Self.count)

  /// Returns the type as a type of this kind, or `nil` if it is none.
  mutating func find<T>(_ type: T.Type) -> (any ElementwiseDecodable.Type)? {
    let wanted = ObjectIdentifier(type)
    let slot = Int(truncatingIfNeeded: UInt(bitPattern: wanted) &>> 4) & (Self.count - 1)
    if entries[slot].type == wanted { return entries[slot].elementwise }
    entries[slot] = Entry(type: wanted, elementwise: type as? any ElementwiseDecodable.Type)
    return entries[slot].elementwise
  }
}

// SAFETY of each cast: the protocol requires `T` to be the conforming type. Worth it: see `TapeDecoder.unwrap`.

extension Array: ElementwiseDecodable where Element: Decodable {
  static func decode<T>(as type: T.Type, from decoder: TapeDecoder) throws -> T {
    let count = decoder.word(decoder.index &+ 1).childCount
    // Writing to uninitialized memory would save nothing.
    var elements: [Element] = []
    // A short text may contain very many elements of a type that is large in memory.
    if count <= (1 << 20) / Swift.max(MemoryLayout<Element>.stride, 1) { elements.reserveCapacity(count) }
    try decoder.forEachElement { elements.append(try decoder.unwrap(Element.self, at: $0, $1)) }
    return unsafe unsafeBitCast(elements, to: T.self)
  }
}

extension ContiguousArray: ElementwiseDecodable where Element: Decodable {
  static func decode<T>(as type: T.Type, from decoder: TapeDecoder) throws -> T {
    let elements = ContiguousArray(try [Element].decode(as: [Element].self, from: decoder))
    return unsafe unsafeBitCast(elements, to: T.self)
  }
}

extension Set: ElementwiseDecodable where Element: Decodable {
  static func decode<T>(as type: T.Type, from decoder: TapeDecoder) throws -> T {
    var elements = Self()
    try decoder.forEachElement { elements.insert(try decoder.unwrap(Element.self, at: $0, $1)) }
    return unsafe unsafeBitCast(elements, to: T.self)
  }
}

extension Dictionary: ElementwiseDecodable where Key: Decodable, Value: Decodable {
  static func decode<T>(as type: T.Type, from decoder: TapeDecoder) throws -> T {
    var members = Self()
    if Key.self == String.self, decoder.context.convertsKeys {
      // The keys are data and not keys of a type, so key strategies do not apply to them.
      guard decoder.kind(decoder.index) == .objectStart else {
        throw decoder.notAContainer([String: Any].self, "keyed")
      }
      members.reserveCapacity(decoder.word(decoder.index &+ 1).childCount)
      var key = decoder.index &+ 2
      let end = decoder.after(decoder.index) &- 1
      while key < end {
        try members.decode(CodingPathKey.name(decoder.string(ofText: key)), at: key &+ 1, decoder)
        key = decoder.after(key &+ 1)
      }
    } else if Key.self is any CodingKeyRepresentable.Type {
      let keys = try decoder.container(keyedBy: DictionaryKey.self).allKeys
      members.reserveCapacity(keys.count)
      for key in keys { try members.decode(key, at: decoder.member(key.stringValue), decoder) }
    } else {
      try members.decodePairs(decoder)
    }
    return unsafe unsafeBitCast(members, to: T.self)
  }

  private mutating func decode(_ codingKey: some CodingKey, at index: UInt32, _ decoder: TapeDecoder) throws {
    var key: Key?
    do {
      key = (Key.self as? any CodingKeyRepresentable.Type)?.init(codingKey: codingKey) as? Key
      guard let key else { throw decoder.wrongKey(Key.self, codingKey, at: index) }
      self[key] = try decoder.unwrap(Value.self, at: index, .key(codingKey))
    } catch {
      try decoder.drop(error, at: index, .key(codingKey))
      // An earlier member with the same key would not have been used either.
      if let key { self[key] = nil }
    }
  }

  /// Decodes an array of keys and values in turn, as dictionaries are represented whose keys are not coding keys.
  private mutating func decodePairs(_ decoder: TapeDecoder) throws {
    if decoder.kind(decoder.index) == .arrayStart, !decoder.word(decoder.index &+ 1).childCount.isMultiple(of: 2) {
      throw decoder.corrupted(
        at: decoder.index, .same, "Expected collection of key-value pairs; encountered odd-length array instead.")
    }
    var key: Key?
    var isKey = true
    try decoder.forEachElement { index, step in
      defer { isKey.toggle() }
      if isKey {
        key = nil
        key = try decoder.unwrap(Key.self, at: index, step)
      } else if let key {
        // As above: the last value of a key is used, or none.
        self[key] = nil
        self[key] = try decoder.unwrap(Value.self, at: index, step)
      }
    }
  }
}

/// A key of a dictionary, with the properties of the one that the standard library uses.
private struct DictionaryKey: CodingKey {
  let stringValue: String
  var intValue: Int? { Int(stringValue) }

  init(stringValue: String) { self.stringValue = stringValue }
  init(intValue: Int) { stringValue = String(intValue) }
}

extension TapeDecoder {
  /// Calls `body` with each element of the array. An element whose error is only reported is left out.
  @inline(__always)
  fileprivate func forEachElement(_ body: (UInt32, CodingStep) throws -> Void) throws {
    guard kind(index) == .arrayStart else { throw notAContainer([Any].self, "unkeyed") }
    let end = after(index) &- 1
    var next = index &+ 2
    var position = 0
    while next < end {
      do { try body(next, .index(position)) } catch { try drop(error, at: next, .index(position)) }
      next = after(next)
      position &+= 1
    }
  }

  /// Returns the error for a key that the key type of a dictionary cannot represent.
  fileprivate func wrongKey(_ type: Any.Type, _ key: some CodingKey, at index: UInt32) -> DecodingError {
    guard type == Int.self else { return corrupted(at: index, .key(key), "Could not convert key to type \(type)") }
    return .typeMismatch(type, context(.key(key), at: index, "Expected Int key but found String key instead."))
  }

  /// Stores the failure of an element, which is then left out. Throws the error if it must not be.
  @inline(never)
  fileprivate func drop(_ error: any Error, at index: UInt32, _ step: CodingStep) throws {
    guard let mismatch = error as? DecodingError, try context.mayDrop(mismatch, at: index) else { throw error }
    // Elements inside an element that is not in the result are not reported.
    while let last = unsafe context.failures.last, index..<after(index) ~= last.index {
      unsafe context.failures.removeLast()
    }
    unsafe context.failures.append(StoredFailure(index: index, path: path(step), error: mismatch))
  }
}
