import Foundation
import JSONSift
import TestSupport
import Testing

/// `jsift report` says what its commands print, whatever the log.
@Suite struct ReportTests {
  // MARK: Logs

  /// Returns a random log, with damaged lines, gaps in time, outliers, missing fields and values of other types.
  static func log(_ random: inout SeededGenerator) -> String {
    let levels = ["info", "warn", "error", "debug", "fatal", "notice", "trace"].shuffled(using: &random)
      .prefix(Int.random(in: 1...7, using: &random))
    let steps = [1, 1, 30, 3000].randomElement(using: &random) ?? 1
    var time = 1_770_000_000
    var log = ""
    for _ in 0..<Int.random(in: 1...400, using: &random) {
      time += Int.random(in: 0...steps, using: &random)
      if Int.random(in: 0..<60, using: &random) == 0 { time += steps * 500 }
      var members: [String] = []
      let isOutlier = Int.random(in: 0..<80, using: &random) == 0
      if Int.random(in: 0..<20, using: &random) > 0 { members.append("\"ts\":\(isOutlier ? 0 : time)") }
      let level = levels.randomElement(using: &random) ?? "info"
      if Int.random(in: 0..<15, using: &random) > 0 { members.append("\"level\":\"\(level)\"") }
      let word = ["user", "caf\\u00e9", "it's <b>", "say \\\"hi\\\"", "\\u202e"].randomElement(using: &random) ?? ""
      members.append("\"msg\":\"\(word) \(Int.random(in: 0...9999, using: &random)) done\"")
      let number = ["\(Int.random(in: -5...900, using: &random))", "1.50", "2e3", "null", "\"x\""]
      members.append(
        "\"req\":{\"ms\":\(number.prefix(Int.random(in: 0..<9, using: &random) == 0 ? 5 : 1).last ?? "1")}")
      members.append("\"host's name\":\"h\(Int.random(in: 0..<3, using: &random))\"")
      var line = "{\(members.shuffled(using: &random).joined(separator: ","))}"
      // A short text whose first line is cut looks like one document, which report refuses.
      if Int.random(in: 0..<40, using: &random) == 0, !log.isEmpty {
        line = String(line.dropLast(Int.random(in: 1...9, using: &random)))
      }
      log += line + "\n"
    }
    return log
  }

  private static func report(_ arguments: String..., stdin: String? = nil, status: Int32 = 0) throws -> JSON {
    let arguments = ["report", "--format", "json", "--examples", "all"] + arguments
    let found = try stdin.map { try run(arguments, stdin: $0) } ?? run(arguments)
    #expect(found.status == status, "\(found.err)")
    return try JSON(parsing: found.out)
  }

  // MARK: Equality with the commands

  /// The number of random sets of logs; `JSONSIFT_TEST_ROUNDS` sets it.
  static let rounds =
    (ProcessInfo.processInfo.environment["JSONSIFT_TEST_ROUNDS"].flatMap { Int($0) } ?? 400) / 100

