/// The quick ways from the bytes of a JSON number to a machine number. What they cannot do exactly they leave.
enum NumberBytes {
  /// An integer without point or exponent that fits 64 bits.
  static func integer(_ bytes: UnsafeRawBufferPointer) -> (isNegative: Bool, magnitude: UInt64)? {
    let isNegative = unsafe bytes.first == ASCII.minus
    let start = isNegative ? 1 : 0
    guard start < bytes.count, bytes.count &- start <= 20 else { return nil }
    var magnitude: UInt64 = 0
    for index in start..<bytes.count {
      let byte = unsafe bytes[index]
      guard byte.isDigit else { return nil }
      let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, more) = tens.addingReportingOverflow(UInt64(byte &- ASCII.zero))
      if overflow || more { return nil }
      magnitude = sum
    }
    return (isNegative, magnitude)
  }

  /// The nearest Double; infinite where the number is larger than any.
  static func double(_ bytes: UnsafeRawBufferPointer) -> Double {
    if let value = unsafe shortDouble(bytes) { return value }
    // The standard library rounds correctly and asks no locale.
    return unsafe Double(String(utf8: bytes)) ?? DecimalText(prefixOf: bytes)?.doubleValue ?? 0
  }

  /// Up to 2^53 times a power of ten up to 10^22, both of them exact: then one operation rounds once.
  private static func shortDouble(_ bytes: UnsafeRawBufferPointer) -> Double? {
    var index = 0
    var isNegative = false
    if unsafe bytes.first == ASCII.minus {
      isNegative = true
      index = 1
    }
    var mantissa: UInt64 = 0
    var exponent = 0
    var hasPoint = false
    while index < bytes.count {
      let byte = unsafe bytes[index]
      if byte.isDigit {
        guard mantissa < 1 << 53 else { return nil }
        mantissa = mantissa &* 10 &+ UInt64(byte &- ASCII.zero)
        if hasPoint { exponent -= 1 }
      } else if byte == ASCII.dot, !hasPoint {
        hasPoint = true
      } else {
        break
      }
      index += 1
    }
    guard mantissa <= 1 << 53 else { return nil }
    // The integer -0 is 0, as documented; only a fraction or an exponent keeps the sign.
    if mantissa == 0, !hasPoint, index == bytes.count { return 0 }
    if index < bytes.count {
      guard unsafe bytes[index] | 0x20 == ASCII.lowerE else { return nil }
      index += 1
      var isDown = false
      if index < bytes.count, unsafe bytes[index] == ASCII.minus || bytes[index] == ASCII.plus {
        isDown = unsafe bytes[index] == ASCII.minus
        index += 1
      }
      var written = 0
      guard index < bytes.count, bytes.count - index <= 4 else { return nil }
      while index < bytes.count {
        guard unsafe bytes[index].isDigit else { return nil }
        written = unsafe written * 10 + Int(bytes[index] &- ASCII.zero)
        index += 1
      }
      exponent += isDown ? -written : written
    }
    guard -22...22 ~= exponent else { return nil }
    let value = Double(mantissa)
    let scaled = exponent < 0 ? value / powersOfTen[-exponent] : value * powersOfTen[exponent]
    return isNegative ? -scaled : scaled
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}
