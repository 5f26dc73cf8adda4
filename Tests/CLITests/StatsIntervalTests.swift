import Foundation
import TestSupport
import Testing

/// `stats --every D` groups records by intervals of time, and `--top N` writes the largest groups.
@Suite struct StatsIntervalTests {
  // MARK: Intervals

  @Test(arguments: [
    ("1d", "\"2026-11-24T14:05:01.75Z\"", "2026-11-24T00:00:00Z"),
    ("1h", "\"2026-11-24T14:05:01.75+05:30\"", "2026-11-24T08:00:00Z"),
    ("5m", "\"2026-11-24t14:09:59.999999999999Z\"", "2026-11-24T14:05:00Z"),
    ("5m", "\"2026-11-24 14:10:00Z\"", "2026-11-24T14:10:00Z"),
    ("5m", "\"2026-11-24T14:0\\u0035:01Z\"", "2026-11-24T14:05:00Z"), ("90s", "1795529101", "2026-11-24T14:04:30Z"),
    ("1h30m", "1795529101000", "2026-11-24T13:30:00Z"), ("1s", "1795529101.999", "2026-11-24T14:05:01Z"),
    ("500ms", "1795529101.999", "2026-11-24T14:05:01.5Z"), ("250ms", "1795529101", "2026-11-24T14:05:01.00Z"),
    ("1ms", "1795529101.9999", "2026-11-24T14:05:01.999Z"), ("20us", "1795529101.00003", "2026-11-24T14:05:01.00002Z"),
    ("1ns", "1795529101000000001", "2026-11-24T14:05:01.000000001Z"),
    ("1s1ns", "2.000000001", "1970-01-01T00:00:01.000000001Z"),
    ("1w", "0", "1970-01-01T00:00:00Z"), ("1w", "-1", "1969-12-25T00:00:00Z"),
    ("1s", "-0.000000000000000000001", "1969-12-31T23:59:59Z"), ("1s", "-0", "1970-01-01T00:00:00Z"),
    ("10s", "-10", "1969-12-31T23:59:50Z"), ("1d", "\"0000-01-01T00:00:00Z\"", "0000-01-01T00:00:00Z"),
    ("1d", "\"9999-12-31T23:59:59.9Z\"", "9999-12-31T00:00:00Z"),
    // RFC 3339 has no such years.
    ("1d", "\"0000-01-01T00:00:00+01:00\"", "-62167305600 seconds since 1970"),
    ("1s", "1e19", "10000000000000000000 seconds since 1970"),
  ])
  func `the time of a group is the start of its interval`(length: String, time: String, start: String) throws {
    let found = try run(
      ["stats", "--every", length, "--time", "$.t", "--input", "ndjson"]
        + (time.contains(".") || time == "1e19" ? ["--time-unit", "s"] : []), stdin: "{\"t\":\(time)}\n")
    #expect(found.text == "{\"time\":\"\(start)\",\"count\":1}\n")
    #expect(found.status == 0 && found.err == "")
  }

  @Test(arguments: ["1ns", "1w", "999999999w999999999w"])
  func `the largest times have an interval`(length: String) throws {
    for time in ["99999999999999999999", "-99999999999999999999", "99999999999999999999.999999999999999999999"] {
      let found = try run(
        ["stats", "--every", length, "--time", "$", "--time-unit", "s", "--input", "ndjson"], stdin: time)
      #expect(found.text.hasPrefix("{\"time\":\"") && found.text.hasSuffix("\",\"count\":1}\n"), "\(time)")
      #expect(found.status == 0)
    }
    // This is not a time.
    let longer = try run(["stats", "--every", length, "--time", "$", "--input", "ndjson"], stdin: "1e20")
    #expect(longer.text == "{\"count\":1}\n")
  }

  private static let log = """
    {"t":"2026-11-24T14:05:01Z","level":"info","ms":5}
    {"level":"info","ms":1}
    {"t":"2026-11-24T14:00:01Z","level":"error","ms":7}
    {"t":"2026-11-24T14:05:02Z","level":"error","ms":"x"}
    {"t":"yesterday","level":"error"}
    {"t":"2026-11-24T14:04:02Z","level":"info","ms":2}
    {"t":null,"level":"info"}
    {"t":1795529102,"level":"error","ms":9}

    """
  private static let every = ["--every", "5m", "--time", "$.t"]

