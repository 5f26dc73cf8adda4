import Testing

@Suite struct GetTests {
  @Test func `get is the default command`() throws {
    try withFolder { folder in
      let file = try folder.file("a.json", #"{"a": {"b": [1, 2]}}"#)
      for arguments in [["$.a.b[*]", file], ["get", "$.a.b[*]", file]] {
        try run(arguments).expect(text: "1\n2\n", err: "", status: 0)
      }
    }
  }

  @Test func `a file with the name of a command is read if it follows a path`() throws {
    try withFolder { folder in
      _ = try folder.file("records", "[7]")
      try shell("\"$JSIFT\" '$[0]' records", in: folder).expect(text: "7\n", status: 0)
    }
  }

  @Test(arguments: [
    ("$", #"{"a":[{"b":1},{"b":2}],"é":"x","a b":null}"#), ("$.a[0].b", "1"), ("$.a[*].b", "1\n2"),
    ("$['a'][1]", #"{"b":2}"#), (#"$["a b"]"#, "null"), ("$.é", #""x""#), ("$.a[*]['b']", "1\n2"),
    ("$ .a [0]", #"{"b":1}"#), ("$.*", "[{\"b\":1},{\"b\":2}]\n\"x\"\nnull"),
  ])
  func `a path selects values`(path: String, expected: String) throws {
    try run([path], stdin: #"{"a":[{"b":1},{"b":2}],"é":"x","a b":null}"#).expect(text: expected + "\n", status: 0)
  }

  @Test func `several files are read in the order given, and a dash among them is standard input`() throws {
    try withFolder { folder in
      let one = try folder.file("1.ndjson", "{\"a\":1}\n{\"a\":2}\n")
      let two = try folder.file("2.json", #"{"a":3}"#)
      let result = try run(["$.a", two, "-", one], stdin: "{\"a\":4}\n{\"a\":5}\n")
      result.expect(text: "3\n4\n5\n1\n2\n", err: "", status: 0)
    }
  }

  @Test(arguments: [["$.a"], ["$.a", "-"], ["get", "$.a"], ["get", "--", "$.a", "-"]])
  func `standard input is read if there is no file or the file is a dash`(arguments: [String]) throws {
    try run(arguments, stdin: #"{"a":"here"}"#).expect(text: "\"here\"\n", status: 0)
  }

  @Test func `a file whose name begins with a dash is read after two dashes`() throws {
    try withFolder { folder in
      _ = try folder.file("-r", #"{"a":"x"}"#)
      try shell("\"$JSIFT\" '$.a' -- -r", in: folder).expect(text: "\"x\"\n", status: 0)
    }
  }

  @Test func `a missing file is reported, the others are read, and the exit status is 2`() throws {
    try withFolder { folder in
      let good = try folder.file("good.json", #"{"a":1}"#)
      let result = try run(["$.a", folder.path("none.json"), good])
      #expect(result.text == "1\n")
      #expect(folder.cut(result.err) == "jsift: none.json: the input cannot be read: No such file or directory\n")
      #expect(result.status == 2)
    }
  }

  @Test func `a folder among the files is reported, and the others are read`() throws {
    try withFolder { folder in
      let good = try folder.file("good.json", #"{"a":1}"#)
      for command in [["get", "$.a"], ["records"]] {
        let result = try run(command + [folder.path, good])
        #expect(result.lines.count == 1)
        result.expect(err: "jsift: \(folder.path): the input cannot be read: Is a directory\n", status: 2)
      }
    }
  }

  @Test func `closed standard input is reported`() throws {
    let result = try shell(#""$JSIFT" '$' <&-"#)
    result.expect(text: "", err: "jsift: standard input: the input cannot be read: Bad file descriptor\n", status: 2)
  }

  @Test(arguments: [
    ("$.a", "{\"a\":1}\n{\"b\":1}\n", 0), ("$.a", "{\"b\":1}\n{\"b\":2}\n", 1), ("$.a", "{\"b\":1}", 1), ("$.a", "", 1),
    ("$.a", " \n\n", 1), ("$.a", "{\"b\":1", 2), ("$.*", "[", 2), ("$.*", "{\"a\":1", 2), ("$", "tru", 2),
  ])
  func `the exit status is 0 for a match, 1 for no match and 2 for an error`(
    path: String, input: String, status: Int32
  ) throws {
    let result = try run([path], stdin: input)
    #expect(result.status == status)
    #expect(result.err.isEmpty == (status < 2))
  }
}

@Suite struct RecordsTests {
  @Test func `each record is one line`() throws {
    let result = try run(["records"], stdin: "{\"a\": 1}\n\n[2, 3]\r\n\"x\"\n4")
    result.expect(text: "{\"a\": 1}\n[2, 3]\n\"x\"\n4\n", err: "", status: 0)
  }

  @Test func `a document is one record`() throws {
    try run(["records", "--input", "json"], stdin: "[\n  1,\n  2\n]\n").expect(text: "[  1,  2]\n", status: 0)
  }

  @Test func `consecutive values are records`() throws {
    let result = try run(["records", "--input", "values"], stdin: "{\"a\":\n1}{\"a\":2} 3\n4 \"x\"[5]true null")
    result.expect(text: "{\"a\":1}\n{\"a\":2}\n3\n4\n\"x\"\n[5]\ntrue\nnull\n", err: "", status: 0)
  }

  @Test func `several files give their records in order, and limit and count apply to all files together`() throws {
    try withFolder { folder in
      let one = try folder.file("1.ndjson", "1\n2\n")
      let two = try folder.file("2.ndjson", "3\n4\n")
      #expect(try run(["records", two, one]).text == "3\n4\n1\n2\n")
      #expect(try run(["records", "--limit", "3", one, two]).text == "1\n2\n3\n")
      #expect(try run(["records", "--count", one, two]).text == "4\n")
      #expect(try run(["records", "--count", "--limit", "3", one, two]).text == "3\n")
    }
  }

  @Test func `input without records gives exit status 1`() throws {
    try run(["records"], stdin: "\n \n").expect(text: "", err: "", status: 1)
  }
}
