import Foundation
import TestSupport
import Testing

@testable import JSONSift
@testable import JSONSiftAnalysis

/// The check that records are sorted by time.
@Suite struct TimeOrderTests {
  private static let path = FileManager.default.temporaryDirectory.path

  /// Returns what the check finds in the lines of a file, which are added in chunks.
  private static func check(
    _ bytes: [UInt8], path time: JSONPath = "$.t", slack: Int, cut: () -> Int
  ) throws -> TimeDisorder? {
    let file = path + "/order-\(UUID().uuidString).log"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    let input = try LineTimes(Array(file.utf8), JSONTimeWindow(of: time), JSONRecordOptions())
    let check = TimeOrderCheck(
      input, JSONInputRange(0...), slack: Int128(slack) * Instant.attosecondsPerSecond, after: nil, before: nil,
      frame: nil)
    check.begin(at: 0)
    var rest = bytes[...]
    while !rest.isEmpty {
      let chunk = rest.prefix(max(cut(), 1))
      unsafe chunk.withUnsafeBytes { unsafe check.add($0) }
      rest = rest.dropFirst(chunk.count)
    }
    return check.finish()
  }

  /// The first two records that are not sorted, found by parsing each line.
  private static func disorder(_ lines: [String], slack: Int) -> TimeDisorder? {
    var (offset, latest) = (0, TimePosition?.none)
    for line in lines {
      defer { offset += line.utf8.count }
      guard let record = try? JSON(parsing: line), let value = try? record.query("$.t").first,
        let time = Instant(value, nil)
      else { continue }
      let place = TimePosition(time: time, byteOffset: offset)
      guard let last = latest else {
        latest = place
        continue
      }
      if time.adding(Int128(slack) * Instant.attosecondsPerSecond) < last.time {
        return TimeDisorder(first: last, second: place)
      }
      if time > last.time { latest = place }
    }
    return nil
  }

  @Test func `lines of one form have the same order as if each was parsed`() throws {
    var random = SeededGenerator.announced()
    var (sorted, unsorted) = (0, 0)
    for _ in 0..<(isDebug ? 400 : 4000) {
      let slack = random.pick([0, 0, 1, 5])
      let (start, zone) = random.pick([
        ("{\"t\":", "Z"), ("{\"a\":7,\"t\" : ", "z"), ("{\"t\":", "+02:00"), ("{\"t\":", ""),
      ])
      let faults = random.pick([2, 30, 300])
      var tenths = 0
      let lines = (0..<random.pick([0, 1, 3, 60])).map { index in
        tenths += random.below(30)
        // Numbers are seconds.
        let step = zone.isEmpty ? 10 : 1
        let earlier = random.below(faults) == 0 ? random.below(90) : random.below(slack * 10 / step + 1) * step
        let shown = max(tenths / step * step - earlier, 0) / step * step
        let clock = String(format: "%02d:%02d.%d", shown / 600 % 60, shown / 10 % 60, shown % 10)
        let time = zone.isEmpty ? "\(1_700_000_000 + shown / 10)" : "\"2026-06-30T12:\(clock)\(zone)\""
        switch random.below(faults * 2) {
        // No time.
        case 0: return "\(start)\"2026-06-31T23:00:00.1\(zone)\"}\n"
        // No JSON.
        case 1: return "\(start)\"2026-06-30T23:00:00.1\(zone)\",}\n"
        // Other forms, and a second member with the same name.
        case 2: return "{\"b\":[],\"t\":\(time)}\r\n"
        case 3: return "{\"b\":\"\(start)\",\"c\":{}}\n"
        case 4: return "\(start)\(time),\"t\":1}\n"
        case 5: return "\n"
        default: return "\(start)\(time),\"x\":\"\(String(repeating: "x", count: index % 7))\"}\n"
        }
      }
      let expected = Self.disorder(lines, slack: slack)
      let length = random.pick([1, 40, 700, 100_000])
      let found = try Self.check(Array(lines.joined().utf8), slack: slack) { random.below(length) + 1 }
      #expect(found == expected, "slack \(slack), chunks of up to \(length):\n\(lines.joined())")
      if expected == nil { sorted += 1 } else { unsorted += 1 }
    }
    #expect(sorted > 50 && unsorted > 20)
  }

  @Test(arguments: [
    ("$.t[-2]", ["[1,2,100,4]", "[1,2,200,4,5]", "[1,2,300,4]"]), ("$.t[-1]", ["[1,100 ]", "[1,200 ,50]", "[1,300 ]"]),
    ("$.t[-1].s", ["[{\"s\":100}]", "[{\"s\":200},{\"s\":50}]", "[{\"s\":300}]"]),
  ])
  func `a time at an index from the end depends on what follows it`(path: String, times: [String]) throws {
    let text = times.map { "{\"t\":\($0)}\n" }.joined()
    let found = try #require(try Self.check(Array(text.utf8), path: JSONPath(path), slack: 0) { 1000 })
    #expect(found.first.byteOffset == 0 && found.second.byteOffset == times[0].utf8.count + 7)
  }

  @Test func `a text that is no time hides no disorder before it`() throws {
    let lines = ["2026-06-30T10:00:00Z", "2026-06-30T12:00:00Z", "2026-06-31T13:00:00Z", "2026-06-30T11:00:00Z"]
    let text = lines.map { "{\"t\":\"\($0)\"}\n" }.joined()
    let found = try #require(try Self.check(Array(text.utf8), slack: 0) { 1000 })
    #expect(found.first.byteOffset == 29 && found.second.byteOffset == 87)
  }
}
