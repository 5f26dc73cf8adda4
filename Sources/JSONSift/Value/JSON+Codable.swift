#if canImport(FoundationEssentials)
  import struct FoundationEssentials.Decimal
#else
  import struct Foundation.Decimal
#endif

extension JSON: Codable {
  /// Any value of another coder, as SwiftyJSON documents it. What is none of JSON's types becomes ``null``.
  ///
  /// An integer of 64 bits is exact; any other number has up to 38 digits if the decoder knows `Decimal`, as `JSONDecoder`
  /// does, else those of a Double. A number larger than any Double is null. The members of an object come in no order.
  public init(from decoder: any Decoder) throws {
    self = .null
    guard let container = try? decoder.singleValueContainer(), !container.decodeNil() else { return }
    if let value = try? container.decode(Bool.self) {
      self = JSON(.bool(value))
    } else if let value = try? container.decode(Int64.self) {
      self = JSON(Self.integer(value, container))
    } else if let value = try? container.decode(UInt64.self) {
      self = JSON(.uint(value))
    } else if let value = try? container.decode(Double.self) {
      self = JSON(Self.number(value, container))
    } else if let value = try? container.decode(String.self) {
      self = JSON(string: value)
    } else if let value = try? container.decode([JSON].self) {
      self = JSON(elements: value)
    } else if let value = try? container.decode([String: JSON].self) {
      self = JSON(members: value.lazy.map { ($0.key, $0.value) })
    }
  }

  /// The number, with a fraction that the decoder has dropped: Foundation's does, of a decimal with many digits.
  private static func integer(_ value: Int64, _ container: any SingleValueDecodingContainer) -> BuiltNumber {
    guard let decimal = try? container.decode(Decimal.self), decimal.isFinite, decimal != Decimal(value) else {
      return .int(value)
    }
    return .text(decimal.description)
  }

  /// The number with all its digits, where the decoder has more than a Double holds.
  private static func number(_ double: Double, _ container: any SingleValueDecodingContainer) -> BuiltNumber {
    guard let decimal = try? container.decode(Decimal.self), decimal.isFinite else { return .double(double) }
    let text = decimal.description
    return Double(text) == double && text.utf8.count <= 17 ? .double(double) : .text(text)
  }

  /// The value for another coder: numbers as `Int64`, `UInt64` or `Double`, null and ``JSONType/unknown`` as nil.
  ///
  /// Members go through a dictionary: of names that Swift holds equal the last counts. Coders call themselves for each level; Foundation's needs about 2 KiB of stack for one.
  ///
  /// - Throws: `EncodingError` if arrays and objects lie more than 512 deep inside one another. What the coder throws,
  ///   such as for NaN.
  public func encode(to encoder: any Encoder) throws {
    // Before the coder begins: it would use its stack to find out.
    guard depth(isAtMost: Self.anyDepth) else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "arrays and objects lie more than \(Self.anyDepth) deep inside one another"))
    }
    try Part(json: self).encode(to: encoder)
  }

  /// A value whose depth is known to be small.
  private struct Part: Encodable {
    let json: JSON

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch json.type {
      case .null, .unknown: try container.encodeNil()
      case .bool: try container.encode(json.boolValue)
      case .string: try container.encode(json.stringValue)
      case .number:
        if let value = json.exactly(Int64.self) {
          try container.encode(value)
        } else if let value = json.exactly(UInt64.self) {
          try container.encode(value)
        } else {
          try container.encode(json.doubleValue)
        }
      case .array: try container.encode(json.arrayValue.map { Part(json: $0) })
      case .dictionary: try container.encode(json.dictionaryValue.mapValues { Part(json: $0) })
      }
    }
  }

  /// Whether at most so many arrays and objects lie inside one another.
  func depth(isAtMost limit: Int) -> Bool {
    var open: [ChildCursor] = []
    var next: JSON? = self
    while true {
      if let json = next, json.type == .array || json.type == .dictionary {
        guard open.count < limit else { return false }
        open.append(ChildCursor(json))
      }
      guard !open.isEmpty else { return true }
      next = open[open.count - 1].next()?.value
      if next == Optional.none { open.removeLast() }
    }
  }
}
