import Testing

@testable import JSONSift

/// Arrays whose elements lead to their matches by names alone, which a kernel scans.
@Suite struct ElementChainTests {
  #if DEBUG
    static let rounds = 150
  #else
    static let rounds = 4_000
  #endif

  /// Most elements have the form that the kernel supports; it must leave the others to the reader.
  private static func element(_ random: inout SeededRandom) -> String {
    let blank = random.pick(["", "", "", " ", "\n\t", "        "])
    let scalar = random.pick(["1", "-2.5e3", "\"x\"", "\"\\\"}]\"", "null", "true", "\"\"", "0", "\"\\u00e9\\\\\""])
    let other = random.pick([
      "\"z\":{\"b\":{\"c\":9}}", "\"y\":[{\"a\":{\"b\":8}}]", "\"ab\":\"a\"", "\"\\u0062\":1", "\"\":[]",
      "\"k\":\"{\\\"a\\\":\\\\\"",
    ])
    switch random.below(24) {
    case 0: return random.pick(["1", "null", "[]", "[[{\"a\":1}]]", "\"a\"", "{}", "{\(blank)}"])
    case 1: return "{\"a\":\(random.pick(["null", "[1]", "{}", "\"b\"", "{\"b\":[]}", "{\"b\":{}}"]))}"
    case 2: return "{\"\\u0061\":{\"b\":\(scalar)},\"a\":{\"b\":5}}"
    case 3: return "{\"a\":{\"\\u0062\":{\"c\":\(scalar)}},\"a\":6}"
    case 4: return "{\"a\":{\"b\":\(scalar)},\"a\":{\"b\":7}}"
    case 5: return "{\(other),\"a\":{\"b\":{\"x\":{},\"c\":\(scalar)\(blank),\(other)}}}"
    default:
      let member = "\"a\"\(blank):\(blank){\(random.below(2) == 0 ? other + "," : "")\"b\":\(blank)\(scalar)\(blank)}"
      return "{\(blank)\(random.below(2) == 0 ? other + "," : "")\(member)\(random.below(2) == 0 ? "," + other : "")}"
    }
  }

  private static func document(_ random: inout SeededRandom) -> [UInt8] {
    var elements: [String] = []
    for _ in 0..<random.below(40) { elements.append(element(&random)) }
    let array = "[" + elements.joined(separator: random.pick([",", " , ", ",\n"])) + "]"
    return Array(random.pick([array, "{\"a\":\(array)}", "{\"x\":[\(array),\(array)],\"a\":\(array)}"]).utf8)
  }

  private static let paths: [[JSONPath]] = [
    ["$[*].a.b"], ["$.a[*].a.b"], ["$.a[*].a.b.c"], ["$.x[*][*].a.b"], ["$.a[*].a"], ["$.a[*]['a','k']"],
    ["$.a[2:].a.b"], ["$[*].a.b", "$.a[*].a.b"], ["$.a[*].a.b", "$.a[*].k"], ["$.a[*].a.b", "$.a[*].a"],
    ["$.a[*].a.b", "$.a[*].a.b"], ["$..b"], ["$.a[*]..b"], ["$.a[*][\"\"]"], ["$.a[?@.a.b].a.b"], ["$.a[-3:].a.b"],
  ]

  @Test func `the kept values of elements of the usual form are those that validated reading keeps`() throws {
    let paths: [[JSONPath]] = [
      ["$[*].a.b"], ["$.a[*].a.b"], ["$.a[*].a.b.c"], ["$.a[*].a.b", "$.a[*].k"], ["$.a[*].a.b.c", "$.a[*].ab"],
      ["$.a[*].a.b", "$.a[*].a.c", "$.a[*].z.b.c"],
    ]
    var random = SeededRandom.announced()
    var kept = 0
    for _ in 0..<Self.rounds {
      let bytes = Self.document(&random)
      let paths = random.pick(paths)
      let expected = try JSON(parsing: bytes, keeping: paths)
      if expected.type != .null { kept += 1 }
      for size in [bytes.count, 1 + random.below(300), 64] {
        let found = try ValidatedKeepingTests.kept(paths, chunks(of: bytes, size: size), JSONOptions())
        guard found.error == nil, found.values == expected, try found.values?.bytes() == expected.bytes() else {
          Issue.record(
            "\(random): \(paths) in \(size) of \(String(decoding: bytes, as: UTF8.self)): \(found), not \(expected)")
          return
        }
      }
    }
    #expect(kept > Self.rounds / 10)
  }

  @Test func `elements of the usual form, mixed with others, give the same as validated reading`() throws {
    var random = SeededRandom.announced()
    var matched = 0
    for _ in 0..<Self.rounds {
      let bytes = Self.document(&random)
      let paths = random.pick(Self.paths)
      let expected = try PathWindowTests.run(paths, bytes, bytes.count, whole: true)
      try #require(expected.error == nil)
      matched += expected.lines.count
      for size in [bytes.count, 1 + random.below(300), 64] {
        let found = try PathWindowTests.run(paths, bytes, size)
        guard found.lines == expected.lines, found.error == nil, found.summaries == expected.summaries else {
          Issue.record(
            "\(paths) in windows of \(size) of \(String(decoding: bytes, as: UTF8.self)): \(found), not \(expected)")
          return
        }
      }
    }
    #expect(matched > Self.rounds)
  }

  @Test func `damaged elements give the same in all windows, and accepted texts the same as validated reading`() throws
  {
    var random = SeededRandom.announced()
    var rejected = 0
    for _ in 0..<Self.rounds {
      let bytes = Self.document(&random)
      let paths = random.pick(Self.paths)
      let isRefused = try PathWindowTests.damage(bytes, paths, &random, comparesAccepted: paths.count == 1)
      guard let isRefused else { return }
      if isRefused { rejected += 1 }
    }
    #expect(rejected > Self.rounds / 4)
  }

  @Test func `limits hold in elements that a kernel scans`() throws {
    func run(_ path: JSONPath, _ element: String, _ change: (inout JSONLimits) -> Void) throws -> (Int, JSONError?) {
      var limits = JSONLimits()
      change(&limits)
      let bytes = Array("[\(Array(repeating: element, count: 50).joined(separator: ","))]".utf8)
      let found = try PathWindowTests.run([path], bytes, bytes.count, limits: limits)
      return (found.lines.count, found.error)
    }
    let element = "{\"abc\":{\"b\":\"xyz\"}}"
    #expect(try run("$[*].abc.b", element) { $0.depth = 3 } == (50, nil))
    #expect(try run("$[*].abc.b", element) { $0.depth = 2 }.1?.code == .depthLimit)
    #expect(try run("$[*].abc.b", element) { $0.keyBytes = 2 }.1?.code == .keyLimit)
    #expect(try run("$[*].abc.b", element) { $0.recordBytes = 4 }.1?.code == .recordLimit)
    #expect(try run("$[*].abc.b", element) { $0.recordBytes = 5 } == (50, nil))
  }

  @Test(arguments: ["{\"user\":null}", "{\"id\":1}", "{\"user\":{}}", "{\"user\":{\"id\":[1]}}"])
  func `a chain without matches is retried without keeping memory`(element: String) throws {
    let bytes = Array("[\(Array(repeating: element, count: 10_000).joined(separator: ","))]".utf8)
    for text in ["$[*].user.id.x", "$[*].user.id", "$[*].user.a.b.c.d.e.f.g.h.i"] {
      let path = try JSONPath(text)
      var matcher = try PathMatcher([path.checked()], limits: JSONLimits())
      var traversal = SkippingTraversal(options: JSONOptions())
      let used = try unsafe bytes.span.withUnsafeBytes { window throws(JSONError) in
        try unsafe traversal.read(window, at: 0, isLast: true, into: &matcher)
      }
      let expected = text == "$[*].user.id" && element.contains("[") ? 10_000 : 0
      #expect(used == bytes.count && matcher.plans[0].matchCount == expected)
      // One for each object of the trie.
      #expect(traversal.tries.count <= 1 && traversal.stateNames.lists.count <= 12, "\(text)")
    }
  }

  @Test func `a chain may have any length`() throws {
    for depth in 1...12 {
      let names = (0..<depth).map { "n\($0)" }
      let element =
        names.map { "{\"x\":[],\"\($0)\":" }.joined() + "1" + String(repeating: "}", count: depth)
      let bytes = Array("[\(Array(repeating: element, count: 20).joined(separator: ","))]".utf8)
      let path = try JSONPath("$[*]." + names.joined(separator: "."))
      let found = try PathWindowTests.run([path], bytes, bytes.count)
      #expect(found.error == nil && found.lines.count == 20, "\(path): \(found)")
      #expect(found.lines.last?.contains("$[19]['n0']") == true)
    }
  }
}
