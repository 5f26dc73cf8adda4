import Foundation
import TestSupport
import Testing

/// `jsift merge --follow`.
@Suite struct MergeFollowTests {
  /// Runs commands beside `jsift merge --follow OPTIONS`, ends it by a signal, and returns its status, its output and its messages.
  private func follow(
    _ options: String, in folder: Folder, _ commands: String
  ) throws -> (status: String?, lines: [String], err: String) {
    let script = """
      lines() { while [ "$(wc -l <out)" -lt $1 ]; do sleep 0.05; done; }
      : >out
      "$JSIFT" merge --follow --time '$.t' \(options) >>out 2>err & child=$!
      \(commands)
      kill -TERM $child; wait $child; echo $?; cat out
      """
    let result = try shell(script, in: folder)
    return (result.lines.first, Array(result.lines.dropFirst()), try folder.text("err"))
  }

  @Test func `what the files have is written in the order of time, and a new record waits for earlier ones`() throws {
    try withFolder { folder in
      _ = try (folder.file("a.log", "{\"t\":1}\n{\"t\":4}\n"), folder.file("b.log", "{\"t\":2}\n{\"t\":3}\n"))
      let result = try follow(
        "--wait 1h a.log b.log", in: folder,
        """
        lines 3
        echo '{"t":8}' >>a.log; sleep 0.6; echo '{"t":5}' >>b.log
        lines 5
        echo '{"t":6}' >>b.log
        lines 6
        cp out before
        """)
      #expect(result.status == "0" && result.lines == [1, 2, 3, 4, 5, 6, 8].map { "{\"t\":\($0)}" })
      #expect(result.err == "")
      #expect(try folder.text("before").split(separator: "\n").count == 6)
    }
  }

