import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONBuilderTests {
  private func build(
    _ content: JSONBuilder.Content, _ bytes: [UInt8], size: Int, options: JSONOptions = JSONOptions()
  ) throws -> JSON {
    var builder = try JSONBuilder(content, options: options)
    for chunk in chunks(of: bytes, size: size) { try builder.feed(chunk) }
    return try builder.finish()
  }

  private func text(_ json: JSON) throws -> String { String(decoding: try json.bytes(), as: UTF8.self) }

  @Test(arguments: [1, 7, 100_000])
  func `a whole text in chunks is the same value as a parsed text`(size: Int) throws {
    let source = #"{"a":[1,"x\n",{"b":null}],"é":-1.5e3, "deep":[[[[]]]],"a":true}"#
    let json = try build(.whole, Array(source.utf8), size: size)
    let parsed = try JSON(parsing: source)
    #expect(json == parsed && json.tapeBytes == parsed.tapeBytes)
    #expect(try text(json) == text(parsed))
  }

  static let kept: [(String, [JSONPath], String)] = [
    (#"{"meta":{"version":1,"x":2},"big":[1,2,3]}"#, ["$.meta.version"], #"{"meta":{"version":1}}"#),
    (#"{"r":[{"id":1,"n":"a"},{"n":"b"},{"id":3}]}"#, ["$.r[*].id"], #"{"r":[{"id":1},{"id":3}]}"#),
    (#"{"a":1,"b":2,"c":3}"#, ["$.c", "$.a"], #"{"a":1,"c":3}"#),
    (#"{"a":{"b":{"a":1}}}"#, ["$..a"], #"{"a":{"b":{"a":1}}}"#),
    (#"{"a":{"b":1}}"#, ["$.a.b", "$.a"], #"{"a":{"b":1}}"#), (#"[0,1,2,3,4]"#, ["$[-2:]", "$[0]"], "[0,3,4]"),
    (#"{"r":[{"k":1,"v":"x"},{"k":2,"v":"y"}]}"#, ["$.r[?@.k == 2].v"], #"{"r":[{"v":"y"}]}"#),
    (#"{"a":1,"a":2}"#, ["$.a"], #"{"a":1}"#), (#"{"a":1,"a":2}"#, ["$.*"], #"{"a":1,"a":2}"#),
    (#"{"\u0061":{"x\ty":1}}"#, ["$.a['x\\ty']"], #"{"\u0061":{"x\ty":1}}"#), (#"{"a":[ ]}"#, ["$.a[*]"], "null"),
    (#"{"a":[ ]}"#, ["$.a"], #"{"a":[]}"#), ("[1,2]", [], "null"), (#""x""#, ["$"], #""x""#),
  ]

  @Test(arguments: kept)
  func `values selected by paths are kept with the containers that lead to them`(
    source: String, paths: [JSONPath], expected: String
  ) throws {
    let bytes = Array(source.utf8)
    for size in [1, 2, 5, bytes.count] {
      #expect(try text(build(.keeping(paths), bytes, size: size)) == expected, "chunks of \(size)")
    }
    #expect(try text(JSON(parsing: source, keeping: paths)) == expected)
  }

  @Test func `every accessor works on a projected value`() throws {
    var json = try JSON(
      parsing: #"{"users":[{"id":1,"name":"Ada","x":0},{"id":2,"x":0}],"n":9007199254740993,"z":[1]}"#,
      keeping: ["$.users[*]['id','name']", "$.n"])
    #expect(json["users"][0]["name"].string == "Ada" && json["users"][1]["id"].int == 2)
    #expect(json["users"].count == 2 && json.count == 2 && json["n"].numberText == "9007199254740993")
    #expect(json["users"][0]["x"].error == .notExist && json["z"].error == .notExist)
    #expect(json.map { $0.0 } == ["users", "n"])
    #expect(try json.query("$..id").map(\.intValue) == [1, 2])
    json["users"][1]["name"] = "Bob"
    #expect(try JSON(parsing: json.bytes()) == json)
  }

  /// The reference projection: selected subtrees as a whole, and containers with a selected value inside.
  private func projected(_ json: JSON, _ location: [JSON.Step], _ selected: Set<[JSON.Step]>) -> String? {
    if selected.contains(location) { return String(decoding: json.rawBytes, as: UTF8.self) }
    switch json.type {
    case .array:
      let parts = json.enumerated().compactMap { projected($1.1, location + [.index($0)], selected) }
      return parts.isEmpty ? nil : "[" + parts.joined(separator: ",") + "]"
    case .dictionary:
      let parts = json.compactMap { key, value -> String? in
        projected(value, location + [.key(key)], selected).map { "\"\(key)\":" + $0 }
      }
      return parts.isEmpty ? nil : "{" + parts.joined(separator: ",") + "}"
    default: return nil
    }
  }

  @Test func `random paths keep the same as the reference, and the tape equals that of the text`() throws {
    var random = SeededGenerator()
    func document(_ depth: Int) -> String {
      switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random) {
      case 0...3: return ["1", "-2.5", "\"x\"", "null", "true"].randomElement(using: &random) ?? "0"
      case 4, 5:
        let elements = (0..<Int.random(in: 0..<5, using: &random)).map { _ in document(depth - 1) }
        return "[" + elements.joined(separator: " , ") + "]"
      default:
        let names = ["a", "b", "c", "d"].shuffled(using: &random).prefix(Int.random(in: 0..<5, using: &random))
        return "{ " + names.map { "\"\($0)\" : " + document(depth - 1) }.joined(separator: ",") + "}"
      }
    }
    let selectors = [
      "['a']", "['b']", "['c']", "[*]", "[*]", "[0]", "[2]", "[-1]", "[1:]", "[:-1]", "[::-1]", "[?@.a]", "[?@ == 1]",
      "['a', 0]",
    ]
    for _ in 0..<600 {
      let start = random
      let bytes = Array(document(5).utf8)
      let paths = try (0...Int.random(in: 0...2, using: &random)).map { _ in
        var path = "$"
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
          path += Int.random(in: 0..<4, using: &random) == 0 ? ".." : ""
          path += selectors.randomElement(using: &random) ?? ""
        }
        return try JSONPath.init(path)
      }
      let json = try JSON(parsing: bytes)
      var selected: Set<[JSON.Step]> = []
      for path in paths { for match in try json.matches(of: path) { selected.insert(match.location.steps) } }
      let expected = projected(json, [], selected) ?? "null"
      for size in [1, 9, bytes.count] {
        let kept = try build(.keeping(paths), bytes, size: size)
        let again = try JSON(parsing: expected)
        #expect(kept == again, "\(paths) \(start)")
        guard expected != "null" else { continue }
        #expect(String(decoding: kept.rawBytes, as: UTF8.self) == expected, "\(paths) \(start)")
        #expect(kept.tapeBytes == again.tapeBytes && kept.hashValue == again.hashValue, "\(paths) \(start)")
      }
    }
  }

  @Test func `memory is proportional to the kept values`() throws {
    var builder = try JSONBuilder(.keeping(["$.records[*].id"]))
    try builder.feed(Array(#"{"records":["#.utf8))
    let record = Array("{\"id\":7,\"text\":\"\(String(repeating: "x", count: 1000))\"},".utf8)
    for _ in 0..<2000 { try builder.feed(record) }
    try builder.feed(Array("{\"id\":8}]}".utf8))
    let json = try builder.finish()
    #expect(json["records"].count == 2001 && json["records"][2000]["id"].int == 8)
    #expect(json.rawBytes.count < 2001 * 10 && json.tapeBytes < 2001 * 48)
  }

  @Test func `errors equal those of other readers, and bad paths are rejected`() throws {
    var builder = try JSONBuilder(.keeping(["$.a"]))
    let error = #expect(throws: JSONError.self) { try builder.feed(Array(#"{"a":1,"b":x}"#.utf8)) }
    #expect(error?.byteOffset == 11)
    #expect(throws: JSONError.self) { _ = try JSONBuilder(.keeping(["$.["])) }
    #expect(throws: JSONError.self) { _ = try JSONBuilder(.keeping(["$[?$.a]"])) }
    let limits = with(JSONLimits()) { $0.recordBytes = 100 }
    let long = "{\"a\":[{\"k\":\"\(String(repeating: "x", count: 200))\"}]}"
    #expect(throws: JSONError.self) {
      try build(.keeping(["$.a[?@.k]"]), Array(long.utf8), size: 10, options: JSONOptions(limits: limits))
    }
  }

  @Test func `elements held for the end of an array count together`() throws {
    let limits = with(JSONLimits()) { $0.recordBytes = 1_000 }
    let text = "{\"a\":[\((0..<200).map { "\"\($0 + 1_000)\"" }.joined(separator: ","))]}"
    for size in [1, 7, text.utf8.count] {
      let error = jsonError {
        _ = try build(.keeping(["$.a[-190:]"]), Array(text.utf8), size: size, options: JSONOptions(limits: limits))
      }
      // The element with which the sum of 6 bytes each exceeds the limit.
      #expect(error == JSONError(.recordLimit, at: 6 + 166 * 7, limit: 1_000))
      let kept = try build(.keeping(["$.a[-100:]"]), Array(text.utf8), size: size, options: JSONOptions(limits: limits))
      #expect(kept["a"].count == 100)
    }
  }

  @Test func `a value that exceeds a limit is reported before the end of a text that is cut after it`() throws {
    let options = with(JSONOptions()) { $0.limits.recordBytes = 3 }
    let text = Array("{\"a\":[1,12345".utf8)
    for size in [1, 5, text.count] {
      let error = jsonError { _ = try build(.keeping(["$.a[-2:]"]), text, size: size, options: options) }
      #expect(error == JSONError(.recordLimit, at: 8, limit: 3), "\(size)")
      let cut = jsonError { _ = try build(.keeping(["$.a[-2:]"]), text, size: size) }
      #expect(cut?.code == .unexpectedEnd && cut?.byteOffset == text.count, "\(size)")
    }
  }
}
