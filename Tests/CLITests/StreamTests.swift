import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct StreamTests {
  private static func append(_ text: String, to path: String) throws {
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  // MARK: Framing

  @Test func `a text sequence is recognized by the flag or by its first byte`() throws {
    let input = "\u{1E}{\"a\":1}\n\u{1E}12\u{1E}{\"a\":2\u{1E}\n\u{1E}{\"a\":\n3}\n"
    for arguments in [[], ["--input", "seq"]] {
      let result = try run(["records"] + arguments, stdin: input)
      #expect(result.text == "{\"a\":1}\n{\"a\":3}\n")
      #expect(result.err.contains("3 bad records were skipped"))
      #expect(result.status == 0)
      #expect(try run(["$.a"] + arguments, stdin: input).text == "1\n3\n")
    }
  }

  @Test func `text before the JSON on a line is skipped`() throws {
    let input = "2024-05-01T10:00:00Z stdout F {\"a\":1}\n[INFO] {\"a\":2}\n{\"a\":3}\nno JSON\n"
    let result = try run(["$.a", "--skip-prefix", "--with-location"], stdin: input)
    #expect(
      result.lines == [
        #"{"file":"-","line":1,"byteOffset":35,"path":"$['a']","value":1}"#,
        #"{"file":"-","line":2,"byteOffset":50,"path":"$['a']","value":2}"#,
        #"{"file":"-","line":3,"byteOffset":58,"path":"$['a']","value":3}"#,
      ])
    #expect(result.err.contains("1 bad record was skipped"))
    #expect(try run(["records", "--skip-prefix"], stdin: input).lines.count == 3)
  }

  // MARK: Positions

  @Test func `reading begins at the offset, and lines are numbered from there`() throws {
    try withFolder { folder in
      let file = try folder.file("x.ndjson", "{\"a\":1}\n{\"a\":2}\nbad\n{\"a\":3}\n")
      let result = try run(["records", "--from-offset", "8", "--with-location", file])
      #expect(
        folder.cut(result.text) == """
          {"file":"x.ndjson","line":1,"byteOffset":8,"value":{"a":2}}
          {"file":"x.ndjson","line":3,"byteOffset":20,"value":{"a":3}}

          """)
      #expect(folder.cut(result.err).hasPrefix("jsift: x.ndjson:2:1: "))
      #expect(try run(["$.a", "--from-offset", "20", file]).text == "3\n")
      #expect(try run(["records", "--from-offset", "28", file]).status == 1)
      let past = try run(["records", "--from-offset", "29", file])
      #expect(
        folder.cut(past.err) == "jsift: x.ndjson: expected an input of at least 29 bytes, found its end at byte 28\n")
      #expect(past.status == 2)
      #expect(try shell("\"$JSIFT\" records --from-offset 8 --count < x.ndjson 2>&-", in: folder).text == "2\n")
      #expect(try shell("cat x.ndjson | \"$JSIFT\" records --from-offset 8 --count 2>&-", in: folder).text == "2\n")
      for jobs in ["1", "2"] {
        let farPast = try run(["records", "--from-offset", "\(Int.max)", "-j", jobs, file])
        let reported = "expected an input of at least \(Int.max) bytes, found its end at byte 28\n"
        #expect(folder.cut(farPast.err) == "jsift: x.ndjson: " + reported)
        #expect(farPast.status == 2)
        let piped = try run(["records", "--from-offset", "\(Int.max)", "-j", jobs], stdin: "{\"a\":1}\n")
        #expect(piped.err.hasSuffix("expected an input of at least \(Int.max) bytes, found its end at byte 8\n"))
      }
      let two = try run(["records", "--from-offset", "8", file, file])
      two.expect(err: "jsift: --from-offset: expected one file, found 2\n", status: 2)
    }
  }

  // MARK: Following

  @Test(arguments: [["records"], ["$"]])
  func `a file is followed until a signal while it grows and is replaced`(command: [String]) throws {
    try withFolder { folder in
      let file = try folder.file("x.log", "{\"a\":1}\n")
      let tool = try Tool.start(command + ["--follow", file])
      #expect(tool.lines(1) == ["{\"a\":1}"])
      try Self.append("{\"a\":2}\n{\"a\"", to: file)
      #expect(tool.lines(2).last == "{\"a\":2}")
      try Self.append(":3}\n", to: file)
      #expect(tool.lines(3).last == "{\"a\":3}")
      // Rotated: the last line of the old file, then the new file from its start.
      try FileManager.default.moveItem(atPath: file, toPath: file + ".1")
      try Self.append("{\"a\":4}\n", to: file + ".1")
      _ = try folder.file("x.log", "{\"a\":5}\nbad\n")
      #expect(tool.lines(5).suffix(2) == ["{\"a\":4}", "{\"a\":5}"])
      // Truncated and written again.
      try Data("6\n".utf8).write(to: URL(fileURLWithPath: file))
      #expect(tool.lines(6).last == "6")
      tool.send(signal: SIGTERM)
      #expect(tool.finish() == 0)
      let text = folder.cut(String(decoding: tool.err, as: UTF8.self))
      #expect(text.contains("jsift: x.log:2:1: expected a value, found a letter (byte 8)"))
      #expect(text.contains("jsift: x.log: 1 bad record was skipped"))
    }
  }

  @Test(arguments: ["x.json", "x", "x.geojson"], [["records"], ["$"]])
  func `one line is enough to follow a file of any name`(name: String, command: [String]) throws {
    try withFolder { folder in
      let file = try folder.file(name, "{\"a\":1}\n")
      let tool = try Tool.start(command + ["--follow", file])
      #expect(tool.lines(1) == ["{\"a\":1}"])
      try Self.append("{\"a\":2}\n", to: file)
      #expect(tool.lines(2).last == "{\"a\":2}")
      tool.send(signal: SIGTERM)
      #expect(tool.finish() == 0)
    }
  }

  @Test func `a document on several lines is followed to its end`() throws {
    try withFolder { folder in
      let file = try folder.file("x.json", "{\"a\":[1,\n")
      let tool = try Tool.start(["$.a[*]", "--follow", file])
      Child.rest()
      try Self.append("2,\n", to: file)
      #expect(tool.lines(2) == ["1", "2"])
      tool.send(signal: SIGTERM)
      _ = tool.finish()
    }
  }

  @Test func `an error in a followed document ends the run without waiting for the rest of its line`() throws {
    try withFolder { folder in
      let result = try run(["$.b", "--follow", "--input", "json", folder.file("x.json", "{\"a\":1 x")])
      #expect(result.status == 2 && result.err.contains("{\"a\":1 x\n"))
    }
  }

  @Test(arguments: [["check"], ["$.b"], ["format"], ["shape"], ["each", "$.b"]])
  func `an error in a pipe is reported while the pipe is still open`(command: [String]) throws {
    let tool = try Tool.start(command + ["--input", "json"])
    tool.write("{\"a\":1,\n \"b\":[1,2 3")
    // The other end of the pipe stays open.
    #expect(tool.finishWithOpenInput() == (command == ["check"] ? 1 : 2))
    #expect(String(decoding: tool.out + tool.err, as: UTF8.self).contains("  2 |  \"b\":[1,2 3\n"))
  }

  @Test func `a table of a followed file shows the existing rows, and then each new row`() throws {
    try withFolder { folder in
      let file = try folder.file("x.log", "{\"a\":\"xy\",\"b\":1}\n{\"a\":\"z\",\"b\":20}\n")
      let tool = try Tool.start(
        ["records", "--follow", "--format", "table", "--select", "a=$.a", "--select", "b=$.b", file])
      let blanks = String(repeating: " ", count: 18)
      let line = String(repeating: "-", count: 20)
      #expect(tool.lines(4) == ["a \(blanks)   b", "\(line)  --", "xy\(blanks)   1", "z \(blanks)  20"])
      // Later values may be longer. A number is never truncated, nor is the last column.
      let rest = ["{\"a\":\"as long as one may expect\",\"b\":3}", "{\"a\":1e30,\"b\":\"as long as one may expect\"}"]
      try Self.append(rest.joined(separator: "\n") + "\n", to: file)
      #expect(
        tool.lines(6).suffix(2) == ["as long as one may …   3", "1e30\(blanks.dropLast(2))  as long as one may expect"])
      tool.send(signal: SIGTERM)
      #expect(tool.finish() == 0)
    }
  }

  @Test func `following ends at the limit of results and at the limit of errors`() throws {
    try withFolder { folder in
      let file = try folder.file("x.log", "1\n2\nx\n3\ny\n")
      #expect(try run(["records", "--follow", "--limit", "2", file]).text == "1\n2\n")
      try run(["records", "--follow", "--max-errors", "1", file]).expect(text: "1\n2\n3\n", status: 2)
      try run(["records", "--follow", "--on-error", "stop", file]).expect(text: "1\n2\n", status: 2)
      // For one document all results can be known before its end.
      let document = try folder.file("x.json", "{\"a\":1,\n\"b\":2}")
      let answered = try run(["$.a", "--follow", "--input", "json", document])
      #expect(answered.text == "1\n" && answered.status == 0)
    }
  }

  @Test(arguments: ["1", "2"])
  func `lines in a file with the extension of a document are read as lines from any offset`(jobs: String) throws {
    try withFolder { folder in
      let file = try folder.file("x.json", "{\"a\":1}\n{\"a\":2}\n")
      #expect(try run(["records", "--with-location", "-j", jobs, file]).lines.count == 2)
      // The rest of the file alone would be one document, which has no line number.
      let rest = try run(["records", "--with-location", "--from-offset", "8", "-j", jobs, file])
      #expect(folder.cut(rest.text) == "{\"file\":\"x.json\",\"line\":1,\"byteOffset\":8,\"value\":{\"a\":2}}\n")
      let long = (0..<150_000).map { "{\"a\":\($0 + 1_000_000)}\n" }.joined()
      let large = try folder.file("y.json", long)
      #expect(try run(["records", "--count", "--from-offset", "1400000", "-j", jobs, large]).text == "50000\n")
      #expect(try run(["records", "--count", "--from-offset", "2099986", "-j", jobs, large]).text == "1\n")
    }
  }

  @Test(arguments: ["1", "2", "8"])
  func `bytes and lines are counted from the current offset of standard input`(
    jobs: String
  ) throws {
    try withFolder { folder in
      _ = try folder.file("x.ndjson", "{\"a\":1}\n{\"a\":2}\nbad\n{\"a\":3}\n")
      let found = try shell(
        "(dd bs=8 count=1 of=/dev/null 2>&-; \"$JSIFT\" records --with-location -j \(jobs) --progress always) <x.ndjson",
        in: folder)
      #expect(
        found.lines == [
          #"{"file":"-","line":1,"byteOffset":0,"value":{"a":2}}"#,
          #"{"file":"-","line":3,"byteOffset":12,"value":{"a":3}}"#,
        ])
      #expect(found.err.contains("jsift: standard input:2:1: expected a value, found a letter (byte 8)"))
      #expect(found.err.contains("20 B of 20 B (100 %)"))
    }
  }

  // MARK: Progress

  @Test func `progress without a terminal is lines, and the last one is the final state`() throws {
    try withFolder { folder in
      let file = try folder.file("x.ndjson", "{\"a\":1}\n{\"a\":2}\nbad\n")
      let result = try run(["records", "--count", "--progress", "always", file])
      #expect(result.text == "2\n")
      let last = try #require(result.err.split(separator: "\n").last)
      #expect(
        last.prefixMatch(
          of:
            #/jsift: 20 B of 20 B \(100 %\), [0-9.]+ [kM]?B/s, 2 records, 1 error(, 1 undecided place \(first: .*\), 4 B parsed)?/#
        ) != nil, "\(last)")
      for policy in ["auto", "never"] {
        #expect(try !run(["records", "--progress", policy, file]).err.contains("B/s"))
      }
      let piped = try run(["check", "--progress", "always"], stdin: "[1]\n")
      #expect(piped.err.wholeMatch(of: #/jsift: 4 B, [0-9.]+ [kM]?B/s, 0 errors\n/#) != nil, "\(piped.err)")
    }
  }

  @Test(.enabled(if: Terminal.isAvailable, "no Python, or no terminal to be had"))
  func `progress on a terminal is a bar with bytes, rate, records, errors and time, removed at the end`() throws {
    try withFolder { folder in
      let lines = String(repeating: "{\"a\":1}\n", count: 20_000) + "bad\n"
      // More than the million bytes that are fed first.
      let parts = isDebug ? 10 : 20
      _ = try folder.file("x.ndjson", String(repeating: lines, count: parts))
      _ = try folder.fifo("pipe")
      // The input pauses, so that progress is shown however fast the machine is.
      let feed = "(head -c 1000000 x.ndjson; sleep 0.3; tail -c +1000001 x.ndjson) >pipe &"
      let open = try Terminal.shell("\(feed) \"$JSIFT\" records --count pipe >count", in: folder).text
      let line = #/\r[0-9.]+ [kM]?B, [0-9.]+ [kM]?B/s, [0-9]+ records, [0-9]+ errors?\u{1B}\[K/#
      #expect(open.contains(line), "\(open)")
      #expect(try folder.text("count") == "\(parts * 20_000)\n")
      let known = try Terminal.shell("\"$JSIFT\" records x.ndjson | (sleep 0.3; wc -l >count)", in: folder).text
      let size = #/\r\[#* *\] [0-9.]+ [kM]B of (?:3.2|1.6) MB \([0-9]+ %\), [0-9.]+ [kM]?B/s, /#
      #expect(known.contains(size), "\(known)")
      #expect(known.contains(#/B/s, [0-9]+ records, [0-9]+ errors?, 0:[0-9]{2} left\u{1B}\[K/#), "\(known)")
      // The bar is removed, and later messages are on lines of their own.
      #expect(known.contains("\r\u{1B}[Kjsift: x.ndjson:20001:1: "), "\(known)")
      #expect(try folder.text("count").contains("\(parts * 20_000)"))
      // Results on the same terminal would be mixed with the bar.
      #expect(try !Terminal.shell("\"$JSIFT\" records --count x.ndjson", in: folder).text.contains("B/s"))
      let never = try Terminal.shell(
        "\"$JSIFT\" records --progress never x.ndjson | (sleep 0.2; cat >count)", in: folder)
      #expect(!never.text.contains("B/s"))
    }
  }

  @Test(
    .enabled(if: Terminal.isAvailable, "no Python, or no terminal to be had"),
    arguments: [(40, 36), (20, 16), (12, 10)])
  func `the last column of a table gets the remaining width of a terminal, but at least ten columns`(
    width: Int, last: Int
  ) throws {
    try withFolder { folder in
      _ = try folder.file("x.ndjson", #"{"a":1,"b":"\#(String(repeating: "y", count: 100))"}"# + "\n{\"a\":22}\n")
      let found = try Terminal.shell(
        "stty cols \(width); \"$JSIFT\" records --select a=\\$.a --select b=\\$.b --format table x.ndjson", in: folder)
      let lines = found.text.split(separator: "\r\n").map(String.init)
      #expect(lines.contains("--  " + String(repeating: "-", count: last)), "\(found)")
      #expect(lines.contains(" 1  " + String(repeating: "y", count: last - 1) + "…"), "\(found)")
    }
  }

  @Test(.enabled(if: Terminal.isAvailable, "no Python, or no terminal to be had"), arguments: ["1", "2"])
  func `a table on a terminal does not wait for rows that may never arrive`(jobs: String) throws {
    try withFolder { folder in
      _ = try folder.fifo("pipe")
      // The writer of the pipe continues only after the first rows were shown.
      let command = """
        (echo "{\\"a\\":1}"; while ! [ -e seen ]; do sleep 0.05; done; echo "{\\"a\\":2}") >pipe & \
        "$JSIFT" records --format table --select "a=$.a" --input ndjson -j \(jobs) pipe
        """
      let program = """
        import os, pty, sys
        seen = b''
        def read(descriptor):
            global seen
            data = os.read(descriptor, 1024)
            seen += data
            if b'1' in seen: open('seen', 'w').close()
            return data
        sys.exit(os.waitstatus_to_exitcode(pty.spawn(['/bin/sh', '-c', sys.argv[1]], read)))
        """
      let script = try folder.file("watch.py", program)
      let shown = try shell("export JSIFT; python3 \(script) '\(command)'", in: folder, stdin: "").text
      #expect(shown.replacing("\r\n", with: "\n") == "a\n-\n1\n2\n")
    }
  }

  #if Compression
    @Test(arguments: ["1", "2"])
    func `progress counts the compressed bytes, not the decompressed ones`(jobs: String) throws {
      try withFolder { folder in
        let lines = (0..<200_000).map { "{\"a\":\($0)}\n" }.joined()
        let file = try folder.file("x.ndjson", lines)
        let result = try shell(
          "gzip x.ndjson && \"$JSIFT\" records --count --progress always -j \(jobs) x.ndjson.gz", in: folder)
        let size = try Data(contentsOf: URL(fileURLWithPath: file + ".gz")).count / 1000
        #expect(result.err.contains("jsift: \(size) kB of \(size) kB (100 %), "), "\(result.err)")
      }
    }
  #endif

  @Test(arguments: [[], ["-j", "1"], ["--input", "ndjson"], ["--count"]])
  func `issue 16: from an offset inside a line reading begins at the next line, with one message`(
    flags: [String]
  ) throws {
    try withFolder { folder in
      let text = "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n"
      let small = try folder.file("x.ndjson", text)
      // A debug build reads this many lines only without flags; otherwise it reads the same number of bytes in longer
      // lines.
      let long = isDebug && !flags.isEmpty
      let line = "{\"a\":\"\(String(repeating: "x", count: 2_000))\"}\n"
      let large = try folder.file(
        "y.ndjson", long ? text + String(repeating: line, count: 600) : String(repeating: text, count: 50_000))
      for (file, count) in [(small, 2), (large, long ? 602 : 149_999)] {
        let result = try run(["records", "--from-offset", "3"] + flags + [file])
        #expect(result.status == 0)
        let found = flags == ["--count"] ? Int(result.lines[0]) ?? 0 : result.lines.count
        #expect(found == count)
        #expect(
          result.err
            == "jsift: --from-offset 3 is in the middle of a line; reading began at the next line, at byte 8\n")
        #expect(try run(["records", "--from-offset", "8"] + flags + [file]).err == "")
      }
      let piped = try run(["records", "--from-offset", "3"] + flags, stdin: text)
      #expect(piped.status == 0 && piped.err.hasSuffix("at byte 8\n"))
      let checked = try run(["check", "--from-offset", "3", small])
      #expect(checked.status == 0 && checked.err.hasSuffix("at byte 8\n"))
    }
  }

  @Test
  func `a signal ends following after everything read was written, also a record without its line feed`()
    throws
  {
    try withFolder { folder in
      let script = """
        echo '{"id":1}' >x.ndjson
        "$JSIFT" '$.id' --follow x.ndjson >out & child=$!
        while [ "$(cat out)" != 1 ]; do sleep 0.05; done
        printf '{"id":2}\\n{"id":3}' >>x.ndjson
        while ! grep -q 2 out; do sleep 0.05; done
        kill -INT $child; wait $child; cat out
        """
      try shell(script, in: folder).expect(text: "1\n2\n3\n")
    }
  }
}
