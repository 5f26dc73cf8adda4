import Foundation
import TestSupport
import Testing

@testable import JSONSift
@testable import JSONSiftAnalysis

/// Searching a sorted file for a window of time gives the records of a full scan.
@Suite struct TimeBisectionTests {
  /// A log in a file, and the times of its records in seconds.
  private final class Log {
    let path: String
    var bytes: [UInt8] = []
    /// The offset of each good record, and its time.
    var records: [(offset: Int, time: Int?)] = []

    /// - Parameters:
    ///   - slack: By how much a time may be earlier than one before it.
    ///   - faults: The number of records whose time is earlier than that.
    init(_ random: inout SeededGenerator, slack: Int, faults: Int = 0) throws {
      path = FileManager.default.temporaryDirectory.path + "/bisection-\(UUID().uuidString).log"
      let end = random.below(2) == 0 ? "\n" : "\r\n"
      let (jump, blanks, longest) = (random.pick([1, 3, 50]), random.pick([1, 4, 200]), random.pick([1, 30, 700]))
      let count = random.pick([0, 1, 2, 40, 300])
      let faulty = Set((0..<faults).map { _ in random.below(max(count, 1)) })
      var base = 1000
      if random.below(4) == 0 { bytes += [0xEF, 0xBB, 0xBF] }
      for index in 0..<count {
        base += random.below(3) == 0 ? random.below(jump) : 0
        // A run without times.
        if random.below(blanks) == 0 {
          for _ in 0..<random.below(20) {
            switch random.below(4) {
            // A bad record, whose time does not count.
            case 0: bytes += Array("{\"t\":\(base + random.below(1000) - 500)\(end)".utf8)
            case 1: bytes += Array(end.utf8)
            case 2: add("{\"x\":\(base)}", nil, end)
            default: add("{\"t\":\"\(base) s\",\"x\":[{\"t\":1}]}", nil, end)
            }
          }
        }
        let time = faulty.contains(index) ? base - slack - 1 - random.below(40) : base - random.below(slack + 1)
        let rest = ",\"x\":\"" + String(repeating: "x", count: random.below(longest)) + "\"}"
        switch random.below(3) {
        case 0: add("{\"t\":\(time)\(rest)", time, end)
        case 1:
          add("{\"t\":\"\(Instant(attoseconds: Int128(time) * Instant.attosecondsPerSecond).text)\"\(rest)", time, end)
        default: add("{\"a\":1,\"t\" : \(time).0\(rest)", time, index == count - 1 ? "" : end)
        }
      }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    private func add(_ text: String, _ time: Int?, _ end: String) {
      records.append((bytes.count, time))
      bytes += Array((text + end).utf8)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The offsets of the records of a window whose line begins in a range.
    func offsets(_ since: Int?, _ until: Int?, in range: Range<Int>) -> [Int] {
      records.filter { record in
        guard let time = record.time else { return false }
        return range.contains(lineStart(record.offset)) && time >= since ?? .min && time < until ?? .max
      }.map(\.offset)
    }

    /// A byte order mark belongs to the first line.
    func lineStart(_ offset: Int) -> Int { offset == 3 && bytes[0] == 0xEF ? 0 : offset }

    /// Whether two records whose lines begin in a range are not sorted.
    func hasDisorder(in range: Range<Int>, slack: Int) -> Bool {
      var latest = Int.min
      for record in records where range.contains(lineStart(record.offset)) {
        guard let time = record.time else { continue }
        if latest != .min, time + slack < latest { return true }
        latest = max(latest, time)
      }
      return false
    }
  }

  private enum Answer: Equatable {
    case rows([Int])
    case disorder(TimeDisorder)
  }

  /// What a search answers, and the range that it reads.
  private static func search(
    _ path: String, _ since: Int?, _ until: Int?, slack: Int, range: JSONInputRange?, grain: Int
  ) throws -> (answer: Answer, read: JSONInputRange?) {
    let window = try JSONTimeWindow(of: "$.t", since: since.map { "\($0).0" }, until: until.map { "\($0).0" })
    var options = with(JSONRecordOptions()) { $0.range = range }
    let lines = try LineTimes(Array(path.utf8), window, options, probeBytes: max(grain / 4, 1))
    var search = try TimeBisection(lines, slack: Int128(slack) * Instant.attosecondsPerSecond)
    search.grain = grain
    switch try search.find() {
    case .framing(let framing):
      Issue.record("\(framing)")
      return (.rows([]), nil)
    case .disorder(let disorder): return (.disorder(disorder), nil)
    case .found(let found, let order):
      options.range = found
      let source = JSONSource.path(path).counted(by: InputTally(for: order))
      var matches = try JSONMatches(of: [("", "$")], where: JSONCondition(window), in: source, records: options)
      var rows: [Int] = []
      while true {
        do {
          guard let match = try matches.next() else { break }
          rows.append(match.byteRange.lowerBound)
        } catch {
          // A bad record.
          if error.code.endsInput { throw error }
        }
      }
      return (order.finish().map { .disorder($0) } ?? .rows(rows), found)
    }
  }

  private static let logs = isDebug ? 60 : 260
  private static let windows = isDebug ? 30 : 40

  @Test func `a window of a sorted file has the records of a full scan`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<Self.logs {
      let slack = random.pick([0, 0, 1, 7, 60])
      let log = try Log(&random, slack: slack)
      let last = log.records.compactMap(\.time).max() ?? 1000
      for _ in 0..<Self.windows {
        let since = random.below(8) == 0 ? nil : 950 + random.below(max(last - 900, 1) + 20)
        let until = since != nil && random.below(6) == 0 ? nil : (since ?? 950) + random.pick([1, 2, 10, 100, 10_000])
        var range: JSONInputRange?
        var lines = 0..<Int.max
        if random.below(3) == 0 {
          let start = random.below(log.bytes.count + 1)
          let end = start + random.below(log.bytes.count - start + 1)
          range = random.below(4) == 0 ? JSONInputRange(start...) : JSONInputRange(start..<end)
          lines = start..<(range?.upperBound ?? .max)
        }
        let expected = log.offsets(since, until, in: lines)
        let grain = random.pick([1, 16, 200, 4000, 1 << 16])
        let found = try Self.search(log.path, since, until, slack: slack, range: range, grain: grain)
        #expect(
          found.answer == .rows(expected),
          "\(String(describing: since)) \(String(describing: until)) slack \(slack) grain \(grain) \(lines)")
      }
    }
  }

