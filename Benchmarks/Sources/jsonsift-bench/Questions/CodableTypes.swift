import BenchRecords
import CBenchSystem
import CRawYajl
import Foundation
import JSONSift
import Synchronization

/// How fast do types of one's own come out of JSON, and go into it, beside Foundation's coders?
struct CodableTypes {
  private let arguments: Arguments
  private let report: Report

  init(_ arguments: Arguments, _ report: Report) {
    self.arguments = arguments
    self.report = report
  }

  private static let foundation = "JSONDecoder"
  private static let foundationEncoder = "JSONEncoder"
  private static let two = "the same, decoded by 2 workers"

  func run() throws {
    report.begin("codable", "types of one's own, beside Foundation's coders")
    for document in try Corpus.load([], report: report) {
      switch document.name {
      case "twitter": try whole(Twitter.self, document)
      case "citm_catalog": try whole(Catalog.self, document)
      case "canada": try whole(Canada.self, document)
      default: break
      }
    }
    try log()
    try subset()
    if !arguments.skipsStream { try memory() }
  }

  // MARK: Documents

  private func whole<T: Codable & Equatable>(_ type: T.Type, _ document: Corpus) throws {
    let data = Data(document.bytes)
    let bytes = document.bytes
    let ours = JSONSiftDecoder()
    let theirs = JSONDecoder()
    let value = try theirs.decode(type, from: data)
    try check(ours.decode(type, from: bytes) == value, is: true, "\(document.name), decoded")
    let json = try JSON(parsing: bytes)
    try check(json.decode(type) == value, is: true, "\(document.name), decoded from a JSON")
    let encoder = JSONSiftEncoder()
    let foundation = JSONEncoder()
    try check(ours.decode(type, from: encoder.bytes(of: value)) == value, is: true, "\(document.name), encoded")
    try check(
      theirs.decode(type, from: encoder.encode(value)) == value, is: true, "\(document.name), encoded for Foundation")
    let rounds = min(arguments.effort.rounds, 7)
    report.table(
      "\(document.name) into a full model", bytes: bytes.count, baselines: [Self.foundation, "yajl"],
      try compare(
        [
          Side("JSONSiftDecoder") { keep(try ours.decode(type, from: bytes)) },
          Side("the same, parsed before") { keep(try json.decode(type)) },
        ],
        to: [
          Side(Self.foundation) { keep(try theirs.decode(type, from: data)) },
          Side("yajl") { blackHole(Int(raw_yajl_whole(bytes, bytes.count, 1))) },
        ], rounds: rounds, effort: arguments.effort))
    let rows = try compare(
      [Side("JSONSiftEncoder") { blackHole(try encoder.bytes(of: value).count) }],
      to: [Side(Self.foundationEncoder) { blackHole(try foundation.encode(value).count) }], rounds: rounds,
      effort: arguments.effort)
    let written = try encoder.bytes(of: value).count
    report.table("\(document.name), written", bytes: written, baselines: [Self.foundationEncoder], rows)
    report.wanted("\(document.name), written, x JSONEncoder", rows[1].ratios[0].median, atLeast: 2)
  }

  // MARK: Records

