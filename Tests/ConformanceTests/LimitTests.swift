import JSONSift
import TestSupport
import Testing

@Suite struct LimitTests {
  /// A limit, and texts of any size for the quantity that it limits.
  enum Limited: String, CaseIterable, Sendable {
    case depth, string, escapedString, key, escapedKey, number, negativeNumber

    /// Returns limits in which this one is set and all others are unlimited.
    func limits(_ limit: Int) -> JSONLimits {
      var limits = JSONLimits.unlimited
      switch self {
      case .depth: limits.depth = limit
      case .string, .escapedString: limits.stringBytes = limit
      case .key, .escapedKey: limits.keyBytes = limit
      case .number, .negativeNumber: limits.numberBytes = limit
      }
      return limits
    }

    /// Returns a document with one token or nesting of `count` bytes or levels, and the error if that exceeds the limit by
    /// one.
    func document(_ count: Int) -> (bytes: [UInt8], tooMuch: Outcome) {
      let letters = String(repeating: "k", count: count)
      // The last byte of the text ends an escape.
      let escaped = String(letters.dropLast(2)) + "\\n"
      let digits = String(repeating: "7", count: count)
      switch self {
      case .depth:
        let text = String(repeating: "[", count: count) + String(repeating: "]", count: count)
        return (Array(text.utf8), .rejected("depthLimit", at: count - 1))
      case .string: return (Array("[0, \"\(letters)\"]".utf8), .rejected("stringLimit", at: 4))
      case .escapedString: return (Array("[0, \"\(escaped)\"]".utf8), .rejected("stringLimit", at: 4))
      case .key: return (Array("{ \"\(letters)\":0}".utf8), .rejected("keyLimit", at: 2))
      case .escapedKey: return (Array("{ \"\(escaped)\":0}".utf8), .rejected("keyLimit", at: 2))
      case .number: return (Array("[{}, \(digits)]".utf8), .rejected("numberLimit", at: 5))
      case .negativeNumber: return (Array("-\(digits.dropLast())".utf8), .rejected("numberLimit", at: 0))
      }
    }
  }

  @Test(arguments: Limited.allCases, [3, 20, 300])
  func `a limit accepts exactly its size and rejects one more under every chunking`(
    limited: Limited, limit: Int
  ) throws {
    let options = JSONOptions(limits: limited.limits(limit))
    for count in [limit - 1, limit, limit + 1] {
      let (bytes, tooMuch) = limited.document(count)
      let expected = count > limit ? tooMuch : .accepted
      #expect(events(of: bytes, chunk: nil, options: options).outcome == expected, "\(count)")
      #expect(differenceOverEveryChunking(of: bytes, options: options) == nil, "\(count)")
      let parsed = Outcome { () throws(JSONError) in _ = try JSON(parsing: bytes, options: options) }
      #expect(parsed == expected, "\(count)")
      for framing in [JSONFraming.document, .values, .lines] {
        let outcome = Outcome { () throws(JSONError) in
          var reader = try JSONRecordReader(.chunks(Chunks(bytes, size: 7)), framing: framing, options: options)
          while try reader.next() != nil {}
        }
        #expect(outcome == expected, "\(count) in \(framing)")
      }
    }
  }

  @Test(arguments: Limited.allCases)
  func `a limit of zero rejects the first byte, level or character`(limited: Limited) throws {
    let count = limited == .escapedString || limited == .escapedKey ? 2 : 1
    guard limited != .negativeNumber else { return }
    let (bytes, expected) = limited.document(count)
    let options = JSONOptions(limits: limited.limits(0))
    #expect(events(of: bytes, chunk: nil, options: options).outcome == expected)
    #expect(differenceOverEveryChunking(of: bytes, options: options) == nil)
    #expect(Outcome { () throws(JSONError) in _ = try JSON(parsing: bytes, options: options) } == expected)
  }

  /// Texts whose only fault is that a token, container or record does not end.
  static let endless: [(text: String, body: String, limited: Limited, expected: Outcome)] = [
    ("\"", "a", .string, .rejected("stringLimit", at: 0)), ("[0,\"", "\\n", .string, .rejected("stringLimit", at: 3)),
    ("\"", "é", .string, .rejected("stringLimit", at: 0)), ("{\"", "a", .key, .rejected("keyLimit", at: 1)),
    ("{\"", "\\\\", .key, .rejected("keyLimit", at: 1)), ("[", "7", .number, .rejected("numberLimit", at: 1)),
    ("-0.", "7", .number, .rejected("numberLimit", at: 0)), ("", "[", .depth, .rejected("depthLimit", at: 1000)),
    ("", "[{\"a\":", .depth, .rejected("depthLimit", at: 3000)),
  ]

  @Test(arguments: 0..<endless.count)
  func `a limit applies while its token is open`(index: Int) throws {
    let (text, body, limited, expected) = Self.endless[index]
    let limit = 1000
    let chunkBytes = 1 << 10
    let chunk = Array(body.utf8)
    var bytes = Array(text.utf8)
    // Many times the number of bytes that may be fed.
    while bytes.count < (isDebug ? 200_000 : 10_000_000) { bytes += chunk }
    let options = JSONOptions(limits: limited.limits(limit))
    // The bytes up to the maximum depth, or up to the maximum token length.
    let allowed = (limited == .depth ? limit * (chunk.count + 1) / 2 : limit) + text.utf8.count + chunkBytes
    var fed = 0
    let outcome = Outcome { () throws(JSONError) in
      var reader = JSONPushReader(EventLog(), options: options)
      for chunk in Chunks(bytes, size: chunkBytes) {
        fed += chunk.count
        try reader.feed(chunk)
      }
      try reader.finish()
    }
    #expect(outcome == expected)
    #expect(fed <= allowed + chunkBytes)
  }

  @Test func `an endless record is rejected at its limit in every framing`() throws {
    let limits = with(JSONLimits()) { $0.recordBytes = 1000 }
    let bytes =
      [UInt8](repeating: UInt8(ascii: " "), count: 10) + Array("[\"".utf8)
      + [UInt8](repeating: UInt8(ascii: "a"), count: 10_000_000)
    for (framing, start) in [(JSONFraming.lines, 0), (.values, 10), (.document, 0)] {
      let fed = Lock(0)
      let source = JSONSource.chunks(
        Chunks(bytes, size: 1 << 10).lazy.map { chunk in
          fed.withLock { $0 += chunk.count }
          return chunk
        })
      let outcome = Outcome { () throws(JSONError) in
        var reader = try JSONRecordReader(source, framing: framing, options: JSONOptions(limits: limits))
        while try reader.next() != nil {}
      }
      #expect(outcome == .rejected("recordLimit", at: start), "\(framing)")
      #expect(fed.withLock { $0 } <= 2 * (1 << 10), "\(framing)")
    }
  }
}
