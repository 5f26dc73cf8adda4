import Testing

@Suite struct StatsTests {
  static let log = """
    {"ms":5,"level":"info","host":"a"}
    {"ms":1.50,"level":"error","host":"a"}
    {"ms":"7","level":"info","host":"b"}
    {"level":"info","host":"a"}
    {"ms":-2e0,"level":"info","host":"a"}
    {"ms":null,"host":"b"}
    """

  @Test func `the statistics of all numbers of one path`() throws {
    try run(["stats", "--of", "ms=$.ms"], stdin: Self.log).expect(
      text: """
        {"name":"ms","count":3,"sum":4.5,"min":-2e0,"max":5,"mean":1.5,"p50":1.5,"p95":5,"p99":5,"absent":1,"wrong":2}

        """, err: "", status: 0)
  }

  @Test(arguments: [
    "999999999999999999e1", "-999999999999999999e1", "922337203685477581e1", "0.0000000000000000001e19",
  ])
  func `a number whose digits and exponent together exceed 64 bits is added exactly`(_ number: String) throws {
    let result = try run(["stats", "--of", "n=$.n", "--format", "csv"], stdin: "{\"n\":\(number)}\n")
    let sums = [
      "999999999999999999e1": "9999999999999999990", "-999999999999999999e1": "-9999999999999999990",
      "922337203685477581e1": "9223372036854775810", "0.0000000000000000001e19": "1",
    ]
    let sum = try #require(sums[number])
    #expect(result.text.contains("n,1,\(sum),\(number),\(number),"), "\(result.text)")
  }

