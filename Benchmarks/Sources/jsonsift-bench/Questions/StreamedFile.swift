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
    let idle = try Worker.run("nothing", "-")
    report.note("A process that does nothing has a peak of \(megabytes(idle.peakBytes)).")
    report.add("nothing", "worker", "peak MB", Double(idle.peakBytes) / 1e6)
    try log()
    try document()
    try parse()
  }

  /// Writes a file, and counts its bytes on the way.
  private func write(
    _ name: String, _ make: (inout LogRecords, @escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws -> (file: TemporaryFile, bytes: Int, answer: LogRecords.Answer) {
    var records = LogRecords(.long)
    var bytes = 0
    let file = try TemporaryFile(name) { write in
      try make(&records) { block in
        bytes += block.count
        try write(block)
      }
    }
    return (file, bytes, records.answer)
  }

  private func log() throws {
    let log = try write("big.ndjson") { try $0.lines(of: arguments.streamBytes, to: $1) }
    let answer = log.answer
    let rows = try measure(
      "log", log.file.path, log.bytes,
      [
        ("yajl by line, C", "yajl-lines", .init(count: answer.records, sum: 0)),
        ("JSONRecordReader", "records", .init(count: answer.records, sum: 0)),
        ("the same, error and latency", "filter", .init(count: answer.errors, sum: answer.latency)),
      ])
    report.wanted("JSONRecordReader, log, peak MB", rows[1].peak / 1e6, atMost: 64)
  }

  private func document() throws {
    let document = try write("big.json") { try $0.document(of: arguments.streamBytes, to: $1) }
    let answer = document.answer
    let rows = try measure(
      "document", document.file.path, document.bytes,
      [
        ("yajl in chunks, C", "yajl-document", .init(count: 0, sum: 0)),
        ("JSONMatches", "matches", .init(count: answer.records, sum: Double(answer.userIDs))),
      ])
    report.wanted("JSONMatches, document, x yajl", rows[1].ratio, atLeast: 0.95)
    report.wanted("JSONMatches, document, peak MB", rows[1].peak / 1e6, atMost: 16)
  }

  /// A tape for comparison: what a document costs that is held as a whole.
  private func parse() throws {
    let document = try write("parsed.json") { try $0.document(of: arguments.freshBytes, to: $1) }
    let rows = try measure(
      "document, parsed as a whole", document.file.path, document.bytes,
      [
        ("yajl in chunks, C", "yajl-document", .init(count: 0, sum: 0)),
        ("JSON(contentsOf:)", "parse", .init(count: document.answer.records + 1, sum: 0)),
      ])
    let factor = rows[1].peak / Double(document.bytes)
    report.note("JSON(contentsOf:) has a peak of \(fixed(factor, 2)) times the document.")
  }

  private typealias Job = (name: String, job: String, answer: Worker.Answer)

  /// Runs the jobs in turn, the first being the baseline.
  private func measure(
    _ subject: String, _ path: String, _ bytes: Int, _ jobs: [Job]
  ) throws -> [(ratio: Double, peak: Double)] {
    var samples = jobs.map { _ in [Worker]() }
    for round in 0..<arguments.effort.peerRounds {
      for turn in jobs.indices {
        let index = (turn + round) % jobs.count
        let worker = try Worker.run(jobs[index].job, path)
        try check(worker.answer, is: jobs[index].answer, "\(subject), \(jobs[index].name)")
        samples[index].append(worker)
      }
    }
    print("\n\(subject), \(megabytes(bytes))")
    print(
      column("", 30) + right("seconds", 8) + right("MB/s", 8) + right("peak MB", 9) + "   x \(jobs[0].name)")
    return jobs.indices.map { index in
      let seconds = Spread(samples[index].map(\.seconds))
      let peak = Spread(samples[index].map { Double($0.peakBytes) })
      let ratio = Spread(zip(samples[0], samples[index]).map { $0.seconds / $1.seconds })
      let rate = Double(bytes) / seconds.median / 1e6
      print(
        column("  " + jobs[index].name, 30) + right(fixed(seconds.median, 2), 8) + right(fixed(rate, 0), 8)
          + right(fixed(peak.max / 1e6, 1), 9) + "   " + (index == 0 ? "" : text(ratio)))
      report.add(subject, jobs[index].name, "seconds", seconds)
      report.add(subject, jobs[index].name, "MB/s", rate)
      report.add(subject, jobs[index].name, "peak MB", peak.max / 1e6)
      if index > 0 { report.add(subject, jobs[index].name, "x \(jobs[0].name)", ratio) }
      return (ratio.median, peak.max)
    }
  }
}
