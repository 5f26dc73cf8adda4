import TestSupport
import Testing

@testable import JSONSift

@Suite struct SourcePositionTests {
  static let cases: [(String, Int, Int, Int)] = [
    ("", 0, 1, 1), ("abc", 0, 1, 1), ("abc", 2, 1, 3), ("abc", 3, 1, 4), ("a\nb", 1, 1, 2), ("a\nb", 2, 2, 1),
    ("\n\n\n", 3, 4, 1), ("a\r\nb", 3, 2, 1), ("é\n€x", 2, 1, 3), ("é\n€x", 6, 2, 4), ("a\rb", 2, 1, 3),
  ]

  @Test(arguments: cases)
  func `line and column count from one and columns count bytes`(text: String, offset: Int, line: Int, column: Int) {
    let position = JSONError.Position(of: offset, in: Array(text.utf8))
    #expect(position == JSONError.Position(byteOffset: offset, line: line, column: column))
  }

  @Test func `an offset past the end or below zero is clamped to the end or the start`() {
    let bytes = Array("a\nbc".utf8)
    let past = JSONError.Position(of: 100, in: bytes)
    #expect(past.line == 2 && past.column == 3)
    let below = JSONError.Position(of: -5, in: bytes)
    #expect(below.line == 1 && below.column == 1)
  }

  @Test func `an error finds its own position in the input`() {
    let text = "{\n  \"a\": 1,\n  \"b\": x\n}"
    let error = jsonError { _ = try JSON(parsing: text) }
    #expect(error?.position(in: Array(text.utf8)) == JSONError.Position(byteOffset: 19, line: 3, column: 8))
  }
}
