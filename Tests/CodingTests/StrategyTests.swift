import Foundation
import JSONSift
import TestSupport
import Testing

/// The strategies that Foundation does not have.
@Suite struct StrategyTests {
  private static let quarter = Date(timeIntervalSince1970: 1_740_817_800.25)

  @Test(arguments: [
    "1740817800.25", "1740817800250", "1740817800250000", "1740817800250000000", "\"1740817800.25\"", "1.74081780025e9",
    "\"2025-03-01T08:30:00.25Z\"", "\"2025-03-01 09:30:00,250 +0100\"", "\"2025-03-01T08:30:00.250\"",
    "{\"$date\":\"2025-03-01T08:30:00.25Z\"}", "{\"$date\":{\"$numberLong\":\"1740817800250\"}}",
  ])
  func `a time is read in each spelling and in each unit`(_ text: String) throws {
    let decoder = JSONSiftDecoder()
    decoder.dateDecodingStrategy = .time()
    #expect(try decoder.decode([String: Date].self, from: "{\"at\":\(text)}") == ["at": Self.quarter])
  }

  @Test func `a given unit is that of every number`() throws {
    let decoder = JSONSiftDecoder()
    for (unit, seconds) in [(JSONTimeUnit.seconds, 250), (.milliseconds, 0.25), (.microseconds, 0.00025)] {
      decoder.dateDecodingStrategy = .time(unit: unit)
      #expect(try decoder.decode(Date.self, from: "250") == Date(timeIntervalSince1970: 0) + seconds)
      #expect(try decoder.decode(Date.self, from: "-250") == Date(timeIntervalSince1970: 0) - seconds)
    }
  }

