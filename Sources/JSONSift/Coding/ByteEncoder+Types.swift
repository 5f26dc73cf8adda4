#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A dictionary with string keys. Its keys are data and not keys of a type, so key strategies do not apply to them.
private protocol StringKeyedEncodable {
  func encode(to encoder: ByteEncoder) throws
}

extension Dictionary: StringKeyedEncodable where Key == String, Value: Encodable {
  fileprivate func encode(to encoder: ByteEncoder) throws {
    encoder.openObject()
    for (name, value) in self {
      try encoder.atomically { try encoder.write(value, .key(CodingPathKey.name(name)), to: encoder.beginMember(name)) }
    }
  }
}

extension ByteEncoder {
  /// Writes the single value, of any type.
  ///
  /// A type that encodes nothing leaves the encoder empty; the caller reports that as an error.
  func put<T: Encodable>(_ value: T, _ step: CodingStep) throws {
    if try writeKnown(value, step, to: target) {
      _ = try beginScalar()
    } else if context.settings.value.convertsKeys, let dictionary = value as? any StringKeyedEncodable {
      try dictionary.encode(to: self)
    } else {
      try value.encode(to: self)
    }
  }

  func openObject() { _ = container(keyedBy: CodingPathKey.self) }

  // Forced inlining in this file saves 0.7 % of `encode` (Scripts/measure instructions).
  /// Writes a value of any type to `target`. The caller rolls back what was written before an error.
  ///
  /// SAFETY of each cast: the comparison of the metatypes right before it proves that both types are the same. Worth
  /// it: checked casts take 1 % more instructions (Scripts/measure instructions, encode).
  @inline(__always)
  func write<T: Encodable>(_ value: T, _ step: CodingStep, to target: EncodedPart) throws {
    guard try !writeKnown(value, step, to: target) else { return }
    try nested(step, target) { child in
      if context.settings.value.convertsKeys, let dictionary = value as? any StringKeyedEncodable {
        try dictionary.encode(to: child)
      } else {
        try value.encode(to: child)
      }
    }
  }

  private func writeKnown<T: Encodable>(_ value: T, _ step: CodingStep, to target: EncodedPart) throws -> Bool {
    if T.self == String.self {
      unsafe target.append(string: unsafeBitCast(value, to: String.self), escapesSlashes: escapesSlashes)
    } else if T.self == [String].self {
      let escapesSlashes = escapesSlashes
      unsafe elements(unsafeBitCast(value, to: [String].self), target) {
        target.append(string: $0, escapesSlashes: escapesSlashes)
      }
    } else if T.self == [Int].self {
      unsafe elements(unsafeBitCast(value, to: [Int].self), target) { target.append($0) }
    } else if T.self == [Double].self {
      let numbers = unsafe unsafeBitCast(value, to: [Double].self)
      // Infinity and NaN take the generic path, which applies the strategy for them.
      guard numbers.allSatisfy({ $0.isFinite }) else { return false }
      elements(numbers, target) { write(finite: $0, to: target) }
    } else if T.self == Date.self {
      try unsafe write(unsafeBitCast(value, to: Date.self), step, to: target)
    } else if T.self == Data.self {
      try unsafe write(unsafeBitCast(value, to: Data.self), step, to: target)
    } else if T.self == URL.self {
      unsafe target.append(string: unsafeBitCast(value, to: URL.self).absoluteString, escapesSlashes: escapesSlashes)
    } else if T.self == Decimal.self {
      let decimal = unsafe unsafeBitCast(value, to: Decimal.self)
      guard !decimal.isNaN else {
        throw EncodingError.invalid(value, at: path(step), "Unable to encode Decimal.nan in JSON.")
      }
      target.append(plain: decimal.description)
    } else if T.self == JSON.self {
      try unsafe write(unsafeBitCast(value, to: JSON.self), step, to: target)
    } else {
      return false
    }
    return true
  }

