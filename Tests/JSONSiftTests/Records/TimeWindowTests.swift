import TestSupport
import Testing

@testable import JSONSift
@testable import JSONSiftAnalysis

/// The records of a window of time.
@Suite struct TimeWindowTests {
  private static let lines = [
    #"{"id":0,"t":"2026-11-24T13:59:59.999999999999999999999Z"}"#, #"{"id":1,"t":"2026-11-24T14:00:00Z"}"#,
    #"{"id":2,"t":"2026-11-24T15:00:00.000+01:00","x":{"t":1}}"#, #"{"id":3,"t":null}"#, #"{"id":4}"#,
    #"{"id":5,"t":["2026-11-24T14:05:00Z"]}"#, #"{"id":6, "t" : "2026-11-24 14:09:59.999999999999999999999z"}"#,
    #"{"id":7,"t":"2026-11-24T14:10:00Z"}"#, #"{"id":8,"t":"2026\u002d11-24T14:05:00Z"}"#,
    #"{"id":9,"\u0074":"2026-11-24T14:05:00Z","t":"2000-01-01T00:00:00Z"}"#, #"{"id":10,"t":1795529100}"#,
    #"{"id":11,"t":1795529100.5e3}"#, #"{"id":12,"t":1795529399999999}"#, #"{"id":13,"t":1795529400000000000}"#,
    #"{"id":14,"t":"2026-11-24T14:05:0"}"#, #"["2026-11-24T14:05:00Z"]"#, #"{"id":15,"t":"2026-11-24T09:05:00-05:00"}"#,
  ]
  /// The ids of the records from 14:00 to 14:10.
  private static let inside = [1, 2, 6, 8, 9, 10, 11, 12, 15]

  private static func window(_ unit: JSONTimeUnit? = nil) throws -> JSONTimeWindow {
    try JSONTimeWindow(of: "$.t", since: "2026-11-24T14:00:00Z", until: "2026-11-24T14:10:00Z", unit: unit)
  }

  private static func ids(
    _ source: JSONSource, _ condition: JSONCondition, _ options: JSONRecordOptions
  ) throws -> [Int] {
    var matches = try JSONMatches(of: [("id", "$.id")], where: condition, in: source, records: options)
    return try drain { try matches.next().map { $0.value.intValue } }
  }

  @Test(arguments: [JSONFraming.lines, .values, .textSequence])
  func `the records of a window are the same under every chunking`(framing: JSONFraming) throws {
    let mark = framing == .textSequence ? "\u{1E}" : ""
    let bytes = Array(Self.lines.map { mark + $0 + "\n" }.joined().utf8)
    let condition = JSONCondition(try Self.window())
    for prefilter in [JSONRecordOptions.Prefilter.automatic, .always, .never] {
      let options = with(JSONRecordOptions(framing: framing)) { $0.prefilter = prefilter }
      #expect(try Self.ids(.bytes(bytes), condition, options) == Self.inside, "\(prefilter)")
      let difference = try differenceOverEveryChunking(of: bytes) { size in
        try Self.ids(.chunks(Chunks(bytes, size: size)), condition, options)
      }
      #expect(difference == nil)
    }
  }

  @Test(arguments: [1, 3])
  func `workers return the records of a window`(workers: Int) async throws {
    var text = ""
    var expected: [Int] = []
    for round in 0..<2000 {
      for (number, line) in Self.lines.enumerated() {
        text += line + "\n"
        if Self.inside.contains(number == 16 ? 15 : number == 15 ? -1 : number) {
          expected.append(round * Self.lines.count + number + 1)
        }
      }
    }
    let records = JSONRecords(bytes: Array(text.utf8)).where(JSONCondition(try Self.window()))
    var found: [Int] = []
    for try await record in records.workers(workers) { found.append(record.line) }
    #expect(found == expected)
    var both: [Int] = []
    for try await record in records.where("@.id > 8").where(JSONCondition(try Self.window())) {
      both.append(record["id"].intValue)
    }
    #expect(both == (0..<2000).flatMap { _ in [9, 10, 11, 12, 15] })
  }

  @Test func `texts and documents give the same answers, with and without other conditions`() throws {
    let bytes = Array(Self.lines.joined(separator: "\n").utf8)
    let window = JSONCondition(try Self.window())
    for (other, ids) in [
      ("@.id > 8", [9, 10, 11, 12, 15]), ("@.x", [2]), ("@.t", Self.inside), ("length(@.t) == 20", [1, 8, 9]),
    ] {
      let condition = try JSONCondition(other).and(window)
      #expect(try Self.ids(.bytes(bytes), condition, JSONRecordOptions()) == ids, "\(other)")
      #expect(try Self.ids(.bytes(bytes), window.and(JSONCondition(other)), JSONRecordOptions()) == ids, "\(other)")
      // As the tool reads columns: from texts, without documents.
      var matches = try JSONMatches(
        of: [("", "$")], where: condition, in: .bytes(bytes), records: JSONRecordOptions(), keepsDocument: false,
        resumingAt: nil, keeping: ["$.id"])
      var found: [Int] = []
      reading: while true {
        let count = unsafe matches.borrowRows(
          { _, text in found.append(unsafe Int(String(decoding: text, as: UTF8.self)) ?? -1) }, endRow: { true })
        if count > 0 { continue }
        guard let match = try matches.next() else { break reading }
        found.append(match.value["id"].intValue)
      }
      #expect(found == ids, "\(other)")
    }
  }