  @Test func `after the wait the others go on, and a record that comes later is written when it is read`() throws {
    try withFolder { folder in
      _ = try (folder.file("a.log", "{\"t\":10}\n{\"t\":20}\n"), folder.file("b.log", "{\"t\":11}\n"))
      let commands = """
        lines 3
        printf '{"t":5}\\n{"m":"same place"}\\n{"t":21}\\n' >>b.log
        lines 6
        """
      let result = try follow("--wait 200ms a.log b.log", in: folder, commands)
      #expect(
        result.lines == ["{\"t\":10}", "{\"t\":11}", "{\"t\":20}", "{\"t\":5}", "{\"m\":\"same place\"}", "{\"t\":21}"])
      #expect(
        result.err
          == "jsift: 1 record was too late, and written when read; first: b.log, line 2, 1970-01-01T00:00:05Z after "
          + "1970-01-01T00:00:20Z; a larger --slack or --wait puts it in order\n")
      #expect(result.status == "0")
      _ = try folder.file("b.log", "{\"t\":11}\n")
      let stopped = try shell(
        """
        : >out; "$JSIFT" merge --follow --wait 0s --on-error stop --time '$.t' a.log b.log >>out 2>err & child=$!
        while [ "$(wc -l <out)" -lt 3 ]; do sleep 0.05; done
        echo '{"t":5}' >>b.log; wait $child; echo $?; wc -l <out; cat err
        """, in: folder)
      stopped.expect(
        text: """
          2
          3
          jsift: b.log:2:1: expected a time from 1970-01-01T00:00:20Z on, found 1970-01-01T00:00:05Z, which needs a larger \
          slack (byte 9)

          """)
    }
  }

  @Test func `files are followed through rotation and truncation, and those that come later`() throws {
    try withFolder { folder in
      _ = try (folder.file("a.log", "{\"t\":1}\n"), folder.file("b.log", "{\"t\":2}\n"))
      let result = try follow(
        "--wait 100ms --with-location '*.log'", in: folder,
        """
        lines 2
        echo '{"t":3}' >>a.log; mv a.log a.1; echo '{"t":4}' >a.log
        lines 4
        : >b.log; sleep 0.6; echo '{"t":5}' >>b.log
        lines 5
        printf '{"t":6}\\nx\\n{"t":7}' >c.log
        lines 6
        """)
      let places = [
        ("a", 1, 0, 1), ("b", 1, 0, 2), ("a", 2, 8, 3), ("a", 1, 0, 4), ("b", 1, 0, 5), ("c", 1, 0, 6), ("c", 3, 10, 7),
      ]
      #expect(
        result.lines
          == places.map { "{\"file\":\"\($0).log\",\"line\":\($1),\"byteOffset\":\($2),\"value\":{\"t\":\($3)}}" })
      #expect(result.status == "0" && result.err.hasPrefix("jsift: c.log:2:1: "))
    }
  }

  @Test func `a slack holds records back for their place in the file, and no longer than the wait`() throws {
    try withFolder { folder in
      _ = try (folder.file("a.log", "{\"t\":9}\n{\"t\":7}\n{\"t\":8}\n"), folder.file("b.log", "{\"t\":6}\n"))
      let result = try follow(
        "--wait 300ms --slack 10s a.log b.log", in: folder, "lines 4; echo '{\"t\":1}' >>b.log; lines 5")
      #expect(result.lines == [6, 7, 8, 9, 1].map { "{\"t\":\($0)}" })
      #expect(result.err.contains("1 record was too late"))
    }
  }

  @Test func `one file is followed, and a limit ends the run`() throws {
    try withFolder { folder in
      _ = try folder.file("a.log", "{\"t\":9}\n{\"t\":7}\n{\"t\":8}\n")
      try shell("$JSIFT merge --follow --time '$.t' --slack 3s --limit 2 a.log", in: folder)
        .expect(text: "{\"t\":7}\n{\"t\":8}\n", err: "", status: 0)
      for (options, reason) in [
        ("--wait 1s a.log", "--wait is for --follow; use both"),
        ("--follow --sorted --since 1970 a.log", "--follow reads files as they grow; use it without --sorted"),
        ("--follow --wait soon a.log", "--wait 'soon': expected a length of time"),
        ("--follow -", "--follow: expected a named file"),
        ("--follow --input json a.log", "of one record on each line, found --input json"),
      ] {
        let outcome = try shell("$JSIFT merge --time '$.t' \(options)", in: folder)
        #expect(outcome.status != 0 && outcome.text == "" && outcome.err.contains(reason), "\(outcome.err)")
      }
    }
  }

  @Test func `a backlog of one file does not wait for the others`() throws {
    try withFolder { folder in
      _ = try folder.file("a.log", (0..<200_000).map { "{\"t\":\($0)}\n" }.joined())
      _ = try folder.file("b.log", "{\"t\":5}\n")
      let written = try follow("--wait 1s a.log b.log", in: folder, "lines 200001")
      #expect(written.lines.count == 200_001 && written.err == "")
    }
  }

  @Test func `whatever is written and rotated, all records are written in order if none is late`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<3 {
      try withFolder { folder in
        var script = ""
        var next = 0
        // A file that is found later is not waited for.
        for name in ["a.log", "b.log", "c.log"] { _ = try folder.file(name, "") }
        for round in 0..<25 {
          let name = random.pick(["a.log", "b.log", "c.log"])
          switch random.below(6) {
          case 0: script += "sleep 0.\(random.below(4))\n"
          case 1: script += "[ -e \(name) ] && mv \(name) \(name).\(round)\n"
          default:
            let count = random.pick([1, 2, 3, 5000])
            script += "seq \(next) \(next + count - 1) | sed 's/.*/{\"t\":&}/' >>\(name)\n"
            next += count
          }
        }
        let early = random.below(2) == 0
        if early { _ = try shell(script, in: folder) }
        let result = try follow("--wait 1h '*.log*'", in: folder, early ? "sleep 0.5" : script + "sleep 0.8")
        let isInOrder = result.lines == (0..<next).map { "{\"t\":\($0)}" }
        #expect(isInOrder, "\(result.lines.count) of \(next) \(random)\n\(script)")
        #expect(result.err == "", "\(random)")
      }
    }
  }
}
