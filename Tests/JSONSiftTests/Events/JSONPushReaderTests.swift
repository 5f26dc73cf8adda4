import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONPushReaderTests {
  static let text = #"{"a": [1, -2.50e+3, "x\n\u0041", true], "é": {"": false}, "n": null}"#
  static let events = [
    "{ 0", "key <a> 1..<4", "[ 6", "number <1> 7..<8", "number <-2.50e+3> 10..<18", "string <x\nA> 20..<31 escaped",
    "true 33..<37", "] 37", "key <é> 40..<44", "{ 46", "key <> 47..<49", "false 51..<56", "} 56", "key <n> 59..<62",
    "null 64..<68", "} 68",
  ]

  @Test func `events occur in the order of the text with their ranges`() throws {
    var reader = JSONPushReader(EventLog())
    try reader.feed(Array(Self.text.utf8))
    try reader.finish()
    #expect(reader.handler.lines == Self.events)
    #expect(reader.isStopped == true)
  }

  @Test func `events before an error are reported before it and only once`() {
    let bytes = Array(#"[1, "a", x, 2]"#.utf8)
    for size in 1...bytes.count {
      var reader = JSONPushReader(EventLog())
      var found: JSONError?
      do {
        for chunk in chunks(of: bytes, size: size) { try reader.feed(chunk) }
      } catch { found = error }
      #expect(found?.code == .unexpectedByte && found?.byteOffset == 9, "chunks of \(size)")
      #expect(reader.handler.lines == ["[ 0", "number <1> 1..<2", "string <a> 4..<7"], "chunks of \(size)")
    }
  }

  @Test func `a handler that returns stop gets no further events and finish succeeds`() throws {
    let bytes = Array((Self.text + " garbage").utf8)
    for size in [1, 2, 7, bytes.count] {
      for stop in 1...Self.events.count {
        var reader = JSONPushReader(EventLog(stopsAfter: stop))
        for chunk in chunks(of: bytes, size: size) where !reader.isStopped { try reader.feed(chunk) }
        #expect(reader.isStopped == true)
        try reader.feed(Array("\u{0}not json".utf8))
        try reader.finish()
        try reader.finish()
        #expect(reader.handler.lines == Array(Self.events.prefix(stop)), "stop \(stop), chunks of \(size)")
      }
    }
  }

  @Test func `an error of the handler is thrown by feed and by every later call`() {
    let bytes = Array(Self.text.utf8)
    for size in [1, 3, bytes.count] {
      for failing in 1...Self.events.count {
        var reader = JSONPushReader(EventLog(failsAfter: failing))
        var errors: [JSONError] = []
        do {
          for chunk in chunks(of: bytes, size: size) { try reader.feed(chunk) }
        } catch { errors.append(error) }
        do { try reader.feed([0x20]) } catch { errors.append(error) }
        do { try reader.finish() } catch { errors.append(error) }
        do { try reader.finish() } catch { errors.append(error) }
        #expect(errors == Array(repeating: EventLog.failure, count: 4), "failing \(failing), chunks of \(size)")
        #expect(reader.handler.lines == Array(Self.events.prefix(failing)))
      }
    }
  }

  @Test func `an error of the text is thrown by every later call`() {
    var reader = JSONPushReader(EventLog())
    var errors: [JSONError] = []
    do { try reader.feed(Array("[1,]".utf8)) } catch { errors.append(error) }
    do { try reader.feed(Array("[1]".utf8)) } catch { errors.append(error) }
    do { try reader.finish() } catch { errors.append(error) }
    #expect(errors.count == 3)
    #expect(Set(errors).count == 1)
    #expect(errors.first?.byteOffset == 3)
  }

  @Test func `the handler's error takes precedence over a later one in the text`() {
    var reader = JSONPushReader(EventLog(failsAfter: 2))
    let found = jsonError { try reader.feed(Array("[1, x".utf8)) }
    #expect(found == EventLog.failure)
  }

  @Test(arguments: ["\"abc\"", "[\"abc\"", "{\"abc\"", "{\"k\":\"a\\\"bc\"", "[1,\"\""])
  func `a string is reported as soon as its closing quote is fed`(text: String) throws {
    for size in [1, 2, 100] {
      var reader = JSONPushReader(EventLog())
      for chunk in chunks(of: Array(text.utf8), size: size) { try reader.feed(chunk) }
      let last = reader.handler.lines.last ?? ""
      #expect(last.hasPrefix("string") || last.hasPrefix("key"), "\(text) in chunks of \(size): \(last)")
      #expect(last.contains("..<\(text.utf8.count)"))
    }
  }

  @Test func `brackets are reported when they are fed and a number when the next byte is`() throws {
    var reader = JSONPushReader(EventLog())
    let steps: [(String, Int)] = [("[", 1), ("{", 2), ("}", 3), (",", 3), ("1", 3), ("2", 3), (",", 4), ("t", 4)]
    for (text, count) in steps {
      try reader.feed(Array(text.utf8))
      #expect(reader.handler.lines.count == count, "after \(text)")
    }
  }

  @Test func `a number at the end of the text is reported by finish`() throws {
    var reader = JSONPushReader(EventLog())
    try reader.feed(Array("12".utf8))
    #expect(reader.handler.lines.isEmpty)
    try reader.finish()
    #expect(reader.handler.lines == ["number <12> 0..<2"])
  }

  @Test func `bytesFed counts every fed byte`() throws {
    var reader = JSONPushReader(EventLog())
    #expect(reader.bytesFed == 0)
    for (index, byte) in Array("\u{FEFF}[\"€😀\", 12]".utf8).enumerated() {
      try reader.feed([byte])
      #expect(reader.bytesFed == index + 1)
    }
    try reader.feed([])
    try reader.finish()
    #expect(reader.bytesFed == 18)
  }

  @Test func `a byte order mark is skipped and counted however it is cut`() throws {
    let bytes = Array("\u{FEFF}[true]".utf8)
    for size in 1...bytes.count {
      var reader = JSONPushReader(EventLog())
      for chunk in chunks(of: bytes, size: size) { try reader.feed(chunk) }
      try reader.finish()
      #expect(reader.handler.lines == ["[ 3", "true 4..<8", "] 8"], "chunks of \(size)")
    }
  }

  static let marks: [([UInt8], JSONError.Code, Int)] = [
    ([0xEF], .invalidUTF8, 0), ([0xEF, 0xBB], .invalidUTF8, 0), ([0xEF, 0xBB, 0xBF], .unexpectedEnd, 3),
    ([0xEF, 0xBB, 0x31], .invalidUTF8, 0), ([0xEF, 0x31], .invalidUTF8, 0),
    ([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x31], .unexpectedByte, 3),
    ([0x20, 0xEF, 0xBB, 0xBF, 0x31], .unexpectedByte, 1), ([0xEF, 0xBB, 0xBE, 0x31], .unexpectedByte, 0),
  ]

  @Test(arguments: marks)
  func `an incomplete byte order mark at the start is an error`(bytes: [UInt8], code: JSONError.Code, offset: Int) {
    for size in 1...bytes.count {
      var reader = JSONPushReader(EventLog())
      var found: JSONError?
      do {
        for chunk in chunks(of: bytes, size: size) { try reader.feed(chunk) }
        try reader.finish()
      } catch { found = error }
      #expect(found?.code == code && found?.byteOffset == offset, "chunks of \(size): \(String(describing: found))")
    }
    let whole = jsonError { _ = try JSON(parsing: bytes) }
    #expect(whole?.code == code && whole?.byteOffset == offset)
  }

  @Test func `any collection of bytes can be fed`() throws {
    var reader = JSONPushReader(EventLog())
    try reader.feed("[1".utf8)
    try reader.feed(Array(",2,3".utf8)[...])
    try reader.feed(Array("]4".utf8).dropLast().reversed().reversed())
    try reader.finish()
    #expect(reader.handler.lines.count == 5)
  }

  @Test func `a text larger than one chunk has the same events as in small chunks`() throws {
    let item = #"{"key": "värde", "n": [1, 2.5e3, null]}, "#
    let bytes = Array("[\(String(repeating: item, count: 16_000))0]".utf8)
    #expect(bytes.count > 2 << 18)
    var whole = JSONPushReader(EventLog())
    try whole.feed(bytes)
    try whole.finish()
    var small = JSONPushReader(EventLog())
    for chunk in chunks(of: bytes, size: 1_021) { try small.feed(chunk) }
    try small.finish()
    #expect(whole.handler.lines.count == 16_000 * 10 + 3)
    #expect(whole.handler.lines == small.handler.lines)
  }
}
