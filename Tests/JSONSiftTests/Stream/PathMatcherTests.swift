import TestSupport
import Testing

@testable import JSONSift

@Suite struct PathMatcherTests {
  private func randomPath(_ random: inout SeededRandom) -> String {
    var text = "$"
    for _ in 0..<random.below(5) {
      switch random.below(5) {
      case 0, 1: text += "[*]"
      case 2: text += "[\(random.below(random.pick([2, 4, 20])))]"
      default: text += "['\(random.pick(["a", "b", "c", "", "é", "e\u{301}", "a b", "\\n", "😀", "0", "none"]))']"
      }
    }
    return text
  }

  private struct Found: Equatable {
    let range: Range<Int>
    let bytes: [UInt8]
  }

  @Test func `a stream selects the same as a query under every chunking`() throws {
    var writer = RandomText(random: .announced())
    var matched = 0
    let rounds = isDebug ? 350 : 3_000
    for round in 0..<rounds {
      let text = writer.document(depth: 1 + round % 5)
      let path = randomPath(&writer.random)
      let bytes = Array(text.utf8)
      let expected = try JSON(parsing: bytes).query(JSONPath(path))
        .map { Found(range: $0.byteRange ?? 0..<0, bytes: $0.rawBytes) }
      if !expected.isEmpty { matched += 1 }
      for size in [1, 3, 17, bytes.count] {
        var matches = try JSONMatches(of: path, in: .chunks(chunks(of: bytes, size: size)))
        var found: [Found] = []
        while let match = try matches.next() {
          guard match.value.byteRange == match.byteRange else {
            Issue.record(
              "\(path) in \(text): value at \(String(describing: match.value.byteRange)), match at \(match.byteRange)")
            return
          }
          found.append(Found(range: match.byteRange, bytes: match.value.rawBytes))
        }
        guard found == expected else {
          Issue.record(
            "\(path) in chunks of \(size) of \(text): \(found.map(\.range)), expected \(expected.map(\.range))")
          return
        }
      }
    }
    #expect(matched > rounds / 20)
  }

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

  @Test func `a match larger than its limit is rejected under every chunking`() throws {
    var limits = JSONLimits()
    limits.recordBytes = 10
    for (text, isFine) in [("[1,[234567890]]", false), ("[1,[23456789]]", true), ("[1,\"2345678901\"]", false)] {
      for size in 1...text.utf8.count {
        let source = JSONSource.chunks(chunks(of: Array(text.utf8), size: size))
        var matches = try JSONMatches(of: "$[*]", in: source, options: JSONOptions(limits: limits))
        var found: [String] = []
        var error: JSONError?
        do { while let match = try matches.next() { found.append(match.value.rawText) } } catch let failure {
          error = failure
        }
        #expect(found.first == "1")
        #expect((error == nil) == isFine, "\(text) in chunks of \(size)")
        if !isFine { #expect(error?.code == .recordLimit && error?.byteOffset == 3, "\(text) in chunks of \(size)") }
      }
    }
  }
}
