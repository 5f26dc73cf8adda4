import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONLimitsTests {
  @Test func `the defaults are as documented`() {
    let limits = JSONLimits()
    #expect(limits.depth == 1024)
    #expect(limits.stringBytes == 64 * 1024 * 1024)
    #expect(limits.keyBytes == 64 * 1024)
    #expect(limits.numberBytes == 1000)
    #expect(limits.recordBytes == 64 * 1024 * 1024)
    #expect(limits.tapeBytes == 32 * 1024 * 1024 * 1024)
    #expect(JSONOptions().limits == limits)
    #expect(JSONOptions().loneSurrogates == .reject)
  }

  @Test func `unlimited removes all limits but depth and tape`() {
    let limits = JSONLimits.unlimited
    #expect(limits.depth == 1_000_000_000)
    #expect([limits.stringBytes, limits.keyBytes, limits.numberBytes, limits.recordBytes].allSatisfy { $0 == .max })
    #expect(limits.tapeBytes == JSONLimits().tapeBytes)
  }

  @Test func `a limit of zero or below rejects and does not trap`() {
    for value in [0, -1, Int.min] {
      var limits = JSONLimits()
      limits.depth = value
      limits.stringBytes = value
      limits.keyBytes = value
      limits.numberBytes = value
      limits.recordBytes = value
      let options = JSONOptions(limits: limits)
      let expected: [(String, JSONError.Code?)] = [
        ("[]", .depthLimit), ("\"a\"", .stringLimit), ("1", .numberLimit), ("true", nil),
      ]
      for (text, code) in expected {
        let error = jsonError { _ = try JSON(parsing: text, options: options) }
        #expect(error?.code == code, "\(text) with \(value)")
      }
    }
  }

  @Test(arguments: [4_096, 4_100, 4_104, 5_000, 8_192, 8_200])
  func `a tape that exceeds its limit is rejected in chunks and as a whole`(bytes: Int) throws {
    let limits = with(JSONLimits()) { $0.tapeBytes = bytes }
    let text = Array(("[" + String(repeating: "1,", count: 2_000) + "1]").utf8)
    for size in [1, 100, text.count] {
      var builder = try JSONBuilder(.whole, options: JSONOptions(limits: limits))
      let error = jsonError { for chunk in chunks(of: text, size: size) { try builder.feed(chunk) } }
      #expect(error?.code == .tapeLimit && error?.limit == bytes, "\(size)")
    }
    let error = jsonError { _ = try JSON(parsing: text, options: JSONOptions(limits: limits)) }
    #expect(error?.code == .tapeLimit && error?.limit == bytes)
  }

  @Test(arguments: [(4_096, 505), (4_100, 505), (4_104, 506), (8_191, 1016), (8_192, 1017)])
  func `the tape of a text that is not JSON is limited at the number that does not fit`(bytes: Int, count: Int) {
    let limits = with(JSONLimits()) { $0.tapeBytes = bytes }
    let text = "[" + String(repeating: "1,", count: 2_000) + "x]"
    let error = jsonError { _ = try JSON(parsing: text, options: JSONOptions(limits: limits)) }
    // The numbers that fit are one byte each, with a comma between them.
    #expect(error == JSONError(.tapeLimit, at: 2 * count, limit: bytes))
  }
}