  @Test func `groups are in the order of their first records`() throws {
    let result = try run(["stats", "--of", "ms=$.ms", "--by", "level=$.level"], stdin: Self.log)
    #expect(
      result.text == """
        {"name":"ms","level":"info","count":2,"sum":3,"min":-2e0,"max":5,"mean":1.5,"p50":-2,"p95":5,"p99":5,"absent":1,"wrong":1}
        {"name":"ms","level":"error","count":1,"sum":1.5,"min":1.50,"max":1.50,"mean":1.5,"p50":1.5,"p95":1.5,"p99":1.5,"absent":0,"wrong":0}
        {"name":"ms","count":0,"absent":0,"wrong":1}

        """)
    let two = try run(["stats", "--by", "level=$.level", "--by", "host=$.host"], stdin: Self.log)
    #expect(
      two.text == """
        {"level":"info","host":"a","count":3}
        {"level":"error","host":"a","count":1}
        {"level":"info","host":"b","count":1}
        {"host":"b","count":1}

        """)
  }

  @Test func `each format of output`() throws {
    let arguments = ["stats", "--by", "level=$.level", "--by", "n=$.n", "--format"]
    let input = "{\"level\":\"a,\\\"b\\\"\\n\",\"n\":10}\n{\"level\":\"x\\ty\",\"n\":{\"k\": 1}}\n{}\n"
    #expect(
      try run(arguments + ["csv"], stdin: input).text
        == "level,n,count\n\"a,\"\"b\"\"\n\",10,1\nx\ty,\"{\"\"k\"\": 1}\",1\n,,1\n")
    #expect(
      try run(arguments + ["tsv"], stdin: input).text
        == "level\tn\tcount\na,\"b\"\\n\t10\t1\nx\\ty\t{\"k\": 1}\t1\n\t\t1\n")
    #expect(
      try run(arguments + ["json"], stdin: input).text == #"[{"level":"a,\"b\"\n","n":10,"count":1},"# + "\n"
        + #"{"level":"x\ty","n":{"k": 1},"count":1},"# + "\n" + #"{"count":1}]"# + "\n")
    #expect(
      try run(["stats", "--by", "level=$.level", "--format", "table"], stdin: Self.log).text == """
        level  count
        -----  -----
        info       4
        error      1
                   1

        """)
    #expect(try run(["stats", "--by", "a=$.a", "--format", "json"], stdin: "").text == "[]\n")
    #expect(try run(["stats", "--by", "a=$.a", "--format", "csv"], stdin: "").text == "a,count\n")
    #expect(try run(["stats", "--by", "a=$.a", "--format", "table"], stdin: "").text == "")
  }

  @Test(arguments: ["0.1", "-0.1", "0.0007", "9007199254740991"])
  func `the mean of equal numbers is the number`(_ number: String) throws {
    for count in [1, 3, 7, 10] {
      let lines = String(repeating: "{\"n\":\(number)}\n", count: count)
      let result = try run(["stats", "--of", "n=$.n"], stdin: lines)
      #expect(result.text.contains("\"min\":\(number),\"max\":\(number),\"mean\":\(number),"), "\(result.text)")
    }
  }

  @Test(arguments: ["-0", "-0.0", "0"])
  func `mean and percentiles of zeros are 0 without a sign`(_ zero: String) throws {
    let result = try run(["stats", "--of", "n=$.n"], stdin: "{\"n\":\(zero)}\n{\"n\":\(zero)}\n")
    let expected = "\"min\":\(zero),\"max\":\(zero),\"mean\":0,\"p50\":0,\"p95\":0,\"p99\":0,"
    #expect(result.text.contains(expected), "\(result.text)")
  }

  @Test func `a sum of decimals is exact`() throws {
    func sum(_ numbers: [String]) throws -> String {
      let result = try run(["stats", "--of", "n=$"], stdin: numbers.joined(separator: "\n"))
      return result.text.split(separator: "\"sum\":")[1].split(separator: ",")[0].description
    }
    #expect(try sum(["0.1", "0.2"]) == "0.3")
    #expect(try sum(Array(repeating: "0.1", count: 1000)) == "100")
    #expect(try sum(["9007199254740993", "1", "1"]) == "9007199254740995")
    #expect(try sum(Array(repeating: "9223372036854775807", count: 3)) == "27670116110564327421")
    #expect(try sum(["12345678901234567890.5", "0.25"]) == "12345678901234567890.75")
    #expect(try sum(["1e300", "1"]) == "1e+300")
    #expect(try sum(["-0.5", "0.5"]) == "0")
  }

  @Test(arguments: [1.0, 0.001, 1e-9, 1e9, -1])
  func `percentiles of many numbers are within a thousandth`(scale: Double) throws {
    // Shuffled by a step that is coprime to the count.
    let count = 5003
    let input = (0..<count).map { "\(Double(($0 * 1999) % count + 1) * scale)" }.joined(separator: "\n")
    let result = try run(["stats", "--of", "n=$", "--format", "csv"], stdin: input)
    let lines = result.lines
    #expect(lines.count == 2)
    let cells = lines[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    #expect(cells[1] == "\(count)")
    for (index, share) in [(6, 0.5), (7, 0.95), (8, 0.99)] {
      let rank = (share * Double(count)).rounded(.up)
      let wanted = scale < 0 ? -(Double(count) - rank + 1) : rank * scale
      let found = try #require(Double(cells[index]))
      #expect(abs(found - wanted) <= abs(wanted) * 0.001, "\(share): \(found), not \(wanted)")
    }
  }

  @Test func `a condition, several numbers of a record, and one document`() throws {
    #expect(
      try run(["stats", "--by", "host=$.host", "--where", "@.ms"], stdin: Self.log).text
        == "{\"host\":\"a\",\"count\":3}\n{\"host\":\"b\",\"count\":2}\n")
    let result = try run(["stats", "--of", "n=$.a[*]", "--input", "json"], stdin: "{\"a\":[1,\n2,\"x\",3]}")
    #expect(
      result.text == """
        {"name":"n","count":3,"sum":6,"min":1,"max":3,"mean":2,"p50":2,"p95":3,"p99":3,"absent":0,"wrong":1}

        """)
  }

  @Test func `bad records are reported, too many groups and duplicate names are errors`() throws {
    let bad = try run(["stats", "--of", "n=$"], stdin: "1\n[\n3\n")
    #expect(bad.text.contains("\"count\":2,\"sum\":4,"))
    #expect(bad.err.contains("1 bad record was skipped"))
    #expect(bad.status == 0)
    let many = try run(["stats", "--by", "n=$", "--max-groups", "2"], stdin: "1\n2\n1\n3\n")
    #expect(many.text == "{\"n\":1,\"count\":2}\n{\"n\":2,\"count\":1}\n")
    #expect(many.err.contains("expected at most 2 groups, found more"))
    #expect(many.status == 2)
    for arguments in [["--by", "count=$.a"], ["--by", "a=$.a", "--by", "a=$.b"], [], ["--of", "$.a"]] {
      #expect(try run(["stats"] + arguments, stdin: "1").status == 2)
    }
    #expect(try run(["stats", "--of", "n=$"], stdin: "").status == 1)
  }

  @Test(arguments: [
    ("1", "1.4", 9000, ["1.4", "1.4", "1.4"]), ("1", "0.3", 9000, ["0.3", "1", "1"]),
    ("0", "0.5", 2000, ["0", "0.5", "0.5"]),
    ("1", "1e30", 1800, ["1", "1e+30", "1e+30"]), ("0.001", "5e13", 2002, ["0.001", "5e13", "5e13"]),
    ("1e300", "1e-300", 2002, ["1e-300", "1e300", "1e300"]), ("-1e-5", "-2e9", 3000, ["-2e9", "-1e-5", "-1e-5"]),
  ])
  func `percentiles do not depend on the first thousand numbers`(
    first: String, other: String, count: Int, expected: [String]
  ) throws {
    let input = (0..<count).map { $0 < 1001 ? first : other }.joined(separator: "\n")
    let result = try run(["stats", "--of", "n=$", "--format", "csv"], stdin: input)
    let cells = try #require(result.lines.last).split(separator: ",", omittingEmptySubsequences: false)
    for (cell, wanted) in zip(cells[6...8], expected) {
      let (found, wanted) = (try #require(Double(cell)), try #require(Double(wanted)))
      #expect(abs(found - wanted) <= abs(wanted) * 0.001, "\(cells[6...8])")
    }
  }

  @Test func `a sum whose partial sums need more than 38 digits is a Double, not a wrong decimal`() throws {
    func sum(_ numbers: [String]) throws -> Double {
      let result = try run(["stats", "--of", "n=$", "--format", "csv"], stdin: numbers.joined(separator: "\n"))
      return try #require(Double(result.lines[1].split(separator: ",", omittingEmptySubsequences: false)[2]))
    }
    #expect(try sum(["0.123456789", "12345678901234567890123456789012345678"]) == 1.2345678901234567e37)
    #expect(try sum(["0.5", "1e60"]) == 1e60)
    #expect(try sum(["0.1", "1e20", "-1e20"]) == 0.1)
  }

  @Test(arguments: ["1", "2"])
  func `a limit ends the reading of a pipe immediately`(jobs: String) throws {
    let child = try Tool.start(["stats", "--by", "a=$.a", "--limit", "2", "-j", jobs])
    child.write("{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n")
    #expect(child.lines(2) == ["{\"a\":1,\"count\":1}", "{\"a\":2,\"count\":1}"])
    #expect(child.finish() == 0)
  }

  @Test(arguments: [
    ["--of", "v=$.v"], ["--of", "v=$.v", "--by", "k=$.k"], ["--distinct", "k=$.k", "--where", "@.v > 2"],
    ["--by", "k=$.k", "--top", "1"], ["--every", "10s", "--time", "$.t", "--since", "1970-01-01T00:00:03Z"],
  ])
  func `--each counts elements and members as stats counts the same values on lines`(arguments: [String]) throws {
    let values = [
      #"{"v":1,"k":"a","t":1}"#, #"{"v":2.5,"k":"b","t":9}"#, #"{"v":"x","k":"a","t":14}"#, "[]", #"{"v":3,"t":3}"#,
    ]
    let lines = try run(["stats"] + arguments, stdin: values.joined(separator: "\n"))
    #expect(lines.status == 0)
    let list = "{\"a\":{\"list\":[\(values.joined(separator: ","))]},\"z\":[9]}"
    let members = values.enumerated().map { "\"m\($0)\":\($1)" }.joined(separator: ",")
    let cases = [
      ("$.a.list", list), ("$", "[\(values.joined(separator: ", "))]"), ("$.o", "{\"o\":{\(members)}}"),
      ("$.l", "{\"l\":[\(values[0]),\(values[1])]}\n{}\n{\"l\":[\(values[2...].joined(separator: ","))]}\n"),
    ]
    for (path, text) in cases {
      let found = try run(["stats", "--each", path] + arguments, stdin: text)
      #expect(found.out == lines.out && found.status == 0 && found.err.isEmpty == lines.err.isEmpty, "\(path)")
    }
  }

  @Test func `--each takes a path of several containers, and no sorted file`() throws {
    let several = try run(["stats", "--each", "$.a[*]", "--of", "v=$"], stdin: "{\"a\":[[1],[2,3]]}")
    #expect(several.status == 0 && several.text.contains("\"count\":3,\"sum\":6"))
    let window = ["--of", "v=$", "--time", "$.t", "--since", "5", "--sorted"]
    let sorted = try run(["stats", "--each", "$.a"] + window, stdin: "[]")
    #expect(sorted.status == 2 && sorted.err == "jsift: --sorted: expected records that are lines, found --each\n")
    let nothing = try run(["stats", "--each", "$.a", "--of", "v=$"], stdin: "{\"b\":[1]}")
    #expect(nothing.status == 1 && nothing.out.isEmpty)
  }
}
