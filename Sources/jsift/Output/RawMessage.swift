/// Writes to standard error without allocating, locking or using much stack: for signal handlers, and for checks before
/// anything else runs.
enum RawMessage {
  static func put(_ text: StaticString) { _ = unsafe write(2, text.utf8Start, text.utf8CodeUnitCount) }

  /// Writes a number in decimal digits.
  static func put(_ number: UInt) {
    var power: UInt = 1
    while number / power > 9 { power *= 10 }
    while power > 0 {
      var digit = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / power % 10)
      _ = unsafe write(2, &digit, 1)
      power /= 10
    }
  }
}
