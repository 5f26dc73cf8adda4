import Foundation
import Testing

@Suite struct PipeTests {
  // MARK: Standard output

  @Test(arguments: [#""$JSIFT" '$.a'"#, #""$JSIFT" records --input values"#])
  func `closing the output ends the tool without a message, and the endless producer with it`(command: String) throws {
    // The producer and therefore this command line end only if the tool ends.
    let result = try shell("yes '{\"a\":1}' | { \(command); echo \"status $?\" >&2; } | head -n 1")
    #expect(result.lines.count == 1)
    result.expect(err: "status 0\n", status: 0)
  }

  @Test(arguments: ["1", "2"], ["", "--where '@.n >= 0'"])
  func `exceeding the limit of groups ends stats and its endless producer`(jobs: String, condition: String) throws {
    let result = try shell(
      "i=0; while echo \"{\\\"n\\\":$i}\"; do i=$((i+1)); done 2>/dev/null | \"$JSIFT\" stats --by 'n=$.n' \(condition) "
        + "--max-groups 3 -j \(jobs) --input ndjson")
    result.expect(text: (0..<3).map { "{\"n\":\($0),\"count\":1}\n" }.joined(), status: 2)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "this system has no /dev/full"))
  func `output that cannot be written is reported with exit status 2`() throws {
    try withFolder { folder in
      let lines = String(repeating: "{\"a\":\"0123456789\"}\n", count: 20_000)
      let file = try folder.file("x.ndjson", lines)
      let commands = [
        "'$' '\(file)'", "--count '$' '\(file)'", "records '\(file)'", "--help", "--version", "shape '\(file)'",
        "shape --format table '\(file)'", "'$' --format json '\(file)'",
        "records --format csv --select a='$.a' '\(file)'", "records --format table --select a='$.a' '\(file)'",
        "stats --by a='$.a' '\(file)'", "each '$' '\(file)'", "format '\(file)'",
      ]
      for arguments in commands {
        let result = try shell("\"$JSIFT\" \(arguments) >/dev/full")
        result.expect(err: "jsift: standard output: No space left on device\n", status: 2)
      }
    }
  }

  @Test func `closed standard output is reported with exit status 2`() throws {
    try shell(#"echo '[1]' | "$JSIFT" '$' >&-"#).expect(err: "jsift: standard output: Bad file descriptor\n", status: 2)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "this system has no /dev/full"))
  func `messages that cannot be written do not change output and exit status`() throws {
    try shell(#"printf '1\n[\n3\n' | "$JSIFT" --input ndjson '$' 2>/dev/full"#).expect(text: "1\n3\n", status: 0)
    let failed = try shell(#"printf '1\n[\n3\n' | "$JSIFT" --on-error stop --input ndjson '$' 2>/dev/full"#)
    failed.expect(text: "1\n", status: 2)
  }

  @Test func `closed standard error does not change output and exit status`() throws {
    try shell(#"printf '1\n[\n3\n' | "$JSIFT" --input ndjson '$' 2>&-"#).expect(text: "1\n3\n", status: 0)
  }

  @Test func `no message is lost if standard error is a full pipe in nonblocking mode`() throws {
    // More than a pipe holds.
    let missing = (0..<3000).map { "/there/is/no/such/file/with/the/number/\($0)" }
    let tool = try Child(Tool.path(), (["$"] + missing).map { Array($0.utf8) }, hasInput: false, blocksOnErrors: false)
    // The tool fills the pipe meanwhile.
    Child.rest()
    #expect(tool.finish() == 2)
    let messages = String(decoding: tool.err, as: UTF8.self).split(separator: "\n")
    #expect(messages == missing.map { "jsift: \($0): the input cannot be read: No such file or directory" })
  }

  @Test func `every byte is written to a file as standard output`() throws {
    try withFolder { folder in
      let lines = (0..<50_000).map { "{\"a\":\($0)}\n" }.joined()
      let file = try folder.file("x.ndjson", lines)
      try shell("\"$JSIFT\" '$' '\(file)' >out && cmp out '\(file)'", in: folder).expect(text: "", status: 0)
    }
  }

  // MARK: Standard input

  @Test(arguments: [["$.a"], ["--input", "ndjson", "$.a"], ["-r", "$.a", "-"]])
  func `a result is written before the next line arrives`(arguments: [String]) throws {
    let child = try Tool.start(arguments)
    child.write("{\"a\":1}\n")
    #expect(child.lines(1) == ["1"])
    Child.rest()
    child.write("{\"a\":2}\n{\"a\":3}\n")
    #expect(child.lines(3) == ["1", "2", "3"])
    child.write("{\"a\":")
    Child.rest()
    child.write("4}\n")
    #expect(child.lines(4).last == "4")
    #expect(child.finish() == 0)
    #expect(String(decoding: child.out, as: UTF8.self) == "1\n2\n3\n4\n")
  }

  @Test func `a match in an unfinished document is written as soon as it is complete`() throws {
    let child = try Tool.start(["--input", "json", "$[*]"])
    child.write("[{\"a\":1},\n")
    #expect(child.lines(1) == [#"{"a":1}"#])
    child.write(" [2],\n")
    #expect(child.lines(2).last == "[2]")
    child.write(" 3]\n")
    #expect(child.finish() == 0)
    #expect(String(decoding: child.out, as: UTF8.self) == "{\"a\":1}\n[2]\n3\n")
  }

  @Test func `records in a stream of values are written as soon as they are complete`() throws {
    let child = try Tool.start(["records", "--input", "values"])
    child.write("{\"a\":\n1} {")
    #expect(child.lines(1) == [#"{"a":1}"#])
    child.write("\"a\":2}")
    #expect(child.lines(2).last == #"{"a":2}"#)
    #expect(child.finish() == 0)
  }

  @Test(arguments: [["$.a"], ["--input", "json", "$.a"], ["--input", "json", "$.a[1]"]])
  func `a path without a wildcard stops reading an endless document`(arguments: [String]) throws {
    let options = arguments.map { "'\($0)'" }.joined(separator: " ")
    let result = try shell("{ printf '{\"a\":[1,2],\"b\":[\\n'; yes '1,'; } | \"$JSIFT\" \(options)")
    #expect(result.lines.count == 1)
    #expect(result.err.contains("jsift") == false)
    #expect(result.status == 0)
  }

  @Test func `a path that cannot match any more is no answer, so the input is read to its end`() throws {
    let result = try shell(#"{ printf '{"a":7,"b":[1]'; sleep 0.1; printf '} ]'; } | "$JSIFT" --input json '$.a.x'"#)
    #expect(result.text == "")
    #expect(result.err.contains("found ']'"))
    #expect(result.status == 2)
  }

  @Test(arguments: [
    ("yes '{\"a\":1}'", "--limit 2 '$.a'", "1\n1\n"), ("yes '{\"a\":1}'", "records --limit 1", "{\"a\":1}\n"),
    ("yes '1 2'", "records --input values --limit 3", "1\n2\n1\n"),
    ("{ printf '[1,2,'; yes '{},'; }", "--input json --limit 3 '$[*]'", "1\n2\n{}\n"),
    ("{ printf '[1,2,'; yes '{},'; }", "--input json --limit 3 --count '$[*]'", "3\n"),
  ])
  func `limit stops reading an endless stream`(producer: String, command: String, expected: String) throws {
    try shell("\(producer) | \"$JSIFT\" \(command)").expect(text: expected, status: 0)
  }

  @Test func `on-error stop stops reading an endless stream`() throws {
    try shell("{ echo '[1]'; yes '[1'; } | \"$JSIFT\" --on-error stop '$[0]'").expect(text: "1\n", status: 2)
  }

  // MARK: FIFOs and devices

  @Test func `a FIFO is read like a file`() throws {
    try withFolder { folder in
      let fifo = try folder.fifo("pipe.ndjson")
      let result = try shell(
        "{ echo '{\"a\":1}'; sleep 0.1; echo '{\"a\":2}'; } >pipe.ndjson & \"$JSIFT\" '$.a' '\(fifo)'", in: folder)
      result.expect(text: "1\n2\n", err: "", status: 0)
    }
  }

  @Test func `a path without a wildcard stops reading an endless document in a FIFO`() throws {
    try withFolder { folder in
      _ = try folder.fifo("pipe.json")
      let result = try shell(
        "{ printf '{\"a\":7,\"b\":['; yes '1,' 2>&1; } >pipe.json & \"$JSIFT\" '$.a' pipe.json", in: folder)
      result.expect(text: "7\n", status: 0)
    }
  }

  @Test func `an empty device is an empty input`() throws {
    try run(["$", "/dev/null"]).expect(text: "", err: "", status: 1)
  }
}
