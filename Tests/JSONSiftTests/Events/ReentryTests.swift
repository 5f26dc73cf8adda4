import TestSupport
import Testing

@testable import JSONSift

/// Code of the caller that runs while a text is read. It runs between two calls of libyajl, never inside one, so it may use
/// other readers, and drop the last reference to a value. Swift's exclusivity prevents that a reader is fed by its own handler.
@Suite struct ReentryTests {
  /// Reads the same text with other readers at each event, two levels deep.
  private struct Nested: JSONEventHandler {
    let bytes: [UInt8]
    let level: Int
    let expected: Int
    var count = 0
    var wrong = 0
    /// The last reference to a document, dropped at each event.
    var held: JSON?

    private mutating func next() -> Bool {
      count += 1
      held = nil
      held = try? JSON(parsing: bytes)
      if events(of: bytes, chunk: 3).events.count != expected { wrong += 1 }
      guard level < 2, count % 3 == level else { return true }
      var reader = JSONPushReader(Nested(bytes: bytes, level: level + 1, expected: expected))
      do throws(JSONError) {
        for chunk in Chunks(bytes, size: 5) { try reader.feed(chunk) }
        try reader.finish()
      } catch {
        wrong += 1
      }
      wrong += reader.handler.wrong + (reader.handler.count == expected ? 0 : 1)
      return true
    }

    mutating func startObject(at offset: Int) -> Bool { next() }
    mutating func key(_ key: borrowing JSONText) -> Bool { next() }
    mutating func endObject(at offset: Int) -> Bool { next() }
    mutating func startArray(at offset: Int) -> Bool { next() }
    mutating func endArray(at offset: Int) -> Bool { next() }
    mutating func string(_ string: borrowing JSONText) -> Bool { next() }
    mutating func number(_ number: borrowing JSONText) -> Bool { next() }
    mutating func bool(_ value: Bool, byteRange: Range<Int>) -> Bool { next() }
    mutating func null(byteRange: Range<Int>) -> Bool { next() }
  }

  private static let bytes = Array(#"{"a":[1,"x\n",true,null,{"b":[]}],"é":"\ud83d\ude00"}"#.utf8)

  @Test(arguments: [1, 2, 7, 64])
  func `a handler reads with readers of its own at every event`(size: Int) throws {
    let expected = events(of: Self.bytes, chunk: nil).events.count
    var reader = JSONPushReader(Nested(bytes: Self.bytes, level: 0, expected: expected))
    for chunk in Chunks(Self.bytes, size: size) { try reader.feed(chunk) }
    try reader.finish()
    #expect(reader.handler.count == expected)
    #expect(reader.handler.wrong == 0)
  }

  @Test func `a reader is replaced while its last record is in use`() throws {
    let lines = Array("[1,2,3]\n[\"x\\n\"]\n{\"a\":{}}\n".utf8)
    var reader = try JSONRecordReader(.bytes(lines))
    var texts: [String] = []
    for _ in 0..<3 {
      let record = try #require(try reader.next())
      let value = record.value
      let checkpoint = reader.checkpoint
      reader = try JSONRecordReader(.bytes(lines), resumingAt: checkpoint)
      texts.append(value.rawText)
    }
    #expect(texts == ["[1,2,3]", "[\"x\\n\"]", "{\"a\":{}}"])
    #expect(try reader.next() == nil)
  }

  @Test func `the last reference to a document is dropped while its children are read`() throws {
    var json: JSON? = try JSON(parsing: Self.bytes)
    var found: [String] = []
    if let children = json.map({ Array($0) }) {
      for (key, child) in children {
        json = nil
        found.append("\(key) \(child.rawText)")
      }
    }
    #expect(json == nil)
    #expect(found == [#"a [1,"x\n",true,null,{"b":[]}]"#, #"é "\ud83d\ude00""#])
  }
}
