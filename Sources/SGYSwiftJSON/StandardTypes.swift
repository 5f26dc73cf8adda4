import Foundation
import JSONSift

/// The leaf types of Swift and Foundation, with specialized code to read and set each of them. Generic code looks up
/// metadata for each value, which costs more than the value.
struct StandardTypes: Sendable {
  // Closures are stored in structs: as values of a dictionary they would be wrapped for every call.

  /// Converts the current child of a walk to a leaf; returns `nil` if it cannot be converted.
  struct Reader: @unchecked Sendable {
    // It captures metatypes, which are immutable but not marked as Sendable.
    let read: (ChildWalk) -> Any?
  }

  /// Converts all children of a walk to an array. Reports each child that cannot be converted.
  struct ArrayReader: Sendable {
    let read: @Sendable (ChildWalk, _ reject: (ChildWalk) -> Void) -> Any
  }

  /// Creates a key from a name.
  struct KeyMaker: Sendable {
    let make: @Sendable (String) -> Any?
  }

  /// Creates the setter of a property.
  struct SetterMaker: Sendable {
    let make: @Sendable (StoredProperty) -> PropertySetter
  }

  static let all = StandardTypes()

  /// Readers by declared type. This module conforms these types to ``JSONLeafConvertable``.
  private(set) var conforming: [ObjectIdentifier: Reader] = [:]
  /// Readers for types that this module does not conform. A program can conform them; its conformance takes precedence.
  private(set) var others: [ObjectIdentifier: Reader] = [:]
  /// By the type of an array of conforming leaves.
  private(set) var arrays: [ObjectIdentifier: ArrayReader] = [:]
  /// Setters by the declared type of a property: a leaf, an array of leaves, or an optional of these.
  private(set) var setters: [ObjectIdentifier: SetterMaker] = [:]

  /// Key makers by key type, for types that this module does not conform.
  private(set) var keys: [ObjectIdentifier: KeyMaker] = [:]

  private init() {
    add(String.self) { $0.string ?? StandardLeaf.string($0.json) }
    add(Bool.self) { $0.bool ?? StandardLeaf.bool($0.json) }
    add(Int.self) { Self.integer($0) }
    add(Int8.self) { Self.integer($0) }
    add(Int16.self) { Self.integer($0) }
    add(Int32.self) { Self.integer($0) }
    add(Int64.self) { Self.integer($0) }
    add(UInt.self) { Self.integer($0) }
    add(UInt8.self) { Self.integer($0) }
    add(UInt16.self) { Self.integer($0) }
    add(UInt32.self) { Self.integer($0) }
    add(UInt64.self) { Self.integer($0) }
    add(Int128.self) { Self.integer($0) }
    add(UInt128.self) { Self.integer($0) }
    add(Double.self) { Self.double($0) }
    add(Float.self) { walk in
      Self.double(walk).flatMap { StandardLeaf.float(walk.json, double: $0) }
    }
    #if !(os(macOS) && arch(x86_64))
      add(Float16.self) { StandardLeaf.float16($0.json) }
    #endif
    addOther(NSString.self) { StandardLeaf.string($0).map { NSString(string: $0) } }
    addOther(NSMutableString.self) { StandardLeaf.string($0).map { NSMutableString(string: $0) } }
    addOther(NSNumber.self) { StandardLeaf.number($0) }
    addOther(NSDecimalNumber.self) { StandardLeaf.decimal($0).map { NSDecimalNumber(decimal: $0) } }
    addOther(Decimal.self) { StandardLeaf.decimal($0) }
    addOther(CGFloat.self) { StandardLeaf.double($0).map { CGFloat($0) } }
    addOther(Character.self) { $0.string.flatMap { StandardLeaf.only($0) } }
    addOther(Unicode.Scalar.self) { $0.string.flatMap { StandardLeaf.only($0.unicodeScalars) } }
    addOther(Substring.self) { StandardLeaf.string($0).map { Substring($0) } }
    addOther(URL.self) { $0.string.flatMap { URL(string: $0) } }
    addOther(UUID.self) { $0.string.flatMap { UUID(uuidString: $0) } }
    addOther(Data.self) { $0.string.flatMap { Data(base64Encoded: $0) } }
    addSetters(Date.self)
  }

  private static func integer<Integer: FixedWidthInteger>(_ walk: ChildWalk) -> Integer? {
    if let value = walk.plainInteger { return Integer(exactly: value) }
    return StandardLeaf.integer(walk.json, Integer.self)
  }

  private static func double(_ walk: ChildWalk) -> Double? {
    if let value = walk.double { return value.isFinite ? value : nil }
    return StandardLeaf.double(walk.json)
  }

  // MARK: Specialized code for a type

  // Forced inlining in this file saves 0.9 % of the instructions of `jsonsift-bench-models models` (Benchmarks).
  @inline(__always)
  private mutating func add<Leaf>(_ type: Leaf.Type, _ read: @escaping @Sendable (ChildWalk) -> Leaf?) {
    conforming[ObjectIdentifier(type)] = Reader { read($0).map { $0 as Any } }
    arrays[ObjectIdentifier([Leaf].self)] = ArrayReader { walk, reject in
      var leaves: [Leaf] = []
      while walk.next() { if let leaf = read(walk) { leaves.append(leaf) } else { reject(walk) } }
      return leaves
    }
    addSetters(type)
    addSetters([Leaf].self)
  }

  private mutating func addOther<Leaf>(_ type: Leaf.Type, _ read: @escaping @Sendable (JSON) -> Leaf?) {
    others[ObjectIdentifier(type)] = Reader { read($0.json).map { $0 as Any } }
    keys[ObjectIdentifier(type)] = KeyMaker { read(JSON($0)).map { $0 as Any } }
    addSetters(type)
  }

  private mutating func addSetters<Value>(_ type: Value.Type) {
    setters[ObjectIdentifier(type)] = SetterMaker { PropertySetter.plain(Value.self, $0) }
    setters[ObjectIdentifier(Value?.self)] = SetterMaker { PropertySetter.optional(Value.self, $0) }
  }
}