  @Test func `a window without a bound has all times on that side`() throws {
    let since = try JSONTimeWindow(of: "$.t", since: "2026-11-24T14:10:00Z")
    let until = try JSONTimeWindow(of: "$.t", until: "2026-11-24T14:00:00Z")
    let all = try JSONTimeWindow(of: "$.t")
    let bytes = Array(Self.lines.joined(separator: "\n").utf8)
    #expect(try Self.ids(.bytes(bytes), JSONCondition(since), JSONRecordOptions()) == [7, 13])
    #expect(try Self.ids(.bytes(bytes), JSONCondition(until), JSONRecordOptions()) == [0])
    let known = try Self.ids(.bytes(bytes), JSONCondition(all), JSONRecordOptions())
    #expect(known == [0, 1, 2, 6, 7, 8, 9, 10, 11, 12, 13, 15])
    #expect(since.since == "2026-11-24T14:10:00Z" && since.until == nil && since.unit == nil)
  }

  @Test func `the path may lead through objects and arrays, or be the record itself`() throws {
    let bytes = Array("{\"a\":[{\"t\":5},{\"t\":7}]}\n{\"a\":[{\"t\":7}]}\n7\n{}\n".utf8)
    func lines(_ path: JSONPath) throws -> [Int] {
      let window = try JSONTimeWindow(of: path, since: "7", until: "7.000000001")
      var matches = try JSONMatches(
        of: [("", "$")], where: JSONCondition(window), in: .bytes(bytes), records: JSONRecordOptions())
      var lines: [Int] = []
      while try matches.next() != nil { lines.append(matches.recordLine ?? 0) }
      return lines
    }
    #expect(try lines("$.a[1].t") == [1])
    #expect(try lines("$.a[-1].t") == [1, 2])
    #expect(try lines("$") == [3])
    #expect(try lines("$.b") == [])
  }

  @Test func `a window requires a path of one value, and bounds in order`() throws {
    func error(_ path: JSONPath, _ since: String?, _ until: String?) -> JSONError? {
      jsonError { _ = try JSONTimeWindow(of: path, since: since, until: until) }
    }
    #expect(
      error("$.a[*]", nil, nil)?.message
        == "expected a path of one value, with names and indexes only, such as $.time, found $['a'][*]")
    #expect(error("$.a[", nil, nil)?.code == .invalidPath)
    #expect(
      error("$.t", "14:00", nil)?.message
        == "expected a time such as 2026-11-24T14:00:00Z or 1764072000.25, with at most nine decimal places, found '14:00'"
    )
    #expect(error("$.t", "2", "1")?.code == .invalidTime)
    #expect(
      error("$.t", "2", "1")?.message
        == "expected a window that does not end before it begins, found from 1970-01-01T00:00:02Z to "
        + "1970-01-01T00:00:01Z")
    #expect(error("$.t", "1", "1") == nil)
  }

  @Test(arguments: [1, 7, 100_000])
  func `the shape of a window counts only its records`(size: Int) throws {
    let bytes = Array(Self.lines.joined(separator: "\n").utf8)
    var reader = try JSONShape.Reader(
      .chunks(Chunks(bytes, size: size)), options: JSONShape.Options(), where: JSONCondition(try Self.window()),
      records: JSONRecordOptions(), resumingAt: nil)
    while try reader.next() {}
    let shape = reader.takeShape()
    #expect(shape.recordCount == Self.inside.count)
    #expect(shape.paths.first { $0.path == "$.id" }?.count == Self.inside.count)
  }

  @Test func `random times are in a window exactly if their numbers are`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<200 {
      var lines = ""
      var times: [Int] = []
      for _ in 0..<50 {
        let time = 1_764_072_000_000 + random.below(40)
        times.append(time)
        switch random.below(4) {
        case 0: lines += "{\"t\":\(time)}\n"
        case 1: lines += "{\"t\":\(time)000000}\n"
        case 2: lines += "{\"t\":\(time / 1000).\(String(time).suffix(3))}\n"
        default:
          let text = Instant(attoseconds: Int128(time) * 1_000_000_000_000_000).text
          lines += "{\"t\":\"\(text)\"}\n"
        }
      }
      let since = 1_764_072_000_000 + random.below(40), until = since + random.below(20)
      let window = try JSONTimeWindow(of: "$.t", since: "\(since)", until: "\(until)")
      var matches = try JSONMatches(
        of: [("", "$.t")], where: JSONCondition(window), in: .bytes(Array(lines.utf8)), records: JSONRecordOptions())
      var found: [Int] = []
      while try matches.next() != nil { found.append((matches.recordLine ?? 0) - 1) }
      #expect(found == times.indices.filter { since..<until ~= times[$0] })
    }
  }
}
