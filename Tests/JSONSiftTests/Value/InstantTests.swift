import Foundation
import TestSupport
import Testing

@testable import JSONSift

@Suite struct InstantTests {
  static func instant(_ text: String, _ unit: JSONTimeUnit? = nil) -> Instant? {
    unsafe Array(text.utf8).withUnsafeBytes { unsafe Instant(json: $0, unit) }
  }

  static let times: [(String, String?)] = [
    (#""2026-11-24T14:00:00Z""#, "2026-11-24T14:00:00Z"), (#""2026-11-24t14:00:00z""#, "2026-11-24T14:00:00Z"),
    (#""2026-11-24 14:00:00+01:30""#, "2026-11-24T12:30:00Z"),
    (#""2026-11-24T14:00:00-00:00""#, "2026-11-24T14:00:00Z"), (#""2026-11-24T14:00:00.5Z""#, "2026-11-24T14:00:00.5Z"),
    (#""2026-11-24T14:00:00.123456789012345678999Z""#, "2026-11-24T14:00:00.123456789012345678Z"),
    (#""1969-12-31T23:59:59.25Z""#, "1969-12-31T23:59:59.25Z"), (#""0000-01-01T00:00:00Z""#, "0000-01-01T00:00:00Z"),
    (#""9999-12-31T23:59:59.9Z""#, "9999-12-31T23:59:59.9Z"), (#""2026\u002d11-24T14:00:00Z""#, "2026-11-24T14:00:00Z"),
    (#""2026-11-24""#, nil), (#""2026-02-29T00:00:00Z""#, nil), (#""2026-11-24T24:00:00Z""#, nil),
    (#""2016-12-31T23:59:60Z""#, nil), (#""""#, nil), (#""\u0041""#, nil), ("null", nil),
    ("true", nil), ("[1764072000]", nil), ("{}", nil), ("", nil),
    ("1764072000", "2025-11-25T12:00:00Z"), ("1764072000123", "2025-11-25T12:00:00.123Z"),
    ("1764072000123456", "2025-11-25T12:00:00.123456Z"), ("1764072000123456789", "2025-11-25T12:00:00.123456789Z"),
    ("1764072000.25", "2025-11-25T12:00:00.25Z"), ("1764072000123.5", "2025-11-25T12:00:00.1235Z"),
    ("1.764072e9", "2025-11-25T12:00:00Z"), ("17640720000e-1", "2025-11-25T12:00:00Z"), ("0", "1970-01-01T00:00:00Z"),
    ("-0.0", "1970-01-01T00:00:00Z"), ("-1", "1969-12-31T23:59:59Z"), ("-1.5", "1969-12-31T23:59:58.5Z"),
    ("99999999999", "5138-11-16T09:46:39Z"), ("100000000000", "1973-03-03T09:46:40Z"),
    ("99999999999999", "5138-11-16T09:46:39.999Z"), ("100000000000000", "1973-03-03T09:46:40Z"),
    ("100000000000000000", "1973-03-03T09:46:40Z"), ("1e20", nil), ("1e400", nil), ("1e-400", "1970-01-01T00:00:00Z"),
    ("-1e-400", "1969-12-31T23:59:59.999999999999999999Z"),
    ("0.0000000000000000019", "1970-01-01T00:00:00.000000000000000001Z"),
    ("-0.0000000000000000011", "1969-12-31T23:59:59.999999999999999998Z"),
  ]

  /// Times in the spellings that logs have.
  static let spellings: [(String, String?)] = [
    (#""2026-11-24 14:00:00,123""#, "2026-11-24T14:00:00.123Z"),
    (#""2026-11-24T14:00:00,5Z""#, "2026-11-24T14:00:00.5Z"), (#""2026-11-24T14:00:00""#, "2026-11-24T14:00:00Z"),
    (#""2026-11-24t14:00""#, "2026-11-24T14:00:00Z"), (#""2026-11-24T14:00z""#, "2026-11-24T14:00:00Z"),
    (#""2026-11-24T14:00:00+0130""#, "2026-11-24T12:30:00Z"), (#""2026-11-24T14:00:00-01""#, "2026-11-24T15:00:00Z"),
    (#""2026-11-24 14:00:00.25 +0100""#, "2026-11-24T13:00:00.25Z"),
    (#""2026-11-24 14:00:00 +01:00""#, "2026-11-24T13:00:00Z"),
    (#""2026-11-24 14:00:00.5 UTC""#, "2026-11-24T14:00:00.5Z"), (#""2026-11-24 14:00 GMT""#, "2026-11-24T14:00:00Z"),
    (#""2026-11-24 14:00:00 UT""#, nil), (#""2026-11-24 14:00:00 CET""#, nil),
    (#""2026-11-24\u002014:00:00\u002c5""#, "2026-11-24T14:00:00.5Z"),
    (#""1764072000""#, "2025-11-25T12:00:00Z"), (#""1764072000123""#, "2025-11-25T12:00:00.123Z"),
    (#""1764072000.25""#, "2025-11-25T12:00:00.25Z"), (#""17640720\u0030\u0030""#, "2025-11-25T12:00:00Z"),
    (#"{"$date":"2026-11-24T14:00:00Z"}"#, "2026-11-24T14:00:00Z"),
    (#"{ "$date" : 1764072000123 }"#, "2025-11-25T12:00:00.123Z"),
    (#"{"$date":{"$numberLong":"1764072000123"}}"#, "2025-11-25T12:00:00.123Z"),
    (#"{"\u0024date":{"$numberLong":1764072000123}}"#, "2025-11-25T12:00:00.123Z"),
    (#"{"$date":{"$date":1764072000123}}"#, nil), (#"{"$date":null}"#, nil), (#"{"$date":1,"a":2}"#, nil), ("{", nil),
    (#""20261124""#, nil), (#""2026""#, nil), (#""20261124140000""#, nil), (#""20261344""#, "1970-08-23T12:09:04Z"),
    (#""2026-11-24T14:00:00,""#, nil), (#""2026-11-24T14:00:00.Z""#, nil), (#""2026-11-24T14:00:00+1""#, nil),
    (#""2026-11-24T14:00:00+010""#, nil), (#""2026-11-24T14:00:00+01:0""#, nil), (#""2026-11-24T14:00:00+24""#, nil),
    (#""2026-11-24T14:00:00+0160""#, nil), (#""2026-11-24T14:00:00  Z""#, nil), (#""2026-11-24T14:00:00 ""#, nil),
    (#""2026-11-24T14:00:60""#, nil), (#""2026-11-24T14:0""#, nil), (#""2026-11-24T25:00""#, nil),
    (#"" 1764072000""#, nil), (#""1e9""#, nil), (#""1.""#, nil), (#""-1.5""#, "1969-12-31T23:59:58.5Z"),
  ]

  @Test func `issue 48, row 6: a time is read in the spellings that logs have`() {
    for (text, expected) in Self.spellings { #expect(Self.instant(text)?.text == expected, "\(text)") }
    #expect(Instant(JSON(["$date": JSON("2026-11-24T14:00:00Z")]), nil)?.text == "2026-11-24T14:00:00Z")
    let clock = LocalClock("+2") { $0.adding(-7200 * Instant.attosecondsPerSecond) }
    for (text, expected) in [("14:00:00", "12:00:00Z"), ("14:00:00Z", "14:00:00Z"), ("14:00:00,5+01", "13:00:00.5Z")] {
      let found = unsafe Array("\"2026-11-24T\(text)\"".utf8).withUnsafeBytes { unsafe Instant(json: $0, nil, clock) }
      #expect(found?.text == "2026-11-24T" + expected, "\(text)")
    }
    #expect(Self.instant("\"20261124\"", .seconds)?.text == "1970-08-23T12:05:24Z")
  }

  @Test(arguments: ["2026", "202611", "20261124", "202611241400", "20261124140000"])
  func `issue 48, row 4: digits that can be a date are no bound`(_ text: String) throws {
    for unit in [nil] + JSONTimeUnit.allCases {
      #expect(Instant(bound: text, unit) == nil)
      #expect(Instant(bound: text + ".0", unit) != nil)
    }
    let error = jsonError { _ = try JSONTimeWindow(of: "$.t", since: text) }
    #expect(error?.code == .invalidTime)
    #expect(error?.message.contains("write 2026-") == true && error?.message.contains("\(text).0") == true)
    for other in ["1764", "176407", "20261344", "17640720", "1764072000"] { #expect(Instant(bound: other, nil) != nil) }
  }

  @Test func `a string of RFC 3339 or a number is a time, and any other value is none`() {
    for (text, expected) in Self.times { #expect(Self.instant(text)?.text == expected, "\(text)") }
  }

  @Test func `zero bytes instead of a date are not a time`() {
    #expect(Self.instant("\"" + String(repeating: "\\u0000", count: 10) + "T10:00:00Z\"") == nil)
    for byte in UInt8.min...UInt8.max where byte < 0x80 {
      let text = [UInt8](repeating: byte, count: 10) + Array("T10:00:00Z".utf8)
      unsafe text.withUnsafeBytes { #expect(unsafe InternetTime($0) == nil, "byte \(byte)") }
    }
  }

  @Test func `a value made in Swift is the time of its text`() {
    #expect(Instant(JSON("2026-11-24T14:00:00Z"), nil)?.text == "2026-11-24T14:00:00Z")
    #expect(Instant(JSON(1_764_072_000), nil)?.text == "2025-11-25T12:00:00Z")
    #expect(Instant(JSON(1_764_072_000), .milliseconds)?.text == "1970-01-21T10:01:12Z")
    #expect(Instant(JSON([1]), nil) == nil)
    #expect(Instant(JSON.null, nil) == nil)
  }

  @Test func `a given unit applies to numbers of each size`() {
    let expected: [(JSONTimeUnit, String)] = [
      (.seconds, "2000000000000 seconds since 1970"), (.milliseconds, "2033-05-18T03:33:20Z"),
      (.microseconds, "1970-01-24T03:33:20Z"), (.nanoseconds, "1970-01-01T00:33:20Z"),
    ]
    for (unit, text) in expected { #expect(Self.instant("2000000000000", unit)?.text == text) }
    #expect(Self.instant("99999999999999999999", .seconds)?.text == "99999999999999999999 seconds since 1970")
    #expect(Self.instant("\"2026-11-24T14:00:00Z\"", .nanoseconds)?.text == "2026-11-24T14:00:00Z")
  }

  @Test func `a number with an exponent or decimal places is the time of the same integer`() {
    var random = SeededGenerator.announced()
    for _ in 0..<2000 {
      let digits = random.below(18) + 1
      let number = (0..<digits).reduce(0) { value, _ in value * 10 + random.below(10) }
      for unit in [nil] + JSONTimeUnit.allCases {
        let expected = Self.instant("\(number)", unit)
        #expect(Self.instant("\(number).0", unit) == expected)
        #expect(Self.instant("\(number)0e-1", unit) == expected)
        #expect(Self.instant("-\(number).000", unit) == Self.instant("-\(number)", unit))
      }
    }
  }

  @Test func `a bound is exact, and a text with more than nine decimal places or other characters is none`() {
    let expected: [(String, String?)] = [
      ("2026-11-24T14:00:00+02:00", "2026-11-24T12:00:00Z"),
      ("2026-11-24T14:00:00.123456789Z", "2026-11-24T14:00:00.123456789Z"),
      ("1764072000", "2025-11-25T12:00:00Z"), ("1764072000.000000001", "2025-11-25T12:00:00.000000001Z"),
      ("1764072000123456789.123456789", "2025-11-25T12:00:00.123456789123456789Z"), ("-1", "1969-12-31T23:59:59Z"),
      ("2026-11-24T14:00:00.1234567891Z", nil), ("1764072000.0000000001", nil), ("1e9", nil), ("+1", nil), ("1.", nil),
      (".1", nil), ("1.2.3", nil), ("", nil), ("-", nil), (" 1", nil), ("\"2026-11-24T14:00:00Z\"", nil), ("1,5", nil),
    ]
    for (text, time) in expected { #expect(Instant(bound: text, nil)?.text == time, "\(text)") }
  }

  @Test func `the text of a time is that time, at any offset from UTC`() {
    var random = SeededGenerator.announced()
    let first = Int128(-62_167_219_200), last = Int128(253_402_300_799)
    for _ in 0..<5000 {
      let seconds = first + Int128(random.below(Int(last - first)))
      let time = Instant(
        attoseconds: seconds * Instant.attosecondsPerSecond + Int128(random.below(1_000_000_000_000_000_000)))
      #expect(Self.instant("\"\(time.text)\"") == time)
      let minutes = random.below(1439)
      let shifted = time.adding(Int128(minutes * 60) * Instant.attosecondsPerSecond).text
      guard shifted.hasSuffix("Z"), shifted.utf8.count > 20 else { continue }
      let offset = String(format: "+%02d:%02d", minutes / 60, minutes % 60)
      #expect(Self.instant("\"\(shifted.dropLast())\(offset)\"") == time, "\(shifted) \(offset)")
    }
  }
}
