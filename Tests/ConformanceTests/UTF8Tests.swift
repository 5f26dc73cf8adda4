import JSONSift
import TestSupport
import Testing

/// Strict UTF-8 as defined by RFC 3629. The reference is the standard library's validation.
@Suite struct UTF8Tests {
  /// The first and last characters of each length, those beside the surrogates, and the sequences just outside these ranges.
  static let edges: [[UInt8]] = [
    [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xE0, 0xBF, 0xBF], [0xE1, 0x80, 0x80], [0xEC, 0xBF, 0xBF],
    [0xED, 0x80, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBB, 0xBF], [0xEF, 0xBF, 0xBF],
    [0xF0, 0x90, 0x80, 0x80], [0xF0, 0xBF, 0xBF, 0xBF], [0xF1, 0x80, 0x80, 0x80], [0xF3, 0xBF, 0xBF, 0xBF],
    [0xF4, 0x80, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF],
    // Ill-formed: lone bytes, overlong, surrogates, too large, truncated.
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
    [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
    [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF7, 0xBF, 0xBF, 0xBF], [0xF8, 0x88, 0x80, 0x80, 0x80],
    [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xC2], [0xE2, 0x82], [0xF0, 0x9F], [0xF0, 0x9F, 0x98],
    [0xC2, 0x41], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xF0, 0x28, 0x8C, 0xBC], [0xF0, 0x90, 0x28, 0xBC],
    [0xF0, 0x9F, 0x98, 0x28], [0xC3, 0xA9, 0xC3], [0xE2, 0x82, 0xAC, 0x80], [0xF0, 0x9F, 0x98, 0x80, 0xFF],
  ]

  /// Returns the offset of the first ill-formed sequence, or `nil`.
  private static func firstFault(in bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    return (0...bytes.count).last { String(validating: bytes[..<$0], as: UTF8.self) != nil }
  }

  @Test func `every edge sequence is judged the same under every chunking`() throws {
    for sequence in Self.edges {
      for (before, after) in [("[\"", "\"]"), ("[\"ab", "cd\"]"), ("{\"", "\":0}"), ("{\"\\n", "\\n\":0}")] {
        let bytes = Array(before.utf8) + sequence + Array(after.utf8)
        let expected: Outcome = Self.firstFault(in: bytes).map { .rejected("invalidUTF8", at: $0) } ?? .accepted
        let whole = events(of: bytes, chunk: nil)
        #expect(whole.outcome == expected, "\(bytes)")
        #expect(Outcome { () throws(JSONError) in _ = try JSON(parsing: bytes) } == expected, "\(bytes)")
        for first in 0...bytes.count {
          for second in first...bytes.count {
            let difference = whole.difference(from: events(of: bytes, cutAt: [first, second]))
            #expect(difference == nil, "\(bytes) cut at \(first) and \(second)")
          }
        }
      }
    }
  }

  @Test func `every edge sequence keeps its bytes in a string and in a key`() throws {
    for sequence in Self.edges {
      guard let text = String(validating: sequence, as: UTF8.self) else { continue }
      let json = try JSON(parsing: "{\"\(text)\":[\"\(text)\",\"\\n\(text)\"]}")
      #expect(Array(json[text][0].stringValue.utf8) == sequence)
      #expect(Array(json[text][1].stringValue.utf8) == [0x0A] + sequence)
      #expect(json.map { Array($0.0.utf8) } == [sequence])
    }
  }

  @Test func `outside of a string a character is unexpected and an ill-formed sequence is invalidUTF8`() throws {
    for sequence in Self.edges {
      let bytes = Array("[0,".utf8) + sequence
      let fault = Self.firstFault(in: bytes)
      // The character precedes the ill-formed bytes.
      let expected: Outcome = fault == 3 ? .rejected("invalidUTF8", at: 3) : .rejected("unexpectedByte", at: 3)
      #expect(events(of: bytes, chunk: nil).outcome == expected, "\(bytes)")
      #expect(differenceOverEveryChunking(of: bytes) == nil, "\(bytes)")
      #expect(Outcome { () throws(JSONError) in _ = try JSON(parsing: bytes) } == expected, "\(bytes)")
    }
  }

  @Test
  func `all pairs of a lead byte and any other byte, and longer sequences, are judged as the reference judges them`() {
    var failures: [String] = []
    var parser = JSONParser()
    for lead in UInt8(0x80)...0xFF {
      for second in UInt8(0x23)...0xFF where second != UInt8(ascii: "\\") {
        for rest in (isDebug ? [[], [0xBF, 0x80]] : [[], [0x80], [0xBF, 0x80], [0xC0]]) as [[UInt8]] {
          let bytes = [0x22, lead, second] + rest + [0x22]
          let expected: Outcome = Self.firstFault(in: bytes).map { .rejected("invalidUTF8", at: $0) } ?? .accepted
          let outcome: Outcome
          do throws(JSONError) {
            let json = try parser.parse(bytes)
            outcome =
              json.string?.utf8.elementsEqual(bytes[1..<bytes.count - 1]) == true
              ? .accepted : .strange("another string")
          } catch {
            outcome = Outcome(error)
          }
          if outcome != expected { failures.append("\(bytes): \(outcome), not \(expected)") }
        }
      }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }
}
