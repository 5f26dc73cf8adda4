public import Foundation
public import JSONSift
import JSONSiftFoundation

/// What `rawString(_:)` is told.
public enum writingOptionsKeys: Sendable {
  /// JSONSerialization.WritingOptions: the layout. The default is `.prettyPrinted`. ``castNilToNSNull`` knows only one.
  case jsonSerialization
  /// Bool: one line with `"key": value`, and `nil` written as `null`.
  case castNilToNSNull
  /// Int: how many values may be inside one another, the innermost counted. The default is 10. It acts together with
  /// ``castNilToNSNull``; 0 or less always gives `nil`. The spelling is the documented one.
  case maxObjextDepth
  /// String.Encoding: what the text must be representable in. The default is `.utf8`.
  case encoding
}

extension JSON {
  /// The JSON text of an array or object.
  ///
  /// As JSONSerialization does it: `/` is written `\/` unless `.withoutEscapingSlashes` is set, `1.0` is written `1`,
  /// and `.prettyPrinted` is its layout. Numbers are those of ``stringValue``, so they lose no digits. Members keep
  /// their order unless `.sortedKeys` is set.
  ///
  /// - Throws: `SwiftyJSONError.invalidJSON` for a scalar, with `.fragmentsAllowed` too, and if there is a value
  ///   inside that JSON has no form for: NaN, infinity, ``JSONType/unknown``.
  /// - Complexity: O(length of the text).
  public func rawData(options: JSONSerialization.WritingOptions = []) throws -> Data {
    guard type == .array || type == .dictionary else { throw SwiftyJSONError.invalidJSON }
    var data = Data()
    do throws(JSONError) {
      try write(JSONWriterOptions(options)) { piece in
        unsafe piece.withUnsafeBytes { unsafe data.append(contentsOf: $0) }
      }
    } catch {
      throw SwiftyJSONError.invalidJSON
    }
    return data
  }

  /// The JSON text of an array or object. Of a scalar the plain text: a string has no quotes, null is `null`.
  ///
  /// - Parameters:
  ///   - encoding: What the text must be representable in.
  ///   - options: As in ``rawData(options:)``.
  /// - Returns: `nil` if ``rawData(options:)`` would throw for a container, for ``JSONType/unknown``, and if the
  ///   encoding has no form for a character of the text or is not known to the system.
  /// - Complexity: O(length of the text).
  public func rawString(
    _ encoding: String.Encoding = .utf8, options: JSONSerialization.WritingOptions = .prettyPrinted
  ) -> String? {
    rawText(options).flatMap { $0.isRepresentable(in: encoding) ? $0 : nil }
  }

  /// The JSON text, with the options by their keys. A value of another type than the key documents counts as missing.
  ///
  /// ```swift
  /// let json = JSON(["1": 2, "3": nil] as [String: Any?])
  /// json.rawString([.castNilToNSNull: true])  // {"1": 2,"3": null}
  /// ```
  ///
  /// - Returns: As ``rawString(_:options:)``, and `nil` if there is more inside one another than
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

  /// ``rawString(_:)``, spelled as SwiftyJSON's README does.
  public func rawString(options: [writingOptionsKeys: Any]) -> String? { rawString(options) }

  private func rawText(_ options: JSONSerialization.WritingOptions) -> String? {
    switch type {
    case .array, .dictionary: (try? bytes(JSONWriterOptions(options))).map { String(decoding: $0, as: UTF8.self) }
    default: scalarText
    }
  }

  /// The plain text of what is no container.
  var scalarText: String? {
    switch type {
    case .string, .number, .bool: stringValue
    case .null: "null"
    case .unknown, .array, .dictionary: nil
    }
  }
}

extension String {
  /// Whether the encoding has a form for all characters.
  fileprivate func isRepresentable(in encoding: Encoding) -> Bool {
    switch encoding {
    case .utf8, .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian, .unicode:
      true
    case .ascii: utf8.allSatisfy { $0 < 0x80 }
    // To ask for an encoding that the system does not have ends the program in some versions of Foundation.
    default: Self.availableStringEncodings.contains(encoding) && canBeConverted(to: encoding)
    }
  }
}
