import TestSupport
import Testing

@testable import JSONSift

/// Arrays whose elements lead to the matches of paths by names alone. A kernel scans them in one pass.
@Suite struct ElementMatchTests {
  static let rounds = isDebug ? 150 : 4_000

  // MARK: Random documents and paths

  /// Some names are prefixes of others, some have short escapes, and one is empty.
  private static let names = ["a", "b", "ab", "abc", "", "é", "a/b", "id"]

  private static func blank(_ random: inout SeededGenerator) -> String {
    random.pick(["", "", "", "", " ", "\n\t", "   "])
  }

  private static func key(_ random: inout SeededGenerator) -> String {
    let name = random.pick(random.below(3) == 0 ? names : ["a", "b", "ab"])
    switch random.below(60) {
    case 0: return "\"\\u0061\""
    case 1: return "\"a\\/b\""
    case 2: return "\"\\\"\""
    default: return "\"\(name)\""
    }
  }

  private static func scalar(_ random: inout SeededGenerator) -> String {
    random.pick(["1", "-2.5e+3", "\"x\"", "\"\\\"}]\"", "null", "true", "\"\"", "\"\\u00e9\\\\\"", "\"{\\\"a\\\":\""])
  }

  private static func value(_ random: inout SeededGenerator, _ depth: Int) -> String {
    switch random.below(12) {
    case 0: return "[\(scalar(&random)),{\"a\":2}]"
    case 1...(depth > 3 ? 1 : 6): return object(&random, depth + 1)
    default: return scalar(&random)
    }
  }

  private static func object(_ random: inout SeededGenerator, _ depth: Int) -> String {
    var members: [String] = []
    for _ in 0..<random.below(6) {
      let blank = blank(&random)
      members.append("\(blank)\(key(&random))\(blank):\(Self.blank(&random))\(value(&random, depth))\(blank)")
    }
    return "{\(members.joined(separator: ","))\(members.isEmpty ? blank(&random) : "")}"
  }

  /// Elements are often similar, so that the trie is useful.
  private static func document(_ random: inout SeededGenerator) -> [UInt8] {
    var elements: [String] = []
    var usual = object(&random, 0)
    for _ in 0..<random.below(30) {
      switch random.below(8) {
      case 0: usual = object(&random, 0)
      case 1: elements.append(value(&random, 0))
      default: elements.append(usual)
      }
    }
    let array = "[" + elements.joined(separator: random.pick([",", " , ", ",\n"])) + "]"
    return Array("{\"x\":[{\"a\":0}],\"r\":\(array),\"y\":{\"a\":{\"b\":0}}}".utf8)
  }

  /// Most of the paths lead to their matches through the trie; often one path leads through the match of another.
  private static func paths(_ random: inout SeededGenerator) throws -> [JSONPath] {
    var paths: [JSONPath] = []
    for _ in 0..<1 + random.below(6) {
      if random.below(20) == 0 {
        paths.append(try JSONPath(random.pick(["$.y.a.b", "$.r[*].a[0]", "$.r[2].a", "$.r[*].*", "$.x[*].a", "$..b"])))
        continue
      }
      var text = "$.r[*]"
      for _ in 0..<1 + random.below(3) {
        if random.below(10) == 0 {
          text += random.pick(["[0]", "[1]", "[0:1]", "[-1]", "[*]"])
          continue
        }
        text += "['\(random.pick(random.below(3) == 0 ? names : ["a", "b", "ab"]))'"
        if random.below(12) == 0 { text += ",'\(random.pick(names))'" }
        text += "]"
      }
      paths.append(try JSONPath(text))
    }
    return paths
  }

  @Test func `one or several paths select the same as validated reading for any elements and windows`() throws {
    var random = SeededGenerator.announced()
    var matched = 0
    for _ in 0..<Self.rounds {
      let bytes = Self.document(&random)
      let paths = try Self.paths(&random)
      let expected = try PathWindowTests.run(paths, bytes, bytes.count, whole: true)
      try #require(expected.error == nil)
      matched += expected.lines.count
      for size in [bytes.count, 1 + random.below(300), 64, 1 << 12] {
        let found = try PathWindowTests.run(paths, bytes, size)
        guard found.lines == expected.lines, found.error == nil, found.summaries == expected.summaries else {
          Issue.record(
            "\(paths) in windows of \(size) of \(String(decoding: bytes, as: UTF8.self)): \(found), not \(expected)")
          return
        }
      }
    }
    #expect(matched > Self.rounds / 2)
  }

