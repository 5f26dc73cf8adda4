import Foundation
import TestSupport
import Testing

/// `--expect-size`, `--expect-mtime` and `--summary`: a program that starts runs knows that each has read the whole file that
/// it was started for, and that all output arrived.
@Suite struct CompleteRunTests {
  private static let text = "{\"a\":1}\n{\"a\":2}\nbad\n\n{\"a\":3}\n"

  /// Writes a file that was modified at 1764072000, in whole seconds.
  private static func file(_ folder: Folder, _ text: String = Self.text) throws -> String {
    let path = try folder.file("x.ndjson", text)
    _ = try shell("TZ=UTC touch -t 202511251200.00 x.ndjson", in: folder)
    return path
  }

  // MARK: The expected file

  @Test(arguments: [
    ["--expect-size", "29"], ["--expect-mtime", "1764072000"], ["--expect-mtime", "1764072000.000"],
    ["--expect-size", "29", "--expect-mtime", "1764072000.000000000", "--range", "8-"],
    ["--expect-size", "29", "--split", "1/1"],
  ])
  func `the expected file is read`(arguments: [String]) throws {
    try withFolder { folder in
      let file = try Self.file(folder)
      for jobs in ["1", "2"] {
        for command in [["records"], ["$.a"], ["each", "$"]] {
          #expect(try run(command + arguments + ["-j", jobs, file]).status == 0)
        }
        #expect(try run(["check", "-j", jobs] + arguments + [file]).status == 1)
      }
    }
  }

  @Test(arguments: [
    ("--expect-size 28", "expected a file of 28 bytes, found 29 bytes"),
    ("--expect-size 30 --range 0-5", "expected a file of 30 bytes, found 29 bytes"),
    ("--expect-size 99 --split 9/9", "expected a file of 99 bytes, found 29 bytes"),
    ("--expect-mtime 1764072001", "expected a file that was modified at 1764072001, found 1764072000.000000000"),
    (
      "--expect-mtime 1764072000.5", "expected a file that was modified at 1764072000.5, found 1764072000.000000000"
    ),
  ])
  func `another file is an error`(line: String, message: String) throws {
    try withFolder { folder in
      let file = try Self.file(folder)
      for command in [["records"], ["$.a"], ["each", "$"], ["check"], ["records", "--count"]] {
        let result = try run(command + words(line) + [file])
        #expect(folder.cut(result.err) == "jsift: x.ndjson: \(message)\n")
        #expect(result.status == 2)
      }
    }
  }

  @Test(arguments: [
    ("--expect-size -1", "--expect-size takes a number of at least 0, not -1"),
    ("--expect-mtime 1.0000000001", "--expect-mtime takes seconds since 1970"),
    ("--expect-mtime 1e3", "not '1e3'"), ("--expect-mtime 1.", "not '1.'"),
    ("--expect-size 29 --follow", "--expect-size: expected a file that does not change, found --follow"),
    ("--expect-size 29 x.ndjson", "--expect-size: expected one file, found 2"),
  ])
  func `an expectation that cannot hold is rejected`(line: String, message: String) throws {
    try withFolder { folder in
      let result = try run(["records"] + words(line) + [try Self.file(folder)])
      #expect(result.err.contains(message), "\(result.err)")
      #expect(result.status == 2)
    }
  }

