extension JSON {
  /// Returns whether both are equal by the rules of RFC 9535: numbers by exact value, strings by their characters; `nil` if
  /// both are arrays or both are objects.
  func isSameScalar(_ other: JSON) -> Bool? {
    let type = type
    guard type == other.type else { return false }
    switch type {
    case .null: return true
    case .unknown: return false
    case .bool: return bool == other.bool
    case .string: return stringOrder(other) == 0
    case .number: return exactOrder(other) == 0
    case .array, .dictionary: return nil
    }
  }

  /// Returns a negative, zero or positive number for the order of two numbers by exact value; `nil` if one is not a number
  /// or is NaN.
  func exactOrder(_ other: JSON) -> Int? {
    guard let left = ExactNumber(self), let right = ExactNumber(other) else {
      let isNaN = builtNumber?.nonFinite?.isNaN == true || other.builtNumber?.nonFinite?.isNaN == true
      return isNaN ? nil : numberOrder(other)
    }
    return ExactNumber.compare(left, right)
  }

  /// Returns a negative, zero or positive number for the order of two strings by code points, which equals the order of
  /// their UTF-8 bytes.
  func stringOrder(_ other: JSON) -> Int {
    unsafe withStringBytes { left in unsafe other.withStringBytes { unsafe left.lexicalOrder($0) } }
  }

  /// The cost of a comparison with this string or number in steps, in addition to the first step: comparing bytes is fast,
  /// escapes are decoded one by one, and each digit of a long number is read.
  var comparisonSteps: Int {
    guard case .node(let document, let index) = raw else { return stringSize / PathContext.bytesPerStep }
    let kind = document.word(index).kind
    if kind.isString {
      return stringSize / (kind.isEscaped ? PathContext.escapedBytesPerStep : PathContext.bytesPerStep)
    }
    guard kind == .number else { return 0 }
    // A number of usual length is compared in 64-bit arithmetic.
    let bytes = document.range(of: index).count
    return bytes > 32 ? bytes / PathContext.digitsPerStep : 0
  }

  /// The approximate number of bytes of a string, without reading them.
  var stringSize: Int {
    guard case .node(let document, let index) = raw else { return builtString?.utf8.count ?? 0 }
    return document.range(of: index).count
  }
}