  @Test func `texts that are passed one by one or many at once are those of the matches`() throws {
    var random = SeededGenerator.announced()
    var containers = 0
    for _ in 0..<Self.rounds {
      let bytes = Self.document(&random)
      let paths = try Self.paths(&random)
      for size in [bytes.count, 1 + random.below(300), 64] {
        let chunks = chunks(of: bytes, size: size)
        var matches = try JSONMatches(of: paths.map { ($0.description, $0) }, in: .chunks(chunks))
        let expected = try drain { try matches.next().map { "\($0.pathIndex) \($0.value.rawText)" } }
        for most in [0, 1, 3, Int.max] {
          let found = try Self.borrowed(paths, .chunks(chunks), most)
          guard found == expected else {
            Issue.record(
              "\(paths) in windows of \(size) of \(String(decoding: bytes, as: UTF8.self)): \(found), not \(expected)")
            return
          }
        }
        containers += expected.count { $0.hasSuffix("}") || $0.hasSuffix("]") }
      }
    }
    #expect(containers > Self.rounds / 2)
  }

  /// Returns the borrowed texts, each after the number of its path.
  ///
  /// - Parameter most: The maximum number of texts that are passed at once.
  private static func borrowed(_ paths: [JSONPath], _ source: JSONSource, _ most: Int) throws -> [String] {
    var matches = try JSONMatches(of: paths.map { ($0.description, $0) }, in: source)
    var texts: [String] = []
    var hasMore = true
    while hasMore {
      var left = most
      let count = texts.count
      let borrowed =
        most == 0
        ? 0
        : unsafe matches.borrowMatches { path, text in
          unsafe texts.append("\(path) \(String(decoding: text, as: UTF8.self))")
          left -= 1
          return left > 0
        }
      #expect(texts.count - count == borrowed)
      if borrowed > 0 { continue }
      hasMore = try unsafe matches.borrowNext { path, text in
        unsafe texts.append("\(path) \(String(decoding: text, as: UTF8.self))")
      }
    }
    return texts
  }

