import Testing

@Suite struct FramingTests {
  @Test(arguments: ["a.ndjson", "a.jsonl", "a.log", "a.ndj", "A.NDJSON", "a.b.log"])
  func `the file extensions of logs denote one value on each line`(name: String) throws {
    try withFolder { folder in
      // By its content this would be a document.
      let file = try folder.file(name, "[\n[1]\n[2]\n")
      let result = try run(["$[0]", file])
      #expect(result.text == "1\n2\n")
      #expect(result.err.contains("1 bad record was skipped"))
      #expect(result.status == 0)
    }
  }

  @Test(arguments: ["a.json", "a.geojson", "A.JSON"])
  func `the file extensions of documents denote one value`(name: String) throws {
    try withFolder { folder in
      // By its content these would be values.
      let file = try folder.file(name, "{\"a\":1}{\"a\":2}\n")
      let result = try run(["$.*", file])
      #expect(result.text == "1\n")
      let message = "expected the end of the text after one value, found '{' (byte 7)"
      #expect(folder.cut(result.err).hasPrefix("jsift: \(name):1:8: \(message)\n"))
      #expect(result.status == 2)
    }
  }

  @Test(arguments: [
    // One document, pretty-printed or not.
    ("{\n  \"a\": [\n    1,\n    2\n  ]\n}\n", "{  \"a\": [    1,    2  ]}\n"), ("[1,2]", "[1,2]\n"),
    ("[1,2]\n\n", "[1,2]\n"), ("\n\n{\"a\":1}\n", "{\"a\":1}\n"),
    // An array of objects, one on each line, is one document.
    ("[\n{\"a\":1},\n{\"a\":2}\n]\n", "[{\"a\":1},{\"a\":2}]\n"),
    ("[{\"a\":1},\n{\"a\":2},\n{\"a\":3}]", "[{\"a\":1},{\"a\":2},{\"a\":3}]\n"),
    // Lines.
    ("{\"a\":1}\n{\"a\":2}\n", "{\"a\":1}\n{\"a\":2}\n"), ("1\n2\n3", "1\n2\n3\n"), ("\"x\"\n\n[]\n", "\"x\"\n[]\n"),
    ("\u{FEFF}{\"a\":1}\n{\"a\":2}\n", "{\"a\":1}\n{\"a\":2}\n"),
    // Consecutive values.
    ("{\"a\":1}{\"a\":2}\n{\"a\":\n3}", "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n"), ("1 2 \"x\" [3]", "1\n2\n\"x\"\n[3]\n"),
  ])
  func `the first bytes of standard input determine the framing`(input: String, expected: String) throws {
    for command in [["$"], ["records"]] {
      try run(command, stdin: input).expect(text: expected, err: "", status: 0)
    }
  }

  @Test func `the first bytes determine the framing of a file without a known extension`() throws {
    try withFolder { folder in
      for (name, input, expected) in [
        ("lines", "[1]\n[2]\n", "[1]\n[2]\n"), ("document.txt", "[\n1\n]\n", "[1]\n"),
        ("values.d", "[1][2]", "[1]\n[2]\n"),
      ] { try run(["$", folder.file(name, input)]).expect(text: expected, status: 0) }
    }
  }

  @Test func `the flag takes precedence over the name`() throws {
    try withFolder { folder in
      let lines = try folder.file("lines.json", "[1]\n[2]\n")
      #expect(try run(["--input", "ndjson", "$", lines]).text == "[1]\n[2]\n")
      #expect(try run(["--input", "values", "$", lines]).text == "[1]\n[2]\n")
      let document = try folder.file("document.log", "[\n1\n]\n")
      #expect(try run(["--input", "json", "$", document]).text == "[1]\n")
    }
  }

  @Test func `lines may end with a carriage return, and blank lines are skipped`() throws {
    let input = "{\"a\":1}\r\n\r\n  \r\n{\"a\":2}\r\n{\"a\": 3 }\r\n"
    for form in ["auto", "ndjson"] {
      let result = try run(["records", "--input", form], stdin: input)
      result.expect(text: "{\"a\":1}\n{\"a\":2}\n{\"a\": 3 }\n", err: "", status: 0)
    }
  }

  @Test func `the last line needs no line feed`() throws {
    #expect(try run(["--input", "ndjson", "$"], stdin: "1\n2").text == "1\n2\n")
  }

  // MARK: A damaged first line

  private static let damaged = "{\"a\":{\"b\":0},\"x\":tru}\n{\"a\":{\"b\":1}}\n{\"a\":{\"b\":2}}"

