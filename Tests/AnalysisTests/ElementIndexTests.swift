import Foundation
import TestSupport
import Testing

@testable import JSONSift
@testable import JSONSiftAnalysis

/// An index of the elements of one array.
@Suite struct ElementIndexTests {
  /// Returns a document of about five megabytes, and the number of elements of its array.
  private static func document(_ container: String, _ random: inout SeededGenerator) -> (text: [UInt8], count: Int) {
    let (head, tail) = parts(container)
    var text = Array(head.utf8)
    var count = 0
    while text.count < 5 << 20 {
      if count > 0 { text += [",", ",\n", " ,", ",\r\n\n"].randomElement(using: &random)?.utf8 ?? "".utf8 }
      let pad = String(repeating: "],[\\\"", count: Int.random(in: 0..<60, using: &random))
      switch Int.random(in: 0..<30, using: &random) {
      case 0: text += "\(count)".utf8
      case 1: text += "[[\(count)],{\"id\":[]}]".utf8
      case 2: text += "{\"id\":\(count),\"pad\":\"\(String(repeating: "é", count: 20_000))\"}".utf8
      default: text += "{\"id\":\(count),\"pad\":\"\(pad)\"}".utf8
      }
      count += 1
    }
    return (text + Array(tail.utf8), count)
  }

  private static func parts(_ container: String) -> (head: String, tail: String) {
    switch container {
    case "$": ("[", "]")
    case "$.items": ("{\"a\":[1,2],\n\"items\": [", "],\"items\":[1],\"z\":[3]}\n")
    case "$[2]['x y']": ("[1,[2],\n{\"x\":[0],\"x y\":[", "]},4]")
    default: ("{\"a\":{\"b\":[[], [", "]]}}")
    }
  }

  private typealias Found = ChildrenInTurn.Found

  private static func read(_ matches: consuming JSONMatches) throws -> [Found] {
    var matches = matches
    return try drain { try matches.next().map { Found($0) } }
  }

  @Test(arguments: ["$", "$.items", "$[2]['x y']", "$.a.b[1]"])
  func `reading that begins at a position of the index finds the same as reading from the start`(
    container: String
  )
    async throws
  {
    try await onThread {
      var random = SeededGenerator()
      let (text, count) = Self.document(container, &random)
      let array = try JSONPath(container)
      try withFile(text) { path in
        let index = try JSONBlockIndex(of: path, elementsOf: array, workers: Int.random(in: 1...3, using: &random))
        #expect(try JSONBlockIndex(stored: index.encoded()).blocks == index.blocks)
        #expect(try JSONBlockIndex(stored: index.encoded()).container == array)
        guard ValidationScan.isOn else { return }
        let starts = index.blocks.map { $0.start.count } + [index.end.count]
        #expect(starts.count > 3 && index.end.count < count, "\(container) \(starts) \(index.end) \(count) \(random)")
        let file = try #require(OpenFile(Array(path.utf8), of: index, trusting: .unchanged))
        let whole = try Self.read(JSONMatches(of: try JSONPath(container + "[*]"), in: .path(path)))
        #expect(whole.count == count)
        let near = starts.flatMap { [$0 - 1, $0, $0 + 1] }
        for element in near + (0..<10).map({ _ in Int.random(in: 0..<count, using: &random) }) where element >= 0 {
          let last = min(element + Int.random(in: 0...3, using: &random), count - 1)
          let selected = try JSONPath("\(container)[\(element):\(last + 1)]")
          #expect(selected.firstElement(of: array) == element)
          let rest = index.rest(beforeElement: element, in: file)
          #expect((rest != nil) == (element >= starts[1]), "\(element) \(random)")
          var matches = try JSONMatches(of: selected, in: .path(path))
          if let rest { try matches.resume(rest) }
          let found = try Self.read(matches)
          #expect(found == Array(whole[element...last]), "\(element)...\(last) \(random)")
          let (checkpoint, between) = try #require(index.entry(beforeElement: element))
          var reader = try JSONRecordReader(
            .path(path), options: JSONRecordOptions(framing: .children(of: array)), resumingAt: checkpoint)
          for _ in 0..<between { _ = try reader.next() }
          let record = try #require(try reader.next())
          #expect(record.byteRange == whole[element].byteRange, "\(element) \(random)")
          let line = 1 + text[..<whole[element].byteRange.lowerBound].count { $0 == 10 }
          #expect(record.line == line, "\(element) \(random)")
        }
      }
    }
  }

