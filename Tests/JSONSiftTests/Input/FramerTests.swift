import TestSupport
import Testing

@testable import JSONSift

/// Records separated by zero bytes, as `find -print0` ends names: the minimum of a new framing.
private final class ZeroFramer: RangeFramer {
  static let name = "zero"
  private var searched = 0

  func findRecord(of reader: inout JSONRecordReader) throws(JSONError) -> Int? {
    if reader.isSkipping, try !skipRest(of: &reader) { return nil }
    while true {
      if searched == 0 {
        while unsafe reader.window.bytes.first == 0 { reader.window.use(1) }
      }
      let rest = unsafe reader.window.bytes.dropFirst(searched)
      if let end = unsafe rest.firstIndex(of: 0) { return take(end, of: &reader) }
      searched = reader.window.count
      if searched > reader.maxSearchLength {
        reader.beginRecord()
        searched = 0
        reader.isSkipping = true
        throw JSONError(.recordLimit, at: reader.recordOffset, limit: reader.limits.recordBytes)
      }
      if try reader.window.fill() { continue }
      return reader.window.isAtEnd && reader.window.count > 0 ? take(reader.window.count, of: &reader) : nil
    }
  }

  func skipRest(of reader: inout JSONRecordReader) throws(JSONError) -> Bool { try reader.skip(to: 0) }

  private func take(_ count: Int, of reader: inout JSONRecordReader) -> Int {
    searched = 0
    reader.beginRecord()
    unsafe reader.countLines(UnsafeRawBufferPointer(rebasing: reader.window.bytes[..<count]))
    return count
  }
}

extension JSONFraming { fileprivate static var zero: JSONFraming { JSONFraming(ZeroFramer.self) } }

@Suite struct FramerTests {
  private static let text = Array("{\"a\":1}\0\0[\n2,\n3]\0{\"bad\":}\0 \"x\" \0true".utf8)

  @Test func `a new framing is one file and has records, lines, offsets and errors under every chunking`() throws {
    let expected = [
      "1 0..<7 {\"a\":1}", "1 9..<16 [\n2,\n3]", "3 17..<25 bad value at 3:11, goes on", "3 27..<30 \"x\"",
      "3 32..<36 true",
    ]
    let difference = try differenceOverEveryChunking(of: Self.text) {
      try Self.elements(.chunks(Chunks(Self.text, size: $0)))
    }
    #expect(difference == nil)
    #expect(try Self.elements(.bytes(Self.text)) == expected)
  }

  @Test func `a record over the limit is skipped, and only its end is searched for`() throws {
    let long = "[\"\(String(repeating: "x", count: 1000))\"]"
    let text = Array("1\0\(long)\0[2]\0\(long)".utf8)
    let difference = try differenceOverEveryChunking(of: text) {
      try Self.elements(.chunks(Chunks(text, size: $0)), recordBytes: 20)
    }
    #expect(difference == nil)
    #expect(
      try Self.elements(.bytes(text), recordBytes: 20) == [
        "1 0..<1 1", "1 2..<1006 bad value at 1:3, goes on", "1 1007..<1010 [2]",
        "1 1011..<2015 bad value at 1:1012, goes on",
      ])
  }

  private static func elements(_ source: JSONSource, recordBytes: Int = .max) throws -> [String] {
    var options = JSONRecordOptions(framing: .zero)
    options.recovery = .report
    options.reading.limits.recordBytes = min(options.reading.limits.recordBytes, recordBytes)
    var reader = try JSONRecordReader(source, options: options)
    var found: [String] = []
    while let element = try reader.nextResult() {
      switch element {
      case .success(let record): found.append("\(record.line) \(record.byteRange) \(record.value.rawText)")
      case .failure(let bad):
        let end = bad.stopReason.map { "stops: \($0)" } ?? "goes on"
        found.append("\(bad.line) \(bad.byteRange) bad value at \(bad.position.line):\(bad.position.column), \(end)")
      }
    }
    return found
  }

  @Test func `a new framing has checkpoints, validated counting, paths and conditions`() throws {
    let good = Array("{\"a\":1}\0{\"a\":2}\0{\"a\":3}\0".utf8)
    var reader = try JSONRecordReader(.bytes(good), framing: .zero)
    _ = try reader.next()
    let checkpoint = reader.checkpoint
    #expect(checkpoint.byteOffset == 7)
    #expect(try checkpoint.knownFraming() == .zero)
    var resumed = try JSONRecordReader(.bytes(good), resumingAt: checkpoint)
    #expect(try resumed.next()?["a"].int == 2)
    var counted = try JSONRecordReader(.bytes(good), framing: .zero)
    #expect(try counted.countRecords() == 3)
    var matches = try JSONMatches(
      of: "$[?@.a > 1].a", in: .bytes(Array("[{\"a\":1}]\0[{\"a\":2}]".utf8)), framing: .zero)
    #expect(try matches.next()?.value.int == 2)
    #expect(try matches.next() == nil)
    #expect(JSONFraming.zero != .lines && JSONFraming.zero.description == "zero")
  }

  @Test func `a stored checkpoint names its framing, and an unknown framing is rejected`() throws {
    for framing in JSONFraming.all {
      let name = try #require(framing.framer?.name)
      #expect(JSONFraming.all.filter { $0.framer?.name == name } == [framing])
    }
    let names = JSONFraming.all.compactMap { $0.framer?.name }
    #expect(names == ["lines", "values", "sequence", "children", "document"])
    let text = #"{"byteOffset":3,"line":1,"framing":"zero"}"#
    #expect {
      _ = try JSONSiftDecoder().decode(JSONCheckpoint.self, from: Array(text.utf8))
    } throws: { "\($0)".contains("found zero") }
  }
}
