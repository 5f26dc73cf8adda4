/// Holds a decoder for a container that somebody keeps; most often nobody does, and it is empty.
final class DecoderKeeper {
  var decoder: TapeDecoder?

  init(_ decoder: TapeDecoder? = nil) { self.decoder = decoder }
}

/// Whatever class a container refers to. A reference to an `AnyObject` is never found to be the only one in Swift 6 mode.
class ContainerBox {
  private init() {}
}

/// A `KeyedDecodingContainer` of any type of key, as the one reference that it is.
///
/// The standard library does not promise that it is one, so this tries it out, once, and else nothing is kept.
@safe struct KeyedReference {
  /// Only to ask whether it is shared.
  var box: ContainerBox
  let keeper: DecoderKeeper
  /// The type of the keys.
  let key: ObjectIdentifier

  /// Nil if a container is not what it is known as.
  init?<Key: CodingKey>(_ container: KeyedDecodingContainer<Key>, _ keeper: DecoderKeeper) {
    guard Self.isReference else { return nil }
    box = Self.reference(container)
    self.keeper = keeper
    key = ObjectIdentifier(Key.self)
  }

  /// Worth it: to make each container anew is 19 % more instructions (check-instructions, decode).
  ///
  /// SAFETY: only after `isReference` has been asked, or to answer it. Nothing is done with the object but to count it, which
  /// is the same for all classes of Swift.
  @inline(__always)
  private static func reference<Key: CodingKey>(_ container: KeyedDecodingContainer<Key>) -> ContainerBox {
    unsafe unsafeBitCast(container, to: ContainerBox.self)
  }

  /// The container.
  ///
  /// SAFETY: it was made of one with keys of this type, as `key` says to who asks.
  @inline(__always)
  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    unsafe unsafeBitCast(box, to: KeyedDecodingContainer<Key>.self)
  }

  /// Whether a container is one reference to a box, and a copy of it one more.
  ///
  /// SAFETY: the bits are looked at as a number, which they are in every type of that size, and as a reference only when
  /// reflection has found that reference in them.
  private static let isReference: Bool = {
    let container = sample()
    guard MemoryLayout.size(ofValue: container) == MemoryLayout<UInt>.size else { return false }
    let properties = Mirror(reflecting: container).children.map { $0.value }
    guard properties.count == 1, let property = properties.first, type(of: property) is AnyClass else { return false }
    let bits = unsafe unsafeBitCast(container, to: UInt.self)
    return bits == UInt(bitPattern: ObjectIdentifier(property as AnyObject)) && isCounted()
  }()

  /// Whether a reference knows of the containers that share it.
  private static func isCounted() -> Bool {
    var box = sampleReference()
    guard isKnownUniquelyReferenced(&box) else { return false }
    let container = unsafe unsafeBitCast(box, to: KeyedDecodingContainer<CodingPathKey>.self)
    return withExtendedLifetime(container) { !isKnownUniquelyReferenced(&box) }
  }

  @inline(never)
  private static func sampleReference() -> ContainerBox { reference(sample()) }

  @inline(never)
  private static func sample() -> KeyedDecodingContainer<CodingPathKey> {
    let decoder = TapeDecoder(DecodingContext())
    return KeyedDecodingContainer(KeyedTapeContainer<CodingPathKey>(decoder, DecoderKeeper(decoder)))
  }
}
