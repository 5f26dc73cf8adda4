import CRawYajl
import JSONSift

/// What does it gain to pass over what nobody asks for?
struct FastForward {
  private let arguments: Arguments
  private let report: Report

  init(_ arguments: Arguments, _ report: Report) {
    self.arguments = arguments
    self.report = report
  }

  private static let path = FreshDocument.path
  private var rounds: Int { min(arguments.effort.rounds, 5) }

  func run() throws {
    report.begin("forward", "fast-forward: what cannot match is passed over")
    let document = try LogFile(document: arguments.streamBytes)
    try onePath(document)
    try severalPaths(document)
    try lines(LogFile(lines: arguments.logBytes))
    try oneValue(LogFile(document: arguments.freshBytes))
  }

  // MARK: A path

  private func onePath(_ document: LogFile) throws {
    let file = document.path
    let answer = document.answer
    for options in [JSONOptions(), .fastForward] {
      let found = try Self.matches(file, options)
      try check([found.count, found.sum], is: [answer.records, answer.userIDs], "count and sum of \(Self.path)")
    }
    let baselines = Documents.baselineSides { Int(raw_yajl_file(file, FreshDocument.chunk, $0)) }
    let fast = "\(Self.path), fast"
    let rows = try compare(
      [
        Side("validated") { blackHole(try Self.matches(file, JSONOptions()).sum) },
        Side(fast) { blackHole(try Self.matches(file, .fastForward).sum) },
      ], to: baselines, rounds: rounds, effort: arguments.effort)
    report.table(
      "one path, file read in \(FreshDocument.chunk >> 10) KiB", bytes: document.bytes, baselines: Documents.baselines,
      rows)
    report.wanted("\(fast) x yajl", rows.last?.ratios.first?.median ?? 0, atLeast: 7)

    let ids = Worker.Answer(count: answer.records, sum: Double(answer.userIDs))
    let jobs = [
      Job(name: "yajl in chunks, C", words: ["yajl-document", file], answer: .init(count: 0, sum: 0)),
      Job(name: "validated", words: ["matches", file], answer: ids),
      Job(name: "fast", words: ["fast-matches", file], answer: ids),
    ]
    let memory = try report.jobs("each in a process of its own", bytes: document.bytes, rounds: 1, jobs)
    report.wanted("\(Self.path), fast, peak MB", memory[2].peakBytes / 1e6, atMost: 16)
  }

  private static func matches(_ file: String, _ options: JSONOptions) throws(JSONError) -> (count: Int, sum: Int) {
    var matches = try JSONMatches(of: path, in: .path(file), options: options)
    var found = (count: 0, sum: 0)
    while let match = try matches.next() {
      found.count += 1
      found.sum += match.value.int ?? 0
    }
    return found
  }

  // MARK: Several paths

  /// The values are left as they are: what costs is to find them.
  private func severalPaths(_ document: LogFile) throws {
    let file = document.path
    let answer = document.answer
    let names = Paths.five + ["service"]
    let sides = try [1, 3, 6].map { count in
      let some = Array(names.prefix(count))
      var expected = Paths.Fields(of: count, answer)
      try check(Paths.fields(file, of: some, options: .fastForward), is: expected, "\(count) paths, fast")
      expected = Paths.Fields(matches: answer.records * count)
      let found = try Paths.fields(file, of: some, takesValues: false, options: .fastForward)
      try check(found, is: expected, "\(count) paths, fast, counted")
      return Side(count == 1 ? "1 path, fast" : "\(count) paths, fast") {
        blackHole(try Paths.fields(file, of: some, takesValues: false, options: .fastForward).matches)
      }
    }
    let baselines = Documents.baselineSides { Int(raw_yajl_file(file, FreshDocument.chunk, $0)) }
    let rows = try compare(sides, to: baselines, rounds: rounds, effort: arguments.effort)
    report.table(
      "several paths in one pass, values left", bytes: document.bytes, baselines: Documents.baselines, rows)
    let three = rows.first { $0.name == "3 paths, fast" }?.ratios.first?.median ?? 0
    report.wanted("3 paths, fast x yajl", three, atLeast: 4)
  }

  // MARK: Lines

  /// One path, and three, in each line of a log.
  private func lines(_ log: LogFile) throws {
    let file = log.path
    let three = try ["user.id", "level", "latency_ms"].map { ($0, try JSONPath("$.\($0)")) }
    func found(_ count: Int, _ options: JSONOptions) throws(JSONError) -> (matches: Int, sum: Int) {
      var matches = try JSONMatches(
        of: Array(three.prefix(count)), in: .path(file), framing: .lines, options: options)
      var found = (matches: 0, sum: 0)
      while let match = try matches.next() {
        found.matches += 1
        if match.path == 0 { found.sum += match.value.int ?? 0 }
      }
      return found
    }
    func side(_ name: String, _ count: Int, _ options: JSONOptions) throws -> Side {
      let answer = try found(count, options)
      try check([answer.matches, answer.sum], is: [log.answer.records * count, log.answer.userIDs], "lines, \(name)")
      return Side(name) { blackHole(try found(count, options).sum) }
    }
    let fast = "1 path, fast"
    let sides = try [
      side("1 path", 1, JSONOptions()), side(fast, 1, .fastForward), side("3 paths, fast", 3, .fastForward),
    ]
    let baselines = Documents.baselineSides { Int(raw_yajl_lines_file(file, FreshDocument.chunk, $0)) }
    let rows = try compare(sides, to: baselines, rounds: rounds, effort: arguments.effort)
    report.table("paths in each line of a log", bytes: log.bytes, baselines: Documents.baselines, rows)
    let ratio = rows.first { $0.name == fast }?.ratios.first?.median ?? 0
    report.wanted("lines, \(fast) x yajl", ratio, atLeast: 2)
  }

  // MARK: One value

  /// From opening the file to the answer: a member of the last record but one; the last has no user.
  private func oneValue(_ document: LogFile) throws {
    let file = document.path
    let place = document.answer.records - 1
    func value(_ options: JSONOptions, _ loading: JSON.FileLoading = .copied) throws(JSONError) -> Int {
      try JSON(contentsOf: file, loading: loading, options: options)["records"][place]["user"]["id"].int ?? -1
    }
    try check(value(.fastForward), is: value(JSONOptions()), "one value")
    try check(value(.fastForward, .mapped), is: value(JSONOptions()), "one value of a mapped file")
    let validated = Side("validated") { blackHole(try value(JSONOptions())) }
    let rows = try compare(
      [
        Side("validated, mapped") { blackHole(try value(JSONOptions(), .mapped)) },
        Side("fast") { blackHole(try value(.fastForward)) },
        Side("fast, mapped") { blackHole(try value(.fastForward, .mapped)) },
      ], to: [validated], rounds: rounds, effort: arguments.effort)
    report.table("one value from the end, open to answer", bytes: document.bytes, baselines: [validated.name], rows)
    for name in ["fast", "fast, mapped"] {
      let ratio = rows.first { $0.name == name }?.ratios.first?.median ?? 0
      report.wanted("\(name) x validated", ratio, atLeast: 8)
    }
    let answer = Worker.Answer(count: 1, sum: Double(try value(JSONOptions())))
    _ = try report.jobs(
      "one value, each in a process of its own", bytes: document.bytes, rounds: rounds,
      [
        Job(name: "validated", words: ["value", file, "\(place)"], answer: answer),
        Job(name: "fast", words: ["fast-value", file, "\(place)"], answer: answer),
        Job(name: "fast, mapped", words: ["fast-mapped-value", file, "\(place)"], answer: answer),
      ])
  }
}
