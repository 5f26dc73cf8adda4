/// A number that was created in Swift, not parsed.
package enum BuiltNumber: Sendable {
  case int(Int64)
  /// Above `Int64.max`.
  case uint(UInt64)
  case double(Double)
  /// Written and compared as the shortest decimal that parses back to this Float.
  case float(Float)
  /// The text of a JSON number that no other case can represent.
  case text(String)

  /// Creates the number in the first case that can represent it.
  init<Integer: FixedWidthInteger>(_ value: Integer) {
    if let int = Int64(exactly: value) {
      self = .int(int)
    } else if let uint = UInt64(exactly: value) {
      self = .uint(uint)
    } else {
      self = .text(value.description)
    }
  }

  /// The value of a Double or Float; `nil` for all other cases.
  var floating: Double? {
    switch self {
    case .double(let double): double
    case .float(let float): Double(float)
    case .int, .uint, .text: nil
    }
  }

  /// The value if it is NaN or infinite, which JSON cannot represent.
  var nonFinite: Double? {
    if let floating, !floating.isFinite { floating } else { nil }
  }

  /// The text that parses back to the same number: ``text``, except for `-0.0`.
  var sourceText: String {
    if let floating, floating == 0, floating.sign == .minus { return "-0.0" }
    return text
  }

  /// The text in the format of ``JSON/stringValue``: `1.0` is `1`, and `-0.0` is `-0`.
  var text: String {
    switch self {
    case .int(let int): return int.description
    case .uint(let uint): return uint.description
    case .text(let text): return text
    case .double(let double): return Self.text(double)
    case .float(let float): return Self.text(float)
    }
  }

  /// Formats a value with Swift's shortest digits. The format of the exponent is JSONSift's.
  private static func text(_ value: some BinaryFloatingPoint & CustomStringConvertible) -> String {
    guard value.isFinite else { return value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }
    var text = value.description
    if text.utf8.contains(ASCII.lowerE) {
      return text.withUTF8 { unsafe DecimalText(prefixOf: UnsafeRawBufferPointer($0))?.displayText } ?? text
    }
    if text.hasSuffix(".0") { text.removeLast(2) }
    return text
  }
}

extension Double {
  /// Whether the Float nearest to this Double can differ from the Float nearest to a number whose nearest Double this is.
  /// Rounding twice is correct unless the Double lies halfway between two Floats, or the Float is subnormal and has fewer bits.
  package var mayMisroundToFloat: Bool {
    let isHalfway = bitPattern & 0x1FFF_FFFF == 0x1000_0000
    return self != 0 && (isHalfway || Float(self).magnitude < Float.leastNormalMagnitude)
  }
}

extension BinaryFloatingPoint where Self: CustomStringConvertible {
  /// The Double of the shortest number that rounds to this Float or Float16, instead of the Double with all its digits.
  package var shortestDouble: Double { Double(description) ?? Double(self) }
}

/// A string or number that was created in Swift, not parsed.
final class BuiltScalar: Sendable {
  enum Content: Sendable {
    case string(String)
    case number(BuiltNumber)
  }

  let content: Content

  init(_ content: Content) { self.content = content }
}