  private func log() throws {
    var records = LogRecords(.long)
    let bytes = records.lines(of: arguments.logBytes)
    let answer = Sum(records.answer)
    let file = try TemporaryFile("log.ndjson", bytes: bytes)
    var values: [LogLine] = []
    try check(
      Self.foundationLines(bytes) { if values.count < 20_000 { values.append($0) } }, is: answer, "log, JSONDecoder")
    var equal = 0
    _ = try Self.ourLines(bytes) { if equal < values.count, $0 == values[equal] { equal += 1 } }
    try check(equal, is: values.count, "log, records that are equal")
    let path = file.path
    let sides = [
      ("line by line", { try Self.ourLines(bytes) { _ in } }),
      ("records of a file", { try Self.ourRecords(.path(path)) }),
      ("records in memory", { try Self.ourRecords(.bytes(bytes)) }),
      ("records of a file, for await", { try Self.asynchronously { try await Self.add(JSONRecords(path)) } }),
      (Self.two, { try Self.asynchronously { try await Self.add(JSONRecords(path), workers: 2) } }),
    ]
    for (name, job) in sides { try check(job(), is: answer, "log, \(name)") }
    let rows = try compare(
      sides.map { name, job in Side(name) { blackHole(try job().records) } },
      to: [
        Side(Self.foundation) { blackHole(try Self.foundationLines(bytes) { _ in }.records) },
        Side("yajl by line") { blackHole(Int(raw_yajl_lines(bytes, bytes.count, 1))) },
      ], rounds: arguments.effort.peerRounds, effort: arguments.effort)
    report.table("log into LogLine", bytes: bytes.count, baselines: [Self.foundation, "yajl by line"], rows)
    for row in rows.dropFirst(2) {
      report.wanted("log into LogLine, \(row.name), x JSONDecoder", row.ratios[0].median, atLeast: 3)
    }
    if let one = rows.first(where: { $0.name == "records of a file" }),
      let two = rows.first(where: { $0.name == Self.two })
    {
      report.wanted(
        "log into LogLine, two workers x one reader", two.ratios[0].median / one.ratios[0].median, atLeast: 1.6)
    }
    try write(values)
  }

  private func write(_ values: [LogLine]) throws {
    let ours = JSONSiftEncoder()
    let theirs = JSONEncoder()
    var lines: [UInt8] = []
    try ours.writeLines(values) { lines += $0 }
    var read: [LogLine] = []
    _ = try Self.foundationLines(lines) { read.append($0) }
    try check(read == values, is: true, "log, written and read by JSONDecoder")
    let rows = try compare(
      [
        Side("value by value") { for value in values { blackHole(try ours.bytes(of: value).count) } },
        Side("writeLines") {
          var count = 0
          try ours.writeLines(values) { count += $0.count }
          blackHole(count)
        },
      ], to: [Side(Self.foundationEncoder) { for value in values { blackHole(try theirs.encode(value).count) } }],
      rounds: arguments.effort.peerRounds, effort: arguments.effort)
    report.table("LogLine, written", bytes: lines.count, baselines: [Self.foundationEncoder], rows)
    for row in rows.dropFirst() {
      report.wanted("LogLine, written, \(row.name), x JSONEncoder", row.ratios[0].median, atLeast: 2)
    }
  }

  /// Five fields of forty: most of the work is the parser's.
  private func subset() throws {
    let wide = WideRecords(bytes: arguments.logBytes / 4)
    let bytes = wide.bytes
    func ours() throws -> Int {
      var records = try JSONRecordReader(.bytes(bytes))
      var sum = 0
      while let record = try records.next(as: Narrow.self) { sum += record.f03 + record.f37 }
      return sum
    }
    func theirs() throws -> Int {
      let decoder = JSONDecoder()
      var sum = 0
      try Self.eachLine(bytes) { line in
        let record = try decoder.decode(Narrow.self, from: Self.data(line))
        sum += record.f03 + record.f37
      }
      return sum
    }
    try check(ours(), is: wide.sum, "five of forty")
    try check(theirs(), is: wide.sum, "five of forty, JSONDecoder")
    let rows = try compare(
      [Side("JSONRecordReader.next(as:)") { blackHole(try ours()) }],
      to: [
        Side("yajl by line") { blackHole(Int(raw_yajl_lines(bytes, bytes.count, 1))) },
        Side(Self.foundation) { blackHole(try theirs()) },
      ], rounds: arguments.effort.rounds, effort: arguments.effort)
    report.table("5 of 40 fields", bytes: bytes.count, baselines: ["yajl by line", Self.foundation], rows)
    report.wanted("5 of 40 fields, x yajl by line", rows[2].ratios[0].median, atLeast: 0.8)
  }

