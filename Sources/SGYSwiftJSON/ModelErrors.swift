public import Foundation
import JSONSift

extension SGYJSONDeserializer {
  /// Why nothing was deserialized.
  ///
  /// What `deserialize` throws is an NSError with this as its `NSUnderlyingErrorKey`; ``init(_:)`` finds it.
  public enum DeserializeError: Error {
    /// The text holds a value of the first type, and the second was asked for.
    case invalidDeserializedObject(Any.Type, Any.Type)
    /// The text is no JSON, or the model cannot be read: the NSError says why.
    case jsonDeserializationError(NSError)

    /// The error that `deserialize` threw, with its types; `nil` if it is another.
    ///
    /// ```swift
    /// } catch {
    ///   if case .invalidDeserializedObject(let found, _)? = SGYJSONDeserializer.DeserializeError(error) {
    ///     print("found a \(found)")
    ///   }
    /// }
    /// ```
    public init?(_ error: any Error) {
      guard let known = NSError.documented(error, as: Self.self) else { return nil }
      self = known
    }
  }
}

extension SGYJSONSerializer {
  /// Why nothing was serialized.
  ///
  /// What `serialize` throws is an NSError with this as its `NSUnderlyingErrorKey`; ``init(_:)`` finds it.
  public enum SerializeError: Error {
    /// The object cannot be written: the NSError says why.
    case jsonSerializationError(NSError)

    /// The error that `serialize` threw; `nil` if it is another.
    public init?(_ error: any Error) {
      guard let known = NSError.documented(error, as: Self.self) else { return nil }
      self = known
    }
  }
}

extension SGYJSONDeserializer.DeserializeError: CustomNSError {
  /// `SGYSwiftJSON.DeserializeError`.
  public static var errorDomain: String { "SGYSwiftJSON.DeserializeError" }

  /// 1 and 2, in the order of the cases.
  public var errorCode: Int {
    switch self {
    case .invalidDeserializedObject: 1
    case .jsonDeserializationError: 2
    }
  }

  /// A sentence, and where in the text or the model.
  public var errorUserInfo: [String: Any] {
    switch self {
    case .invalidDeserializedObject(let found, let wanted):
      [NSLocalizedDescriptionKey: "The JSON text holds \(Self.name(found)), not \(Self.name(wanted))."]
    case .jsonDeserializationError(let error): error.described
    }
  }

  private static func name(_ type: Any.Type) -> String {
    switch type {
    case is [Any].Type: "an array"
    case is [String: Any].Type: "an object"
    case is NSNull.Type: "null"
    case is String.Type: "a string"
    case is NSNumber.Type: "a number or Bool"
    default: "\(type)"
    }
  }
}

extension SGYJSONSerializer.SerializeError: CustomNSError {
  /// `SGYSwiftJSON.SerializeError`.
  public static var errorDomain: String { "SGYSwiftJSON.SerializeError" }

  /// 1.
  public var errorCode: Int { 1 }

  /// A sentence, and where in the model.
  public var errorUserInfo: [String: Any] {
    switch self {
    case .jsonSerializationError(let error): error.described
    }
  }
}

/// What is the matter with a model. It is inside ``SGYJSONDeserializer/DeserializeError`` and
/// ``SGYJSONSerializer/SerializeError``, as the NSError's `NSUnderlyingErrorKey`.
public struct JSONModelError: Error, Sendable, Hashable {
  /// A kind of failure. A struct, not an enum, so that a minor release can add a kind.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    let number: Int
    /// The name of the code.
    public let description: String

    /// More than 512 values lie inside one another.
    public static let tooDeep = Code(number: 1, description: "tooDeep")
    /// An object contains itself.
    public static let cycle = Code(number: 2, description: "cycle")
    /// The type was compiled without reflection metadata, and nothing else says what is in it.
    public static let reflectionUnavailable = Code(number: 3, description: "reflectionUnavailable")
    /// The whole is neither an array nor an object, or has no form in JSON at all.
    public static let notAContainer = Code(number: 4, description: "notAContainer")
  }

  /// What kind of failure.
  public let code: Code
  /// Where in the model: `bestFriends[2].name`. Empty for the whole.
  public let keyPath: String
  /// The type of the value there.
  public let typeName: String

  /// How many arrays and objects may lie inside one another.
  static var depth: Int { 512 }
}

extension JSONModelError: CustomNSError, LocalizedError, CustomStringConvertible {
  /// `SGYSwiftJSON.JSONModelError`.
  public static var errorDomain: String { "SGYSwiftJSON.JSONModelError" }

  /// The number of the code.
  public var errorCode: Int { code.number }

  /// One sentence.
  public var errorDescription: String? { description }

  /// One sentence.
  public var description: String {
    let place = keyPath.isEmpty ? "" : " at \(keyPath)"
    return switch code {
    case .tooDeep: "More than \(Self.depth) arrays and objects lie inside one another\(place)."
    case .cycle: "An object of \(typeName) contains itself\(place). A proxy (JSONProxyProvider) can leave it out."
    case .reflectionUnavailable:
      "\(typeName)\(place) was compiled without reflection metadata. Key paths (JSONKeyPathProvider) need none for "
        + "reading, a proxy (JSONProxyProvider) none for writing."
    default: "\(typeName)\(place) is neither an array nor an object."
    }
  }
}

extension NSError {
  /// What is thrown: an instance of the class, because on Linux `catch let error as NSError` matches nothing else.
  static func thrown(_ error: some CustomNSError) -> NSError {
    var info = error.errorUserInfo
    if let description = (error as? any LocalizedError)?.errorDescription {
      info[NSLocalizedDescriptionKey] = description
    }
    info[NSUnderlyingErrorKey] = error
    return NSError(domain: type(of: error).errorDomain, code: error.errorCode, userInfo: info)
  }

  /// An NSError of any error, which keeps that.
  static func holding(_ error: any Error) -> NSError {
    let bridged = error as NSError
    if type(of: error) is NSError.Type { return bridged }
    var info = bridged.userInfo
    info[NSUnderlyingErrorKey] = error
    info[NSLocalizedDescriptionKey] = (error as? any LocalizedError)?.errorDescription ?? bridged.localizedDescription
    return NSError(domain: bridged.domain, code: bridged.code, userInfo: info)
  }

  /// The error of a documented type that is thrown, or that stands behind the one that is; `nil` if it is another.
  fileprivate static func documented<Documented: Error>(
    _ error: any Error, as type: Documented.Type
  ) -> Documented? {
    error as? Documented ?? (error as NSError).userInfo[NSUnderlyingErrorKey] as? Documented
  }

  /// What an error that wraps this one says.
  fileprivate var described: [String: Any] {
    var info: [String: Any] = [
      NSLocalizedDescriptionKey: (userInfo[NSDebugDescriptionErrorKey] as? String) ?? localizedDescription
    ]
    info[NSDebugDescriptionErrorKey] = userInfo[NSDebugDescriptionErrorKey]
    return info
  }
}
