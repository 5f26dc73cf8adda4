import TestSupport
import Testing

@testable import JSONSift

@Suite struct ErrorLocationTests {
  static let cases: [(text: String, byte: Int, location: String?)] = [
    ("{\"a\":{\"b\":[1,[2,[3]]]}}", 16, "$['a']['b'][1][1]"), ("{\"a\":{\"b\":[1,[2,[3]]]}}", 10, "$['a']['b']"),
    ("{\"a\":{\"b\":[1,[2,[3]]]}}", 21, "$['a']"), ("[\"x\",{},\"long\"]", 8, "$[2]"),
    ("[\"x\",{},\"long\"]", 10, "$[2]"), ("[0,1.5e1,22]", 4, "$[1]"), ("{\"a\":1,\"too long\":2}", 7, "$"),
    ("{\"a\":1,\"b\":2}", 9, "$"), ("{\"a\":1,\"b\":2}", 11, "$['b']"),
    ("{\"it's\\n\\u00e9\":[[", 17, "$['it\\'s\\né'][0]"), ("{\"a\\ud800\":1}", 11, "$['a\u{FFFD}']"),
    ("[true,null,false,{\"a\":{}},", 26, "$[4]"), ("", 0, "$"), ("  7 8", 4, "$"), ("{\"a\" 1 2", 7, nil),
    ("[1", 3, nil),
  ]

  @Test(arguments: cases.indices)
  func `an error is located at the value that begins, is open or is expected next`(index: Int) {
    let (text, byte, location) = Self.cases[index]
    let bytes = Array(text.utf8)
    let error = JSONError(code: .depthLimit, byteOffset: byte, reason: "")
    #expect(error.location(in: bytes)?.description == location)
    #expect(error.location(in: bytes, from: byte + 1) == nil)
    let later = JSONError(code: .depthLimit, byteOffset: byte + 100, reason: "")
    #expect(later.location(in: bytes, from: 100)?.description == location)
    for size in 1...max(bytes.count, 1) {
      #expect(error.location(in: .chunks(chunks(of: bytes, size: size)))?.description == location, "chunks of \(size)")
    }
  }

  @Test func `the error of every limit is located in a long text`() throws {
    let filler = String(repeating: "{\"k\":[1,2,{}]},", count: 20_000)
    var limits = JSONLimits()
    limits.depth = 5
    limits.stringBytes = 8
    limits.keyBytes = 6
    limits.numberBytes = 7
    for (value, location) in [
      ("{\"a\":[[[{}]]]}", "$[20000]['a'][0][0][0]"), ("{\"b\":\"123456789\"}", "$[20000]['b']"),
      ("{\"1234567\":1}", "$[20000]"), ("[0,12345678]", "$[20000][1]"),
    ] {
      let bytes = Array(("[" + filler + value + "]").utf8)
      let error = try #require(jsonError { _ = try JSON(parsing: bytes, options: JSONOptions(limits: limits)) })
      #expect(error.location(in: bytes)?.description == location, "\(error)")
    }
  }

  @Test func `a million open arrays have a location`() throws {
    let bytes = [UInt8](repeating: 0x5B, count: 1_000_000)
    let error = JSONError(code: .depthLimit, byteOffset: bytes.count - 1, reason: "")
    #expect(error.location(in: bytes)?.steps.count == bytes.count - 1)
  }
}
