import TestSupport
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

  @Test func `a long document keeps to its tape limit`() {
    let limits = with(JSONLimits()) { $0.tapeBytes = 1 << 20 }
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
      let found = jsonError { _ = try parser.parse(broken.utf8) }
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
}