  @Test func `only a regular file can be expected`() throws {
    try withFolder { folder in
      let piped = try run(["records", "--expect-size", "2"], stdin: "1\n")
      #expect(piped.err == "jsift: --expect-size: expected a named file, found standard input\n")
      let fifo = try folder.fifo("fifo")
      let result = try run(["records", "--expect-size", "2", fifo])
      #expect(
        folder.cut(result.err)
          == "jsift: fifo: expected a regular file, which has a size, found another kind of file\n")
      #expect(piped.status == 2 && result.status == 2)
    }
  }

  /// Changes of a file while it is read, as shell commands.
  private static let changes = [
    "append": "printf '1\\n' >> x.ndjson", "truncate": "head -c 1000000 x.ndjson > y && cat y > x.ndjson",
    "empty": ": > x.ndjson", "shorten and restore": "cp x.ndjson y; : > x.ndjson; sleep 0.02; cat y > x.ndjson",
    "replace": "cp x.ndjson y && printf 1 >> y && mv y x.ndjson && printf '2\\n' >> x.ndjson",
  ]

  @Test(arguments: changes.keys.sorted(), ["1", "2"])
  func `a file that changes while it is read is never a success`(change: String, jobs: String) throws {
    try withFolder { folder in
      let line = "{\"text\":\"\(String(repeating: "x", count: 200))\"}\n"
      let file = try folder.file("x.ndjson", String(repeating: line, count: 10_000))
      let size = line.utf8.count * 10_000
      // The pipe is full until the file has changed, so the tool waits in the middle of it.
      let result = try shell(
        """
        exec 3<&1
        { "$JSIFT" records --expect-size \(size) --summary counts -j \(jobs) '\(file)'; echo $? > status; } | {
          head -c 1000 > /dev/null; \(Self.changes[change] ?? ""); cat > /dev/null; }
        cat status; ls counts 2>/dev/null
        """, in: folder)
      // A file that another one replaced is still the one that was opened.
      let isUnchanged = change == "replace"
      let isRestored = change == "shorten and restore"
      if isUnchanged {
        #expect(result.text == "0\ncounts\n", "\(result)")
      } else {
        // If all of the file was in memory already, a file with the expected size was read.
        #expect(result.text == "2\n" || isRestored && result.text == "0\ncounts\n", "\(result)")
      }
    }
  }

  // MARK: The summary

  /// Returns the value of a member of a summary.
  private static func number(_ name: String, in summary: String) throws -> Int {
    let match = try Regex("\"\(name)\":([0-9]+)").firstMatch(in: summary)
    return Int(match?.output[1].substring ?? "") ?? -1
  }

  @Test(arguments: ["1", "2"])
  func `a complete run writes its counts`(jobs: String) throws {
    try withFolder { folder in
      let file = try Self.file(folder)
      let counts = folder.path("counts")
      let commands: [([String], String)] = [
        (
          ["records"],
          "\"bytes\":29,\"lineFeeds\":5,\"records\":4,\"results\":3,\"rejects\":1,\"ruledOut\":0,\"status\":0"
        ),
        (["$.b"], "\"bytes\":29,\"lineFeeds\":5,\"records\":4,\"results\":0,\"rejects\":1,\"ruledOut\":0,\"status\":1"),
        (
          ["records", "--count", "--range", "1-16"],
          "\"range\":[1,16],\"bytes\":8,\"lineFeeds\":1,\"records\":1,\"results\":1,\"rejects\":0,\"ruledOut\":0,\"status\":0"
        ),
        (
          ["check", "--range", "16-"],
          "\"range\":[16,null],\"bytes\":13,\"lineFeeds\":3,\"records\":2,\"results\":1,\"rejects\":1,\"ruledOut\":0,\"status\":1"
        ),
      ]
      for (command, members) in commands {
        #expect(try run(command + ["-j", jobs, "--summary", counts, file]).status < 2)
        #expect(try folder.cut(folder.text("counts")) == "{\"files\":[\"x.ndjson\"],\(members)}\n")
        let shown = try run(command + ["-j", jobs, "--summary", "-", file])
        #expect(folder.cut(shown.err).hasSuffix("{\"files\":[\"x.ndjson\"],\(members)}\n"))
      }
      let two = try run(["records", "--count", "--summary", "-", file, file, "-"], stdin: "5")
      #expect(
        two.err.hasSuffix(
          "\"bytes\":59,\"lineFeeds\":10,\"records\":9,\"results\":7,\"rejects\":2,\"ruledOut\":0,\"status\":0}\n"))
    }
  }

  @Test func `sums of the counts over splits are the counts of one run`() throws {
    try withFolder { folder in
      let lines = (0..<3000).map { line in
        line % 50 == 7 ? "{\"id\":\(line),}\n" : line % 50 < 5 ? " \n" : "{\"id\":\(line),\"ms\":\(line % 97)}\r\n"
      }
      let file = try folder.file("x.ndjson", lines.joined())
      let names = ["bytes", "lineFeeds", "records", "results", "rejects"]
      for command in [
        ["records"], ["$.ms"], ["records", "--where", "@.ms == 5", "--rejects", folder.path("r")], ["check"],
      ] {
        let whole = try run(command + ["--summary", "-", file]).err
        for count in [2, 7] {
          var sums = names.map { _ in 0 }
          for number in 1...count {
            let part = try run(command + ["--summary", "-", "--split", "\(number)/\(count)", file]).err
            for (index, name) in names.enumerated() { sums[index] += try Self.number(name, in: part) }
          }
          #expect(sums == (try names.map { try Self.number($0, in: whole) }), "\(command)")
        }
      }
    }
  }

  @Test(arguments: [
    "records --range 0-99 x.ndjson", "records missing", "records --on-error stop x.ndjson",
    "records --max-errors 0 x.ndjson", "records -o /missing/file x.ndjson", "records --expect-size 3 x.ndjson",
    "records x.ndjson > /dev/full", "records --format arrow --select a='$.a' x.ndjson > /dev/full",
    "records --input json x.ndjson",
  ])
  func `a run that fails leaves no summary, not even an earlier one`(arguments: String) throws {
    guard !arguments.contains("/dev/full") || FileManager.default.fileExists(atPath: "/dev/full") else { return }
    try withFolder { folder in
      _ = try Self.file(folder)
      _ = try folder.file("counts", "{}")
      let command = arguments.replacing(" > /dev/full", with: "")
      let output = command == arguments ? "/dev/null" : "/dev/full"
      let result = try shell("\"$JSIFT\" \(command) --summary counts > \(output); echo $?; ls", in: folder)
      #expect(result.text == "2\nx.ndjson\n", "\(result)")
    }
  }

  @Test func `a run that is killed or loses its reader leaves no summary`() throws {
    try withFolder { folder in
      _ = try folder.file("x.ndjson", String(repeating: "{\"a\":\"0123456789\"}\n", count: 20_000))
      for signal in ["KILL", "TERM"] {
        let killed = try shell(
          "{ cat x.ndjson; kill -\(signal) $(cat pid); sleep 1; } | { sh -c 'echo $$ > pid; exec \"$JSIFT\" records --summary counts' > out; }; ls",
          in: folder)
        #expect(!killed.text.contains("counts"), "\(killed)")
      }
      let cut = try shell("\"$JSIFT\" records --summary counts x.ndjson | head -n 1; ls", in: folder)
      #expect(!cut.text.contains("counts"), "\(cut)")
    }
  }

  @Test func `a summary that cannot be written is an error`() throws {
    try withFolder { folder in
      let file = try Self.file(folder)
      let missing = try run(["records", "--summary", "/missing/counts", file])
      #expect(missing.err == "jsift: /missing/counts: No such file or directory\n")
      let input = try run(["records", "--summary", file, file])
      #expect(folder.cut(input.err) == "jsift: --summary x.ndjson: expected a file that is not an input\n")
      let output = try run(["records", "-o", folder.path("out"), "--summary", folder.path("out"), file])
      #expect(folder.cut(output.err) == "jsift: --summary out: expected a file other than the other output files\n")
      let limited = try run(["records", "--limit", "1", "--summary", "-", file])
      #expect(limited.err == "jsift: --summary counts the whole input; use it without --limit\n")
      let followed = try run(["records", "--follow", "--summary", "-", file])
      #expect(followed.err == "jsift: --summary counts the whole input; use it without --follow\n")
      let unnamed = try run(["records", "--summary", "", file])
      #expect(unnamed.err == "jsift: --summary '': expected a file name, found an empty string\n")
      for result in [missing, input, output, limited, followed, unnamed] { #expect(result.status == 2) }
      #expect(try folder.text("x.ndjson") == Self.text)
    }
  }

  @Test func `a summary keeps links, and is written into a FIFO`() throws {
    try withFolder { folder in
      _ = try Self.file(folder, "1\n")
      _ = try folder.file("old", "{}")
      let linked = try shell(
        "ln -s old link; \"$JSIFT\" records --summary link missing; ls; \"$JSIFT\" records --summary link x.ndjson; "
          + "test -L link && cat old", in: folder)
      let counts =
        #"{"files":["x.ndjson"],"bytes":2,"lineFeeds":1,"records":1,"results":1,"rejects":0,"ruledOut":0,"status":0}"#
      #expect(linked.text == "link\nx.ndjson\n1\n\(counts)\n", "\(linked)")
      _ = try folder.fifo("fifo")
      let piped = try shell("cat fifo & \"$JSIFT\" records --summary fifo x.ndjson > out; wait", in: folder)
      #expect(piped.text == counts + "\n", "\(piped)")
      #expect(try shell("\"$JSIFT\" records --summary . x.ndjson; echo $?", in: folder).text == "2\n")
      let errors = try shell("\"$JSIFT\" records --summary /dev/stderr x.ndjson 2> errors; cat errors", in: folder)
      #expect(
        errors.text == "jsift: --summary /dev/stderr: expected a file other than standard output and error; '-' is "
          + "standard error\n")
    }
  }

  // MARK: A reader that has gone

  @Test(arguments: ["1", "2"])
  func `a run that finds nothing ends when the reader of its output has gone`(jobs: String) throws {
    // The producer and therefore this command line end only if the tool ends.
    let result = try shell(
      "yes '{\"a\":1}' | { \"$JSIFT\" records --where '@.a == \"never\"' -j \(jobs) --input ndjson; echo \"status $?\" >&2; } | true"
    )
    #expect(result.err == "status 0\n")
    #expect(result.text.isEmpty)
  }
}
