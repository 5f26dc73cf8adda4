#if Compression
  import Foundation
  import JSONSiftCompression
  import TestSupport
  import Testing

  @testable import JSONSift

  /// The records of several inputs in the order of their times.
  @Suite struct MergeTests {
    /// A line of an input.
    private struct Line {
      var text: String
      /// Its time in milliseconds since 1970; `nil` for a record without one, and for a bad one.
      var time: Int?
      var isRecord = true
    }

    /// Random inputs, each sorted by time within a slack.
    private struct Inputs {
      var lines: [[Line]] = []
      /// In milliseconds.
      let slack: Int
      private var random: SeededGenerator

      private static let start = 1_795_525_200_000

      init(_ random: SeededGenerator, isLate: Bool = false) {
        self.random = random
        slack = self.random.pick([0, 0, 1, 40, 5000])
        for input in 0..<(1 + self.random.below(6)) {
          var inputLines: [Line] = []
          var latest = self.random.below(50)
          let step = self.random.pick([1, 2, 20, 300])
          for number in 0..<self.random.below(self.random.pick([2, 12, 60])) {
            let id = "\(input)-\(number)"
            switch self.random.below(12) {
            case 0: inputLines.append(Line(text: #"{"id":"\#(id)"}"#))
            case 1: inputLines.append(Line(text: #"{"id":"\#(id)","time":null,"ts":"soon"}"#))
            case 2:
              let bad = self.random.pick([#"{"id":"\#(id)","ts":1 "x"}"#, "\(id)}", #"{"ts":179,"id":"\#(id)\#u{1}"}"#])
              inputLines.append(Line(text: bad, isRecord: false))
            case 3: inputLines.append(Line(text: self.random.pick(["", "  ", "\r"]), isRecord: false))
            default:
              latest += self.random.below(step)
              var time = latest - (slack > 0 ? self.random.below(slack + 1) : 0)
              if isLate, self.random.below(8) == 0 { time -= 7 }
              inputLines.append(Line(text: record(id, Self.start + time), time: Self.start + time))
            }
          }
          lines.append(inputLines)
        }
      }

      /// Returns a record with a time in a random spelling, at a random path.
      private mutating func record(_ id: String, _ time: Int) -> String {
        let fraction = String(format: "%03d", time % 1000)
        func date(_ hours: Int) -> String {
          let date = Date(timeIntervalSince1970: Double(time / 1000 + hours * 3600))
          return String(date.formatted(.iso8601).dropLast())
        }
        let spellings = [
          "\"\(date(0)).\(fraction)Z\"", "\"\(date(1)),\(fraction)+0100\"", "\"\(date(-5)).\(fraction)000-05:00\"",
          "\"\(date(0).replacing("T", with: " ")).\(fraction) UTC\"", "\(time)", "\(time)000", "\(time)000000",
          "\(time / 1000).\(fraction)", "\"\(time)\"", "{\"$date\":\(time)}",
          "{\"$date\":{\"$numberLong\":\"\(time)\"}}",
        ]
        let name = random.pick(["ts", "time", "timestamp", "@timestamp", "t", "date", "\\u0074s"])
        let spelling = random.pick(spellings)
        let rest = random.pick(["", #","t":1,"date":2"#, #","x":{"ts":1}"#, #","d":[1,2]"#])
        let text = #"{"id":"\#(id)","\#(name)":\#(spelling)\#(name == "t" || name == "date" ? "" : rest)}"#
        return random.below(5) == 0 ? text + "\r" : text
      }

      mutating func bytes(_ input: Int) -> [UInt8] {
        var text = lines[input].map { $0.text + "\n" }.joined()
        if random.below(2) == 0, text.hasSuffix("\n"), lines[input].last?.text != "" { text.removeLast() }
        return Array((random.below(5) == 0 ? "\u{FEFF}" : "").utf8) + Array(text.utf8)
      }

      /// The texts of all records and bad records in the order of their times. Records that come too late count as those before
      /// them.
      func sorted() -> [String] {
        var all: [(key: Int, text: String)] = []
        for input in lines {
          var key = Int.min
          for line in input where !line.text.allSatisfy({ $0 == " " || $0 == "\r" || $0 == "\r\n" }) {
            if let time = line.time { key = slack == 0 ? max(key, time) : time }
            let text = line.text.hasSuffix("\r") ? String(line.text.dropLast()) : line.text
            all.append((key, line.isRecord ? text : "bad " + text))
          }
        }
        // The sort of the standard library is stable.
        return all.sorted { $0.key < $1.key }.map(\.text)
      }
    }

    private static func text(_ result: Result<JSONRecord, JSONBadRecord>) -> String {
      switch result {
      case .success(let record):
        var text = ""
        unsafe record.value.borrowRawBytes { text = unsafe String(decoding: $0, as: UTF8.self) }
        return text
      case .failure(let bad):
        let isMarked = bad.rawBytes.starts(with: Array("\u{FEFF}".utf8))
        let text = String(decoding: bad.rawBytes.dropFirst(isMarked ? 3 : 0), as: UTF8.self)
        return "bad " + (text.hasSuffix("\r") ? String(text.dropLast()) : text)
      }
    }

    private static func options() -> JSONRecordOptions { JSONRecordOptions(framing: .lines, recovery: .report) }

    private static let sets = ProcessInfo.processInfo.environment["JSONSIFT_TEST_SETS"].flatMap { Int($0) } ?? 300

    @Test(arguments: [false, true])
    func `the merged records are those of a stable sort`(isLate: Bool) async throws {
      var random = SeededGenerator.announced()
      for set in 0..<Self.sets {
        var inputs = Inputs(SeededGenerator(seed: random.next()), isLate: isLate)
        // With a slack a late record depends on what has been passed on.
        if isLate, inputs.slack > 0 { continue }
        let sources = inputs.lines.indices.map { input in
          let bytes = inputs.bytes(input)
          let size = random.pick([1, 7, 64, 4096])
          return switch random.below(4) {
          case 0: JSONSource.bytes(bytes)
          case 1: JSONSource.chunks(Chunks(bytes, size: size))
          case 2: JSONSource.chunks(Chunks(Format.gzip.compress(bytes), size: size)).decompressing()
          default: JSONSource.chunks(StalledChunks(bytes, size: size))
          }
        }
        var found: [String] = []
        let records = JSONRecords(merging: sources, slack: .milliseconds(inputs.slack), options: Self.options()).results
        for try await result in random.below(4) == 0 ? records.workers(2) : records { found.append(Self.text(result)) }
        #expect(found == inputs.sorted(), "set \(set), \(random)")
        #expect(isLate || records.lateCount == 0)
      }
    }

    @Test func `a record has the number of its input and its line there`() async throws {
      let inputs = [
        #"{"ts":1}"# + "\n\n" + #"{"ts":5}"# + "\n", #"{"ts":1}"# + "\n" + #"{"ts":2}"#, "",
        #"{"ts":0}"# + "\nbad\n" + #"{"ts":5}"#,
      ]
      var found: [String] = []
      for try await result in JSONRecords(merging: inputs.map { .bytes(Array($0.utf8)) }).results {
        switch result {
        case .success(let record): found.append("\(record.inputIndex):\(record.line)")
        case .failure(let bad): found.append("bad \(bad.line) \(bad.byteRange)")
        }
      }
      #expect(found == ["3:1", "bad 2 9..<12", "0:1", "1:1", "1:2", "0:3", "3:3"])
    }

    @Test func `a record beyond the slack is returned when it is read and is counted`() async throws {
      let text = [10, 12, 11, 5, 13, 9, 14, 30].map { #"{"t":\#($0)}"# + "\n" }.joined()
      let records = JSONRecords(merging: [.bytes(Array(text.utf8))], slack: .seconds(2))
      var found: [Int] = []
      for try await record in records { found.append(record["t"].intValue) }
      #expect(found == [10, 5, 11, 9, 12, 13, 14, 30])
      #expect(records.lateCount == 2)
    }

    @Test func `a bad record before one that ends the text is a bad one`() throws {
      let text = "{\"t\":5}\n{\"bad\" 1}\n{\"t\":4}\n"
      var plan = MergePlan([.init(.bytes(Array(text.utf8)))], try JSONTimeWindow(of: ["$.t"]), Self.options())
      plan.stopsAtLate = true
      var reader = try JSONRecordReader(.merging(plan), options: Self.options())
      #expect(try reader.nextResult().map { Self.text($0) } == "{\"t\":5}")
      #expect(try reader.nextResult().map { Self.text($0) } == "bad {\"bad\" 1}")
      let error = #expect(throws: JSONError.self) { try reader.nextResult() }
      #expect(error?.code == .outOfOrder && error?.byteOffset == 18)
    }

    @Test func `beyond the maximum number of bytes the earliest record is passed on`() throws {
      let lines = [5, 4, 3, 2, 1].map { #"{"t":\#($0)}"# + "\n" }
      var plan = MergePlan(
        [.init(.bytes(Array(lines.joined().utf8)))], try JSONTimeWindow(of: ["$.t"]), JSONRecordOptions())
      plan.slack = 100 * Instant.attosecondsPerSecond
      plan.maxSlackBytes = 2 * (lines[0].utf8.count + MergedInput.entryBytes)
      var reader = try JSONRecordReader(.merging(plan))
      #expect(try drain { try reader.next()?["t"].int } == [3, 2, 1, 4, 5])
      #expect(plan.tally.late.count == 2)
    }

    @Test func `a line that is too long for a record is a bad one of its whole length`() throws {
      let long = #"{"t":2,"x":""# + String(repeating: "x", count: 400_000) + #""}"#
      let texts = [#"{"t":1}"# + "\n" + long + "\n" + #"{"t":3}"#, #"{"t":1}"# + "\n" + #"{"t":2}"#]
      var options = JSONRecordOptions(framing: .lines, recovery: .report)
      options.reading.limits.recordBytes = 1000
      let plan = MergePlan(texts.map { .init(.bytes(Array($0.utf8))) }, try JSONTimeWindow(of: ["$.t"]), options)
      var reader = try JSONRecordReader(.merging(plan), options: options)
      var found: [String] = []
      while let result = try reader.nextResult() {
        switch result {
        case .success(let record): found.append("\(record.inputIndex):\(record.line)")
        case .failure(let bad): found.append("\(bad.error.code) \(bad.line) \(bad.byteRange)")
        }
      }
      #expect(found == ["0:1", "recordLimit 2 8..<\(8 + long.utf8.count)", "1:1", "1:2", "0:3"])
    }

    @Test func `an error of an input ends the records after those before it`() async throws {
      let damaged = Array(Format.gzip.compress(Array(#"{"t":1}"#.utf8)).dropLast(3))
      let records = JSONRecords(merging: [.bytes(damaged), .bytes(Array(#"{"t":0}"#.utf8))]).decompressing()
      var count = 0
      await #expect(throws: JSONError.self) { for try await _ in records { count += 1 } }
      #expect(count <= 2)
      await #expect(throws: JSONError.self) {
        for try await _ in JSONRecords(merging: [.bytes([])], by: ["$..t"]) {}
      }
    }
  }

  /// Chunks that arrive over time, some of them after other tasks have run.
  private struct StalledChunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Element = [UInt8]
    private let bytes: [UInt8]
    private let size: Int
    private var start = 0

    init(_ bytes: [UInt8], size: Int) { (self.bytes, self.size) = (bytes, size) }

    func makeAsyncIterator() -> StalledChunks { self }

    mutating func next() async throws -> [UInt8]? {
      guard start < bytes.count else { return nil }
      if start % 3 == 0 { await Task.yield() }
      let end = Swift.min(start + size, bytes.count)
      defer { start = end }
      return Array(bytes[start..<end])
    }
  }
#endif
