public import Foundation
public import JSONSift

extension JSON: RawRepresentable {
  /// A value as ``init(_:)`` makes it, or `nil` if JSON has no form for it.
  public init?(rawValue: Any) {
    let json = JSON(rawValue)
    guard json.type != .unknown else { return nil }
    self = json
  }

  /// ``object``.
  public var rawValue: Any { object }

  /// The value as Foundation's and Swift's own types: `[Any]`, `[String: Any]`, String, NSNumber, Bool or NSNull.
  ///
  /// Inside arrays and dictionaries, values that were parsed are NSNumber (also `true` and `false`), and those that
  /// were built from Swift are Int, UInt64, Double, Float, Bool, or NSDecimalNumber for longer numbers. `as? Int`, `as? Bool`
  /// and `as? NSNumber` work on both. Of equal keys the last wins. What JSON has no form for is NSNull, and so is all
  /// of it if more than 512 arrays and dictionaries are inside one another.
  ///
  /// Setting it is ``init(_:)``: ``error`` is that of the new value.
  ///
  /// - Complexity: O(number of all values in it), each time. A subscript or an accessor costs far less.
  public var object: Any {
    get { (try? foundationObject()) ?? NSNull() }
    set { self = JSON(newValue) }
  }

  /// The elements as ``object`` has them, or `nil` if this is no array. Setting `nil` makes it null.
  ///
  /// `nil` too if more than 512 arrays and dictionaries are inside one another.
  ///
  /// - Complexity: O(number of all values in it), each time.
  public var arrayObject: [Any]? {
    get { type == .array ? (try? foundationObject()) as? [Any] : nil }
    set { self = newValue.map { JSON($0) } ?? .null }
  }

  /// The members as ``object`` has them, or `nil` if this is no object. Setting `nil` makes it null.
  ///
  /// ```swift
  /// json["user"].dictionaryObject?.removeValue(forKey: "name")
  /// ```
  ///
  /// `nil` too if more than 512 arrays and dictionaries are inside one another.
  ///
  /// - Complexity: O(number of all values in it), each time, also in the example. ``removeValue(forKey:)`` costs less.
  public var dictionaryObject: [String: Any]? {
    get { type == .dictionary ? (try? foundationObject()) as? [String: Any] : nil }
    set { self = newValue.map { JSON($0) } ?? .null }
  }
}

/// In an extension of the protocol, because a property of ``JSON`` itself would hide `JSON.null` of JSONSift.
extension RawRepresentable where Self == JSON {
  /// NSNull if the value is null or missing, else `nil`. Setting it, also to `nil`, makes it null.
  public var null: NSNull? {
    get { self.type == .null ? NSNull() : nil }
    set { self = JSON.null }
  }
}

extension JSON {
  /// The value as ``object`` documents it.
  ///
  /// - Throws: ``SwiftyJSONError/elementTooDeep`` if more than 512 arrays and dictionaries are inside one another.
  func foundationObject() throws(SwiftyJSONError) -> Any {
    guard var open = Level(self).map({ [$0] }) else { return scalarObject(isNested: false) }
    // The stack is ours: a thread's own may be shorter than the text is deep.
    while true {
      if let value = open[open.count - 1].next() {
        guard let inner = Level(value) else {
          open[open.count - 1].append(value.scalarObject(isNested: true))
          continue
        }
        guard open.count < JSON.anyDepth else { throw .elementTooDeep }
        open.append(inner)
      } else {
        let object = open.removeLast().object
        if open.isEmpty { return object }
        open[open.count - 1].append(object)
      }
    }
  }

  /// What is neither array nor dictionary.
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

  /// A container whose elements are being converted.
  private struct Level {
    private var elements: IndexingIterator<[JSON]>?
    private var members: Dictionary<String, JSON>.Iterator?
    private var key = ""
    private var list: [Any] = []
    private var table: [String: Any] = [:]

    init?(_ json: JSON) {
      if let array = json.array {
        elements = array.makeIterator()
        list.reserveCapacity(array.count)
      } else if let dictionary = json.dictionary {
        members = dictionary.makeIterator()
        table.reserveCapacity(dictionary.count)
      } else {
        return nil
      }
    }

    mutating func next() -> JSON? {
      guard elements == nil else { return elements?.next() }
      guard let member = members?.next() else { return nil }
      key = member.key
      return member.value
    }

    mutating func append(_ object: Any) {
      if elements != nil { list.append(object) } else { table[key] = object }
    }

    var object: Any { elements != nil ? list : table }
  }
}
