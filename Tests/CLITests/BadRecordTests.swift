import Testing

@Suite struct BadRecordTests {
  private static let oneBad = "{\"a\":1}\n{\"a\":2 \"b\":3}\n{\"a\":3}\n"

  @Test func `a bad line is skipped and reported at the end, and the valid lines determine the exit status`() throws {
    try withFolder { folder in
      let file = try folder.file("x.ndjson", Self.oneBad)
      for command in [["$.a"], ["get", "$.a", "--on-error", "skip"]] {
        let result = try run(command + [file])
        #expect(result.text == "1\n3\n")
        #expect(
          folder.cut(result.err) == """
            jsift: x.ndjson:2:8: expected ',' or '}' after a member, found a string (byte 15)
              2 | {"a":2 "b":3}
                |        ^
            jsift: x.ndjson: 1 bad record was skipped; --on-error stop ends at the first

            """)
        #expect(result.status == 0)
      }
    }
  }

  @Test func `the exit status is 1 if all lines are bad`() throws {
    try run(["$.a", "--input", "ndjson"], stdin: "{\"a\":tru}\n").expect(
      text: "",
      err: """
        jsift: standard input:1:9: expected the literal true, found '}' (byte 8)
          1 | {"a":tru}
            |         ^
        jsift: standard input: 1 bad record was skipped; --on-error stop ends at the first

        """, status: 1)
  }

  @Test func `the exit status is 1 if a line is bad and the valid lines have no match`() throws {
    try run(["$.z", "--input", "ndjson"], stdin: Self.oneBad).expect(text: "", status: 1)
  }

  @Test func `on-error stop ends at the first bad line, after the results before it`() throws {
    try withFolder { folder in
      let file = try folder.file("x.ndjson", Self.oneBad)
      for (command, expected) in [(["$.a"], "1\n"), (["records"], "{\"a\":1}\n")] {
        let result = try run(command + ["--on-error", "stop", file])
        #expect(result.text == expected)
        #expect(
          folder.cut(result.err) == """
            jsift: x.ndjson:2:8: expected ',' or '}' after a member, found a string (byte 15)
              2 | {"a":2 "b":3}
                |        ^

            """)
        #expect(result.status == 2)
      }
    }
  }

  @Test func `on-error stop reads no file after the file with the bad line`() throws {
    try withFolder { folder in
      let bad = try folder.file("x.ndjson", Self.oneBad)
      let good = try folder.file("y.ndjson", "{\"a\":9}\n")
      try run(["--on-error", "stop", "$.a", bad, good]).expect(text: "1\n", status: 2)
    }
  }

  @Test func `the first three bad lines are reported in full, and then the number of all`() throws {
    try run(["$.a"], stdin: "{\"a\":1}\n{\"a\"}\n{\"a\":}\n[1\n]\n{\"a\":01}\n{\"a\":2}\n").expect(
      text: "1\n2\n",
      err: """
        jsift: standard input:2:5: expected ':' after a key, found '}' (byte 12)
          2 | {"a"}
            |     ^
        jsift: standard input:3:6: expected a value, found '}' (byte 19)
          3 | {"a":}
            |      ^
        jsift: standard input:4:3: expected ',' or ']' after an element, found the end of the text (byte 23)
          4 | [1
            |   ^
        jsift: standard input: 5 bad records were skipped; --on-error stop ends at the first

        """, status: 0)
  }

  @Test func `the bad lines of each file are reported after its results`() throws {
    try withFolder { folder in
      let one = try folder.file("1.ndjson", "{\"a\":1}\n{\n")
      let two = try folder.file("2.ndjson", "}\n{\"a\":2}\n")
      let result = try run(["$.a", one, two])
      #expect(result.text == "1\n2\n")
      #expect(
        folder.cut(result.err) == """
          jsift: 1.ndjson:2:2: expected a key in quotes or '}', found the end of the text (byte 9)
            2 | {
              |  ^
          jsift: 1.ndjson: 1 bad record was skipped; --on-error stop ends at the first
          jsift: 2.ndjson:1:1: expected a value, found '}' (byte 0)
            1 | }
              | ^
          jsift: 2.ndjson: 1 bad record was skipped; --on-error stop ends at the first

          """)
      #expect(result.status == 0)
    }
  }

  @Test func `column and offset count bytes, and the caret is under the character, also after wide characters`()
    throws
  {
    let result = try run(["$", "--input", "ndjson"], stdin: "\n{\"日本\": \"é\" x}\n")
    #expect(
      result.err.hasPrefix(
        """
        jsift: standard input:2:17: expected ',' or '}' after a member, found a letter (byte 17)
          2 | {"日本": "é" x}
            |              ^

        """))
    #expect(result.status == 1)
  }

  @Test func `the message about a long line shows the part around the error`() throws {
    let blanks = String(repeating: "1,", count: 500)
    let result = try run(["$", "--input", "ndjson"], stdin: "[\(blanks)x,\(blanks)1]\n")
    let lines = result.err.split(separator: "\n").map(String.init)
    #expect(lines.first == "jsift: standard input:1:1002: expected a value after ',', found a letter (byte 1001)")
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.count < 120 })
    let excerpt = try #require(lines.dropFirst().first)
    let caret = try #require(lines.dropFirst(2).first)
    #expect(Array(excerpt)[caret.count - 1] == "x")
    #expect(excerpt.contains("…"))
  }

  @Test func `control characters of a bad line are not written to the terminal`() throws {
    let result = try run(["$", "--input", "ndjson"], stdin: "[1,\u{1B}[31m\u{7}\u{9B}]\n")
    #expect(result.err.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value)) })
    #expect(result.status == 1)
  }
}
