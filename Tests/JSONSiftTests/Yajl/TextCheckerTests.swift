import TestSupport
import Testing

@testable import JSONSift

/// Validated text is not parsed. The errors of a bad text equal those of a parser that reads all of it.
@Suite struct TextCheckerTests {
  private struct Nothing: TapeWordSink {
    func take(_ batch: TapeWordBatch) -> Bool { true }
  }

  /// An error, and the number of the chunk in which it was thrown.
  struct Report: Equatable {
    var error: JSONError?
    var chunk = 0
  }

  static func parsed(_ chunks: [[UInt8]], _ options: JSONOptions) -> Report {
    var parser = ChunkedParser(options: options)
    var (sink, report) = (Nothing(), Report())
    do throws(JSONError) {
      for chunk in chunks {
        try unsafe chunk.span.withUnsafeBytes { (bytes) throws(JSONError) in try unsafe parser.feed(bytes, into: &sink)
        }
        report.chunk += 1
      }
      try parser.finish(into: &sink)
    } catch {
      report.error = error
    }
    return report
  }

  static func checked(_ chunks: [[UInt8]], _ options: JSONOptions) -> Report {
    var checker = TextChecker(options: options)
    var report = Report()
    do throws(JSONError) {
      for chunk in chunks {
        try unsafe chunk.span.withUnsafeBytes { (bytes) throws(JSONError) in try unsafe checker.feed(bytes) }
        report.chunk += 1
      }
      try checker.finish()
    } catch {
      report.error = error
    }
    return report
  }

  private static func options(_ change: (inout JSONOptions) -> Void = { _ in }) -> JSONOptions {
    var options = JSONOptions()
    change(&options)
    return options
  }

  static let allOptions: [JSONOptions] = [
    options(), options { $0.loneSurrogates = .replace }, options { $0.limits.depth = 3 },
    options { $0.limits.stringBytes = 9 }, options { $0.limits.keyBytes = 5 }, options { $0.limits.numberBytes = 5 },
    options {
      $0.limits.depth = 2
      $0.limits.stringBytes = 0
      $0.limits.keyBytes = 0
    },
  ]

  static let texts = [
    #"{"a":[1,-0.5e+3,"x\u00e9\n",[],{}],"":{"c":null,"d":[true,false,{}]}}"#, "[]", " {} ", "-0.50 ", "true", "\"é😀\"",
    #"["\ud83d\ude00","\ud800","\\ud800\udc00",[[[["\udfff"]]]]]"#, "[ 1 , 2 ]", "{ \"k\" : 1 , \"l\" : \"m\" }",
    "\u{FEFF}[1]", "[1]\n", "[\"" + String(repeating: "long ", count: 30) + "\",12345678901234567890]",
  ]
  static let bytes: [UInt8] = Array("{}[],:\"\\0-1.eE+tfnu/ \n\t\r".utf8) + [0x00, 0x0B, 0x7F, 0x80, 0xC3, 0xED, 0xFF]

  @Test(arguments: allOptions.indices)
  func `any byte at any offset gives the parser's error after the same byte`(index: Int) {
    let options = Self.allOptions[index]
    for text in Self.texts {
      let good = Array(text.utf8)
      for offset in 0...good.count {
        for (number, byte) in Self.bytes.enumerated() {
          // In release all of them.
          for insert in [true, false] where (insert || offset < good.count) && !(isDebug && (offset + number) % 24 > 0)
          {
            var bad = good
            bad.replaceSubrange(offset..<(insert ? offset : offset + 1), with: [byte])
            for size in [bad.count, 1] {
              let chunks = chunks(of: bad, size: size)
              let (checked, parsed) = (Self.checked(chunks, options), Self.parsed(chunks, options))
              guard checked == parsed else {
                Issue.record("\(checked), not \(parsed): chunks of \(size), \(String(decoding: bad, as: UTF8.self))")
                return
              }
            }
          }
        }
      }
    }
  }

