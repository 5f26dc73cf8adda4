/// An array whose elements are decoded directly. The standard library's `Array.init(from:)` decodes each element
/// through an unkeyed container, and looks up its own type each time.
protocol ElementwiseDecodable {
  /// Returns whether memory for `count` elements may be reserved before the first one is decoded. A short text may
  /// contain very many elements of a type that is large in memory.
  static func fits(_ count: Int) -> Bool

  /// Decodes the array of a decoder. `T` is the conforming type itself.
  static func decode<T>(as type: T.Type, from decoder: TapeDecoder) throws -> T
}

/// A cache of the types that are arrays: the dynamic cast costs more than decoding a short array.
struct ElementwiseTypes {
  private struct Entry {
    var type: ObjectIdentifier
    var elementwise: (any ElementwiseDecodable.Type)?
  }

  private static let count = 16
  private var entries = [Entry](
    repeating: Entry(type: ObjectIdentifier(Never.self), elementwise: nil), count: Self.count)

  /// Returns the type as an array type, or `nil` if it is not an array.
  mutating func find<T>(_ type: T.Type) -> (any ElementwiseDecodable.Type)? {
    let wanted = ObjectIdentifier(type)
    let slot = Int(truncatingIfNeeded: UInt(bitPattern: wanted) &>> 4) & (Self.count - 1)
    if entries[slot].type == wanted { return entries[slot].elementwise }
    entries[slot] = Entry(type: wanted, elementwise: type as? any ElementwiseDecodable.Type)
    return entries[slot].elementwise
  }
}
