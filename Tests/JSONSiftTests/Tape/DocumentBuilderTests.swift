import Testing

@testable import JSONSift

@Suite struct DocumentBuilderTests {
  @Test func `a tape grows with its text`() throws {
    for count in [1, 10, 100, 500, 510, 511, 512, 513, 1_000, 5_000, 50_000, 200_000] {
      let json = try JSON(parsing: "[" + Array(repeating: "[]", count: count).joined(separator: ",") + "]")
      #expect(json.count == count)
      #expect(json.tapeBytes == (count * 3 + 7) * 8)
      #expect(json[count - 1].type == .array)
    }
  }

  @Test func `deep nesting grows the tape and keeps its links`() throws {
    var limits = JSONLimits()
    limits.depth = 100_000
    for depth in [31, 32, 33, 64, 65, 1_000, 100_000] {
      let text = String(repeating: "[", count: depth) + "7" + String(repeating: "]", count: depth)
      var json = try JSON(parsing: text, options: JSONOptions(limits: limits))
      for level in 0..<depth {
        guard json.count == 1 else {
          Issue.record("depth \(depth), level \(level)")
          break
        }
        json = json[0]
      }
      #expect(json.int == 7)
    }
  }

  @Test(arguments: [4_096, 8_192, 100_000])
  func `a document whose tape exceeds its limit is rejected`(bytes: Int) {
    var limits = JSONLimits()
    limits.tapeBytes = bytes
    let options = JSONOptions(limits: limits)
    // Five tape words more than fit.
    let tooMany = "[" + Array(repeating: "1", count: bytes / 8 + 5).joined(separator: ",") + "]"
    let error = jsonError { _ = try JSON(parsing: tooMany, options: options) }
    #expect(error?.code == .tapeLimit)
    #expect(
      error?.message
        == "expected a document whose tape (the index of its values) has at most \(bytes) bytes, found a larger one")
    // With room for the last steps of the parser.
    let fitting = "[" + Array(repeating: "1", count: bytes / 8 - 10).joined(separator: ",") + "]"
    #expect(jsonError { _ = try JSON(parsing: fitting, options: options) } == nil)
  }

  @Test func `a long document keeps to its tape limit`() {
    var limits = JSONLimits()
    limits.tapeBytes = 1 << 20
    let text = "[" + Array(repeating: "1", count: 200_000).joined(separator: ",") + "]"
    let error = jsonError { _ = try JSON(parsing: text, options: JSONOptions(limits: limits)) }
    #expect(error?.code == .tapeLimit)
  }

  private func text(_ seed: Int) -> String {
    let items = (0..<(seed * 37) % 90).map { "{\"id\":\(seed * 1_000 + $0),\"s\":\"v\\n\(seed)-\($0)\"}" }
    let members = (0..<25).map { "\"k\($0)\":\(seed + $0)" }.joined(separator: ",")
    return "{\"seed\":\(seed),\"items\":[\(items.joined(separator: ","))],\"o\":{\(members)}}"
  }

  private func check(_ json: JSON, _ seed: Int) -> Bool {
    let count = (seed * 37) % 90
    guard json["seed"].int == seed, json["items"].count == count, json.rawText == text(seed) else { return false }
    guard json["o"]["k24"].int == seed + 24, json["o"]["k0"].int == seed else { return false }
    guard count > 0 else { return true }
    let last = json["items"][count - 1]
    return last["id"].int == seed * 1_000 + count - 1 && last["s"].string == "v\n\(seed)-\(count - 1)"
  }

  @Test func `stored values stay valid when the parser continues`() throws {
    var parser = JSONParser()
    var held: [(seed: Int, json: JSON)] = []
    var parts: [(seed: Int, json: JSON)] = []
    for seed in 0..<400 {
      // An array is retained, a slice is copied into memory that is reused.
      let json = seed % 2 == 0 ? try parser.parse(Array(text(seed).utf8)) : try parser.parse(text(seed).utf8)
      #expect(check(json, seed))
      if seed % 3 == 0 { held.append((seed, json)) }
      if seed % 7 == 0 { parts.append((seed, json["o"])) }
    }
    #expect(held.allSatisfy { check($0.json, $0.seed) })
    #expect(parts.allSatisfy { $0.json["k7"].int == $0.seed + 7 })
  }

  @Test func `memory of released values is reused without mixing values`() throws {
    var parser = JSONParser()
    for seed in 0..<500 {
      let json = try parser.parse(text(seed).utf8)
      #expect(check(json, seed), "seed \(seed)")
    }
  }

  @Test func `an error between two texts leaves stored values and the next text correct`() throws {
    var parser = JSONParser()
    var held: [(seed: Int, json: JSON)] = []
    for seed in 0..<200 {
      do {
        let json = try parser.parse(text(seed).utf8)
        #expect(check(json, seed))
        if seed % 4 == 1 { held.append((seed, json)) }
      }
      let broken = text(seed).dropLast(seed % 20 + 1)
      #expect(throws: JSONError.self) { _ = try JSON(parsing: String(broken)) }
      var found: JSONError?
      do { _ = try parser.parse(broken.utf8) } catch { found = error }
      #expect(found?.code == .unexpectedEnd || found?.code == .unexpectedByte)
    }
    #expect(held.allSatisfy { check($0.json, $0.seed) })
  }

  @Test func `a value outlives its parser`() throws {
    func parsed() throws -> JSON {
      var parser = JSONParser()
      _ = try parser.parse(Array("[0]".utf8))
      return try parser.parse(Array(text(5).utf8))
    }
    #expect(check(try parsed(), 5))
  }

  @Test func `a tape extracted from a stream is the tape of the subtree`() throws {
    var writer = RandomText(random: .announced())
    for _ in 0..<300 {
      let inner = writer.value(depth: 4)
      let bytes = Array("[null, \(inner)]".utf8)
      var matches = try JSONMatches(of: "$[1]", in: .chunks(chunks(of: bytes, size: 5)))
      let match = try #require(try matches.next())
      let alone = try JSON(parsing: inner)
      guard case .node(let found, let root) = match.value.storage, case .node(let expected, _) = alone.storage else {
        Issue.record("no document")
        return
      }
      #expect(root == Document.root)
      try #require(found.wordCount == expected.wordCount, "\(inner)")
      let isSame = (4..<UInt32(found.wordCount)).allSatisfy { found.word($0).bits == expected.word($0).bits }
      #expect(isSame, "\(inner)")
    }
  }
}
