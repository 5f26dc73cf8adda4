#if canImport(FoundationEssentials)
  import struct FoundationEssentials.Decimal
#else
  import struct Foundation.Decimal
#endif

extension JSON: Codable {
  /// Decodes any value of another decoder, as SwiftyJSON does. A value that JSON cannot represent becomes ``null``.
  ///
  /// A 64-bit integer is exact. Any other number has up to 38 digits if the decoder supports `Decimal`, as `JSONDecoder`
  /// does, otherwise those of a Double. A number larger than any Double is null. The members of an object have no defined
  /// order.
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

  /// Returns the number, including a fraction that the decoder dropped: Foundation's decoder drops the fraction of a decimal
  /// with many digits.
  private static func integer(_ value: Int64, _ container: any SingleValueDecodingContainer) -> BuiltNumber {
    guard let decimal = try? container.decode(Decimal.self), decimal.isFinite, decimal != Decimal(value) else {
      return .int(value)
    }
    return .text(decimal.description)
  }

  /// Returns the number with all its digits if the decoder has more digits than a Double holds.
  private static func number(_ double: Double, _ container: any SingleValueDecodingContainer) -> BuiltNumber {
    guard let decimal = try? container.decode(Decimal.self), decimal.isFinite else { return .double(double) }
    let text = decimal.description
    return Double(text) == double && text.utf8.count <= 17 ? .double(double) : .text(text)
  }

  /// Encodes the value with another encoder: null and ``JSONType/unknown`` as nil. An integer is exact, or an error: it is
  /// encoded as `Int64`, `UInt64`, `Double`, `Int128` or `UInt128`, the first that can represent it. Any other number is
  /// encoded as the nearest `Double`.
  ///
  /// Members are encoded as a dictionary: if several names are equal in Swift, only the last member is encoded. Encoders
  /// recurse for each level; Foundation's needs about 2 KiB of stack for each.
  ///
  /// - Throws: `EncodingError` if arrays and objects are nested more than 512 deep, or if an integer has more than 128 bits
  ///   and is not a `Double`; and the errors of the encoder, for example for NaN.
  public func encode(to encoder: any Encoder) throws {
    // Checked before the encoder starts, because it would need stack to detect this.
    guard depth(isAtMost: JSONLimits.maxRecursion) else {
      throw EncodingError.invalid(
        self, at: encoder.codingPath, "arrays and objects are nested more than \(JSONLimits.maxRecursion) deep")
    }
    try Part(json: self).encode(to: encoder)
  }

  /// A value whose depth is known not to exceed the limit.
  private struct Part: Encodable {
    let json: JSON

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch json.type {
      case .null, .unknown: try container.encodeNil()
      case .bool: try container.encode(json.boolValue)
      case .string: try container.encode(json.stringValue)
      case .number:
        // A Double counts as the decimal that it is written as, and beyond 2^53 its exact value can be another integer, which
        // Foundation's coders use.
        let decimal = json.builtNumber?.floating == nil ? nil : json.decimalText
        func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
          decimal.map { $0.exactly(type) } ?? json.exactly(type)
        }
        if let value = integer(Int64.self) {
          try container.encode(value)
        } else if let value = integer(UInt64.self) {
          try container.encode(value)
        } else if json.builtNumber?.floating != nil || json == JSON(.double(json.doubleValue))
          || json.decimalText.map({ $0.exponent < 0 }) ?? true
        {
          try container.encode(json.doubleValue)
        } else if let value = json.exactly(Int128.self) {
          try container.encode(value)
        } else if let value = json.exactly(UInt128.self) {
          try container.encode(value)
        } else {
          throw EncodingError.invalid(
            json, at: encoder.codingPath,
            "expected an integer of at most 128 bits, found a larger one that is no Double")
        }
      case .array: try container.encode(json.arrayValue.map { Part(json: $0) })
      case .dictionary: try container.encode(json.dictionaryValue.mapValues { Part(json: $0) })
      }
    }
  }

  /// Returns whether at most `limit` arrays and objects are nested inside one another.
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

extension EncodingError {
  static func invalid(
    _ value: Any = Optional<Int>.none as Any, at path: [any CodingKey], _ reason: String,
    because error: (any Error)? = nil
  ) -> EncodingError {
    .invalidValue(value, Context(codingPath: path, debugDescription: reason, underlyingError: error))
  }
}
