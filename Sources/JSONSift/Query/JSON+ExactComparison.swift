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
    guard let left = ExactNumber(self), let right = ExactNumber(other) else { return nonFiniteOrder(other) }
    return ExactNumber.compare(left, right)
  }

  /// Compares numbers that JSON text cannot express, but a program can create. NaN has no order.
  private func nonFiniteOrder(_ other: JSON) -> Int? {
    guard let left = NumberOrder(self)?.double, let right = NumberOrder(other)?.double else { return nil }
    if left < right { return -1 }
    return left == right ? 0 : left > right ? 1 : nil
  }

  /// Returns a negative, zero or positive number for the order of two strings by code points, which equals the order of
  /// their UTF-8 bytes.
  func stringOrder(_ other: JSON) -> Int {
    unsafe withStringBytes { left in unsafe other.withStringBytes { unsafe left.lexicalOrder($0) } }
  }

  /// Calls a closure with the bytes of a string, escapes decoded; with no bytes if the value is not a string.
  func withStringBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if case .node(let document, let index) = raw, document.word(index).kind.isString {
      return unsafe document.withDecodedText(of: index, body)
    }
    var string = builtString ?? ""
    return string.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
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

/// A number for exact comparison in filters. Most numbers have a significand of 64 bits; the others keep all their digits.
enum ExactNumber {
  /// significand * 10^exponent. The significand does not end in 0 and has at most 19 digits; 0 has the exponent 0.
  case small(isNegative: Bool, significand: UInt64, exponent: Int)
  case large(DecimalText)

  init?(_ json: JSON) {
    if case .int(let int) = json.builtNumber {
      self.init(isNegative: int < 0, significand: int.magnitude, exponent: 0)
      return
    }
    guard let number = unsafe json.withNumber({ unsafe ExactNumber(text: $0) }) ?? nil else { return nil }
    self = number
  }

  private init(isNegative: Bool, significand: UInt64, exponent: Int) {
    guard significand != 0 else {
      self = .small(isNegative: false, significand: 0, exponent: 0)
      return
    }
    var significand = significand
    var exponent = exponent
    while true {
      let (quotient, remainder) = significand.quotientAndRemainder(dividingBy: 10)
      guard remainder == 0 else { break }
      significand = quotient
      exponent += 1
    }
    self = .small(isNegative: isNegative, significand: significand, exponent: exponent)
  }

  init?(text: UnsafeRawBufferPointer) {
    if let short = unsafe NumberBytes.short(text) {
      self.init(isNegative: short.isNegative, significand: short.mantissa, exponent: short.exponent)
    } else if let large = unsafe DecimalText(prefixOf: text) {
      self = .large(large)
    } else {
      return nil
    }
  }

  /// Returns a negative, zero or positive number for the order of two numbers.
  static func compare(_ left: ExactNumber, _ right: ExactNumber) -> Int {
    guard case .small(let leftNegative, let leftDigits, let leftExponent) = left,
      case .small(let rightNegative, let rightDigits, let rightExponent) = right
    else { return DecimalText.compare(left.decimalText, right.decimalText) }
    let leftSign = leftDigits == 0 ? 0 : leftNegative ? -1 : 1
    let rightSign = rightDigits == 0 ? 0 : rightNegative ? -1 : 1
    guard leftSign == rightSign else { return leftSign < rightSign ? -1 : 1 }
    // Scales both to the smaller exponent. A significand that overflows is larger than the other, which does not.
    let (leftScaled, leftOverflow) = scaled(leftDigits, by: leftExponent - rightExponent)
    let (rightScaled, rightOverflow) = scaled(rightDigits, by: rightExponent - leftExponent)
    if leftOverflow { return leftSign }
    if rightOverflow { return -leftSign }
    return leftScaled == rightScaled ? 0 : leftScaled < rightScaled ? -leftSign : leftSign
  }

  private static func scaled(_ digits: UInt64, by power: Int) -> (UInt64, Bool) {
    guard power > 0, digits != 0 else { return (digits, false) }
    guard power < 20 else { return (digits, true) }
    var result = digits
    for _ in 0..<power {
      let (product, overflow) = result.multipliedReportingOverflow(by: 10)
      if overflow { return (digits, true) }
      result = product
    }
    return (result, false)
  }

  private var decimalText: DecimalText {
    switch self {
    case .large(let number): return number
    case .small(let isNegative, let significand, let exponent):
      var text = (isNegative ? "-" : "") + significand.description + "e" + exponent.description
      return text.withUTF8 { unsafe DecimalText(prefixOf: UnsafeRawBufferPointer($0)) } ?? DecimalText()
    }
  }
}
