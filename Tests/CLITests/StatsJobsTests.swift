import Foundation
import JSONSift
import TestSupport
import Testing

/// `stats` adds up rows that workers collect. Its output and messages depend only on the input, not on the number of
/// workers or on how the input was split.
@Suite struct StatsJobsTests {
  /// Records, and the values that paths select in them.
  struct Log {
    struct Record {
      let line: String
      /// The texts of `$.level` and `$.host`.
      var level: String?
      var host: String?
      /// The texts of `$.ms` and `$.items[*].n`.
      var ms: [String] = []
      var items: [String] = []
    }

    var records: [Record] = []
    /// The indexes of invalid records.
    var bad: Set<Int> = []

    var bytes: [UInt8] { Array(records.map { $0.line + "\n" }.joined().utf8) }

    /// Returns the expected results for the records that satisfy a condition.
    func reference(
      of paths: [String], by keys: [String], where holds: (Record) -> Bool = { _ in true }
    ) -> StatsReference {
      var reference = StatsReference(of: paths, by: keys)
      for (number, record) in records.enumerated() where !bad.contains(number) && holds(record) {
        reference.add(
          paths.map { $0 == "ms" ? record.ms : record.items },
          by: keys.map { $0 == "level" ? record.level : record.host })
      }
      return reference
    }
  }

  private static let numbers = [
    "1e400", "-0", "0", "-0.0", "0.0", "0.1", "0.10", "1e-1", "9007199254740993", "9007199254740992",
    "9007199254740992.0", "1234567890123456789012345678901234567890", "-1234567890123456789012345678901234567890",
    "12345678901234567890.5", "1E+2", "100", "1.0e2", "-9223372036854775808", "18446744073709551615",
    "999999999999999999", "0.000000000000000001", "3.14159265358979323846", "1e-7", "1e22", "1e23", "-1.5", "2.5E-3",
    "\"7\"", "null", "true", "[1]", "{\"a\":1}",
  ]

  /// Numbers whose sum is written as a Double.
  private static let extremes = ["1E-400", "1e300", "-1e300", "5e-324", "1.7976931348623157e308"]

  private static let levels = [
    "\"info\"", "\"info\"", "\"info\"", "\"debug\"", "\"warn\"", "\"error\"", "null", "1", "1.0", "{\"a\": [1, 2]}",
    "\"\"", "\"\\u0069nfo\"", "\"é\\n\"", "true",
  ]

