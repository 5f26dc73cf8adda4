import Testing

@testable import JSONSift

@Suite struct SourceExcerptTests {
  @Test func `the caret points at the rejected byte`() {
    let text = #"{"id": 17, "total": 12.50 "currency": "EUR"}"#
    let excerpt = JSONError.Excerpt(around: 26, in: Array(text.utf8))
    #expect(excerpt.description == text + "\n" + String(repeating: " ", count: 26) + "^")
    #expect(excerpt.caret == 26)
  }

  static let cases: [(String, Int, String, Int)] = [
    ("", 0, "", 0), ("abc", 3, "abc", 3), ("abc", 99, "abc", 3), ("abc", -1, "abc", 0), ("ab\ncd\nef", 4, "cd", 1),
    ("ab\ncd\nef", 3, "cd", 0), ("ab\ncd\nef", 2, "ab", 2), ("ab\ncd\nef", 6, "ef", 0), ("ab\n", 3, "", 0),
    ("é€😀x", 9, "é€😀x", 3), ("a\tb", 2, "a b", 2), ("a\u{1}b\u{7F}", 2, "a·b·", 2), ("a\r\n", 1, "a·", 1),
    ("\u{202E}x", 3, "·x", 1),
  ]

  @Test(arguments: cases)
  func `the line is shown and the caret counts characters`(text: String, offset: Int, line: String, caret: Int) {
    let excerpt = JSONError.Excerpt(around: offset, in: Array(text.utf8))
    #expect(excerpt.text == line)
    #expect(excerpt.caret == caret)
  }

  @Test func `a long line is truncated on both sides`() {
    let bytes = [UInt8](repeating: 0x61, count: 500) + [0x21] + [UInt8](repeating: 0x62, count: 500)
    let excerpt = JSONError.Excerpt(around: 500, in: bytes)
    #expect(excerpt.text == "…" + String(repeating: "a", count: 36) + "!" + String(repeating: "b", count: 35) + "…")
    #expect(excerpt.caret == 37)
  }

  @Test func `a line that fits is not truncated`() {
    let bytes = [UInt8](repeating: 0x61, count: 72)
    for offset in 0...36 {
      let excerpt = JSONError.Excerpt(around: offset, in: bytes)
      #expect(excerpt.text == String(repeating: "a", count: 72), "place \(offset)")
      #expect(excerpt.caret == offset)
    }
  }

  @Test func `truncation keeps characters whole`() {
    for shift in 0..<4 {
      let text = String(repeating: "x", count: shift) + String(repeating: "😀", count: 100)
      for offset in stride(from: shift, to: text.utf8.count, by: 4) {
        let excerpt = JSONError.Excerpt(around: offset, in: Array(text.utf8))
        #expect(!excerpt.text.contains("·"), "shift \(shift), place \(offset): \(excerpt.text)")
      }
    }
  }

  @Test func `ill-formed bytes are shown as dots`() {
    let excerpt = JSONError.Excerpt(around: 1, in: [0x61, 0xFF, 0x62])
    #expect(excerpt.text == "a·b")
    #expect(excerpt.caret == 1)
  }

  @Test func `an offset inside a character still has a caret`() {
    let excerpt = JSONError.Excerpt(around: 2, in: Array("a€b".utf8))
    #expect(excerpt.caret <= excerpt.text.count)
  }
}
