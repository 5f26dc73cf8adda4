import TestSupport
import Testing

/// Lines that cannot satisfy a condition, because they lack its required literals, are not parsed. This changes neither
/// output nor status.
@Suite struct PrefilterTests {
  private static let lines = [
    #"{"id":1,"level":"error","m":"a"}"#, #"{"id":2,"level":"info","m":"\"error\""}"#, #"{"id":3,"level":"info"}"#,
    #"{"id":4,"level":"\u0065rror"}"#, "bad", #"{"id":5,"level":"error","#, #"{"id":6,"level":"erro\u0072"}"#, "",
    #"{"id":7,"lev\u0065l":"error"}"#, #"{"id":8,"level":"\\u0065rror"}"#, #"{"id":9,"level":"error"}"#,
  ]
  private static let condition = "@.level == 'error'"

  @Test(arguments: [
    ["records"], ["records", "--count"], ["records", "--limit", "3"], ["records", "--with-location"], ["$.id"],
    ["$.id", "--with-location"], ["-p", "id=$.id", "-p", "m=$.m"], ["records", "--select", "id=$.id"],
  ])
  func `output and status are the same as when every line is parsed`(command: [String]) throws {
    let few = Self.lines.joined(separator: "\n")
    // Enough input for workers; a debug build gets longer lines.
    let long = isDebug ? "{\"id\":10,\"level\":\"info\",\"m\":\"\(String(repeating: "x", count: 3000))\"}\n" : ""
    let many = String(repeating: few + "\n" + long, count: isDebug ? 350 : 4000)
    try withFolder { folder in
      func check(_ text: String, jobs: String, _ conditions: [String]) throws {
        let file = try folder.file("a.ndjson", text)
        for condition in conditions {
          let arguments = command + ["--where", condition, "--jobs", jobs, file]
          let filtered = try run(arguments)
          let plain = try run(arguments + ["--max-errors", "1000000"])
          #expect(filtered.out == plain.out)
          #expect(filtered.status == plain.status)
          #expect(filtered.status == (condition.contains("none") ? 1 : 0))
        }
      }
      var others = ["@.level == 'none'", "@.m || @.id == 9", "search(@.level, 'rror')"]
      // In a debug build each command is tested with one of them.
      if isDebug { others = [others[command.joined().utf8.count / 2 % 3]] }
      try check(few, jobs: "1", [Self.condition] + others)
      try check(many, jobs: "2", [Self.condition])
    }
  }

  @Test func `the summary reports that some lines were not validated`() throws {
    let result = try run(["$.id", "--where", Self.condition], stdin: Self.lines.joined(separator: "\n"))
    #expect(result.text == "1\n4\n6\n7\n9\n")
    #expect(result.err.contains("jsift: standard input: 1 bad record was skipped"))
    #expect(
      result.err.hasSuffix(
        "jsift: standard input: lines that cannot match were not validated; --max-errors and --rejects validate all\n"))
  }

  @Test func `options that count or keep bad lines get all of them`() throws {
    try withFolder { folder in
      let file = try folder.file("a.ndjson", Self.lines.joined(separator: "\n"))
      let rejects = folder.path("bad.ndjson")
      let kept = try run(["$.id", "--where", Self.condition, "--rejects", rejects, file])
      #expect(kept.err.contains("2 bad records were skipped"))
      #expect(!kept.err.contains("not validated"))
      #expect(try run(["$.line", rejects]).text == "5\n6\n")
      let ruledOut = try run(["$.id", "--where", Self.condition, "--rejects", rejects, "--prefilter", "always", file])
      #expect(ruledOut.text == kept.text)
      #expect(ruledOut.err.contains("1 bad record was skipped"))
      #expect(ruledOut.err.contains("lines that cannot match were not validated"))
      #expect(try run(["$.id", "--where", Self.condition, "--max-errors", "1", file]).status == 2)
      try run(["$.id", "--where", Self.condition, "--on-error", "stop", file]).expect(text: "1\n4\n", status: 2)
      let ruledOutStopped = try run([
        "$.id", "--where", Self.condition, "--on-error", "stop", "--prefilter", "always", file,
      ])
      ruledOutStopped.expect(text: "1\n4\n", status: 2)
    }
  }

  @Test func `rows of bad records, the plan and an index follow the prefilter`() throws {
    try withFolder { folder in
      let file = try folder.file("a.ndjson", Self.lines.joined(separator: "\n"))
      let command = ["records", "--where", Self.condition, file]
      let kept = try run(command + ["--rejects-inline", "bad"])
      #expect(kept.err.contains("2 bad records were written as rows") && !kept.err.contains("not validated"))
      let lost = try run(command + ["--rejects-inline", "bad", "--prefilter", "always"])
      #expect(lost.err.contains("1 bad record was written as a row") && lost.err.contains("were not validated"))
      #expect(try run(command + ["--rejects-inline", "bad", "--explain"]).text.contains("is validated but not parsed"))
      #expect(try run(command + ["--prefilter", "never", "--explain"]).text.contains("each line is parsed"))
      let rare = ["records", "--where", "@.id == 1", file]
      #expect(try run(["index", "-p", "$.id", file]).status == 0)
      #expect(
        try run(rare + ["--prefilter", "never"]).err == run(rare + ["--prefilter", "never", "--index", "never"]).err)
    }
  }

  @Test func `statistics cover all records that satisfy the condition`() throws {
    let text = Self.lines.joined(separator: "\n")
    let command = ["stats", "--of", "id=$.id", "--format", "json", "--where", Self.condition]
    let filtered = try run(command, stdin: text)
    let plain = try run(command + ["--max-errors", "9"], stdin: text)
    #expect(filtered.out == plain.out)
    #expect(filtered.text.contains("27"))
    #expect(filtered.err.contains("1 bad record was skipped"))
    #expect(filtered.err.contains("lines that cannot match were not validated"))
    #expect(plain.err.contains("2 bad records were skipped"))
  }

  @Test func `progress reports the lines that were not validated`() throws {
    let result = try run(
      ["$.id", "--where", Self.condition, "--progress", "always"], stdin: Self.lines.joined(separator: "\n"))
    #expect(result.err.contains("5 results, 1 error, 4 lines not validated"))
  }

  @Test func `the plan lists the required literals`() throws {
    let plan = try run(["records", "--explain", "--where", Self.condition, "--input", "ndjson"])
    #expect(
      plan.text.contains(
        """
        where     @.level == 'error'
        literals  "error", and "level"
                  a line without them (also escaped) is not parsed and not validated
        """))
    let either = try run(["$", "--explain", "--where", "@.a == 'x' || @.a == 'y'"])
    #expect(either.text.contains("literals  \"x\" or \"y\"\n"))
    let none = try run(["$", "--explain", "--where", "@.a != 'x'"])
    #expect(
      none.text.contains("literals  none: the condition does not require any literal, so each record is parsed\n"))
    let off = try run(["$", "--explain", "--where", Self.condition, "--max-errors", "3"])
    #expect(off.text.contains("is validated but not parsed, unless"))
  }
}