  @Test(arguments: ["l.json", "l.geojson", "l.ndjson", "l", "-"])
  func `lines after a damaged one are read for any file name, and the damaged line is reported`(name: String) throws {
    try withFolder { folder in
      if name != "-" { _ = try folder.file(name, Self.damaged) }
      let runs =
        name == "-"
        ? ["\"$JSIFT\" '$.a.b' -", "cat | \"$JSIFT\" '$.a.b' -"]
        : [
          "\"$JSIFT\" '$.a.b' \(name)",
          "mkdir f; mkfifo f/\(name); cat \(name) >f/\(name) & cd f; \"$JSIFT\" '$.a.b' \(name)",
        ]
      for command in runs {
        let result = try shell(command, in: folder, stdin: name == "-" ? Self.damaged : "")
        #expect(result.text == "1\n2\n")
        let shown = name == "-" ? "standard input" : name
        #expect(
          result.err == """
            jsift: \(shown):1:21: expected the literal true, found '}' (byte 20)
              1 | {"a":{"b":0},"x":tru}
                |                     ^
            jsift: \(shown): 1 bad record was skipped; --on-error stop ends at the first

            """, "\(command)")
        #expect(result.status == 0)
      }
    }
  }

  #if Compression
    @Test func `lines after a damaged one are read in a compressed file`() throws {
      try withFolder { folder in
        _ = try folder.file("l.json", Self.damaged)
        let result = try shell(
          "gzip l.json && \"$JSIFT\" '$.a.b' l.json.gz && gzip -cd l.json.gz | gzip | \"$JSIFT\" '$.a.b'", in: folder)
        #expect(result.text == "1\n2\n1\n2\n")
        #expect(result.err.contains("l.json.gz:1:21: expected the literal true, found '}' (byte 20)\n"))
      }
    }
  #endif

  @Test(arguments: ["{\"a\":1}GARBAGE", "{\"a\":1} ?\n\n", "{\"a\":1, \"b\":2"])
  func `text after the match in one value is not read, from a file or from a pipe`(text: String) throws {
    try withFolder { folder in
      _ = try folder.file("g.json", text)
      for command in ["\"$JSIFT\" '$.a' g.json", "\"$JSIFT\" '$.a' <g.json", "cat g.json | \"$JSIFT\" '$.a'"] {
        try shell(command, in: folder).expect(text: "1\n", err: "", status: 0)
      }
      #expect(try run(["check", folder.path("g.json")]).status == 1)
      #expect(try run(["$.*", folder.path("g.json")]).status == 2)
      #expect(try run(["$.*"], stdin: text).status == 2)
    }
  }

  // MARK: Empty input

  @Test(arguments: [["$"], ["records"], ["--input", "ndjson", "$"], ["records", "--input", "values"]])
  func `an empty input gives exit status 1 without a message`(arguments: [String]) throws {
    try withFolder { folder in
      for result in [try run(arguments, stdin: ""), try run(arguments + [folder.file("empty", "")])] {
        result.expect(text: "", err: "", status: 1)
      }
    }
  }

  @Test(arguments: [["--input", "json", "$"], ["records", "--input", "json"]], ["", " \n"])
  func `an empty input is not a document and gives exit status 2`(arguments: [String], input: String) throws {
    let result = try run(arguments, stdin: input)
    #expect(result.text == "")
    #expect(result.err.contains("expected a value, found the end of the text"))
    #expect(result.status == 2)
  }

  // MARK: The same answer for every chunking

  @Test(arguments: [
    "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n", "{\"a\":1,\n{\"a\":2}\n{\"a\":3}\n", "[\n{\"a\":1},\n{\"a\":2}\n]\n",
    "{\"a\":1}\n", "{\"a\":1} {\"a\":2}\n{\"a\":3}\n",
  ])
  func `input that arrives slowly gives the same result`(input: String) throws {
    let fast = try run(["records"], stdin: input)
    let slow = try Tool.start(["records"])
    for line in input.split(separator: "\n") {
      slow.write(line + "\n")
      Child.rest()
    }
    let status = slow.finish()
    #expect(String(decoding: slow.out, as: UTF8.self) == fast.text)
    #expect(String(decoding: slow.err, as: UTF8.self) == fast.err)
    #expect(status == fast.status)
  }

  @Test(arguments: [1_000, 300_000, 1_500_000])
  func `standard input is read as lines however long the first line is`(length: Int) throws {
    let long = "{\"a\":1,\"b\":\"" + String(repeating: "x", count: length) + "\"}\n"
    try run(["$.a"], stdin: long + "{\"a\":2}\n{\"a\":3}\n").expect(text: "1\n2\n3\n", err: "", status: 0)
  }
}
