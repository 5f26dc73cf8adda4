public import Foundation
import JSONSift
import JSONSiftFoundation

/// Converts a JSON value, as JSONSerialization returns it, to a date: the value is a String, NSNumber, `[Any]` or
/// `[String: Any]`. Returning `nil` leaves the property unchanged.
public typealias SGYJSONDateConversionBlock = (Any) -> Date?

/// Creates models from JSON.
///
/// ```swift
/// let deserializer = SGYJSONDeserializer()
/// do {
///   let person: Person = try deserializer.deserialize(data)
///   print(person.name ?? "nobody")
/// } catch let error as NSError {
///   print(error.localizedDescription)  // Line 3, column 27: expected ',' or '}' …
/// }
/// ```
///
/// The requested type determines the required root value: an object for a ``JSONKeyValueCreatable`` or
/// ``JSONDictionaryCreatable``, an array for a ``JSONCollectionCreatable``. Each nested value is converted to the
/// declared type of its property or element, unwrapped from optionals, by the first rule that matches:
///
/// 1. `Any`, `AnyObject`, and any type to which the value casts, get the value as JSONSerialization returns it. A
///    `JSON` gets the value itself, detached from the rest of the text.
/// 2. A Date is created by ``dateConversionBlock``.
/// 3. A string, number, `true` or `false` is converted to a ``JSONLeafConvertable``, and to NSString, NSNumber,
///    NSDecimalNumber, Decimal, CGFloat, Character, Substring, URL, UUID and (from Base64) Data.
/// 4. An array is converted to a ``JSONCollectionCreatable``, NSArray or NSMutableArray.
/// 5. An object is converted to a ``JSONKeyValueCreatable``, a ``JSONDictionaryCreatable``, NSDictionary or
///    NSMutableDictionary.
///
/// A value that no rule converts is omitted, and the observer is notified. Null leaves a property unchanged; in a
/// container it is `nil` if the elements are optional, NSNull if they are `Any`, and otherwise omitted. Members without
/// a property are ignored; properties without a member are unchanged. For duplicate names, the last member that can be
/// converted is used.
///
/// A deserializer may be used by one thread at a time. Several deserializers can read the same class concurrently.
open class SGYJSONDeserializer {
  /// Creates dates. Without it, properties that are dates are unchanged. It is called for each date, and decides about
  /// a missing time zone or format: its result is assigned as it is.
  open var dateConversionBlock: SGYJSONDateConversionBlock?

  /// The options for reading text. Only `.fragmentsAllowed` has an effect: it permits a scalar as the root, which
  /// cannot become a model.
  open var readingOptions: JSONSerialization.ReadingOptions = []

  /// Creates a deserializer.
  public init() {}

  // MARK: Text

  /// Creates a model from the text of a JSON object.
  ///
  /// - Parameters:
  ///   - jsonData: The text, in UTF-8, UTF-16 or UTF-32. At most 512 levels of nested arrays and objects are allowed.
  ///   - observer: Notified of each value that was not converted.
  /// - Throws: An NSError with a ``DeserializeError``: the text is not valid JSON, its root is not an object, or the
  ///   class cannot be read.
  open func deserialize<T: JSONKeyValueCreatable>(
    _ jsonData: Data, observer: (any JSONWarningObserver)? = nil
  ) throws -> T {
    try deserialize(json(jsonData), observer: observer)
  }

  /// Creates a collection from the text of a JSON array.
  ///
  /// - Throws: An NSError with a ``DeserializeError``: the text is not valid JSON, its root is not an array, or a class
  ///   cannot be read.
  open func deserialize<T: JSONCollectionCreatable>(
    _ jsonData: Data, observer: (any JSONWarningObserver)? = nil
  ) throws -> T {
    try deserialize(json(jsonData), observer: observer)
  }

  /// Creates a dictionary from the text of a JSON object.
  ///
  /// - Throws: An NSError with a ``DeserializeError``: the text is not valid JSON, its root is not an object, the keys
  ///   cannot be created from strings, or a class cannot be read.
  open func deserialize<T: JSONDictionaryCreatable>(
    _ jsonData: Data, observer: (any JSONWarningObserver)? = nil
  ) throws -> T {
    try deserialize(json(jsonData), observer: observer)
  }

