import Foundation
import JSONSift
import TestSupport
import Testing

/// `stats --distinct NAME=PATH` counts distinct values.
@Suite struct StatsDistinctTests {
  private static func distinct(_ values: [String]) throws -> Int? {
    let found = try run(["stats", "--distinct", "v=$", "--input", "ndjson"], stdin: values.joined(separator: "\n"))
    let row = try JSON(parsing: found.text)
    #expect(row["count"].int == values.count && row["distinctError"].int == 0 && found.status == 0)
    return row["distinct"].int
  }

  @Test(arguments: [
    ["1", "1.0", "1e0", "10e-1", "0.1E+1", "1.000000000000000000000000000"],
    ["0", "-0", "0.0", "-0.0e7", "0e-99999999999999999999"],
    ["1e21", "1000000000000000000000", "1000000000000000000000.0"],
    ["12345678901234567890123e2", "1234567890123456789012300", "1234567890123456789012300.000"],
    ["9999999999999999999", "9999999999999999999.0", "99999999999999999990e-1"], ["-5", "-5.0", "-0.5e1"],
    ["10", "1e1", "1e00001", "1e+000000000000000000001"], ["1e400", "10e399"], ["1e-400", "0.1e-399"],
    [#""a""#, #""\u0061""#], [#""é""#, #""\u00e9""#, #""\u00E9""#], [#""\/""#, #""/""#], [#""😀""#, #""\ud83d\uDE00""#],
    [#""\n""#, #""\u000a""#], [#""""#], ["true"], ["null"], ["[]", "[ ]", " [\t]"],
    [#"{"a b": [1, "x, y"]}"#, #"{"a b":[1,"x, y"]}"#, #" { "a b" : [ 1 , "x, y" ] } "#],
    [#"["\" , "]"#, #"[ "\" , " ]"#], ["[1,-0]", "[1.0,0]", "[ 1e0 , 0e5 ]"], [#"["\u0061"]"#, #"["a"]"#],
  ])
  func `equal values are one`(values: [String]) throws {
    #expect(try Self.distinct(values) == 1)
    for value in values.dropFirst() { #expect(try Self.distinct([value, values[0]]) == 1, "\(value)") }
  }

  @Test func `different values are different, whatever their types`() throws {
    let values = [
      "1", "2", "-1", "10", "0.1", "1.0000000000000000000000000001", "1e400", "1e401", "-1e400", "1e-400", "0",
      "9007199254740992", "9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551616",
      "12345678901234567890123", "12345678901234567890124", "-12345678901234567890123", "12345678901234567890123e1",
      #""1""#, #""""#, #"" ""#, #""a""#, #""A""#, #""null""#, #""true""#, #""[]""#, #""\\u0061""#, "null", "true",
      "false", "[]", "{}", "[1]", "[1,2]", "[12]", #"["1"]"#, #"[" 1"]"#, #"{"a":1}"#, #"{"a":2}"#, #"{"b":1}"#, "[[]]",
      #"["a"]"#, #"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#,
      // One character for Unicode, with different code points.
      "\"\u{E9}\"", "\"e\u{301}\"",
    ]
    #expect(try Self.distinct(values) == values.count)
    #expect(try Self.distinct(values + values.reversed()) == values.count)
  }

  /// A value, as one of its spellings; equal values have the same `name`.
  private static func value(_ random: inout SeededGenerator, of count: Int) -> (name: String, text: String) {
    let number = Int.random(in: 0..<count, using: &random)
    func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
    switch number % 5 {
    case 0, 1:
      let name = String(number - count / 2)
      return ("number \(name)", pick([name, name + ".0", name + "e0", name + ".0E0", name + ".000E+00"]))
    case 2:
      let long = "123456789012345678901234567890\(number)1"
      return ("number \(long)", pick([long, long + ".0", long + "000e-3"]))
    case 3:
      let escaped = "h\(number)".unicodeScalars.map { scalar in
        let code = String(scalar.value, radix: 16)
        return Bool.random(using: &random)
          ? "\\u" + String(repeating: "0", count: 4 - code.count) + code : String(scalar)
      }.joined()
      return ("string h\(number)", "\"\(pick(["h\(number)", escaped]))\"")
    default:
      return ("array \(number)", pick(["[\(number),\"a b\"]", "[ \(number), \"a b\" ]", "[\(number) ,\t\"a b\"]"]))
    }
  }

  @Test func `the number of distinct values of each group equals that of a set, for every way of reading`() throws {
    var random = SeededGenerator()
    print("distinct values: \(random)")
    for round in 0..<(isDebug ? 3 : 9) {
      let isLarge = round % 3 == 0
      var lines = ""
      var groups: [(level: String, count: Int, user: Set<String>, noUser: Int, items: Set<String>, noItems: Int)] = []
      for _ in 0..<(isLarge ? 5000 : 300) {
        let level = ["info", "warn", "error"].randomElement(using: &random) ?? ""
        let index = groups.firstIndex { $0.level == level } ?? groups.count
        if index == groups.count { groups.append((level, 0, [], 0, [], 0)) }
        groups[index].count += 1
        var members = ["\"level\":\"\(level)\""]
        if Int.random(in: 0..<6, using: &random) > 0 {
          let user = Self.value(&random, of: 900)
          groups[index].user.insert(user.name)
          members.append("\"user\":\(user.text)")
        } else {
          groups[index].noUser += 1
        }
        let items = (0..<Int.random(in: 0..<4, using: &random)).map { _ in Self.value(&random, of: 60) }
        groups[index].items.formUnion(items.map(\.name))
        if items.isEmpty { groups[index].noItems += 1 }
        members.append("\"items\":[\(items.map(\.text).joined(separator: ","))]")
        if isLarge { members.append("\"note\":\"\(String(repeating: "x", count: 200))\"") }
        lines += "{\(members.joined(separator: ","))}\n"
      }
      try withFolder { folder in
        let file = try folder.file("app.log", lines)
        for names in [["user"], ["user", "items"]] {
          let options =
            ["stats", "--by", "level=$.level", "--distinct", "user=$.user", "--input", "ndjson"]
            + (names.count > 1 ? ["--distinct", "items=$.items[*]"] : [])
          let expected = groups.flatMap { group in
            names.map { name in
              let (values, absent) = name == "user" ? (group.user, group.noUser) : (group.items, group.noItems)
              return
                "{\"name\":\"\(name)\",\"level\":\"\(group.level)\",\"count\":\(group.count),\"distinct\":\(values.count),"
                + "\"absent\":\(absent),\"distinctError\":0}"
            }
          }
          for further in [
            ["-j", "1"], ["-j", "3"], ["-j", "3", "--where", "@.level"], ["--max-query-steps", "4000"],
          ] {
            let found = try run(options + further + [file])
            #expect(found.lines == expected, "\(random), \(further)")
            #expect(found.status == 0 && found.err == "")
          }
          guard !isLarge else { continue }
          let bytes = Int.random(in: 1...200, using: &random)
          let words = options.map { "'\($0)'" }.joined(separator: " ")
          let chunks = try shell("dd if=app.log bs=\(bytes) 2>/dev/null | \"$JSIFT\" \(words) -j 2", in: folder)
          #expect(chunks.lines == expected, "\(random), reads of \(bytes) bytes")
        }
      }
    }
  }

  // MARK: Estimates

  /// Returns the number of distinct values and its error.
  private func count(_ lines: [String], _ options: [String] = []) throws -> (distinct: Int, error: Double) {
    let found = try run(
      ["stats", "--distinct", "v=$", "--input", "ndjson"] + options, stdin: lines.joined(separator: "\n"))
    let row = try JSON(parsing: found.text)
    #expect(row["count"].int == lines.count && row["absent"].int == 0)
    return (row["distinct"].intValue, row["distinctError"].doubleValue)
  }

  @Test func `the number is exact up to 4096 values`() throws {
    for count in [1, 8, 9, 16, 17, 4095, 4096] {
      // Each value occurs again after the others.
      let found = try self.count((0..<(2 * count)).map { String($0 % count) })
      #expect(found.distinct == count && found.error == 0)
    }
    let more = try count((1...4097).map(String.init))
    #expect(more.error == 0.0081)
    #expect(abs(more.distinct - 4097) < 4097 * 3 / 100)
  }

  @Test(arguments: isDebug ? [5000, 12_000, 40_000, 100_000] : [5000, 12_000, 40_000, 100_000, 300_000, 1_000_000])
  func `an estimate is within three percent, for numbers and strings`(count: Int) throws {
    let values = [
      (1...count).map { "\($0)" }, (1...count).map { "\"user-\($0 &* 7919)\"" }, (1...count).map { "\($0).5e-7" },
    ]
    for values in values {
      let found = try self.count(values)
      #expect(found.error == 0.0081)
      #expect(abs(Double(found.distinct - count)) < Double(count) * 0.03, "\(values[0]): \(found.distinct)")
    }
  }

  @Test func `an estimate depends on the set of values only`() throws {
    var random = SeededGenerator()
    print("estimates: \(random)")
    let values = (0..<30_000).map { "{\"id\": \($0), \"note\":\"\(String(repeating: "-", count: 40))\"}" }
    let first = try count(values, ["-j", "1"])
    #expect(try count(values, ["-j", "1"]) == first)
    for jobs in ["1", "3"] {
      let others = (values + values.prefix(5000)).shuffled(using: &random)
      #expect(try count(others, ["-j", jobs]) == first, "\(random)")
      try withFolder { folder in
        let file = try folder.file("app.log", others.joined(separator: "\n"))
        let found = try run(["stats", "--distinct", "v=$", "-j", jobs, file])
        #expect(found.text.contains("\"count\":35000,\"distinct\":\(first.distinct),"), "\(random)")
      }
    }
    // It is the same in each run and on each machine.
    #expect(try count((1...20_000).map(String.init)).distinct == 20_071)
  }

  @Test func `groups have numbers of their own, exact ones and estimates`() throws {
    let lines = (0..<12_000).map { number in
      let group = number % 3 == 0 ? "b" : number % 3 == 1 ? "a" : "c"
      let value = group == "a" ? "\(number % 7)" : group == "b" ? "\(number)" : "\"\(number % 11)\""
      return "{\"g\":\"\(group)\",\"v\":\(value)}"
    }
    for jobs in ["1", "3"] {
      let found = try run(
        ["stats", "--by", "g=$.g", "--distinct", "v=$.v", "--distinct", "none=$.x", "-j", jobs],
        stdin: lines.joined(separator: "\n"))
      let rows = try found.lines.map { try JSON(parsing: $0) }
      #expect(rows.map(\.["g"].stringValue) == ["b", "b", "a", "a", "c", "c"])
      #expect(rows.map(\.["distinct"].intValue) == [4000, 0, 7, 0, 11, 0])
      #expect(rows.map(\.["absent"].intValue) == [0, 4000, 0, 4000, 0, 4000])
      let all = try run(["stats", "--distinct", "v=$.v", "-j", jobs], stdin: lines.joined(separator: "\n"))
      #expect(all.text == "{\"name\":\"v\",\"count\":12000,\"distinct\":4015,\"absent\":0,\"distinctError\":0}\n")
    }
  }

  // MARK: Output

  @Test func `each format of output, also together with numbers`() throws {
    let input = "{\"u\":1,\"ms\":5}\n{\"u\":\"a\",\"ms\":7}\n{\"u\":1.0,\"ms\":\"x\"}\n{\"ms\":1}\n"
    func text(_ format: String, _ options: [String] = []) throws -> String {
      try run(["stats", "--distinct", "u=$.u", "--format", format] + options, stdin: input).text
    }
    #expect(try text("ndjson") == "{\"name\":\"u\",\"count\":4,\"distinct\":2,\"absent\":1,\"distinctError\":0}\n")
    #expect(try text("json") == "[{\"name\":\"u\",\"count\":4,\"distinct\":2,\"absent\":1,\"distinctError\":0}]\n")
    #expect(try text("csv") == "name,count,distinct,absent,distinctError\nu,4,2,1,0\n")
    #expect(try text("tsv") == "name\tcount\tdistinct\tabsent\tdistinctError\nu\t4\t2\t1\t0\n")
    let numbers = ["--of", "ms=$.ms"]
    #expect(
      try text("ndjson", numbers) == """
        {"name":"ms","count":3,"sum":13,"min":1,"max":7,"mean":4.333333333333333,"p50":5,"p95":7,"p99":7,"absent":0,"wrong":1}
        {"name":"u","count":4,"distinct":2,"absent":1,"distinctError":0}

        """)
    #expect(
      try text("csv", numbers + ["--by", "a=$.a"]) == """
        name,a,count,sum,min,max,mean,p50,p95,p99,distinct,absent,wrong,distinctError
        ms,,3,13,1,7,4.333333333333333,5,7,7,,0,1,
        u,,4,,,,,,,,2,1,,0

        """)
    #expect(
      try text("table", ["--of", "n=$.n"]) == """
        name  count  sum  min  max  mean  p50  p95  p99  distinct  absent  wrong  distinctError
        ----  -----  ---  ---  ---  ----  ---  ---  ---  --------  ------  -----  -------------
        n         0                                                     4      0
        u         4                                             2       1                     0

        """)
    #expect(try run(["stats", "--distinct", "u=$.u"], stdin: "").status == 1)
  }

  @Test func `the message about too many groups says what distinct values need`() throws {
    let found = try run(["stats", "--by", "a=$", "--distinct", "a=$", "--max-groups", "1"], stdin: "1\n2\n")
    #expect(found.text == "{\"name\":\"a\",\"a\":1,\"count\":1,\"distinct\":1,\"absent\":0,\"distinctError\":0}\n")
    #expect(
      found.err
        == "jsift: expected at most 1 groups, found more; raise --max-groups (about 200 bytes per group, and up to 115 KiB "
        + "for each --distinct)\n")
    #expect(found.status == 2)
  }

  @Test func `one document is one record`() throws {
    let found = try run(
      ["stats", "--distinct", "v=$.a[*]", "--input", "json"], stdin: "{\"a\":[1,\n1.0,\"x\",[1,\n2],[1,2]]}")
    #expect(found.text == "{\"name\":\"v\",\"count\":1,\"distinct\":3,\"absent\":0,\"distinctError\":0}\n")
  }
}
