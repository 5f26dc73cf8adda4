import Foundation
import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONExactlyTests {
  private func exact(_ json: JSON) -> [String: Bool] {
    [
      "i8": json.exactly(Int8.self) != nil, "u8": json.exactly(UInt8.self) != nil,
      "i16": json.exactly(Int16.self) != nil, "u16": json.exactly(UInt16.self) != nil,
      "i32": json.exactly(Int32.self) != nil, "u32": json.exactly(UInt32.self) != nil,
      "i64": json.exactly(Int64.self) != nil, "u64": json.exactly(UInt64.self) != nil,
      "i128": json.exactly(Int128.self) != nil, "u128": json.exactly(UInt128.self) != nil,
    ]
  }

  static let integers: [(String, String)] = [
    ("0", "i8 u8 i16 u16 i32 u32 i64 u64 i128 u128"), ("-0", "i8 u8 i16 u16 i32 u32 i64 u64 i128 u128"),
    ("0.0", "i8 u8 i16 u16 i32 u32 i64 u64 i128 u128"), ("-0.0e5", "i8 u8 i16 u16 i32 u32 i64 u64 i128 u128"),
    ("127", "i8 u8 i16 u16 i32 u32 i64 u64 i128 u128"), ("128", "u8 i16 u16 i32 u32 i64 u64 i128 u128"),
    ("-1", "i8 i16 i32 i64 i128"), ("-128", "i8 i16 i32 i64 i128"), ("-129", "i16 i32 i64 i128"),
    ("300", "i16 u16 i32 u32 i64 u64 i128 u128"), ("1.0", "i8 u8 i16 u16 i32 u32 i64 u64 i128 u128"),
    ("1e2", "i8 u8 i16 u16 i32 u32 i64 u64 i128 u128"), ("1500e-2", "i8 u8 i16 u16 i32 u32 i64 u64 i128 u128"),
    ("1.5", ""), ("1e-1", ""), ("65536", "i32 u32 i64 u64 i128 u128"), ("4294967296", "i64 u64 i128 u128"),
    ("9223372036854775807", "i64 u64 i128 u128"), ("9223372036854775808", "u64 i128 u128"),
    ("-9223372036854775808", "i64 i128"), ("-9223372036854775809", "i128"),
    ("18446744073709551615", "u64 i128 u128"), ("18446744073709551616", "i128 u128"),
    ("-18446744073709551615", "i128"), ("170141183460469231731687303715884105727", "i128 u128"),
    ("170141183460469231731687303715884105728", "u128"), ("-170141183460469231731687303715884105728", "i128"),
    ("-170141183460469231731687303715884105729", ""), ("340282366920938463463374607431768211455", "u128"),
    ("340282366920938463463374607431768211456", ""), ("1e38", "i128 u128"), ("1e39", ""), ("1e400", ""), ("1e-400", ""),
    ("1e999999999999", ""), ("-1e-999999999999", ""), ("0e999999999999", "i8 u8 i16 u16 i32 u32 i64 u64 i128 u128"),
    ("9007199254740993", "i64 u64 i128 u128"), ("1.00000000000000000000000000000000000000001", ""),
    ("true", ""), ("null", ""), ("\"1\"", ""), ("[1]", ""),
  ]

  @Test(arguments: integers)
  func `only integer types that can represent the number return it`(text: String, types: String) throws {
    let found = exact(try JSON(parsing: text)).filter(\.value).keys
    #expect(Set(found) == Set(types.split(separator: " ").map(String.init)))
  }

  @Test func `the exact integer equals the number`() throws {
    let json = try JSON(parsing: "[-128,1e2,170141183460469231731687303715884105727,1500e-2,-9223372036854775808,-7.0]")
    #expect(json[0].exactly(Int8.self) == -128)
    #expect(json[1].exactly(UInt8.self) == 100)
    #expect(json[2].exactly(Int128.self) == Int128.max)
    #expect(json[3].exactly(Int.self) == 15)
    #expect(json[4].exactly(Int64.self) == Int64.min)
    #expect(json[4].exactly(Int128.self) == Int128(Int64.min))
    #expect(json[5].exactly(Int16.self) == -7)
  }

  static let floats: [(String, Double?, Float?)] = [
    ("0.1", nil, nil), ("0.5", 0.5, 0.5), ("-0.375", -0.375, -0.375),
    ("9007199254740992", 9_007_199_254_740_992, 0x1p53), ("9007199254740993", nil, nil),
    ("9007199254740994", 9_007_199_254_740_994, nil), ("16777216", 16_777_216, 16_777_216),
    ("16777217", 16_777_217, nil), ("1e400", nil, nil), ("1e-400", nil, nil), ("1e22", 1e22, nil), ("1e23", nil, nil),
    ("0.1000000000000000055511151231257827021181583404541015625", 0.1, nil),
    ("0.1000000000000000055511151231257827021181583404541015624", nil, nil),
    ("0.100000001490116119384765625", 0.100000001490116119384765625, 0.1), ("1", 1, 1), ("1.50", 1.5, 1.5),
    ("100", 100, 100), ("1e2", 100, 100), ("25e-2", 0.25, 0.25), ("18446744073709551616", 0x1p64, 0x1p64),
    ("18446744073709551615", nil, nil), ("1e10", 1e10, 1e10), ("1e11", 1e11, nil),
    ("340282346638528859811704183484516925440", 0x1.fffffep127, Float.greatestFiniteMagnitude),
    ("340282366920938463463374607431768211456", 0x1p128, nil), ("5e-324", nil, nil), ("1e999999999999", nil, nil),
    ("1e-999999999999", nil, nil), ("3", 3, 3), ("true", nil, nil), ("\"1\"", nil, nil), ("null", nil, nil),
  ]

  @Test(arguments: floats)
  func `only floating types that can hold the number return it`(text: String, double: Double?, float: Float?) throws {
    let json = try JSON(parsing: text)
    #expect(json.exactly(Double.self) == double)
    #expect(json.exactly(Float.self) == float)
  }

  @Test func `zero keeps its sign`() throws {
    for (text, sign) in [("0", FloatingPointSign.plus), ("-0", .minus), ("-0.0", .minus), ("0e5", .plus)] {
      let value = try JSON(parsing: text).exactly(Double.self)
      #expect(value == 0 && value?.sign == sign, "\(text)")
    }
  }

  @Test func `every Double is exactly its full expansion and equals no neighbouring number`() throws {
    var random = SeededGenerator.announced()
    var values = [
      Double.leastNonzeroMagnitude, .leastNormalMagnitude, .leastNormalMagnitude.nextDown, .greatestFiniteMagnitude,
      0.1, 1 / 3, .pi, 0x1p-1073, 3 * 0x1p-1074,
    ]
    while values.count < 60 {
      let value = Double(bitPattern: random.next())
      if value.isFinite { values.append(value) }
    }
    for value in values {
      let text = CLibrary.text("%.1080e", value)
      let json = try JSON(parsing: text, options: JSONOptions(limits: .unlimited))
      #expect(json.exactly(Double.self) == value, "\(value)")
      #expect(json.double == value)
      let parts = text.split(separator: "e")
      let beside = try JSON(parsing: "\(parts[0])1e\(parts[1])", options: JSONOptions(limits: .unlimited))
      #expect(beside.exactly(Double.self) == nil, "\(value)")
    }
  }

  @Test func `every Float is exactly its full expansion`() throws {
    var random = SeededGenerator.announced()
    for round in 0..<300 {
      let value =
        round == 0 ? Float.leastNonzeroMagnitude : Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      guard value.isFinite else { continue }
      let json = try JSON(parsing: CLibrary.text("%.160e", Double(value)))
      #expect(json.exactly(Float.self) == value)
      #expect(json.exactly(Double.self) == Double(value))
    }
  }

  @Test func `a text of seventeen digits that reads back is exact only if it equals the Double`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<500 {
      let value = Double(random.next() >> 11) * 0x1p-53
      let isShort = CLibrary.text("%.60f", value).hasPrefix("\(value)" + "000000000000000000000000000000000000")
      let json = try JSON(parsing: "\(value)")
      #expect(json.exactly(Double.self) == (isShort ? value : nil), "\(value)")
    }
  }
}
