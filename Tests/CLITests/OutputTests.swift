import Testing

@Suite struct OutputTests {
  @Test func `line breaks between tokens are removed, and all other bytes are unchanged`() throws {
    let input =
      "{\n\t\"n\" : 1.0E+2 ,\r\n  \"m\":0.10,\n\n  \"z\": [ -0, 1e400,\n 123456789012345 ],\r \"s\": \"\\u00e9\\/\"\n}"
    let result = try run(["$"], stdin: input)
    let expected = "{\t\"n\" : 1.0E+2 ,  \"m\":0.10,  \"z\": [ -0, 1e400, 123456789012345 ], \"s\": \"\\u00e9\\/\"}\n"
    result.expect(text: expected, status: 0)
  }

  // MARK: --raw

  @Test(arguments: [
    (#""plain""#, "plain"), (#""""#, ""), (#""é 日本 😀""#, "é 日本 😀"),
    (#""\u00e9\ud83d\ude00""#, "é😀"),
    (#""a\nb\tc""#, "a\nb\tc"), (#""\"\\\/\b\f\r""#, "\"\\/\u{8}\u{C}\r"), (#""a\u0000b""#, "a\0b"),
  ])
  func `raw strings lose their quotes and escapes`(json: String, expected: String) throws {
    for flag in ["-r", "--raw"] {
      let result = try run(["$", flag], stdin: json)
      #expect(result.out == Array((expected + "\n").utf8))
      #expect(result.status == 0)
    }
  }

  @Test(arguments: [#"{"a": "x\n"}"#, #"["é", "\u00e9"]"#, "12.0", "true", "null"])
  func `raw writes values that are not strings as JSON`(json: String) throws {
    #expect(try run(["-r", "$"], stdin: json).text == json + "\n")
  }

  @Test func `raw strings with several lines are written one after another`() throws {
    let result = try run(["-r", "$.m"], stdin: "{\"m\":\"one\\ntwo\"}\n{\"m\":\"three\"}\n{\"m\":{\"x\":\"y\"}}\n")
    #expect(result.text == "one\ntwo\nthree\n{\"x\":\"y\"}\n")
  }

  // MARK: --count and --limit

  @Test func `count writes one number for all files`() throws {
    try withFolder { folder in
      let one = try folder.file("1.ndjson", "{\"a\":1}\n{\"b\":2}\n{\"a\":null}\n")
      let two = try folder.file("2.json", "{\"a\":[1,\n2]}")
      try run(["--count", "$.a", one, two]).expect(text: "3\n", err: "", status: 0)
    }
  }

  @Test func `count without matches is 0 with exit status 1`() throws {
    for input in [#"{"b":1}"#, ""] {
      try run(["--count", "$.a"], stdin: input).expect(text: "0\n", err: "", status: 1)
    }
  }

  @Test func `count continues after a bad line and after a missing file`() throws {
    try withFolder { folder in
      let file = try folder.file("x.ndjson", "{\"a\":1}\n{\"a\":\n{\"a\":2}\n")
      let result = try run(["--count", "$.a", folder.path("none"), file])
      #expect(result.text == "2\n")
      #expect(result.err.contains("1 bad record was skipped"))
      #expect(result.status == 2)
    }
  }

  @Test(arguments: [(1, "1\n"), (2, "1\n2\n"), (3, "1\n2\n3\n"), (4, "1\n2\n3\n4\n"), (100, "1\n2\n3\n4\n")])
  func `limit stops after this number of results over all files`(limit: Int, expected: String) throws {
    try withFolder { folder in
      let one = try folder.file("1.ndjson", "{\"a\":1}\n{\"a\":2}\n")
      let two = try folder.file("2.json", #"{"a":3}"#)
      let result = try run(["$.a", "--limit", "\(limit)", one, two, "-"], stdin: "{\"a\":4}\n")
      result.expect(text: expected, err: "", status: 0)
    }
  }

  @Test func `limit can end in the middle of a document or record`() throws {
    #expect(try run(["--limit", "2", "$[*]"], stdin: "[1,2,3]").text == "1\n2\n")
    #expect(try run(["--limit", "3", "--input", "ndjson", "$[*]"], stdin: "[1,2]\n[3,4]\n").text == "1\n2\n3\n")
  }

  @Test func `text after the last result within the limit is not validated`() throws {
    try run(["--limit", "1", "$.a"], stdin: "{\"a\":1}\n{\"a\"\n").expect(text: "1\n", err: "", status: 0)
  }

  @Test func `limit 0 reads nothing, writes nothing, and gives exit status 1`() throws {
    try withFolder { folder in
      let file = try folder.file("a.json", #"{"a":1}"#)
      let fifo = try folder.fifo("pipe")
      for command in [["$.a"], ["records"]] {
        try run(command + ["--limit", "0", file, fifo]).expect(text: "", err: "", status: 1)
      }
      #expect(try run(["--limit", "0", "--count", "$.a", file]).text == "0\n")
    }
  }
}
