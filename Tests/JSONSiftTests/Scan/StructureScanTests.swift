import Testing

@testable import JSONSift

@Suite struct ContainerScanTests {
  /// The text after the opening bracket, and the offset of the end.
  static let arrays: [(String, Int?)] = [
    ("]", 0), ("1,2]", 3), ("[],{}]]", 5), ("\"]\"]", 3), (#""\"]"]"#, 5), (#""\\"]"#, 4), (#""\\\"]"]"#, 7),
    ("{\"a]\":[1]}] ]", 10), ("}", 0), ("{]}", 2), ("[}", nil), ("[}]", 2), ("", nil), ("1,2", nil), ("\"]", nil),
    ("\"" + String(repeating: "]", count: 200) + "\\\"]\"]", 205),
    (String(repeating: "[", count: 300) + String(repeating: "]", count: 301) + "]", 600),
    (String(repeating: "[{\"a\":1},[]],", count: 50) + "1]", 651),
  ]

  @Test(arguments: arrays)
  func `an array ends at the bracket that closes it, in one window or in two`(
    text: String, end: Int?
  ) {
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var scan = ContainerScan(isObject: false)
      var found = unsafe bytes[..<cut].withUnsafeBytes { unsafe scan.end(in: $0) }
      if found == nil { found = unsafe bytes[cut...].withUnsafeBytes { unsafe scan.end(in: $0) }.map { $0 + cut } }
      #expect(found == end, "cut at \(cut)")
      if end != nil { #expect(scan.depth == 0 && !scan.isInString) }
    }
  }
}

@Suite struct ChildScanTests {
  /// Reads the text whole and cut at every offset, with room for `limit` children at a time; all results must be equal.
  private func children(
    of text: String, isObject: Bool, limit: Int = 100
  ) -> (children: [String], outcome: ChildScan.Outcome, offset: Int) {
    let bytes = Array(text.utf8)
    var answers: [[String]] = []
    var ends: [String] = []
    var result: (children: [String], outcome: ChildScan.Outcome, offset: Int) = ([], .more, 0)
    for cut in 0...bytes.count {
      var scan = ChildScan(isObject: isObject)
      var found: [ChildScan.Child] = []
      var outcome = ChildScan.Outcome.more
      var end = cut
      while true {
        outcome = unsafe bytes[scan.offset..<end].withUnsafeBytes { unsafe scan.read($0, limit: limit, into: &found) }
        if outcome == .full { continue }
        if outcome == .more, end < bytes.count {
          end = bytes.count
          continue
        }
        break
      }
      let texts = found.map { child in
        let value = String(decoding: bytes[child.value], as: UTF8.self)
        return isObject ? String(decoding: bytes[child.key], as: UTF8.self) + "=" + value : value
      }
      answers.append(texts)
      ends.append("\(outcome) \(scan.offset)")
      result = (texts, outcome, scan.offset)
    }
    #expect(Set(answers).count == 1 && Set(ends).count == 1, "\(text): \(Set(answers)), \(Set(ends))")
    return result
  }

  static let elements: [(String, [String])] = [
    ("]", []), (" \n]", []), ("1]", ["1"]), (" 1 , 2\t]", ["1 ", "2\t"]),
    ("[1,2],{\"a\":[3]},\"x,]\"]", ["[1,2]", "{\"a\":[3]}", "\"x,]\""]),
    ("\"\\\"\",\"\\\\\"]", ["\"\\\"\"", "\"\\\\\""]),
    (
      "[" + String(repeating: "[{}],", count: 60) + "0],null]",
      ["[" + String(repeating: "[{}],", count: 60) + "0]", "null"]
    ),
  ]

  @Test(arguments: elements, [1, 2, 100])
  func `elements are found for every batch size`(element: (text: String, expected: [String]), limit: Int) {
    let (found, outcome, offset) = children(of: element.text, isObject: false, limit: limit)
    #expect(found == element.expected)
    #expect(outcome == .ended && offset == element.text.utf8.count)
  }

  static let members: [(String, [String])] = [
    ("}", []), ("\"a\":1}", ["a=1"]),
    (" \"a\" : [1,{\"b\":2}] ,\"\":\"\",\"k\\\"{\":{} }", ["a=[1,{\"b\":2}] ", "=\"\"", "k\\\"{={} "]),
    (
      "\"" + String(repeating: "k", count: 150) + "\":\"" + String(repeating: ",", count: 150) + "\"}",
      [String(repeating: "k", count: 150) + "=\"" + String(repeating: ",", count: 150) + "\""]
    ),
  ]

