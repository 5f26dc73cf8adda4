import JSONSift
import TestSupport
import Testing

/// The compliance test suite of RFC 9535 over streams: each query selects the same values as in memory.
@Suite(.enabled(if: ThirdPartyData.has("jsonpath-cts"), "\(ThirdPartyData.absence)"))
struct JSONPathStreamComplianceTests {
  private struct Case {
    let path: JSONPath
    /// The document on one line.
    let bytes: [UInt8]
    let expected: [Found]
  }

  private struct Found: Equatable {
    let location: JSONPath.Location
    let range: Range<Int>?
    let bytes: [UInt8]
  }

  private static func cases() throws -> [Case] {
    let file = try #require(try ThirdPartyData.files(in: "jsonpath-cts").first { $0.name == "cts.json" })
    let tests = try JSON(parsing: file.bytes())["tests"].arrayValue
    return try tests.filter { $0["invalid_selector"].bool != true }.map { test in
      let bytes = try test["document"].bytes()
      let path = try JSONPath(test["selector"].stringValue)
      let expected = try JSON(parsing: bytes).matches(of: path)
      return Case(
        path: path, bytes: bytes,
        expected: expected.map {
          Found(location: $0.location, range: $0.value.byteRange, bytes: Array($0.value.rawBytes))
        })
    }
  }

  private static func found(_ matches: consuming JSONMatches) throws -> [Found] {
    return try drain {
      try matches.next().map { Found(location: $0.location, range: $0.byteRange, bytes: Array($0.value.rawBytes)) }
    }
  }

  @Test func `every streamable query of the suite selects the same in a stream as in memory`() throws {
    var failures: [String] = []
    var streamed = 0
    for test in try Self.cases() {
      guard test.path.streaming.form != .rejected else {
        let error = #expect(throws: JSONError.self) { _ = try JSONMatches(of: test.path, in: .bytes(test.bytes)) }
        #expect(error?.code == .invalidPath, "\(test.path)")
        continue
      }
      streamed += 1
      for size in [1, 7, 65_536] {
        let found = try Self.found(JSONMatches(of: test.path, in: .chunks(Chunks(test.bytes, size: size))))
        if found != test.expected {
          failures.append("\(test.path) in chunks of \(size): \(found), not \(test.expected)")
        }
      }
    }
    #expect(failures.isEmpty, "\(failures.count): \(summary(of: failures))")
    // Only queries with '$' inside a filter are rejected.
    #expect(streamed == 443)
  }

  @Test func `every query of the suite selects the same in each line as in memory`() throws {
    var failures: [String] = []
    for test in try Self.cases() {
      #expect(!test.bytes.contains(0x0A))
      // Three records, so that state left over from one record would affect the next.
      let line = test.bytes + [0x0A]
      let expected = (0..<3).flatMap { record in
        test.expected.map { found in
          let range = found.range.map { $0.lowerBound + record * line.count..<$0.upperBound + record * line.count }
          return Found(location: found.location, range: range, bytes: found.bytes)
        }
      }
      for size in [1, 7, 65_536] {
        let source = JSONSource.chunks(Chunks(line + line + line, size: size))
        let found = try Self.found(JSONMatches(of: test.path, in: source, framing: .lines))
        if found != expected { failures.append("\(test.path) in chunks of \(size): \(found), not \(expected)") }
      }
    }
    #expect(failures.isEmpty, "\(failures.count): \(summary(of: failures))")
  }
}
