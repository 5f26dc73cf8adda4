import TestSupport
import Testing

@testable import JSONSift

/// The values kept from a validated text that was not parsed equal those kept if libyajl reads every byte.
@Suite struct ValidatedKeepingTests {
  struct Outcome: Equatable {
    var text: String?
    var values: JSON?
    var error: JSONError?
    /// The number of chunks that were taken.
    var chunks = 0
  }

  static func kept(_ paths: [JSONPath], _ chunks: [[UInt8]], _ options: JSONOptions) throws -> Outcome {
    var builder = try JSONBuilder(.keeping(paths), options: options)
    var outcome = Outcome()
    do throws(JSONError) {
      for chunk in chunks {
        try builder.feed(chunk)
        outcome.chunks += 1
      }
      let json = try builder.finish()
      outcome.text = json.rawText
      outcome.values = json
    } catch {
      outcome.error = error
    }
    return outcome
  }

  /// Returns the projected document if libyajl reads every byte and each event goes to the projector.
  private static func parsed(_ paths: [JSONPath], _ chunks: [[UInt8]], _ options: JSONOptions) throws -> Outcome {
    var projector = try PathProjector(paths.map { try $0.checked() }, limits: options.limits)
    var parser = ChunkedParser(options: options)
    var outcome = Outcome()
    do throws(JSONError) {
      for chunk in chunks {
        try unsafe chunk.span.withUnsafeBytes { (chunk) throws(JSONError) in
          try unsafe parser.feed(chunk, into: &projector)
        }
        outcome.chunks += 1
      }
      try parser.finish(into: &projector)
      let json = projector.value()
      outcome.text = json.rawText
      outcome.values = json
    } catch {
      outcome.error = error
    }
    return outcome
  }

  @Test(arguments: ValidatedMatchTests.allOptions.indices)
  func `damaged documents give the same kept values and errors after the same chunk`(index: Int) throws {
    let options = ValidatedMatchTests.allOptions[index]
    var random = SeededGenerator.announced()
    var counts = (kept: 0, wrong: 0)
    for _ in 0..<ValidatedMatchTests.rounds {
      let text = ValidatedMatchTests.damagedText(&random)
      let candidates = random.below(2) == 0 ? ValidatedMatchTests.paths : ValidatedMatchTests.descendantPaths
      let paths = try (0..<(1 + random.below(3))).map { _ in try JSONPath(random.pick(candidates)) }
      let size = random.pick([1, 2, 7, 64, 200, 100 + random.below(1000), max(text.count, 1)])
      let chunks = chunks(of: text, size: size)
      let (found, expected) = (try Self.kept(paths, chunks, options), try Self.parsed(paths, chunks, options))
      guard found == expected else {
        Issue.record(
          """
          \(random): \(paths.map(\.description)) in chunks of \(size): \(found), not \(expected): \
          \(String(decoding: text, as: UTF8.self))
          """)
        return
      }
      if found.text != nil, found.text != "null" { counts.kept += 1 }
      if found.error != nil { counts.wrong += 1 }
    }
    #expect(counts.kept > ValidatedMatchTests.rounds / 20 && counts.wrong > ValidatedMatchTests.rounds / 20)
  }

  @Test func `a token of many chunks is scanned once`() throws {
    let long = String(repeating: "x", count: 50_000)
    let text = Array("{\"\(long)\":1,\"a\":[\"\(long)\",\"b\"],\"b\":2}".utf8)
    for size in [100, 1000, 3000] {
      let chunks = chunks(of: text, size: size)
      let paths: [JSONPath] = ["$.a[1]", "$.b"]
      let options = JSONOptions()
      let outcome = try Self.kept(paths, chunks, options)
      #expect(outcome.text == #"{"a":["b"],"b":2}"#)
      #expect(try outcome == Self.parsed(paths, chunks, options))
    }
  }
}
