import Testing

@Suite struct FormatTests {
  static let text = #"{ "b" : [1.50,{},[ ],"\u00e9\/"] ,"a":{"z":null,"y":-0,"y":1e400}}"#

  static let pretty = """
    {
      "b": [
        1.50,
        {},
        [],
        "\\u00e9\\/"
      ],
      "a": {
        "z": null,
        "y": -0,
        "y": 1e400
      }
    }

    """

  @Test func `each element and member is on its own line, and every token keeps its bytes`() throws {
    try run(["format"], stdin: Self.text).expect(text: Self.pretty, err: "", status: 0)
  }

  @Test func `pretty text does not change when it is formatted again`() throws {
    #expect(try run(["format"], stdin: Self.pretty).text == Self.pretty)
    #expect(try run(["format", "--input", "json"], stdin: Self.pretty).text == Self.pretty)
  }

  @Test func `compact text is one line, and formatting pretty text gives it again`() throws {
    let compact = #"{"b":[1.50,{},[],"\u00e9\/"],"a":{"z":null,"y":-0,"y":1e400}}"# + "\n"
    for input in [Self.text, Self.pretty, compact] {
      for form in ["auto", "json", "values"] {
        #expect(try run(["format", "--compact", "--input", form], stdin: input).text == compact)
      }
    }
  }

  @Test func `members are sorted by the bytes of their names, and equal names keep their order`() throws {
    let sorted = #"{"a":{"y":-0,"y":1e400,"z":null},"b":[1.50,{},[],"\u00e9\/"]}"# + "\n"
    for form in ["auto", "json", "ndjson"] {
      #expect(try run(["format", "--compact", "--sort-keys", "--input", form], stdin: Self.text).text == sorted)
    }
  }

  @Test(arguments: [
    (["--indent", "0"], "[\n1,\n{\n\"a\": 2\n}\n]\n"),
    (["--indent", "3"], "[\n   1,\n   {\n      \"a\": 2\n   }\n]\n"),
    (["--tabs"], "[\n\t1,\n\t{\n\t\t\"a\": 2\n\t}\n]\n"), ([], "[\n  1,\n  {\n    \"a\": 2\n  }\n]\n"),
  ])
  func `the indentation follows the options`(arguments: [String], expected: String) throws {
    #expect(try run(["format"] + arguments, stdin: "[1,{\"a\":2}]").text == expected)
    #expect(try run(["format", "--sort-keys"] + arguments, stdin: "[1,{\"a\":2}]").text == expected)
  }

  @Test(arguments: [
    ["--indent", "17"], ["--indent", "-1"], ["--compact", "--tabs"], ["--compact", "--indent", "2"], ["--nothing"],
  ])
  func `contradictory, unknown and out-of-range options are rejected`(arguments: [String]) throws {
    let result = try run(["format"] + arguments, stdin: "1")
    result.expect(text: "", status: 2)
    #expect(result.err.contains("--"))
  }

  @Test func `records are written one after another, and a bad one is reported`() throws {
    try run(["format", "--indent", "1"], stdin: "{\"a\":1}\n[2\n\n\"x\"\n").expect(
      text: "{\n \"a\": 1\n}\n\"x\"\n",
      err: """
        jsift: standard input:2:3: expected ',' or ']' after an element, found the end of the text (byte 10)
          2 | [2
            |   ^
        jsift: standard input: 1 bad record was skipped; --on-error stop ends at the first

        """, status: 0)
    try run(["format", "--on-error", "stop"], stdin: "1\n[2\n3\n").expect(text: "1\n", status: 2)
    try run(["format", "--max-errors", "1"], stdin: "1\n[2\n[3\n4\n").expect(text: "1\n", status: 2)
  }

  @Test func `the output for a damaged document ends before the damage, and its position is reported`() throws {
    try withFolder { folder in
      let file = try folder.file("x.json", "{\"a\": [1,\n 2 3]}")
      let result = try run(["format", "--compact", file])
      result.expect(text: #"{"a":[1,2"#, status: 2)
      #expect(
        folder.cut(result.err) == """
          jsift: x.json:2:4: expected ',' or ']' after an element, found a digit (byte 13)
            2 |  2 3]}
              |    ^

          """)
    }
  }

  @Test func `empty input gives exit status 1, and several files are written one after another`() throws {
    #expect(try run(["format"], stdin: "").status == 1)
    try withFolder { folder in
      let files = [try folder.file("a.json", "[\n1]"), try folder.file("b.ndjson", "2\n3\n")]
      #expect(try run(["format", "--compact"] + files).text == "[1]\n2\n3\n")
      let missing = try run(["format", "--compact", folder.path("none.json")] + files)
      missing.expect(text: "[1]\n2\n3\n", status: 2)
      #expect(folder.cut(missing.err) == "jsift: none.json: the input cannot be read: No such file or directory\n")
    }
  }

  @Test func `a document larger than the record limit is written, unless it is sorted`() throws {
    let text = "[" + Array(repeating: "\"0123456789\"", count: 1000).joined(separator: ",") + "]"
    let arguments = ["format", "--compact", "--max-record-bytes", "1000", "--input", "json"]
    #expect(try run(arguments, stdin: text).text == text + "\n")
    let sorted = try run(arguments + ["--sort-keys"], stdin: text)
    #expect(sorted.status == 2)
    #expect(sorted.err.contains("1000 bytes"), "\(sorted.err)")
  }

  @Test func `a document is written up to the depth limit, and the indentation has a maximum`() throws {
    let depth = 1000
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let result = try run(["format", "--input", "json", "--max-depth", "1000"], stdin: text)
    #expect(result.text.filter { $0 == "[" || $0 == "]" } == text)
    #expect(result.out.count < 1 << 20)
    #expect(try run(["format", "--input", "json", "--max-depth", "999"], stdin: text).status == 2)
  }
}
