import Foundation
import Testing

/// `--time`, `--since` and `--until` select the records of a window.
@Suite struct TimeTests {
  private static let log = """
    {"id":1,"t":"2026-11-24T12:59:59.999Z","ms":1}
    {"id":2,"t":"2026-11-24T14:00:00+01:00","ms":2}
    {"id":3,
    {"id":4,"t":1795525200000,"ms":4}
    {"id":5,"ms":5}
    {"id":6,"t":"yesterday","ms":6}
    {"id":7,"t":"2026-11-24T13:09:59.9999999999Z","ms":7}
    {"id":8,"t":"2026-11-24T13:10:00Z","ms":8}

    """
  private static let window = ["--time", "$.t", "--since", "2026-11-24T13:00:00Z", "--until", "2026-11-24T13:10:00Z"]

  @Test(arguments: ["1", "3"])
  func `get, records, stats and shape read the records of the window`(jobs: String) throws {
    let log = String(repeating: Self.log, count: 4000)
    try withFolder { folder in
      let file = try folder.file("app.log", log)
      let rest = Self.window + ["-j", jobs, file]
      #expect(try run(["$.id"] + rest).text == String(repeating: "2\n4\n7\n", count: 4000))
      #expect(try run(["records", "--count"] + rest).text == "12000\n")
      #expect(try run(["records", "--count", "--where", "@.ms > 2"] + rest).text == "8000\n")
      let columns = try run(["records", "--select", "id=$.id", "--where", "@.ms < 7", "--format", "csv"] + rest)
      #expect(columns.text == "id\n" + String(repeating: "2\n4\n", count: 4000))
      let stats = try run(["stats", "--of", "ms=$.ms"] + rest)
      #expect(stats.text.hasPrefix("{\"name\":\"ms\",\"count\":12000,\"sum\":52000,"))
      let shape = try run(["shape"] + rest)
      #expect(shape.lines.count == 4)
      #expect(
        shape.lines[1].hasPrefix("{\"path\":\"$.id\",\"types\":{\"number\":12000},\"count\":12000,\"records\":12000,"))
      let types = try run(["shape", "--format", "types"] + rest)
      #expect(types.lines.map { $0.contains("\"count\":12000") } == [true, true, true])
      for result in [stats, shape, types] { #expect(result.status == 0) }
    }
  }

  @Test func `bad records are treated as for a condition`() throws {
    try withFolder { folder in
      let file = try folder.file("app.log", Self.log)
      // The bad line has no "t", but is read: a record without a time is counted.
      let counted = try run(["$.id"] + Self.window + [file])
      #expect(counted.err.contains("1 bad record was skipped") && counted.status == 0)
      #expect(counted.err.hasSuffix("jsift: 2 records have no time at $.t; first: line 5, no value\n"))
      #expect(try run(["shape", "--max-errors", "9"] + Self.window + [file]).err.contains("1 bad record was skipped"))
      let kept = try run(["records", "--rejects", folder.path("bad")] + Self.window + [file])
      #expect(kept.lines.count == 3 && kept.status == 0)
      #expect(try folder.text("bad").contains("\"line\":3,"))
      let stopped = try run(["$.id", "--on-error", "stop"] + Self.window + [file])
      #expect(stopped.text == "2\n" && stopped.status == 2)
    }
  }

  @Test func `ranges, limits, counts and other framings apply to the window`() throws {
    try withFolder { folder in
      let file = try folder.file("app.log", Self.log)
      #expect(try run(["$.id", "--limit", "2"] + Self.window + [file]).text == "2\n4\n")
      let parts = try (1...4).map { try run(["$.id", "--split", "\($0)/4"] + Self.window + [file]).text }
      #expect(parts.joined() == "2\n4\n7\n")
      let summary = try run(["$.id", "--summary", "-", "--rejects", folder.path("bad")] + Self.window + [file])
      #expect(summary.err.contains("\"records\":8,\"results\":3,\"rejects\":1,"))
      let values = "{\"t\":1}{\"t\":3}\n{\"t\":2}"
      let read = ["$.t", "--input", "values", "--time", "$.t", "--since", "2"]
      #expect(try run(read, stdin: values).text == "3\n2\n")
      #expect(try run(read + ["--until", "3"], stdin: values).text == "2\n")
      #expect(try run(["$.t", "--time", "$.t", "--since", "9"], stdin: "{\"t\":1}\n").status == 1)
    }
  }

