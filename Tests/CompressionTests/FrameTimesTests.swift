#if Compression
  import Foundation
  import TestSupport
  import Testing

  @testable import JSONSift
  @testable import JSONSiftAnalysis
  @testable import JSONSiftCompression
  @testable import jsift

  /// Searching a sorted file that is compressed in frames for a window of time gives the records of a full scan.
  @Suite struct FrameTimesTests {
    private static func window(_ since: Int?, _ until: Int?) throws -> JSONTimeWindow {
      try JSONTimeWindow(of: "$.t", since: since.map { "\($0).0" }, until: until.map { "\($0).0" })
    }

    /// Lines with times that are sorted but for a slack, some without a time and some bad ones.
    private static func log(
      slack: Int, _ random: inout SeededGenerator
    ) -> (text: [UInt8], last: Int) {
      var text: [UInt8] = []
      var base = 1000
      let end = Bool.random(using: &random) ? "\n" : "\r\n"
      let (jump, rare) = (Int.random(in: 1...9, using: &random), [2, 5, 90].randomElement(using: &random) ?? 2)
      for _ in 0..<([0, 1, 30, 300].randomElement(using: &random) ?? 1) {
        base += Int.random(in: 0..<jump, using: &random)
        let filler = String(repeating: "x", count: Int.random(in: 0..<40, using: &random))
        switch Int.random(in: 0..<rare, using: &random) {
        case 0:
          let runs = Int.random(in: 1...12, using: &random)
          for _ in 0..<runs {
            let line = ["{\"x\":\"\(filler)\"}", "{\"t\":9999999}}", ""].randomElement(using: &random) ?? ""
            text += (line + end).utf8
          }
        default:
          let time = base - Int.random(in: 0...slack, using: &random)
          text += Array("{\"t\":\(time),\"x\":\"\(filler)\"}\(end)".utf8)
        }
      }
      return (text, base)
    }

    /// Compresses a text in frames of random lengths, some of them empty.
    private static func compressed(
      _ text: [UInt8], _ kind: FrameKind, _ random: inout SeededGenerator
    ) -> [UInt8] {
      var bytes = kind.frame([])
      var rest = text[...]
      let longest = [3, 40, 400, 5000].randomElement(using: &random) ?? 40
      while !rest.isEmpty {
        let count = Int.random(in: 0...longest, using: &random)
        bytes += kind.frame(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      return bytes + kind.frame([])
    }

    /// The rows of a window in a range of a file.
    private static func rows(
      _ path: String, _ window: JSONTimeWindow, _ range: JSONInputRange?, order: TimeOrderCheck? = nil
    ) throws -> [String] {
      let options = with(JSONRecordOptions()) { $0.range = range }
      let tally = order.map { InputTally(for: $0) }
      var matches = try JSONMatches(
        of: [("", "$")], where: JSONCondition(window),
        in: JSONSource.path(path).decompressing().counted(by: tally), records: options)
      var rows: [String] = []
      while true {
        do {
          guard let match = try matches.next() else { return rows }
          rows.append("\(match.value)")
        } catch {
          // A bad record.
          if error.code.endsInput { throw error }
        }
      }
    }

    private static func search(
      _ path: String, _ window: JSONTimeWindow, slack: Int, grain: Int, _ range: JSONInputRange? = nil
    ) throws -> TimeBisection.Outcome {
      let options = with(JSONRecordOptions()) { $0.range = range }
      let times = try #require(try FrameTimes(Array(path.utf8), window, options, DecompressionLimits()))
      var search = try TimeBisection(times, slack: Int128(slack) * Instant.attosecondsPerSecond)
      search.grain = grain
      return try search.find()
    }

    @Test(arguments: FrameKind.allCases)
    func `a window of a sorted compressed file has the records of a full scan`(kind: FrameKind) throws {
      var random = SeededGenerator()
      for _ in 0..<(isDebug ? 12 : 60) {
        let slack = [0, 0, 1, 30].randomElement(using: &random) ?? 0
        let (text, last) = Self.log(slack: slack, &random)
        let bytes = Self.compressed(text, kind, &random)
        let file = try TemporaryFile(bytes, ending: ".x")
        for _ in 0..<15 {
          let since =
            Int.random(in: 0..<8, using: &random) == 0 ? nil : Int.random(in: 980...(last + 20), using: &random)
          let isOpen = since != nil && Int.random(in: 0..<6, using: &random) == 0
          let until = isOpen ? nil : (since ?? 1000) + ([1, 2, 10, 100].randomElement(using: &random) ?? 1)
          var range: JSONInputRange?
          if Int.random(in: 0..<3, using: &random) == 0 {
            let start = Int.random(in: 0...bytes.count, using: &random)
            range = JSONInputRange(start..<Int.random(in: start...bytes.count, using: &random))
          }
          let window = try Self.window(since, until)
          let grain = [1, 60, 1000].randomElement(using: &random) ?? 1
          guard
            case .found(let found, let order) = try Self.search(file.path, window, slack: slack, grain: grain, range)
          else {
            Issue.record("not found: \(window), \(random)")
            return
          }
          let rows = try Self.rows(file.path, window, found, order: order)
          let expected = try Self.rows(file.path, window, range)
          #expect(rows == expected, "\(window), slack \(slack), grain \(grain), \(random)")
          #expect(order.finish() == nil, "\(random)")
        }
      }
    }

    @Test func `a search in a large file reads few frames and finds a small part`() throws {
      let lines = (0..<40_000).map { "{\"t\":\($0),\"x\":\"\(String($0 &* 0x9E37_79B9, radix: 36))\"}\n" }
      let text = Array(lines.joined().utf8)
      for kind in FrameKind.allCases {
        let frames = stride(from: 0, to: text.count, by: 8000).map { kind.frame(Array(text[$0...].prefix(8000))) }
        let file = try TemporaryFile(frames.flatMap { $0 }, ending: ".x")
        let window = try Self.window(30_000, 30_010)
        guard case .found(let range, let order) = try Self.search(file.path, window, slack: 0, grain: 1000) else {
          Issue.record("not found")
          return
        }
        let upper = try #require(range.upperBound)
        #expect(upper - range.lowerBound <= 4 * (frames.map(\.count).max() ?? 0))
        #expect(try Self.rows(file.path, window, range, order: order).count == 10)
      }
    }

    @Test(arguments: FrameKind.allCases)
    func `disorder names both records, by the text or by the frame`(kind: FrameKind) throws {
      let texts = ["{\"t\":5}\n{\"t\":9}\n", "{}\n{\"t\":3}\n", "{\"t\":20}\n"].map { Array($0.utf8) }
      let frames = texts.map(kind.frame)
      let file = try TemporaryFile(frames.flatMap { $0 }, ending: ".x")
      // Found while the range is read.
      guard
        case .found(let range, let order) = try Self.search(file.path, Self.window(4, nil), slack: 0, grain: 1 << 20)
      else {
        Issue.record("not found")
        return
      }
      _ = try Self.rows(file.path, Self.window(4, nil), range, order: order)
      let disorder = try #require(order.finish())
      #expect(disorder.first.byteOffset == 8 && disorder.second.byteOffset == 19)
      #expect(disorder.first.frame == nil && disorder.second.frame == nil)
      // Found by the search.
      let reversed = (0..<60).reversed().flatMap { kind.frame(Array("{\"t\":\($0)}\n{}\n".utf8)) }
      let backwards = try TemporaryFile(reversed, ending: ".x")
      guard case .disorder(let found) = try Self.search(backwards.path, Self.window(20, 40), slack: 0, grain: 1) else {
        Issue.record("no disorder")
        return
      }
      // A frame by pzstd does not say how long its text is.
      let isKnown = kind != .pzstd
      #expect((found.first.frame == nil) == isKnown && (found.second.frame == nil) == isKnown)
      #expect(isKnown ? found.second.byteOffset > found.first.byteOffset : found.second.byteOffset < 14)
    }

    @Test func `only files of several frames are searched, and damage is an error`() throws {
      let window = try Self.window(1, 2)
      for kind in CompressedKind.all {
        let file = try TemporaryFile(kind.bytes, ending: ".ndjson")
        let times = try FrameTimes(Array(file.path.utf8), window, JSONRecordOptions(), DecompressionLimits())
        #expect(times != nil || !kind.isDivisible || kind.name == "only skippable frames", "\(kind.name)")
        #expect(times == nil || kind.isDivisible, "\(kind.name)")
      }
      let plain = try TemporaryFile(Array("{\"t\":1}\n".utf8), ending: ".ndjson")
      #expect(try FrameTimes(Array(plain.path.utf8), window, JSONRecordOptions(), DecompressionLimits()) == nil)
      let blocks = (0..<40).map { bgzfBlock(Array("{\"t\":\($0)}\n".utf8)) }
      var bytes = blocks.flatMap { $0 }
      // The magic number of a block in the first half, which the walk to the middle reads.
      bytes[blocks[..<11].map(\.count).reduce(0, +)] ^= 0xFF
      let damaged = try TemporaryFile(bytes, ending: ".ndjson")
      let error = #expect(throws: JSONError.self) {
        _ = try Self.search(damaged.path, Self.window(38, nil), slack: 0, grain: 1)
      }
      #expect(error?.code == .damagedCompression)
    }
  }
#endif