  /// Returns records of all kinds.
  ///
  /// - Parameter isDamaged: Whether some lines are invalid.
  static func log(_ count: Int, seed: UInt64 = 7, isDamaged: Bool, exotic: Bool = true, hosts: Int = 20) -> Log {
    var random = SeededGenerator(seed: seed)
    var log = Log()
    func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    for number in 0..<count {
      if isDamaged, pick(211) == 0 {
        log.bad.insert(number)
        log.records.append(
          Log.Record(
            line: ["{\"level\":\"info\",\"ms\":1", "{\"level\":\"info\",\"ms\":01}", "\u{1}", "{} {}"][pick(4)]))
        continue
      }
      var record = Log.Record(line: "")
      var members: [String] = []
      if pick(12) > 0 {
        let level = pick(40) == 0 ? levels[pick(levels.count)] : levels[pick(6)]
        record.level = level
        members.append("\(pick(50) == 0 ? "\"lev\\u0065l\"" : "\"level\""): \(level)")
        // For duplicate keys only the first counts.
        if pick(60) == 0 { members.append("\"level\":\"none\"") }
      }
      if pick(20) > 0 {
        let ms = exotic && pick(9) == 0 ? numbers[pick(numbers.count)] : "\(pick(4000)).\(pick(10))"
        record.ms = [ms]
        members.append("\"ms\":\(ms)")
        if pick(60) == 0 { members.append("\"ms\":1000000") }
      }
      if pick(3) == 0 { members.append("\"note\":\"\(String(repeating: "x", count: pick(isDebug ? 900 : 200)))\"") }
      if pick(5) == 0 {
        record.items = (0..<pick(4)).map { _ in
          exotic ? (numbers + extremes)[pick(numbers.count + extremes.count)] : "\(pick(100))"
        }
        members.append("\"items\":[\(record.items.map { "{\"n\":\($0)}" }.joined(separator: ","))]")
      }
      if pick(10) > 0 {
        let host = "\"h\(pick(hosts))\""
        record.host = host
        members.append("\"host\":\(host)")
      }
      let text = "{\(members.joined(separator: pick(30) == 0 ? " , " : ","))}"
      record = Log.Record(
        line: pick(25) == 0 ? " \(text)\t\r" : text, level: record.level, host: record.host, ms: record.ms,
        items: record.items)
      log.records.append(record)
    }
    return log
  }

  /// More than is read before workers start.
  private static let count = isDebug ? 7_000 : 14_000
  private static let good = log(count, isDamaged: false)
  private static let damaged = log(count, seed: 8, isDamaged: true)
  private static let allJobs = isDebug ? ["1", "3"] : ["1", "2", "3", "8"]

  private static let of = ["--of", "ms=$.ms"]
  private static let items = ["--of", "items=$.items[*].n"]
  private static let by = ["--by", "level=$.level"]

  @Test(arguments: [false, true])
  func `groups and numbers equal those of a simple computation, for every number of workers`(isDamaged: Bool) throws {
    let log = isDamaged ? Self.damaged : Self.good
    let bytes = log.bytes
    #expect(bytes.count > 1 << 20)
    try withFolder { folder in
      let file = try folder.file("app.log", bytes)
      for (paths, keys) in [
        (["ms"], ["level"]), (["ms", "items"], ["level", "host"]), ([], ["host", "level"]), (["ms"], []),
      ] {
        let reference = log.reference(of: paths, by: keys)
        let options = paths.flatMap { $0 == "ms" ? Self.of : Self.items } + keys.flatMap { ["--by", "\($0)=$.\($0)"] }
        var first: Outcome?
        for jobs in Self.allJobs {
          let found = try run(["stats", file, "-j", jobs] + options)
          if first == nil {
            try expectNone(reference.problems(in: found.lines))
            #expect(found.status == 0)
            #expect(found.err.contains("\(log.bad.count) bad records were skipped") == isDamaged)
          }
          let expected = first ?? found
          first = expected
          #expect(found.out == expected.out && found.err == expected.err && found.status == expected.status)
        }
        let piped = try run(["stats", "-j", "3"] + options, stdin: bytes)
        #expect(piped.out == first?.out)
      }
    }
  }

  @Test func `a condition gives the groups of the records that satisfy it, for every number of workers`() throws {
    let log = Self.damaged
    try withFolder { folder in
      let file = try folder.file("app.log", log.bytes)
      for (condition, holds) in [
        ("@.level == 'error'", { (record: Log.Record) in record.level == "\"error\"" }),
        ("!@.host && @.level", { record in record.host == nil && record.level != nil }),
      ] {
        let reference = log.reference(of: ["ms", "items"], by: ["level"], where: holds)
        for jobs in Self.allJobs {
          // With the second option, lines that cannot match are validated too.
          for options in [[], ["--max-errors", "100000"]] {
            let found = try run(
              ["stats", file, "-j", jobs, "--where", condition] + Self.of + Self.items + Self.by + options)
            try expectNone(reference.problems(in: found.lines), "\(condition), \(jobs)")
          }
        }
      }
    }
  }

  @Test(arguments: [
    "@.ms > 2000", "@.ms == 0.1", "@.ms <= 100", "100 < @.ms", "@.ms != 100", "@.ms == '7'", "@.ms == null",
    "@.ms == true", "@.ms >= 9007199254740992", "@.ms < 9007199254740993",
    "@.ms == 1234567890123456789012345678901234567890", "@.ms == -0", "@.level == 'info'", "@.level != 'info' && @.ms",
    "@.level < 'f'", "@.level >= 'info' && !(@.ms == 1)", "@.level == ''", #"@.level == "é\n""#, "@.level == 1",
    "@.level == true || @.level == null", "!@.items", "@.items && @.host", "@.host == 'h1' || 'h2' == @.host",
    "@.ms == @.level", "@.items[0].n > 1",
  ])
  func `a condition evaluated on texts accepts the same records as one evaluated on paths`(condition: String) throws {
    let log = Self.log(isDebug ? 2_500 : 6_000, seed: 21, isDamaged: true)
    let options = ["stats", "--input", "ndjson", "--where", condition] + Self.of + Self.by
    let found = try run(options, stdin: log.bytes)
    // If steps are limited this low, paths are evaluated on each parsed record.
    let expected = try run(options + ["--max-query-steps", "4000"], stdin: log.bytes)
    #expect(found.out == expected.out && found.status == expected.status && found.err == expected.err)
    #expect(found.status < 2)
  }

  /// The arguments of runs that end early, skip lines, or use other ways of reading.
  @Test(arguments: [
    of + by + ["--on-error", "stop"], of + by + ["--max-errors", "5"],
    of + ["--by", "host=$.host", "--max-errors", "1000"], of + by + ["--skip-prefix"],
    of + by + ["--from-offset", "20001"], of + ["--by", "host=$.host", "--max-groups", "7"],
    of + ["--by", "n=$", "--max-groups", "5000"], of + ["--by", "n=$", "--max-groups", "10", "--max-errors", "0"],
    of + by + ["--max-query-steps", "1"], of + by + ["--input", "values"], ["--of", "all=$..*"] + by,
    of + by + ["--format", "csv"], ["--by", "items=$.items"], by + ["--where", "@.ms > 2000"],
    by + ["--distinct", "ms=$.ms", "--distinct", "all=$..*", "--top", "3"], of + by + ["--distinct", "all=$"],
    by + ["--every", "1s", "--time", "$.ms"], by + of + ["--distinct", "ms=$.ms", "--max-query-steps", "1"],
    ["--every", "7s", "--time", "$.ms", "--distinct", "host=$.host", "--max-groups", "30"],
    of + ["--every", "1m", "--time", "$.ms", "--since", "100", "--until", "3000", "--max-errors", "9"],
  ])
  func `output, messages, rejects and status do not depend on the number of workers`(arguments: [String]) throws {
    try withFolder { folder in
      let file = try folder.file("app.log", Self.damaged.bytes)
      let other = try folder.file("b.ndjson", Self.log(300, seed: 3, isDamaged: true).bytes)
      let files = arguments.contains("--from-offset") ? [file] : [file, other, file]
      var all: [(Outcome, String)] = []
      for jobs in Self.allJobs {
        let rejects = "rejects-\(jobs)"
        let found = try run(["stats"] + arguments + files + ["-j", jobs, "--rejects", folder.path(rejects)])
        all.append((found, try folder.text(rejects)))
      }
      for (found, rejects) in all {
        #expect(found.out == all[0].0.out && found.status == all[0].0.status && rejects == all[0].1)
        let reported = found.err.replacing(#/rejects-\d/#, with: "rejects")
        #expect(reported == all[0].0.err.replacing(#/rejects-\d/#, with: "rejects"))
      }
    }
  }

  @Test func `a group over the limit ends the run at its first record, for every number of workers`() throws {
    // The groups occur late, and the record after each is bad.
    let filler = String(repeating: "x", count: isDebug ? 600 : 60)
    var lines: [String] = []
    for number in 0..<(isDebug ? 4_000 : 30_000) {
      lines.append("{\"g\":\(number % 1000 == 999 ? number / 1000 : 0),\"f\":\"\(filler)\"}")
      if number % 1000 == 999 { lines.append("{") }
    }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    #expect(bytes.count > 1 << 20)
    try withFolder { folder in
      let file = try folder.file("app.log", bytes)
      // Group 0 has the first 2999 records except one; the record of group 2 is the 3000th.
      for jobs in Self.allJobs {
        let found = try run(["stats", "--by", "g=$.g", "--max-groups", "2", "-j", jobs, file])
        #expect(found.text == "{\"g\":0,\"count\":2998}\n{\"g\":1,\"count\":1}\n")
        #expect(found.err.contains("2 bad records were skipped"))
        #expect(found.err.hasSuffix("found more; raise --max-groups (about 200 bytes per group)\n"))
        #expect(found.status == 2)
      }
    }
  }

  @Test func `many groups are distinguished, in the order of their first records`() throws {
    let count = isDebug ? 9_000 : 60_000
    var reference = StatsReference(of: ["n"], by: ["id"])
    var lines: [String] = []
    for number in 0..<(count * 2) {
      let id = "\"user-\(number * 7919 % count)\""
      lines.append("{\"id\":\(id),\"n\":\(number),\"pad\":\"\(isDebug ? String(repeating: "-", count: 60) : "")\"}")
      reference.add([["\(number)"]], by: [id])
    }
    try withFolder { folder in
      let file = try folder.file("users.log", lines.joined(separator: "\n"))
      for jobs in Self.allJobs {
        let found = try run(["stats", "--of", "n=$.n", "--by", "id=$.id", "-j", jobs, file])
        #expect(found.status == 0)
        if jobs == "1" || jobs == "3" { try expectNone(reference.problems(in: found.lines)) }
      }
    }
  }

  @Test func `absent values, null and texts with line breaks give different groups`() throws {
    let input = """
      {"a":"x","b":"y"}
      {"a":"x\\ny"}
      {"b":"y"}
      {"a":null,"b":"y"}
      {"a":[1,
      """ + "\r" + """
        2]}
        {"a":[1,2]}
        {"a":"x"}
        {}
        """
    let found = try run(["stats", "--by", "a=$.a", "--by", "b=$.b", "--input", "ndjson"], stdin: input)
    #expect(
      found.text == """
        {"a":"x","b":"y","count":1}
        {"a":"x\\ny","count":1}
        {"b":"y","count":1}
        {"a":null,"b":"y","count":1}
        {"a":[1,2],"count":2}
        {"a":"x","count":1}
        {"count":1}

        """)
  }

  @Test func `sums do not depend on the order of the numbers`() throws {
    let numbers = (Self.numbers + Self.extremes).filter {
      !["1e400", "\"7\"", "null", "true", "[1]", "{\"a\":1}"].contains($0)
    }
    var random = SeededGenerator(seed: 5)
    var sums: Set<String> = []
    for _ in 0..<6 {
      let shuffled = numbers.shuffled(using: &random)
      let found = try run(["stats", "--of", "n=$", "--input", "ndjson"], stdin: shuffled.joined(separator: "\n"))
      var reference = StatsReference(of: ["n"], by: [])
      for number in shuffled { reference.add([[number]], by: []) }
      try expectNone(reference.problems(in: found.lines))
      sums.insert(try JSON(parsing: found.text)["sum"].numberText ?? "")
    }
    #expect(sums.count == 1)
  }

  @Test func `percentiles are exact up to 1000 numbers of a group, and within a thousandth beyond`() throws {
    for count in [999, 1000, 1001, 5000] {
      for exponent in [-320, -300, -5, 0, 12, 300] {
        let numbers = (0..<count).map { "\($0 % 2 == 0 ? "-" : "")\(1 + $0 * 37 % count)e\(exponent)" }
        var reference = StatsReference(of: ["n"], by: [])
        for number in numbers { reference.add([[number]], by: []) }
        let found = try run(["stats", "--of", "n=$", "--input", "ndjson"], stdin: numbers.joined(separator: "\n"))
        try expectNone(reference.problems(in: found.lines), "\(count), \(exponent)")
      }
    }
  }

  private func expectNone(_ problems: [String], _ what: String = "", at location: SourceLocation = #_sourceLocation) {
    #expect(problems.isEmpty, "\(what): \(problems.prefix(3).joined(separator: "; "))", sourceLocation: location)
  }
}
