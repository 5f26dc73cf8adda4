import TestSupport
import Testing

@Suite struct DocumentErrorTests {
  @Test func `an error in a document is reported with its position, after the results before it`() throws {
    try withFolder { folder in
      let file = try folder.file("d.json", "{\n  \"a\": [1, 2,\n  3 4]\n}\n")
      let result = try run(["$.a[*]", file])
      #expect(result.text == "1\n2\n3\n")
      #expect(
        folder.cut(result.err) == """
          jsift: d.json:3:5: expected ',' or ']' after an element, found a digit (byte 20)
            3 |   3 4]
              |     ^

          """)
      #expect(result.status == 2)
    }
  }

  @Test(arguments: ["skip", "stop"])
  func `reading a document always stops at its error`(policy: String) throws {
    try run(["--on-error", policy, "--input", "json", "$[*]"], stdin: "[1,2").expect(
      text: "1\n2\n",
      err: """
        jsift: standard input:1:5: expected ',' or ']' after an element, found the end of the text (byte 4)
          1 | [1,2
            |     ^

        """, status: 2)
  }

  @Test func `the next file is read after an error in a document`() throws {
    try withFolder { folder in
      let bad = try folder.file("bad.json", "[1,]")
      let good = try folder.file("good.json", "[2]")
      let result = try run(["$[*]", bad, good])
      #expect(result.text == "1\n2\n")
      #expect(folder.cut(result.err).hasPrefix("jsift: bad.json:1:4: expected a value after ',', found ']' (byte 3)\n"))
      #expect(result.status == 2)
    }
  }

  @Test func `records and get report the same error in a document`() throws {
    try withFolder { folder in
      let file = try folder.file("d.json", "{\n  \"a\": nul\n}\n")
      let expected = """
        jsift: d.json:2:11: expected the literal null, found a line feed (byte 12)
          2 |   "a": nul
            |           ^

        """
      for command in [["$.b"], ["records"]] {
        let result = try run(command + [file])
        #expect(result.text == "")
        #expect(folder.cut(result.err) == expected)
        #expect(result.status == 2)
      }
    }
  }

  @Test func `a stream of values ends at the first error`() throws {
    try run(["--input", "values", "$"], stdin: "{\"a\":1}\n{\"a\" 2}\n{\"a\":3}\n").expect(
      text: "{\"a\":1}\n",
      err: """
        jsift: standard input:2:6: expected ':' after a key, found a digit (byte 13)
          2 | {"a" 2}
            |      ^
        jsift: standard input: reading stopped there: after a bad value, the start of the next one is unknown

        """, status: 2)
  }
}

