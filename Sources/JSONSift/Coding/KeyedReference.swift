/// A reference to the decoder for a keyed container that outlives the call it was passed to. It is empty while the
/// decoder owns the container, which is the common case.
final class DecoderKeeper {
  var decoder: TapeDecoder?

  init(_ decoder: TapeDecoder? = nil) { self.decoder = decoder }
}

/// A stand-in for the class of the standard library's box. In Swift 6 mode `isKnownUniquelyReferenced` is never true
/// for an `AnyObject`.
class ContainerBox {
  private init() {}
}

/// A `KeyedDecodingContainer` of any key type, as the single reference that it consists of.
///
/// The standard library does not document that layout. So it is tested once, and without it no container is reused.
@safe struct KeyedReference {
  /// The box of the container. It is only tested for unique ownership.
  var box: ContainerBox
  let keeper: DecoderKeeper
  /// The key type.
  let key: ObjectIdentifier

  /// Fails if a container does not have the expected layout.
  init?<Key: CodingKey>(_ container: KeyedDecodingContainer<Key>, _ keeper: DecoderKeeper) {
    guard Self.isReference else { return nil }
    box = Self.reference(container)
    self.keeper = keeper
    key = ObjectIdentifier(Key.self)
  }

  /// Returns the reference to the box. Worth it: creating a container for each value takes 19 % more instructions
  /// (Scripts/measure instructions, decode).
  ///
  /// SAFETY: called only after `isReference` is true, or while it is being computed. The object is only retained,
  /// released and tested for unique ownership, which is the same for all Swift classes.
  private static func reference<Key: CodingKey>(_ container: KeyedDecodingContainer<Key>) -> ContainerBox {
    unsafe unsafeBitCast(container, to: ContainerBox.self)
  }

  /// Returns the container.
  ///
  /// SAFETY: it was made from a container with this key type; the caller compares `key` first.
  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    unsafe unsafeBitCast(box, to: KeyedDecodingContainer<Key>.self)
  }

  /// Whether a container consists of one reference to a box, and a copy of it retains that box.
  ///
  /// SAFETY: the bits are read as an integer, which is valid for any type of that size; and as a reference only after
  /// reflection found the same reference in them.
  private static let isReference: Bool = {
    let container = sample()
    guard MemoryLayout.size(ofValue: container) == MemoryLayout<UInt>.size else { return false }
    let properties = Mirror(reflecting: container).children.map { $0.value }
    guard properties.count == 1, let property = properties.first, type(of: property) is AnyClass else { return false }
    let bits = unsafe unsafeBitCast(container, to: UInt.self)
    return bits == UInt(bitPattern: ObjectIdentifier(property as AnyObject)) && isCounted()
  }()

  /// Returns whether a container that shares the box makes the reference to it non-unique.
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
