import CBenchSystem
import CRawYajl
import JSONSift

/// How fast are the records of a log read, compared with libyajl and one handle for each line?
struct NDJSON {
  private let arguments: Arguments
  private let report: Report

  init(_ arguments: Arguments, _ report: Report) {
    self.arguments = arguments
    self.report = report
  }

  private static let baselines = ["yajl by line", "no UTF-8 check"]
  private static let fromFile = "reader, file"

  func run() throws {
    report.begin("ndjson", "records of a log, against libyajl with a handle for each line")
    try run(.long, "log of 1 KB records")
    try run(.short, "log of 350-byte records")
  }

  private func run(_ size: LogRecords.Size, _ name: String) throws {
    var records = LogRecords(size)
    let bytes = records.lines(of: arguments.logBytes)
    let answer = records.answer
    let file = try TemporaryFile("log.ndjson", bytes: bytes)
    let average = bytes.count / max(answer.records, 1)
    report.note("")
    report.note("\(name): \(answer.records) records, \(average) bytes on average, \(answer.errors) errors")

    let tests = jobs(bytes, file.path)
    try checkAnswers(tests, bytes, answer, name)
    let sides = tests.map { test in Side(test.name) { blackHole(try test.job().records) } }
    let baselines = zip(Self.baselines, [1, 0] as [Int32]).map { name, checks in
      Side(name) { blackHole(Int(raw_yajl_lines(bytes, bytes.count, checks))) }
    }
    let rows = try compare(
      sides, to: baselines, rounds: arguments.effort.rounds, effort: arguments.effort)
    report.table(name, bytes: bytes.count, baselines: Self.baselines, rows)
    for row in rows where row.name == Self.fromFile {
      report.wanted("\(name), \(row.name) x yajl by line", row.ratios[0].median, atLeast: 0.9)
    }
  }

  // MARK: Jobs

  /// What a job has found out; what it does not look for is `nil`.
  private struct Found: Equatable {
    var records = 0
    var errors: Int?
    var latency: Double?
  }

  private typealias Job = (name: String, job: () throws -> Found)

  private func jobs(_ bytes: [UInt8], _ path: String) -> [Job] {
    [
      (Self.fromFile, { try Self.read(.path(path)) }),
      ("reader, memory", { try Self.read(.bytes(bytes)) }),
      ("JSONParser by line", { try Self.parseLines(bytes) }),
      ("reader, level == error", { try Self.read(.path(path), countsErrors: true) }),
      ("the same, sum of latency", { try Self.read(.path(path), countsErrors: true, addsLatency: true) }),
    ]
  }

  private static func read(
    _ source: JSONSource, countsErrors: Bool = false, addsLatency: Bool = false
  ) throws(JSONError) -> Found {
    var reader = try JSONRecordReader(source)
    var records = 0
    var errors = 0
    var latency = 0.0
    while let record = try reader.next() {
      records += 1
      if countsErrors, record["level"].string == "error" { errors += 1 }
      if addsLatency { latency += record["latency_ms"].double ?? .nan }
    }
    return Found(records: records, errors: countsErrors ? errors : nil, latency: addsLatency ? latency : nil)
  }

  private static func parseLines(_ bytes: [UInt8]) throws -> Found {
    var parser = JSONParser()
    var found = Found()
    try bytes.withUnsafeBufferPointer { bytes in
      var rest = bytes
      while let start = rest.baseAddress, !rest.isEmpty {
        let end = bench_line_end(start, rest.count)
        let json = try parser.parse(UnsafeBufferPointer(rebasing: rest[..<end]))
        if json.type == .dictionary { found.records += 1 }
        rest = UnsafeBufferPointer(rebasing: rest[min(end + 1, rest.count)...])
      }
    }
    return found
  }

  // MARK: Answers

  private func checkAnswers(
    _ tests: [Job], _ bytes: [UInt8], _ answer: LogRecords.Answer, _ name: String
  ) throws {
    for checks in [1, 0] as [Int32] {
      try check(Int(raw_yajl_lines(bytes, bytes.count, checks)), is: answer.records, "\(name), raw yajl")
    }
    for test in tests {
      let found = try test.job()
      let expected = Found(
        records: answer.records, errors: found.errors.map { _ in answer.errors },
        latency: found.latency.map { _ in answer.latency })
      try check(found, is: expected, "\(name), \(test.name)")
    }
  }
}
