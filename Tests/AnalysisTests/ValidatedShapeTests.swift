import Foundation
import TestSupport
import Testing

@testable import JSONSift
@testable import JSONSiftAnalysis

/// Lines that are validated together are counted in one run. The result equals that of counting each line alone.
@Suite struct ValidatedShapeTests {
  private struct Outcome: Equatable {
    var paths: [JSONShape.Path] = []
    var records = 0
    var errors: [JSONError] = []
    var isFull = false
  }

  private static func outcome(
    _ source: JSONSource, _ options: JSONShape.Options, _ records: JSONRecordOptions, inRuns: Bool
  ) throws -> Outcome {
    var reader = try JSONShape.Reader(source, options: options, records: records)
    if inRuns { reader.countManyLines() }
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
    // The paths of a full tree depend on when it became full.
    outcome.paths = outcome.isFull ? [] : reader.takeShape().paths
    return outcome
  }

  @Test func `lines have the same shape in runs as one by one under every chunking`() throws {
    var random = SeededGenerator.announced()
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
      var options = JSONShape.Options()
      options.maxExamples = random.pick([0, 1, 3])
      options.maxPaths = random.pick([4, 100_000])
      let records = with(JSONRecordOptions(framing: .lines)) { $0.skipsPrefix = random.below(8) == 0 }
      let wanted = try Self.outcome(.bytes(bytes), options, records, inRuns: false)
      for size in [1 + random.below(20), 1 + random.below(300), bytes.count] {
        let found = try Self.outcome(source(of: bytes, inPiecesOf: size), options, records, inRuns: true)
        let isSame = found == wanted || (found.isFull && wanted.isFull)
        #expect(isSame, "\(text)\nin chunks of \(size)")
      }
    }
  }

  @Test func `chunks of one read end between lines, also if a line is longer than a chunk`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<(isDebug ? 2 : 40) {
      var text = ""
      var lines = 0
      while text.utf8.count < 300_000 || lines < 40 {
        lines += 1
        let length = random.below(6) == 0 ? 40_000 + random.below(60_000) : random.below(3000)
        let filler = String(repeating: "x", count: length)
        text += random.pick(["{\"a\":\"\(filler)\"}", "[\(length),[],{}]", "\(length)", "\"\(filler)\"", " \t"])
        text += random.pick(["\n", "\n", "\r\n", " \n\n"])
      }
      // A number in the last line without a line feed, whose end may be the end of a block of the kernel.
      text += String(repeating: " ", count: 63 - (text.utf8.count % 64) + random.below(2)) + "7"
      let bytes = Array(text.utf8)
      let (options, records) = (JSONShape.Options(), JSONRecordOptions(framing: .lines))
      let wanted = try Self.outcome(.bytes(bytes), options, records, inRuns: false)
      #expect(wanted.errors.isEmpty && wanted.records > 10)
      for size in [1 + random.below(100_000), bytes.count] {
        let found = try Self.outcome(source(of: bytes, inPiecesOf: size), options, records, inRuns: true)
        #expect(found == wanted, "\(random), in chunks of \(size)")
      }
    }
  }
}
