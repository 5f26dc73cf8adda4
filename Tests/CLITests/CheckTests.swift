import Testing

@Suite struct CheckTests {
  @Test func `a valid file gives no output and exit status 0`() throws {
    try withFolder { folder in
      let files = [
        try folder.file("a.json", "{\n\"a\": [1,\n2]\n}\n"), try folder.file("b.ndjson", "1\n\n{}\n"),
        try folder.file("c.log", "\u{1E}[1]\n"), try folder.file("empty.ndjson", ""),
      ]
      for arguments in [files, ["--count"] + files] {
        try run(["check"] + arguments).expect(text: (arguments[0] == "--count" ? "0\n" : ""), err: "", status: 0)
      }
    }
  }

  @Test func `every bad record is reported with file, line, column, byte and text, and the exit status is 1`() throws {
    try withFolder { folder in
      let lines = try folder.file("x.ndjson", "{\"a\":1}\n{\"a\":2 \"b\":3}\n{\"a\":3}\n[1\n[2\n[3\n[4\n")
      let document = try folder.file("y.json", "{\n  \"a\": [1,\n   2 3]\n}")
      let result = try run(["check", lines, document])
      #expect(
        folder.cut(result.text) == """
          x.ndjson:2:8: expected ',' or '}' after a member, found a string (byte 15)
            2 | {"a":2 "b":3}
              |        ^
          x.ndjson:4:3: expected ',' or ']' after an element, found the end of the text (byte 32)
            4 | [1
              |   ^
          x.ndjson:5:3: expected ',' or ']' after an element, found the end of the text (byte 35)
            5 | [2
              |   ^
          x.ndjson:6:3: expected ',' or ']' after an element, found the end of the text (byte 38)
            6 | [3
              |   ^
          x.ndjson:7:3: expected ',' or ']' after an element, found the end of the text (byte 41)
            7 | [4
              |   ^
          y.json:3:6: expected ',' or ']' after an element, found a digit (byte 18)
            3 |    2 3]
              |      ^

          """)
      result.expect(err: "", status: 1)
      #expect(try run(["check", "--count", lines, document]).text == "6\n")
      #expect(try run(["check", "--limit", "2", "--count", lines, document]).text == "2\n")
      // With a limit of 0 nothing is read, so the result cannot be "valid".
      #expect(try run(["check", "--limit", "0", document]).status == 2)
      #expect(try run(["check", "--on-error", "stop", "--count", lines, document]).text == "1\n")
      try run(["check", "--max-errors", "2", "--count", lines, document]).expect(text: "3\n", status: 2)
    }
  }

  @Test func `a file that cannot be read gives exit status 2, and the others are checked`() throws {
    try withFolder { folder in
      let bad = try folder.file("bad.json", "[1")
      let result = try run(["check", folder.path("none.json"), bad])
      #expect(folder.cut(result.err).hasPrefix("jsift: none.json: the input cannot be read: "))
      #expect(folder.cut(result.text).hasPrefix("bad.json:1:3: "))
      #expect(result.status == 2)
    }
  }

  @Test func `a stream of values ends at the first error, and the reason is reported`() throws {
    let result = try run(["check", "--input", "values"], stdin: "1 [2}\n[3")
    #expect(result.text.hasPrefix("standard input:1:5: "))
    #expect(
      result.err == "jsift: standard input: reading stopped there: after a bad value, the start of the next "
        + "one is unknown\n")
    #expect(result.status == 1)
  }

  @Test func `an empty input is valid unless it must be a document`() throws {
    #expect(try run(["check"], stdin: "").status == 0)
    #expect(try run(["check", "--input", "json"], stdin: "").status == 1)
  }

  @Test func `an empty file is an error if its name denotes a document, but not if it denotes lines`() throws {
    try withFolder { folder in
      let empty = try folder.file("empty.json", "")
      for jobs in ["1", "2"] {
        let result = try run(["check", empty, "-j", jobs])
        #expect(folder.cut(result.text).hasPrefix("empty.json:1:1: expected a value, found the end"), "\(result.text)")
        #expect(result.status == 1)
      }
      for name in ["empty.ndjson", "empty.log", "empty"] {
        #expect(try run(["check", try folder.file(name, "")]).status == 0)
      }
      // White space alone is treated the same.
      #expect(try run(["check", try folder.file("blank.json", " \n")]).status == 1)
    }
  }

  @Test func `exceeding the limit of errors is reported`() throws {
    for jobs in ["1", "2"] {
      let result = try run(["check", "--max-errors", "1", "--input", "ndjson", "-j", jobs], stdin: "x\n1\ny\nz\n")
      #expect(result.text.split(separator: "\n").count { $0.hasPrefix("standard input:") } == 2)
      result.expect(err: "jsift: reading stopped: more than 1 error (--max-errors)\n", status: 2)
    }
  }

  @Test func `exceeded limits and bytes that are not UTF-8 are errors`() throws {
    #expect(try run(["check", "--max-depth", "2"], stdin: "[[[1]]]").status == 1)
    #expect(try run(["check", "--max-record-bytes", "3", "--input", "ndjson"], stdin: "[1,2]\n").status == 1)
    #expect(try run(["check"], stdin: [0x22, 0xFF, 0x22]).status == 1)
  }

  @Test func `a document larger than the record limit is checked`() throws {
    let text = "[" + (0..<50_000).map { "{\"id\":\($0)}" }.joined(separator: ",\n") + "]"
    #expect(try run(["check", "--max-record-bytes", "1000", "--input", "json"], stdin: text).status == 0)
  }
}
