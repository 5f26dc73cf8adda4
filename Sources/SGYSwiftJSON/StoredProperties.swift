// The fence: all that sets a property without its setter, and all that relies on how Swift lays out a class.
//
// The standard library exports three functions that `Mirror` is made of. They tell name, type and offset of each stored
// property of a class, those of its superclasses first. They are no public interface, so nothing is believed before
// `isTrusted` has tried it on classes that are known; where that fails, properties cannot be set by reflection, and say
// so.

/// One stored property.
struct StoredProperty {
  enum Access {
    case variable
    case constant
    case weak
    /// Of a type whose values cannot be moved as bytes of one fixed form: functions, tuples and metatypes.
    case unsupported
  }

  let name: String
  let type: Any.Type
  let access: Access
  fileprivate let offset: Int
}

enum StoredProperties {
  /// The stored properties of a class, those of its superclasses first; `nil` if they cannot be known.
  static func of(_ type: AnyClass) -> [StoredProperty]? { isTrusted ? read(type) : nil }

  /// Whether Mirror can be asked about values of a type. It ends the process where there is no metadata.
  static func areReadable(_ type: Any.Type) -> Bool {
    guard let type = type as? AnyClass else { return hasFieldNames(type) }
    return hasFieldNamesInChain(type)
  }

  // MARK: Self-test

  /// Whether the runtime does what this file takes for granted. Found out on first use.
  static let isTrusted: Bool = test()

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

  /// Reads a class and sets two of its properties. On any surprise the answer is no.
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
    // Offsets rise and stay inside: nothing is written before that is known.
    guard fields[0].offset >= 2 * MemoryLayout<Int>.size, fields[1].offset > fields[0].offset,
      fields[2].offset >= fields[1].offset + MemoryLayout<String?>.size, fields[2].offset < 256
    else { return false }
    return PropertySetter.of(fields[1]).set("zwei", probe) && probe.second == "zwei"
      && PropertySetter.of(fields[2]).set([4, 5], probe) && probe.third == [4, 5] && probe.first == 1
  }
}

// MARK: Reading

extension StoredProperties {
  /// What the standard library fills in about a property: its own `_FieldReflectionMetadata`.
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

  /// The descriptor of a class, struct or enum that Swift has compiled.
  @_silgen_name("swift_getTypeContextDescriptor")
  private static func runtimeDescriptor(_: Any.Type) -> UnsafeRawPointer?

  private static func read(_ type: AnyClass) -> [StoredProperty]? {
    // The runtime ends the process where it looks for names that are not there.
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

  /// Whether the compiler has left names of the stored properties, or cases, of a type.
  ///
  /// SAFETY: a descriptor is constant data of the compiler's, in a form that is fixed: five words of 32 bits, of which
  /// the fifth is the distance to the field descriptor, or 0 without metadata. That has two words, a kind and a record
  /// size of 16 bits, a count, and so many records of three words: flags, and the distances to type and name.
  private static func hasFieldNames(_ type: Any.Type) -> Bool {
    guard let descriptor = unsafe runtimeDescriptor(type) else { return true }
    let place = unsafe descriptor + 16
    let distance = unsafe place.loadUnaligned(as: Int32.self)
    guard distance != 0 else { return false }
    let fields = unsafe place + Int(distance)
    let recordSize = unsafe Int(fields.loadUnaligned(fromByteOffset: 10, as: UInt16.self))
    let count = unsafe Int(fields.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    guard recordSize == 12 else { return count == 0 }
    for index in 0..<count {
      let name = unsafe fields.loadUnaligned(fromByteOffset: 16 + index * recordSize + 8, as: Int32.self)
      if name == 0 { return false }
    }
    return true
  }

  /// A function that is stored has another form than one in an `Any`, and so has one in a tuple. What cannot be moved
  /// out of an `Any` at all is reported as an empty tuple.
  private static func isFunctionOrTuple(_ type: Any.Type) -> Bool {
    let kind = kind(of: unwrapped(type))
    return kind == 0x301 || kind == 0x302
  }

  /// A metatype, such as `Int.Type`, or an optional or tuple of one. As a property it takes no bytes at all, or those of
  /// a case, and elsewhere it takes an address. So what a Mirror shows of such a property is not what it is: its bytes
  /// are those of the property's neighbours.
  static func holdsMetatype(_ type: Any.Type) -> Bool {
    switch kind(of: type) {
    case 0x304: return true
    case 0x202:
      // An optional that cannot be copied stays as it is.
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

  /// SAFETY: a metatype is the address of metadata, whose first word is its kind: 0x301 a tuple, 0x302 a function, 0x304
  /// a metatype, 0x202 an optional.
  private static func kind(of type: Any.Type) -> UInt {
    unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
  }
}

// MARK: Setting

/// Sets one stored property.
struct PropertySetter: Sendable {
  /// Sets the property if the value is of its type, and says whether it was. The object must be of the class that the
  /// property was read of, or of a subclass.
  let set: @Sendable (_ value: Any, _ object: AnyObject) -> Bool

  /// The setter of a property that is a variable.
  static func of(_ property: StoredProperty) -> PropertySetter {
    func open<Value>(_ type: Value.Type) -> PropertySetter { plain(type, property) }
    return StandardTypes.all.setters[ObjectIdentifier(property.type)]?.make(property) ?? open(property.type)
  }

  /// Sets a property of this type. Where the type is known to the compiler, so is the way to copy it.
  @inline(__always)
  static func plain<Value>(_ type: Value.Type, _ property: StoredProperty) -> PropertySetter {
    let offset = property.offset
    return PropertySetter { value, object in
      guard let value = unsafe same(value, as: Value.self) ?? (value as? Value) else { return false }
      unsafe write(value, offset, object)
      return true
    }
  }

  /// Sets a property of the optional of this type.
  @inline(__always)
  static func optional<Wrapped>(_ type: Wrapped.Type, _ property: StoredProperty) -> PropertySetter {
    let offset = property.offset
    return PropertySetter { value, object in
      if let value = unsafe same(value, as: Wrapped.self) {
        unsafe write(Optional(value), offset, object)
        return true
      }
      // An optional, or what casts to one.
      guard let value = value as? Wrapped? else { return false }
      unsafe write(value, offset, object)
      return true
    }
  }

  /// The value, if its type is exactly this one. A cast would find that out too, after much else.
  @unsafe @inline(__always)
  private static func same<Value>(_ value: Any, as type: Value.Type) -> Value? {
    func open<Actual>(_ actual: Actual) -> Value? {
      // SAFETY: two types are the same if their metadata is; so the bits are those of a `Value`.
      Actual.self == Value.self ? unsafe unsafeBitCast(actual, to: Value.self) : nil
    }
    return _openExistential(value, do: open)
  }

  /// SAFETY: `offset` is where the runtime has an initialised variable of this very type, in every object of the class
  /// that `StoredProperties` has read; the callers give no other. The object is held until the write is over. It is not
  /// checked whether somebody else is reading the property: documented.
  @unsafe @inline(__always)
  private static func write<Value>(_ value: Value, _ offset: Int, _ object: AnyObject) {
    unsafe Unmanaged.passUnretained(object).toOpaque().advanced(by: offset).assumingMemoryBound(to: Value.self)
      .pointee =
      value
    withExtendedLifetime(object) {}
  }
}
