import CRawYajl
import Foundation
import JSONSift

/// What do paths cost over a document that is too big for memory?
struct Paths {
  private let arguments: Arguments
  private let report: Report

  init(_ arguments: Arguments, _ report: Report) {
    self.arguments = arguments
    self.report = report
  }

  private static let ids = FreshDocument.path
  private static let errorIDs = "$.records[?@.level == 'error'].user.id"
  /// For the table.
  private static let errorIDsName = "[?@.level=='error'].user.id"
  private static let descendants = "$..id"
  private static let head = "$.meta.version"
  static let five = ["user.id", "latency_ms", "level", "request.status", "host"]

  /// A run takes seconds at 1 GB, so that fewer do.
  private var rounds: Int { min(arguments.effort.rounds, 5) }

  func run() throws {
    report.begin("paths", "paths over one large document, streamed from a file")
    let document = try LogFile(document: arguments.streamBytes)
    try checkAnswers(document)
    try onePath(document)
    try fivePaths(document)
    try memory(document)
    try head(document)
  }

  // MARK: Speed

  private func onePath(_ document: LogFile) throws {
    let path = document.path
    let baselines = Documents.baselineSides { Int(raw_yajl_file(path, FreshDocument.chunk, $0)) }
    func side(_ name: String, _ query: String) -> Side {
      Side(name) { blackHole(try Self.matches(query, path).sum) }
    }
    let one = try compare(
      [side(Self.ids, Self.ids)], to: baselines, rounds: rounds, effort: arguments.effort)
    let others = try compare(
      [side(Self.errorIDsName, Self.errorIDs), side(Self.descendants, Self.descendants)], to: baselines,
      rounds: arguments.effort.peerRounds,
      effort: arguments.effort)
    report.table(
      "one path, file read in \(FreshDocument.chunk >> 10) KiB", bytes: document.bytes, baselines: Documents.baselines,
      one + others.dropFirst(baselines.count))
    report.wanted("\(Self.ids) x yajl", one.last?.ratios.first?.median ?? 0, atLeast: 0.9)
  }

  private func fivePaths(_ document: LogFile) throws {
    let path = document.path
    let one = Side("one path") { blackHole(try Self.matches(Self.ids, path).sum) }
    let all = "five paths"
    let rows = try compare(
      [
        Side(all) { blackHole(try Self.fields(path).userIDs) },
        Side("five paths, values left") { blackHole(try Self.fields(path, takesValues: false).matches) },
      ], to: [one], rounds: rounds, effort: arguments.effort)
    report.table("five paths in one pass", bytes: document.bytes, baselines: [one.name], rows)
    for row in rows where row.name == all {
      report.wanted("time of five paths x one path", row.ratios[0].inverse.median, atMost: 1.2)
    }
  }

  // MARK: Memory

  private func memory(_ document: LogFile) throws {
    let answer = document.answer
    let ids = Worker.Answer(count: answer.records, sum: Double(answer.userIDs))
    let jobs: [(name: String, job: String, answer: Worker.Answer)] = [
      ("yajl in chunks, C", "yajl-document", .init(count: 0, sum: 0)),
      (Self.ids, "matches", ids),
      ("five paths", "five-paths", .init(count: answer.records * Self.five.count, sum: ids.sum)),
      (Self.errorIDsName, "filtered-matches", .init(count: answer.errors, sum: Double(answer.errorUserIDs))),
      (Self.descendants, "descendants", ids), ("JSON(contentsOf:keeping:) of \(Self.ids)", "kept", ids),
    ]
    let rows = try report.jobs(
      "each in a process of its own", bytes: document.bytes, rounds: 1,
      jobs.map { Job(name: $0.name, words: [$0.job, document.path], answer: $0.answer) })
    report.wanted("\(Self.ids), peak MB", rows[1].peakBytes / 1e6, atMost: 16)
  }

  // MARK: At the head