  @Test(arguments: ["$.r[*].a[0]", "$.r[*].a[0:1]", "$.r[*].a[1].b", "$.r[*].a[*]", "$.r[*].a[-1]"])
  func `an array is read where another path leads through an object`(path: String) throws {
    let paths = try ["$.r[*].a.b", path, "$.r[*].c"].map { try JSONPath($0) }
    let bytes = Array(#"{"r":[{},{"a":[1,{"b":2}],"c":{}},{"a":{"b":[3]},"c":[4]},{"a":[5,{"b":[]}]}]}"#.utf8)
    let expected = try JSON(parsing: bytes)
    let texts = try paths.enumerated().flatMap { number, path in
      try expected.query(path).map { "\(number) \($0.rawText)" }
    }
    for size in 1...bytes.count {
      let found = try Self.borrowed(paths, .chunks(chunks(of: bytes, size: size)), .max)
      #expect(found.sorted() == texts.sorted(), "in windows of \(size)")
    }
  }

  @Test func `matches of several paths are in text order in all windows up to 300`() throws {
    var random = SeededGenerator.announced()
    var matched = 0
    let enough = isDebug ? 20 : 60
    for _ in 0..<400 where matched < enough {
      let bytes = Self.document(&random)
      let paths: [JSONPath] = ["$.r[*].a", "$.r[*].b", "$.r[*].ab.a", "$.r[*].ab.b", "$.r[*]['ab']['ab']['a']"]
      let expected = try Self.sequence(paths, bytes, bytes.count, whole: true).sorted { $0.start < $1.start }
      if expected.count < 8 { continue }
      matched += expected.count
      for size in 1...300 {
        let found = try Self.sequence(paths, bytes, size)
        guard found == expected else {
          Issue.record("in windows of \(size) of \(String(decoding: bytes, as: UTF8.self))")
          return
        }
      }
    }
    #expect(matched >= enough)
  }

  private struct Found: Equatable {
    let path: Int
    let start: Int
  }

  /// Returns all matches in the order of delivery.
  private static func sequence(
    _ paths: [JSONPath], _ bytes: [UInt8], _ size: Int, whole: Bool = false
  ) throws -> [Found] {
    var matches = try JSONMatches(
      of: paths.map { ($0.description, $0) }, in: .chunks(chunks(of: bytes, size: size)), keepsDocument: whole)
    return try drain { try matches.next().map { Found(path: $0.pathIndex, start: $0.byteRange.lowerBound) } }
  }

  @Test func `damage gives the same result in all windows, and accepted texts give the same as validated reading`()
    throws
  {
    var random = SeededGenerator.announced()
    var rejected = 0
    for _ in 0..<Self.rounds {
      let bytes = Self.document(&random)
      let paths = try Self.paths(&random)
      // The kernel does not scan elements cut by a window, and none in small windows.
      let isRefused = try PathWindowTests.damage(bytes, paths, &random, comparesAccepted: true)
      guard let isRefused else { return }
      if isRefused { rejected += 1 }
    }
    #expect(rejected > Self.rounds / 4)
  }

  // MARK: Misleading elements

  @Test(arguments: [
    // Repeated names, in another order, and in repeated objects.
    "{\"user\":{\"id\":1,\"id\":2,\"name\":\"n\",\"id\":3},\"user\":{\"id\":4},\"level\":5,\"level\":6}",
    "{\"level\":1,\"user\":{\"name\":\"n\"},\"user\":{\"id\":2,\"name\":\"m\"}}",
    // Names inside the values of others, and a name that is a prefix of another.
    "{\"x\":{\"level\":0,\"user\":{\"id\":0}},\"levels\":0,\"leve\":0,\"level\":1,\"user\":{\"user\":{\"id\":0},\"id\":2}}",
    "{\"user\":{\"level\":0,\"ids\":0,\"id\":{\"id\":1}},\"level\":{\"level\":2}}",
    // Values of other types, and missing ones.
    "{\"user\":null,\"level\":1}", "{\"user\":[{\"id\":0}],\"level\":1}", "{\"user\":{},\"level\":[]}", "{}", "null",
    // Escapes.
    "{\"\\u0075ser\":{\"id\":1},\"user\":{\"id\":2},\"level\":3}",
    "{\"user\":{\"i\\u0064\":1,\"id\":2},\"leve\\u006c\":3}", "{\"\\\\\":\"\\\",\\\"level\\\":0\",\"level\":1}",
    // White space.
    " { \"user\" : { \"id\" : 1 , \"name\" : \"n\" } , \"level\" : 2 } ", "\n{\n\"level\"\n:\n\"x\"\n}\n",
  ])
  func `elements of an unusual form give the same matches as validated reading`(_ element: String) throws {
    let usual = "{\"user\":{\"id\":7,\"name\":\"u\"},\"level\":\"info\"}"
    let bytes = Array("{\"r\":[\(usual),\(usual),\(element),\(usual),\(element),\(element),\(element),\(usual)]}".utf8)
    let all: [[JSONPath]] = [
      ["$.r[*].user.id", "$.r[*].level"], ["$.r[*].level", "$.r[*].user.name", "$.r[*].user.id"],
      ["$.r[*].user", "$.r[*].user.id"], ["$.r[*].user.id", "$.r[*].user.id", "$.r[*].level"],
      ["$.r[*].user.id", "$.r[*].user.id.id", "$.r[*].level.level"], ["$.r[*]['user','level']['id','name']"],
      ["$.r[*].user.id", "$.r[*].none.none", "$.r[*].level"], ["$.r[*].user.id", "$.r[-1].level"],
      ["$.r[*].user.id", "$.r[*].level", "$..id"], ["$.r[*].user.id", "$.r[*].level[*]"],
    ]
    for (number, paths) in all.enumerated() {
      let expected = try PathWindowTests.run(paths, bytes, bytes.count, whole: true)
      try #require(expected.error == nil && !expected.lines.isEmpty)
      // In a debug build some of the sizes, different ones for each list of paths.
      for size in 1...300
      where isDebug ? (size + number) % (size < 70 ? 9 : 33) == 0 : size % 11 == 0 || size < 70 {
        let found = try PathWindowTests.run(paths, bytes, size)
        #expect(
          found.lines == expected.lines && found.error == nil && found.summaries == expected.summaries,
          "\(paths) in windows of \(size): \(found), not \(expected)")
      }
    }
  }

  @Test(arguments: [
    ("{\"b\":{\"c\":1 \"d\":2},\"e\":3}", 12), ("{\"b\":{\"c\":1,\"d\":2} \"e\":3}", 19),
    ("{\"b\":{\"c\":1,\"d\":2}},\"e\":3}", 23), ("{\"b\":{\"c\":1,\"d\":2],\"e\":3}", 17),
    ("{\"b\":{\"c\" 1,\"d\":2},\"e\":3}", 10), ("{\"b\":{\"c\":\"x\"],\"d\":2},\"e\":3}", 13),
    ("{\"b\":{\"c\":1x,\"d\":2},\"e\":3}", 11), ("{\"b\":{\"c\":1,\"d\":tru},\"e\":3}", 19),
  ])
  func `damage between requested values is reported at its offset`(_ element: String, _ offset: Int) throws {
    let usual = "{\"b\":{\"c\":1,\"d\":2},\"e\":3}"
    let head = "[\(usual),\(usual),"
    let paths: [JSONPath] = ["$[*].b.c", "$[*].e", "$[*].b.d"]
    let bytes = Array("\(head)\(element),\(usual)]".utf8)
    for size in 1...bytes.count {
      let found = try PathWindowTests.run(paths, bytes, size)
      #expect(found.error?.byteOffset == head.utf8.count + offset, "in windows of \(size): \(found)")
    }
  }

