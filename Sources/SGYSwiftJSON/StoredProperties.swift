import Synchronization

// All code that sets a property without its setter, and all code that relies on the memory layout of classes.
//
// The standard library exports three functions that `Mirror` is implemented with. They return name, type and offset of
// each stored property of a class, starting with its superclasses. They are not public API, so `isTrusted` first tests
// them on known classes; if the test fails, properties cannot be set by reflection, and an error reports it.

struct StoredProperty {
  enum Access {
    case variable
    case constant
    case weak
    /// The type is a function, a tuple or a metatype: its values cannot be copied as bytes of one fixed form.
    case unsupported
  }

  let name: String
  let type: Any.Type
  let access: Access
  fileprivate let offset: Int
}

package enum StoredProperties {
  /// Returns the stored properties of a class, starting with those of its superclasses; `nil` if they are unknown.
  static func of(_ type: AnyClass) -> [StoredProperty]? { isTrusted ? read(type) : nil }

  /// Returns whether a Mirror can reflect values of a type. It terminates the process if there is no metadata.
  static func areReadable(_ type: Any.Type) -> Bool {
    guard let type = type as? AnyClass else { return hasFieldNames(type) }
    return hasFieldNamesInChain(type)
  }

  // MARK: Self-test

  /// Whether the runtime behaves as this file assumes. Tested on first use.
  static let isTrusted: Bool = !isRefused.load(ordering: .relaxed) && test()

  private static let isRefused = Atomic(false)

  /// Makes the self-test fail if it has not run yet, for a test of what works without it.
  package static func refuse() { isRefused.store(true, ordering: .relaxed) }

  private class ProbeBase {
    let first: UInt8 = 1
    var second: String? = "two"
  }

  private final class Probe<Element>: ProbeBase {
    var third: Element
    weak var fourth: ProbeBase?
    var fifth: (() -> Int)?
    init(_ third: Element) { self.third = third }
  }

  /// Reads a class and sets two of its properties. Returns `false` on any unexpected result.
  private static func test() -> Bool {
    let probe = Probe([3])
    guard let fields = read(Probe<[Int]>.self),
      fields.map({ $0.name }) == ["first", "second", "third", "fourth", "fifth"]
    else { return false }
    let types: [Any.Type] = [UInt8.self, String?.self, [Int].self, ProbeBase?.self, (() -> Int)?.self]
    let access: [StoredProperty.Access] = [.constant, .variable, .variable, .weak, .unsupported]
    guard zip(fields, types).allSatisfy({ $0.type == $1 }), zip(fields, access).allSatisfy({ $0.access == $1 }) else {
      return false
    }
    // Offsets increase and stay within the instance: nothing is written before this is verified.
    guard fields[0].offset >= 2 * MemoryLayout<Int>.size, fields[1].offset > fields[0].offset,
      fields[2].offset >= fields[1].offset + MemoryLayout<String?>.size, fields[2].offset < 256
    else { return false }
    return PropertySetter.of(fields[1]).set("zwei", probe) && probe.second == "zwei"
      && PropertySetter.of(fields[2]).set([4, 5], probe) && probe.third == [4, 5] && probe.first == 1
  }
}

// MARK: Reading

extension StoredProperties {
  /// The metadata of a property that the standard library fills in: its own `_FieldReflectionMetadata`.
  @safe private struct RuntimeField {
    var name: UnsafePointer<CChar>?
    var freeName: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVar = false
  }

  @_silgen_name("swift_reflectionMirror_recursiveCount")
  private static func runtimeCount(_: Any.Type) -> Int

  @_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
  private static func runtimeField(
    _: Any.Type, index: Int, fieldMetadata: UnsafeMutablePointer<RuntimeField>
  ) -> Any.Type

  @_silgen_name("swift_reflectionMirror_recursiveChildOffset")
  private static func runtimeOffset(_: Any.Type, index: Int) -> Int

  /// The context descriptor of a class, struct or enum compiled by Swift.
  @_silgen_name("swift_getTypeContextDescriptor")
  private static func runtimeDescriptor(_: Any.Type) -> UnsafeRawPointer?

  private static func read(_ type: AnyClass) -> [StoredProperty]? {
    // The runtime terminates the process if the names are missing.
    guard hasFieldNamesInChain(type) else { return nil }
    var properties: [StoredProperty] = []
    for index in 0..<runtimeCount(type) {
      var field = RuntimeField()
      let declared = unsafe runtimeField(type, index: index, fieldMetadata: &field)
      defer { unsafe field.freeName?(field.name) }
      guard let name = unsafe field.name else { return nil }
      let isPlain = !isFunctionOrTuple(declared) && !holdsMetatype(declared)
      properties.append(
        StoredProperty(
          name: unsafe String(cString: name), type: declared,
          access: !field.isStrong ? .weak : !field.isVar ? .constant : isPlain ? .variable : .unsupported,
          offset: runtimeOffset(type, index: index)))
    }
    return properties
  }

  private static func hasFieldNamesInChain(_ type: AnyClass) -> Bool {
    var next: AnyClass? = type
    while let type = next {
      guard hasFieldNames(type) else { return false }
      next = _getSuperclass(type)
    }
    return true
  }

