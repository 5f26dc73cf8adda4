import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// Compares the tape words that a kernel writes for validated text with those of the parser.
@Suite struct TapeWordScanTests {
  private enum Outcome: Equatable {
    case words([UInt64])
    case error(JSONError)
  }

  /// Bytes that other code can modify are not validated.
  private static func outcome(
    _ bytes: [UInt8], _ options: JSONOptions, from start: Int = 0, trust: DocumentBuilder.Trust
  ) -> Outcome {
    var builder = DocumentBuilder(options: options)
    do throws(JSONError) {
      let document = try unsafe bytes.span.withUnsafeBytes { (bytes) throws(JSONError) in
        try unsafe builder.document(copying: bytes, origin: 0, from: start, trust: trust)
      }
      return .words((Document.root..<UInt32(document.wordCount)).map { document.word($0).bits })
    } catch {
      return .error(error)
    }
  }

  private static func same(_ bytes: [UInt8], _ options: JSONOptions = JSONOptions(), from start: Int = 0) -> Bool {
    outcome(bytes, options, from: start, trust: .unknown) == outcome(bytes, options, from: start, trust: .volatile)
  }

  @Test func `a random text has the tape words that the parser writes`() {
    var random = SeededGenerator.announced()
    for _ in 0..<(isDebug ? 300 : 4_000) {
      let parts = random.write { writer in (0..<(1 + writer.random.below(40))).map { _ in writer.value(depth: 4) } }
      let blanks = String(repeating: random.pick([" ", "\n", "\t"]), count: random.below(70))
      let text =
        "\(random.pick(["", "\u{FEFF}"]))\(blanks)[\(parts.joined(separator: random.pick([",", " ,\n"])))]\(blanks)"
      #expect(Self.same(Array(text.utf8)), "\(random): \(text)")
    }
  }

  @Test func `a damaged text has the same error as from the parser`() {
    var random = SeededGenerator.announced()
    for _ in 0..<(isDebug ? 300 : 4_000) {
      let parts = random.write { writer in (0..<20).map { _ in writer.value(depth: 4) } }
      var bytes = Array("{\"a\":[\(parts.joined(separator: ","))],\"a\":\(parts[0])}".utf8)
      for _ in 0..<(1 + random.below(2)) {
        bytes[random.below(bytes.count)] = random.pick(Array("{}[]\",:\\0 tn-.e\u{0}\u{1F}".utf8))
      }
      if random.below(4) == 0 { bytes.removeLast(random.below(bytes.count)) }
      var options = JSONOptions()
      options.limits.depth = random.pick([2, 3, 512])
      options.limits.keyBytes = random.pick([1, 4, 1 << 20])
      options.limits.stringBytes = random.pick([3, 12, 1 << 20])
      options.limits.numberBytes = random.pick([2, 8, 1 << 20])
      options.loneSurrogates = random.pick([.reject, .replace])
      #expect(Self.same(bytes, options), "\(random): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test func `strings of every length and escape end at the same offset as in the parser`() {
    for count in [0, 1, 62, 63, 64, 65, 127, 128, 129, TapeWord.longLength - 1, TapeWord.longLength, 1 << 20] {
      for end in ["", "\\\\", "\\\"", "\\u00e9", "é"] {
        let text = String(repeating: "x", count: count) + end
        #expect(Self.same(Array("[\"\(text)\",{\"\(text)\":\"\(text)\"},\(String(repeating: " ", count: 128))1]".utf8)))
      }
    }
  }

  @Test func `bytes before the text are ignored`() {
    let text = Array("]]]]\"{[1,\"a\",{\"b\":[true,false,null]}]\(String(repeating: " ", count: 200))".utf8)
    #expect(Self.same(text, from: 6))
  }

  @Test func `a tape of any limit fits or is too long exactly as in the parser`() {
    let text = Array("[\(repeatElement("[]", count: 400).joined(separator: ","))]".utf8)
    for limit in stride(from: 4096, through: 20_000, by: 264) {
      let options = with(JSONOptions()) { $0.limits.tapeBytes = limit }
      #expect(Self.same(text, options), "\(limit)")
    }
  }
}