  /// Sets the properties of an existing object. Properties without a member in the text are unchanged.
  ///
  /// - Throws: An NSError with a ``DeserializeError``. No property was set then, unless the class of a property cannot
  ///   be read.
  open func deserialize(
    _ jsonData: Data, intoInstance instance: any JSONKeyValueCreatable, observer: (any JSONWarningObserver)? = nil
  ) throws {
    try deserialize(json(jsonData), intoInstance: instance, observer: observer)
  }

  // MARK: Values

  /// Creates a model from a value: the value of a match of a path, a record of a stream, or a part of a document.
  ///
  /// ```swift
  /// var matches = try JSONMatches(of: "$.people[*]", in: .path("huge.json"))
  /// while let match = try matches.next() {
  ///   let person: Person = try deserializer.deserialize(match.value)
  ///   print(person.name ?? "nobody")
  /// }
  /// ```
  ///
  /// - Throws: An NSError with a ``DeserializeError``.
  open func deserialize<T: JSONKeyValueCreatable>(
    _ json: JSON, observer: (any JSONWarningObserver)? = nil
  ) throws -> T {
    guard json.type == .dictionary else { throw Self.wrongTop(json, [String: Any].self) }
    let instance = T()
    try deserialize(json, intoInstance: instance, observer: observer)
    return instance
  }

  /// Creates a collection from a value that is an array.
  ///
  /// - Throws: An NSError with a ``DeserializeError``.
  open func deserialize<T: JSONCollectionCreatable>(
    _ json: JSON, observer: (any JSONWarningObserver)? = nil
  ) throws -> T {
    guard json.type == .array else { throw Self.wrongTop(json, [Any].self) }
    return try whole(json, observer)
  }

  /// Creates a dictionary from a value that is an object.
  ///
  /// - Throws: An NSError with a ``DeserializeError``.
  open func deserialize<T: JSONDictionaryCreatable>(
    _ json: JSON, observer: (any JSONWarningObserver)? = nil
  ) throws -> T {
    guard json.type == .dictionary else { throw Self.wrongTop(json, [String: Any].self) }
    return try whole(json, observer)
  }

  /// Sets the properties of an existing object. Properties without a member in the value are unchanged.
  ///
  /// - Throws: An NSError with a ``DeserializeError``.
  open func deserialize(
    _ json: JSON, intoInstance instance: any JSONKeyValueCreatable, observer: (any JSONWarningObserver)? = nil
  ) throws {
    guard json.type == .dictionary else { throw Self.wrongTop(json, [String: Any].self) }
    var reader = ModelReader(date: dateConversionBlock, observer: observer)
    do throws(JSONModelError) {
      try reader.read(json, into: instance)
    } catch {
      throw Self.failed(error)
    }
  }

  // MARK: Shared helpers

  private func json(_ data: Data) throws -> JSON {
    do throws(NSError) {
      return try JSON.swiftyJSONCompatible(data, fragmentsAllowed: readingOptions.contains(.fragmentsAllowed))
    } catch {
      throw NSError.holding(DeserializeError.jsonDeserializationError(error))
    }
  }

  private func whole<T>(_ json: JSON, _ observer: (any JSONWarningObserver)?) throws -> T {
    var reader = ModelReader(date: dateConversionBlock, observer: observer)
    let value: Any?
    do throws(JSONModelError) {
      value = try reader.read(json, as: Conversion.of(T.self))
    } catch {
      throw Self.failed(error)
    }
    guard let value = value as? T else { throw Self.wrongTop(json, T.self) }
    return value
  }

  private static func wrongTop(_ json: JSON, _ wanted: Any.Type) -> NSError {
    NSError.holding(DeserializeError.invalidDeserializedObject(json.foundationType, wanted))
  }

  private static func failed(_ error: JSONModelError) -> NSError {
    NSError.holding(DeserializeError.jsonDeserializationError(NSError.holding(error)))
  }
}
