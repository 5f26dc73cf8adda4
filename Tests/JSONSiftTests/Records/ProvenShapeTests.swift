import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// Lines that are proven together are counted many at a time. What is known of them then is the same as where each is
/// counted by itself.
@Suite struct ProvenShapeTests {
  private struct Outcome: Equatable {
    var paths: [JSONShapePath] = []
    var records = 0
    var errors: [JSONError] = []
    var isFull = false
  }

  private static func outcome(
    _ source: JSONSource, _ options: JSONShapeOptions, _ records: JSONRecordOptions, inRuns: Bool
  ) throws -> Outcome {
    var reader = try JSONShapeReader(source, options: options, records: records)
    if inRuns { reader.countRuns() }
    var outcome = Outcome()
    while true {
      do throws(JSONError) {
        guard try reader.next() else { break }
      } catch {
        outcome.errors.append(error)
        if reader.stopReason != nil { break }
      }
    }
    outcome.isFull = reader.isFull
    outcome.records = reader.recordCount
    // What a full tree has depends on where it became full.
    outcome.paths = outcome.isFull ? [] : reader.takeShape().paths
    return outcome
  }

  @Test func `lines have the same shape in runs as one by one, however they are cut`() throws {
    var random = SeededRandom.announced()
    for _ in 0..<(isDebug ? 60 : 2000) {
      var writer = RandomText(random: random)
      let forms = (0..<3).map { _ in writer.value(depth: 3) }
      var text = random.below(8) == 0 ? "\u{FEFF}" : ""
      for _ in 0..<(1 + random.below(40)) {
        var line = writer.random.below(3) > 0 ? writer.random.pick(forms) : writer.document(depth: 3)
        line = line.replacingOccurrences(of: "\r\n", with: " ").replacingOccurrences(of: "\n", with: "\t")
        if writer.random.below(10) == 0 {
          line = writer.random.pick([
            "", " \t", "\r", "12 ", " \"é\" ", "null", "[1,", "{\"a\":01}", "\"\u{1}\"", "tru",
          ])
        }
        text += line + (writer.random.below(6) == 0 ? " \r\n" : "\n")
      }
      random = writer.random
      if random.below(3) == 0 { text.removeLast() }
      let bytes = Array(text.utf8)
      var options = JSONShapeOptions()
      options.examples = random.pick([0, 1, 3])
      options.mostPaths = random.pick([4, 100_000])
      var records = JSONRecordOptions(framing: .lines)
      records.skipsPrefix = random.below(8) == 0
      let wanted = try Self.outcome(.bytes(bytes), options, records, inRuns: false)
      for size in [1 + random.below(20), 1 + random.below(300), bytes.count] {
        let found = try Self.outcome(source(of: bytes, inPiecesOf: size), options, records, inRuns: true)
        let isSame = found == wanted || (found.isFull && wanted.isFull)
        #expect(isSame, "\(text)\nin pieces of \(size)")
      }
    }
  }

  @Test func `words are written into a tape that has no room yet`() {
    let text = Array("[1,{\"a\":\"b\"}]".utf8)
    var tape = RawMemory(capacity: 0)
    let count = unsafe text.withUnsafeBytes {
      unsafe WordScan.write($0, 0..<$0.count, into: &tape, behind: 4, most: JSONLimits.largestTape)
    }
    #expect(count == 4 + 2 + 1 + 2 + 1 + 1 + 1 + 1)
    #expect(tape.capacity >= 8 * (count ?? 0))
  }
}
