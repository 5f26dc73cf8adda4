public import Foundation
public import JSONSift
import JSONSiftFoundation

extension JSON {
  /// Parses the JSON text in `data`. It is checked as a whole; nothing is converted until you ask.
  ///
  /// ```swift
  /// do {
  ///   let json = try JSON(data: data)
  ///   print(json["user"]["name"].stringValue)
  /// } catch let error as NSError {
  ///   print(error.userInfo[NSDebugDescriptionErrorKey] ?? error)  // Line 3, column 27: expected ',' or '}' …
  /// }
  /// ```
  ///
  /// This is SwiftyJSON's initialiser and accepts what JSONSerialization does: at most 512 arrays and objects inside
  /// one another, and text of any length in UTF-8, UTF-16 or UTF-32, with or without a byte order mark. UTF-8 is copied
  /// once, anything else is transcoded first. Refused, unlike there: a comma before a closing bracket, a number of more
  /// than 1000 bytes, and UTF-16 or UTF-32 that ends inside a unit.
  ///
  /// - Parameters:
  ///   - data: The text.
  ///   - options: With `.fragmentsAllowed` the text may be a scalar; without it, it must be an array or object. The
  ///     other options have no meaning here.
  /// - Throws: An NSError of the domain `NSCocoaErrorDomain`, code 3840. Its `NSDebugDescriptionErrorKey` has line and
  ///   column, its `NSUnderlyingErrorKey` the ``JSONError``. Places count in the text as UTF-8.
  /// - Complexity: O(length of the data).
  public init(data: Data, options: JSONSerialization.ReadingOptions = []) throws {
    self = try JSON.swiftyJSONCompatible(data, fragmentsAllowed: options.contains(.fragmentsAllowed))
  }
}
