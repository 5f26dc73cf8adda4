package import Foundation
package import JSONSift

extension JSON {
  /// Parses a text in UTF-8, UTF-16 or UTF-32, with the limits of JSONSerialization.
  ///
  /// - Parameters:
  ///   - data: The text.
  ///   - fragmentsAllowed: Whether the text may be a scalar.
  /// - Throws: The same error as JSONSerialization: an NSError of the domain `NSCocoaErrorDomain`, code 3840. Its
  ///   `NSDebugDescriptionErrorKey` contains line and column, its `NSUnderlyingErrorKey` the ``JSONError``.
  package static func swiftyJSONCompatible(_ data: Data, fragmentsAllowed: Bool) throws(NSError) -> JSON {
    let encoding = JSONTextEncoding(startOf: data)
    guard encoding != .utf8 else { return try parsed(data, fragmentsAllowed) }
    let text: [UInt8]
    do throws(JSONError) {
      text = try encoding.transcoded(data)
    } catch {
      throw NSError.notJSON(error, position: "Byte \(error.byteOffset)")
    }
    return try parsed(text, fragmentsAllowed)
  }

  private static func parsed(_ text: some Collection<UInt8>, _ fragmentsAllowed: Bool) throws(NSError) -> JSON {
    do throws(JSONError) {
      let json = try JSON(parsing: text, options: JSONOptions(limits: .swiftyJSONCompatible))
      if !fragmentsAllowed, json.type != .array, json.type != .dictionary {
        throw JSONError(
          code: .unexpectedByte, byteOffset: json.byteRange?.lowerBound ?? 0,
          reason: "an array or object (or the option .fragmentsAllowed)")
      }
      return json
    } catch {
      let position = error.position(in: text)
      throw NSError.notJSON(error, position: "Line \(position.line), column \(position.column)")
    }
  }
}

extension NSError {
  /// The error that JSONSerialization throws for invalid text. It must be an instance of NSError: on Linux
  /// `catch let error as NSError` matches nothing else.
  package static func notJSON(_ error: JSONError, position: String) -> NSError {
    NSError(
      domain: NSCocoaErrorDomain, code: CocoaError.Code.propertyListReadCorrupt.rawValue,
      userInfo: [
        NSDebugDescriptionErrorKey: "\(position): \(error.message)",
        NSUnderlyingErrorKey: error,
        // JSONSerialization's key for the byte offset.
        "NSJSONSerializationErrorIndex": error.byteOffset,
      ])
  }
}
