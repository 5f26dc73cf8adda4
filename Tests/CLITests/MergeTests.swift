import Foundation
import TestSupport
import Testing

/// `jsift merge`, and the times that are found without `--time`.
@Suite struct MergeTests {
  private static let first = """
    {"ts":"2026-11-24T10:00:01Z","m":"a1"}
    {"m":"a2"}
    {"ts":"2026-11-24T10:00:03Z","m":"a3"}
    {"bad" 1}
    {"ts":"2026-11-24T10:00:02Z","m":"a5"}

    """
  private static let second = #"{"time":1795514401,"m":"b1"}"# + "\n" + #"{"t":"no","date":1795514402.5,"m":"b2"}"#
  private static let note =
    "jsift: the time of a record is the first one at ts, time, timestamp, @timestamp, t or date; --time names another path\n"
  private static let bad = """
    jsift: a.log:4:8: expected ':' after a key, found a digit (byte 96)
      4 | {"bad" 1}
        |        ^
    jsift: 1 bad record was skipped; --on-error stop ends at the first

    """

  private func withLogs(_ body: (Folder) throws -> Void) throws {
    try withFolder { folder in
      _ = try (folder.file("a.log", Self.first), folder.file("b.log", Self.second))
      try body(folder)
    }
  }

  private func names(_ result: Outcome) -> String {
    result.lines.compactMap { $0.split(separator: "\"m\":\"").last?.prefix(2) }.joined(separator: " ")
  }

  @Test func `records are written in the order of time, and what is late is counted`() throws {
    try withLogs { folder in
      let merged = try shell("$JSIFT merge a.log b.log", in: folder)
      #expect(names(merged) == "a1 a2 b1 b2 a3 a5")
      let late =
        "jsift: 1 record was too late, and written when read; first: a.log, line 5, 2026-11-24T10:00:02Z after "
        + "2026-11-24T10:00:03Z; a larger --slack puts it in order\n"
      merged.expect(err: Self.note + Self.bad + late, status: 0)
      let sorted = try shell(
        "$JSIFT merge --slack 1s --time '$.ts' --time '$.date' --time '$.time' b.log a.log", in: folder)
      #expect(names(sorted) == "b1 a1 a2 a5 b2 a3")
      sorted.expect(err: Self.bad, status: 0)
      let stopped = try shell("$JSIFT merge --on-error stop b.log a.log", in: folder)
      #expect(names(stopped) == "b1 a1 a2 b2 a3")
      #expect(stopped.status == 2 && stopped.err.contains("a.log:4:8: expected ':'"))
      let atLate = try shell("grep -v bad a.log > c.log; $JSIFT merge --on-error stop b.log c.log", in: folder)
      #expect(names(atLate) == "b1 a1 a2 b2 a3")
      atLate.expect(
        err: Self.note
          + "jsift: c.log:4:1: expected a time from 2026-11-24T10:00:03Z on, found 2026-11-24T10:00:02Z, which "
          + "needs a larger slack (byte 89)\n", status: 2)
    }
  }

  @Test func `conditions, columns, locations, windows, limits and rejects are those of records`() throws {
    try withLogs { folder in
      func merge(_ options: String) throws -> Outcome {
        try shell("$JSIFT merge \(options) a.log b.log 2>err; s=$?; exit $s", in: folder)
      }
      try merge("--with-location --where '@.m == \"b2\"'").expect(
        text: #"{"file":"b.log","line":2,"byteOffset":29,"value":{"t":"no","date":1795514402.5,"m":"b2"}}"# + "\n",
        status: 0)
      try merge("--select m='$.m' --format csv --with-location --limit 4").expect(
        text: "file,line,byteOffset,m\na.log,1,0,a1\na.log,2,39,a2\nb.log,1,0,b1\nb.log,2,29,b2\n")
      try merge("--since 2026-11-24T10:00:02Z --until 2026-11-24T10:00:03Z --select m='$.m'").expect(
        text: "{\"m\":\"b2\"}\n{\"m\":\"a5\"}\n", status: 0)
      #expect(
        try folder.text("err").contains(
          "1 record has no time at ts, time, timestamp, @timestamp, t or date; first: no value"))
      try merge("--count").expect(text: "6\n", status: 0)
      _ = try merge("--rejects bad --summary sum")
      #expect(
        try folder.text("bad").hasPrefix(#"{"file":"a.log","line":4,"offset":96,"#)
          || folder.text("bad").contains("\"a.log\""))
      #expect(try folder.text("sum").contains(#""files":["a.log","b.log"],"bytes":"#))
      #expect(try folder.text("sum").contains(#""records":7,"results":6,"rejects":1,"#))
      try merge("--rejects-inline bad --select m='$.m' --limit 5").expect(
        text: #"{"m":"a1"}|{"m":"a2"}|{"m":"b1"}|{"m":"b2"}|{"m":"a3"}|"#.replacing("|", with: "\n"))
      try merge("--where '@.m == \"none\"'").expect(text: "", status: 1)
    }
  }

