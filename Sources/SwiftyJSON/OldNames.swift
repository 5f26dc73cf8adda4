// Names that articles and older code use. The deprecation message of each gives its replacement. First, SwiftyJSON 2.

public import Foundation
public import JSONSift

extension JSONType {
  /// Renamed to ``number``.
  @available(*, deprecated, renamed: "number")
  public static var Number: JSONType { .number }
  /// Renamed to ``string``.
  @available(*, deprecated, renamed: "string")
  public static var String: JSONType { .string }
  /// Renamed to ``bool``.
  @available(*, deprecated, renamed: "bool")
  public static var Bool: JSONType { .bool }
  /// Renamed to ``array``.
  @available(*, deprecated, renamed: "array")
  public static var Array: JSONType { .array }
  /// Renamed to ``dictionary``.
  @available(*, deprecated, renamed: "dictionary")
  public static var Dictionary: JSONType { .dictionary }
  /// Renamed to ``null``.
  @available(*, deprecated, renamed: "null")
  public static var Null: JSONType { .null }
  /// Renamed to ``unknown``.
  @available(*, deprecated, renamed: "unknown")
  public static var Unknown: JSONType { .unknown }
}

extension JSONKey {
  /// Renamed to ``index(_:)``.
  @available(*, deprecated, renamed: "index(_:)")
  public static func Index(_ index: Int) -> JSONKey { .index(index) }
  /// Renamed to ``key(_:)``.
  @available(*, deprecated, renamed: "key(_:)")
  public static func Key(_ key: String) -> JSONKey { .key(key) }
}

/// The iterator of a `JSON` value.
@available(*, deprecated, renamed: "JSON.Iterator")
public typealias JSONGenerator = JSON.Iterator

extension JSON {
  /// The iterator type.
  @available(*, deprecated, renamed: "Iterator")
  public typealias Generator = JSON.Iterator

  /// Renamed to ``makeIterator()``.
  @available(*, deprecated, renamed: "makeIterator()")
  public func generate() -> JSON.Iterator { makeIterator() }

  /// Renamed to ``underestimatedCount``.
  @available(*, deprecated, renamed: "underestimatedCount")
  public func underestimateCount() -> Int { underestimatedCount }

  /// Renamed to ``url``.
  @available(*, deprecated, renamed: "url")
  public var URL: Foundation.URL? {
    get { url }
    set { url = newValue }
  }

  /// Calls ``rawString(_:options:)`` with the raw value of an encoding.
  @available(*, deprecated, message: "Use rawString(_: String.Encoding, options:).")
  public func rawString(_ encoding: UInt, options: JSONSerialization.WritingOptions = .prettyPrinted) -> String? {
    rawString(String.Encoding(rawValue: encoding), options: options)
  }

  /// Calls ``init(data:options:)``. On failure the value is null, and the error is stored in `error`'s pointee.
  ///
  /// ```swift
  /// var error: NSError?
  /// let json = JSON(data: data, options: .fragmentsAllowed, error: &error)
  /// ```
  @available(*, deprecated, message: "Use try JSON(data:options:).")
  public init(
    data: Data, options: JSONSerialization.ReadingOptions = .fragmentsAllowed,
    error: UnsafeMutablePointer<NSError?>?
  ) {
    do {
      self = try JSON(data: data, options: options)
    } catch let failure {
      unsafe error?.pointee = failure as NSError
      self = .null
    }
  }

  /// Parses a JSON text whose root may be a scalar; returns null on failure. ``init(parseJSON:)`` does not accept
  /// scalars.
  @available(*, deprecated, message: "Use JSON(parseJSON:), or try JSON(data:options:) with .fragmentsAllowed.")
  public static func parse(string: String) -> JSON {
    (try? JSON(data: Data(string.utf8), options: .fragmentsAllowed)) ?? .null
  }
}

extension SwiftyJSONError {
  /// Renamed to ``errorCode``.
  @available(*, deprecated, renamed: "errorCode")
  public var code: Int { errorCode }
  /// Renamed to ``errorDomain``.
  @available(*, deprecated, renamed: "errorDomain")
  public var domain: String { Self.errorDomain }
  /// Renamed to ``errorUserInfo``.
  @available(*, deprecated, renamed: "errorUserInfo")
  public var userInfo: [String: Any] { errorUserInfo }
}

// Names of SwiftyJSON 4.0 that later versions removed.

extension JSON {
  /// Renamed to ``init(parseJSON:)``.
  @available(*, deprecated, renamed: "init(parseJSON:)")
  public static func parse(_ json: String) -> JSON { JSON(parseJSON: json) }

  /// Renamed to ``null``.
  @available(*, unavailable, renamed: "null")
  public static var nullJSON: JSON { null }
}

#if SwiftyJSON4
  // In SwiftyJSON 4.2 and 5 a value cannot be created from `nil`: where a `JSON?` is expected, `nil` is the absence of
  // a value. This trait of the package restores the literal for a whole program.
  extension JSON: ExpressibleByNilLiteral {
    /// Creates ``null``.
    @available(*, deprecated, message: "write JSON.null")
    public init(nilLiteral: ()) { self = .null }
  }
#endif

/// The error domain of SwiftyJSON 3. It differs from the domain of `SwiftyJSONError`.
@available(*, deprecated, renamed: "SwiftyJSONError.errorDomain")
public let ErrorDomain = "SwiftyJSONErrorDomain"
/// The code of `SwiftyJSONError.unsupportedType`.
@available(*, deprecated, message: "Use SwiftyJSONError.unsupportedType.rawValue.")
public let ErrorUnsupportedType = 999
/// The code of `SwiftyJSONError.indexOutOfBounds`.
@available(*, deprecated, message: "Use SwiftyJSONError.indexOutOfBounds.rawValue.")
public let ErrorIndexOutOfBounds = 900
/// The code of `SwiftyJSONError.wrongType`.
@available(*, deprecated, message: "Use SwiftyJSONError.wrongType.rawValue.")
public let ErrorWrongType = 901
/// The code of `SwiftyJSONError.notExist`.
@available(*, deprecated, message: "Use SwiftyJSONError.notExist.rawValue.")
public let ErrorNotExist = 500
/// The code of `SwiftyJSONError.invalidJSON`.
@available(*, deprecated, message: "Use SwiftyJSONError.invalidJSON.rawValue.")
public let ErrorInvalidJSON = 490
