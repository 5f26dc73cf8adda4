public import Foundation
public import JSONSift
import JSONSiftFoundation

extension JSON: RawRepresentable {
  /// Creates the value that ``init(_:)`` creates, or `nil` if JSON cannot represent it.
  public init?(rawValue: Any) {
    let json = JSON(rawValue)
    guard json.type != .unknown else { return nil }
    self = json
  }

  /// The same as ``object``.
  public var rawValue: Any { object }

  /// The value as Foundation and Swift types: `[Any]`, `[String: Any]`, String, NSNumber, Bool or NSNull.
  ///
  /// Inside arrays and dictionaries, parsed numbers and Bools are NSNumber, and those created from Swift values are
  /// Int, UInt64, Double, Float, Bool, or NSDecimalNumber for longer numbers. `as? Int`, `as? Bool` and `as? NSNumber`
  /// work on both. For duplicate keys the last value is used. A value that JSON cannot represent is NSNull; the whole
  /// result is NSNull if arrays and dictionaries are nested more than 512 levels deep.
  ///
  /// Setting it is equivalent to ``init(_:)``, and replaces ``error`` with the error of the new value.
  ///
  /// - Complexity: O(number of nested values) for each access. A subscript or a typed accessor costs far less.
  public var object: Any {
    get { (try? foundationObject()) ?? NSNull() }
    set { self = JSON(newValue) }
  }

  /// The elements, converted as in ``object``, or `nil` if this is not an array. Setting `nil` stores null.
  ///
  /// Also `nil` if arrays and dictionaries are nested more than 512 levels deep.
  ///
  /// - Complexity: O(number of nested values) for each access.
  public var arrayObject: [Any]? {
    get { type == .array ? (try? foundationObject()) as? [Any] : nil }
    set { self = newValue.map { JSON($0) } ?? .null }
  }

  /// The members, converted as in ``object``, or `nil` if this is not an object. Setting `nil` stores null.
  ///
  /// ```swift
  /// json["user"].dictionaryObject?.removeValue(forKey: "name")
  /// ```
  ///
  /// Also `nil` if arrays and dictionaries are nested more than 512 levels deep.
  ///
  /// - Complexity: O(number of nested values) for each access, also in the example. ``removeValue(forKey:)`` costs
  ///   less.
  public var dictionaryObject: [String: Any]? {
    get { type == .dictionary ? (try? foundationObject()) as? [String: Any] : nil }
    set { self = newValue.map { JSON($0) } ?? .null }
  }
}

/// Declared in an extension of the protocol, because a property of ``JSON`` itself would hide JSONSift's `JSON.null`.
extension RawRepresentable where Self == JSON {
  /// NSNull if the value is null or missing, otherwise `nil`. Setting any value, including `nil`, stores null.
  public var null: NSNull? {
    get { self.type == .null ? NSNull() : nil }
    set { self = JSON.null }
  }
}

extension JSON {
  /// Returns the value in the types that ``object`` documents.
  ///
  /// - Throws: ``SwiftyJSONError/elementTooDeep`` if arrays and dictionaries are nested more than 512 levels deep.
  func foundationObject() throws(SwiftyJSONError) -> Any {
    guard type == .array || type == .dictionary else { return scalarObject(isNested: false) }
    let object = try FoundationObjects.TooDeep.converting(
      try FoundationObjects.object(
        of: self, maxDepth: JSONLimits.maxRecursion, leaf: { $0.scalarObject(isNested: true) })
    ) { _ in SwiftyJSONError.elementTooDeep }
    return object ?? NSNull()
  }

  /// Converts a value that is neither an array nor a dictionary.
  private func scalarObject(isNested: Bool) -> Any {
    switch type {
    case .string: string ?? ""
    case .bool: isNested && isFromText ? NSNumber(value: boolValue) : boolValue
    case .number:
      switch isNested ? builtNumber : nil {
      case .int(let value): Int(exactly: value) ?? value
      case .uint(let value): value
      case .double(let value): value
      case .float(let value): value
      case .text, nil: number ?? 0
      }
    case .null, .unknown, .array, .dictionary: NSNull()
    }
  }
}