@Suite struct LimitTests {
  @Test func `a document that is nested too deeply is rejected at the bracket that exceeds the limit`() throws {
    let deep = String(repeating: "[", count: 1025) + String(repeating: "]", count: 1025)
    let result = try run(["--input", "json", "$"], stdin: deep)
    #expect(result.text == "")
    let message = "expected arrays and objects nested at most 1024 deep, found one more level"
    #expect(
      result.err.hasPrefix(
        "jsift: standard input:1:1025: \(message); use --max-depth to change the limit (byte 1024)\n"))
    #expect(result.status == 2)
    #expect(try run(["--max-depth", "1025", "--count", "$"], stdin: deep).text == "1\n")
  }

  @Test(arguments: isDebug ? [1, 3, 32, 33, 64, 2000] : [1, 2, 3, 31, 32, 33, 63, 64, 100, 1024, 2000])
  func `max-depth accepts this number of open arrays and rejects one more`(depth: Int) throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "\n"
    }
    func repeated(_ count: Int) -> String { String(repeating: "[0]", count: count) }
    for form in ["json", "ndjson", "values"] {
      let options = ["--input", form, "--max-depth", "\(depth)", "--on-error", "stop", "$"]
      try run(options, stdin: nested(depth)).expect(text: nested(depth), status: 0)
      let rejected = try run(options, stdin: nested(depth + 1))
      // For one document from a pipe, the text is no longer available, so the location is unknown.
      let steps = depth > 16 ? repeated(8) + "…" + repeated(8) : repeated(depth)
      let location = form == "json" ? "" : ", at $\(steps)"
      let message = "expected arrays and objects nested at most \(depth) deep, found one more level\(location)"
      let position = "1:\(depth + 1): \(message); use --max-depth to change the limit (byte \(depth))"
      #expect(rejected.err.hasPrefix("jsift: standard input:\(position)\n"), "\(rejected.err)")
      #expect(rejected.status == 2)
    }
  }

  @Test(arguments: [
    ["$.a"], ["$.a", "-j", "2"], ["check"], ["format"], ["records"], ["shape"], ["stats", "--of", "n=$.a"],
  ])
  func `issue 16: the message about a limit names the value that exceeds it, in a file of any framing`(
    arguments: [String]
  ) throws {
    try withFolder { folder in
      let deep = "{\"a\":{\"it's\":[1,[2,[3]]]}}\n"
      let document = try folder.file("a.json", "[" + String(repeating: "0,", count: 300_000) + deep + "]")
      let log = try folder.file("b.ndjson", "{}\n" + deep + deep)
      let message = "expected arrays and objects nested at most 4 deep, found one more level, at "
      let end = "; use --max-depth to change the limit (byte "
      let inDocument = try run(arguments + ["--input", "json", "--max-depth", "4", document])
      let found = inDocument.err + inDocument.text
      #expect(
        found.contains("a.json:1:600018: \(message)$[300000]['a']['it\\'s'][1]\(end)600017)\n"), "\(found.prefix(400))")
      let inLog = try run(arguments + ["--input", "ndjson", "--max-depth", "4", log])
      for (line, byte) in [(2, 22), (3, 49)] {
        let position = "b.ndjson:\(line):20: \(message)$['a']['it\\'s'][1][1]\(end)\(byte))\n"
        #expect((inLog.err + inLog.text).contains(position), "\(inLog.err)")
      }
    }
  }

  @Test func `the message about a limit is short even for long names, and omits an unknown location`() throws {
    try withFolder { folder in
      let long = try folder.file("a.json", "{\"\(String(repeating: "k", count: 60_000))\":[[[1]]]}")
      let message = try run(["check", "--max-depth", "2", long])
      #expect(message.text.split(separator: "\n").first?.utf8.count ?? .max < 600, "\(message.text.prefix(1000))")
      let document = try folder.file("b.json", "[[0,1,[2,[3]]],\n")
      let behind = try run(["$", "--input", "json", "--from-offset", "1", "--max-depth", "2", document])
      #expect(!behind.err.contains(", at $"), "\(behind.err)")
    }
  }

  @Test func `a line that is too long is skipped as a bad record`() throws {
    try run(["--max-record-bytes", "5", "--input", "ndjson", "$"], stdin: "[1]\n[[[1]]]\n[2,3]\n").expect(
      text: "[1]\n[2,3]\n",
      err: """
        jsift: standard input:2:1: expected a record of at most 5 bytes, found a longer one; use --max-record-bytes to change the limit (byte 4)
          2 | [[[1]]]
            | ^
        jsift: standard input: 1 bad record was skipped; --on-error stop ends at the first

        """, status: 0)
  }

  @Test func `a result that is too long ends the reading of a document`() throws {
    let input = "{\"b\": [1,2,3,4],\n \"a\": [1,2,3]}"
    try run(["--max-record-bytes", "6", "--input", "json", "$.a"], stdin: input).expect(
      text: "",
      err: """
        jsift: standard input:2:7: expected a record of at most 6 bytes, found a longer one; use --max-record-bytes to change the limit (byte 23)
          2 |  "a": [1,2,3]}
            |       ^

        """, status: 2)
    // Values that are not selected may be longer.
    #expect(try run(["--max-record-bytes", "7", "--input", "json", "$.a"], stdin: input).text == "[1,2,3]\n")
  }

  @Test func `the largest possible limits are accepted`() throws {
    let largest = "\(Int.max)"
    let options = ["--max-depth", largest, "--max-record-bytes", largest, "--limit", largest]
    for form in ["json", "ndjson", "values"] {
      try run(options + ["--input", form, "$[*]"], stdin: "[1,2]").expect(text: "1\n2\n", status: 0)
    }
  }
}
