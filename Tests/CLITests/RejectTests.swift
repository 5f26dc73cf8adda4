import Foundation
import Testing

@Suite struct RejectTests {
  private static let input =
    Array("{\"a\":1}\n{\"a\":2 \"b\":3}\n{\"a\":\"".utf8) + [0xFF] + Array("\"}\n{\"a\":4}\n[".utf8)

  @Test func `bad records are written to a file from which they can be replayed`() throws {
    try withFolder { folder in
      let file = try folder.file("x.ndjson", Self.input)
      let rejects = folder.path("bad.ndjson")
      for command in [["records"], ["$"], ["check"], ["each", "$"], ["records", "--where", "@"]] {
        let result = try run(command + ["--rejects", rejects, file])
        if command == ["records"] {
          #expect(result.text == "{\"a\":1}\n{\"a\":4}\n")
          #expect(folder.cut(result.err).contains("x.ndjson: 3 bad records were skipped and written to bad.ndjson; "))
        }
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: rejects)), as: UTF8.self)
        #expect(
          folder.cut(text) == #"""
            {"file":"x.ndjson","line":2,"byteOffset":8,"offset":8,"length":13,"error":"expected ',' or '}' after a member, found a string","raw":"{\"a\":2 \"b\":3}"}
            {"file":"x.ndjson","line":3,"byteOffset":22,"offset":22,"length":9,"error":"expected UTF-8, found an invalid byte sequence","rawBase64":"eyJhIjoi/yJ9"}
            {"file":"x.ndjson","line":5,"byteOffset":40,"offset":40,"length":1,"error":"expected a value or ']', found the end of the text","raw":"["}

            """#, "\(command)")
      }
    }
  }

  @Test func `a record longer than the cap is replayed by offset and length`() throws {
    try withFolder { folder in
      let long = "[\"\(String(repeating: "0123456789", count: 20_000))\" x]"
      let file = try folder.file("x.ndjson", "1\n\(long)\n2\n")
      let rejects = folder.path("bad.ndjson")
      #expect(try run(["records", "--rejects", rejects, file]).text == "1\n2\n")
      let result = try run([
        "--rejects", folder.path("none"), "-r", "-p", "o=$.offset", "-p", "b=$.byteOffset", "-p", "n=$.length", "-p",
        "t=$.truncated", rejects,
      ])
      #expect(result.lines == ["o\t2", "b\t2", "n\t\(long.utf8.count)", "t\ttrue"])
    }
  }

  @Test func `the same bytes of a record over the cap are kept with any number of workers and any read boundaries`()
    throws
  {
    // Lines of 1 to 200,000 bytes, so that blocks and reads end inside many of them. The caps are below and above the
    // number of bytes that are kept of a bad record.
    var lines: [String] = []
    for number in 0..<120 {
      let length = number % 4 == 3 ? 1 + number * 1667 : 1 + number * 7
      lines.append("{\"id\":\(number),\"text\":\"\(String(repeating: "x", count: length))\"}")
    }
    let text = lines.joined(separator: "\r\n")
    #expect(text.utf8.count > 3_000_000)
    try withFolder { folder in
      let file = try folder.file("x.ndjson", text)
      for cap in ["50", "100", "70000"] {
        for command in [["records"], ["check"], ["stats", "--by", "id=$.id"], ["$.id"]] {
          let arguments = command + ["--max-record-bytes", cap, "--rejects"]
          let one = folder.path("one.ndjson")
          let alone = try run(arguments + [one, "-j", "1", file])
          let expected = try Data(contentsOf: URL(fileURLWithPath: one))
          #expect(expected.split(separator: 0x0A).count > (cap == "70000" ? 10 : 60))
          for jobs in ["2", "3"] {
            let several = folder.path("several.ndjson")
            let result = try run(arguments + [several, "-j", jobs, file])
            let found = try Data(contentsOf: URL(fileURLWithPath: several))
            #expect(found == expected, "\(command), \(jobs) workers, a cap of \(cap)")
            #expect(result.out == alone.out && result.status == alone.status)
          }
        }
      }
    }
  }

  @Test func `exceeding the limit of bad records gives exit status 2 after the results so far`() throws {
    for (limit, expected, status) in [
      (0, "{\"a\":1}\n", 2), (2, "{\"a\":1}\n{\"a\":4}\n", 2), (3, "{\"a\":1}\n{\"a\":4}\n", 0),
    ] {
      let result = try run(["records", "--input", "ndjson", "--max-errors", "\(limit)"], stdin: Self.input)
      result.expect(text: expected, status: Int32(status))
      let reported = "jsift: standard input: reading stopped: more than \(limit) errors (--max-errors)\n"
      #expect(result.err.hasSuffix(reported) == (status == 2))
    }
  }

  @Test func `max-errors applies to all files together, and no further file is read`() throws {
    try withFolder { folder in
      let one = try folder.file("1.ndjson", "x\n1\n")
      let two = try folder.file("2.ndjson", "2\ny\n3\n")
      let three = try folder.file("3.ndjson", "4\n")
      try run(["records", "--max-errors", "1", one, two, three]).expect(text: "1\n2\n", status: 2)
    }
  }

  @Test func `on-error stop keeps the bad record at which it stops`() throws {
    try withFolder { folder in
      let rejects = folder.path("bad.ndjson")
      let result = try run(
        ["records", "--input", "ndjson", "--on-error", "stop", "--rejects", rejects], stdin: Self.input)
      #expect(result.status == 2)
      #expect(try run(["--count", "$.raw", rejects]).text == "1\n")
    }
  }

  @Test func `an input is rejected as the file of bad records`() throws {
    try withFolder { folder in
      let file = try folder.file("x.ndjson", Self.input)
      for command in [
        "\"$JSIFT\" records --rejects ./x.ndjson x.ndjson", "\"$JSIFT\" check --rejects x.ndjson < x.ndjson",
      ] {
        let result = try shell(command, in: folder)
        #expect(result.text == "")
        #expect(result.err.hasSuffix("x.ndjson: expected a file that is not an input\n"))
        #expect(result.status == 2)
        #expect(Array(try Data(contentsOf: URL(fileURLWithPath: file))) == Self.input)
      }
    }
  }

  @Test(arguments: [["records"], ["check"], ["shape"], ["format"], ["stats", "--of", "a=$.a"], ["$"]])
  func `standard output is rejected as the file of bad records`(command: [String]) throws {
    try withFolder { folder in
      _ = try folder.file("x.ndjson", "1\n[\n")
      let words = command.map { "'\($0)'" }.joined(separator: " ")
      try shell("\"$JSIFT\" \(words) --rejects - x.ndjson; echo $?; ls", in: folder).expect(
        text: "2\nx.ndjson\n",
        err: """
          jsift: --rejects -: expected a separate file, because standard output is for results; './-' is a file of that name

