import TestSupport
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
    var random = SeededGenerator.announced()
    for _ in 0..<20_000 {
      var text = ""
      var units: [(unit: UInt32, offset: Int)] = []
      for _ in 0..<random.below(6) {
        let chunk = random.pick(["a", "\\\\", "\\n", "\\u0041", "\\ud83d", "\\udE00", "\\uDBff", "\\ue000", "\\\""])
        let unit = chunk.count == 6 ? UInt32(chunk.dropFirst(2), radix: 16) ?? 0 : 0
        units.append((unit, text.utf8.count))
        text += chunk
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

  @Test func `libyajl is fed no high surrogate without an escape after it, wherever a text is cut`() {
    var random = SeededGenerator.announced()
    for _ in 0..<20_000 {
      let chunks = ["a", "\\\\", "\\n", "\\u0041", "\\ud83d", "\\uDBfF", "\\uD9aB", "\\ude00", "\\\"", "u", "d8"]
      let text = Array((0..<random.below(40)).map { _ in random.pick(chunks) }.joined().utf8)
      let cut = random.below(text.count + 1)
      var fed: [UInt8] = []
      unsafe text.withUnsafeBytes { bytes in
        unsafe SurrogateEscapes.withoutTraps(in: .init(rebasing: bytes[..<cut]), from: 0) { unsafe fed += $0 }
        unsafe SurrogateEscapes.withoutTraps(in: bytes, from: cut) { unsafe fed += $0 }
      }
      var wrong: Int?
      var index = 0
      while index < fed.count {
        guard fed[index] == ASCII.backslash else {
          index += 1
          continue
        }
        let unit = unsafe fed.withUnsafeBytes { unsafe SurrogateEscapes.codeUnit(in: $0, at: index) }
        let next = index + (unit == nil ? 2 : 6)
        if let unit, 0xD800...0xDBFF ~= unit, !fed[next...].starts(with: [ASCII.backslash, ASCII.lowerU]) {
          wrong = index
        }
        index = next
      }
      // Other bytes than the second digit of an escape do not change.
      let changed = text.indices.filter { fed.count != text.count || fed[$0] != text[$0] }
      let isDigit = changed.allSatisfy { $0 >= 3 && fed[$0] == ASCII.zero && text[$0 - 2] == ASCII.lowerU }
      guard wrong == nil, isDigit else {
        Issue.record(
          "\(String(decoding: text, as: UTF8.self)) cut at \(cut) is fed as \(String(decoding: fed, as: UTF8.self))")
        return
      }
    }
  }

  static let plain = ["", "abc", #"\u0041\n"#, #"\ud834\udd1e"#, #"\udd1e\\"#, #"\ud834\u0041"#, #"\\n\uD834\u1234\\"#]

  @Test(arguments: plain)
  func `libyajl is fed the bytes themselves where no high surrogate lacks an escape after it`(text: String) {
    unsafe Array(text.utf8).withUnsafeBytes { bytes in
      let isSame = unsafe SurrogateEscapes.withoutTraps(in: bytes, from: 0) { fed in
        unsafe fed.baseAddress == bytes.baseAddress && fed.count == bytes.count
      }
      #expect(isSame)
    }
  }
}