  /// Returns whether the compiler emitted the names of the stored properties or cases of a type.
  ///
  /// SAFETY: a descriptor is constant data emitted by the compiler, in a fixed format: five 32-bit fields; the fifth is
  /// the distance to the field descriptor, or 0 without metadata. The field descriptor consists of two 32-bit fields, a
  /// kind and a record size of 16 bits each, a record count, and the records. A record has three 32-bit fields: flags,
  /// and the distances to type and name.
  private static func hasFieldNames(_ type: Any.Type) -> Bool {
    guard let descriptor = unsafe runtimeDescriptor(type) else { return true }
    let address = unsafe descriptor + 16
    let distance = unsafe address.loadUnaligned(as: Int32.self)
    guard distance != 0 else { return false }
    let fields = unsafe address + Int(distance)
    let recordSize = unsafe Int(fields.loadUnaligned(fromByteOffset: 10, as: UInt16.self))
    let count = unsafe Int(fields.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    guard recordSize == 12 else { return count == 0 }
    for index in 0..<count {
      let name = unsafe fields.loadUnaligned(fromByteOffset: 16 + index * recordSize + 8, as: Int32.self)
      if name == 0 { return false }
    }
    return true
  }

  /// A stored function has another representation than one in an `Any`, and so has a function in a tuple. A value that
  /// cannot be copied out of an `Any` at all is reported as an empty tuple.
  private static func isFunctionOrTuple(_ type: Any.Type) -> Bool {
    let kind = kind(of: unwrapped(type))
    return kind == 0x301 || kind == 0x302
  }

  /// Returns whether the type is a metatype, such as `Int.Type`, or an optional or tuple of one. A stored metatype
  /// takes no bytes, or only those of an enum case; elsewhere it takes an address. So a Mirror reads bytes of
  /// neighbouring properties as the value of such a property.
  static func holdsMetatype(_ type: Any.Type) -> Bool {
    switch kind(of: type) {
    case 0x304: return true
    case 0x202:
      // An optional that cannot be copied cannot be unwrapped.
      let wrapped = unwrapped(type)
      return kind(of: wrapped) != 0x202 && holdsMetatype(wrapped)
    case 0x301:
      for index in 0..<runtimeCount(type) {
        var element = RuntimeField()
        let declared = unsafe runtimeField(type, index: index, fieldMetadata: &element)
        unsafe element.freeName?(element.name)
        if holdsMetatype(declared) { return true }
      }
      return false
    default: return false
    }
  }

  private static func unwrapped(_ type: Any.Type) -> Any.Type {
    var type = type
    while let optional = type as? any OptionalReflection.Type { type = optional.wrappedType }
    return type
  }

  /// SAFETY: a metatype is the address of metadata. Its first field is the kind: 0x301 a tuple, 0x302 a function, 0x304
  /// a metatype, 0x202 an optional.
  private static func kind(of type: Any.Type) -> UInt {
    unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
  }
}

// MARK: Setting

/// Sets one property.
struct PropertySetter: @unchecked Sendable {
  // It may capture a key path, which is immutable but not marked as Sendable.
  /// Sets the property if the value has its type, and returns whether it was set. The object must be an instance of the
  /// class that the property was read from, or of a subclass.
  let set: (_ value: Any, _ object: AnyObject) -> Bool

  /// Returns the setter of a property that is a variable.
  static func of(_ property: StoredProperty) -> PropertySetter {
    func open<Value>(_ type: Value.Type) -> PropertySetter { plain(type, property) }
    return StandardTypes.all.setters[ObjectIdentifier(property.type)]?.make(property) ?? open(property.type)
  }

  /// Returns the setter of a property of this type. If the compiler knows the type, it specializes the copy.
  static func plain<Value>(_ type: Value.Type, _ property: StoredProperty) -> PropertySetter {
    let offset = property.offset
    return PropertySetter { value, object in
      guard let value = unsafe same(value, as: Value.self) ?? (value as? Value) else { return false }
      unsafe write(value, offset, object)
      return true
    }
  }

  /// Returns the setter of a property whose type is the optional of this type.
  static func optional<Wrapped>(_ type: Wrapped.Type, _ property: StoredProperty) -> PropertySetter {
    let offset = property.offset
    return PropertySetter { value, object in
      if let value = unsafe same(value, as: Wrapped.self) {
        unsafe write(Optional(value), offset, object)
        return true
      }
      // An optional, or a value that casts to one.
      guard let value = value as? Wrapped? else { return false }
      unsafe write(value, offset, object)
      return true
    }
  }

  /// Returns the value if its type is exactly this one. A cast returns the same. Worth it: with a cast, reading models
  /// takes 8 % more instructions (callgrind, job `models` of jsonsift-bench-models).
  @unsafe
  private static func same<Value>(_ value: Any, as type: Value.Type) -> Value? {
    func open<Actual>(_ actual: Actual) -> Value? {
      // SAFETY: two types are equal if their metadata is the same, so the bits are those of a `Value`.
      Actual.self == Value.self ? unsafe unsafeBitCast(actual, to: Value.self) : nil
    }
    return _openExistential(value, do: open)
  }

  /// SAFETY: `offset` is the offset of an initialised variable of exactly this type in every object of the class that
  /// `StoredProperties` has read; the callers pass no other offset. The object is retained until the write is complete.
  /// Concurrent reads of the property are not detected: documented.
  @unsafe
  private static func write<Value>(_ value: Value, _ offset: Int, _ object: AnyObject) {
    unsafe Unmanaged.passUnretained(object).toOpaque().advanced(by: offset).assumingMemoryBound(to: Value.self)
      .pointee =
      value
    withExtendedLifetime(object) {}
  }
}
