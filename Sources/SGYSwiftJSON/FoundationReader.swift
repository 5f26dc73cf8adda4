import Foundation
import JSONSift
import JSONSiftFoundation

/// Converts JSON to the objects that JSONSerialization returns: String, NSNumber, `[Any]` and `[String: Any]`, with
/// NSNull inside the latter two. A number beyond the range of Double is omitted and reported.
enum FoundationReader {
  /// Returns the value, or `nil` for a number beyond the range of Double.
  ///
  /// - Parameters:
  ///   - maxDepth: The maximum nesting depth of containers.
  ///   - leftOut: Called with the path of each omitted number.
  static func value(
    _ json: JSON, maxDepth: Int, leftOut: ([JSON.Step]) -> Void
  ) throws(FoundationObjects.TooDeep) -> Any? {
    try FoundationObjects.object(of: json, maxDepth: maxDepth, leaf: { leaf($0) }, leftOut: leftOut)
  }

  /// Returns the value for a warning or a date block, which must not fail: NSNull if it cannot be converted.
  static func shown(_ json: JSON) -> Any { (try? value(json, maxDepth: JSONLimits.maxRecursion) { _ in }) ?? NSNull() }

  private static func leaf(_ json: JSON) -> Any? { json.type == .null ? NSNull() : json.foundationLeaf }

  /// Returns a value as a Foundation object.
  static func object(_ value: Any) -> AnyObject {
    switch value {
    case let list as [Any]: NSArray(array: list)
    case let table as [String: Any]: NSDictionary(dictionary: table)
    case let text as String: NSString(string: text)
    default: value as AnyObject
    }
  }
}
