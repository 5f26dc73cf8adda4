import Foundation
import JSONSift
import TestSupport
import Testing

@Suite struct EncoderBehaviourTests {
  private struct Writes: Encodable {
    let body: (any Encoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }
  private typealias Key = DecodingTableTests.DateKey

  @Test func `members are written in the order in which they are encoded`() throws {
    #expect(try JSONSiftEncoder().string(of: Point(x: 1, y: 2)) == "{\"x\":1,\"y\":2}")
    #expect(try JSONSiftEncoder().string(of: EncodingTableTests.Odd.twice) == "{\"b\":[1,2],\"a\":2,\"c\":3}")
    #expect(
      try JSONSiftEncoder().string(of: EncodingTableTests.Odd.interleaved)
        == "[{\"a\":1,\"b\":[2]},1,[\"x\",[3],\"y\"],true,4]")
  }

  @Test func `the partial output of a failed value is removed`() throws {
    #expect(try JSONSiftEncoder().string(of: EncodingTableTests.Odd.failing) == "{\"a\":1,\"c\":2}")
    #expect(try JSONSiftEncoder().string(of: EncodingTableTests.Odd.failingElement) == "[1,2]")
    #expect(throws: EncodingError.self) { try JSONSiftEncoder().string(of: EncodingTableTests.Odd.failingLater) }
  }

