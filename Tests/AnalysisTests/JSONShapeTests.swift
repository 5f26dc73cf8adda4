import JSONSift
import JSONSiftAnalysis
import TestSupport
import Testing

@Suite struct JSONShapeTests {
  private static func records(_ texts: [String]) throws -> [JSON] { try texts.map { try JSON(parsing: $0) } }

  private static func shape(_ texts: [String], _ options: JSONShape.Options = JSONShape.Options()) throws -> JSONShape {
    var shape = JSONShape(options: options)
    for record in try records(texts) { shape.add(record) }
    return shape
  }

  private static func path(_ path: String, in shape: JSONShape) throws -> JSONShape.Path {
    try #require(shape.paths.first { $0.path == path })
  }

  @Test func `each path has its types, counts, bounds and first values`() throws {
    let shape = try Self.shape([
      #"{"id": 1, "user": {"name": "Ada", "tags": ["a", "bc"]}}"#,
      #"{"id": 20.0, "user": null, "x y": [[], [true]]}"#, #"{"id": 20, "user": {"name": "\u00e9\ud83d\ude00"}}"#, "7",
    ])
    #expect(shape.recordCount == 4)
    #expect(
      shape.paths.map(\.path) == [
        "$", "$.id", "$.user", "$.user.name", "$.user.tags", "$.user.tags[*]", "$['x y']", "$['x y'][*]",
        "$['x y'][*][*]",
      ])
    #expect(
      shape.paths.map { ShapeReference.line($0) }[..<6] == [
        "$ | 0 0 1 0 0 3 | 4 | - | 7 | 7 | - | - | 2...3 | 3 | 7",
        "$['id'] | 0 0 3 0 0 0 | 3 | 3 | 1 | 20.0 | - | - | - | - | 1,20.0,20",
        "$['user'] | 1 0 0 0 0 2 | 3 | 3 | - | - | - | - | 1...2 | 2 | ",
        #"$['user']['name'] | 0 0 0 2 0 0 | 2 | 2 | - | - | 2...3 | - | - | - | "Ada","\u00e9\ud83d\ude00""#,
        "$['user']['tags'] | 0 0 0 0 1 0 | 1 | 2 | - | - | - | 2...2 | - | - | ",
        #"$['user']['tags'][*] | 0 0 0 2 0 0 | 1 | - | - | - | 1...2 | - | - | - | "a","bc""#,
      ])
  }

  @Test func `numbers are compared by their exact values, and the first of equal ones is reported`() throws {
    let shape = try Self.shape([
      "9007199254740993", "9007199254740992", "9007199254740992.0", "9007199254740993.00", "1e3",
    ])
    let all = try Self.path("$", in: shape)
    #expect(all.minNumber == "1e3")
    #expect(all.maxNumber == "9007199254740993")
    let large = try Self.path("$", in: Self.shape(["-1e400", "1e400", "1e401", "-1.1e400", "0"]))
    #expect(large.minNumber == "-1.1e400")
    #expect(large.maxNumber == "1e401")
    // A text that is longer than the one that it replaces.
    let growing = try Self.path("$", in: Self.shape((0..<60).map { "1" + String(repeating: "0", count: $0) }))
    #expect(growing.maxNumber == "1" + String(repeating: "0", count: 59))
    #expect(growing.minNumber == "1")
  }

  @Test func `examples are the first different values, and long strings are truncated between characters`() throws {
    var options = JSONShape.Options()
    options.maxExampleBytes = 8
    options.maxExamples = 5
    let texts = [
      #""short""#, #""short""#, #""1234567é""#, #""123456é8""#, #""12345\n78""#, #""12\ud83d\ude00""#, "123456789",
      "1.00", #""more""#,
    ]
    let path = try Self.path("$", in: Self.shape(texts, options))
    #expect(path.examples == [#""short""#, #""1234567…""#, #""123456é…""#, #""12345\n7…""#, #""12…""#])
    options.maxExamples = 0
    #expect(try Self.path("$", in: Self.shape(texts, options)).examples == [])
  }

  @Test func `too many names are one path, and so are fewer names with similar values`() throws {
    let options = with(JSONShape.Options()) { $0.maxKeys = 20 }
    let many = try Self.shape((0..<30).map { #"{"m": {"k\#($0)": \#($0 % 2 == 0 ? "1" : "{}")}, "n": 1}"# }, options)
    #expect(many.paths.map(\.path) == ["$", "$.m", "$.m.*", "$.n"])
    let map = try Self.path("$.m", in: many)
    #expect(map.isMap && map.hasMoreKeys && map.keyCount == 20)
    let member = try Self.path("$.m.*", in: many)
    #expect(member.count == 30 && member.recordCount == 30 && member.objectCount == 15)

    // One document with a map of objects that have the same names.
    let users = (0..<17).map { #""u\#($0)": {"id": \#($0), "tags": {}}"# }.joined(separator: ",")
    let alike = try Self.shape(["{\"users\": {\(users)}}"])
    #expect(alike.paths.map(\.path) == ["$", "$.users", "$.users.*", "$.users.*.id", "$.users.*.tags"])
    let likeMap = try Self.path("$.users", in: alike)
    #expect(likeMap.isMap && !likeMap.hasMoreKeys && likeMap.keyCount == 17)
    #expect(try Self.path("$.users.*", in: alike).recordCount == 1)
    #expect(try Self.path("$.users.*.id", in: alike).recordCount == nil)
    #expect(try Self.path("$.users.*.id", in: alike).maxNumber == "16")

    // Fields occur in most objects, keys of a map in few.
    let fields = (0..<17).map { "\"f\($0)\": \($0)" }.joined(separator: ",")
    #expect(try Self.shape(["{\(fields)}", "{\(fields)}"]).paths.count == 18)
    #expect(try Self.shape((0..<17).map { "{\"f\($0)\": \($0)}" }).paths.map(\.path) == ["$", "$.*"])
    #expect(try Self.shape((0..<17).map { "{\"f\($0)\": \($0 == 3 ? "\"x\"" : "1")}" }).paths.count == 18)
    #expect(try Self.shape((0..<17).map { "{\"f\($0)\": \($0 == 3 ? "null" : "1")}" }).paths.count == 2)
  }

  @Test func `a name is a step of a path that finds it`() throws {
    let names = ["a", "_b", "é1", "1a", "", "*", "a.b", "it's", "tab\t", "\u{1F600}", "a\"b"]
    for name in names {
      let record: JSON = [name: 5]
      var shape = JSONShape()
      shape.add(record)
      let path = try #require(shape.paths.last?.path)
      #expect(try record.query(JSONPath(path)).map(\.intValue) == [5], "\(path)")
    }
  }

  @Test func `built values are counted like parsed ones`() throws {
    var shape = JSONShape()
    shape.add(["a": [1, 2.5, "x", nil, true]])
    shape.add(JSON(7))
    #expect(shape.paths.map(\.path) == ["$", "$.a", "$.a[*]"])
    #expect(shape.paths[2].count == 5)
    let copy = shape
    shape.add(["b": 1])
    #expect(copy.recordCount == 2 && copy.paths.count == 3)
    #expect(shape.recordCount == 3 && shape.paths.count == 4)
  }

  @Test func `the shape of random records equals the defined shape for every distribution of the records`() throws {
    var generator = SeededGenerator()
    for _ in 0..<60 {
      var options = JSONShape.Options()
      options.maxKeys = Int.random(in: 1...6, using: &generator)
      options.maxAlikeKeys = 1000
      options.maxExamples = Int.random(in: 0...4, using: &generator)
      let texts = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
        Self.randomText(depth: 4, &generator)
      }
      let expected = ShapeReference.lines(of: try Self.records(texts), options)
      let whole = try Self.shape(texts, options).paths.map { ShapeReference.line($0) }
      #expect(whole == expected, "\(generator)")

      var dealt = JSONShape(options: options)
      var rest = texts[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...8, using: &generator)
        dealt.merge(try Self.shape(Array(rest.prefix(count)), options))
        rest = rest.dropFirst(count)
      }
      #expect(dealt.recordCount == texts.count)
      #expect(dealt.paths.map { ShapeReference.line($0) } == expected, "\(generator)")
    }
  }

  @Test func `memory does not grow with keys that are data, nor with the number of parts`() throws {
    var shape = JSONShape()
    for part in 0..<300 {
      shape.merge(try Self.shape((0..<5).map { "{\"m\": {\"k\(part * 5 + $0)\": {\"n\": [\(part)]}}}" }))
    }
    #expect(shape.recordCount == 1500)
    #expect(shape.pathCount == 5)
    #expect(shape.paths.map(\.path) == ["$", "$.m", "$.m.*", "$.m.*.n", "$.m.*.n[*]"])
    #expect(shape.paths.map(\.count) == [1500, 1500, 1500, 1500, 1500])
    #expect(try Self.path("$.m.*.n[*]", in: shape).maxNumber == "299")
    // A shape can be added to itself.
    shape.merge(shape)
    #expect(shape.recordCount == 3000)
  }

  /// Few names, so that they repeat, in any order.
  static func randomText(depth: Int, _ generator: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 6), using: &generator) {
    case 0: return "null"
    case 1: return Bool.random(using: &generator) ? "true" : "false"
    case 2:
      return ["0", "-0", "1.0", "1", "10e-1", "-7", "123456789012345678901", "0.1"].randomElement(using: &generator)
        ?? "0"
    case 3: return "\(Int.random(in: -50...50, using: &generator))"
    case 4, 5:
      return ["\"\"", "\"a\"", "\"é\"", "\"\\u00e9\"", "\"😀😀\"", "\"abc\\n\""].randomElement(using: &generator) ?? ""
    case 6, 7:
      let elements = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        randomText(depth: depth - 1, &generator)
      }
      return "[" + elements.joined(separator: ", ") + "]"
    default:
      var names = ["a", "b", "longername", "longernamf", "x", "key", "y"].shuffled(using: &generator)
      names.removeLast(Int.random(in: 2...7, using: &generator))
      let members = names.map { name in
        let spelt = Int.random(in: 0..<9, using: &generator) == 0 ? "\\u006" + "1" + name : name
        return "\"\(spelt)\":" + randomText(depth: depth - 1, &generator)
      }
      return "{" + members.joined(separator: ",") + "}"
    }
  }
}
