import Foundation
import TestSupport
import Testing

@testable import JSONSift

@Suite struct PushedRecordTests {
  private static let texts: [(String, JSONRecordOptions)] = {
    let lines = "{\"id\":1}\r\n\n\"é€😀\"\nbad\n[1,2]\n\(String(repeating: "x", count: 300))\n7"
    var limited = JSONRecordOptions(framing: .lines, recovery: .report)
    limited.reading.limits.recordBytes = 100
    limited.rawByteLimit = 10
    let prefixed = with(JSONRecordOptions(framing: .lines, recovery: .report)) { $0.skipsPrefix = true }
    var sequence = JSONRecordOptions(framing: .textSequence, recovery: .report)
    sequence.reading.limits.recordBytes = 20
    return [
      (lines, limited), ("x {\"a\":1}\n[x] 5\n", prefixed),
      ("\u{FEFF}1 [2,\n3]{\"a\":\"}\"}\n\"x\" [}", JSONRecordOptions(framing: .values, recovery: .report)),
      ("\u{1E}1\n\u{1E}[2\u{1E}[\"long long long long long\"]\n\u{1E}4", sequence),
      ("{\"a\":[1,{\"b\":2},\n\"long long long\"],\"c\":tru", .init(framing: .children(of: "$.a"), recovery: .report)),
      ("{\"a\":[1,\n2]}", JSONRecordOptions(framing: .document, recovery: .report)),
      ("{\"a\":1}\n{\"a\":2}\n", JSONRecordOptions(framing: .automatic, recovery: .report)),
      ("{\"a\":1}{\"a\":2}\n{", JSONRecordOptions(framing: .automatic, recovery: .report)),
      ("{\n\"a\":1}\n", JSONRecordOptions(framing: .automatic, recovery: .report)),
      ("", JSONRecordOptions(framing: .automatic, recovery: .report)),
    ]
  }()

  @Test(arguments: texts.indices)
  func `pushed chunks give the same records as a source`(index: Int) throws {
    let (text, options) = Self.texts[index]
    let bytes = Array(text.utf8)
    let expected = try elements(.bytes(bytes), options)
    #expect(bytes.isEmpty || !expected.isEmpty)
    for size in 1...max(bytes.count, 1) {
      var reader = try JSONRecordPushReader(options: options)
      var found: [String] = []
      for chunk in chunks(of: bytes, size: size) {
        reader.feed(chunk)
        while let element = try reader.nextResult() { found.append(words(element)) }
      }
      reader.finish()
      while let element = try reader.nextResult() { found.append(words(element)) }
      #expect(found == expected, "chunks of \(size)")
    }
  }

  @Test func `an error has a position and its bad record`() throws {
    var reader = try JSONRecordPushReader()
    reader.feed(Array("{\"a\":1}\n[1,\n".utf8)[...])
    #expect(try reader.next()?["a"] == 1)
    let thrown = jsonError { _ = try reader.next() }
    let error = try #require(thrown)
    let position = reader.position(of: error)
    #expect((position.line, position.column, position.byteOffset) == (2, 4, 11))
    let bad = reader.badRecord(of: error)
    #expect(bad?.rawBytes == Array("[1,".utf8) && bad?.line == 2)
  }

  @Test func `before the framing is known an error is in the first line, and no record is bad`() throws {
    var reader = try JSONRecordPushReader(options: JSONRecordOptions(framing: .automatic))
    let error = try #require(jsonError { _ = try JSON(parsing: Array("[1,\nx]".utf8)) })
    let position = reader.position(of: error)
    #expect((position.line, position.column, position.byteOffset) == (1, 1, 4))
    let bad = reader.badRecord(of: error)
    #expect(bad == nil)
  }

  @Test func `a record is delivered as soon as its line is complete`() throws {
    var reader = try JSONRecordPushReader()
    reader.feed(Array("{\"a\":1}\n{\"a\"".utf8)[...])
    #expect(try reader.next()?["a"].int == 1)
    #expect(try reader.next() == nil)
    reader.feed(Data(":2}\n".utf8))
    #expect(try reader.next()?.byteRange == 8..<15)
    #expect(reader.checkpoint.byteOffset == 16 && reader.checkpoint.line == 3)
    reader.feed("3".utf8)
    #expect(try reader.next() == nil)
    reader.finish()
    reader.feed("4".utf8)
    #expect(try reader.next()?.value.int == 3)
    #expect(try reader.next() == nil)
  }

  @Test func `chunks of every kind are read`() throws {
    let text = Array("[1]\n[2]\n[3]\n".utf8)
    let sources: [JSONSource] = [
      .chunks([text]), .chunks([text[..<5], text[5...]]), .chunks([Data(text[..<6]), Data(text[6...])]),
      .chunks([ContiguousArray(text)]), .chunks(text.map { CollectionOfOne($0) }),
      .chunks([String(decoding: text, as: UTF8.self).utf8]), .chunks([[], text, []]),
    ]
    for source in sources {
      var reader = try JSONRecordReader(source)
      for number in 1...3 { #expect(try reader.next()?[0].int == number) }
      #expect(try reader.next() == nil)
    }
  }
}