  @Test(arguments: allOptions.indices)
  func `random damage in random chunks gives the same errors`(index: Int) {
    let options = Self.allOptions[index]
    var random = SeededGenerator.announced()
    for _ in 0..<(isDebug ? 150 : 1_500) {
      let depth = random.below(6)
      var text = Array(random.write { $0.value(depth: depth) }.utf8)
      for _ in 0..<random.below(3) where !text.isEmpty {
        let offset = random.below(text.count)
        switch random.below(4) {
        case 0: text[offset] = random.pick(Self.bytes)
        case 1: text.insert(random.pick(Self.bytes), at: offset)
        case 2: text.remove(at: offset)
        default: text.removeSubrange(offset...)
        }
      }
      var chunks: [[UInt8]] = []
      let size = random.pick([1, 3, 20, 200, 5000])
      while !text.isEmpty {
        let chunk = Array(text.prefix(random.below(size) + 1))
        chunks.append(chunk)
        text.removeFirst(chunk.count)
      }
      let (checked, parsed) = (Self.checked(chunks, options), Self.parsed(chunks, options))
      guard checked == parsed else {
        Issue.record("\(checked), not \(parsed): \(chunks.map { String(decoding: $0, as: UTF8.self) })")
        return
      }
    }
  }
}

extension TextCheckerTests {
  /// Feeds chunks of 4 KiB, and returns the number of undecided places and of judged bytes.
  private static func judged(_ text: String, depth: Int = 1024) throws -> (undecided: Int, bytes: Int, size: Int) {
    let bytes = Array(text.utf8)
    let options = with(JSONOptions(loneSurrogates: .replace)) { $0.limits.depth = depth }
    var checker = TextChecker(options: options)
    for chunk in chunks(of: bytes, size: 4096) {
      try unsafe chunk.span.withUnsafeBytes { (bytes) throws(JSONError) in try unsafe checker.feed(bytes) }
    }
    try checker.finish()
    return (checker.undecided.count, checker.undecided.bytes, bytes.count)
  }

  @Test func `a validated text is not judged, and an undecided place costs a small part of it`() throws {
    let record = #"{"id":17,"name":"Ann","tags":["a","b"],"at":-1.5e3},"#
    let records = String(repeating: record, count: 4000)
    #expect(try Self.judged("[\(records)0]") == (0, 0, records.utf8.count + 3))
    let one = try Self.judged("[\(records)\"\\ud800\",\(records)0]")
    #expect(one.undecided == 1)
    #expect(one.bytes <= 2048)
  }

  @Test func `undecided places everywhere cost as much as a parser`() throws {
    let records = String(repeating: #"{"id":17,"name":"\ud800"},"#, count: 20_000)
    let all = try Self.judged("[\(records)0]")
    #expect(all.undecided < 30)
    #expect(all.bytes <= all.size + all.size / 10)
  }

  @Test func `a token longer than the judged part is judged as a whole`() throws {
    let long = String(repeating: "text ", count: 1_000_000)
    let one = try Self.judged("[0,\"\(long)\\ud800\(long)\",1]")
    #expect(one.undecided == 1)
    #expect(one.bytes <= 2 * one.size)
  }

  @Test func `undecided places below a million open containers stay linear`() throws {
    let levels = isDebug ? 100_000 : 1_000_000
    let open = (0..<levels).map { $0 % 3 == 0 ? "{\"a\":" : "[" }.joined()
    let close = (0..<levels).reversed().map { $0 % 3 == 0 ? "}" : "]" }.joined()
    let undecided = String(repeating: #""\ud800",1,2,3,4,5,6,7,8,9,"#, count: 100_000)
    let deep = try Self.judged("\(open)[\(undecided)0]\(close)", depth: levels + 1)
    // Each judge reads at least as many bytes as the text that leads it to its token.
    #expect(deep.undecided < 30)
    #expect(deep.bytes <= 2 * deep.size)
  }
}