  @Test func `groups are in order of time and then of first occurrence, and those without a time are last`() throws {
    let found = try run(["stats", "--by", "level=$.level"] + Self.every, stdin: Self.log)
    #expect(
      found.text == """
        {"time":"2026-11-24T14:00:00Z","level":"error","count":1}
        {"time":"2026-11-24T14:00:00Z","level":"info","count":1}
        {"time":"2026-11-24T14:05:00Z","level":"info","count":1}
        {"time":"2026-11-24T14:05:00Z","level":"error","count":2}
        {"level":"info","count":2}
        {"level":"error","count":1}

        """)
    let numbers = try run(
      ["stats", "--of", "ms=$.ms", "--of", "n=$.n", "--format", "csv"] + Self.every, stdin: Self.log)
    #expect(
      numbers.text == """
        name,time,count,sum,min,max,mean,p50,p95,p99,absent,wrong
        ms,2026-11-24T14:00:00Z,2,9,2,7,4.5,2,7,7,0,0
        n,2026-11-24T14:00:00Z,0,,,,,,,,2,0
        ms,2026-11-24T14:05:00Z,2,14,5,9,7,5,9,9,0,1
        n,2026-11-24T14:05:00Z,0,,,,,,,,3,0
        ms,,1,1,1,1,1,1,1,1,2,0
        n,,0,,,,,,,,3,0

        """)
  }

  @Test func `each format of output`() throws {
    func text(_ format: String) throws -> String {
      try run(["stats", "--format", format] + Self.every, stdin: Self.log).text
    }
    let (first, second) = ("2026-11-24T14:00:00Z", "2026-11-24T14:05:00Z")
    #expect(
      try text("ndjson") == "{\"time\":\"\(first)\",\"count\":2}\n{\"time\":\"\(second)\",\"count\":3}\n{\"count\":3}\n"
    )
    #expect(
      try text("json")
        == "[{\"time\":\"\(first)\",\"count\":2},\n{\"time\":\"\(second)\",\"count\":3},\n{\"count\":3}]\n")
    #expect(try text("csv") == "time,count\n\(first),2\n\(second),3\n,3\n")
    #expect(try text("tsv") == "time\tcount\n\(first)\t2\n\(second)\t3\n\t3\n")
    #expect(
      try text("table") == """
        time                  count
        --------------------  -----
        \(first)      2
        \(second)      3
                                  3

        """)
  }

  /// Records with times of all kinds, and the interval of each in nanoseconds since 1970.
  private struct Sample {
    var lines: [String] = []
    /// By record: the time in nanoseconds, rounded down; `nil` without a time. And the level.
    var records: [(time: Int?, level: String)] = []
    let unit: String

    init(_ count: Int, padding: Int, _ random: inout SeededGenerator) {
      let units = ["s": 1_000_000_000, "ms": 1_000_000, "us": 1000, "ns": 1]
      unit = ["s", "ms", "us", "ns"].randomElement(using: &random) ?? "s"
      let size = units[unit] ?? 1
      let center = [0, 1_795_529_101].randomElement(using: &random) ?? 0
      let seconds = [2, 4000, 2_000_000].randomElement(using: &random) ?? 2
      for _ in 0..<count {
        let time = (center + Int.random(in: -seconds...seconds, using: &random)) * 1_000_000_000
        let places = Int.random(in: 0...9, using: &random)
        let step = Array([1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1000, 100, 10, 1])[places]
        let exact = time + Int.random(in: 0..<1_000_000_000, using: &random) / step * step
        // Digits after the nanoseconds do not change the interval.
        let isLonger = places == 9 && Bool.random(using: &random)
        var member: String?
        switch Int.random(in: 0..<10, using: &random) {
        case 0: member = ["null", "\"noon\"", "[1]", "\"2026-02-30T00:00:00Z\""].randomElement(using: &random)
        case 1: break
        case 2, 3, 4: member = Self.number(exact, size, isLonger: isLonger)
        default:
          let offset = Int.random(in: -1439...1439, using: &random)
          member = "\"\(Self.text(exact, places, offset, isLonger: isLonger))\""
        }
        let isTime = member.map {
          $0.contains("T") && !$0.contains("02-30") || $0.first?.isNumber == true || $0.first == "-"
        }
        let level = ["info", "warn", "error"].randomElement(using: &random) ?? ""
        records.append((isTime == true ? exact : nil, level))
        let note = String(repeating: "x", count: padding > 0 ? Int.random(in: 0...padding, using: &random) : 0)
        lines.append("{\"level\":\"\(level)\",\(member.map { "\"t\":\($0)," } ?? "")\"note\":\"\(note)\"}\n")
      }
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
      String(repeating: "0", count: count - String(number).count) + String(number)
    }

    /// A number of units. Further digits are added to the magnitude, so a negative time with them is an earlier one.
    private static func number(_ time: Int, _ size: Int, isLonger: Bool) -> String {
      let (whole, rest) = time.magnitude.quotientAndRemainder(dividingBy: UInt(size))
      let places = String(size).count - 1
      let fraction = places == 0 ? "" : "." + digits(Int(rest), places)
      // A further digit would move a negative time to the nanosecond before.
      let longer = isLonger && time >= 0 ? (fraction.isEmpty ? ".5" : "5") : ""
      return (time < 0 ? "-" : "") + String(whole) + fraction + longer
    }

    private static func text(_ time: Int, _ places: Int, _ offset: Int, isLonger: Bool) -> String {
      let local = StatsIntervalTests.date(ofSecond: floor(time, 1_000_000_000) / 1_000_000_000 + offset * 60)
      let fraction = time - floor(time, 1_000_000_000)
      let decimals = places == 0 ? "" : "." + digits(fraction, 9).prefix(places) + (isLonger ? "75" : "")
      let clock = digits(Int(offset.magnitude) / 60, 2) + ":" + digits(Int(offset.magnitude) % 60, 2)
      return local + decimals + (offset == 0 ? "Z" : (offset < 0 ? "-" : "+") + clock)
    }

    /// Returns the expected lines.
    func expected(every length: Int, byLevel: Bool) -> [String] {
      struct Key: Hashable {
        let start: Int?
        let level: String
      }
      var counts: [Key: Int] = [:]
      var order: [Key] = []
      for record in records {
        let key = Key(
          start: record.time.map { StatsIntervalTests.floor($0, length) }, level: byLevel ? record.level : "")
        if counts[key] == nil { order.append(key) }
        counts[key, default: 0] += 1
      }
      var places = 0
      while places < 9,
        length % [1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1000, 100, 10][places] != 0
      {
        places += 1
      }
      let starts = Set(order.compactMap(\.start)).sorted().map { Optional($0) } + [nil]
      let keys = Dictionary(grouping: order, by: \.start)
      return starts.flatMap { start in
        (keys[start] ?? []).map { key in
          var members: [String] = []
          if let start {
            let second = StatsIntervalTests.floor(start, 1_000_000_000)
            let fraction = places == 0 ? "" : "." + Self.digits(start - second, 9).prefix(places)
            members.append("\"time\":\"\(StatsIntervalTests.date(ofSecond: second / 1_000_000_000))\(fraction)Z\"")
          }
          if byLevel { members.append("\"level\":\"\(key.level)\"") }
          return "{" + (members + ["\"count\":\(counts[key] ?? 0)"]).joined(separator: ",") + "}"
        }
      }
    }
  }

  private static func floor(_ number: Int, _ step: Int) -> Int {
    let rest = number % step
    return number - (rest < 0 ? rest + step : rest)
  }

  /// Returns the date and time of a number of seconds since 1970 in UTC.
  private static func date(ofSecond second: Int) -> String {
    String(Date(timeIntervalSince1970: Double(second)).ISO8601Format().dropLast())
  }

  private static let lengths: [(String, Int)] = [
    ("1ns", 1), ("30ns", 30), ("7us", 7000), ("250ms", 250_000_000), ("1s", 1_000_000_000), ("7s", 7_000_000_000),
    ("1s1ms", 1_001_000_000), ("5m", 300_000_000_000), ("1h30m", 5_400_000_000_000), ("1d", 86_400_000_000_000),
    ("1w", 604_800_000_000_000), ("13d7s3ns", 1_123_207_000_000_003),
  ]

  @Test func `groups by time equal those of a simple computation, for every way of reading`() throws {
    var random = SeededGenerator()
    print("groups by time: \(random)")
    for round in 0..<(isDebug ? 2 : 12) {
      let isLarge = round % 2 == 0
      let sample = Sample(isLarge ? 5000 : 200, padding: isLarge ? 500 : 0, &random)
      try withFolder { folder in
        let file = try folder.file("app.log", sample.lines.joined())
        for (name, length) in Self.lengths.shuffled(using: &random).prefix(isLarge ? 2 : 5) {
          for byLevel in [false, true] {
            let options =
              ["stats", "--every", name, "--time", "$.t", "--time-unit", sample.unit, "--input", "ndjson"]
              + (byLevel ? ["--by", "level=$.level"] : [])
            let expected = sample.expected(every: length, byLevel: byLevel)
            for further in [
              ["-j", "1"], ["-j", "3"], ["-j", "3", "--where", "@.level"], ["--max-query-steps", "4000"],
            ].prefix(isDebug && isLarge && byLevel ? 2 : 4) {
              let found = try run(options + further + [file])
              #expect(found.lines == expected, "\(random), \(name), \(sample.unit), \(further)")
              #expect(found.status == 0 && found.err == "")
            }
            guard !isLarge else { continue }
            let bytes = Int.random(in: 1...200, using: &random)
            let words = options.map { "'\($0)'" }.joined(separator: " ")
            let chunks = try shell("dd if=app.log bs=\(bytes) 2>/dev/null | \"$JSIFT\" \(words) -j 2", in: folder)
            #expect(chunks.lines == expected, "\(random), \(name), reads of \(bytes) bytes")
          }
        }
      }
    }
  }

  @Test func `a window, a condition and a search in a sorted file select the records that are grouped`() throws {
    let lines = (0..<20_000).map { "{\"t\":\(1_795_500_000 + $0 - $0 * 7 % 6),\"id\":\($0 % 3)}\n" }
    try withFolder { folder in
      let file = try folder.file("app.log", lines.joined())
      for jobs in ["1", "3"] {
        let options = [
          "stats", "--every", "1h", "--time", "$.t", "--since", "1795500600", "--until", "1795509000", "-j", jobs, file,
        ]
        let all = try run(options)
        #expect(
          all.text == """
            {"time":"2026-11-24T06:00:00Z","count":3000}
            {"time":"2026-11-24T07:00:00Z","count":3600}
            {"time":"2026-11-24T08:00:00Z","count":1800}

            """)
        #expect(try run(options + ["--sorted", "--slack", "5s"]).out == all.out)
        #expect(
          try run(options + ["--where", "@.id == 1"]).text
            == all.text.replacing("3000", with: "1000").replacing("3600", with: "1200").replacing("1800", with: "600"))
      }
    }
  }

  // MARK: The largest groups

  @Test func `the groups with the most records are written, most first, and of equal ones the first`() throws {
    let input = ["b", "a", "c", "a", "b", "d", "d", "e", "d"].map { "{\"k\":\"\($0)\"}\n" }.joined()
    func found(_ top: String) throws -> [String] {
      try run(["stats", "--by", "k=$.k", "--top", top], stdin: input).lines
    }
    let all = [("d", 3), ("b", 2), ("a", 2), ("c", 1), ("e", 1)].map { "{\"k\":\"\($0.0)\",\"count\":\($0.1)}" }
    for count in 1...5 { #expect(try found("\(count)") == Array(all.prefix(count))) }
    #expect(try found("9223372036854775807") == all)
    let tied = try run(["stats", "--top", "2", "--by", "level=$.level"] + Self.every, stdin: Self.log)
    #expect(
      tied.text == """
        {"time":"2026-11-24T14:05:00Z","level":"error","count":2}
        {"level":"info","count":2}

        """)
    let ordered = try run(["stats", "--top", "3"] + Self.every, stdin: Self.log)
    #expect(
      ordered.text == """
        {"time":"2026-11-24T14:05:00Z","count":3}
        {"count":3}
        {"time":"2026-11-24T14:00:00Z","count":2}

        """)
    // Lines are not counted: a group has one for each path.
    let lines = try run(
      ["stats", "--by", "k=$.k", "--of", "x=$.x", "--of", "y=$.y", "--distinct", "k=$.k", "--top", "2"], stdin: input)
    #expect(
      lines.text == """
        {"name":"x","k":"d","count":0,"absent":3,"wrong":0}
        {"name":"y","k":"d","count":0,"absent":3,"wrong":0}
        {"name":"k","k":"d","count":3,"distinct":1,"absent":0,"distinctError":0}
        {"name":"x","k":"b","count":0,"absent":2,"wrong":0}
        {"name":"y","k":"b","count":0,"absent":2,"wrong":0}
        {"name":"k","k":"b","count":2,"distinct":1,"absent":0,"distinctError":0}

        """)
  }

  @Test func `the largest of many groups do not depend on the number of workers`() throws {
    var random = SeededGenerator()
    print("largest groups: \(random)")
    let keys = (0..<8000).map { _ in Int.random(in: 0..<60, using: &random) * Int.random(in: 0..<60, using: &random) }
    let note = String(repeating: "x", count: 200)
    try withFolder { folder in
      let file = try folder.file("app.log", keys.map { "{\"k\":\($0),\"note\":\"\(note)\"}\n" }.joined())
      var counts: [Int: Int] = [:]
      var order: [Int] = []
      for key in keys {
        if counts[key] == nil { order.append(key) }
        counts[key, default: 0] += 1
      }
      for top in [1, 10, 500, 10_000] {
        let groups = Set(counts.values).sorted(by: >).flatMap { count in order.filter { counts[$0] == count } }
        let expected = groups.prefix(top).map { "{\"k\":\($0),\"count\":\(counts[$0] ?? 0)}" }
        for jobs in ["1", "3"] {
          let found = try run(["stats", "--by", "k=$.k", "--top", "\(top)", "-j", jobs, file])
          #expect(found.lines == expected, "\(random), \(top)")
        }
      }
    }
  }

  // MARK: Errors

  @Test(arguments: [
    ("--every 5m", "--every: expected --time PATH, the path of a record's time, such as --time '$.time'"),
    (
      "--every 5m --since 0", "--every: expected --time PATH, the path of a record's time, such as --time '$.time'"
    ),
    (
      "--every 0s --time $.t", "--every '0s': expected a length of time above 0 such as 500ms, 5s, 2m, 1h30m or 3d"
    ),
    (
      "--every -5m --time $.t", "--every '-5m': expected a length of time above 0 such as 500ms, 5s, 2m, 1h30m or 3d"
    ),
    (
      "--every 0.5ns --time $.t",
      "--every '0.5ns': expected a length of time above 0 such as 500ms, 5s, 2m, 1h30m or 3d"
    ),
    (
      "--every 5m --time $..t",
      "--time '$..t': expected a path of one value, with names and indexes only, such as $.time"
    ),
    ("--every 5m --time $.t --sorted", "--sorted: expected --since or --until, found neither"),
    ("--every 5m --time $.t --now 5", "--now: expected --since or --until, found neither"),
    (
      "--every 5m --time $.t --by time=$.a",
      "--by 'time=$.a': expected another name, found 'time', which is a column of the result; for example --by "
        + "'time_=$.a'"
    ),
    (
      "--by distinct=$.a --distinct a=$.a",
      "--by 'distinct=$.a': expected another name, found 'distinct', which is a column of the result; for example --by "
        + "'distinct_=$.a'"
    ),
    ("--distinct $.a", "--distinct '$.a': expected NAME=PATH, found no '='; did you mean --distinct 'a=$.a'?"),
    ("--by a=$.a --top 0", "--top takes a number of at least 1, not 0"),
    ("--by a=$.a --top -3", "--top takes a number of at least 1, not -3"),
    (
      "--of a=$.a --top 1",
      "--top selects groups; expected --by NAME=PATH, --template NAME=PATH or --every D, found none of them"
    ),
    ("", "Missing --of NAME=PATH, --distinct NAME=PATH, --by NAME=PATH, --template NAME=PATH or --every D"),
  ])
  func `a wrong argument ends the run with a message`(line: String, message: String) throws {
    let found = try run(["stats"] + words(line), stdin: "{\"t\":1}\n")
    #expect(found.err.split(separator: "\n").first == "jsift: \(message)")
    #expect(found.status == 2 && found.text == "")
  }

  @Test func `a value may have a name that only an absent option uses`() throws {
    #expect(try run(["stats", "--by", "time=$.t"], stdin: "{\"t\":1}\n").text == "{\"time\":1,\"count\":1}\n")
    #expect(try run(["stats", "--by", "distinct=$.t"], stdin: "{\"t\":1}\n").text == "{\"distinct\":1,\"count\":1}\n")
  }
}
