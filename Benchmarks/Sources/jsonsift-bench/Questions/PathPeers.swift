import Foundation

/// How do other programs do that answer the same path? Whole processes, each writing the same lines.
struct PathPeers {
  private let arguments: Arguments
  private let report: Report

  init(_ arguments: Arguments, _ report: Report) {
    self.arguments = arguments
    self.report = report
  }

  private static let jq = ".records[].user.id // empty"
  private static let streamingJQ =
    #"select(length == 2 and .[0][0] == "records" and .[0][2:] == ["user", "id"]) | .[1]"#
  /// `use_float` is the faster way: without it each number becomes a Decimal.
  private static let ijson = """
    import sys, ijson.backends.yajl2_c as ijson
    with open(sys.argv[1], "rb") as file:
      for value in ijson.items(file, "records.item.user.id", use_float=True):
        sys.stdout.write(f"{value}\\n")
    """
  /// jq holds a whole document, in some seven times its size.
  private static let jqFactor: UInt64 = 8
  /// At some 10 MB/s, jq --stream would take minutes.
  private static let slowBytes = 50_000_000

  func run(_ document: LogFile) throws {
    guard let jsift = variable("JSONSIFT_BENCH_JSIFT") else { return report.note("no jsift: peers left out; use run") }
    let jq = findProgram("jq")
    if jq == nil { report.note("jq is not installed: left out") }
    var commands = [("jsift", [jsift, FreshDocument.path])]
    if let jq, ProcessInfo.processInfo.physicalMemory / Self.jqFactor > UInt64(document.bytes) {
      commands.append(("jq", [jq, Self.jq]))
    } else if jq != nil {
      report.note("jq needs some \(Self.jqFactor) times the document, and there is less memory: left out")
    }
    if let python = variable("JSONSIFT_BENCH_PYTHON") {
      commands.append(("ijson, yajl2_c", [python, "-c", Self.ijson]))
    } else {
      report.note("ijson could not be fetched: left out")
    }
    try compare("programs", commands, document)
    guard let jq else { return }
    let small = try LogFile(document: min(Self.slowBytes, document.bytes))
    report.note("")
    report.note("jq --stream is slow, so it gets a smaller file.")
    try compare(
      "programs, small file",
      [("jsift", [jsift, FreshDocument.path]), ("jq --stream", [jq, "--stream", Self.streamingJQ])], small)
  }

  /// One round: it takes long. A wrong answer ends the run before anything is printed.
  private func compare(_ subject: String, _ commands: [(name: String, words: [String])], _ document: LogFile) throws {
    let answer = Worker.Answer(count: document.answer.records, sum: Double(document.answer.userIDs))
    let jobs = commands.map {
      Job(name: $0.name, words: ["program"] + $0.words + [document.path], answer: answer)
    }
    _ = try report.jobs(subject, bytes: document.bytes, rounds: 1, jobs)
  }

  private func variable(_ name: String) -> String? { environmentVariable(name) }
}

func environmentVariable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

/// The path of a program, if it is installed.
func findProgram(_ name: String) -> String? {
  (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}
