import Testing

@testable import JSONSift

@Suite struct SurrogateEscapesTests {
  static let texts: [(String, Int?)] = [
    ("", nil), ("abc", nil), (#"\ud834\udd1e"#, nil), (#"\uD834\uDD1E"#, nil), (#"\ud834"#, 0), (#"\udd1e"#, 0),
    (#"a\ud834b"#, 1), (#"\ud834\ud834\udd1e"#, 0), (#"\udd1e\ud834"#, 0), (#"\ud834\udd1e\udd1e"#, 12),
    (#"\ud834\n\udd1e"#, 0), (#"\ud834\u0041"#, 0), (#"\\ud834"#, nil), (#"\\\ud834"#, 2), (#"\\\\ud834"#, nil),
    (#"\\\\\ud834"#, 4), (#"\n\ud834"#, 2), (#"\ud7ff\ue000"#, nil), (#"\ud834\\udd1e"#, 0), (#"\udbff\udfff"#, nil),
    (#"\\ud834\udd1e"#, 7), (#"\"\ud834\udd1e\ud800"#, 14), (#"\ud834\udd1"#, 0), (#"x\\\ud83d\ude00"#, nil),
  ]

  @Test(arguments: texts)
  func `the first lone surrogate is found`(text: String, offset: Int?) {
    #expect(unsafe Array(text.utf8).withUnsafeBytes { unsafe SurrogateEscapes.firstLone(in: $0) } == offset)
  }

  @Test func `a text of random code units gives the same as a plain reading`() {
    var random = SeededRandom.announced()
    for _ in 0..<20_000 {
      var text = ""
      var units: [(unit: UInt32, offset: Int)] = []
      for _ in 0..<random.below(6) {
        let piece = random.pick(["a", "\\\\", "\\n", "\\u0041", "\\ud83d", "\\udE00", "\\uDBff", "\\ue000", "\\\""])
        let unit = piece.count == 6 ? UInt32(piece.dropFirst(2), radix: 16) ?? 0 : 0
        units.append((unit, text.utf8.count))
        text += piece
      }
      var expected: Int?
      var index = 0
      while index < units.count, expected == nil {
        let unit = units[index].unit
        let isPair = index + 1 < units.count && 0xDC00...0xDFFF ~= units[index + 1].unit
        if 0xDC00...0xDFFF ~= unit || (0xD800...0xDBFF ~= unit && !isPair) { expected = units[index].offset }
        index += 0xD800...0xDBFF ~= unit ? 2 : 1
      }
      let found = unsafe Array(text.utf8).withUnsafeBytes { unsafe SurrogateEscapes.firstLone(in: $0) }
      guard found == expected else {
        Issue.record("\(text): \(String(describing: found)), expected \(String(describing: expected))")
        return
      }
    }
  }

  static let units: [(String, Int, UInt32?)] = [
    (#"\u0041"#, 0, 0x41), (#"\uFfFf"#, 0, 0xFFFF), (#"x\u00e9"#, 1, 0xE9), (#"\u004"#, 0, nil), (#"\u00g1"#, 0, nil),
    (#"\n0041"#, 0, nil), (#"\u0041"#, 1, nil), (#"\u0041"#, -1, nil), (#"\u0041"#, 6, nil),
  ]

  @Test(arguments: units)
  func `a code unit is read at the index of an escape`(text: String, index: Int, unit: UInt32?) {
    #expect(unsafe Array(text.utf8).withUnsafeBytes { unsafe SurrogateEscapes.codeUnit(in: $0, at: index) } == unit)
  }
}
