import Foundation
import Testing

/// The values by which `stats` groups records.
@Suite struct StatsValueTests {
  /// The texts of values, in which those of one line are equal.
  private static let values = [
    [#""/api/v1""#, #""\/api\/v1""#, #""\u002fapi/v1""#], ["200", "200.0", "2e2", "20000e-2"],
    ["-0.0", "0", "-0", "0e99999999999999999999", "0.0"], ["10e-1", "1", "1.0"], ["-5.0", "-5"],
    ["1e400000000", "10e399999999"], ["1e20", "100000000000000000000"], ["1e18", "1000000000000000000"],
    ["0.5", "5e-1"], ["[1, 2]", "[1,2]", "[1.0,2e0]"], ["{}", "{ }"], [#"{"k" : "\u0041 x"}"#, #"{"k":"A x"}"#],
    [#"["\"\\\n\u000b"]"#, #"["\u0022\u005c\u000A\u000B"]"#], [#""\ud83d\ude00""#, #""😀""#], ["true"], ["null"],
    [#""200""#], ["201"], [#""""#], ["[[1],2]"], [#"{"b":1,"a":2}"#], [#"{"a":2,"b":1}"#],
  ]

  @Test func `issue 48, row 1: equal values are one group, shown in the spelling that comes first`() throws {
    // By round: the n-th spelling of each value.
    var lines: [String] = []
    for round in 0..<5 {
      for (id, texts) in Self.values.enumerated() where round < texts.count {
        lines.append(#"{"v":\#(texts[round]),"w":{"v":\#(texts[round])},"n":\#(id),"t":0}"#)
      }
    }
    // Many records, so that several workers have blocks of their own.
    let text = String(repeating: lines.joined(separator: "\n") + "\n", count: 300)
    try withFolder { folder in
      let file = try folder.file("in.ndjson", text)
      let expected = Self.values.map { $0.count * 300 }
      for options in [["-j", "1"], ["-j", "4"], ["--every", "1h", "--time", "$.t"], ["--where", "@.n >= 0"]] {
        let found = try run(["stats", "--by", "v=$.v", "--format", "csv"] + options + [file])
        #expect(found.lines.dropFirst().map { Int($0.split(separator: ",").last ?? "") } == expected, "\(options)")
      }
      let two = try run(["stats", "--by", "v=$.v", "--by", "w=$.w.v", "--distinct", "d=$.v", "-j", "4", file])
      #expect(two.lines.count == Self.values.count)
      #expect(two.lines.allSatisfy { $0.contains(#""distinct":1,"absent":0"#) })
      for (line, texts) in zip(two.lines, Self.values) where !texts[0].hasPrefix("\"") {
        #expect(line.contains("\"v\":\(texts[0]),\"w\":\(texts[0]),"), "\(line)")
      }
      #expect(try run(["stats", "--distinct", "d=$.v", file]).text.contains(#""distinct":\#(Self.values.count),"#))
    }
    let each = try run(
      ["stats", "--each", "$.a", "--by", "v=$", "--input", "json", "--top", "1"], stdin: #"{"a":[7,200,2e2,"x",200.0]}"#
    )
    #expect(each.text == "{\"v\":200,\"count\":3}\n")
  }

  @Test func `issue 48, row 1: numbers with huge exponents take no memory and no time`() throws {
    let numbers = ["1e999999999", "-1e-999999999", "1e99999999999999", "123456789e1000000000"]
    let lines = numbers.map { "{\"v\":\($0)}\n{\"v\":[\($0)]}\n" }.joined()
    let found = try run(["stats", "--by", "v=$.v"], stdin: lines)
    #expect(found.lines.count == 8 && found.out.count < 1000)
  }

  @Test func `issue 48, row 3: each match of a --by path counts once for a record`() throws {
    let lines = """
      {"tags":["a","b"],"x":1}
      {"tags":["b","\\u0062"],"x":2}
      {"tags":[],"x":3}

      """
    let one = try run(["stats", "--by", "t=$.tags[*]", "--format", "csv"], stdin: lines)
    #expect(one.text == "t,count\na,1\nb,2\n,1\n")
    let sums = try run(
      ["stats", "--by", "t=$.tags[*]", "--of", "x=$.x", "--distinct", "d=$.x", "--format", "csv"], stdin: lines)
    #expect(
      sums.lines.dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false)[2...3].joined(separator: " ")
      } == ["1 1", "1 ", "2 3", "2 ", "1 3", "1 "], "\(sums.text)")
    let product = try run(
      ["stats", "--by", "a=$.a[*]", "--by", "b=$.b[*]", "--of", "n=$.n[*]", "--format", "csv"],
      stdin: #"{"a":[1,2,1.0],"b":["x","y"],"n":[5,6]}"#)
    #expect(
      product.lines.dropFirst().map { $0.split(separator: ",")[1...4].joined(separator: " ") }
        == ["1 x 2 11", "1 y 2 11", "2 x 2 11", "2 y 2 11"])
    let text = String(repeating: lines, count: 3000)
    try withFolder { folder in
      let file = try folder.file("in.ndjson", text)
      let found = try run(["stats", "--by", "t=$.tags[*]", "--format", "csv", "-j", "4", file])
      #expect(found.text == "t,count\na,3000\nb,6000\n,3000\n")
    }
  }

  @Test func `issue 48, row 3: combinations of matches are bounded by --max-groups`() throws {
    let numbers = (0..<400).map { "\($0)" }.joined(separator: ",")
    let line = "{\"a\":[1]}\n{\"a\":[\(numbers)]}\n"
    let found = try run(["stats", "--by", "a=$.a[*]", "--by", "b=$.a[*]", "--max-groups", "1000"], stdin: line)
    #expect(found.text == "{\"a\":1,\"b\":1,\"count\":1}\n")
    #expect(found.status == 2 && found.err.contains("expected at most 1000 groups, found more"))
  }

  @Test func `issue 48, row 18: the message about a name says that it is a column of the result`() throws {
    for name in ["name", "count", "sum", "p95", "wrong"] {
      let found = try run(["stats", "--by", "\(name)=$.a", "--of", "n=$.n"], stdin: "{}")
      #expect(found.err.contains("found '\(name)', which is a column of the result"), "\(found.err)")
      #expect(found.err.contains("for example --by '\(name)_=$.a'") && found.status == 2)
    }
    let found = try run(["stats", "--by", "a=$.a", "--by", "a=$.b"], stdin: "{}")
    #expect(found.err == "jsift: --by 'a=$.b': expected a unique name, found a duplicate\n")
  }

  @Test func `issue 48: one long value does not widen every row of a table`() throws {
    let long = String(repeating: "x", count: 20_000)
    let lines = "{\"a\":\"\(long)\"}\n" + (0..<500).map { "{\"a\":\($0)}\n" }.joined()
    let found = try run(["stats", "--by", "a=$.a", "--format", "table"], stdin: lines)
    #expect(found.lines.count == 503 && found.out.count < 200_000)
    #expect(found.lines[2].contains("…  ") && found.status == 0)
  }
}