  @Test func `calls that trap in Foundation throw an error`() {
    let encoder = JSONSiftEncoder()
    #expect(throws: EncodingError.self) {
      try encoder.bytes(
        of: Writes {
          _ = $0.container(keyedBy: Key.self); _ = $0.unkeyedContainer()
        })
    }
    #expect(throws: EncodingError.self) {
      try encoder.bytes(
        of: Writes {
          _ = $0.unkeyedContainer(); _ = $0.container(keyedBy: Key.self)
        })
    }
    #expect(throws: EncodingError.self) {
      try encoder.bytes(
        of: Writes {
          var single = $0.singleValueContainer(); try single.encode(1); try single.encode(2)
        })
    }
    #expect(throws: EncodingError.self) {
      try encoder.bytes(of: [
        Writes {
          var single = $0.singleValueContainer(); try single.encode(1); _ = $0.unkeyedContainer()
        }
      ])
    }
    #expect(throws: EncodingError.self) { try encoder.bytes(of: Writes { _ in }) }
    #expect(throws: EncodingError.self) {
      try encoder.bytes(
        of: Writes { throw EncodingError.invalidValue(1, .init(codingPath: $0.codingPath, debugDescription: "")) })
    }
  }

  @Test func `an encoder works after an error as if it were new`() throws {
    let encoder = JSONSiftEncoder()
    for _ in 0..<5 {
      #expect(throws: EncodingError.self) { try encoder.bytes(of: ["a": [1, Double.nan]]) }
      #expect(try encoder.string(of: ["a": [1, 2.5]]) == "{\"a\":[1,2.5]}")
    }
  }

  @Test func `options set through a constant are visible to every holder of the encoder`() throws {
    let encoder = JSONSiftEncoder()
    let same = encoder
    encoder.outputFormatting = .sortedKeys
    encoder.outputFormatting.insert(.withoutEscapingSlashes)
    encoder.keyEncodingStrategy = .convertToSnakeCase
    #expect(try same.string(of: ["b/c": 1, "a": 2]) == #"{"a":2,"b/c":1}"#)
    struct Named: Encodable { var firstName = "Ada" }
    #expect(try same.string(of: Named()) == #"{"first_name":"Ada"}"#)
    #expect(try JSONSiftEncoder().string(of: Named()) == #"{"firstName":"Ada"}"#)
    encoder.outputFormatting = .prettyPrinted
    #expect(try encoder.json(of: Named()).rawBytes == Array(#"{"first_name":"Ada"}"#.utf8))
    #expect(encoder.outputFormatting == .prettyPrinted)
  }

  @Test func `an encoding keeps the options it started with`() throws {
    let encoder = JSONSiftEncoder()
    encoder.dateEncodingStrategy = .custom { _, part in
      encoder.dateEncodingStrategy = .secondsSince1970
      var container = part.singleValueContainer()
      try container.encode("first")
    }
    let dates = [Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2)]
    #expect(try encoder.string(of: dates) == #"["first","first"]"#)
    #expect(try encoder.string(of: dates) == "[1,2]")
  }

  @Test func `options set by concurrent tasks are all kept`() async {
    for _ in 0..<200 {
      let encoder = JSONSiftEncoder()
      await withTaskGroup(of: Void.self) { group in
        group.addTask { encoder.outputFormatting = .sortedKeys }
        group.addTask { encoder.keyEncodingStrategy = .convertToSnakeCase }
        group.addTask { _ = try? encoder.string(of: [1]) }
      }
      guard case .convertToSnakeCase = encoder.keyEncodingStrategy, encoder.outputFormatting == .sortedKeys else {
        Issue.record("an option is lost")
        return
      }
    }
  }

  @Test func `512 levels are written and one more is an error`() throws {
    func chain(_ depth: Int) -> Chain { (1..<depth).reduce(Chain(0, nil)) { Chain($1, $0) } }
    #expect(try JSONSiftEncoder().bytes(of: chain(512)).count > 512 * 8)
    #expect(throws: EncodingError.self) { try JSONSiftEncoder().bytes(of: chain(514)) }
    #expect(throws: EncodingError.self) { try JSONSiftEncoder().bytes(of: Endless()) }
  }

  private struct Endless: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(self)
    }
  }

  @Test func `lines are written in chunks of whole lines`() throws {
    let points = (0..<20_000).map { Point(x: $0, y: -$0) }
    var chunks: [[UInt8]] = []
    let encoder = JSONSiftEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.writeLines(points) { chunks.append($0) }
    #expect(chunks.count > 3)
    #expect(chunks.allSatisfy { $0.last == 10 })
    #expect(chunks.dropLast().allSatisfy { $0.count >= 1 << 16 && $0.count < 1 << 17 })
    var records = try JSONRecordReader(.chunks(chunks))
    let read: [Point] = try drain { try records.next(as: Point.self) }
    #expect(read == points)
  }

  @Test func `lines before a failing value are written`() throws {
    var written: [UInt8] = []
    #expect(throws: EncodingError.self) { try JSONSiftEncoder().writeLines([1.5, 2.5, .nan, 3]) { written += $0 } }
    #expect(String(decoding: written, as: UTF8.self) == "1.5\n2.5\n")
  }

  @Test func `an asynchronous source is read no further than its values are written`() async throws {
    actor Log {
      var asked = 0
      var written = 0
      var largestGap = 0
      func ask() {
        asked += 1
        largestGap = max(largestGap, asked - written)
      }
      func write(_ lines: Int) { written += lines }
    }
    let log = Log()
    let values = AsyncStream(unfolding: { () -> Point? in
      await log.ask()
      let asked = await log.asked
      return asked <= 50 ? Point(x: asked, y: 0) : nil
    })
    var text: [UInt8] = []
    try await JSONSiftEncoder().writeLines(values, chunkBytes: 1) { chunk in
      await Task.yield()
      await log.write(chunk.count { $0 == 10 })
      text += chunk
    }
    #expect(text.count { $0 == 10 } == 50)
    #expect(await log.largestGap == 1)
  }

  @Test func `an error of the source is thrown after the lines before it`() async {
    struct Wrong: Error {}
    let values = AsyncThrowingStream<Int, any Error> { continuation in
      continuation.yield(1)
      continuation.yield(2)
      continuation.finish(throwing: Wrong())
    }
    var text = ""
    await #expect(throws: Wrong.self) {
      try await JSONSiftEncoder().writeLines(values) { text += String(decoding: $0, as: UTF8.self) }
    }
    #expect(text == "1\n2\n")
  }

  @Test func `encoding a large dictionary takes time proportional to its size`() throws {
    func dictionary(_ count: Int) -> [String: Int] {
      Dictionary(uniqueKeysWithValues: (0..<count).map { ("key \($0)", $0) })
    }
    let encoder = JSONSiftEncoder()
    let clock = ContinuousClock()
    let (few, many) = (dictionary(4000), dictionary(40_000))
    _ = try encoder.bytes(of: few)
    let short = try clock.measure { _ = try encoder.bytes(of: few) }
    var text: [UInt8] = []
    let long = try clock.measure { text = try encoder.bytes(of: many) }
    #expect(long < short * 80, "\(short) and \(long)")
    #expect(try JSONSiftDecoder().decode([String: Int].self, from: text) == many)
  }
}