  // MARK: Memory

  private func memory() throws {
    let log = try LogFile(lines: arguments.logBytes)
    let answer = Worker.Answer(count: log.answer.records, sum: log.answer.latency)
    let rows = try report.jobs(
      "log into LogLine, in a process of its own", bytes: log.bytes, rounds: arguments.effort.peerRounds,
      [
        Job(
          name: "yajl by line, C", words: ["yajl-lines", log.path], answer: .init(count: log.answer.records, sum: 0)),
        Job(name: "JSONRecordReader.next(as:)", words: ["decode-records", log.path], answer: answer),
      ])
    report.wanted("log into LogLine, peak MB", rows[1].peakBytes / 1e6, atMost: 16)
  }

  // MARK: Jobs

  /// What the records say, added up.
  private struct Sum: Equatable {
    var records = 0
    var latency = 0.0
    var ids = 0

    init() {}

    init(_ answer: LogRecords.Answer) {
      records = answer.records
      latency = answer.latency
      ids = answer.userIDs
    }

    mutating func add(_ line: LogLine) {
      records += 1
      latency += line.latency_ms
      ids += line.user.id
    }
  }

  private static func ourLines(_ bytes: [UInt8], _ body: (LogLine) -> Void) throws -> Sum {
    let decoder = JSONSiftDecoder()
    var sum = Sum()
    try eachLine(bytes) { line in
      let value = try decoder.decode(LogLine.self, from: line)
      sum.add(value)
      body(value)
    }
    return sum
  }

  private static func foundationLines(_ bytes: [UInt8], _ body: (LogLine) -> Void) throws -> Sum {
    let decoder = JSONDecoder()
    var sum = Sum()
    try eachLine(bytes) { line in
      let value = try decoder.decode(LogLine.self, from: data(line))
      sum.add(value)
      body(value)
    }
    return sum
  }

  private static func ourRecords(_ source: JSONSource) throws -> Sum {
    var records = try JSONRecordReader(source)
    var sum = Sum()
    while let line = try records.next(as: LogLine.self) { sum.add(line) }
    return sum
  }

  private static func add(_ records: JSONRecords<JSONRecord>, workers: Int? = nil) async throws -> Sum {
    var sum = Sum()
    let lines = records.decode(LogLine.self)
    if let workers {
      for try await line in lines.workers(workers) { sum.add(line) }
    } else {
      for try await line in lines { sum.add(line) }
    }
    return sum
  }

  /// Waits for a task. The thread that waits is none of those on which tasks run.
  private static func asynchronously(_ body: @escaping @Sendable () async throws -> Sum) throws -> Sum {
    let answer = Answer()
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      do {
        let sum = try await body()
        answer.result.withLock { $0 = .success(sum) }
      } catch {
        answer.result.withLock { $0 = .failure(error) }
      }
      isDone.signal()
    }
    isDone.wait()
    return try answer.result.withLock { try $0.get() }
  }

  private final class Answer: Sendable {
    let result = Mutex<Result<Sum, any Error>>(.success(Sum()))
  }

  private static func eachLine(_ bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
    try bytes.withUnsafeBufferPointer { bytes in
      var rest = bytes
      while let start = rest.baseAddress, !rest.isEmpty {
        let end = bench_line_end(start, rest.count)
        try body(UnsafeBufferPointer(rebasing: rest[..<end]))
        rest = UnsafeBufferPointer(rebasing: rest[min(end + 1, rest.count)...])
      }
    }
  }

  /// The bytes without a copy, so that Foundation does not pay for one.
  private static func data(_ line: UnsafeBufferPointer<UInt8>) -> Data {
    guard let base = line.baseAddress else { return Data() }
    return Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: line.count, deallocator: .none)
  }
}

/// Whatever was made is of use.
@inline(never)
private func keep<T>(_ value: T) { withExtendedLifetime(value) {} }