  @Test func `disorder in what is read is reported with both records`() throws {
    var random = SeededGenerator.announced()
    var (reported, unnoticed) = (0, 0)
    for _ in 0..<Self.logs {
      let slack = random.pick([0, 3])
      let log = try Log(&random, slack: slack, faults: random.pick([1, 2, 20]))
      let times = Dictionary(uniqueKeysWithValues: log.records.map { (log.lineStart($0.offset), $0.time) })
      let last = log.records.compactMap(\.time).max() ?? 1000
      for _ in 0..<Self.windows {
        let since = 950 + random.below(max(last - 900, 1) + 20)
        let until = since + random.pick([1, 10, 100, 10_000])
        let grain = random.pick([1, 200, 4000])
        let found = try Self.search(log.path, since, until, slack: slack, range: nil, grain: grain)
        switch found.answer {
        case .disorder(let disorder):
          reported += 1
          #expect(disorder.first.byteOffset < disorder.second.byteOffset)
          #expect(disorder.second.time.adding(Int128(slack) * Instant.attosecondsPerSecond) < disorder.first.time)
          for place in [disorder.first, disorder.second] {
            // Blank lines before a record count as part of it.
            let offset = times.keys.filter { $0 >= place.byteOffset }.min() ?? -1
            let time = times[offset] ?? nil
            #expect(time.map { Int128($0) * Instant.attosecondsPerSecond } == place.time.attoseconds)
          }
        case .rows(let rows):
          let range = (found.read?.lowerBound ?? 0)..<(found.read?.upperBound ?? .max)
          #expect(!log.hasDisorder(in: range, slack: slack))
          #expect(rows == log.offsets(since, until, in: range))
          if log.hasDisorder(in: 0..<Int.max, slack: slack) { unnoticed += 1 }
        }
      }
    }
    #expect(reported > 20 && unnoticed > 20)
  }

