import JSONSift
import TestSupport
import Testing

@testable import JSONSiftAnalysis

@Suite struct JSONShapeMemoryTests {
  /// Objects with few names that contain arrays of objects with many names.
  private static func randomText(_ generator: inout SeededGenerator) -> String {
    func scalar() -> String { ["1", "-20", "\"x\"", "true", "null", "1.0"].randomElement(using: &generator) ?? "" }
    func wide() -> String {
      let names = (0..<40).shuffled(using: &generator)[..<Int.random(in: 0...14, using: &generator)]
      return "{"
        + names.map {
          "\"k\($0)\":" + (Bool.random(using: &generator) ? scalar() : "{\"k\($0)\":[\(scalar())],\"n\":\(scalar())}")
        }.joined(separator: ",") + "}"
    }
    func object(_ name: String, _ value: () -> String) -> String {
      let names = (0..<7).shuffled(using: &generator)
      return "{" + names.map { "\"\(name)\($0)\":" + value() }.joined(separator: ",") + "}"
    }
    return object("o") {
      let inner = object("m") { Bool.random(using: &generator) ? wide() : "[\(wide()),\(scalar()),\(wide())]" }
      return Bool.random(using: &generator) ? inner : "[\(scalar()),\(inner),\(scalar())]"
    }
  }

  @Test func `merged paths are freed while a record is read, and no count is lost`() throws {
    var generator = SeededGenerator()
    for _ in 0..<(isDebug ? 1 : 3) {
      var options = JSONShape.Options()
      options.maxKeys = 8
      options.maxAlikeKeys = 1000
      let texts = (0..<3).map { _ in Self.randomText(&generator) }
      let records = try texts.map { try JSON(parsing: $0) }
      let expected = ShapeReference.lines(of: records, options)
      var shape = JSONShape(options: options)
      for record in records { shape.add(record) }
      #expect(shape.paths.map { ShapeReference.line($0) } == expected, "\(generator)")
      let all = "[" + texts.joined(separator: ",\n") + "]"
      let whole = ShapeReference.lines(of: [try JSON(parsing: all)], options)
      for size in [1, 7, 4096, nil] {
        let bytes = Array(all.utf8)
        var reader = try JSONShape.Reader(
          .chunks(Chunks(bytes, size: size)), options: options, records: JSONRecordOptions(framing: .document))
        while try reader.next() {}
        #expect(reader.heldBytes < reader.pathCount * 1200 + 150_000, "\(generator)")
        #expect(reader.takeShape().paths.map { ShapeReference.line($0) } == whole, "\(generator)")
      }
    }
  }

  @Test(arguments: [JSONFraming.document, .lines, .values])
  func `the memory of one record is bounded by its paths if many objects have too many names`(
    framing: JSONFraming
  ) throws {
    let wide = "{" + (0..<201).map { "\"k\($0)\":0" }.joined(separator: ",") + "}"
    let inner = "{" + (0..<20).map { "\"b\($0)\":" + wide }.joined(separator: ",") + "}"
    let text = "{" + (0..<20).map { "\"a\($0)\":" + inner }.joined(separator: ",") + "}\n"
    var reader = try JSONShape.Reader(.bytes(Array(text.utf8)), records: JSONRecordOptions(framing: framing))
    while try reader.next() {}
    // Not 80,000 paths.
    #expect(reader.pathCount == 1 + 20 + 400 + 400)
    #expect(reader.heldBytes < 1_200_000)
    let paths = reader.takeShape().paths
    #expect(paths.map(\.path) == ["$", "$.*", "$.*.*", "$.*.*.*"])
    #expect(paths.last?.count == 80_400)
  }

  @Test(arguments: [JSONFraming.document, .lines, .values])
  func `one record with more paths than allowed ends at the limit`(framing: JSONFraming) throws {
    let tens = "[" + (0..<10).map { "{\"c\($0)\":[[]]}" }.joined(separator: ",") + "]"
    let inner = "{" + (0..<60).map { "\"b\($0)\":" + tens }.joined(separator: ",") + "}"
    let text = "{" + (0..<60).map { "\"a\($0)\":" + inner }.joined(separator: ",") + "}\n"
    var options = with(JSONShape.Options()) { $0.maxPaths = 1000 }
    var reader = try JSONShape.Reader(
      .bytes(Array(text.utf8)), options: options, records: JSONRecordOptions(framing: framing))
    while try reader.next() {}
    let isFull = reader.isFull
    #expect(isFull)
    #expect(reader.pathCount == 1001)
    #expect(reader.heldBytes < 1_000_000)
    let full = reader.takeShape()
    #expect(full.isFull)
    // The result is also full if all names are merged into one path.
    let few = with(JSONShape.Options()) { $0.maxKeys = 1 }
    var shape = JSONShape(options: few)
    shape.add(try JSON(parsing: "{\"x\":1,\"y\":1}"))
    shape.merge(full)
    #expect(shape.isFull)
    #expect(shape.pathCount < 20)
    // A merged shape does not exceed the limit either.
    options.maxPaths = 100
    var small = JSONShape(options: options)
    small.merge(full)
    #expect(small.isFull)
    #expect(small.pathCount <= 102)
    let exact = with(JSONShape.Options()) { $0.maxPaths = 3 }
    var three = JSONShape(options: exact)
    three.add(["a": [1]])
    #expect(!three.isFull)
    three.add(["b": 1])
    #expect(three.isFull && three.pathCount == 4)
  }

  @Test func `a built value is counted at any depth`() {
    var value: JSON = 7
    for _ in 0..<1500 { value = [value] }
    var shape = JSONShape()
    shape.add(value)
    #expect(shape.recordCount == 1)
    #expect(shape.pathCount == 1501)
    #expect(shape.paths.last?.maxNumber == "7")
    shape.add(JSON(Double.infinity))
    #expect(shape.recordCount == 1)
  }

  @Test func `paths are delivered one by one, and together they are all`() throws {
    let name = String(repeating: "long ", count: 500)
    var shape = JSONShape()
    shape.add(try JSON(parsing: "{\"\(name)\":{\"a\":[{\"b\":1},2],\"c d\":{\"e\":null}},\"z\":[[true]]}"))
    var found: [JSONShape.Path] = []
    shape.forEachPath { found.append($0) }
    #expect(found == shape.paths)
    let long = "$['\(name)']"
    #expect(
      found.map(\.path) == [
        "$", long, long + ".a", long + ".a[*]", long + ".a[*].b", long + "['c d']", long + "['c d'].e", "$.z",
        "$.z[*]", "$.z[*][*]",
      ])
  }
}
