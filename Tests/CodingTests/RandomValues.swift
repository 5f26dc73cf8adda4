import Foundation
import TestSupport

/// Generates a value of any of the models.
protocol RandomValue: Codable, Equatable {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Self
}

extension SeededGenerator {
  mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  mutating func text() -> String {
    let pool: [Character] = [
      "a", "b", "z", "Z", "0", "9", " ", "_", "\"", "\\", "/", "\n", "\t", "\u{0}", "\u{1F}", "\u{7F}", "é", "ß", "日",
      "😀", "\u{2028}", "\u{FFFD}", "e\u{301}", "\u{200D}", "👨‍👩‍👧", "{", "}", "[", "]", ":", ",", ".",
    ]
    let count = pick(10) == 0 ? pick(80) : pick(9)
    var text = ""
    for _ in 0..<count { text.append(pool[pick(pool.count)]) }
    return text
  }

  mutating func list<T>(_ size: Int, _ make: (inout SeededGenerator) -> T) -> [T] {
    (0..<pick(max(size, 1))).map { _ in make(&self) }
  }

  mutating func optional<T>(_ make: (inout SeededGenerator) -> T) -> T? { pick(3) == 0 ? nil : make(&self) }
}

extension FixedWidthInteger where Self: Codable {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Self {
    switch source.pick(4) {
    case 0: Self.random(in: .min ... .max, using: &source)
    case 1: [Self.min, .max, 0, 1][source.pick(4)]
    default: Self(truncatingIfNeeded: source.pick(2000) - (Self.isSigned ? 1000 : 0))
    }
  }
}
extension Int: RandomValue {}
extension Int8: RandomValue {}
extension Int16: RandomValue {}
extension Int64: RandomValue {}
extension UInt8: RandomValue {}
extension UInt32: RandomValue {}
extension UInt64: RandomValue {}

extension Bool: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Bool { source.pick(2) == 0 }
}
extension String: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> String { source.text() }
}
extension Double: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Double {
    switch source.pick(4) {
    case 0:
      let value = Double(bitPattern: source.next())
      return value.isFinite ? value : 0
    case 1: return Double(source.pick(1_000_000)) / 1000
    case 2: return Double(source.pick(2000) - 1000)
    default:
      return [0, 1e300, 5e-300, 0.1, 1 / 3, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude][source.pick(8)]
    }
  }
}
extension Float: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Float {
    let value = Float(bitPattern: UInt32(truncatingIfNeeded: source.next()))
    return value.isFinite && (value == 0 || value.isNormal) ? value : 0.1
  }
}
extension Decimal: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Decimal {
    let value = Decimal(source.pick(1_000_000_000)) * Decimal(source.pick(1_000_000_000))
    return Decimal(sign: source.pick(2) == 0 ? .plus : .minus, exponent: source.pick(40) - 20, significand: value)
  }
}
extension Date: RandomValue {
  // Half seconds are exact under every strategy that keeps fractions.
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(source.pick(4_000_000_000) - 2_000_000_000) / 2)
  }
}
extension Data: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Data {
    Data(source.list(20) { UInt8($0.pick(256)) })
  }
}
extension URL: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> URL {
    URL(string: "https://example.net/\(source.pick(1000))?q=\(source.pick(10))#f") ?? URL(filePath: "/")
  }
}
extension UUID: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> UUID {
    var bytes: [UInt8] = (0..<16).map { _ in UInt8(source.pick(256)) }
    bytes[0] |= 1
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9], bytes[10],
        bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }
}
extension Array: RandomValue where Element: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> [Element] {
    source.list(size) { Element.random(&$0, size / 2) }
  }
}
extension Optional: RandomValue where Wrapped: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Wrapped? {
    source.optional { Wrapped.random(&$0, size) }
  }
}
extension Dictionary: RandomValue where Key: RandomValue, Value: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> [Key: Value] {
    var result: [Key: Value] = [:]
    for _ in 0..<source.pick(Swift.max(size, 1)) { result[Key.random(&source, 1)] = Value.random(&source, size / 2) }
    return result
  }
}
extension Set: RandomValue where Element: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Set<Element> {
    Set(source.list(size) { Element.random(&$0, 1) })
  }
}
extension Point: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Point {
    Point(x: .random(&source, 1), y: .random(&source, 1))
  }
}
extension Suit: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Suit { allCases[source.pick(4)] }
}
extension CodedSuit: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> CodedSuit {
    [.clubs, .redHearts][source.pick(2)]
  }
}
extension Box: RandomValue where Content: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Box { Box(Content.random(&source, size)) }
}
extension Shape: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Shape {
    switch source.pick(6) {
    case 0: .none
    case 1: .circle(radius: .random(&source, 1))
    case 2: .rectangle(width: .random(&source, 1), height: .random(&source, 1))
    case 3: .named(source.text())
    case 4: .pair(.random(&source, 1), .random(&source, 1))
    default: .at(.random(&source, 1))
    }
  }
}
extension Tree: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Tree {
    size < 2 ? .leaf(.random(&source, 1)) : .node(left: .random(&source, size / 2), right: .random(&source, size / 3))
  }
}
extension Chain: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Chain {
    func make(_ size: Int) -> Chain { Chain(size, size > 0 ? make(size - 1) : nil) }
    return make(source.pick(8))
  }
}
extension Flattened: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Flattened {
    Flattened(
      id: .random(&source, 1), width: .random(&source, 1), height: .random(&source, 1), tags: .random(&source, 5),
      matrix: .random(&source, 6))
  }
}
extension Everything: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Everything {
    Everything(
      bool: .random(&source, 1), int: .random(&source, 1), double: .random(&source, 1), float: .random(&source, 1),
      string: source.text(), data: .random(&source, 1), date: .random(&source, 1), url: .random(&source, 1),
      uuid: .random(&source, 1), decimal: .random(&source, 1), big: .random(&source, 1),
      huge: Int128(Int64.random(&source, 1)), optional: .random(&source, 1), list: .random(&source, 6),
      nested: .random(&source, 6), map: .random(&source, 5), point: .random(&source, 1), points: .random(&source, 5))
  }
}
extension Optionals: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Optionals {
    Optionals(
      bool: .random(&source, 1), int: .random(&source, 1), int8: .random(&source, 1), uint64: .random(&source, 1),
      double: .random(&source, 1), float: .random(&source, 1), string: .random(&source, 1), point: .random(&source, 1),
      list: .random(&source, 5), map: .random(&source, 5), date: .random(&source, 1), data: .random(&source, 1),
      decimal: .random(&source, 1), url: .random(&source, 1), twice: source.optional { .some(.random(&$0, 1)) })
  }
}
extension Snake.Inner: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Snake.Inner {
    .init(innerValue: .random(&source, 1), byName: .random(&source, 5))
  }
}
extension Snake: RandomValue {
  static func random(_ source: inout SeededGenerator, _ size: Int) -> Snake {
    Snake(
      oneTwo: .random(&source, 1), myURLProperty: source.text(), _leading: .random(&source, 1),
      nested: .random(&source, 1))
  }
}
