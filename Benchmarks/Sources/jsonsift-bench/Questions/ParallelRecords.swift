import CRawYajl
import Foundation
import JSONSift

/// What does a question about each record of a log cost, on one core and on two: how many have `level == "error"`, and what
/// is the sum of `latency_ms`? Every byte is validated.
struct ParallelRecords {
  private let arguments: Arguments
  private let report: Report

  init(_ arguments: Arguments, _ report: Report) {
    self.arguments = arguments
    self.report = report
  }

  private static let baselines = ["yajl in C", "1 worker"]
  private static let one = "JSONRecordReader"
  private static let two = "2 workers"
  private static let readBytes = 1 << 18

  func run() throws {
    report.begin("records", "two members of each record of a log, on one core and on two")
    let log = try LogFile(lines: arguments.logBytes)
    let path = log.path
    let tests: [(name: String, job: () throws -> Found)] = [
      (Self.one, { try Self.read(path) }),
      ("JSONRecordBlocks, 1 worker", { try Self.read(path, workers: 1) }),
      (Self.two, { try Self.read(path, workers: 2) }),
      ("4 workers", { try Self.read(path, workers: 4) }),
    ]
    let expected = Found(records: log.answer.records, errors: log.answer.errors, latency: log.answer.latency)
    try check(Self.raw(path), is: expected, "records, raw yajl")
    for test in tests { try check(try test.job(), is: expected, "records, \(test.name)") }
    let peer = ("Foundation, line by line", { try Self.foundation(path) })
    try check(try peer.1(), is: expected, "records, \(peer.0)")

    let baselines = [
      Side(Self.baselines[0]) { blackHole(Self.raw(path).records) },
      Side(Self.baselines[1]) { blackHole(try Self.read(path).records) },
    ]
    let effort = arguments.effort
    let sides = tests.map { test in Side(test.name) { blackHole(try test.job().records) } }
    let rows = try compare(sides, to: baselines, rounds: effort.rounds, effort: effort)
    let peers = try compare(
      [Side(peer.0) { blackHole(try peer.1().records) }], to: baselines, rounds: effort.peerRounds, effort: effort)
    report.table("log of 1 KB records", bytes: log.bytes, baselines: Self.baselines, rows + peers.suffix(1))
    for row in rows {
      if row.name == Self.one { report.wanted("one worker x yajl in C", row.ratios[0].median, atLeast: 0.9) }
      if row.name == Self.two { report.wanted("two workers x one", row.ratios[1].median, atLeast: 1.8) }
    }
    try tasks(log)
  }

  /// Does a call of `next()` leave the actor of its caller? Then it costs more than the record.
  private func tasks(_ log: LogFile) throws {
    let answer = Worker.Answer(count: log.answer.errors, sum: log.answer.latency)
    let jobs = [("on no actor", "no-actor"), ("on the main actor", "main-actor")]
    let rows = try report.jobs(
      "JSONRecords by next()", bytes: log.bytes, rounds: arguments.effort.peerRounds,
      jobs.map { Job(name: $0.0, words: [$0.1, log.path], answer: answer) })
    report.wanted("on the main actor x on none", rows[1].ratio, atLeast: 0.8)
  }

  // MARK: Jobs

  private struct Found: Equatable, Sendable {
    var records = 0
    var errors = 0
    var latency = 0.0

    /// The latencies have one decimal; the order in which they are added changes the last bits of the sum.
    static func == (one: Found, other: Found) -> Bool {
      one.records == other.records && one.errors == other.errors && abs(one.latency - other.latency) < 0.01
    }

    mutating func add(_ record: JSONRecord) {
      records += 1
      if record["level"].string == "error" { errors += 1 }
      latency += record["latency_ms"].double ?? .nan
    }
  }

  private static func raw(_ path: String) -> Found {
    var answer = raw_yajl_answer()
    guard raw_yajl_ask_lines_file(path, readBytes, 1, &answer) == 0 else { return Found() }
    return Found(records: Int(answer.lines), errors: Int(answer.errors), latency: answer.latency)
  }

  private static func read(_ path: String) throws -> Found {
    var reader = try JSONRecordReader(.path(path))
    var found = Found()
    while let record = try reader.next() { found.add(record) }
    return found
  }

  private static func read(_ path: String, workers: Int) throws -> Found {
    var blocks = try JSONRecordBlocks(.path(path), workers: workers) { reader in
      var found = Found()
      while let record = try reader.next() { found.add(record) }
      return found
    }
    var all = Found()
    while let found = try blocks.next() {
      all.records += found.records
      all.errors += found.errors
      all.latency += found.latency
    }
    return all
  }

  /// What people write without a library.
  private static func foundation(_ path: String) throws -> Found {
    struct Line: Decodable {
      let level: String
      let latency_ms: Double
    }
    let decoder = JSONDecoder()
    var found = Found()
    let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    for line in data.split(separator: UInt8(ascii: "\n")) {
      let value = try decoder.decode(Line.self, from: line)
      found.records += 1
      if value.level == "error" { found.errors += 1 }
      found.latency += value.latency_ms
    }
    return found
  }
}
