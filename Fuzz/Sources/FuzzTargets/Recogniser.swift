/// A recogniser of RFC 8259 that shares no code with the library, and is slow and plain on purpose: the judge of what the
/// validation, the kernels and the parser accept.
///
/// Beyond the RFC it decides as the library documents: strict UTF-8, one byte order mark at the start, and no lone
/// surrogates unless they are replaced.
struct Recogniser {
  private let text: [UInt8]
  private var index = 0
  private let allowsLoneSurrogates: Bool

  private init(_ text: [UInt8], allowsLoneSurrogates: Bool) {
    self.text = text
    self.allowsLoneSurrogates = allowsLoneSurrogates
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  /// Returns whether the bytes are one JSON text.
  static func accepts(_ text: [UInt8], allowingLoneSurrogates: Bool = false) -> Bool {
    guard String(validating: text, as: UTF8.self) != nil else { return false }
    var recogniser = Recogniser(text, allowsLoneSurrogates: allowingLoneSurrogates)
    return recogniser.document()
  }

  private var byte: UInt8? { index < text.count ? text[index] : nil }

  private mutating func take(_ wanted: Character) -> Bool {
    guard byte == wanted.asciiValue else { return false }
    index += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
  }

  /// One value with white space around it. The open containers are on the heap: depth takes no stack.
  private mutating func document() -> Bool {
    var open: [Bool] = []
    skipBlanks()
    values: while true {
      // A value begins here.
      if take("{") {
        skipBlanks()
        if !take("}") {
          open.append(true)
          guard name() else { return false }
          continue values
        }
      } else if take("[") {
        skipBlanks()
        if !take("]") {
          open.append(false)
          continue values
        }
      } else if !scalar() {
        return false
      }
      // A value has ended.
      while true {
        skipBlanks()
        guard let isObject = open.last else { return index == text.count }
        if take(",") {
          skipBlanks()
          if isObject, !name() { return false }
          continue values
        }
        guard take(isObject ? "}" : "]") else { return false }
        open.removeLast()
      }
    }
  }

  /// A name, its colon, and the white space up to its value.
  private mutating func name() -> Bool {
    guard string() else { return false }
    skipBlanks()
    guard take(":") else { return false }
    skipBlanks()
    return true
  }

  private mutating func scalar() -> Bool {
    if byte == UInt8(ascii: "\"") { return string() }
    for word in ["true", "false", "null"] where text[index...].starts(with: word.utf8) {
      index += word.utf8.count
      return true
    }
    return number()
  }

  private mutating func digits() -> Int {
    let start = index
    while let byte, (0x30...0x39).contains(byte) { index += 1 }
    return index - start
  }

  private mutating func number() -> Bool {
    _ = take("-")
    if !take("0"), digits() == 0 { return false }
    if take("."), digits() == 0 { return false }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      if digits() == 0 { return false }
    }
    return true
  }

  /// Four hexadecimal digits.
  private mutating func unit() -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte, let digit = Character(UnicodeScalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }

  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    // Whether the last escape was the first half of a surrogate pair.
    var isHalf = false
    while let byte {
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        if isHalf, !allowsLoneSurrogates { return false }
        isHalf = false
        if byte == UInt8(ascii: "\"") { return true }
        if byte < 0x20 { return false }
        continue
      }
      guard let kind = self.byte else { return false }
      index += 1
      guard kind == UInt8(ascii: "u") else {
        guard "\"\\/bfnrt".utf8.contains(kind) else { return false }
        if isHalf, !allowsLoneSurrogates { return false }
        isHalf = false
        continue
      }
      guard let unit = unit() else { return false }
      switch unit {
      case 0xD800...0xDBFF:
        if isHalf, !allowsLoneSurrogates { return false }
        isHalf = true
      case 0xDC00...0xDFFF:
        if !isHalf, !allowsLoneSurrogates { return false }
        isHalf = false
      default:
        if isHalf, !allowsLoneSurrogates { return false }
        isHalf = false
      }
    }
    return false
  }
}