  @Test(arguments: ["\"x\"", "\"\"", "true", "[1]", "{}", "\"2025-02-30T00:00:00Z\"", "123456789012345678901"])
  func `a value that is no time is an error with its path and byte`(_ text: String) throws {
    let decoder = JSONSiftDecoder()
    decoder.dateDecodingStrategy = .time()
    let outcome = Outcome { try decoder.decode([String: [Date]].self, from: "{\"at\":[0,\(text)]}") }
    #expect(outcome.text == "dataCorrupted at [at, Index 1=1]")
    let log = FailureLog()
    decoder.elementFailures = .report(log.add)
    #expect(try decoder.decode([String: [Date]].self, from: "{\"at\":[0,\(text)]}")["at"]?.count == 1)
    #expect(
      log.failures.map(\.description) == [
        "at[1]: Expected a time: RFC 3339, or a number since 1970. (line 1, byte 9)"
      ])
  }

  @Test func `a time of RFC 3339 is the same date under every strategy for it, with any number of digits`() throws {
    var source = SeededGenerator.announced()
    let (times, dates, encoder) = (JSONSiftDecoder(), JSONSiftDecoder(), JSONSiftEncoder())
    times.dateDecodingStrategy = .time()
    dates.dateDecodingStrategy = .iso8601
    for _ in 0..<4000 {
      // From 1600 to 2400.
      let date = Date(timeIntervalSince1970: Double.random(in: -11_676_000_000..<13_569_000_000, using: &source))
      let digits = source.pick(10)
      encoder.dateEncodingStrategy = .rfc3339(fractionDigits: digits)
      let text = try encoder.string(of: date)
      let read = try times.decode(Date.self, from: text)
      #expect(read == (try dates.decode(Date.self, from: text)), "\(source) \(text)")
      // Half of the last digit, and the rounding of two dates.
      let allowed = 0.5 * pow(10, -Double(digits)) + 4 * date.timeIntervalSinceReferenceDate.ulp
      #expect(abs(read.timeIntervalSince(date)) <= allowed, "\(source) \(date.timeIntervalSince1970) \(text)")
      #expect(text.utf8.count == 22 + (digits > 0 ? digits + 1 : 0), "\(source) \(text)")
    }
  }

  @Test(
    arguments: [
      (1_740_817_800.25, 3, "\"2025-03-01T08:30:00.250Z\""), (1_740_817_800.25, 0, "\"2025-03-01T08:30:00Z\""),
      (1_740_817_800.123, 3, "\"2025-03-01T08:30:00.123Z\""), (1_735_689_599.9996, 3, "\"2025-01-01T00:00:00.000Z\""),
      (-0.25, 1, "\"1969-12-31T23:59:59.8Z\""), (0, 12, "\"1970-01-01T00:00:00.000000000Z\""),
      (0.7, -1, "\"1970-01-01T00:00:01Z\""),
      (-62_167_219_200, 1, "\"0000-01-01T00:00:00.0Z\""), (253_402_300_799, 1, "\"9999-12-31T23:59:59.0Z\""),
      (-62_167_219_201, 1, nil), (253_402_300_800, 1, nil), (253_402_300_799.99, 1, nil), (1e300, 1, nil),
      (.nan, 1, nil),
      (-.infinity, 1, nil),
    ] as [(Double, Int, String?)])
  func `a date is written with so many digits, rounded to the nearest`(
    _ seconds: Double, _ digits: Int, _ text: String?
  ) throws {
    let encoder = JSONSiftEncoder()
    encoder.dateEncodingStrategy = .rfc3339(fractionDigits: digits)
    let date = Date(timeIntervalSince1970: seconds)
    guard let text else {
      let outcome = Outcome { try encoder.string(of: ["at": [date]]) }
      #expect(outcome.text == "invalidValue at [at, Index 0=0]")
      return
    }
    #expect(try encoder.string(of: date) == text)
  }

  private struct Names: Codable, Equatable {
    var id = 1
    var oneTwoThree = 2
    var urlPath = ["a-b": 3, "A": 4]
  }

  @Test func `keys are converted from and to kebab case and Pascal case, but not those of dictionaries`() throws {
    let (decoder, encoder) = (JSONSiftDecoder(), JSONSiftEncoder())
    encoder.outputFormatting = .sortedKeys
    decoder.keyDecodingStrategy = .convertFromKebabCase
    encoder.keyEncodingStrategy = .convertToKebabCase
    let kebab = #"{"id":1,"one-two-three":2,"url-path":{"A":4,"a-b":3}}"#
    #expect(try encoder.string(of: Names()) == kebab)
    #expect(try decoder.decode(Names.self, from: kebab) == Names())
    decoder.keyDecodingStrategy = .convertFromPascalCase
    encoder.keyEncodingStrategy = .convertToPascalCase
    #expect(try encoder.string(of: Names()) == #"{"Id":1,"OneTwoThree":2,"UrlPath":{"A":4,"a-b":3}}"#)
    for (id, path) in [("Id", "UrlPath"), ("ID", "URLPath"), ("id", "urlPath")] {
      let text = #"{"\#(id)":1,"OneTwoThree":2,"\#(path)":{"A":4,"a-b":3}}"#
      #expect(try decoder.decode(Names.self, from: text) == Names(), "\(text)")
    }
  }

  @Test(arguments: [
    ("", "", ""), ("-", "-", "-"), ("-a-b-", "-aB-", "-a-b-"), ("ID2", "ID2", "id2"),
    ("ÉtatCivil", "ÉtatCivil", "étatCivil"),
    ("HTTPServer", "HTTPServer", "httpServer"), ("X-Request-ID", "xRequestId", "x-Request-ID"), ("1A", "1A", "1A"),
  ])
  func `names of one word, of capitals and of nothing are converted`(
    _ name: String, _ kebab: String, _ pascal: String
  ) throws {
    struct Probe: Decodable {
      struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      var names: [String]
      init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
      }
    }
    let decoder = JSONSiftDecoder()
    decoder.keyDecodingStrategy = .convertFromKebabCase
    #expect(try decoder.decode(Probe.self, from: "{\"\(name)\":1}").names == [kebab])
    decoder.keyDecodingStrategy = .convertFromPascalCase
    #expect(try decoder.decode(Probe.self, from: "{\"\(name)\":1}").names == [pascal])
  }
}
