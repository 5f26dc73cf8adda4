import JSONSift
import JSONSiftAnalysis
import TestSupport
import Testing

@Suite struct JSONShapeReaderTests {
  /// Returns the lines of a shape, or the error after the counted records.
  private static func read(
    _ bytes: [UInt8], size: Int?, _ framing: JSONFraming = .automatic, options: JSONShape.Options = JSONShape.Options()
  ) throws -> [String] {
    var reader = try JSONShape.Reader(
      .chunks(Chunks(bytes, size: size)), options: options, records: JSONRecordOptions(framing: framing))
    var errors: [String] = []
    while true {
      do throws(JSONError) {
        guard try reader.next() else { break }
      } catch {
        errors.append("\(error.code) at \(error.byteOffset), line \(reader.position(of: error).line)")
        if framing != .lines { break }
      }
    }
    return reader.takeShape().paths.map { ShapeReference.line($0) } + errors
  }

  @Test func `a bad line is not counted, and reading continues`() throws {
    let bytes = Array("{\"a\":1}\n{\"a\":2,\n[1,2\n{\"a\":3}\n".utf8)
    let difference = try differenceOverEveryChunking(of: bytes) { try Self.read(bytes, size: $0, .lines) }
    #expect(difference == nil)
    let found = try Self.read(bytes, size: nil, .lines)
    #expect(found.count == 4)
    #expect(found[1] == "$['a'] | 0 0 2 0 0 0 | 2 | 2 | 1 | 3 | - | - | - | - | 1,3")
    #expect(found[2].hasSuffix("line 2") && found[3].hasSuffix("line 3"))
  }

  @Test func `the values of a document before an error are counted`() throws {
    let found = try Self.read(Array(#"{"a": [1, 2, 3], "b": x}"#.utf8), size: nil, .document)
    #expect(found.count == 4)
    #expect(found[0].hasPrefix("$ | 0 0 0 0 0 1 | 1 "))
    #expect(found[2].hasPrefix("$['a'][*] | 0 0 3 0 0 0 | 1 "))
    #expect(found[3].hasSuffix("at 22, line 1"))
  }

  @Test(arguments: [JSONFraming.values, .textSequence, .lines])
  func `each framing of records gives the same shape`(framing: JSONFraming) throws {
    let mark = framing == .textSequence ? "\u{1E}" : ""
    let texts = [#"{"a":[1]}"#, #"{"a":[null,2]}"#, #"{"b":"x"}"#]
    let bytes = Array(texts.map { mark + $0 + "\n" }.joined().utf8)
    var shape = JSONShape()
    for text in texts { shape.add(try JSON(parsing: text)) }
    let expected = shape.paths.map { ShapeReference.line($0) }
    #expect(try Self.read(bytes, size: nil, framing) == expected)
    #expect(try differenceOverEveryChunking(of: bytes) { try Self.read(bytes, size: $0, framing) } == nil)
  }

  @Test func `the shape during reading is a snapshot, and the shape at the end is complete`() throws {
    let bytes = Array(#"{"a": [1, {"b": 2}, 3], "c": {"d": "x"}, "e": true}"#.utf8)
    let expected = try Self.read(bytes, size: nil, .document)
    for size in 1...bytes.count {
      var reader = try JSONShape.Reader(
        .chunks(Chunks(bytes, size: size)), records: JSONRecordOptions(framing: .document))
      var looks = 0
      while try reader.next() {
        let look = reader.takeShape()
        #expect(look.recordCount == 1 && reader.recordCount == 1)
        #expect(look.pathCount == reader.pathCount && look.paths.count <= expected.count)
        looks += 1
      }
      #expect(looks > 0)
      #expect(reader.takeShape().paths.map { ShapeReference.line($0) } == expected, "chunks of \(size)")
      #expect(reader.takeShape().recordCount == 0)
    }
    var failing = try JSONShape.Reader(
      .bytes(Array(#"{"a": 1, x"#.utf8)), records: JSONRecordOptions(framing: .document))
    #expect(throws: JSONError.self) { while try failing.next() {} }
    #expect(failing.takeShape().paths.map(\.path) == ["$", "$.a"])
    #expect(failing.takeShape().recordCount == 0)
  }

  @Test func `a deep text needs no deep stack`() throws {
    let options = with(JSONOptions()) { $0.limits.depth = 3000 }
    let text = String(repeating: "{\"a\":[", count: 1400) + String(repeating: "]}", count: 1400)
    var reader = try JSONShape.Reader(
      .bytes(Array(text.utf8)), records: JSONRecordOptions(framing: .document, reading: options))
    while try reader.next() {}
    #expect(reader.pathCount == 2800)
    var shape = reader.takeShape()
    shape.merge(shape)
    #expect(shape.paths.count == 2800)
  }
}