extension EncoderBehaviourTests {
  @Test func `a member whose second encoding fails keeps its first value`() throws {
    for count in [3, 60, 200] {
      let text = try JSONSiftEncoder().string(
        of: Writes { encoder in
          var container = encoder.container(keyedBy: Key.self)
          for index in 0..<count { try container.encode([index], forKey: Key(stringValue: "k\(index)")) }
          for index in 0..<count where index % 2 == 0 {
            try? container.encode(Double.nan, forKey: Key(stringValue: "k\(index)"))
            try? container.encode(["a": [Double.nan]], forKey: Key(stringValue: "k\(count - 1 - index)"))
          }
          try container.encode(7, forKey: Key(stringValue: "k1"))
          try? container.encode(Double.nan, forKey: Key(stringValue: "k2"))
          try container.encode(8, forKey: Key(stringValue: "k0"))
          try? container.encode(Double.nan, forKey: Key(stringValue: "k1"))
          try? container.encode(Double.nan, forKey: Key(stringValue: "new"))
          var nested = container.nestedContainer(keyedBy: Key.self, forKey: Key(stringValue: "k0"))
          try nested.encode(1, forKey: .at)
        })
      let json = try JSON(parsing: text)
      #expect(json.count == count)
      #expect(json["k1"] == 7)
      #expect(json["k0"] == ["at": 1])
      #expect((2..<count).allSatisfy { json["k\($0)"] == [JSON($0)] })
    }
  }

  @Test func `requesting a replaced container again returns a new one`() throws {
    let text = try JSONSiftEncoder().string(
      of: Writes { encoder in
        var container = encoder.container(keyedBy: Key.self)
        var first = container.nestedContainer(keyedBy: Key.self, forKey: .at)
        try first.encode(1, forKey: Key(stringValue: "old"))
        try container.encode(2, forKey: .at)
        var second = container.nestedContainer(keyedBy: Key.self, forKey: .at)
        try second.encode(3, forKey: Key(stringValue: "new"))
        try first.encode(4, forKey: Key(stringValue: "late"))
      })
    #expect(text == "{\"at\":{\"new\":3}}")
  }

  @Test func `values written into the parent container follow it at any depth`() throws {
    func key(_ name: String) -> Key { Key(stringValue: name) }
    let text = try JSONSiftEncoder().string(
      of: Writes { encoder in
        var outer = encoder.container(keyedBy: Key.self)
        let copy = outer
        try outer.encode(
          Writes { encoder in
            var outer = copy
            var inner = encoder.unkeyedContainer()
            try inner.encode(1)
            try outer.encode("first", forKey: key("a"))
            try outer.encode(
              Writes { encoder in
                var outer = copy
                var members = encoder.container(keyedBy: Key.self)
                try members.encode(2, forKey: key("x"))
                try outer.encode(["b": 3], forKey: key("b"))
                try? outer.encode(Double.nan, forKey: key("lost"))
                try outer.encode("again", forKey: key("a"))
                var nested = outer.nestedContainer(keyedBy: Key.self, forKey: key("n"))
                try members.encode(4, forKey: key("y"))
                try nested.encode(5, forKey: key("z"))
              }, forKey: key("c"))
            try inner.encode(6)
          }, forKey: key("d"))
        try outer.encode(7, forKey: key("b"))
        try? outer.encode(
          Writes { encoder in
            var outer = copy
            try outer.encode(8, forKey: key("not there"))
            throw EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: ""))
          }, forKey: key("nor this"))
        try outer.encode(9, forKey: key("e"))
      })
    #expect(text == #"{"d":[1,6],"c":{"x":2,"y":4},"a":"again","n":{"z":5},"b":7,"e":9}"#)
  }
}
