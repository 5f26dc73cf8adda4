/// An array, whose elements are decoded into their places. The standard library looks up its own type for each of them.
protocol ElementwiseDecodable {
  /// Whether so many elements are few enough to make room for before one of them is seen: a short text may say that it has
  /// very many of a type that is large.
  static func fits(_ count: Int) -> Bool

  /// The array that a decoder is at, as the type that conforms, which is `T`.
  static func decode<T>(as type: T.Type, from decoder: TapeDecoder) throws -> T
}

/// Which types are arrays: to ask the runtime costs more than a short array.
struct ElementwiseTypes {
  private struct Entry {
    var type: ObjectIdentifier
    var elementwise: (any ElementwiseDecodable.Type)?
  }

  private static let count = 16
  private var entries = [Entry](
    repeating: Entry(type: ObjectIdentifier(Never.self), elementwise: nil), count: Self.count)

  @inline(__always)
  mutating func find<T>(_ type: T.Type) -> (any ElementwiseDecodable.Type)? {
    let wanted = ObjectIdentifier(type)
    let place = Int(truncatingIfNeeded: UInt(bitPattern: wanted) &>> 4) & (Self.count - 1)
    if entries[place].type == wanted { return entries[place].elementwise }
    entries[place] = Entry(type: wanted, elementwise: type as? any ElementwiseDecodable.Type)
    return entries[place].elementwise
  }
}
