/// How much memory does a file of a gigabyte take, and how fast is it read?
///
/// Each job runs in a process of its own; see the worker's `main.swift`.
struct StreamedFile {
  private let arguments: Arguments
  private let report: Report

  init(_ arguments: Arguments, _ report: Report) {
    self.arguments = arguments
    self.report = report
  }

  func run() throws {
    report.begin("stream", "a large file, each job in a process of its own")
    let idle = try Worker.run(["nothing", "-"])
    report.note("A process that does nothing has a peak of \(megabytes(idle.peakBytes)).")
    report.add("nothing", "worker", "peak MB", Double(idle.peakBytes) / 1e6)
    try log()
    try document()
    try parse()
  }

  private func log() throws {
    let log = try LogFile(lines: arguments.streamBytes)
    let answer = log.answer
    let rows = try measure(
      "log", log.path, log.bytes,
      [
        ("yajl by line, C", "yajl-lines", .init(count: answer.records, sum: 0)),
        ("JSONRecordReader", "records", .init(count: answer.records, sum: 0)),
        ("the same, error and latency", "filter", .init(count: answer.errors, sum: answer.latency)),
      ])
    report.wanted("JSONRecordReader, log, peak MB", rows[1].peakBytes / 1e6, atMost: 64)
  }

  private func document() throws {
    let document = try LogFile(document: arguments.streamBytes)
    let answer = document.answer
    let rows = try measure(
      "document", document.path, document.bytes,
      [
        ("yajl in chunks, C", "yajl-document", .init(count: 0, sum: 0)),
        ("JSONMatches", "matches", .init(count: answer.records, sum: Double(answer.userIDs))),
      ])
    report.wanted("JSONMatches, document, x yajl", rows[1].ratio, atLeast: 0.95)
    report.wanted("JSONMatches, document, peak MB", rows[1].peakBytes / 1e6, atMost: 16)
  }

  /// A tape for comparison: what a document costs that is held as a whole.
  private func parse() throws {
    let document = try LogFile(document: arguments.freshBytes)
    let rows = try measure(
      "document, parsed as a whole", document.path, document.bytes,
      [
        ("yajl in chunks, C", "yajl-document", .init(count: 0, sum: 0)),
        ("JSON(contentsOf:)", "parse", .init(count: document.answer.records + 1, sum: 0)),
      ])
    let factor = rows[1].peakBytes / Double(document.bytes)
    report.note("JSON(contentsOf:) has a peak of \(fixed(factor, 2)) times the document.")
  }

  private func measure(
    _ subject: String, _ path: String, _ bytes: Int, _ jobs: [(name: String, job: String, answer: Worker.Answer)]
  ) throws -> [Job.Result] {
    try report.jobs(
      subject, bytes: bytes, rounds: arguments.effort.peerRounds,
      jobs.map { Job(name: $0.name, words: [$0.job, path], answer: $0.answer) })
  }
}
