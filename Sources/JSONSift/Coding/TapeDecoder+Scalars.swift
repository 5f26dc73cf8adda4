/// A type that is decoded from one tape word. Generic functions for all of them implement the requirements of a container
/// for each type. For `Int128`, `UInt128` and `decodeIfPresent` the standard library has functions of its own, which
/// precede generic ones. A keyed container is generic itself, so the compiler would not specialize a generic function of it:
/// `decode` takes 24 % more instructions (Scripts/measure instructions).
protocol TapeScalar: Decodable {
  /// Returns `nil` if the value is of another kind or does not fit; the caller throws the error.
  static func value(at index: UInt32, in decoder: TapeDecoder) -> Self?

  static func error(at index: UInt32, _ step: CodingStep, in decoder: TapeDecoder) -> DecodingError
}

extension TapeScalar {
  static func error(at index: UInt32, _ step: CodingStep, in decoder: TapeDecoder) -> DecodingError {
    decoder.numberError(Self.self, at: index, step)
  }
}

extension Bool: TapeScalar {
  static func value(at index: UInt32, in decoder: TapeDecoder) -> Bool? { decoder.bool(at: index) }

  static func error(at index: UInt32, _ step: CodingStep, in decoder: TapeDecoder) -> DecodingError {
    decoder.mismatch(Bool.self, at: index, step)
  }
}

extension String: TapeScalar {
  static func value(at index: UInt32, in decoder: TapeDecoder) -> String? { decoder.string(at: index) }

  static func error(at index: UInt32, _ step: CodingStep, in decoder: TapeDecoder) -> DecodingError {
    decoder.valueError(String.self, at: index, step)
  }
}

extension Double: TapeScalar {
  static func value(at index: UInt32, in decoder: TapeDecoder) -> Double? { decoder.double(at: index) }
}

extension Float: TapeScalar {
  static func value(at index: UInt32, in decoder: TapeDecoder) -> Float? { decoder.float(at: index) }
}

extension FixedWidthInteger where Self: TapeScalar {
  static func value(at index: UInt32, in decoder: TapeDecoder) -> Self? { decoder.integer(at: index) }
}

extension Int: TapeScalar {}
extension Int8: TapeScalar {}
extension Int16: TapeScalar {}
extension Int32: TapeScalar {}
extension Int64: TapeScalar {}
extension Int128: TapeScalar {}
extension UInt: TapeScalar {}
extension UInt8: TapeScalar {}
extension UInt16: TapeScalar {}
extension UInt32: TapeScalar {}
extension UInt64: TapeScalar {}
extension UInt128: TapeScalar {}

extension TapeDecoder {
  @inline(__always)
  func scalar<Scalar: TapeScalar>(at index: UInt32, _ step: @autoclosure () -> CodingStep) throws -> Scalar {
    guard let value = Scalar.value(at: index, in: self) else { throw Scalar.error(at: index, step(), in: self) }
    return value
  }

  func bool(at index: UInt32) -> Bool? { kind(index).bool }

  func string(at index: UInt32) -> String? { word(index).kind.isString ? string(ofText: index) : nil }

  /// Returns the decoded text of a string or key.
  func string(ofText index: UInt32) -> String {
    let word = word(index)
    if !word.kind.isEscaped, !word.isLong, !isVolatile { return unsafe String(uncheckedUTF8: text(word)) }
    return slowString(index)
  }

  @inline(never)
  private func slowString(_ index: UInt32) -> String { context.document?.string(at: index) ?? "" }

  /// Calls `body` with the text of a number. Returns `nil` if the value is not a number.
  func withNumber<Result>(at index: UInt32, _ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
    let word = word(index)
    guard word.kind == .number else { return nil }
    if !word.isLong { return unsafe body(text(word)) }
    guard let document = context.document else { return nil }
    return unsafe document.withText(of: index, body)
  }

  // MARK: Integers

  func integer<Integer: FixedWidthInteger>(at index: UInt32) -> Integer? {
    let word = word(index)
    guard word.kind == .number, word.length <= 18 else { return slowInteger(index) }
    let text = unsafe text(word)
    let isNegative = unsafe text[0] == ASCII.minus
    var value: Int64 = 0
    var digitIndex = isNegative ? 1 : 0
    // At most 18 digits: no overflow.
    while digitIndex < text.count {
      let digit = unsafe text[digitIndex] &- ASCII.zero
      guard digit <= 9 else { return slowInteger(index) }
      value = value &* 10 &+ Int64(digit)
      digitIndex &+= 1
    }
    return Integer(exactly: isNegative ? 0 &- value : value)
  }

  /// Returns an integer with more than 18 characters, a point or an exponent.
  @inline(never)
  private func slowInteger<Integer: FixedWidthInteger>(_ index: UInt32) -> Integer? {
    unsafe withNumber(at: index) { unsafe NumberBytes.exactly(Integer.self, $0) }
  }

  // MARK: Floating point

  /// Returns `nil` also for a number whose Double is infinite, and for a nonzero number that would be rounded to 0.
  func double(at index: UInt32) -> Double? {
    let word = word(index)
    guard word.kind == .number, !word.isLong else { return slowDouble(index) }
    return unsafe Self.double(text(word))
  }

  private static func double(_ text: UnsafeRawBufferPointer) -> Double? {
    let value = unsafe NumberBytes.double(text)
    if value == 0 { return unsafe zero(text) ? (text[0] == ASCII.minus ? -0.0 : 0) : nil }
    return value.isFinite ? value : nil
  }

  @inline(never)
  private func slowDouble(_ index: UInt32) -> Double? {
    unsafe withNumber(at: index) { unsafe Self.double($0) } ?? nonConforming(index).map { Double($0) }
  }

  func float(at index: UInt32) -> Float? {
    guard kind(index) == .number else { return nonConforming(index) }
    return unsafe withNumber(at: index) { text in
      guard let double = unsafe Self.double(text) else { return nil }
      let value = Float(double)
      if !double.mayMisroundToFloat, value.isFinite { return value }
      guard let once = unsafe Float(String(utf8: text)), once.isFinite, once != 0 else { return nil }
      return once
    }
  }

  /// Returns whether all digits before the exponent are zeros.
  private static func zero(_ text: UnsafeRawBufferPointer) -> Bool {
    for index in 0..<text.count {
      let byte = unsafe text[index]
      if byte | 0x20 == ASCII.lowerE { return true }
      if byte &- 0x31 < 9 { return false }
    }
    return true
  }

  /// Returns NaN or infinity for a string that represents it.
  private func nonConforming(_ index: UInt32) -> Float? {
    let strategy = context.settings.value.nonConformingFloatDecodingStrategy
    guard case .convertFromString(let positive, let negative, let nan) = strategy, let text = string(at: index) else {
      return nil
    }
    if text == positive { return .infinity }
    if text == negative { return -.infinity }
    return text == nan ? .nan : nil
  }
}
