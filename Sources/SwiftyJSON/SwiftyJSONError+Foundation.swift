public import Foundation
public import JSONSift

/// The error domain, codes and messages that SwiftyJSON documents, also when bridged to `NSError`.
///
/// ```swift
/// do {
///   try json.merge(with: other)
/// } catch {
///   print(error.localizedDescription)  // Couldn't merge, because the JSONs differ in type on top level.
///   print((error as NSError).code)  // 901
/// }
/// ```
extension SwiftyJSONError: CustomNSError {
  /// `com.swiftyjson.SwiftyJSON`, the domain of the bridged error.
  public static var errorDomain: String { "com.swiftyjson.SwiftyJSON" }

  /// The raw value: 999, 900, 902, 901, 500 or 490.
  public var errorCode: Int { rawValue }

  /// The message under `NSLocalizedDescriptionKey`, which `localizedDescription` returns.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }

  private var message: String {
    switch self {
    case .unsupportedType: "It is an unsupported type."
    case .indexOutOfBounds: "Array Index is out of bounds."
    case .wrongType: "Couldn't merge, because the JSONs differ in type on top level."
    case .notExist: "Dictionary key does not exist."
    case .invalidJSON: "JSON is invalid."
    case .elementTooDeep: "Element too deep. Increase maxObjectDepth and make sure there is no reference loop."
    }
  }
}