          """)
    }
  }

  @Test func `a rejects file that cannot be written is reported before anything is read`() throws {
    let result = try run(["records", "--rejects", "/nonexistent/bad"], stdin: Self.input)
    #expect(result.text == "")
    #expect(result.err.hasPrefix("jsift: /nonexistent/bad: the output cannot be written: "))
    #expect(result.status == 2)
  }

  #if os(Linux)
    @Test(arguments: ["records", "check", "shape", "format", "stats --of a=$.a"])
    func `an error while closing the rejects file is reported with exit status 2`(
      command: String
    ) throws {
      try withFolder { folder in
        _ = try folder.file("x.ndjson", Self.input)
        let run = "FAIL_CLOSE=/r $FAULTS \"$JSIFT\" \(command.replacing("$", with: "\\$")) --rejects r x.ndjson"
        let result = try FaultyCalls.shell(run, in: folder)
        #expect(result.err.contains("jsift: r: the output cannot be written: No space left on device\n"))
        #expect(result.status == 2)
      }
    }
  #endif

  @Test func `bad records are kept and the status is correct when the output is closed`() throws {
    try withFolder { folder in
      let lines = (0..<40_000).map {
        $0 % 400 == 7 ? "{bad \($0)" : "{\"id\":\($0),\"text\":\"some text to fill a pipe\"}"
      }
      _ = try folder.file("x.ndjson", lines.joined(separator: "\n"))
      for jobs in [1, 2] {
        let gone = try shell(
          "\"$JSIFT\" records -j \(jobs) --rejects r x.ndjson | head -n 1000 >/dev/null; wc -l <r; tail -c 2 r | head -c 1",
          in: folder)
        let counts = gone.text.split(separator: "\n")
        #expect(Int(counts[0].trimmingCharacters(in: .whitespaces)) ?? 0 > 0)
        #expect(counts.last == "}")
        guard FileManager.default.fileExists(atPath: "/dev/full") else { continue }
        let full = try shell(
          "\"$JSIFT\" records -j \(jobs) --rejects r x.ndjson >/dev/full; echo $?; wc -l <r", in: folder)
        #expect(full.text.hasPrefix("2\n") && !full.text.hasSuffix("\n0\n"))
      }
      let many = String(repeating: "{bad\n", count: 20_000)
      _ = try folder.file("bad.ndjson", many)
      let status = "(\"$JSIFT\" check bad.ndjson; echo $? >status) | head -n 1 >/dev/null; cat status"
      #expect(try shell(status, in: folder).text == "1\n")
    }
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "this system has no /dev/full"),
    arguments: [["records", "--input", "ndjson", "-j", "1"], ["records", "--input", "ndjson", "-j", "2"], ["check"]])
  func `rejects that cannot be written end the run, and are reported once`(command: [String]) throws {
    try withFolder { folder in
      for count in [1, 20_000] {
        let file = try folder.file("bad.ndjson", String(repeating: "bad\n", count: count))
        let found = try run(command + ["--rejects", "/dev/full", file])
        let message = "jsift: /dev/full: the output cannot be written: No space left on device\n"
        #expect(found.status == 2, "\(found)")
        #expect(found.err.split(separator: message, omittingEmptySubsequences: false).count == 2, "\(found)")
      }
    }
  }

  @Test func `check from an offset inside a document rejects the rest`() throws {
    try withFolder { folder in
      let file = try folder.file("t.json", "{\n \"records\": [\n  {\n   \"id\": 0\n  },\n  5\n ]}\n")
      _ = try run(["check", "--from-offset", "16", "--rejects", folder.path("r"), file])
      #expect(try folder.text("r").contains("\"byteOffset\":16"))
    }
  }
}
