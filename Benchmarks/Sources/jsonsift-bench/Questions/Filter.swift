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

  func run() throws {
    report.begin("filter", "one record in a hundred of a log, each job in a process of its own")
    let log = try LogFile(lines: arguments.filterBytes, hasDecoys: true)
    let answer = Worker.Answer(
      count: 2, sum: Double(log.answer.errors) + (log.answer.errorLatency * 10).rounded())
    let commands = [
      (Self.base, ["yajl-filter", log.path]), (Self.one, ["errors", log.path]),
      (Self.two, ["errors-workers", log.path, "2"]),
      ("1 worker, no prefilter", ["errors", log.path, "never"]),
    ]
    let jobs = commands.map { Job(name: $0.0, words: $0.1, answer: answer) }
    let rows = try report.jobs("log", bytes: log.bytes, rounds: arguments.effort.peerRounds + 2, jobs)

    let (one, two) = (rows[1], rows[2])
    report.wanted("1 worker x yajl in C", one.ratio, atLeast: 8)
    report.wanted("peak MB", max(one.peakBytes, two.peakBytes) / 1e6, atMost: 64)
  }
}