  @Test func `an error behind a position of the index has the line and column of a reader of all`() async throws {
    try await onThread {
      var random = SeededGenerator()
      let (text, count) = Self.document("$.items", &random)
      try withFile(text) { path in
        let index = try JSONBlockIndex(of: path, elementsOf: "$.items")
        let file = try #require(OpenFile(Array(path.utf8), of: index, trusting: .unchanged))
        var options = JSONOptions()
        // The elements with 40,000 bytes are too long.
        options.limits.recordBytes = 30_000
        func failure(_ element: Int, resuming isResuming: Bool) throws -> JSONError.Position? {
          var matches = try JSONMatches(
            of: try JSONPath("$.items[\(element):]"), in: .path(path), options: options)
          if isResuming, let rest = index.rest(beforeElement: element, in: file) { try matches.resume(rest) }
          do throws(JSONError) {
            while try matches.next() != nil {}
            return nil
          } catch {
            return matches.position(of: error)
          }
        }
        for _ in 0..<5 {
          let element = Int.random(in: 0..<count, using: &random)
          #expect(
            try failure(element, resuming: true) == failure(element, resuming: false), "\(element) \(random)")
        }
      }
    }
  }

  @Test func `a document that ends before a position of its index is an error at its end`() async throws {
    try await onThread {
      guard ValidationScan.isOn else { return }
      var random = SeededGenerator()
      let text = Self.document("$.items", &random).text
      try withFile(text) { path in
        let index = try JSONBlockIndex(of: path, elementsOf: "$.items")
        let file = try #require(OpenFile(Array(path.utf8), of: index, trusting: .unchanged))
        let rest = try #require(index.rest(beforeElement: index.end.count, in: file))
        // The file becomes shorter after its index was accepted.
        for size in [index.end.offset - 5, 300_000] {
          let handle = try #require(FileHandle(forWritingAtPath: path))
          try handle.truncate(atOffset: UInt64(size))
          try handle.close()
          for source in [file.source, .path(path)] {
            var matches = try JSONMatches(of: "$.items[*]", in: source)
            let error = jsonError { try matches.resume(rest) }
            #expect(error?.code == .unreadable && error?.byteOffset == size)
            #expect(
              error?.message
                == "expected an input of at least \(index.end.offset) bytes, found its end at byte \(size)")
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("{\"a\":{\"b\":1}}", "$.a", "expected an array with elements at $['a'], found none"),
    ("{\"a\":[]}", "$.a", "expected an array with elements at $['a'], found none"),
    ("{\"a\":[1]}", "$.b", "expected an array with elements at $['b'], found none"),
    ("17", "$", "expected an array with elements at $, found none"),
  ])
  func `a document without the array is not indexed`(text: String, path: String, message: String) async throws {
    try await onThread(withFile: Array(text.utf8)) { file in
      let container = try JSONPath(path)
      #expect(jsonError { _ = try JSONBlockIndex(of: file, elementsOf: container) }?.message == message)
    }
  }

  @Test func `a compressed document is not indexed`() async throws {
    try await onThread(withFile: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x8B, 0x8E, 5, 0]) { file in
      let error = jsonError { _ = try JSONBlockIndex(of: file, elementsOf: "$") }
      #expect(error?.code == .compressedInput && error?.byteOffset == 0)
    }
  }

  @Test func `a short document has an index without positions, and a damaged one has none`() async throws {
    try await onThread {
      try withFile(Array("{\"a\":[1,2,3]}".utf8)) { file in
        let index = try JSONBlockIndex(of: file, elementsOf: "$.a")
        #expect(index.blocks.isEmpty && index.container == "$.a")
        let (checkpoint, between) = try #require(index.entry(beforeElement: 2))
        #expect(checkpoint.byteOffset == 0 && between == 2 && index.entry(beforeElement: -1) == nil)
        #expect(try JSONBlockIndex(stored: index.encoded()).container == "$.a")
      }
      var random = SeededGenerator()
      var text = Self.document("$.items", &random).text
      var damaged = Int.random(in: (4 << 20)..<(5 << 20), using: &random)
      // A byte that is a character of its own.
      while text[damaged] >= 0x80 || text[damaged - 1] >= 0x80 { damaged += 1 }
      text[damaged] = 1
      try withFile(text) { file in
        let error = jsonError { _ = try JSONBlockIndex(of: file, elementsOf: "$.items") }
        #expect(error?.byteOffset == damaged, "\(random)")
      }
      let error = jsonError { _ = try JSONBlockIndex(of: "none", elementsOf: "$[*]") }
      #expect(error?.code == .invalidPath)
    }
  }

  @Test(arguments: [
    ("$.items[5]", 5), ("$.items[5:8].id", 5), ("$.items[7,3]", nil), ("$.items[5,5]", nil), ("$.items[:8]", 0),
    ("$.items[4::2]", 4),
    ("$.items[-1]", nil), ("$.items[5:-1]", nil), ("$.items[5:1:-1]", nil), ("$.items[*]", nil), ("$.items", nil),
    ("$.items['x']", nil), ("$.items[5,'x']", nil), ("$.other[5]", nil), ("$..items[5]", nil), ("$.items..[5]", nil),
    ("$.items[?@.a]", nil), ("$[5]", nil),
  ])
  func `the first element that a path selects`(path: String, element: Int?) throws {
    #expect(try JSONPath(path).firstElement(of: "$.items") == element)
  }
}