  @Test func `pipes, compressed files and standard input are merged, and a missing file does not end the run`() throws {
    try withLogs { folder in
      let command = "gzip a.log; mkfifo pipe; { sleep 0.2; cat b.log; } > pipe & $JSIFT merge a.log.gz pipe none"
      let result = try shell(command, in: folder)
      #expect(names(result) == "a1 a2 b1 b2 a3 a5")
      #expect(result.status == 2 && result.err.contains("jsift: none: the input cannot be read: No such file"))
      #expect(names(try shell("cat b.log | $JSIFT merge a.log.gz -", in: folder)) == "a1 a2 b1 b2 a3 a5")
      let truncated = try shell("head -c 40 a.log.gz > cut.gz; $JSIFT merge cut.gz b.log", in: folder)
      #expect(truncated.status == 2 && truncated.err.contains("cut.gz: "))
    }
  }

  @Test func `a record of a pipe is written before the next one has arrived`() throws {
    try withFolder { folder in
      _ = try folder.file("b.log", "{\"ts\":1}\n{\"ts\":3}\n")
      let command =
        "mkfifo pipe out; { echo '{\"ts\":2}'; read line < go; echo '{\"ts\":4}'; } > pipe & mkfifo go\n"
        + "$JSIFT merge pipe b.log > out 2>/dev/null & exec 3<out; read one <&3; read two <&3; echo \"$one $two\"; echo > go; cat <&3"
      try shell("mkfifo go; " + command.replacing(" & mkfifo go\n", with: " &\n"), in: folder).expect(
        text: "{\"ts\":1} {\"ts\":2}\n{\"ts\":3}\n{\"ts\":4}\n", status: 0)
    }
  }

  @Test func `of short records --max-slack-bytes also limits the memory for their places`() throws {
    try withFolder { folder in
      // 2 MB of text, and 10 MB for the places.
      let short = (0..<6000).map { "{\"ts\":\(1_000_000 + $0 % 7)}\n" }.joined()
      _ = try folder.file("short.log", String(repeating: short, count: 20))
      for (bytes, isLate) in [(4 << 20, true), (16 << 20, false)] {
        let result = try shell(
          "$JSIFT merge --slack 1h --max-slack-bytes \(bytes) short.log 2>&1 >/dev/null", in: folder)
        #expect(result.text.contains("too late") == isLate, "\(bytes)")
      }
    }
  }

