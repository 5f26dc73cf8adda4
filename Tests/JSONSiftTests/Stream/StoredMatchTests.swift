import TestSupport
import Testing

@testable import JSONSift

@Suite struct StoredMatchTests {
  @Test func `stored matches stay valid and read like values`() throws {
    let items = (0..<300).map {
      "{\"id\":\($0),\"tags\":[\((0..<($0 % 30)).map { "\"t\($0)\"" }.joined(separator: ","))]}"
    }
    let bytes = Array("{\"items\":[\(items.joined(separator: ", "))]}".utf8)
    for size in [7, 1_000, bytes.count] {
      var matches = try JSONMatches(of: "$.items[*]", in: .chunks(chunks(of: bytes, size: size)))
      var kept: [JSONMatch] = []
      var index = 0
      while let match = try matches.next() {
        #expect(match.value["id"].int == index)
        if index % 29 != 0 {
          #expect(match.value["tags"][index % 30 - 1].string == (index % 30 == 0 ? nil : "t\(index % 30 - 1)"))
        }
        if index % 3 == 0 { kept.append(match) }
        index += 1
      }
      #expect(index == 300)
      #expect(kept.enumerated().allSatisfy { $1.value.rawText == items[$0 * 3] && $1.value["id"].int == $0 * 3 })
    }
  }
}
