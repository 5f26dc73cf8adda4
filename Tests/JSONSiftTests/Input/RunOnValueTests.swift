import TestSupport
import Testing

@testable import JSONSift

/// A query that stops early must not return an invalid token's start as a value, such as the `0` of `012`.
@Suite struct RunOnValueTests {
  private struct Answer: Equatable {
    var found: [String] = []
    var code: JSONError.Code?
    var byteOffset: Int?
  }

  private func answer(_ path: String, _ bytes: [UInt8], size: Int?) throws -> Answer {
    var matches = try JSONMatches(of: path, in: .chunks(Chunks(bytes, size: size)))
    var answer = Answer()
    do throws(JSONError) {
      while let match = try matches.next() { answer.found.append(match.value.rawText) }
    } catch {
      answer.code = error.code
      answer.byteOffset = error.byteOffset
    }
    return answer
  }

  static let runningOn: [String] = [
    "012", "-01", "00", "1.5.2", "1e5x", "1e5.5", "0x10", "1_000", "12a", "1-2", "1+2", "-", "-x", "1.", "1.x", "1e",
    "1ex", "truex", "true1", "truefalse", "falsefalse", "nullnull", "nulls", "tru", "nul", "fals", "null-1", "1true",
    "1\"x\"", "true\"x\"", "false{}", "7[]", "null:1", "5:1", "1é", "trueé", "1\u{0B}", "true\u{0B}", "null\u{0C} ",
    "1/**/", "false#x", "1\u{0}", "true\u{0}",
  ]

  @Test(arguments: runningOn, ["{\"a\":$}", "{\"a\": $ ,\"b\":1}", "[$]", "[1, $ , 2]", "$", " $\n", "{\"a\":[$]}"])
  func `a number or literal with extra characters is no result under any chunking`(token: String, frame: String) throws
  {
    let text = frame.replacing("$", with: token)
    let bytes = Array(text.utf8)
    let expected = try #require(jsonError { _ = try JSON(parsing: bytes) })
    let paths = ["$", "$.a", "$.*", "$[0]", "$[1]", "$[*]", "$.a[0]", "$.a[*]", "$..*"]
    for (number, path) in paths.enumerated() {
      let whole = try answer(path, bytes, size: nil)
      #expect(whole.found.allSatisfy { $0 == "1" && frame.contains("1") }, "\(path) of \(text): \(whole)")
      // Only an element before the token is complete.
      if whole.code == nil { #expect(path == "$[0]" && frame.contains("[1")) }
      if whole.code != nil { #expect(whole.byteOffset == expected.byteOffset, "\(path) of \(text)") }
      // In a debug build every third size, different ones for each path.
      let rest = number % 3
      for size in 1...bytes.count where !isDebug || size == 1 || size % 3 == rest {
        #expect(try answer(path, bytes, size: size) == whole, "\(path) of \(text) in chunks of \(size)")
      }
    }
  }

  @Test(arguments: ["\u{FF}", "\u{C3}("])
  func `a scalar before invalid UTF-8 is no result`(latin: String) throws {
    for token in ["1", "true", "false", "null", "-1.5e3"] {
      let bytes = Array("{\"a\":\(token)".utf8) + latin.unicodeScalars.map { UInt8($0.value) }
      for end in [bytes, bytes + Array("}".utf8)] {
        for size in 1...end.count {
          let found = try answer("$.a", end, size: size)
          #expect(found == Answer(found: [], code: .invalidUTF8, byteOffset: 5 + token.utf8.count), "\(end), \(size)")
        }
      }
    }
  }

  /// Strings and containers need no end; a number and a literal do.
  @Test(arguments: [
    (
      ["12", "0", "-1.5e+3", "true", "false", "null"],
      [" oops", "\t}", "\n", "\roops", ",", "]", "}", "} oops", ",oops", ""]
    ), (["\"x\"", "[]", "{}", "\"true\"", "\"x true\""], ["oops", "1", "\"", "true", "\u{0B}", "{"]),
  ])
  func `a complete value is a result, and the text after it is not validated`(tokens: [String], rests: [String]) throws
  {
    for token in tokens {
      for rest in rests {
        let bytes = Array("{\"a\":\(token)\(rest)".utf8)
        for size in 1...bytes.count {
          #expect(try answer("$.a", bytes, size: size) == Answer(found: [token]), "\(token)\(rest), \(size)")
        }
      }
    }
  }

  @Test func `random texts of tokens have one result under every chunking`() throws {
    var random = SeededGenerator()
    let parts = [
      "[", "]", "{", "}", ",", ":", "\"a\"", "\"a\":", "true", "false", "null", "nul", "1", "0", "-", ".5", "e1", " ",
      "\n", "x", "é", "\u{0B}", "\"true", "\\u0041", "\"",
    ]
    for _ in 0..<(isDebug ? 500 : 1_500) {
      var text = Bool.random(using: &random) ? "{\"a\":" : "["
      for _ in 0..<Int.random(in: 1...8, using: &random) { text += parts.randomElement(using: &random) ?? "" }
      let bytes = Array(text.utf8)
      for path in ["$.a", "$[0]", "$[*]", "$..a"] {
        let whole = try answer(path, bytes, size: nil)
        for size in [1, 2, 3, 5, 7] where size < bytes.count {
          let cut = try answer(path, bytes, size: size)
          #expect(cut == whole, "\(path) of \(text) in chunks of \(size); \(random)")
        }
      }
    }
  }

  @Test(arguments: ["012", "truex", "null\"", "1.5.2"])
  func `an invalid token is reported neither to an event handler nor to a reader of elements`(token: String) throws {
    let bytes = Array("[7,\(token)]".utf8)
    for size in 1...bytes.count {
      let log = events(of: bytes, chunk: size)
      #expect(log.events.count == 2, "\(log.events)")
      let options = with(JSONRecordOptions(framing: .children(of: JSONPath("$")))) { $0.recovery = .stop }
      var reader = try JSONRecordReader(.chunks(Chunks(bytes, size: size)), options: options)
      #expect(try reader.next()?.value.int == 7)
      #expect(throws: JSONError.self) { _ = try reader.next() }
    }
  }
}
