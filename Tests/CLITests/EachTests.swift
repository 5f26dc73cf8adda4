import Testing

@Suite struct EachTests {
  @Test func `each element is one line with unchanged bytes`() throws {
    let result = try run(["each", "$.a"], stdin: "{\"a\":[ 1.0, {\"b\":\n [ ]}, \"\\u00e9\", null ],\n\"b\":[2]}")
    result.expect(text: "1.0\n{\"b\": [ ]}\n\"\\u00e9\"\nnull\n", err: "", status: 0)
  }

  @Test func `each member is written as a separate object, also if names are equal`() throws {
    let text = #"{"o":{"a":1.50,"b c":[ 2],"\u00e9\"":3,"a":4}}"#
    #expect(
      try run(["each", "$.o"], stdin: text).text == #"{"a":1.50}"# + "\n" + #"{"b c":[ 2]}"# + "\n" + #"{"é\"":3}"#
        + "\n" + #"{"a":4}"# + "\n")
    #expect(try run(["each", "-r", "$.o"], stdin: text).text == "a\t1.50\nb c\t[ 2]\né\"\t3\na\t4\n")
  }

  @Test(arguments: [
    ("$", "[1,[2]]", "1\n[2]\n"), ("$[-1]", "[1,[2]]", "2\n"), ("$['a'][1]", #"{"a":[0,{"k":1}]}"#, "{\"k\":1}\n"),
  ])
  func `any singular path can select the container`(path: String, input: String, expected: String) throws {
    #expect(try run(["each", path, "--input", "json"], stdin: input).text == expected)
  }

  @Test(arguments: [("$.a", #"{"a":[]}"#), ("$.a", #"{"a":7}"#), ("$.x", #"{"a":7}"#)])
  func `an empty container, a scalar and a missing value give exit status 1`(path: String, input: String) throws {
    try run(["each", path, "--input", "json"], stdin: input).expect(text: "", err: "", status: 1)
  }

  @Test func `the container of each record is iterated over, and a bad record is skipped`() throws {
    let result = try run(["each", "$.a"], stdin: "{\"a\":[1,2]}\n{\"a\"\n{\"a\":{\"k\":3}}\n")
    #expect(result.text == "1\n2\n{\"k\":3}\n")
    #expect(result.err.contains("1 bad record was skipped"))
    #expect(result.status == 0)
    #expect(try run(["each", "$.a", "--on-error", "stop"], stdin: "[1\n{\"a\":[1]}\n{\"a\":[2]}\n").status == 2)
  }

  @Test func `limit and count apply to elements`() throws {
    #expect(try run(["each", "$", "--input", "json", "--limit", "2"], stdin: "[1,2,3]").text == "1\n2\n")
    #expect(try run(["each", "$", "--input", "json", "--count"], stdin: "[1,2,3]").text == "3\n")
  }

  @Test func `an element of an unfinished array is written as soon as it is complete`() throws {
    let child = try Tool.start(["each", "$.events", "--input", "json"])
    child.write("{\"events\":[{\"a\":1},")
    #expect(child.lines(1) == [#"{"a":1}"#])
    Child.rest()
    child.write(" {\"a\":")
    Child.rest()
    child.write("2} , \"x\",")
    #expect(child.lines(3) == [#"{"a":1}"#, #"{"a":2}"#, #""x""#])
  }

  @Test func `a member of an unfinished object is written as soon as it is complete`() throws {
    let child = try Tool.start(["each", "$", "--input", "json"])
    child.write("{\"a\":[1],\"b\":")
    #expect(child.lines(1) == [#"{"a":[1]}"#])
    child.write("{},")
    #expect(child.lines(2).last == #"{"b":{}}"#)
  }

  @Test func `an endless array is read until the limit, or until the output is closed`() throws {
    let endless = "{ printf '{\"a\":['; yes '{\"n\":1},'; }"
    #expect(try shell("\(endless) | \"$JSIFT\" each '$.a' --input json --limit 2").text == "{\"n\":1}\n{\"n\":1}\n")
    let gone = try shell("\(endless) | { \"$JSIFT\" each '$.a' --input json; echo \"status $?\" >&2; } | head -n 1")
    gone.expect(text: "{\"n\":1}\n", err: "status 0\n")
  }

  @Test(arguments: ["$.a[*]", "$..a", "$[?@.a]", "$[1:2]", "$['a','b']"])
  func `a path that can select several values is rejected, and nothing is read`(path: String) throws {
    let result = try run(["each", path, "no such file"])
    #expect(
      result.err
        == "jsift: path '\(path)': expected the path of one array or object, with names and indexes only, found a path "
        + "that can match several values; jsift get accepts any path\n")
    #expect(result.status == 2)
  }

  @Test(arguments: [["each"], ["each", "--element", "3"], ["stats", "--of", "n=$", "--each"]])
  func `a path whose elements are one step too deep is rejected`(command: [String]) throws {
    let steps = String(repeating: ".a", count: 1023)
    #expect(try run(command + ["$" + steps], stdin: "{}").status < 2)
    let result = try run(command + ["$\(steps).a"], stdin: "{}")
    #expect(result.err.hasPrefix("jsift: path '$['a']['a']"), "\(result.err)")
    #expect(result.err.contains("…': expected at most 1024 segments, found more\n"), "\(result.err)")
    #expect(result.status == 2 && result.out.isEmpty)
  }
}
