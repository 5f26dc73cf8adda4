public import Foundation
public import JSONSift
import JSONSiftFoundation

/// The options of `rawString(_:)`.
public enum writingOptionsKeys: Sendable {
  /// A JSONSerialization.WritingOptions: the layout. The default is `.prettyPrinted`. ``castNilToNSNull`` ignores it
  /// and has one layout.
  case jsonSerialization
  /// A Bool: writes one line with `"key": value`, and `nil` as `null`.
  case castNilToNSNull
  /// An Int: the maximum nesting depth, counting the innermost value. The default is 10. It takes effect together with
  /// ``castNilToNSNull``; a value of 0 or less always returns `nil`. The spelling is SwiftyJSON's.
  case maxObjextDepth
  /// A String.Encoding in which the text must be representable. The default is `.utf8`.
  case encoding
}

extension JSON {
  /// Returns the JSON text of an array or object.
  ///
  /// The format is the format of JSONSerialization: `/` is written `\/` unless `.withoutEscapingSlashes` is set, `1.0`
  /// is written `1`, and `.prettyPrinted` has the same layout. Numbers are written as in ``stringValue``, so they lose
  /// no digits. Members keep their order unless `.sortedKeys` is set.
  ///
  /// - Throws: `SwiftyJSONError.invalidJSON` for a scalar, even with `.fragmentsAllowed`, and if a nested value cannot
  ///   be represented in JSON: NaN, infinity, ``JSONType/unknown``.
  /// - Complexity: O(length of the text).
  public func rawData(options: JSONSerialization.WritingOptions = []) throws -> Data {
    guard type == .array || type == .dictionary else { throw SwiftyJSONError.invalidJSON }
    return try JSONError.converting(try data(options)) { _ in SwiftyJSONError.invalidJSON }
  }

  /// Returns the JSON text of an array or object. For a scalar, returns the plain text: a string without quotes, `null`
  /// for null.
  ///
  /// - Parameters:
  ///   - encoding: The encoding in which the text must be representable.
  ///   - options: The same options as for ``rawData(options:)``.
  /// - Returns: `nil` if ``rawData(options:)`` would throw for a container, for ``JSONType/unknown``, and if the
  ///   encoding cannot represent a character of the text or is not available on the system.
  /// - Complexity: O(length of the text).
  public func rawString(
    _ encoding: String.Encoding = .utf8, options: JSONSerialization.WritingOptions = .prettyPrinted
  ) -> String? {
    rawText(options).flatMap { $0.isRepresentable(in: encoding) ? $0 : nil }
  }

  /// Returns the JSON text, with the options given by their keys. A value whose type is not the documented type of its
  /// key is ignored.
  ///
  /// ```swift
  /// let json = JSON(["1": 2, "3": nil] as [String: Any?])
  /// json.rawString([.castNilToNSNull: true])  // {"1": 2,"3": null}
  /// ```
  ///
  /// - Returns: The same as ``rawString(_:options:)``, and `nil` if the nesting exceeds
  ///   ``writingOptionsKeys/maxObjextDepth``.
  public func rawString(_ options: [writingOptionsKeys: Any]) -> String? {
    let depth = options[.maxObjextDepth] as? Int ?? 10
    guard depth > 0 else { return nil }
    let text =
      if options[.castNilToNSNull] as? Bool ?? false {
        CastNilWriter.text(of: self, depth: depth)
      } else {
        rawText(options[.jsonSerialization] as? JSONSerialization.WritingOptions ?? .prettyPrinted)
      }
    let encoding = options[.encoding] as? String.Encoding ?? .utf8
    return text.flatMap { $0.isRepresentable(in: encoding) ? $0 : nil }
  }

  /// The same as ``rawString(_:)``, with the label that SwiftyJSON's README uses.
  public func rawString(options: [writingOptionsKeys: Any]) -> String? { rawString(options) }

  private func rawText(_ options: JSONSerialization.WritingOptions) -> String? {
    switch type {
    case .array, .dictionary: (try? bytes(JSONWriterOptions(options))).map { String(decoding: $0, as: UTF8.self) }
    default: scalarText
    }
  }

  /// The plain text of a scalar; `nil` for containers.
  var scalarText: String? {
    switch type {
    case .string, .number, .bool: stringValue
    case .null: "null"
    case .unknown, .array, .dictionary: nil
    }
  }
}

extension String {
  /// Returns whether the encoding can represent all characters.
  fileprivate func isRepresentable(in encoding: Encoding) -> Bool {
    switch encoding {
    case .utf8, .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian, .unicode:
      true
    case .ascii: utf8.allSatisfy { $0 < 0x80 }
    // Requesting an encoding that the system does not support terminates the program in some versions of Foundation.
    default: Self.availableStringEncodings.contains(encoding) && canBeConverted(to: encoding)
    }
  }
}
