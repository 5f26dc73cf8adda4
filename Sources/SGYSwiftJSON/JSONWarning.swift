public import Foundation
import JSONSift

/// Something that was not converted. Everything around it was.
public enum JSONWarning {
  /// A value of the first type has no form in the second. Of what is read the first is the type that JSONSerialization
  /// would have made: String, NSNumber, NSNull, `[Any]` or `[String: Any]`.
  case unsupportedConversion(Any.Type, Any.Type)
  /// A dictionary has keys that are neither strings nor can be made of strings, or be written as such.
  case unsupportedDictionaryKeyType(Any.Type)
  /// A property was not set: its key path, the JSON value as JSONSerialization would have it, and the error.
  ///
  /// The error has the domain and code of what ``JSONKeyValueCreatable/setValue(_:property:)`` threw, and that as its
  /// `NSUnderlyingErrorKey`.
  case keyValueError(String, Any, NSError)
}

/// Is told of what was not converted.
///
/// ```swift
/// struct Printer: JSONWarningObserver {
///   func observe(warning: JSONWarning) {}
///   func observe(warning: JSONWarning, keyPath: String) { print("\(keyPath): \(warning)") }
/// }
/// // bestFriends[2].followersCount: unsupportedConversion(Swift.String, Swift.Int)
/// ```
public protocol JSONWarningObserver {
  /// A value was not converted, or a property not set.
  func observe(warning: JSONWarning)

  /// The same, and where. This is what is called; if you do not implement it, it calls ``observe(warning:)``.
  ///
  /// - Parameters:
  ///   - warning: What is the matter.
  ///   - keyPath: Where in the model: `bestFriends[2].name`. A name that is no identifier stands in brackets and
  ///     quotes: `byCity["New York"]`. Empty for the whole.
  func observe(warning: JSONWarning, keyPath: String)
}

extension JSONWarningObserver {
  /// Calls ``observe(warning:)``.
  public func observe(warning: JSONWarning, keyPath: String) { observe(warning: warning) }
}

/// One step to a value in a model.
enum KeyPathStep {
  case name(String)
  case index(Int)
}

extension [KeyPathStep] {
  /// The steps as people write them.
  var text: String {
    var text = ""
    for step in self {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .name(let name) where name.isIdentifier: text += text.isEmpty ? name : ".\(name)"
      case .name(let name): text += "[\(name.debugDescription)]"
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
