import JSONSift
import TestSupport
import Testing

/// A linear reader needs four times the time for four times the input, a quadratic one sixteen times.
///
/// The limit is seven. The inputs have 1 and 4 MiB: their copies fit the processor's cache and the memory that the allocator
/// keeps, since fresh memory costs more than parsing and made a linear reader look worse with larger inputs. In 64 KiB chunks a
/// reader that parses an open string again with each chunk takes 16 times as long for them.
@Suite(.serialized) struct LinearTimeTests {
  enum Content: String, CaseIterable, Sendable {
    case plain, escaped

    /// A string of about this many bytes, with its quotes.
    func text(_ count: Int) -> [UInt8] {
      let piece = self == .plain ? Array("0123456789abcdef".utf8) : Array(#"\n\u00e9\\"#.utf8)
      var text: [UInt8] = [0x22]
      text.reserveCapacity(count + piece.count + 2)
      while text.count < count { text += piece }
      return text + [0x22]
    }
  }

  static let count = 4 << 20
  static let options = JSONOptions(limits: .unlimited)
  static let readBytes = 64 << 10

  @Test(arguments: Content.allCases)
  func `a push reader takes less than seven times the time for a string of four times the length`(
    content: Content
  ) throws {
    try expectLinear(content) { bytes in
      var reader = JSONPushReader(StringLength(), options: Self.options)
      let all = unsafe bytes.span.bytes
      for start in stride(from: 0, to: bytes.count, by: Self.readBytes) {
        try reader.feed(all.extracting(start..<min(start + Self.readBytes, bytes.count)))
      }
      try reader.finish()
      #expect(reader.handler.length == bytes.count - 2)
    }
  }

  @Test(arguments: Content.allCases)
  func `matches take less than seven times the time for a string of four times the length`(content: Content) throws {
    try expectLinear(content) { bytes in
      var matches = try JSONMatches(
        of: "$", in: .chunks(Chunks(bytes, size: Self.readBytes)), options: Self.options)
      let match = try #require(try matches.next())
      #expect(match.byteRange == 0..<bytes.count)
    }
  }

  @Test func `a push reader takes less than seven times the time for four times as many tokens`() throws {
    let piece = Array(#"{"id":-12.5e3,"tags":["a","\u00e9",true,null]},"#.utf8)
    func text(_ count: Int) -> [UInt8] {
      Array("[".utf8) + Array(repeating: piece, count: count / piece.count).joined() + Array("0]".utf8)
    }
    let (quarter, full) = (text(Self.count / 4), text(Self.count))
    try expectLinear(quarter, full, "tokens") { bytes in
      var reader = JSONPushReader(StringLength(), options: Self.options)
      let all = unsafe bytes.span.bytes
      for start in stride(from: 0, to: bytes.count, by: Self.readBytes) {
        try reader.feed(all.extracting(start..<min(start + Self.readBytes, bytes.count)))
      }
      try reader.finish()
    }
  }

  private func expectLinear(_ content: Content, _ body: ([UInt8]) throws -> Void) throws {
    try expectLinear(content.text(Self.count / 4), content.text(Self.count), content.rawValue, body)
  }

  private func expectLinear(
    _ quarter: [UInt8], _ full: [UInt8], _ name: String, _ body: ([UInt8]) throws -> Void
  ) throws {
    func best(_ bytes: [UInt8]) throws -> Double {
      var best = Double.infinity
      for _ in 0..<5 {
        let start = threadSeconds()
        try body(bytes)
        best = min(best, threadSeconds() - start)
      }
      return best
    }
    // A noisy machine may spoil one measurement, but not three.
    var ratios: [Double] = []
    for _ in 0..<3 {
      let ratio = try best(full) / best(quarter)
      if ratio < 7 { return }
      ratios.append(ratio)
    }
    Issue.record("\(name): \(full.count) bytes cost \(ratios) times as much as a quarter of them")
  }
}

/// Adds up the bytes of strings.
private struct StringLength: JSONEventHandler {
  var length = 0

  mutating func startObject(at offset: Int) -> Bool { true }
  mutating func key(_ key: borrowing JSONText) -> Bool { true }
  mutating func endObject(at offset: Int) -> Bool { true }
  mutating func startArray(at offset: Int) -> Bool { true }
  mutating func endArray(at offset: Int) -> Bool { true }
  mutating func string(_ string: borrowing JSONText) -> Bool {
    length += string.source.byteCount
    return true
  }
  mutating func number(_ number: borrowing JSONText) -> Bool { true }
  mutating func bool(_ value: Bool, byteRange: Range<Int>) -> Bool { true }
  mutating func null(byteRange: Range<Int>) -> Bool { true }
}