  @Test(arguments: members, [1, 2, 100])
  func `members are found with their keys`(member: (text: String, expected: [String]), limit: Int) {
    let (found, outcome, offset) = children(of: member.text, isObject: true, limit: limit)
    #expect(found == member.expected)
    #expect(outcome == .ended && offset == member.text.utf8.count)
  }

  /// An error, and its offset.
  static let wrong: [(Bool, String, Int)] = [
    (false, ",1]", 0), (false, "1,]", 2), (false, "1,,2]", 2), (false, "1:2]", 1), (false, "}", 0), (false, "1}", 1),
    (false, "[1}]", 2), (true, "]", 0), (true, "a:1}", 0), (true, "\"a\" 1}", 4), (true, "\"a\",1}", 3),
    (true, "\"a\":}", 4), (true, "\"a\":,", 4), (true, "\"a\":1,}", 6), (true, "\"a\":1:2}", 5), (true, "{}:1}", 0),
    (true, "\"a\"}", 3), (true, "\"a\":1]", 5), (true, ":1}", 0), (true, "\"a\"\"b\":1}", 3),
  ]

  @Test(arguments: wrong)
  func `an error in the structure of a container is reported at its byte`(
    isObject: Bool, text: String, expectedOffset: Int
  ) {
    let (_, outcome, offset) = children(of: text, isObject: isObject)
    #expect(outcome == .malformed)
    #expect(offset == expectedOffset)
  }

  @Test(arguments: ["", "1", "1,", "[", "\"", "\"]"])
  func `an incomplete container is not at its end`(text: String) {
    let (_, outcome, offset) = children(of: text, isObject: false)
    #expect(outcome == .more)
    #expect(offset == text.utf8.count)
  }
}

@Suite struct LiteralSetTests {
  private func first(_ literals: [String], in text: String) throws -> [Int]? {
    let set = try #require(LiteralSet(literals.map { Array($0.utf8) }))
    let found = unsafe Array(text.utf8).withUnsafeBytes { unsafe set.first(in: $0) }
    return found.map { [$0.offset, $0.literal] }
  }

  @Test func `the first occurrence of a literal is found`() throws {
    for before in 0..<200 {
      let text = String(repeating: "erro", count: before) + "\"error\"" + String(repeating: "error", count: 30)
      #expect(try first(["\"error\""], in: text) == [before * 4, 0])
      #expect(try first(["error\""], in: text) == [before * 4 + 1, 0])
    }
    #expect(try first(["abc"], in: "ab") == nil)
    #expect(try first(["abc"], in: "abc") == [0, 0])
    #expect(try first(["c"], in: "abc") == [2, 0])
    #expect(try first(["abd"], in: String(repeating: "abc", count: 100)) == nil)
  }

  @Test func `of several literals the first offset wins, and at equal offsets the first in the list`() throws {
    #expect(try first(["bc", "abc", "ab"], in: "xxabc") == [2, 1])
    #expect(try first(["ab", "abc"], in: "xxabc") == [2, 0])
    #expect(try first(["zzz", "c"], in: "xxabc") == [4, 1])
    #expect(try first(["zzz", "y"], in: "xxabc") == nil)
    let many = (0..<64).map { "literal\($0)!" }
    let text = String(repeating: "literal 12, ", count: 50)
    #expect(try first(many, in: text) == nil)
    for (index, literal) in many.enumerated() {
      #expect(try first(many, in: text + literal + many[0]) == [text.utf8.count, index])
    }
  }

  @Test func `empty lists, too many literals and empty literals are rejected`() {
    #expect(LiteralSet([]) == nil)
    #expect(LiteralSet([[0x61], []]) == nil)
    #expect(LiteralSet(Array(repeating: [0x61], count: LiteralSet.maxCount)) != nil)
    #expect(LiteralSet(Array(repeating: [0x61], count: LiteralSet.maxCount + 1)) == nil)
  }

  @Test func `many similar byte strings are skipped in linear time`() throws {
    let text = String(repeating: "a", count: 100_000)
    let literal = String(repeating: "a", count: 99) + "b" + String(repeating: "a", count: 99)
    #expect(try first([literal], in: text) == nil)
    #expect(try first([literal], in: text + literal) == [100_000, 0])
    #expect(try first([literal, literal + "c"], in: text + literal + "c") == [100_000, 0])
    #expect(try first([literal + "d", literal + "c"], in: text + literal + "c") == [100_000, 1])
  }

  @Test func `the last line feed is found`() {
    for (text, offset) in [("", nil), ("abc", nil), ("\n", 0), ("a\nb\nc", 3), ("a\nbcd\n", 5)] as [(String, Int?)] {
      #expect(unsafe Array(text.utf8).withUnsafeBytes { unsafe ByteScan.lastLineFeed($0) } == offset)
    }
  }
}
