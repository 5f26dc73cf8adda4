import TestSupport
import Testing

/// `--join` and `--input mixed`: records that are not one line.
@Suite struct JoiningTests {
  private static let pod = """
    2023-01-27T13:40:28.926Z stdout P {"level":"error",
    2023-01-27T13:40:28.927Z stderr F {"level":"info","n":2}
    2023-01-27T13:40:28.928Z stdout F "n":1}
    2023-01-27T13:40:28.929Z stdout F text
    2023-01-27T13:40:28.930Z stderr P {"n":

    """
  private static let container = """
    {"log":"{\\"level\\":\\"error\\",","stream":"stdout","time":"t1"}
    {"log":"\\"n\\":1}\\n","stream":"stdout","time":"t2"}
    {"log":"{\\"level\\" 2}\\n","stream":"stderr","time":"t3"}

    """
  private static let mixed = "starts\n{\n \"n\": 1\n}\n{\"n\":2}\n{\"n\":\n[INFO] ends\n"

  @Test(arguments: ["1", "2"])
  func `parts of a pod's lines are records with the place of the first`(jobs: String) throws {
    try withFolder { folder in
      let file = try folder.file("pod.log", Self.pod)
      let rejects = folder.path("rejects")
      let result = try run(["records", "--join", "cri", "-j", jobs, "--rejects", rejects, "--with-location", file])
      #expect(result.status == 0)
      #expect(
        folder.cut(result.text) == """
          {"file":"pod.log","line":2,"byteOffset":86,"value":{"level":"info","n":2}}
          {"file":"pod.log","line":1,"byteOffset":34,"value":{"level":"error","n":1}}

          """)
      let lines = Self.pod.split(separator: "\n")
      let found = try folder.text("rejects").split(separator: "\n")
      #expect(found.count == 2)
      #expect(found.first?.contains(#""line":4,"byteOffset":150,"offset":150,"length":38,"#) == true, "\(found)")
      #expect(
        found.last?.contains(#""line":5,"#) == true && found.last?.contains("expected the rest of a value") == true)
      #expect(found.last?.contains(#""length":\#(lines[4].utf8.count),"#) == true, "\(found)")
    }
  }

  @Test
  func `parts of a container's lines are put together before they are unwrapped, whatever the order of the options`()
    throws
  {
    for arguments in [["--unwrap", "$.log", "--join=docker"], ["--join", "docker", "--unwrap", "$.log"]] {
      let select = ["--select", "n=$.n", "--select", "time=^.time", "--where", "^.stream == 'stdout'"]
      let result = try run(["records", "--prefilter", "never"] + arguments + select, stdin: Self.container)
      #expect(result.text == "{\"n\":1,\"time\":\"t1\"}\n")
      #expect(result.err.contains("standard input:3:20: expected ':' after a key, found a digit"))
    }
  }

  @Test func `records of several lines are found between other lines`() throws {
    let result = try run(["get", "$.n", "--input", "mixed", "--with-location"], stdin: Self.mixed)
    #expect(result.status == 0)
    #expect(
      result.text == """
        {"file":"-","line":2,"byteOffset":15,"path":"$['n']","value":1}
        {"file":"-","line":5,"byteOffset":24,"path":"$['n']","value":2}

        """)
    #expect(result.err.contains("standard input:6:6: expected a value, found the end of the text"))
    #expect(result.err.contains("jsift: 2 lines are no part of a record\n"))
    try run(["check", "--input", "mixed", "--max-record-lines", "3"], stdin: "{\n \"n\": 1\n}\n").expect(
      text: "", err: "")
    let long = try run(["check", "--input", "mixed", "--max-record-lines", "2"], stdin: "{\n \"n\": 1\n}\n")
    #expect(long.status == 1)
    let message = "1 value has more lines than a record may have; --max-record-lines sets how many"
    #expect(long.err.contains(message), "\(long.err)")
  }

  @Test func `a prefix is left out on each line of a record, also behind that of a runtime`() throws {
    let lines = ["F 12:01 app | {", "F 12:02 app |  \"n\": [", "F 12:02 app |  1]}"]
    let text = lines.map { "2023-01-27T13:40:28.9Z stdout \($0)\n" }.joined()
    let result = try run(["records", "--join", "cri", "--input", "mixed", "--skip-prefix"], stdin: text)
    #expect(result.text == "{ \"n\": [ 1]}\n", "\(result.err)")
  }

  @Test(arguments: [
    (
      "records --join cri --range 0-9 FILE",
      "--range: expected records that are lines, found --join cri, which puts lines together"
    ),
    (
      "check --join docker --split 1/2 FILE",
      "--split: expected records that are lines, found --join docker, which puts lines together"
    ),
    (
      "$ --input mixed --line 3 FILE",
      "--line: expected records that are lines, found --input mixed, which puts lines together"
    ),
    (
      "records --join cri --sorted --time $.a --since 0 FILE",
      "--sorted: expected records that are lines, found --join cri, which puts lines together"
    ),
    (
      "records --join pod FILE",
      "The value 'pod' is invalid for '--join <cri|docker>'. Please provide one of 'cri' and 'docker'."
    ),
    (
      "records --join cri --input json FILE",
      "--join is for the lines of a container runtime, and with --input json records are not lines; use only one of them"
    ),
    (
      "records --max-record-lines 3 FILE",
      "--max-record-lines is for records of several lines; use it with --input mixed"
    ),
    ("records --input mixed --max-record-lines 0 FILE", "--max-record-lines takes a number of at least 1, not 0"),
  ])
  func `options that do not apply to lines that are put together are refused`(command: String, message: String) throws {
    try withFolder { folder in
      let file = try folder.file("x.log", Self.pod)
      let result = try run(words(command).map { $0 == "FILE" ? file : $0 })
      #expect(result.status == 2)
      #expect(result.text == "")
      #expect(result.err.contains(message), "\(result.err)")
    }
  }
}
