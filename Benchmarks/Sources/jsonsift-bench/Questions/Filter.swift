import Foundation

/// What does it cost to find the few records of a log that matter, and to add something up? One in a hundred has
/// `level == "error"`; others have the word where it does not count.
///
/// Each job runs in a process of its own; see the worker's `main.swift`.
struct Filter {
  private let arguments: Arguments
  private let report: Report

  init(_ arguments: Arguments, _ report: Report) {
    self.arguments = arguments
    self.report = report
  }

  private static let base = "yajl in C"
  private static let one = "1 worker"
  private static let two = "2 workers"
  private static let duckDBName = "DuckDB, 2 threads"
  private static let simdjsonName = "simdjson iterate_many"
  private static let duckDB = """
    import sys, duckdb
    duckdb.execute("SET threads = " + sys.argv[1])
    errors, sum = duckdb.execute(
      "SELECT count(*), sum(latency_ms) FROM read_json(?, format = 'newline_delimited', "
      "columns = {level: 'VARCHAR', latency_ms: 'DOUBLE'}) WHERE level = 'error'", [sys.argv[2]]).fetchone()
    print(errors)
    print(round(sum * 10))
    """

  func run() throws {
    report.begin("filter", "one record in a hundred of a log, each job in a process of its own")
    let log = try LogFile(lines: arguments.filterBytes, hasDecoys: true)
    let answer = Worker.Answer(
      count: 2, sum: Double(log.answer.errors) + (log.answer.errorLatency * 10).rounded())
    var commands = [
      (Self.base, ["yajl-filter", log.path]), (Self.one, ["errors", log.path]),
      (Self.two, ["errors-workers", log.path, "2"]),
      ("1 worker, no prefilter", ["errors", log.path, "never"]),
    ]
    if arguments.hasPeers { commands += peers(log.path) }
    let jobs = commands.map { Job(name: $0.0, words: $0.1, answer: answer) }
    let rows = try report.jobs("log", bytes: log.bytes, rounds: arguments.effort.peerRounds + 2, jobs)
    func ratio(_ name: String) -> Double? { jobs.firstIndex { $0.name == name }.map { rows[$0].ratio } }

    let (one, two) = (rows[1], rows[2])
    report.wanted("1 worker x yajl in C", one.ratio, atLeast: 8)
    if let duckDB = ratio(Self.duckDBName) {
      report.wanted("2 workers x DuckDB", two.ratio / duckDB, atLeast: 3)
    }
    if let simdjson = ratio(Self.simdjsonName) {
      report.wanted("1 worker x simdjson", one.ratio / simdjson, atLeast: 1.4)
    }
    report.wanted("peak MB", max(one.peakBytes, two.peakBytes) / 1e6, atMost: 64)
  }

  private func peers(_ path: String) -> [(String, [String])] {
    let environment = ProcessInfo.processInfo.environment
    var commands: [(String, [String])] = []
    if let python = environment["JSONSIFT_BENCH_DUCKDB"] {
      commands.append((Self.duckDBName, ["program", python, "-c", Self.duckDB, "2", path]))
    } else {
      report.note("DuckDB could not be fetched: left out")
    }
    if let simdjson = environment["JSONSIFT_BENCH_SIMDJSON_FILTER"] {
      commands.append((Self.simdjsonName, ["program", simdjson, path]))
    } else {
      report.note("simdjson could not be built: left out; its package is libsimdjson-dev")
    }
    return commands
  }
}