  @Test(arguments: [99_999_999, -7])
  func `one wrong time does not lose records without a message`(wrong: Int) throws {
    let path = FileManager.default.temporaryDirectory.path + "/bisection-\(UUID().uuidString).log"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var reported = 0
    for index in 0..<300 where !(200..<210).contains(index) {
      let lines = (0..<300).map {
        "{\"t\":\($0 == index ? wrong : $0),\"x\":\"\(String(repeating: "x", count: $0 % 50))\"}\n"
      }
      try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: path))
      let offsets = (200..<210).map { number in lines[..<number].map(\.utf8.count).reduce(0, +) }
      let found = try Self.search(path, 200, 210, slack: 0, range: nil, grain: 400)
      if case .disorder = found.answer { reported += 1 } else { #expect(found.answer == .rows(offsets), "\(index)") }
    }
    #expect(reported > 0 && reported < 60)
  }

  @Test func `a step reads at most 64 KiB, and the window is found in a few steps`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/bisection-\(UUID().uuidString).log"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = (0..<60_000).map { "{\"t\":\($0),\"message\":\"\(String(repeating: "m", count: $0 % 90))\"}\n" }.joined()
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let window = try JSONTimeWindow(of: "$.t", since: "30000", until: "30010")
    let lines = try LineTimes(Array(path.utf8), window, JSONRecordOptions())
    var search = try TimeBisection(lines, slack: 0)
    guard case .found(let range, _) = try search.find() else {
      Issue.record("nothing was found")
      return
    }
    let upper = try #require(range.upperBound)
    #expect(upper - range.lowerBound <= 3 << 16)
    #expect(search.stepCount <= 14 && lines.maxStepBytes <= 1 << 16)
  }

  @Test func `only regular files of lines that are not compressed are searched`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/bisection-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func find(_ name: String, _ bytes: [UInt8], _ options: JSONRecordOptions) throws -> TimeBisection.Outcome {
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
      let window = try JSONTimeWindow(of: "$.t", since: "1", until: "2")
      var search = try TimeBisection(LineTimes(Array((folder + "/" + name).utf8), window, options), slack: 0)
      return try search.find()
    }
    let automatic = JSONRecordOptions(framing: .automatic)
    guard case .framing(.document) = try find("a.json", Array("{\"t\":1}".utf8), automatic) else {
      Issue.record("a document was searched")
      return
    }
    guard case .framing(.values) = try find("b", Array("1 2".utf8), automatic) else {
      Issue.record("values were searched")
      return
    }
    guard case .found = try find("c", Array("{\"t\":1}\n{\"t\":2}\n".utf8), automatic) else {
      Issue.record("lines were not searched")
      return
    }
    #expect(jsonError { _ = try find("d.log", [0x1F, 0x8B, 8, 0, 0], JSONRecordOptions()) }?.code == .compressedInput)
    let options = with(JSONRecordOptions()) { $0.range = JSONInputRange(0..<100) }
    #expect(jsonError { _ = try find("e.log", Array("{}\n".utf8), options) }?.code == .unreadable)
    let window = try JSONTimeWindow(of: "$.t", since: "1")
    #expect(jsonError { _ = try LineTimes(Array(folder.utf8), window, options) }?.code == .unreadable)
    #expect(jsonError { _ = try LineTimes(Array("/nowhere".utf8), window, options) }?.code == .unreadable)
  }
}
