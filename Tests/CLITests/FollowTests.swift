import Foundation
import TestSupport
import Testing

/// `--follow` with several files, and with patterns.
@Suite struct FollowTests {
  private static func append(_ text: String, to path: String) throws {
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  private static func rename(_ path: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: path, toPath: other)
  }

  private static func end(_ tool: Child, status: Int32 = 0) {
    tool.send(signal: SIGTERM)
    #expect(tool.finish() == status)
  }

  /// The new lines of the output, once there are `count` of all.
  private static func last(_ number: Int, of count: Int, _ tool: Child) -> Set<String> {
    Set(tool.lines(count).suffix(number))
  }

  @Test(arguments: [["records"], ["$"]])
  func `several files are followed while they grow and are replaced`(command: [String]) throws {
    try withFolder { folder in
      let a = try folder.file("a.log", "[\"a\",1]\n")
      let b = folder.path("b.log")
      let c = try folder.file("c.log", "[\"c\",1]\n[\"c\"")
      let tool = try Tool.start(command + ["--follow", a, b, c])
      #expect(Self.last(2, of: 2, tool) == ["[\"a\",1]", "[\"c\",1]"])
      // Of the same file, a line that is complete later; of another one, which did not exist.
      try Self.append(",2]\n", to: c)
      _ = try folder.file("b.log", "[\"b\",1]\n")
      #expect(Self.last(2, of: 4, tool) == ["[\"b\",1]", "[\"c\",2]"])
      // Rotated: the last lines of the old file, then the new file from its start.
      try Self.rename(a, to: a + ".1")
      try Self.append("[\"a\",2]\n", to: a + ".1")
      _ = try folder.file("a.log", "[\"a\",3]\n")
      #expect(tool.lines(6).suffix(2) == ["[\"a\",2]", "[\"a\",3]"])
      // Truncated, and written again.
      try Data().write(to: URL(fileURLWithPath: folder.path("empty")))
      _ = try shell("cp c.log c.log.1; : >c.log; echo 3 >>c.log", in: folder)
      #expect(tool.lines(7).last == "3")
      // Replaced by another file.
      _ = try shell("echo 4 >new; mv new c.log", in: folder)
      #expect(tool.lines(8).last == "4")
      // Removed; another file has the name later.
      try FileManager.default.removeItem(atPath: b)
      Child.rest()
      _ = try folder.file("b.log", "5\n")
      #expect(tool.lines(9).last == "5")
      Self.end(tool)
      #expect(
        folder.cut(String(decoding: tool.err, as: UTF8.self))
          == "jsift: b.log: there is no such file yet; it is read when there is one\n")
    }
  }

  @Test func `a pattern is looked at again, also in new folders`() throws {
    try withFolder { folder in
      let tool = try Tool.start(["records", "--follow", folder.path("logs/**/*.jsonl")])
      Child.rest()
      _ = try shell("mkdir -p logs/x; echo 1 >logs/x/a.jsonl; echo 0 >logs/x/a.txt", in: folder)
      #expect(tool.lines(1) == ["1"])
      _ = try shell("echo 2 >logs/b.jsonl", in: folder)
      #expect(tool.lines(2).last == "2")
      // A file is known by its identity: it is not read again under another name that the pattern selects.
      _ = try shell("mv logs/b.jsonl logs/b-1.jsonl; echo 3 >logs/b.jsonl; echo 4 >>logs/b-1.jsonl", in: folder)
      #expect(Self.last(2, of: 4, tool) == ["3", "4"])
      _ = try shell(
        "mv logs/b-1.jsonl logs/b-2.jsonl; mv logs/b.jsonl logs/b-1.jsonl; echo 5 >logs/b.jsonl", in: folder)
      #expect(tool.lines(5).last == "5")
      _ = try shell("rm logs/b.jsonl; echo 6 >>logs/b-2.jsonl", in: folder)
      #expect(tool.lines(6).last == "6")
      Self.end(tool)
      #expect(tool.out == Array("1\n2\n".utf8) + tool.out.dropFirst(4) && tool.out.count == 12)
    }
  }

  @Test func `a file with wildcards in its name is one file, and an escaped wildcard is none`() throws {
    try withFolder { folder in
      let file = try folder.file("a[1].log", "1\n")
      _ = try folder.file("a1.log", "2\n")
      let tool = try Tool.start(["records", "--follow", file])
      #expect(tool.lines(1) == ["1"])
      Self.end(tool)
      #expect(tool.out == Array("1\n".utf8))
    }
  }

  @Test func `a location names the file with its line and offset, also after a rotation`() throws {
    try withFolder { folder in
      let a = try folder.file("a.log", "\n{\"a\":1}\n")
      _ = try folder.file("b.log", "{\"b\":1}\n")
      let tool = try Tool.start(["$.*", "--follow", "--with-location", a, folder.path("b*")])
      _ = tool.lines(2)
      try Self.append("{\"a\":2}\n", to: a)
      _ = tool.lines(3)
      try Self.rename(a, to: a + ".1")
      _ = try folder.file("a.log", "{\"a\":3}\n")
      _ = tool.lines(4)
      try Self.rename(folder.path("b.log"), to: folder.path("b2.log"))
      try Self.append("{\"b\":2}\n", to: folder.path("b2.log"))
      _ = tool.lines(5)
      Self.end(tool)
      let lines = folder.cut(String(decoding: tool.out, as: UTF8.self)).split(separator: "\n").map(String.init)
      let place = #"{"file":"%@","line":%d,"byteOffset":%d,"path":"$['%@']","value":%d}"#
      let found = [("a.log", 2, 6, "a", 1), ("b.log", 1, 5, "b", 1)].map {
        String(format: place, $0.0, $0.1, $0.2, $0.3, $0.4)
      }
      #expect(Set(lines.prefix(2)) == Set(found))
      #expect(
        Array(lines.dropFirst(2))
          == [("a.log", 3, 14, "a", 2), ("a.log", 1, 5, "a", 3), ("b2.log", 2, 13, "b", 2)].map {
            String(format: place, $0.0, $0.1, $0.2, $0.3, $0.4)
          })
    }
  }

  @Test func `bad records name their file, and are counted over all files`() throws {
    try withFolder { folder in
      let long = "\"" + String(repeating: "x", count: 300_000) + "\"\n"
      _ = try (folder.file("a.log", "1\nx\n2\n"), folder.file("b.log", "3\ny\n" + long + "4\n"))
      let script = """
        : >out
        "$JSIFT" records --follow --rejects bad --max-record-bytes 200000 '*.log' >>out 2>err & child=$!
        while [ "$(wc -l <out)" -lt 4 ]; do sleep 0.05; done
        kill -TERM $child; wait $child; echo $?; sort out; grep -o '^jsift: .*' err
        sed 's/"raw.*//' bad | sort
        """
      let lines = try shell(script, in: folder).lines
      #expect(lines.prefix(5) == ["0", "1", "2", "3", "4"])
      #expect(
        Set(lines.dropFirst(5).prefix(3).map { String($0.prefix(16)) }) == [
          "jsift: a.log:2:1", "jsift: b.log:2:1", "jsift: b.log:3:1",
        ])
      #expect(lines.contains("jsift: 3 bad records were skipped and written to bad; --on-error stop ends at the first"))
      #expect(
        lines.filter { $0.hasPrefix("{\"file\"") }.map { String($0.prefix(25)) } == [
          "{\"file\":\"a.log\",\"line\":2,", "{\"file\":\"b.log\",\"line\":2,", "{\"file\":\"b.log\",\"line\":3,",
        ])
      try shell("\"$JSIFT\" records --follow --max-errors 1 '*.log'", in: folder).expect(status: 2)
      try shell("\"$JSIFT\" records --follow --on-error stop '*.log'", in: folder).expect(text: "1\n", status: 2)
    }
  }

  @Test func `a limit, a condition and columns apply to the records of all files`() throws {
    try withFolder { folder in
      let lines = { (name: String) in (1...3).map { "{\"n\":\"\(name)\",\"i\":\($0)}\n" }.joined() }
      let a = try folder.file("a.log", lines("a"))
      let b = try folder.file("b.log", lines("b"))
      let limited = try run(["records", "--follow", "--limit", "5", a, b])
      #expect(limited.status == 0 && limited.lines.count == 5)
      let some = ["--where", "@.i > 1", "--select", "n=$.n", "--select", "i=$.i", "--format", "csv"]
      let table = try run(["records", "--follow", "--limit", "4"] + some + [a, b])
      #expect(table.lines == ["n,i", "a,2", "a,3", "b,2", "b,3"])
      // Records in the members of records.
      let nested = try run(["records", "--follow", "--each", "$", "--limit", "2", "--with-location", a, b])
      #expect(folder.cut(nested.lines.last ?? "") == "{\"file\":\"a.log\",\"line\":1,\"byteOffset\":13,\"value\":1}")
    }
  }

  @Test func `a file with several names is followed once`() throws {
    try withFolder { folder in
      let file = try folder.file("a.log", "1\n")
      _ = try shell("ln a.log b.log; ln -s a.log c.log", in: folder)
      let tool = try Tool.start(["records", "--follow", file, file, folder.path("b.log"), folder.path("*.log")])
      _ = tool.lines(1)
      try Self.append("2\n", to: file)
      #expect(tool.lines(2) == ["1", "2"])
      Self.end(tool)
      #expect(tool.out == Array("1\n2\n".utf8))
    }
  }

  @Test func `a signal ends following after all that was written was read, also lines without a line feed`() throws {
    try withFolder { folder in
      let script = """
        echo 1 >a.log; echo 2 >b.log
        : >out
        "$JSIFT" records --follow a.log b.log >>out & child=$!
        while [ "$(wc -l <out)" -lt 2 ]; do sleep 0.05; done
        printf '3\\n4' >>a.log; printf 5 >>b.log
        kill -TERM $child; wait $child; echo $?; sort out
        """
      try shell(script, in: folder).expect(text: "0\n1\n2\n3\n4\n5\n")
    }
  }

  @Test func `the output of the run is not followed`() throws {
    try withFolder { folder in
      let script = """
        : >all.log; echo 1 >a.log
        "$JSIFT" records --follow --rejects bad.log '*.log' >>all.log & child=$!
        while [ "$(wc -l <all.log)" -lt 1 ]; do sleep 0.05; done
        echo x >>a.log; echo 2 >>a.log
        while [ "$(wc -l <all.log)" -lt 2 ]; do sleep 0.05; done
        sleep 0.6; kill -TERM $child; wait $child; cat all.log
        """
      try shell(script, in: folder).expect(text: "1\n2\n")
    }
  }

  @Test func `a file that cannot be read is reported once, and the others are followed`() throws {
    try withFolder { folder in
      let a = try folder.file("a.log", "1\n")
      _ = try folder.file("b.log", [0x42, 0x5A, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
      let tool = try Tool.start(["records", "--follow", a, folder.path("b.*")])
      _ = tool.lines(1)
      Child.rest()
      try Self.append("2\n", to: a)
      #expect(tool.lines(2).last == "2")
      Self.end(tool, status: 2)
      let text = folder.cut(String(decoding: tool.err, as: UTF8.self))
      #expect(text.hasPrefix("jsift: b.log: ") && text.components(separatedBy: "b.log: ").count == 2)
    }
  }

  @Test func `what needs one file is rejected`() throws {
    let lines = "--follow: expected one file, or records on single lines, found several files and"
    for (arguments, reason) in [
      (["records"], "--follow: expected a named file; standard input is always read as it arrives"),
      (["records", "a", "-"], "--follow: expected a named file; standard input is always read as it arrives"),
      (["records", "--input", "json", "a", "b"], "\(lines) --input json"),
      (["records", "--input", "mixed", "a", "b"], "\(lines) --input mixed"),
      (["records", "--join", "cri", "*.no-such-file"], "\(lines) --join cri"),
      (["records", "--where", "@.a", "-C", "1", "a", "b"], "\(lines) -A, -B or -C"),
      (["records", "--from-offset", "1", "a", "b"], "--from-offset: expected one file, found 2"),
    ] { try run(arguments + ["--follow"], stdin: "1\n").expect(err: "jsift: \(reason)\n", status: 2) }
  }

  #if os(Linux)
    @Test func `many files that come and go need as many descriptors as there are files, and one thread`() throws {
      try withFolder { folder in
        let script = """
          : >out
          "$JSIFT" records --follow 'a*.log' >>out 2>err & child=$!
          for round in 1 2 3; do
            for i in 0 1 2 3 4 5 6 7 8 9; do echo $round$i >a$i.new; mv a$i.new a$i.log; done
            while [ "$(wc -l <out)" -lt ${round}0 ]; do sleep 0.05; done
          done
          sleep 1
          ls -l /proc/$child/fd | grep -c 'a[0-9].log'; ls /proc/$child/task | wc -l
          kill -TERM $child; wait $child; sort -n out | uniq | wc -l
          """
        try shell(script, in: folder).expect(text: "10\n1\n30\n")
      }
    }

    @Test func `with too few descriptors other files are followed, and the rest when some are gone`() throws {
      try withFolder { folder in
        let script = """
          ulimit -n 24
          : >out
          "$JSIFT" records --follow 'a*.log' >>out 2>err & child=$!
          sleep 0.3
          for i in 10 11 12 13 14 15 16 17 18 19 20 21; do echo $i >a$i.log; done
          while ! grep -q others err; do sleep 0.05; done
          sleep 0.5; wc -l <out >before
          for i in $(cat out); do rm a$i.log; done
          while [ "$(wc -l <out)" -lt 12 ]; do sleep 0.05; done
          kill -TERM $child; wait $child; echo $?; sort -n out | uniq | wc -l; grep -c others err
          [ "$(cat before)" -lt 12 ] && echo fewer
          """
        try shell(script, in: folder).expect(text: "2\n12\n1\nfewer\n")
      }
    }
  #endif
}
