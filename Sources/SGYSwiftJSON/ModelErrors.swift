public import Foundation
import JSONSift

extension SGYJSONDeserializer {
  /// The reason why nothing was deserialized.
  ///
  /// `deserialize` throws an NSError with this error as its `NSUnderlyingErrorKey`; ``init(_:)`` extracts it.
  public enum DeserializeError: Error {
    /// The text contains a value of the first type; the caller requested the second.
    case invalidDeserializedObject(Any.Type, Any.Type)
    /// The text is not valid JSON, or the model cannot be read; the NSError gives the reason.
    case jsonDeserializationError(NSError)

    /// Extracts the error from an error that `deserialize` threw; returns `nil` for any other error.
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
  /// The reason why nothing was serialized.
  ///
  /// `serialize` throws an NSError with this error as its `NSUnderlyingErrorKey`; ``init(_:)`` extracts it.
  public enum SerializeError: Error {
    /// The object cannot be written; the NSError gives the reason.
    case jsonSerializationError(NSError)

    /// Extracts the error from an error that `serialize` threw; returns `nil` for any other error.
    public init?(_ error: any Error) {
      guard let known = NSError.documented(error, as: Self.self) else { return nil }
      self = known
    }
  }
}

extension SGYJSONDeserializer.DeserializeError: CustomNSError {
  /// The domain, `SGYSwiftJSON.DeserializeError`.
  public static var errorDomain: String { "SGYSwiftJSON.DeserializeError" }

  /// The code: 1 or 2, in the order of the cases.
  public var errorCode: Int {
    switch self {
    case .invalidDeserializedObject: 1
    case .jsonDeserializationError: 2
    }
  }

  /// A description in one sentence, with the location in the text or the model.
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
  /// The domain, `SGYSwiftJSON.SerializeError`.
  public static var errorDomain: String { "SGYSwiftJSON.SerializeError" }

  /// The code, 1.
  public var errorCode: Int { 1 }

  /// A description in one sentence, with the location in the model.
  public var errorUserInfo: [String: Any] {
    switch self {
    case .jsonSerializationError(let error): error.described
    }
  }
}

/// The reason why a model cannot be read or written. ``SGYJSONDeserializer/DeserializeError`` and
/// ``SGYJSONSerializer/SerializeError`` contain it, as the NSError's `NSUnderlyingErrorKey`.
public struct JSONModelError: Error, Sendable, Hashable {
  /// A kind of failure. A struct, not an enum, so that a minor release can add a kind.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    let number: Int
    /// The name of the code.
    public let description: String

    /// Values are nested more than 512 levels deep.
    public static let tooDeep = Code(number: 1, description: "tooDeep")
    /// An object contains itself.
    public static let cycle = Code(number: 2, description: "cycle")
    /// The type was compiled without reflection metadata, and no other source describes its properties.
    public static let reflectionUnavailable = Code(number: 3, description: "reflectionUnavailable")
    /// The root is neither an array nor an object, or cannot be represented in JSON.
    public static let notAContainer = Code(number: 4, description: "notAContainer")
  }

  /// The kind of failure.
  public let code: Code
  /// The location in the model: `bestFriends[2].name`. Empty for the root.
  public let keyPath: String
  /// The type of the value at the location.
  public let typeName: String
}

extension JSONModelError: CustomNSError, LocalizedError, CustomStringConvertible {
  /// The domain, `SGYSwiftJSON.JSONModelError`.
  public static var errorDomain: String { "SGYSwiftJSON.JSONModelError" }

  /// The number of the code.
  public var errorCode: Int { code.number }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// A description in one sentence.
  public var description: String {
    let location = keyPath.isEmpty ? "" : " at \(keyPath)"
    return switch code {
    case .tooDeep: "Arrays and objects are nested more than \(JSONLimits.maxRecursion) deep\(location)."
    case .cycle: "An object of \(typeName) contains itself\(location). A proxy (JSONProxyProvider) can leave it out."
    case .reflectionUnavailable:
      "\(typeName)\(location) was compiled without reflection metadata. Key paths (JSONKeyPathProvider) read without "
        + "it, and a proxy (JSONProxyProvider) writes without it."
    default: "\(typeName)\(location) is neither an array nor an object."
    }
  }
}

extension NSError {
  /// Converts any error to an NSError that contains it: an instance of NSError, because on Linux
  /// `catch let error as NSError` matches nothing else.
  static func holding(_ error: any Error) -> NSError {
    let bridged = error as NSError
    if type(of: error) is NSError.Type { return bridged }
    var info = bridged.userInfo
    info[NSUnderlyingErrorKey] = error
    info[NSLocalizedDescriptionKey] = (error as? any LocalizedError)?.errorDescription ?? bridged.localizedDescription
    return NSError(domain: bridged.domain, code: bridged.code, userInfo: info)
  }

  /// Returns an error of a documented type, from the thrown error itself or from its `NSUnderlyingErrorKey`; `nil` if
  /// neither has this type.
  fileprivate static func documented<Documented: Error>(_ error: any Error, as type: Documented.Type) -> Documented? {
    error as? Documented ?? (error as NSError).userInfo[NSUnderlyingErrorKey] as? Documented
  }

  /// The user info for an error that wraps this one.
  fileprivate var described: [String: Any] {
    var info: [String: Any] = [
      NSLocalizedDescriptionKey: (userInfo[NSDebugDescriptionErrorKey] as? String) ?? localizedDescription
    ]
    info[NSDebugDescriptionErrorKey] = userInfo[NSDebugDescriptionErrorKey]
    return info
  }
}
