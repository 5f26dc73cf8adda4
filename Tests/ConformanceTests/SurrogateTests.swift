import JSONSift
import TestSupport
import Testing

@Suite struct SurrogateTests {
  /// Returns four hexadecimal digits, in random case.
  private static func hex(_ unit: UInt32) -> String {
    let digits = String(unit, radix: 16, uppercase: unit % 3 == 0)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  private static func isSurrogate(_ unit: UInt32) -> Bool { 0xD800...0xDFFF ~= unit }

  @Test func `each of the 65536 single escapes is its character, or a lone surrogate that is rejected`() throws {
    var parser = JSONParser()
    var lenient = JSONParser(options: JSONOptions(loneSurrogates: .replace))
    var failures: [String] = []
    for unit in UInt32(0)...0xFFFF {
      let bytes = Array("\"\\u\(Self.hex(unit))\"".utf8)
      do throws(JSONError) {
        let string = try parser.parse(bytes).string
        if Self.isSurrogate(unit) {
          failures.append("\(Self.hex(unit)) is accepted")
        } else if string?.unicodeScalars.map(\.value) != [unit] {
          failures.append("\(Self.hex(unit)) is \(String(describing: string))")
        }
      } catch {
        if !Self.isSurrogate(unit) || Outcome(error) != .rejected("loneSurrogate", at: 1) {
          failures.append("\(Self.hex(unit)): \(Outcome(error))")
        }
      }
      let replaced = try lenient.parse(bytes).string?.unicodeScalars.map(\.value)
      if replaced != [Self.isSurrogate(unit) ? 0xFFFD : unit] {
        failures.append("\(Self.hex(unit)) with replacement is \(String(describing: replaced))")
      }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test func `every 67th surrogate pair is its character, also in a key and under every chunking`() throws {
    var parser = JSONParser()
    var failures: [String] = []
    // 67 and 1024 have no common factor, so all low surrogates occur.
    for value in stride(from: UInt32(0x10000), through: 0x10FFFF, by: 67) {
      let high = 0xD800 + (value - 0x10000) >> 10
      let low = 0xDC00 + (value - 0x10000) & 0x3FF
      let escape = "\\u\(Self.hex(high))\\u\(Self.hex(low))"
      let json = try parser.parse(Array("{\"\(escape)\":\"\(escape)\"}".utf8))
      for (key, text) in json {
        if key.unicodeScalars.map(\.value) != [value] || text.string?.unicodeScalars.map(\.value) != [value] {
          failures.append("\(escape) is not U+\(String(value, radix: 16))")
        }
      }
      let swapped = "\"\\u\(Self.hex(low))\\u\(Self.hex(high))\""
      let outcome = Outcome { () throws(JSONError) in _ = try parser.parse(Array(swapped.utf8)) }
      if outcome != .rejected("loneSurrogate", at: 1) { failures.append("\(swapped): \(outcome)") }
      if value % 64 == 0, let difference = differenceOverEveryChunking(of: Array("[\"\(escape)\"]".utf8)) {
        failures.append("\(escape) \(difference)")
      }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test(arguments: [
    (#"\uD83D"#, "\u{FFFD}"), (#"\uDE00"#, "\u{FFFD}"), (#"a\uD83Db"#, "a\u{FFFD}b"),
    (#"\uD83D\uD83D\uDE00"#, "\u{FFFD}\u{1F600}"), (#"\uD83D\uDE00\uDE00"#, "\u{1F600}\u{FFFD}"),
    (#"\uDE00\uD83D"#, "\u{FFFD}\u{FFFD}"), (#"\uD83D\n\uDE00"#, "\u{FFFD}\n\u{FFFD}"),
    (#"\uD83D\u0041"#, "\u{FFFD}A"), (#"\uD83D\\uDE00"#, "\u{FFFD}\\uDE00"), (#"\\uD83D"#, "\\uD83D"),
    (#"\uD83Dé"#, "\u{FFFD}é"), (#"\ud83d\ude00"#, "\u{1F600}"),
  ])
  func `with replacement a lone surrogate reads as U+FFFD in a string and a key under every chunking`(
    escaped: String, expected: String
  ) throws {
    let options = JSONOptions(loneSurrogates: .replace)
    let bytes = Array("{\"\(escaped)\":\"\(escaped)\"}".utf8)
    let json = try JSON(parsing: bytes, options: options)
    #expect(json.map { $0.0 } == [expected])
    #expect(json[expected].string == expected)
    let reading = events(of: bytes, chunk: nil, options: options)
    #expect(reading.events.map(\.text) == ["", expected, expected, ""])
    #expect(differenceOverEveryChunking(of: bytes, options: options) == nil)
  }
}
