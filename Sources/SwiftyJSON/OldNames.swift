// Names that articles and older code are full of. Each says what to write now. First those of SwiftyJSON 2.

public import Foundation
public import JSONSift

extension JSONType {
  /// ``number``.
  @available(*, deprecated, renamed: "number")
  public static var Number: JSONType { .number }
  /// ``string``.
  @available(*, deprecated, renamed: "string")
  public static var String: JSONType { .string }
  /// ``bool``.
  @available(*, deprecated, renamed: "bool")
  public static var Bool: JSONType { .bool }
  /// ``array``.
  @available(*, deprecated, renamed: "array")
  public static var Array: JSONType { .array }
  /// ``dictionary``.
  @available(*, deprecated, renamed: "dictionary")
  public static var Dictionary: JSONType { .dictionary }
  /// ``null``.
  @available(*, deprecated, renamed: "null")
  public static var Null: JSONType { .null }
  /// ``unknown``.
  @available(*, deprecated, renamed: "unknown")
  public static var Unknown: JSONType { .unknown }
}

extension JSONKey {
  /// ``index(_:)``.
  @available(*, deprecated, renamed: "index(_:)")
  public static func Index(_ index: Int) -> JSONKey { .index(index) }
  /// ``key(_:)``.
  @available(*, deprecated, renamed: "key(_:)")
  public static func Key(_ key: String) -> JSONKey { .key(key) }
}

/// The iterator of a `JSON` value.
@available(*, deprecated, renamed: "JSON.Iterator")
public typealias JSONGenerator = JSON.Iterator

extension JSON {
  /// The iterator.
  @available(*, deprecated, renamed: "Iterator")
  public typealias Generator = JSON.Iterator

  /// ``makeIterator()``.
  @available(*, deprecated, renamed: "makeIterator()")
  public func generate() -> JSON.Iterator { makeIterator() }

  /// ``underestimatedCount``.
  @available(*, deprecated, renamed: "underestimatedCount")
  public func underestimateCount() -> Int { underestimatedCount }

  /// ``url``.
  @available(*, deprecated, renamed: "url")
  public var URL: Foundation.URL? {
    get { url }
    set { url = newValue }
  }

  /// ``rawString(_:options:)`` with the number of an encoding.
  @available(*, deprecated, message: "Use rawString(_: String.Encoding, options:).")
  public func rawString(_ encoding: UInt, options: JSONSerialization.WritingOptions = .prettyPrinted) -> String? {
    rawString(String.Encoding(rawValue: encoding), options: options)
  }

  /// ``init(data:options:)``; null on failure, with the error in what `error` points to.
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

  /// The value of a JSON text, which may be a scalar; null on failure. ``init(parseJSON:)`` takes no scalars.
  @available(*, deprecated, message: "Use JSON(parseJSON:), or try JSON(data:options:) with .fragmentsAllowed.")
  public static func parse(string: String) -> JSON {
    (try? JSON(data: Data(string.utf8), options: .fragmentsAllowed)) ?? .null
  }
}

extension SwiftyJSONError {
  /// ``errorCode``.
  @available(*, deprecated, renamed: "errorCode")
  public var code: Int { errorCode }
  /// ``errorDomain``.
  @available(*, deprecated, renamed: "errorDomain")
  public var domain: String { Self.errorDomain }
  /// ``errorUserInfo``.
  @available(*, deprecated, renamed: "errorUserInfo")
  public var userInfo: [String: Any] { errorUserInfo }
}

// What SwiftyJSON 4.0 had, and removed later.

extension JSON {
  /// ``init(parseJSON:)``.
  @available(*, deprecated, renamed: "init(parseJSON:)")
  public static func parse(_ json: String) -> JSON { JSON(parseJSON: json) }

  /// ``null``.
  @available(*, unavailable, renamed: "null")
  public static var nullJSON: JSON { null }
}

#if SwiftyJSON4
  // SwiftyJSON 4.2 and 5 have no such literal: there `nil`, where a `JSON?` is wanted, is no value. So a trait of the
  // package brings it back, for a program as a whole.
  extension JSON: ExpressibleByNilLiteral {
    /// ``null``.
    @available(*, deprecated, message: "write JSON.null")
    public init(nilLiteral: ()) { self = .null }
  }
#endif

/// The domain of the errors of SwiftyJSON 3. It is not that of `SwiftyJSONError`.
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
