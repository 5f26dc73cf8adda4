public import Foundation
public import JSONSift
import JSONSiftFoundation

extension JSON {
  /// Parses the JSON text in `data`. The whole text is validated; values are converted only on access.
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
  /// This initialiser is part of SwiftyJSON's API and accepts what JSONSerialization accepts: at most 512 levels of
  /// nested arrays and objects, and text of any length in UTF-8, UTF-16 or UTF-32, with or without a byte order mark.
  /// UTF-8 is copied once; other encodings are transcoded first. Unlike JSONSerialization, it rejects a comma before a
  /// closing bracket, a number longer than 1000 bytes, and UTF-16 or UTF-32 that ends inside a code unit.
  ///
  /// - Parameters:
  ///   - data: The text.
  ///   - options: With `.fragmentsAllowed` the root may be a scalar; without it, the root must be an array or object.
  ///     Other options have no effect.
  /// - Throws: An NSError of the domain `NSCocoaErrorDomain`, code 3840. Its `NSDebugDescriptionErrorKey` contains line
  ///   and column, its `NSUnderlyingErrorKey` the ``JSONError``. Positions refer to the text as UTF-8.
  /// - Complexity: O(length of the data).
  public init(data: Data, options: JSONSerialization.ReadingOptions = []) throws {
    self = try JSON.swiftyJSONCompatible(data, fragmentsAllowed: options.contains(.fragmentsAllowed))
  }
}
