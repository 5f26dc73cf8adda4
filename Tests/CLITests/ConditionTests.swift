import Testing

@Suite struct ConditionTests {
  private static let records = """
    {"id":1,"level":"error","ms":120}
    {"id":2,"level":"info"}
    {"id":
    {"id":3.0,"level":"error","ms":7}

    """

  @Test func `a path is evaluated only on records that satisfy the condition`() throws {
    let result = try run(["$.id", "--where", "@.level == 'error'"], stdin: Self.records)
    #expect(result.text == "1\n3.0\n")
    // The bad line does not contain "error", so it was not parsed.
    result.expect(err: "", status: 0)
    let checked = try run(["$.id", "--where", "@.level == 'error'", "--max-errors", "1"], stdin: Self.records)
    #expect(checked.text == "1\n3.0\n")
    #expect(checked.err.contains("1 bad record was skipped"))
  }

  @Test(arguments: [
    ("@.ms", [1, 3]), ("!@.ms", [2]), ("@.ms > 100 || @.level == \"info\"", [1, 2]), ("$.id == 3", [3]),
    ("match(@.level, 'i.*')", [2]), ("length(@.level) == 5 && @.ms < 10", [3]), ("@.id == 9", []),
  ])
  func `records that satisfy the condition are written completely`(condition: String, ids: [Int]) throws {
    let all = Self.records.split(separator: "\n").map { String($0) }
    let result = try run(["records", "--where", condition], stdin: Self.records)
    #expect(result.lines == ids.map { $0 == 3 ? all[3] : all[$0 - 1] })
    #expect(result.status == (ids.isEmpty ? 1 : 0))
  }

  @Test func `limit and count apply to the records that satisfy the condition`() throws {
    #expect(try run(["records", "--count", "--where", "@.ms"], stdin: Self.records).text == "2\n")
    #expect(try run(["$.id", "--limit", "1", "--where", "@.ms < 100"], stdin: Self.records).text == "3.0\n")
    try run(["$.id", "--on-error", "stop", "--where", "@.ms < 100"], stdin: Self.records).expect(text: "", status: 2)
  }

  @Test func `named paths are evaluated on records that satisfy the condition, and reported if they match nothing`()
    throws
  {
    let result = try run(
      ["-p", "id=$.id", "-p", "ms=$.ms", "--where", "@.level == 'info'"],
      stdin: "{\"level\":\"info\",\"id\":1}\n{\"ms\":1}\n")
    result.expect(
      text: "{\"id\":1}\n", err: "jsift: ms: no match for $['ms']: the parent exists, but has no match in it\n")
  }

  @Test func `a condition on one document is an error, and the message suggests alternatives`() throws {
    try withFolder { folder in
      let one = try folder.file("1.json", "[1,\n2]")
      let two = try folder.file("2.ndjson", "{\"a\":1}\n")
      let result = try run(["$.a", "--where", "@.a == 1", one, two])
      #expect(result.text == "1\n")
      #expect(
        folder.cut(result.err)
          == "jsift: 1.json: --where needs records, and this is one document; put a filter into the path, such as "
          + "'$[?@.a == 1]' or '$.items[?@.a == 1]', or use --input ndjson\n")
      #expect(result.status == 2)
    }
  }

  @Test func `the records command treats one document as one record`() throws {
    #expect(try run(["records", "--input", "json", "--where", "@[1] == 2"], stdin: "[1,\n2]").text == "[1,2]\n")
    #expect(try run(["records", "--input", "json", "--where", "@[1] == 3"], stdin: "[1,\n2]").status == 1)
  }

  @Test(arguments: [
    (
      "@.a = 1",
      """
      jsift: condition '@.a = 1': expected '==', found '='
          | @.a = 1
          |     ^ did you mean '@.a == 1'?

      """
    ),
    (
      ".a == 1",
      """
      jsift: condition '.a == 1': expected a literal, a query or a function, found '.'
          | .a == 1
          | ^ did you mean '@.a == 1'?

      """
    ),
    (
      "@.a ==",
      """
      jsift: condition '@.a ==': expected a literal, a query or a function, found the end of the text
          | @.a ==
          |       ^

      """
    ),
    (
      "@.a, @.b",
      """
      jsift: condition '@.a, @.b': expected '&&', '||' or the end of the condition, found ','
          | @.a, @.b
          |    ^

      """
    ),
  ])
  func `a bad condition is reported with a caret, nothing is read, and the exit status is 2`(
    condition: String, expected: String
  ) throws {
    for command in [["$"], ["records"]] {
      try run(command + ["--where", condition, "no such file"]).expect(text: "", err: expected, status: 2)
    }
  }

  @Test(arguments: ["", "@.a]", "@.a][*", "(@.a", "@.a == 'x", "a", "@.a and", "1", "length(@.a)"])
  func `text that is not a condition is reported with its position and exit status 2`(condition: String) throws {
    let result = try run(["records", "--where", condition], stdin: "{}")
    #expect(result.err.hasPrefix("jsift: condition '\(condition)': expected "))
    #expect(result.err.split(separator: "\n").count == 3)
    #expect(result.status == 2)
  }
}