  @Test func `one document has no window`() throws {
    try withFolder { folder in
      let file = try folder.file("one.json", "{\"t\":1,\n\"a\":2}")
      for command in [["$.a"], ["shape"], ["shape", "--format", "types"]] {
        let result = try run(command + ["--time", "$.t", "--since", "0", file])
        #expect(
          folder.cut(result.err)
            == "jsift: one.json: --time needs records, and this is one document; use --input ndjson if its lines are "
            + "records\n")
        #expect(result.status == 2)
      }
      #expect(try run(["records", "--time", "$.t", "--since", "0", file]).text == "{\"t\":1,\"a\":2}\n")
      #expect(try run(["records", "--time", "$.t", "--since", "2", file]).status == 1)
    }
  }

  /// Times of the command line with `--now 2026-11-24T14:30:00Z`, and their explanation.
  private static let times: [(zone: String, text: String, time: String)] = [
    ("UTC", "now", "2026-11-24T14:30:00Z"), ("UTC", "-15m", "2026-11-24T14:15:00Z"),
    ("UTC", "-3d", "2026-11-21T14:30:00Z"),
    ("UTC", "-1h30m", "2026-11-24T13:00:00Z"), ("UTC", "-250ms", "2026-11-24T14:29:59.75Z"),
    ("UTC", "-1w", "2026-11-17T14:30:00Z"), ("UTC", "today", "2026-11-24T00:00:00Z"),
    ("UTC", "yesterday", "2026-11-23T00:00:00Z"), ("UTC", "today 14:00", "2026-11-24T14:00:00Z"),
    ("UTC", "yesterday 23:59:59.5", "2026-11-23T23:59:59.5Z"), ("UTC", "2026-11-24", "2026-11-24T00:00:00Z"),
    ("UTC", "2026-11-24 14:00", "2026-11-24T14:00:00Z"), ("UTC", "2026-11-24T14:00:05", "2026-11-24T14:00:05Z"),
    ("UTC", "2026-11-24T14:00:00+09:00", "2026-11-24T05:00:00Z"), ("UTC", "1795530600", "2026-11-24T14:30:00Z"),
    ("UTC", "1795530600.5", "2026-11-24T14:30:00.5Z"), ("Europe/Berlin", "2026-11-24 14:00", "2026-11-24T13:00:00Z"),
    ("Europe/Berlin", "2026-07-24 14:00", "2026-07-24T12:00:00Z"), ("Europe/Berlin", "today", "2026-11-23T23:00:00Z"),
    ("Europe/Berlin", "2026-11-24T14:00:00Z", "2026-11-24T14:00:00Z"),
    ("Pacific/Kiritimati", "today", "2026-11-24T10:00:00Z"),
    ("Pacific/Kiritimati", "yesterday", "2026-11-23T10:00:00Z"),
    ("America/New_York", "today 00:30", "2026-11-24T05:30:00Z"),
    // Clocks are set forward from 02:00 to 03:00, and back from 03:00 to 02:00.
    ("Europe/Berlin", "2026-03-29 01:59:59", "2026-03-29T00:59:59Z"),
    ("Europe/Berlin", "2026-03-29 02:30", "2026-03-29T01:30:00Z"),
    ("Europe/Berlin", "2026-03-29 03:00", "2026-03-29T01:00:00Z"),
    ("Europe/Berlin", "2026-10-25 02:30", "2026-10-25T00:30:00Z"),
    ("Europe/Berlin", "2026-10-25 03:00", "2026-10-25T02:00:00Z"),
  ]

  @Test func `times of the command line are absolute, local or relative`() throws {
    // Some minimal systems have no zone data.
    let hasZones = FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Berlin")
    for (zone, text, time) in Self.times where hasZones || zone == "UTC" {
      let result = try run([
        "records", "--explain", "--time", "$.t", "--since", text, "--time-zone", zone, "--now", "2026-11-24T14:30:00Z",
      ])
      #expect(result.lines.contains("time      $['t'], from \(time)"), "\(zone) \(text): \(result.text)\(result.err)")
    }
  }

  @Test func `the zone of the system is the default`() throws {
    let arguments = "records --explain --time '$.t' --until '2026-11-24 14:00'"
    #expect(try shell("TZ=JST-9 \"$JSIFT\" \(arguments)").text.contains("before 2026-11-24T05:00:00Z\n"))
    #expect(try shell("TZ=UTC0 \"$JSIFT\" \(arguments)").text.contains("before 2026-11-24T14:00:00Z\n"))
  }

  @Test func `the current time is the default of now`() throws {
    let log = "{\"t\":0}\n{\"t\":\"9999-01-01T00:00:00Z\"}\n"
    #expect(try run(["$.t", "--time", "$.t", "--until", "now"], stdin: log).text == "0\n")
    #expect(try run(["$.t", "--time", "$.t", "--since", "-1h"], stdin: log).text == "\"9999-01-01T00:00:00Z\"\n")
  }

  @Test func `the unit of numbers is recognized, or given`() throws {
    let log = "{\"t\":1764072000}\n{\"t\":1764072000000}\n{\"t\":1764072000000000}\n{\"t\":1764072000000000000}\n"
    func found(_ options: [String]) throws -> Int {
      try run(["records", "--time", "$.t", "--since", "1764072000", "--until", "1764072001"] + options, stdin: log)
        .lines.count
    }
    #expect(try found([]) == 4)
    for unit in ["s", "ms", "us", "ns"] { #expect(try found(["--time-unit", unit]) == 1, "\(unit)") }
  }

  private static let invalid: [(String, String)] = [
    (
      "--time-zone UTC", "--time-zone: expected --time PATH, the path of a record's time, such as --time '$.time'"
    ),
    ("--time $.t", "--time: expected --since or --until, found neither"),
    (
      "--time $..t --since 0",
      "--time '$..t': expected a path of one value, with names and indexes only, such as $.time"
    ),
    (
      "--time $.t --since 14:00",
      "--since '14:00': expected a time such as 2026-11-24T14:00:00Z, '2026-11-24 14:00', 1764072000, -15m, now, today or "
        + "'yesterday 14:00'"
    ),
    (
      "--time $.t --since now --now today",
      "--now 'today': expected a time such as 2026-11-24T14:00:00Z, '2026-11-24 14:00' or 1764072000"
    ),
    (
      "--time $.t --since 0 --time-zone Europe/Atlantis",
      "--time-zone 'Europe/Atlantis': expected a name in the system's zone data, such as Europe/Berlin, America/New_York or UTC"
    ),
    (
      "--time $.t --since 0 --time-zone ../zoneinfo/UTC",
      "--time-zone '../zoneinfo/UTC': expected a name in the system's zone data, such as Europe/Berlin, America/New_York or "
        + "UTC"
    ),
    (
      "--time $.t --since 5 --until 5",
      "--until: expected a time after --since 1970-01-01T00:00:05Z, found 1970-01-01T00:00:05Z"
    ),
  ]

  @Test func `an invalid option ends the run with a message`() throws {
    for (line, message) in Self.invalid {
      for command in [["$.a"], ["records"], ["shape"], ["stats", "--by", "a=$.a"]] {
        let result = try run(command + words(line), stdin: "{\"t\":1}\n")
        let expected =
          command[0] == "stats"
          ? message.replacing(
            "--since or --until, found neither", with: "--since, --until or --every, found none of them") : message
        #expect(result.err == "jsift: \(expected)\n")
        #expect(result.status == 2 && result.text == "")
      }
    }
    for text in [
      "-15x", "-", "-m", "-1h30", "today14:00", "today 14", "2026-11-24 25:00", "2026-11-24 14:00:00 ", "tomorrow",
    ] {
      let result = try run(["$.a", "--time", "$.t", "--since", text], stdin: "{\"t\":1}\n")
      #expect(result.err.hasPrefix("jsift: --since '\(text)': expected a time such as"), "\(text)")
      #expect(result.status == 2)
    }
  }

  @Test func `the plan says how times are read`() throws {
    let plan = try run([
      "$.id", "--explain", "--where", "@.ms > 1", "--time", "$.t", "--since", "2026-11-24T13:00:00Z", "--time-unit",
      "ms",
    ])
    #expect(plan.text.contains("document  refused: --where needs records\n"))
    #expect(
      plan.text.contains(
        """
        where     @.ms > 1
        time      $['t'], from 2026-11-24T13:00:00Z
                  strings are times of RFC 3339, or in another spelling that logs have; numbers are milliseconds since 1970
                  a record without a time is not selected, and is counted

        """))
  }

  @Test func `a followed file is read through the window`() throws {
    try withFolder { folder in
      let file = try folder.file("app.log", Self.log)
      let tool = try Tool.start(["$.id", "--follow"] + Self.window + [file])
      #expect(tool.lines(3) == ["2", "4", "7"])
      _ = try shell("echo '{\"id\":9,\"t\":1}' >> app.log; echo '{\"id\":10,\"t\":1795525200}' >> app.log", in: folder)
      #expect(tool.lines(4).last == "10")
      tool.send(signal: SIGTERM)
      #expect(tool.finish() == 0)
    }
  }
}