  private func elements<Element>(
    _ elements: [Element], _ target: EncodedPart, _ write: (Element) throws -> Void
  ) rethrows {
    target.append(byte: ASCII.openBracket)
    var isFirst = true
    for element in elements {
      if !isFirst { target.append(byte: ASCII.comma) }
      isFirst = false
      try write(element)
    }
    target.append(byte: ASCII.closeBracket)
  }

  // MARK: Numbers

  @inline(__always)
  func write<Float: BinaryFloatingPoint & CustomStringConvertible>(
    _ value: Float, _ step: CodingStep, to target: EncodedPart
  ) throws {
    guard value.isFinite else { return try write(nonFinite: value, step, to: target) }
    write(finite: value, to: target)
  }

  @inline(__always)
  private func write<Float: BinaryFloatingPoint & CustomStringConvertible>(finite value: Float, to target: EncodedPart)
  {
    var text = value.description
    text.withUTF8 { text in
      // `1.0` is written as `1`.
      let isWhole = unsafe text.count > 2 && text[text.count - 1] == ASCII.zero && text[text.count - 2] == ASCII.dot
      unsafe target.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text).dropLast(isWhole ? 2 : 0)))
    }
  }

  @inline(never)
  private func write<Float: BinaryFloatingPoint>(
    nonFinite value: Float, _ step: CodingStep, to target: EncodedPart
  ) throws {
    guard
      case .convertToString(let positive, let negative, let nan) = context.settings.value
        .nonConformingFloatEncodingStrategy
    else { throw unencodable(value, step) }
    let text = value.isNaN ? nan : value > 0 ? positive : negative
    target.append(string: text, escapesSlashes: escapesSlashes)
  }

  // MARK: Types of Foundation

  private func write(_ date: Date, _ step: CodingStep, to target: EncodedPart) throws {
    switch context.settings.value.dateEncodingStrategy {
    case .deferredToDate: try write(date.timeIntervalSinceReferenceDate, step, to: target)
    case .secondsSince1970: try write(finiteOnly: date.timeIntervalSince1970, step, to: target)
    case .millisecondsSince1970: try write(finiteOnly: 1000 * date.timeIntervalSince1970, step, to: target)
    case .iso8601: target.append(string: InternetDate.text(date), escapesSlashes: escapesSlashes)
    case .rfc3339(let digits):
      guard let text = InternetDate.text(date, fractionDigits: digits) else {
        throw EncodingError.invalid(date, at: path(step), "Expected a date in the years 0 to 9999, which RFC 3339 has.")
      }
      target.append(string: text, escapesSlashes: escapesSlashes)
    case .formatted(let format): try target.append(string: format(date), escapesSlashes: escapesSlashes)
    case .custom(let encode): try nested(step, target) { try encode(date, $0) }
    }
  }

  /// Writes a number to which `nonConformingFloatEncodingStrategy` does not apply: NaN and infinity are errors.
  private func write(finiteOnly value: Double, _ step: CodingStep, to target: EncodedPart) throws {
    guard value.isFinite else { throw unencodable(value, step) }
    write(finite: value, to: target)
  }

  private func unencodable<Float: BinaryFloatingPoint>(_ value: Float, _ step: CodingStep) -> EncodingError {
    .invalid(value, at: path(step), "Unable to encode \(Float.self).\(value) directly in JSON.")
  }

  private func write(_ data: Data, _ step: CodingStep, to target: EncodedPart) throws {
    switch context.settings.value.dataEncodingStrategy {
    case .deferredToData: try nested(step, target) { try data.encode(to: $0) }
    case .base64: target.append(string: data.base64EncodedString(), escapesSlashes: escapesSlashes)
    case .custom(let encode): try nested(step, target) { try encode(data, $0) }
    }
  }

  private func write(_ json: JSON, _ step: CodingStep, to target: EncodedPart) throws {
    do throws(JSONError) {
      let bytes = try json.bytes()
      unsafe bytes.withUnsafeBytes { unsafe target.append($0) }
    } catch {
      throw EncodingError.invalid(json, at: path(step), error.message, because: error)
    }
  }
}
