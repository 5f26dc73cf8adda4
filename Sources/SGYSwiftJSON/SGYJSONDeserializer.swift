public import Foundation
import JSONSift
import JSONSiftFoundation

/// Makes a date of a JSON value, as JSONSerialization has it: String, NSNumber, `[Any]` or `[String: Any]`. `nil`
/// leaves the property alone.
public typealias SGYJSONDateConversionBlock = (Any) -> Date?

/// Makes models of JSON.
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
/// What the top of the text must be, its type says: an object for a ``JSONKeyValueCreatable`` or
/// ``JSONDictionaryCreatable``, an array for a ``JSONCollectionCreatable``. Below it, each value is converted to the
/// declared type of its property or element, without its optionals, by the first rule that fits:
///
/// 1. `Any`, `AnyObject`, and what is of the declared type already, is assigned as JSONSerialization has it. A `JSON`
///    is assigned itself, without the rest of the text.
/// 2. A Date is made by ``dateConversionBlock``.
/// 3. Of a string, number, `true` or `false` a ``JSONLeafConvertable`` is made. NSString, NSNumber, NSDecimalNumber,
///    Decimal, CGFloat, Character, Substring, URL, UUID and (from Base64) Data are made too.
/// 4. Of an array a ``JSONCollectionCreatable`` is made, NSArray or NSMutableArray.
/// 5. Of an object a ``JSONKeyValueCreatable`` is made, a ``JSONDictionaryCreatable``, NSDictionary or
///    NSMutableDictionary.
///
/// What no rule converts is left out, and the observer is told. Null leaves a property alone; in a container it is
/// `nil` where the elements are optional, NSNull where they are `Any`, and else left out. Members without a property,
/// and properties without a member, are left alone. Of several members with one name the last
/// that converts counts.
///
/// A deserializer is for one thread at a time. Several can read the same class at once.
open class SGYJSONDeserializer {
  /// Makes dates. Without it, properties that are dates are left alone. It is asked for each date, also a missing time
  /// zone or format: what it returns is assigned.
  open var dateConversionBlock: SGYJSONDateConversionBlock?

  /// How text is read. Only `.fragmentsAllowed` has a meaning here; what it lets in is no model.
  open var readingOptions: JSONSerialization.ReadingOptions = []

  /// A deserializer.
  public init() {}

  // MARK: Text

  /// A model of the text of a JSON object.
  ///
  /// - Parameters:
  ///   - jsonData: The text, in UTF-8, UTF-16 or UTF-32. At most 512 arrays and objects may lie inside one another.
  ///   - observer: Is told of what was not converted.
  /// - Throws: An NSError with a ``DeserializeError``: the text is no JSON, holds no object, or the class cannot be
  ///   read.
  open func deserialize<T: JSONKeyValueCreatable>(
    _ jsonData: Data, observer: (any JSONWarningObserver)? = nil
  ) throws -> T {
    try deserialize(json(jsonData), observer: observer)
  }

  /// A collection of the text of a JSON array.
  ///
  /// - Throws: An NSError with a ``DeserializeError``: the text is no JSON, holds no array, or a class cannot be read.
  open func deserialize<T: JSONCollectionCreatable>(
    _ jsonData: Data, observer: (any JSONWarningObserver)? = nil
  ) throws -> T {
    try deserialize(json(jsonData), observer: observer)
  }

  /// A dictionary of the text of a JSON object.
  ///
  /// - Throws: An NSError with a ``DeserializeError``: the text is no JSON, holds no object, the keys can be made of no
  ///   string, or a class cannot be read.
  open func deserialize<T: JSONDictionaryCreatable>(
    _ jsonData: Data, observer: (any JSONWarningObserver)? = nil
  ) throws -> T {
    try deserialize(json(jsonData), observer: observer)
  }

  /// Sets the properties of an object that is there already. What the text does not name stays.
  ///
  /// - Throws: An NSError with a ``DeserializeError``. Nothing was set then, unless the class of a property cannot be
  ///   read.
  open func deserialize(
    _ jsonData: Data, intoInstance instance: any JSONKeyValueCreatable, observer: (any JSONWarningObserver)? = nil
  ) throws {
    try deserialize(json(jsonData), intoInstance: instance, observer: observer)
  }

  // MARK: Values

  /// A model of a value: of a match of a path, a record of a stream, or a part of a document.
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

  /// A collection of a value that is an array.
  ///
  /// - Throws: An NSError with a ``DeserializeError``.
  open func deserialize<T: JSONCollectionCreatable>(
    _ json: JSON, observer: (any JSONWarningObserver)? = nil
  ) throws -> T {
    guard json.type == .array else { throw Self.wrongTop(json, [Any].self) }
    return try whole(json, observer)
  }

  /// A dictionary of a value that is an object.
  ///
  /// - Throws: An NSError with a ``DeserializeError``.
  open func deserialize<T: JSONDictionaryCreatable>(
    _ json: JSON, observer: (any JSONWarningObserver)? = nil
  ) throws -> T {
    guard json.type == .dictionary else { throw Self.wrongTop(json, [String: Any].self) }
    return try whole(json, observer)
  }

  /// Sets the properties of an object that is there already. What the value does not name stays.
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

  // MARK: What they share

  private func json(_ data: Data) throws -> JSON {
    do throws(NSError) {
      return try JSON.swiftyJSONCompatible(data, fragmentsAllowed: readingOptions.contains(.fragmentsAllowed))
    } catch {
      throw NSError.thrown(DeserializeError.jsonDeserializationError(error))
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
    NSError.thrown(DeserializeError.invalidDeserializedObject(json.foundationType, wanted))
  }

  private static func failed(_ error: JSONModelError) -> NSError {
    NSError.thrown(DeserializeError.jsonDeserializationError(NSError.thrown(error)))
  }
}
