public import Foundation
import JSONSift

/// A value that was not converted. The values around it were converted.
public enum JSONWarning {
  /// A value of the first type cannot be converted to the second. When reading, the first is the type in which
  /// JSONSerialization returns the value: String, NSNumber, NSNull, `[Any]` or `[String: Any]`.
  case unsupportedConversion(Any.Type, Any.Type)
  /// The keys of a dictionary are not strings, and cannot be created from strings or written as strings.
  case unsupportedDictionaryKeyType(Any.Type)
  /// A property was not set: its key path, the JSON value as JSONSerialization returns it, and the error.
  ///
  /// The error has the domain and code of the error that ``JSONKeyValueCreatable/setValue(_:property:)`` threw, and
  /// contains that error as its `NSUnderlyingErrorKey`.
  case keyValueError(String, Any, NSError)
}

/// Receives a warning for each value that was not converted.
///
/// ```swift
/// struct Printer: JSONWarningObserver {
///   func observe(warning: JSONWarning) {}
///   func observe(warning: JSONWarning, keyPath: String) { print("\(keyPath): \(warning)") }
/// }
/// // bestFriends[2].followersCount: unsupportedConversion(Swift.String, Swift.Int)
/// ```
public protocol JSONWarningObserver {
  /// Called when a value was not converted or a property was not set.
  func observe(warning: JSONWarning)

  /// Called with the location of the value. The library calls this method; the default implementation calls
  /// ``observe(warning:)``.
  ///
  /// - Parameters:
  ///   - warning: The value and the reason.
  ///   - keyPath: The location in the model: `bestFriends[2].name`. A name that is not an identifier is written in
  ///     brackets and quotes: `byCity["New York"]`. Empty for the root.
  func observe(warning: JSONWarning, keyPath: String)
}

extension JSONWarningObserver {
  /// Calls ``observe(warning:)``.
  public func observe(warning: JSONWarning, keyPath: String) { observe(warning: warning) }
}

extension [JSON.Step] {
  /// The path to a value in a model, in Swift notation.
  var text: String {
    var text = ""
    for step in self {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let name) where name.isIdentifier: text += text.isEmpty ? name : ".\(name)"
      case .key(let name): text += "[\(name.debugDescription)]"
      }
    }
    return text
  }
}

extension String {
  fileprivate var isIdentifier: Bool {
    guard let first = unicodeScalars.first, first == "_" || first.properties.isAlphabetic else { return false }
    return unicodeScalars.allSatisfy { $0 == "_" || $0 == "$" || $0.properties.isAlphabetic || "0"..."9" ~= $0 }
  }
}
