import Testing

/// All of RFC 9535 through the tool.
@Suite struct QueryTests {
  private static let store = """
    {"book":[{"t":"A","p":8.95},
    {"t":"B","p":12.99,"i":"x"},{"t":"C","p":22.990}],"max":12.99}
    """

  @Test(arguments: [
    ("$..p", "8.95\n12.99\n22.990\n"), ("$.book[-1].t", "\"C\"\n"), ("$.book[::-2].t", "\"C\"\n\"A\"\n"),
    ("$.book[0:2].t", "\"A\"\n\"B\"\n"), ("$.book[?@.p < 10].t", "\"A\"\n"), ("$.book[?@.i].t", "\"B\"\n"),
    ("$.book[?match(@.t, '[BC]')].p", "12.99\n22.990\n"), ("$.book[2,0].t", "\"C\"\n\"A\"\n"),
    ("$.book[?@.p > $.max].t", "\"C\"\n"), ("$[?length(@) == 3][0].t", "\"A\"\n"),
    ("$.book[?@.p == 1299e-2].t", "\"B\"\n"),
  ])
  func `each kind of path gives the same results for a document and for a record`(path: String, expected: String) throws
  {
    try run([path, "--input", "json"], stdin: Self.store).expect(text: expected, err: "")
    let record = try run([path, "--input", "ndjson"], stdin: Self.store.replacing("\n", with: "") + "\n")
    record.expect(text: expected, err: "")
  }

  @Test func `a path that requires the whole document is subject to the record limit`() throws {
    let result = try run(
      ["$[?$.a]", "--input", "json", "--max-record-bytes", "20"], stdin: "{\"a\":\"01234567890123456789\"}")
    #expect(result.text == "")
    #expect(result.err.contains("expected a record of at most 20 bytes, found a longer one"))
    #expect(result.status == 2)
  }

  // MARK: --explain

  @Test func `explain says how one path is evaluated, and reads nothing`() throws {
    try run(["$.a[*].b", "--explain", "no such file"]).expect(
      text: """
        path      $['a'][*]['b']
        input     document or records: detected from the name and first lines of each file
        document  streams
                  a match is kept in memory until complete, at most 67108864 bytes
                  stops early: no, everything is read
        records   one at a time is kept in memory, at most 67108864 bytes
                  the path is evaluated on each record
                  stops early: no, everything is read

        """, err: "", status: 0)
  }

  @Test func `explain says for each of several paths what it buffers`() throws {
    let result = try run([
      "-p", "x=$.a", "-p", "y=$.b[-2:]", "-p", "z=$..c", "--explain", "--input", "json", "--limit", "3",
      "--max-record-bytes", "9",
    ])
    #expect(
      result.text
        == """
        path      x = $['a']
        path      y = $['b'][-2:]
        path      z = $..['c']
        input     one document
        document  x: streams
                  y: streams; buffers the last 2 elements of an array; at most 9 bytes of text in total, plus four times as much overhead
                  z: streams; buffers matches until the outermost container that holds them ends; at most 9 bytes of text in total, plus four times as much overhead
                  a match is kept in memory until complete, at most 9 bytes
                  stops early: yes, after 3 results

        """.replacing("          y:", with: "document  y:").replacing("          z:", with: "document  z:"))
  }

  @Test(arguments: [
    (["$.a", "--input", "json"], "stops early: yes, once the results of all paths are known"),
    (
      ["$[?$.a]", "--input", "json"],
      "document  read as a whole, at most 67108864 bytes: '$' inside a filter requires the whole document"
    ),
    (["$.a", "--where", "@.b == 1"], "where     @.b == 1"),
    (["$.a", "--where", "@.b"], "document  refused: --where needs records"), (["each", "$.a"], "path      $['a'][*]"),
    (["records", "--input", "values"], "input     records, one value after another"),
    (["records", "--select", "a=$.a"], "column    a = $['a']: the value, or no member"),
    (["records", "--select", "a=$..a"], "column    a = $..['a']: an array of all values"),
  ])
  func `explain shows the rest of the plan`(arguments: [String], line: String) throws {
    let result = try run(arguments + ["--explain", "no such file"])
    #expect(result.lines.contains { $0.trimmingPrefix(while: { $0 == " " }) == line })
    #expect(result.status == 0)
  }

  @Test func `explain with a bad path or condition gives exit status 2`() throws {
    for arguments in [
      ["$["], ["each", "$.*"], ["-p", "x"], ["$", "--where", "@" + "="], ["records", "--select", "x"],
    ] { try run(arguments + ["--explain"]).expect(text: "", status: 2) }
  }

  @Test(arguments: ["1", "2"])
  func `issue 16: a query that exceeds the limit of steps is reported, and its record is not bad`(jobs: String) throws {
    try withFolder { folder in
      let input = try folder.file("q.ndjson", "{\"a\":1}\n{\"a\":[1,2,3,4]}\n{\"a\":2}\n")
      let rejects = folder.path + "/rejects"
      let arguments = ["$..a..*", "--max-query-steps", "24", "--rejects", rejects, "-j", jobs, input]
      let result = try run(arguments)
      #expect(result.status == 2)
      #expect(
        folder.cut(result.err) == """
          jsift: q.ndjson:2:1: expected a query that takes at most 24 steps, found one that takes more; \
          use --max-query-steps to change the limit (byte 8)
            2 | {"a":[1,2,3,4]}
              | ^

          """)
      #expect(try String(contentsOfFile: rejects, encoding: .utf8) == "")
      #expect(try run(["$..a..*", "--max-query-steps", "1000", input]).lines == ["1", "2", "3", "4"])
      let condition = try run(
        ["records", "--where", "count(@..*) > 0", "--max-query-steps", "20", "--on-error", "skip", input])
      #expect(condition.status == 2 && condition.text == "{\"a\":1}\n" && !condition.err.contains("bad record"))
      let stats = try run(["stats", "--of", "a=$..a..*", "--max-query-steps", "24", input])
      #expect(stats.status == 2 && !stats.err.contains("bad record"))
    }
  }
}
