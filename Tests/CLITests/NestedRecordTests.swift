import Testing

/// `--unwrap`, `--each` and paths that begin with `^`.
@Suite struct NestedRecordTests {
  static let docker = #"""
    {"log":"{\"level\":\"info\",\"id\":1}\n","stream":"stdout","time":"2026-11-25T10:00:00Z"}
    {"log":"starting\n","stream":"stdout","time":"2026-11-25T10:00:01Z"}
    {"log":"{\"level\":\"error\",\"id\":2}\n","stream":"stderr","time":"2026-11-25T10:00:02Z"}
    {"log":"{\"level\":\"error\" \"id\":3}\n","stream":"stderr","time":"2026-11-25T10:00:03Z"}

    """#

  @Test func `the records in strings are read with conditions, and what is no JSON is counted`() throws {
    let result = try run(
      ["records", "--unwrap", "$.log", "--where", "@.level == 'error'", "--prefilter", "never"], stdin: Self.docker)
    #expect(result.text == "{\"level\":\"error\",\"id\":2}\n")
    #expect(result.err.contains("standard input:4:30: expected ',' or '}' after a member, found a string"))
    #expect(result.err.contains("1 record has no JSON at the path of --unwrap"))
    #expect(result.status == 0)
  }

  @Test(arguments: [["-j", "1"], ["-j", "3"]])
  func `locations and rejects are those of the outer lines`(jobs: [String]) throws {
    try withFolder { folder in
      let file = try folder.file("docker.log", Self.docker)
      let rejects = folder.path("rejects.ndjson")
      let result = try run(["get", "$.id", "--unwrap", "$.log", "--with-location", "--rejects", rejects, file] + jobs)
      #expect(
        folder.cut(result.text)
          == #"{"file":"docker.log","line":1,"byteOffset":35,"path":"$['id']","value":1}"# + "\n"
          + #"{"file":"docker.log","line":3,"byteOffset":195,"path":"$['id']","value":2}"# + "\n")
      let reject = try folder.text("rejects.ndjson")
      #expect(reject.contains(#""line":4"#))
      #expect(reject.contains(#""raw":"{\"log\":\"{\\\"level\\\":\\\"error\\\" \\\"id\\\":3}\\n\""#))
    }
  }

  @Test func `a path that begins with a caret is in the record one level out, in each option`() throws {
    func lines(_ arguments: String...) throws -> String {
      try run(arguments + ["--unwrap", "$.log", "--on-error", "skip"], stdin: Self.docker).text
    }
    #expect(try lines("records", "--where", "^.stream == 'stderr'") == "{\"level\":\"error\",\"id\":2}\n")
    #expect(
      try lines("records", "--select", "id=$.id", "--select", "s=^.stream")
        == "{\"id\":1,\"s\":\"stdout\"}\n{\"id\":2,\"s\":\"stderr\"}\n")
    #expect(try lines("get", "^.stream", "-r") == "stdout\nstderr\n")
    #expect(
      try lines("records", "--time", "^.time", "--since", "2026-11-25T10:00:02Z") == "{\"level\":\"error\",\"id\":2}\n")
    #expect(
      try lines("stats", "--by", "s=^['stream']") == "{\"s\":\"stdout\",\"count\":1}\n{\"s\":\"stderr\",\"count\":1}\n")
    #expect(try lines("get", "$.id", "--where", "^..stream") == "1\n2\n")
  }

  @Test(arguments: [
    (["records", "--where", "^.stream == "], "condition '^.stream == '", "| ^.stream == \n    |             ^"),
    (["records", "--where", "^.stream == 'a' && @.n <"], "condition '^.stream == 'a' && @.n <'", "| ^.stream == 'a'"),
    (["get", "^.stream["], "path '^.stream['", "| ^.stream[\n    |          ^"),
  ])
  func `the message about a path that begins with a caret shows what was typed`(
    arguments: [String], head: String, excerpt: String
  ) throws {
    let result = try run(arguments + ["--unwrap", "$.log"], stdin: Self.docker)
    #expect(result.status == 2)
    #expect(result.err.contains(head), "\(result.err)")
    #expect(result.err.contains(excerpt), "\(result.err)")
  }

  @Test func `the plan of a run lists the steps`() throws {
    let plan = try run(["records", "--unwrap", "$.log", "--where", "^.stream == 'a'", "--explain"], stdin: "").text
    #expect(plan.contains("step      the JSON in the string at $['log'] of each record is the record\n"), "\(plan)")
    #expect(plan.contains("{\"v\": the record"), "\(plan)")
  }

  @Test func `the damage of a document is shown with the text around it`() throws {
    let text = "{\"r\":[{\"a\":1},\n{\"a\":3]}"
    let result = try run(["records", "--each", "$.r", "--input", "json", "-j", "1"], stdin: text)
    #expect(result.err.contains("standard input:2:7: expected ',' or '}'"), "\(result.err)")
    #expect(result.err.contains("  2 | {\"a\":3]}\n    |       ^"), "\(result.err)")
  }

  @Test func `steps are applied in the order of the command line, and each caret is one level`() throws {
    let inner = #"{\"Records\":[{\"body\":\"{\\\"a\\\":1}\"},{\"body\":\"{\\\"a\\\":2}\"}],\"kind\":\"x\"}"#
    let text = #"{"id":7,"Message":""# + inner + "\"}\n"
    let steps = ["--unwrap", "$.Message", "--each", "$.Records", "--unwrap", "$.body"]
    #expect(try run(["records"] + steps, stdin: text).text == "{\"a\":1}\n{\"a\":2}\n")
    let columns = ["--select", "a=$.a", "--select", "kind=^^.kind", "--select", "id=^^^.id", "--select", "body=^.body"]
    #expect(
      try run(["records"] + steps + columns, stdin: text).text
        == #"{"a":1,"kind":"x","id":7,"body":"{\"a\":1}"}"# + "\n" + #"{"a":2,"kind":"x","id":7,"body":"{\"a\":2}"}"#
        + "\n")
    let other = try run(["records", "--each", "$.Records", "--unwrap", "$.Message"], stdin: text)
    other.expect(text: "", err: "", status: 1)
    let tooFar = try run(["records", "--unwrap", "$.Message", "--where", "^^.id"], stdin: text)
    #expect(tooFar.status == 2)
    #expect(tooFar.err.contains("expected at most 1 '^'"))
  }

  @Test(arguments: [[], ["-j", "1"]])
  func `the elements of containers are records, in a document and in each line`(jobs: [String]) throws {
    let document = "{\"time\": 1,\n \"r\": [{\"s\": [{\"a\": 1},\n {\"a\": 2}]}, {\"s\": [{\"a\":\n 3}]}], \"late\": 4}"
    func lines(_ arguments: String...) throws -> String {
      try run(arguments + ["--each", "$.r[*].s", "--input", "json"] + jobs, stdin: document).text
    }
    #expect(try lines("records") == "{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n")
    #expect(try lines("get", "$.a", "--where", "@.a > 1") == "2\n3\n")
    #expect(try lines("records", "--select", "t=^.time", "--select", "l=^.late", "--limit", "1") == "{\"t\":1}\n")
    #expect(try lines("stats", "--of", "a=$.a").contains("\"count\":3,\"sum\":6"))
    #expect(try lines("shape").contains(#""path":"$.a""#))
    let log = "{\"r\":[{\"s\":[1,2]}]}\n{\"r\":[]}\n{\"r\":[{\"s\":{\"k\":3}}]}\n"
    let located = try run(
      ["get", "$", "--each", "$.r[*].s", "--with-location", "--input", "ndjson"] + jobs, stdin: log
    ).text
    #expect(
      located
        == #"{"file":"-","line":1,"byteOffset":12,"path":"$","value":1}"# + "\n"
        + #"{"file":"-","line":1,"byteOffset":14,"path":"$","value":2}"# + "\n"
        + #"{"file":"-","line":3,"byteOffset":45,"path":"$","value":3}"# + "\n")
  }

  @Test(arguments: [[], ["-j", "1"]])
  func `damage ends a document after its elements, and is told with its place`(jobs: [String]) throws {
    let text = "{\"r\": [{\"a\":1},\n {\"a\" 2}]}"
    try withFolder { folder in
      let file = try folder.file("a.json", text)
      for (arguments, stdin, name) in [([file], nil as String?, "a.json"), ([], text, "standard input")] {
        let result = try run(
          bytes: (["records", "--each", "$.r", "--input", "json"] + jobs + arguments).map { Array($0.utf8) },
          stdin: stdin.map { Array($0.utf8) })
        #expect(result.text == "{\"a\":1}\n")
        #expect(
          folder.cut(result.err).hasPrefix("jsift: \(name):2:7: expected ':' after a key, found a digit (byte 22)\n"))
        #expect(result.status == 2)
      }
    }
  }

  @Test(arguments: ["skip", "keep", "reject"]) func `--unwrap-else says what a record without JSON is`(
    choice: String
  ) throws {
    let result = try run(
      ["records", "--unwrap", "$.log", "--unwrap-else", choice], stdin: "{\"log\":\"text\"}\n{\"log\":[1]}\n{\"x\":1}\n"
    )
    #expect(result.text == (choice == "keep" ? "{\"log\":\"text\"}\n[1]\n{\"x\":1}\n" : "[1]\n"))
    #expect(result.err.contains("2 records have no JSON") == (choice == "skip"))
    #expect(result.err.contains("2 bad records were skipped") == (choice == "reject"))
  }

  @Test func `check reports errors inside of strings`() throws {
    let result = try run(["check", "--unwrap", "$.log"], stdin: Self.docker)
    #expect(result.status == 1)
    #expect(result.text.contains("standard input:4:30: expected ',' or '}' after a member, found a string"))
  }

  @Test(arguments: [
    (["records", "--unwrap", "$.a[*]"], "expected a path with names and indexes only"),
    (["records", "--unwrap", "a"], "--unwrap 'a': "),
    (["records", "--each", "$["], "--each '$[': "),
    (["records", "--where", "^.a"], "^"),
    (["records", "--unwrap-else", "keep"], "use it with --unwrap"),
  ])
  func `a path that cannot be used is an error before anything is read`(arguments: [String], message: String) throws {
    let result = try run(arguments, stdin: "{}\n")
    #expect(result.status == 2)
    #expect(result.err.contains(message))
    #expect(result.text.isEmpty)
  }

  @Test func `a string that begins with bytes of zero holds no JSON, whatever is done with it`() throws {
    let line = #"{"log":"\u0000\u0000{\"a\":1}"}"# + "\n"
    let kept = try run(["records", "--unwrap", "$.log", "--unwrap-else", "keep"], stdin: line)
    #expect(kept.text == line)
    let rejected = try run(["records", "--unwrap", "$.log", "--unwrap-else", "reject"], stdin: line)
    #expect(rejected.text.isEmpty)
    #expect(rejected.err.contains("1:1: expected a string that holds JSON") && rejected.err.contains("1 bad record"))
  }

  @Test func `damage behind a byte order mark in a string is a bad record`() throws {
    let result = try run(
      ["records", "--unwrap", "$.log"], stdin: #"{"log":"\ufeff{\"a\":1}"}"# + "\n" + #"{"log":"\ufeff{bad"}"# + "\n")
    #expect(result.text == "{\"a\":1}\n")
    #expect(result.err.contains("1 bad record was skipped"))
  }

  @Test func `the time for the locations in one long line is proportional to its length`() throws {
    let elements = Array(repeating: #"{\"m\":1}"#, count: 40_000).joined(separator: ",")
    let line = #"{"log":"{\"k\":["# + elements + #"]}"}"# + "\n"
    let clock = ContinuousClock()
    let time = try clock.measure {
      let result = try run(
        ["get", "--unwrap", "$.log", "$.k[*].m", "--with-location", "--input", "ndjson"], stdin: line)
      #expect(result.lines.count == 40_000)
    }
    // Reading the line again for each of them took minutes.
    #expect(time < .seconds(isDebugTool ? 30 : 5))
  }

  private var isDebugTool: Bool { (try? Tool.path().contains("debug")) ?? true }

  @Test func `a pipe is read as it arrives`() throws {
    let result = try shell(
      "(printf '{\"log\":\"{\\\\\"a\\\\\":1}\"}\\n'; sleep 1; printf '{\"log\":\"{\\\\\"a\\\\\":2}\"}\\n') | \(Tool.path()) records --unwrap '$.log' --limit 1"
    )
    #expect(result.text == "{\"a\":1}\n")
  }
}
