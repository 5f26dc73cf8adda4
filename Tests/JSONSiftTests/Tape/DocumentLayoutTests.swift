import Foundation
import Testing

@testable import JSONSift

@Suite struct DocumentLayoutTests {
  private func document(_ text: String) throws -> Document {
    let json = try JSON(parsing: text)
    guard case .node(let document, _) = json.storage else { throw JSONError(.unexpectedEnd, at: 0) }
    return document
  }

  /// Returns the words of a tape in the notation of the doc comment of `Document`.
  private func dump(_ document: Document) -> [Int: String] {
    let names: [EventKind: String] = [
      .null: "null", .true: "true", .false: "false", .number: "number", .string: "string",
      .escapedString: "escapedString",
      .key: "key", .escapedKey: "escapedKey", .arrayStart: "arrayStart", .objectStart: "objectStart",
      .arrayEnd: "arrayEnd", .objectEnd: "objectEnd",
    ]
    var lines: [Int: String] = [:]
    var index = Int(Document.root)
    while index < document.wordCount {
      let word = document.word(UInt32(index))
      let name = names[word.kind] ?? "?"
      let hasLength = word.kind.isText || word.kind == .number
      lines[index] = "\(name) offset \(word.offset)" + (hasLength ? " length \(word.length)" : "")
      index += 1
      if word.kind.isStart {
        let link = document.word(UInt32(index))
        lines[index] = "link after the end: \(link.linkedIndex), children: \(link.childCount)"
        index += 1
      }
    }
    return lines
  }

  @Test func `the parser writes the layout of the doc comment`() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = tests.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/JSONSift/Tape/Document.swift")
    let comment = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("///") }
    let example = try #require(comment.first { $0.contains(#"{"a": [1, true], "b": "x"}"#) })
    #expect(example.hasSuffix(#"{"a": [1, true], "b": "x"}"#))
    let words = dump(try document(#"{"a": [1, true], "b": "x"}"#))
    var compared = 0
    for line in comment {
      let fields = line.dropFirst(3).split(separator: " ")
      guard let first = fields.first, let index = Int(first), index >= 4 else { continue }
      let said = fields.dropFirst().filter { !$0.hasPrefix("\"") }.joined(separator: " ")
      #expect(words[index] == said, "word \(index)")
      compared += 1
    }
    #expect(compared >= 9)
  }

  @Test func `the example has the documented tape words`() throws {
    let words = dump(try document(#"{"a": [1, true], "b": "x"}"#))
    #expect(
      words == [
        4: "objectStart offset 0", 5: "link after the end: 15, children: 2", 6: "key offset 1 length 1",
        7: "arrayStart offset 6", 8: "link after the end: 12, children: 2", 9: "number offset 7 length 1",
        10: "true offset 10", 11: "arrayEnd offset 14", 12: "key offset 17 length 1", 13: "string offset 22 length 1",
        14: "objectEnd offset 25",
      ])
  }

  static let tapes: [(String, Int)] = [
    ("1", 1), ("\"a\"", 1), ("null", 1), ("[]", 3), ("{}", 3), ("[1]", 4), (#"{"a":1}"#, 5), ("[[],[]]", 9),
    (#"{"a":{"b":[true]}}"#, 12),
  ]

  @Test(arguments: tapes)
  func `a scalar or key takes one word and a container three`(text: String, words: Int) throws {
    #expect(try document(text).wordCount == words + 4)
    #expect(try JSON(parsing: text).tapeBytes == (words + 4) * 8)
  }

  @Test func `every link of a random document points after its matching end`() throws {
    var writer = RandomText(random: .announced())
    for _ in 0..<300 {
      let text = writer.document(depth: 5)
      let document = try document(text)
      var open: [(index: Int, children: Int)] = []
      var index = Int(Document.root)
      while index < document.wordCount {
        let word = document.word(UInt32(index))
        if !word.kind.isKey, !word.kind.isEnd, let last = open.indices.last { open[last].children += 1 }
        if word.kind.isStart {
          open.append((index, 0))
          index += 1
        } else if word.kind.isEnd {
          let last = open.popLast()
          let container = try #require(last)
          let link = document.word(UInt32(container.index + 1))
          #expect(link.linkedIndex == index + 1)
          #expect(link.childCount == container.children)
          #expect(document.word(UInt32(container.index)).kind.rawValue + 2 == word.kind.rawValue)
        }
        index += 1
      }
      #expect(open.isEmpty, "\(text)")
    }
  }
}
