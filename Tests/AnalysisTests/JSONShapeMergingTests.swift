import JSONSift
import TestSupport
import Testing

@testable import JSONSiftAnalysis

@Suite struct JSONShapeMergingTests {
  private static func shape(_ texts: [String], _ options: JSONShape.Options) throws -> JSONShape {
    var shape = JSONShape(options: options)
    for text in texts { shape.add(try JSON(parsing: text)) }
    return shape
  }

  private static func options(
    names: Int = 200, maxAlikeKeys: Int = 1000, examples: Int = 3, maxExampleBytes: Int = 40
  ) -> JSONShape.Options {
    var options = JSONShape.Options()
    options.maxKeys = names
    options.maxAlikeKeys = maxAlikeKeys
    options.maxExamples = examples
    options.maxExampleBytes = maxExampleBytes
    return options
  }

  @Test func `a shape keeps as many examples as its own options allow, whatever the options of an added shape`() throws
  {
    let first = (0..<8).map { "{\"v\":\($0),\"a\":[\"x\($0)\",true],\"one\":1}" }
    let second = (4..<14).map { "{\"a\":[\"x\($0)\",null],\"v\":\($0),\"two\":\"\"}" }
    for this in 0...5 {
      for other in 0...5 {
        var merged = try Self.shape(first, Self.options(examples: this))
        let added = try Self.shape(second, Self.options(examples: other))
        let mine = merged.paths
        merged.merge(added)
        let direct = try Self.shape(first + second, Self.options(examples: this)).paths
        #expect(merged.paths.map(\.path) == direct.map(\.path))
        for (found, expected) in zip(merged.paths, direct) {
          var examples = mine.first { $0.path == found.path }?.examples ?? []
          for example in added.paths.first(where: { $0.path == found.path })?.examples ?? []
          where !examples.contains(example) {
            examples.append(example)
          }
          #expect(found.examples == Array(examples.prefix(this)), "\(this) and \(other): \(found.path)")
          #expect(found.count == expected.count && found.recordCount == expected.recordCount)
          #expect(found.minNumber == expected.minNumber && found.maxNumber == expected.maxNumber)
        }
        // A shape that kept at least as many examples provides all of them.
        if other >= this { #expect(merged.paths == direct, "\(this) and \(other)") }
        // Values added later are counted correctly too.
        merged.add(try JSON(parsing: "{\"v\":99}"))
        #expect(merged.paths.first { $0.path == "$.v" }?.maxNumber == "99")
      }
    }
  }

  @Test func `adding a shape that distinguishes more names equals counting its records`() throws {
    var generator = SeededGenerator()
    for _ in 0..<60 {
      let names = Int.random(in: 1...5, using: &generator)
      let examples = Int.random(in: 0...4, using: &generator)
      let own = Self.options(names: names, examples: examples)
      let others = Self.options(
        names: names + Int.random(in: 0...6, using: &generator),
        examples: examples + Int.random(in: 0...3, using: &generator))
      let texts = (0..<24).map { _ in JSONShapeTests.randomText(depth: 4, &generator) }
      var merged = try Self.shape(Array(texts[..<8]), own)
      merged.merge(try Self.shape(Array(texts[8..<16]), others))
      merged.merge(try Self.shape(Array(texts[16...]), others))
      let direct = try Self.shape(texts, own)
      #expect(merged.paths == direct.paths, "\(generator)")
      #expect(merged.pathCount == direct.pathCount, "\(generator)")
    }
  }

  @Test func `added examples are truncated as the shape truncates its own`() throws {
    let texts = [
      #""1234567é""#, #""1234567éab""#, #""12\ud83d\ude00 and more""#, #""1234\u00e9\n""#, "123456789", "12345678",
      #""\n\n\n\n\n\n""#,
      #""short""#,
    ]
    for bytes in 1...14 {
      let direct = try Self.shape(texts, Self.options(examples: 50, maxExampleBytes: bytes))
      for others in bytes...20 {
        var merged = JSONShape(options: Self.options(examples: 50, maxExampleBytes: bytes))
        merged.merge(try Self.shape(texts, Self.options(examples: 50, maxExampleBytes: others)))
        #expect(merged.paths == direct.paths, "\(bytes) and \(others)")
      }
    }
    var long = try Self.shape([#""abcdefgh""#], Self.options(maxExampleBytes: 6))
    long.merge(try Self.shape([#""abcdefgh""#, "1234567"], Self.options(maxExampleBytes: 3)))
    #expect(long.paths[0].examples == [#""abcdef…""#, #""abc…""#])
  }

  @Test func `added names are merged if they are too many for the shape`() throws {
    let record = "{" + (0..<20).map { "\"k\($0)\":{\"n\":[\($0)]}" }.joined(separator: ",") + "}"
    var few = JSONShape(options: Self.options(names: 5))
    few.merge(try Self.shape([record, record], Self.options()))
    let direct = try Self.shape([record, record], Self.options(names: 5))
    #expect(few.paths.map(\.path) == ["$", "$.*", "$.*.n", "$.*.n[*]"])
    #expect(few.paths == direct.paths)
    #expect(few.pathCount == 4)
    // Merged names cannot be separated any more; the shape reports how many of them are known.
    var many = try Self.shape(["{\"a\":1,\"b\":2}"], Self.options())
    many.merge(direct)
    #expect(many.paths.map(\.path) == ["$", "$.*", "$.*.n", "$.*.n[*]"])
    #expect(many.paths[0].hasMoreKeys && many.paths[0].keyCount == 5)
    #expect(many.paths[1].count == 42)
  }

  @Test func `memory does not grow with the number of added shapes, whatever the length of their examples`() throws {
    var shape = JSONShape(options: Self.options(examples: 20, maxExampleBytes: 2000))
    var peak = 0
    for number in 0..<400 {
      let text = String(repeating: "x", count: 1500)
      let record = "[\"\(number)\(text)\",1\(String(repeating: "0", count: number)),\(number + 1)\(number)]"
      shape.merge(try Self.shape([record, record], Self.options(examples: 20, maxExampleBytes: 2000)))
      peak = max(peak, shape.heldBytes)
    }
    #expect(shape.recordCount == 800)
    #expect(peak < 200_000)
    #expect(shape.paths[1].maxNumber == "1" + String(repeating: "0", count: 399))
  }

  @Test func `adding a shape to itself a hundred times saturates its counts`() throws {
    var shape = try Self.shape([#"{"a":[1,2,"x"],"b":null}"#, "[true]"], Self.options())
    let paths = shape.paths.map(\.path)
    for _ in 0..<100 { shape.merge(shape) }
    #expect(shape.recordCount > 1 << 50)
    #expect(shape.paths.map(\.path) == paths)
    #expect(shape.paths.allSatisfy { $0.count > 1 << 50 })
    let copy = shape
    shape.merge(copy)
    shape.add([false])
    #expect(shape.paths.map(\.path) == paths)
  }
}