  @Test func `an explanation names the times and what --slack holds back`() throws {
    let explained = try shell("$JSIFT merge --explain --slack 5s --time '$.a' --time '$.b' --max-slack-bytes 1000 a b")
      .text
    #expect(
      explained.contains("merge     of all files, by the time at $.a, $.b; of equal times in the order of the files\n"))
    #expect(explained.contains("          --slack 5s holds back records of at most 1000 bytes, with 80 for each\n"))
    #expect(try !shell("$JSIFT merge --explain a b").text.contains("holds back"))
  }

  @Test func `a window is searched for in each sorted file`() throws {
    try withFolder { folder in
      for name in ["a", "b", "c"] {
        let lines = (0..<40_000).map { "{\"ts\":\(1_000_000 + $0),\"m\":\"\(name)\"}\n" }
        _ = try folder.file("\(name).log", lines.joined())
      }
      let window = "--time '$.ts' --since 1020000 --until 1020002"
      let expected = (0..<2).flatMap { second in
        ["a", "b", "c"].map { "{\"ts\":\(1_020_000 + second),\"m\":\"\($0)\"}\n" }
      }
      for options in ["", "--sorted", "--sorted --slack 2s"] {
        let result = try shell("gzip -kf c.log; $JSIFT merge \(options) \(window) a.log b.log c.log.gz", in: folder)
        result.expect(text: expected.joined(), status: 0)
      }
      let summary = try shell("$JSIFT merge --sorted \(window) --summary - a.log b.log", in: folder)
      let bytes = summary.err.split(separator: "\"bytes\":").last.flatMap { Int($0.prefix { $0.isNumber }) }
      #expect(try #require(bytes) < 500_000)
    }
  }

  private static let invalid: [(String, String)] = [
    ("--format arrow", "merge writes text; pipe it to jsift records --format arrow"),
    (
      "--input json",
      "merge: expected files that are read from their starts, of one record on each line, found --input json"
    ),
    (
      "--join cri",
      "merge: expected files that are read from their starts, of one record on each line, found --join cri"
    ),
    ("--slack 5", "--slack '5': expected a length of time such as 500ms, 5s, 2m, 1h30m or 3d"),
    ("--max-slack-bytes 0", "--max-slack-bytes takes a number of at least 1, not 0"),
    ("--time '$..t'", "--time '$..t': expected a path of one value, with names and indexes only, such as $.time"),
  ]

  @Test(arguments: invalid)
  func `options that have no meaning for a merge are rejected`(options: String, message: String) throws {
    let result = try shell("$JSIFT merge \(options) a.log")
    #expect(result.err.hasPrefix("jsift: \(message)\n"))
    #expect(result.status == 2)
  }

  @Test func `a document, a wrong order of rotated files and a low limit of open files have messages`() throws {
    try withLogs { folder in
      let document = try shell("printf '{\\n\"a\": 1\\n}\\n' > d.json; $JSIFT merge b.log d.json", in: folder)
      #expect(
        document.status == 2 && document.err.contains("d.json: ")
          && document.err.contains("expected records that are lines"))
      let rotated = try shell("cp a.log b.log.1; $JSIFT merge b.log b.log.1", in: folder)
      #expect(rotated.err.contains("jsift: b.log stands before b.log.1, which is older: of equal times"))
      #expect(try !shell("$JSIFT merge b.log.1 b.log", in: folder).err.contains("older"))
      let limited = try shell("files=$(yes b.log | head -n 9); ulimit -n 24; $JSIFT merge $files", in: folder)
      #expect(
        limited.status == 2
          && limited.err.contains("expected at most 8 files, found 9, because of the limit of open files"))
      #expect(
        try shell("files=$(yes b.log | head -n 60); ulimit -Sn 24; $JSIFT merge $files", in: folder).lines.count == 120)
    }
  }

  @Test func `the first path at which a record has a time counts, for every command with a window`() throws {
    try withLogs { folder in
      let window = "--since 2026-11-24T10:00:02Z a.log b.log"
      let records = try shell("$JSIFT records \(window)", in: folder)
      #expect(
        names(records) == "a3 a5 b2" && records.err.hasPrefix(Self.note)
          && records.err.components(separatedBy: Self.note).count == 2)
      #expect(try shell("$JSIFT '$.m' \(window)", in: folder).text == "\"a3\"\n\"a5\"\n\"b2\"\n")
      #expect(try shell("$JSIFT stats --by m='$.m' \(window)", in: folder).lines.count == 3)
      #expect(try shell("$JSIFT shape \(window)", in: folder).lines.first?.contains("\"count\":3") == true)
      let several = try shell("$JSIFT records --time '$.none' --time '$.date' --time '$.ts' \(window)", in: folder)
      #expect(names(several) == "a3 a5 b2" && !several.err.contains("the time of a record is"))
      #expect(
        try shell("$JSIFT records --prefilter never --time '$.ts' --time '$.date' \(window)", in: folder).text
          == several.text)
    }
  }
}
