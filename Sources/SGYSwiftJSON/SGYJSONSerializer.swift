public import Foundation
import JSONSift
import JSONSiftFoundation

/// Makes JSON of models.
///
/// ```swift
/// let serializer = SGYJSONSerializer()
/// serializer.dateConversionBlock = { $0.timeIntervalSince1970 }
/// do {
///   let data = try serializer.serialize(person)
///   print(data.count, "bytes")
/// } catch let error as NSError {
///   print(error.localizedDescription)
/// }
/// ```
///
/// A value is unwrapped, if it is optional, and written by the first rule that fits its type at run time:
///
/// 1. A ``JSONProxyProvider`` is written as its proxy.
/// 2. A ``JSONLeafRepresentable`` is a string, a number or null.
/// 3. A Date is what ``dateConversionBlock`` makes of it. Decimal, CGFloat, Character, Substring, URL, UUID and (as
///    Base64) Data are leaves too.
/// 4. A ``SGYDictionaryReflection`` is an object. A key that is no string is the text of its leaf of Foundation, its
///    description, or its leaf.
/// 5. A ``SGYCollectionReflection`` is an array, and so is what its Mirror shows as a collection.
/// 6. Anything else is an object of its stored properties, as its Mirror shows them, inherited and private ones too. Of
///    an enum with a payload that is the payload under the name of the case.
///
/// A property or value of a dictionary that is `nil` is left out; in an array `nil` is null. What JSON has no form for
/// is left out, and the observer is told: NaN and infinity, functions, metatypes, enums without raw value, properties
/// that cannot be copied. What is empty is written: `{}`, `[]`, `""`.
///
/// An object that contains itself, more than 512 containers inside one another, and a type without reflection metadata
/// are errors.
///
/// A serializer is for one thread at a time.
open class SGYJSONSerializer {
  /// Makes a string, a number or null of a date; `nil` leaves it out. Without a block all dates are left out.
  open var dateConversionBlock: ((Date) -> (any JSONLeafRepresentable)?)?

  /// How text is written: `.prettyPrinted`, `.sortedKeys`, `.withoutEscapingSlashes`; with `.fragmentsAllowed` the
  /// whole may be a string, a number, `true`, `false` or `null`.
  open var writingOptions: JSONSerialization.WritingOptions = []

  /// A serializer.
  public init() {}

  /// The JSON text of any object.
  ///
  /// - Parameters:
  ///   - object: What is to be written.
  ///   - observer: Is told of what was left out.
  /// - Returns: The text, in UTF-8. Members have the order of the properties; `.sortedKeys` sorts them.
  /// - Throws: An NSError with a ``SerializeError``.
  /// - Complexity: O(size of the model). No recursion.
  open func serialize(_ object: Any, observer: (any JSONWarningObserver)? = nil) throws -> Data {
    let json = try json(of: object, observer: observer)
    let isContainer = json.type == .array || json.type == .dictionary
    guard isContainer || writingOptions.contains(.fragmentsAllowed) else { throw Self.notAContainer(object) }
    return try data(json)
  }

  /// The JSON text of a collection.
  ///
  /// - Throws: An NSError with a ``SerializeError``.
  open func serialize(
    _ collection: any SGYCollectionReflection, observer: (any JSONWarningObserver)? = nil
  ) throws -> Data {
    try serialize(collection as Any, observer: observer)
  }

  /// The JSON text of a dictionary.
  ///
  /// - Throws: An NSError with a ``SerializeError``.
  open func serialize(
    _ dictionary: any SGYDictionaryReflection, observer: (any JSONWarningObserver)? = nil
  ) throws -> Data {
    try serialize(dictionary as Any, observer: observer)
  }

  /// The same as a value, to be changed, asked, or written piece by piece with `JSON.write(_:to:)`.
  ///
  /// - Throws: An NSError with a ``SerializeError``.
  open func json(of object: Any, observer: (any JSONWarningObserver)? = nil) throws -> JSON {
    var writer = ModelWriter(date: dateConversionBlock, observer: observer)
    do throws(JSONModelError) {
      if let json = try writer.write(object) { return json }
    } catch {
      throw Self.failed(NSError.thrown(error))
    }
    throw Self.notAContainer(object)
  }

  private func data(_ json: JSON) throws -> Data {
    var data = Data()
    do throws(JSONError) {
      try json.write(JSONWriterOptions(writingOptions)) { piece in
        unsafe piece.withUnsafeBytes { unsafe data.append(contentsOf: $0) }
      }
    } catch {
      throw Self.failed(NSError.notJSON(error, place: "Byte \(error.byteOffset)"))
    }
    return data
  }

  private static func notAContainer(_ object: Any) -> NSError {
    failed(
      NSError.thrown(JSONModelError(code: .notAContainer, keyPath: "", typeName: "\(type(of: object))")))
  }

  private static func failed(_ error: NSError) -> NSError {
    NSError.thrown(SerializeError.jsonSerializationError(error))
  }
}