  @Test func `limits hold wherever a trie is deep`() throws {
    let paths: [JSONPath] = ["$[*].abc.b", "$[*].d", "$[*].e.f.g"]
    func run(_ change: (inout JSONLimits) -> Void) throws -> (Int, JSONError?) {
      var limits = JSONLimits()
      change(&limits)
      let element = "{\"abc\":{\"b\":\"xyz\"},\"d\":1,\"e\":{\"f\":{\"g\":2}}}"
      let bytes = Array("[\(Array(repeating: element, count: 50).joined(separator: ","))]".utf8)
      let found = try PathWindowTests.run(paths, bytes, bytes.count, limits: limits)
      return (found.lines.count, found.error)
    }
    #expect(try run { $0.depth = 4 } == (150, nil))
    #expect(try run { $0.depth = 3 }.1?.code == .depthLimit)
    #expect(try run { $0.keyBytes = 2 }.1?.code == .keyLimit)
    #expect(try run { $0.recordBytes = 4 }.1?.code == .recordLimit)
    #expect(try run { $0.recordBytes = 5 } == (150, nil))
  }

  // MARK: Numbers of names and objects

  @Test func `any number of names and objects is accepted`() throws {
    for count in [1, 4, 5, 15, 16, 17, 31, 32, 33, 40, 63, 64, 65, 100] {
      let flat = (0..<count).map { "\"n\($0)\":\($0)" }.joined(separator: ",")
      let nested = (0..<count).map { "\"n\($0)\":{\"x\":[],\"id\":\($0)}" }.joined(separator: ",")
      for (members, tail) in [(flat, ""), (nested, ".id")] {
        let bytes = Array("[\(Array(repeating: "{\"z\":{},\(members)}", count: 20).joined(separator: ","))]".utf8)
        let paths = try (0..<count).map { try JSONPath("$[*].n\($0)\(tail)") }
        let expected = try PathWindowTests.run(paths, bytes, bytes.count, whole: true)
        let found = try PathWindowTests.run(paths, bytes, bytes.count)
        #expect(found.lines == expected.lines && found.lines.count == 20 * count, "\(count)\(tail)")
      }
    }
  }

  @Test func `the kernel scans all elements of the usual form`() throws {
    let element = "{\"a\":{\"b\":1},\"c\":\"x\",\"d\":[{}],\"e\":{\"f\":{\"g\":null}}}"
    let bytes = Array("[\(Array(repeating: element, count: 1000).joined(separator: ","))]".utf8)
    let paths: [JSONPath] = ["$[*].a.b", "$[*].c", "$[*].e.f.g", "$[*].none"]
    var matcher = try PathMatcher(paths.map { try $0.checked() }, limits: JSONLimits())
    var traversal = SkippingTraversal(options: JSONOptions())
    let used = try unsafe bytes.span.withUnsafeBytes { window throws(JSONError) in
      try unsafe traversal.read(window, at: 0, isLast: true, into: &matcher)
    }
    #expect(used == bytes.count && (0..<4).map { matcher.plans[$0].matchCount } == [1000, 1000, 1000, 0])
    #expect(traversal.tries.count == 1 && traversal.tries.elements == 999)
  }

  @Test func `the kept values of elements of the usual form are those that validated reading keeps`() throws {
    let paths: [[JSONPath]] = [
      ["$.r[*].a.b"], ["$.x[*].a"], ["$.r[*].a.b.a"], ["$.r[*].a.b", "$.r[*].id"], ["$.r[*].a.b.a", "$.r[*].ab"],
      ["$.r[*].a.b", "$.r[*].a.ab", "$.r[*].b.ab.a"],
    ]
    var random = SeededGenerator.announced()
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
      let element = names.map { "{\"x\":[],\"\($0)\":" }.joined() + "1" + String(repeating: "}", count: depth)
      let bytes = Array("[\(Array(repeating: element, count: 20).joined(separator: ","))]".utf8)
      let path = try JSONPath("$[*]." + names.joined(separator: "."))
      let found = try PathWindowTests.run([path], bytes, bytes.count)
      #expect(found.error == nil && found.lines.count == 20, "\(path): \(found)")
      #expect(found.lines.last?.contains("$[19]['n0']") == true)
    }
  }
}