  /// Opens the file each time. Measures until the value is there, and until the reader knows that there is no other.
  private func head(_ document: LogFile) throws {
    var times: (answer: [Double], end: [Double]) = ([], [])
    for _ in 0..<(arguments.isQuick ? 20 : 200) {
      var answer = 0.0
      let end = try seconds {
        var matches: JSONMatches?
        answer = try seconds {
          matches = try JSONMatches(of: Self.head, in: .path(document.path))
          blackHole(try matches?.next()?.value.int ?? 0)
        }
        blackHole(try matches?.next() == nil ? 1 : 0)
      }
      times.answer.append(answer)
      times.end.append(end)
    }
    let bytes = try bytesRead(document.path)
    print("\n\(Self.head), at the head of \(megabytes(document.bytes))")
    for (name, samples) in [("until the answer", times.answer), ("until the end", times.end)] {
      let spread = Spread(samples.map { $0 * 1e3 })
      print(
        column("  \(name), ms", 30) + right(fixed(spread.median, 3), 8)
          + "   (\(fixed(spread.min, 3))-\(fixed(spread.max, 3)))")
      report.add(Self.head, name, "ms", spread)
    }
    print(column("  bytes read", 30) + right("\(bytes)", 8))
    report.add(Self.head, "until the end", "bytes", Double(bytes))
    report.wanted("\(Self.head), ms until the answer", Spread(times.answer).median * 1e3, atMost: 1)
  }

  /// How far a descriptor has gone that the reader was given.
  private func bytesRead(_ path: String) throws -> Int {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var matches = try JSONMatches(of: Self.head, in: .descriptor(descriptor))
    var values: [Int?] = []
    while let match = try matches.next() { values.append(match.value.int) }
    try check(values, is: [1], Self.head)
    return Int(lseek(descriptor, 0, SEEK_CUR))
  }

  // MARK: Answers

  private func checkAnswers(_ document: LogFile) throws {
    let answer = document.answer
    let expected = [
      (Self.ids, answer.records, answer.userIDs), (Self.errorIDs, answer.errors, answer.errorUserIDs),
      (Self.descendants, answer.records, answer.userIDs), (Self.head, 1, 1),
    ]
    for (query, count, sum) in expected {
      let found = try Self.matches(query, document.path)
      try check([found.count, found.sum], is: [count, sum], "count and sum of \(query)")
    }
    var fields = Fields(matches: answer.records * Self.five.count)
    try check(Self.fields(document.path, takesValues: false), is: fields, "five paths, counted")
    fields = Fields(of: Self.five.count, answer)
    try check(Self.fields(document.path), is: fields, "five paths")
    for checks in [1, 0] as [Int32] {
      try check(raw_yajl_file(document.path, FreshDocument.chunk, checks), is: 0, "raw yajl on the file")
    }
  }

  private static func matches(_ query: String, _ path: String) throws(JSONError) -> (count: Int, sum: Int) {
    var matches = try JSONMatches(of: JSONPath(query), in: .path(path))
    var found = (count: 0, sum: 0)
    while let match = try matches.next() {
      found.count += 1
      found.sum += match.value.int ?? 0
    }
    return found
  }

  /// What the five paths find, or some of them.
  struct Fields: Equatable {
    var matches = 0
    var userIDs = 0
    var latency = 0.0
    var errors = 0
    var statuses = 0
    var hosts = 0

    init(matches: Int = 0) { self.matches = matches }

    /// What so many of them must find.
    init(of count: Int, _ answer: LogRecords.Answer) {
      matches = answer.records * count
      userIDs = count > 0 ? answer.userIDs : 0
      latency = count > 1 ? answer.latency : 0
      errors = count > 2 ? answer.errors : 0
      statuses = count > 3 ? answer.statuses : 0
      hosts = count > 4 ? answer.hosts : 0
    }
  }

  /// - Parameter names: The five, or some of them, and then any others.
  static func fields(
    _ path: String, of names: [String] = five, takesValues: Bool = true, options: JSONOptions = JSONOptions()
  ) throws -> Fields {
    let paths = try names.map { ($0, try JSONPath("$.records[*].\($0)")) }
    var matches = try JSONMatches(of: paths, in: .path(path), options: options)
    var found = Fields()
    while let match = try matches.next() {
      found.matches += 1
      guard takesValues else { continue }
      switch match.pathIndex {
      case 0: found.userIDs += match.value.int ?? 0
      case 1: found.latency += match.value.double ?? .nan
      case 2: found.errors += match.value.string == "error" ? 1 : 0
      case 3: found.statuses += match.value.int ?? 0
      // node-07.eu-west.example.net
      case 4: found.hosts += match.value.stringValue.utf8.dropFirst(5).prefix(2).reduce(0) { $0 * 10 + Int($1 & 15) }
      default: break
      }
    }
    return found
  }
}
