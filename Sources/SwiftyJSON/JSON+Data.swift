public import Foundation

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
    let encoding = JSONTextEncoding(startOf: data)
    guard encoding != .utf8 else {
      self = try Self.parsed(data, options)
      return
    }
    let text: [UInt8]
    do throws(JSONError) {
      text = try encoding.transcoded(data)
    } catch {
      throw NSError.notJSON(error, place: "Byte \(error.byteOffset)")
    }
    self = try Self.parsed(text, options)
  }

  private static func parsed(
    _ text: some Collection<UInt8>, _ options: JSONSerialization.ReadingOptions
  ) throws -> JSON {
    do throws(JSONError) {
      let json = try JSON(parsing: text, options: JSONOptions(limits: .documented))
      if !options.contains(.fragmentsAllowed), json.type != .array, json.type != .dictionary {
        throw JSONError(
          code: .unexpectedByte, byteOffset: json.byteRange?.lowerBound ?? 0,
          reason: "an array or object (or the option .fragmentsAllowed)")
      }
      return json
    } catch {
      let position = error.position(in: text)
      throw NSError.notJSON(error, place: "Line \(position.line), column \(position.column)")
    }
  }
}

extension NSError {
  /// What JSONSerialization throws. It must be an instance of the class: on Linux `catch let error as NSError` matches
  /// nothing else.
  fileprivate static func notJSON(_ error: JSONError, place: String) -> NSError {
    NSError(
      domain: NSCocoaErrorDomain, code: CocoaError.Code.propertyListReadCorrupt.rawValue,
      userInfo: [
        NSDebugDescriptionErrorKey: "\(place): \(error.message)",
        NSUnderlyingErrorKey: error,
        // JSONSerialization's name for the place.
        "NSJSONSerializationErrorIndex": error.byteOffset,
      ])
  }
}
