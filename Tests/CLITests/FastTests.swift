import Testing

/// `--fast`: what cannot match is passed over.
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
    for more in [[], ["--with-location"], ["--count"], ["--limit", "1"]] {
      let arguments = [path, "--input", "json"] + more
      let validated = try run(arguments, stdin: Self.document)
      let fast = try run(arguments + ["--fast"], stdin: Self.document)
      #expect(
        fast.text == validated.text && fast.status == validated.status && fast.err == validated.err, "\(arguments)")
    }
  }

  @Test func `damage where nothing is asked for is not looked for`() throws {
    let text = #"{"skipped": [01, {"x": nul}], "a": 5, "b": 6}"#
    let arguments = ["-p", "a=$.a", "-p", "b=$.b[*]", "--input", "json"]
    #expect(try run(arguments, stdin: text).status == 2)
    let found = try run(arguments + ["--fast"], stdin: text)
    #expect(found.text == "{\"a\":5}\n" && found.status == 0)
  }

  @Test func `damage to structure or to a result is an error with its place`() throws {
    let cases = [
      (#"{"a": [1, 2}, "b": 3}"#, "1:15"), (#"{"s": "x, "b": 3}"#, "1:18"), (#"{"a": 1, "b": [tru]}"#, "1:19"),
      (#"{"b": [1]"#, "1:10"),
    ]
    for (text, place) in cases {
      let result = try run(["$.b[*]", "--input", "json", "--fast"], stdin: text)
      #expect(result.status == 2 && result.err.contains(":\(place):"), "\(text): \(result.err)")
    }
  }

  @Test func `explain says which way a path goes`() throws {
    let passes = try run(["$.a[*].b", "--explain", "--fast", "--input", "json"])
    #expect(passes.text.contains("fast      what cannot match is passed over"))
    let validates = try run(["$..b", "--explain", "--fast", "--input", "json"])
    #expect(validates.text.contains("fast      no: $..['b'] asks for all of the document"))
    #expect(try !run(["$.a", "--explain"]).text.contains("fast"))
  }
}