  @Test func `every number is what its command prints`() throws {
    var random = SeededGenerator()
    for round in 0..<Self.rounds {
      try withFolder { folder in
        let texts = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.log(&random) }
        let files = try texts.enumerated().map { try folder.file("it's \($0.offset).log", $0.element) }
        let arguments = ["report", "--format", "json", "--examples", "all", "-j", "\(round % 3 + 1)"] + files
        let found = try run(arguments)
        let place = "\(random), round \(round)"
        #expect(found.status == 0, "\(place): \(found.err)")
        let report = try JSON(parsing: found.out)
        let all = texts.joined().split(separator: "\n")
        let good = all.count { (try? JSON(parsing: String($0))) != nil }
        #expect(report["records"].intValue == good && report["badRecords"].intValue == all.count - good, "\(place)")
        for section in report["sections"].arrayValue where section["id"] != "fields" {
          try Self.compare(section, place)
        }
      }
    }
  }

  /// Runs the command of a section, which prints the rows of the section, and others only if the section is a part of a table.
  private static func compare(_ section: JSON, _ place: String) throws {
    let command = section["command"].stringValue
    let printed = try shell("jsift() { \"$JSIFT\" \"$@\"; }\n\(command) 2>/dev/null")
    #expect(printed.status == 0, "\(place): \(command)")
    let rows = section["rows"].arrayValue.map { String(decoding: $0.rawBytes, as: UTF8.self) }
    if section["id"] == "passing" { return try comparePassing(section, printed.lines, "\(place): \(command)") }
    if section["id"] == "numbers-time" { return try compareTimed(section, printed.lines, "\(place): \(command)") }
    // Within an interval the order of groups is that of the first records.
    if section["id"] == "time" {
      // Times far from all others are left out.
      let times = section["rows"].arrayValue.compactMap { $0["time"].string }
      let inside = try printed.lines.filter { line in
        guard let time = try JSON(parsing: line)["time"].string, let first = times.min(), let last = times.max() else {
          return true
        }
        return first <= time && time <= last
      }
      // Equal levels may be spelled as they were first in the log, or in the interval.
      func counted(_ lines: [String]) throws -> [JSON: Int] {
        try lines.reduce(into: [:]) { $0[try JSON(parsing: $1), default: 0] += 1 }
      }
      #expect(try counted(rows) == counted(inside), "\(place): \(command)")
    } else {
      #expect(rows == printed.lines, "\(place): \(command)")
    }
  }

  /// The command prints the records of each message by interval: their sum, the first and the last are those of the section.
  private static func comparePassing(_ section: JSON, _ lines: [String], _ place: String) throws {
    var found: [[String]: (count: Int, times: [String])] = [:]
    for line in lines {
      let row = try JSON(parsing: line)
      let key = ["level", "message"].map { String(decoding: row[$0].rawBytes, as: UTF8.self) }
      found[key, default: (0, [])].count += row["count"].intValue
      if let time = row["time"].string { found[key, default: (0, [])].times.append(time) }
    }
    for row in section["rows"].arrayValue {
      let all = found[["level", "message"].map { String(decoding: row[$0].rawBytes, as: UTF8.self) }]
      #expect(all?.count == row["count"].int, "\(place)")
      #expect(all?.times.min() == row["first"].string && all?.times.max() == row["last"].string, "\(place)")
    }
  }

  /// The command prints more columns, intervals without numbers, and times far from all others.
  private static func compareTimed(_ section: JSON, _ lines: [String], _ place: String) throws {
    let rows = section["rows"].arrayValue
    let times = rows.compactMap { $0["time"].string }
    let first = try #require(times.min()), last = try #require(times.max())
    let shown = Set(rows.map { $0["name"].stringValue })
    let printed = try lines.map { try JSON(parsing: $0) }.filter { row in
      guard let time = row["time"].string else { return false }
      return first <= time && time <= last && row["count"].intValue > 0 && shown.contains(row["name"].stringValue)
    }
    let names = ["name", "time", "count", "p50", "p95", "p99"]
    func text(_ row: JSON) -> [String] { names.map { String(decoding: row[$0].rawBytes, as: UTF8.self) } }
    for name in shown {
      let (found, expected) = (rows.filter { $0["name"].string == name }, printed.filter { $0["name"].string == name })
      #expect(found.map(text) == expected.map(text), "\(place)")
    }
  }

  @Test func `the page does not depend on workers, blocks and the kind of input`() throws {
    var random = SeededGenerator(seed: 7)
    let log = (0..<40).map { _ in Self.log(&random) }.joined()
    try withFolder { folder in
      let file = try folder.file("a.log", log)
      let page = try run(["report", "-j1", file])
      page.expect(status: 0)
      #expect(try run(["report", "-j2", file]).out == page.out)
      #expect(try run(["report", "-j3", file]).out == page.out)
      let named = page.text.replacing(file, with: "standard input").replacing("\(file)<", with: "-<")
      func normal(_ text: String) -> String {
        text.replacing("standard input", with: "-").replacing(file, with: "-")
      }
      #expect(try normal(run(["report"], stdin: log).text) == normal(named))
      let slow = try shell("{ head -c 100000; sleep 0.1; cat; } <'\(file)' | \"$JSIFT\" report")
      #expect(normal(slow.text) == normal(named))
      #if Compression
        let packed = try shell("gzip -k '\(file)' && \"$JSIFT\" report '\(file).gz'")
        #expect(normal(packed.text.replacing("\(file).gz", with: file)) == normal(named))
      #endif
    }
  }

  @Test func `the order of files matters only to examples and ties`() throws {
    var random = SeededGenerator(seed: 8)
    try withFolder { folder in
      let first = try folder.file("a.log", Self.log(&random))
      let second = try folder.file("b.log", Self.log(&random))
      func counts(_ files: String...) throws -> [String: [String]] {
        let found = try run(
          ["report", "--format", "json", "--time", "$.ts", "--by", "$.level", "--of", "$.req.ms"] + files)
        var counts: [String: [String]] = [:]
        for section in try JSON(parsing: found.out)["sections"].arrayValue
        where ["time", "numbers", "values-1"].contains(section["id"].stringValue) {
          counts[section["id"].stringValue] = section["rows"].arrayValue.map { row in
            String(decoding: row.rawBytes, as: UTF8.self)
          }.sorted()
        }
        return counts
      }
      #expect(try counts(first, second) == counts(second, first))
    }
  }

  // MARK: Fields

  @Test func `fields are found by their names and values, and can be named`() throws {
    let log = (0..<50).map {
      "{\"when\":\"2026-01-01T00:00:\($0 + 10)Z\",\"log\":{\"level\":\"l\($0 % 3)\"},\"text\":\"m \($0)\",\"n\":\($0),\"id\":\($0)}\n"
    }.joined()
    func fields(_ arguments: String...) throws -> [String] {
      let found = try run(["report", "--format", "json"] + arguments, stdin: log)
      return try JSON(parsing: found.out)["sections"].arrayValue.filter { $0["id"] == "fields" }.flatMap { section in
        section["rows"].arrayValue.map { "\($0["field"].stringValue) \($0["path"].stringValue)" }
      }
    }
    #expect(try fields() == ["time $.when", "level $.log.level", "message $.text", "number $.n"])
    #expect(
      try fields("--time", "$.n", "--level", "$.text", "--message", "$.when", "--of", "$.id", "--by", "$.log.level")
        == [
          "time $.n", "level $.text", "message $.when", "number $.id", "value $.log.level",
        ])
  }

  @Test func `a log without such fields has a shape and counts`() throws {
    let report = try Self.report(stdin: "1\n2\n\"x\"\n")
    #expect(report["sections"].arrayValue.map { $0["id"].stringValue } == ["shape", "fields"])
    #expect(report["records"] == 3)
  }

  @Test func `an incident is named first`() throws {
    var log = ""
    for second in 0..<6000 {
      log += "{\"ts\":\(1_770_000_000 + second),\"level\":\"info\",\"msg\":\"ok \(second)\"}\n"
      if (3000..<3120).contains(second) {
        log += "{\"ts\":\(1_770_000_000 + second),\"level\":\"error\",\"msg\":\"pool \(second) exhausted\"}\n"
      }
    }
    let report = try Self.report(stdin: log)
    let finding = report["findings"][0].stringValue
    #expect(
      finding.hasPrefix("records of level error: up to 60 per 1m")
        && finding.contains("from 2026-02-02T03:30:00Z to 2026-02-02T03:31:00Z"),
      "\(finding)")
    #expect(report["findings"][1].stringValue.hasPrefix("120 records with the message 'pool <number> exhausted'"))
    let messages = report["sections"].arrayValue.first { $0["title"] == "Messages of level error" }
    #expect(messages?["rows"][0]["message"] == "pool <number> exhausted" && messages?["rows"][0]["count"] == 120)
  }

  @Test func `an incident that is only slow is named, and a usual spread is not`() throws {
    for (seed, slow) in [(1, 0..<0), (2, 0..<0), (3, 12_000..<13_000), (4, 10_000..<19_000)] {
      var random = SeededGenerator(seed: UInt64(seed))
      var log = ""
      for number in 0..<20_000 {
        // A log-normal spread: a few are ten times as large as half of all.
        let sum = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
        let isSlow = slow.contains(number) && Int.random(in: 0..<3, using: &random) == 0
        let duration = isSlow ? Double.random(in: 3000..<9000, using: &random) : 50 * Foundation.exp(sum)
        log += "{\"ts\":\(1_770_000_000 + number * 4),\"message\":\"ok\",\"ms\":\(Int(duration))}\n"
      }
      let findings = try Self.report(stdin: log)["findings"].arrayValue.map(\.stringValue)
      #expect(findings.count == (slow.isEmpty ? 0 : 1), "\(findings)")
      guard let finding = findings.first else { continue }
      #expect(finding.hasPrefix("p95 of ms: up to "), "\(finding)")
      if seed == 3 {
        #expect(finding.contains(" per 30m, from 2026-02-02T16:00:00Z to 2026-02-02T17:00:00Z"), "\(finding)")
      }
    }
  }

  /// Logs with numbers: the incident that a person would see, or none.
  @Test(arguments: [
    // All are slow for twenty minutes, with a record every ten seconds.
    ("sparse", "p95 of ms: up to 3000 per 5m, from 2026-02-02T03:40:00Z to 2026-02-02T03:55:00Z"),
    ("usually zero", "p95 of ms: up to 8"), ("one in ten", "p95 of ms: up to 30000 per 5m, from "),
    ("wrong clocks", "p95 of ms: up to 3000 per "), ("quiet nights", nil), ("an offset", nil), ("a constant", nil),
  ])
  func `numbers over time say when they were large`(name: String, expected: String?) throws {
    var random = SeededGenerator(seed: 5)
    func spread() -> Double {
      20 * Foundation.exp((0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) })
    }
    let start = 1_770_000_000
    var records: [(time: Int, number: Int)] = []
    switch name {
    case "sparse": for n in 0..<720 { records.append((start + n * 10, (360..<480).contains(n) ? 3000 : 30)) }
    case "usually zero":
      for n in 0..<20_000 {
        let isLarge = (10_000..<13_000).contains(n)
        records.append((start + n / 3, isLarge ? 50 + n % 41 : n % 33 == 0 ? n % 40 : 0))
      }
    case "one in ten":
      for n in 0..<30_000 {
        records.append((start + n, (9000..<12_000).contains(n) && n % 10 == 0 ? 30_000 : Int(spread())))
      }
    case "wrong clocks":
      for n in 0..<60_000 {
        let time = n % 1020 == 0 ? 200_000_000 + n * 2000 : start + n / 8
        records.append((time, (25_000..<35_000).contains(n) ? 3000 : 30))
      }
    case "quiet nights":
      for hour in 0..<48 {
        let count = (8..<18).contains(hour % 24) ? 500 : 1
        for n in 0..<count { records.append((start + hour * 3600 + n * 3600 / count, Int(spread()))) }
      }
    case "an offset": for n in 0..<6000 { records.append((start + n, n * 512)) }
    default: for n in 0..<6000 { records.append((start + n, 7)) }
    }
    let log = records.map { "{\"ts\":\($0.time),\"ms\":\($0.number)}\n" }.joined()
    let findings = try Self.report("--of", "$.ms", stdin: log)["findings"].arrayValue.map(\.stringValue)
      .filter { $0.hasPrefix("p95") }
    #expect(findings.count == (expected == nil ? 0 : 1), "\(findings)")
    if let expected { #expect(findings.first?.hasPrefix(expected) == true, "\(findings)") }
  }

  @Test func `an outage is named, and what chance does is not`() throws {
    var random = SeededGenerator(seed: 6)
    var log = ""
    for second in 0..<20_000 where !(12_000..<13_080).contains(second) {
      log += "{\"ts\":\(1_770_000_000 + second),\"level\":\"info\",\"message\":\"ok\"}\n"
      // Three in five minutes.
      if Int.random(in: 0..<100, using: &random) == 0 {
        log += "{\"ts\":\(1_770_000_000 + second),\"level\":\"error\",\"message\":\"no\"}\n"
      }
    }
    let findings = try Self.report(stdin: log)["findings"].arrayValue.map(\.stringValue)
    #expect(
      findings.count == 1
        && findings[0].hasPrefix("no records per 5m, from 2026-02-02T06:00:00Z to 2026-02-02T06:10:00Z"),
      "\(findings)")
  }

  @Test func `messages of a busy hour are not such that came and went`() throws {
    var random = SeededGenerator(seed: 7)
    var log = ""
    for number in 0..<20_000 {
      let time = number % 33 == 0 ? number * 4 : 30_000 + number / 7
      let word =
        ["alpha", "beta", "gamma", "delta", "eta", "theta", "iota", "kappa"].randomElement(using: &random) ?? ""
      let other = ["red", "green", "blue", "pink", "grey"].randomElement(using: &random) ?? ""
      log +=
        "{\"ts\":\(1_770_000_000 + time),\"message\":\"\(word) \(other) \(word) \(number % 40 < 20 ? "x" : other)\"}\n"
    }
    let report = try Self.report(stdin: log)
    #expect(!report["sections"].arrayValue.contains { $0["id"] == "passing" })
  }

  @Test func `a masked level is in no command`() throws {
    let log = (0..<20).map { "{\"level\":\"\($0 % 2 == 0 ? "bob" : "eve")@example.com\",\"msg\":\"x\"}\n" }.joined()
    let page = try run(["report", "--level", "$.level"], stdin: log)
    #expect(!page.text.contains("@example") && page.text.contains("The level is masked"))
  }

  @Test func `a report ends where a path takes too many steps`() throws {
    for options in [
      ["--each", "$.a", "--max-query-steps", "2"],
      ["--unwrap", "$.a", "--unwrap-else", "keep", "--max-query-steps", "1"],
    ] {
      let found = try run(["report"] + options, stdin: "{\"a\":1}\n")
      #expect(found.status == 2 && found.err.contains("--max-query-steps"), "\(found.err)")
    }
  }

  @Test func `times that are far too large are none`() throws {
    let log = (0..<5000).map { "{\"ts\":\((1_770_000_000 + $0 * 45) * 1_000_000_000),\"v\":\($0)}\n" }.joined()
    let page = try run(["report", "--time-unit", "s"], stdin: log)
    #expect(page.out.count < 100_000 && page.text.contains("5000 records without a time"), "\(page.out.count)")
  }

  /// Logs in which a report was wrong once.
  @Test(arguments: [
    ("equal and unequal levels", ["1", "\"1\"", "1.0", "2", "true", "\"true\"", "null", "\"null\"", "0", "-0.0"]),
    ("levels of canonical equality", ["\"\u{E9}\"", "\"e\u{301}\"", "\"a\""]),
    ("levels that are containers", ["[]", "{\"a\":1}", "\"info\"", "\"warn\""]),
    ("numbers as levels", ["1.0", "0.10", "10000000000000000000000000", "12345678901234567890123"]),
    ("forty levels", (0..<40).map { "\"l\($0)\"" }),
  ])
  func `levels of all kinds are those of the commands`(name: String, levels: [String]) throws {
    try withFolder { folder in
      var log = ""
      for number in 0..<120 {
        log +=
          "{\"ts\":\(1_770_000_000 + number),\"level\":\(levels[number % levels.count]),\"message\":\"m\(number % 3) x\"}\n"
      }
      let file = try folder.file("a.log", log)
      let report = try Self.report("--level", "$.level", file)
      for section in report["sections"].arrayValue where section["id"] != "fields" {
        // Of many levels the later ones are not in the table over time.
        if levels.count > 32, section["id"] == "time" { continue }
        try Self.compare(section, name)
      }
    }
  }

  @Test func `results of paths with equal names have different ones`() throws {
    try withFolder { folder in
      let file = try folder.file(
        "a.log",
        (0..<60).map { "{\"a\":{\"b\":\($0).5},\"a.b\":\($0 * 2).25,\"name\":\($0).75,\"name_\":\($0 * 3)}\n" }.joined()
      )
      let report = try Self.report(file)
      for section in report["sections"].arrayValue where section["id"] != "fields" {
        try Self.compare(section, "names")
      }
    }
  }

  @Test func `a wrong clock does not make a day one column`() throws {
    var log = ""
    for second in 0..<20_000 { log += "{\"ts\":\(1_770_000_000 + second * 4),\"message\":\"ok\"}\n" }
    log += "{\"ts\":4070000000,\"message\":\"ok\"}\n{\"ts\":0,\"message\":\"ok\"}\n"
    let report = try Self.report(stdin: log)
    let times = report["sections"].arrayValue.first { $0["id"] == "time" }
    #expect((times?["rows"].count ?? 0) > 20)
    #expect(
      times?["notes"].arrayValue.contains {
        $0.stringValue.hasPrefix("2 records have times far from all others, from about 1970")
      }
        == true)
    #expect(report["findings"].isEmpty, "\(report["findings"])")
  }

  @Test(arguments: [("\"info\"", "\"fatal\"", "fatal"), ("30", "60", "60")])
  func `a fall of the traffic and a few fatal records are found`(info: String, fatal: String, shown: String) throws {
    var log = ""
    for second in 0..<40_000 where !(20_000..<24_000).contains(second) || second % 50 == 0 {
      log += "{\"ts\":\(1_770_000_000 + second),\"level\":\(info),\"message\":\"ok\"}\n"
      if [30_000, 30_007].contains(second) {
        log += "{\"ts\":\(1_770_000_000 + second),\"level\":\(fatal),\"message\":\"out of memory\"}\n"
      }
    }
    let findings = try Self.report(stdin: log)["findings"].arrayValue.map(\.stringValue)
    #expect(findings.first == "2 records of level \(shown), at 2026-02-02T11:00:00Z", "\(findings)")
    #expect(findings.contains { $0.hasPrefix("few records: at most ") }, "\(findings)")
  }

  @Test func `numeric levels are ordered by severity beside records without a level`() throws {
    var log = ""
    for second in 0..<20_000 {
      log += "{\"ts\":\(1_770_000_000 + second),\"level\":30,\"message\":\"ok\"}\n"
      if (9000..<9040).contains(second) { log += "{\"ts\":\(1_770_000_000 + second),\"message\":\"no level\"}\n" }
      if (9000..<9010).contains(second) {
        log += "{\"ts\":\(1_770_000_000 + second),\"level\":60,\"message\":\"fatal\"}\n"
      }
    }
    let sections = try Self.report(stdin: log)["sections"].arrayValue
    let passing = sections.first { $0["id"] == "passing" }?["rows"].arrayValue.map(\.["message"].stringValue)
    #expect(passing == ["fatal", "no level"])
    let titles = sections.map(\.["title"].stringValue).filter { $0.hasPrefix("Messages of level ") }
    #expect(titles == ["Messages of level 60", "Messages of level 30"])
  }

  @Test func `fields are found beside hundreds of others, and a constant is no time`() throws {
    let others = (0..<250).map { "\"f\($0)\":0" }.joined(separator: ",")
    let log = (10..<60).map {
      "{\"received\":\"2026-01-01T00:00:00Z\",\"at\":\"2026-01-02T00:00:\($0)Z\",\"level\":\"info\",\"message\":\"m\",\(others)}\n"
    }.joined()
    let fields = try Self.report(stdin: log)["sections"].arrayValue.last?["rows"].arrayValue.prefix(3)
    #expect(fields?.map { $0["path"].stringValue } == ["$.at", "$.level", "$.message"])
  }

  // MARK: Hostile text

  /// Texts that would be markup, would run, or would change the order of others.
  private static let hostile = [
    "<script>alert(1)</script>", "</title><script>", "\" onload=\"alert(1)", "'><img src=x onerror=alert(1)>",
    "&lt;b&gt;",
    "&#60;", "]]>", "<!--", "--><b>", "javascript:alert(1)", "</style>", "<svg onload=alert(1)>", "{{7*7}}", "${1}",
    "\u{202E}abc\u{2066}", "\u{200B}\u{FEFF}", "\u{1B}[31mred", "\u{0}\u{1}\u{7F}\u{85}", "\u{FFFE}\u{FFFF}",
    "a\u{300}\u{301}",
  ]

  @Test func `text of the log is text on the page`() throws {
    var log: [UInt8] = []
    for (index, text) in Self.hostile.enumerated() {
      for number in 0..<50 {
        var record = JSON([:])
        record["ts"] = JSON(1_770_000_000 + number * 60)
        record["level"] = JSON(text)
        record["message"] = JSON("\(text) \(index)")
        record[text] = JSON(number)
        record["kind"] = JSON(text)
        log += try record.bytes() + [10]
      }
    }
    for examples in ["none", "masked", "all"] {
      let page = try run(["report", "--examples", examples], stdin: log)
      page.expect(status: 0)
      let text = page.text
      #expect(text.utf8.count <= 500_000)
      // Markup is ours alone.
      for tag in Set(text.matches(of: /<\/?([A-Za-z!][A-Za-z0-9]*)/).map { String($0.output.1).lowercased() }) {
        #expect(Self.tags.contains(tag), "<\(tag)")
      }
      #expect(!text.contains(/<[^>]* on[a-z]+=/) && !text.contains("<script") && !text.contains("http://www.w3"))
      let hidden = text.unicodeScalars.first { scalar in
        (scalar.value < 0x20 && scalar != "\n") || (0x7F..<0xA0).contains(scalar.value)
          || [0x202E, 0x2066, 0x200B, 0xFEFF, 0xFFFE, 0xFFFF].contains(scalar.value)
      }
      #expect(hidden == nil, "\(String(describing: hidden))")
      #expect(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && text.contains("\\u{202e}abc\\u{2066}"))
      #expect(text.contains("Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\""))
    }
  }

  private static let tags: Set = [
    "!", "!doctype", "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "ul", "li", "section",
    "div",
    "table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary", "code", "svg", "g", "rect", "text",
    "line",
    "path", "circle",
  ]

  @Test func `secrets are masked unless all examples are asked for`() throws {
    let secrets = ["hunter2secret", "ada@example.org", "4111111111111111", "10.1.2.3", "AKIAIOSFODNN7EXAMPLE"]
    var log = ""
    for number in 0..<40 {
      log += """
        {"ts":\(1_770_000_000 + number),"level":"\(secrets[1])","password":"\(secrets[0])","card":\(secrets[2]),\
        "msg":"login of \(secrets[1]) from \(secrets[3]) with \(secrets[4])","\(secrets[1])":\(number),\
        "in":"{\\"password\\":\\"\(secrets[0])\\"}"}

        """
    }
    for format in ["html", "json"] {
      for examples in ["none", "masked"] {
        let page = try run(
          ["report", "--format", format, "--examples", examples], stdin: log + "{\"x\":\"\(secrets[0])\n")
        page.expect(status: 0)
        // Commands name paths, which are needed to ask again.
        let shown = page.text.replacing(/<code>.*?<\/code>|"command":"(\\.|[^"\\])*"/, with: "")
        for secret in secrets { #expect(!shown.contains(secret), "\(format) \(examples): \(secret)") }
      }
      let all = try run(["report", "--format", format, "--examples", "all"], stdin: log)
      for secret in secrets { #expect(all.text.contains(secret), "\(format): \(secret)") }
    }
  }

  @Test func `a secret is masked before it is cut or divided`() throws {
    let secrets = [
      "alice.smith.averyveryverylongname@example.com", "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
      "AKIAIOSFODNN7EXAMPLE",
      "4111111111111111",
    ]
    let log = (0..<30).map { number in
      "{\"message\":\"a user has logged in with the key: \(secrets[number % 3]) ok\",\"n\":\(secrets[3]),\"in\":\"{\\\"password\\\":\\\"hunter2\\\",\\\"a\\\":\\\"\(String(repeating: "x", count: 90))\\\"}\"}\n"
    }.joined()
    try withFolder { folder in
      let file = try folder.file("bob@example.com.log", log)
      for format in ["html", "json"] {
        let page = try run(["report", "--format", format, "--of", "$.n", file])
        page.expect(status: 0)
        let shown = page.text.replacing(/<code>.*?<\/code>|"commands?":(\[[^\]]*\]|"(\\.|[^"\\])*")/, with: "")
        for part in ["alice", "ghp_1", "AKIAIO", "411111", "hunter2", "bob@", "41111"] {
          #expect(!shown.contains(part), "\(format): \(part)")
        }
      }
    }
  }

  @Test func `long labels do not make a long page`() throws {
    let long = String(repeating: "<", count: 20_000)
    let marks = "a" + String(repeating: "\u{301}", count: 5000)
    var log = (0..<1100).map { "{\"ts\":\($0 * 60),\"level\":\"info\",\"k\":\"\($0 % 3)\",\"message\":\"m\"}\n" }
      .joined()
    for number in 0..<100 {
      log +=
        "{\"ts\":\(number * 60),\"level\":\"\(number % 2 == 0 ? long : marks)\",\"k\":\"\(long)\",\"message\":\"\(marks)\"}\n"
    }
    let page = try run(["report", "--examples", "all"], stdin: log)
    page.expect(status: 0)
    #expect(page.out.count <= 500_000, "\(page.out.count)")
  }

  @Test func `the page is small whatever the input`() throws {
    var log = ""
    for number in 0..<3000 {
      let long = String(repeating: "<\\u202e&", count: 60)
      let keys = (0..<12).map { "\"\(long)\(number % 300)-\($0)\":\"\(long)\(number)\"" }.joined(separator: ",")
      log += "{\"ts\":\(number * 977),\"level\":\"\(long)\(number % 14)\",\"message\":\"\(long)x\",\(keys)}\n"
    }
    let page = try run(["report", "--examples", "all"], stdin: log)
    page.expect(status: 0)
    #expect(page.out.count <= 500_000, "\(page.out.count)")
  }

  // MARK: Inputs

  @Test func `many long levels do not make a long page`() throws {
    var log = ""
    for number in 0..<6000 {
      let long = String(repeating: "<", count: 200)
      let keys = (0..<8).map { "\"\(long)\($0)\":\"\(long)\(number % 9)\",\"n\($0)\":\(number * $0 % 977)" }
      log +=
        "{\"ts\":\(number * 400),\"level\":\"\(long)\(number % 32)\",\"message\":\"\(long)\",\(keys.joined(separator: ","))}\n"
    }
    let page = try run(["report", "--level", "$.level", "--examples", "all"], stdin: log)
    page.expect(status: 0)
    #expect(page.out.count <= 500_000 && page.text.contains(" rows. The command prints all of them."))
  }

  @Test func `one document needs --each`() throws {
    try withFolder { folder in
      let file = try folder.file("a.json", "{\"items\": [\n{\"level\":\"info\"},\n{\"level\":\"warn\"}\n]}\n")
      let found = try run(["report", file])
      #expect(found.err.hasSuffix("a.json: \(Self.needsLines)\n") && found.status == 2 && found.out.isEmpty)
      let report = try Self.report("--each", "$.items", file)
      #expect(report["records"] == 2)
      for section in report["sections"].arrayValue where section["id"] != "fields" { try Self.compare(section, "each") }
    }
  }

  private static let needsLines =
    "a report reads records that are lines, found one document or another form; --each names the array whose elements "
    + "are records"

  @Test func `a file that cannot be read, and an input without records, have their status`() throws {
    try withFolder { folder in
      let empty = try folder.file("empty.log", "")
      #expect(try run(["report", empty]).status == 1)
      let found = try run(["report", "-o", folder.path("r.html"), folder.path("none.log")])
      #expect(found.status == 2 && found.err.contains("none.log"))
      #expect(!FileManager.default.fileExists(atPath: folder.path("r.html")))
    }
  }

  @Test func `bad records are counted, and the first are named without their text`() throws {
    let found = try run(["report", "--format", "json"], stdin: "{\"a\":1}\n{\"a\":zz}\n{\"a\":2}\n")
    let report = try JSON(parsing: found.out)
    #expect(report["badRecords"] == 1 && report["records"] == 2)
    let place = report["places"][0].stringValue
    #expect(place.hasPrefix("standard input:2:6: ") && !place.contains("zz"), "\(place)")
  }
}
