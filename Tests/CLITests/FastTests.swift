import TestSupport
import Testing

/// `--fast` skips values that cannot match.
@Suite struct FastTests {
  private static let document = """
    {"meta": {"version": 1}, "records": [
      {"id": 1, "user": {"name": "a\\"]", "id": 10}, "rest": [{}, "}"]},
      {"user": {"id": {"deep": [1, 2]}}},
      {"id": 3}
    ], "end": null}
    """

  @Test(arguments: [
    "$.records[*].user.id", "$.records[1]", "$.meta.version", "$..id", "$.records[?@.id > 1]", "$.records[-1:].id", "$",
    "$.none",
  ])
  func `the results and the exit status are the same`(path: String) throws {
    let all = [[], ["--with-location"], ["--count"], ["--limit", "1"]]
    // In a debug build each path is tested without options and with one of the others.
    for more in isDebug ? [all[0], all[1 + path.utf8.count / 2 % 3]] : all {
      let arguments = [path, "--input", "json"] + more
      let validated = try run(arguments, stdin: Self.document)
      let fast = try run(arguments + ["--fast"], stdin: Self.document)
      #expect(
        fast.text == validated.text && fast.status == validated.status && fast.err == validated.err, "\(arguments)")
    }
  }

  @Test(arguments: ["[[01]]", "[1,]", "{\"a\" 1}", "tru", "{\"a\":\"\\x\"}", "{\"a\":{\"b\":01}}"])
  func `check validates every byte even with fast`(text: String) throws {
    let result = try run(["check", "--fast", "--input", "json"], stdin: text)
    #expect(result.status == 1 && !result.text.isEmpty, "\(text)")
    let records = try run(["check", "--fast", "--input", "ndjson"], stdin: "1\n\(text)\n2\n")
    #expect(records.status == 1 && records.text.contains(":2:"), "\(text)")
  }

  @Test func `damage in skipped values is not detected`() throws {
    let text = #"{"skipped": [01, {"x": nul}], "a": 5, "b": 6}"#
    let arguments = ["-p", "a=$.a", "-p", "b=$.b[*]", "--input", "json"]
    #expect(try run(arguments, stdin: text).status == 2)
    let found = try run(arguments + ["--fast"], stdin: text)
    #expect(found.text == "{\"a\":5}\n" && found.status == 0)
  }

  @Test func `damage to structure or to a result is reported with its position`() throws {
    let cases = [
      (#"{"a": [1, 2}, "b": 3}"#, "1:15"), (#"{"s": "x, "b": 3}"#, "1:18"), (#"{"a": 1, "b": [tru]}"#, "1:19"),
      (#"{"b": [1]"#, "1:10"),
    ]
    for (text, position) in cases {
      let result = try run(["$.b[*]", "--input", "json", "--fast"], stdin: text)
      #expect(result.status == 2 && result.err.contains(":\(position):"), "\(text): \(result.err)")
    }
  }

  // MARK: Records

  private static let records = (0..<400).map { number in
    let message = number % 7 == 0 ? #"say \"}]\" "# : "ok"
    let user =
      number % 5 == 0 ? "null" : #"{"name":"u\u00e9\#(number)","id":\#(number),"tags":[1,{"id":2},"\#(number)"]}"#
    return
      #"{"n":\#(number),"rest":[{"user":{"id":-1}},"{"],"message":"\#(message)","user":\#(user),"level":"l\#(number % 3)"}"#
  }.joined(separator: "\n")

  @Test(arguments: [
    ["$.user.id"], ["$.user.tags[-1]"], ["$.user.tags[*].id"],
    ["-p", "a=$.n", "-p", "b=$.user.name", "-p", "c=$.none.x"],
    ["$.user"], ["$..id"], ["$"], ["$.none"], ["$.user.name", "--where", "@.level == 'l1' && @.n > 100"],
    ["records", "--where", "@.user.id > 300"], ["records", "--where", "@.message != 'ok'", "--select", "n=$.n"],
    ["records", "--select", "u=$.user", "--select", "t=$.user.tags[*]", "--format", "csv"], ["records"],
    ["stats", "--of", "n=$.n", "--of", "id=$.user.id", "--by", "level=$.level", "--where", "@.n > 9"],
    ["each", "$.user.tags"],
  ])
  func `records give the same results, messages and exit status`(arguments: [String]) throws {
    // Long enough for several blocks per worker.
    let many = String(repeating: Self.records + "\n", count: isDebug ? 6 : 8)
    let isList = arguments[0] != "stats"
    var more = [["--input", "ndjson"]]
    if isList, isDebug {
      more = [["--with-location", "-j", "1"], ["-j", "2"]]
    } else if isList {
      more += [["--with-location", "-j", "1"], ["--count"], ["--limit", "7"], ["-j", "2"]]
    }
    for options in more where !(options.contains("--with-location") && arguments.contains("csv")) {
      let text = isDebug && options.contains("1") ? Self.records + "\n" : many
      let validated = try run(arguments + ["--input", "ndjson"] + options, stdin: text)
      let fast = try run(arguments + ["--input", "ndjson", "--fast"] + options, stdin: text)
      #expect(validated.status < 2 && validated.out.isEmpty == (validated.status == 1 && !options.contains("--count")))
      // The comparison is done outside of the macro, so that a failure does not print both texts.
      let isSame = fast.out == validated.out
      #expect(isSame, "\(arguments + options)")
      #expect(fast.status == validated.status && fast.err == validated.err, "\(arguments + options): \(fast.err)")
    }
  }

  @Test func `detected bad records are reported, written to the rejects file and limited`() throws {
    let text = """
      {"a":1,"b":[01]}
      {"a":2
      {"a":03}
      {"b":{]},"a":4}
      {"a":5}
      """
    try withFolder { folder in
      for jobs in ["1", "2"] {
        let arguments = ["$.a", "--input", "ndjson", "--fast", "-j", jobs]
        let found = try run(arguments + ["--rejects", folder.path("bad.ndjson")], stdin: text)
        #expect(found.text == "1\n5\n" && found.status == 0)
        #expect(found.err.contains("3 bad records were skipped") && found.err.contains(":2:7: "))
        let rejects = try folder.text("bad.ndjson")
        #expect(rejects.split(separator: "\n").count == 3)
        #expect(rejects.contains(#""line":4,"byteOffset":33,"offset":33,"length":15"#))
        let stopped = try run(arguments + ["--on-error", "stop"], stdin: text)
        #expect(stopped.text == "1\n" && stopped.status == 2)
        let limited = try run(arguments + ["--max-errors", "1"], stdin: text)
        #expect(limited.text == "1\n" && limited.status == 2)
        // With --fast, the rest of a record is not validated if the condition is false.
        let filter = ["records", "--where", "@.a == 5", "--input", "ndjson", "-j", jobs, "--max-errors", "3"]
        #expect(try run(filter, stdin: text).status == 2)
        let ruled = try run(filter + ["--fast"], stdin: text)
        #expect(ruled.text == "{\"a\":5}\n" && ruled.status == 0)
      }
    }
  }

  @Test func `explain says which parts of records are skipped`() throws {
    func reported(_ arguments: [String]) throws -> String {
      try run(arguments + ["--explain", "--fast", "--input", "ndjson"]).text
    }
    #expect(try reported(["$.a"]).contains("fast      only the parts of a record that the path requires are parsed"))
    #expect(try reported(["$.a", "--where", "@.b"]).contains("that the paths and the condition require are parsed"))
    #expect(try reported(["$..a"]).contains("fast      no: $..['a'] requires the whole record"))
    #expect(try reported(["$..a", "--where", "@.b"]).contains("fast      a whole record is parsed only if"))
    #expect(
      try reported(["$.a", "--where", "count(@..b) > 1"]).contains(
        "fast      no: the condition requires the whole record"))
    #expect(try reported(["records"]).contains("fast      no: the output requires the whole record"))
    #expect(
      try reported(["records", "--select", "a=$.a"])
        .contains("only the parts of a record that the path requires are parsed"))
    #expect(try !run(["$.a", "--explain", "--input", "ndjson"]).text.contains("fast"))
  }

  @Test func `explain says whether a path skips values`() throws {
    let passes = try run(["$.a[*].b", "--explain", "--fast", "--input", "json"])
    #expect(passes.text.contains("fast      values that cannot match are skipped"))
    let validates = try run(["$..b", "--explain", "--fast", "--input", "json"])
    #expect(validates.text.contains("fast      no: $..['b'] requires the whole document"))
    #expect(try !run(["$.a", "--explain"]).text.contains("fast"))
  }
}
