public import Foundation
import JSONSift
import JSONSiftFoundation

/// Converts models to JSON.
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
/// An optional is unwrapped; then the value is written by the first rule that matches its dynamic type:
///
/// 1. A ``JSONProxyProvider`` is written as its proxy.
/// 2. A ``JSONLeafRepresentable`` is written as a string, a number or null.
/// 3. A Date is written as the result of ``dateConversionBlock``. Decimal, CGFloat, Character, Substring, URL, UUID and
///    (as Base64) Data are leaves too.
/// 4. A ``SGYDictionaryReflection`` is written as an object. A key that is not a string is written as the text of its
///    Foundation leaf, its description, or its leaf.
/// 5. A ``SGYCollectionReflection`` is written as an array, and so is a value whose Mirror shows a collection.
/// 6. Any other value is written as an object of its stored properties, as its Mirror shows them, including inherited
///    and private ones. An enum case with a payload is written as an object with the payload under the name of the
///    case.
///
/// A property or dictionary value that is `nil` is omitted; in an array `nil` is written as null. Values that JSON
/// cannot represent are omitted, and the observer is notified: NaN and infinity, functions, metatypes, enums without
/// raw value, properties that cannot be copied. Empty values are written: `{}`, `[]`, `""`.
///
/// An object that contains itself, more than 512 levels of nested containers, and a type without reflection metadata
/// are errors.
///
/// A serializer may be used by one thread at a time.
open class SGYJSONSerializer {
  /// Converts a date to a string, a number or null; returning `nil` omits it. Without a block all dates are omitted.
  open var dateConversionBlock: ((Date) -> (any JSONLeafRepresentable)?)?

  /// The options for writing text: `.prettyPrinted`, `.sortedKeys`, `.withoutEscapingSlashes`. With `.fragmentsAllowed`
  /// the root may be a string, a number, `true`, `false` or `null`.
  open var writingOptions: JSONSerialization.WritingOptions = []

  /// Creates a serializer.
  public init() {}

  /// Returns the JSON text of any object.
  ///
  /// - Parameters:
  ///   - object: The object to write.
  ///   - observer: Notified of each value that was omitted.
  /// - Returns: The text, in UTF-8. Members have the order of the properties; `.sortedKeys` sorts them.
  /// - Throws: An NSError with a ``SerializeError``.
  /// - Complexity: O(size of the model). No recursion.
  open func serialize(_ object: Any, observer: (any JSONWarningObserver)? = nil) throws -> Data {
    let json = try json(of: object, observer: observer)
    let isContainer = json.type == .array || json.type == .dictionary
    guard isContainer || writingOptions.contains(.fragmentsAllowed) else { throw Self.notAContainer(object) }
    do throws(JSONError) {
      return try json.data(writingOptions)
    } catch {
      throw Self.failed(NSError.notJSON(error, position: "Byte \(error.byteOffset)"))
    }
  }

  /// Returns the JSON text of a collection.
  ///
  /// - Throws: An NSError with a ``SerializeError``.
  open func serialize(
    _ collection: any SGYCollectionReflection, observer: (any JSONWarningObserver)? = nil
  ) throws -> Data {
    try serialize(collection as Any, observer: observer)
  }

  /// Returns the JSON text of a dictionary.
  ///
  /// - Throws: An NSError with a ``SerializeError``.
  open func serialize(
    _ dictionary: any SGYDictionaryReflection, observer: (any JSONWarningObserver)? = nil
  ) throws -> Data {
    try serialize(dictionary as Any, observer: observer)
  }

  /// Returns the JSON value of an object, which can be modified, queried, or written in chunks with
  /// `JSON.write(_:to:)`.
  ///
  /// - Throws: An NSError with a ``SerializeError``.
  open func json(of object: Any, observer: (any JSONWarningObserver)? = nil) throws -> JSON {
    var writer = ModelWriter(date: dateConversionBlock, observer: observer)
    do throws(JSONModelError) {
      if let json = try writer.write(object) { return json }
    } catch {
      throw Self.failed(NSError.holding(error))
    }
    throw Self.notAContainer(object)
  }

  private static func notAContainer(_ object: Any) -> NSError {
    failed(NSError.holding(JSONModelError(code: .notAContainer, keyPath: "", typeName: "\(type(of: object))")))
  }

  private static func failed(_ error: NSError) -> NSError {
    NSError.holding(SerializeError.jsonSerializationError(error))
  }
}
