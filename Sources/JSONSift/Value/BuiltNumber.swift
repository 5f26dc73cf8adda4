/// A number that a program made, not a text.
package enum BuiltNumber: Sendable {
  case int(Int64)
  /// Above `Int64.max`.
  case uint(UInt64)
  case double(Double)
  /// The text of a JSON number that no other case holds.
  case text(String)

  /// The number, in the first case that holds it.
  init<Integer: FixedWidthInteger>(_ value: Integer) {
    if let int = Int64(exactly: value) {
      self = .int(int)
    } else if let uint = UInt64(exactly: value) {
      self = .uint(uint)
    } else {
      self = .text(value.description)
    }
  }

  /// NaN or infinity, for which JSON has no text.
  var nonFinite: Double? {
    if case .double(let double) = self, !double.isFinite { double } else { nil }
  }

  /// The text that reads back to the same number: ``text``, but for `-0.0`.
  var sourceText: String {
    if case .double(let double) = self, double == 0, double.sign == .minus { return "-0.0" }
    return text
  }

  /// The text by the rule of ``JSON/stringValue``: `1.0` is `1`, and `-0.0` is `-0`.
  var text: String {
    switch self {
    case .int(let int): return int.description
    case .uint(let uint): return uint.description
    case .text(let text): return text
    case .double(let double):
      guard double.isFinite else { return double.isNaN ? "nan" : double < 0 ? "-inf" : "inf" }
      var text = double.description
      if text.utf8.contains(ASCII.lowerE) {
        // The shortest digits are Swift's; how an exponent is written is ours.
        return text.withUTF8 { unsafe DecimalText(prefixOf: UnsafeRawBufferPointer($0))?.displayText } ?? text
      }
      if text.hasSuffix(".0") { text.removeLast(2) }
      return text
    }
  }
}

/// A string or number that a program made.
final class BuiltScalar: Sendable {
  enum Content: Sendable {
    case string(String)
    case number(BuiltNumber)
  }

  let content: Content

  init(_ content: Content) { self.content = content }
}
