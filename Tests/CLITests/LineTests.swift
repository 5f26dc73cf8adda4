import Foundation
import TestSupport
import Testing

/// `--line` and `--record` read the records that begin on some lines, or with some numbers. `LineSearchTests` compares many
/// of them.
@Suite struct LineTests {
  @Test(arguments: [
    ("--line", "1", []), ("--line", "2", []), ("--line", "3", [3]), ("--line", "2-5", [3, 5]), ("--line", "5-", [5]),
    ("--line", "1-9223372036854775807", [3, 5]), ("--record", "1", []), ("--record", "2", [3]),
    ("--record", "2-3", [3, 5]),
    ("--record", "1-2", [3]), ("--record", "3-", [5]), ("--record", "2-9223372036854775807", [3, 5]),
  ])
  func `lines and records are those of a run over all of the file`(option: String, argument: String, ids: [Int]) throws
  {
    try withFolder { folder in
      let file = try folder.file("a.log", "\n{\"id\":2,}\n{\"id\":3}\r\n \n{\"id\":5}\n\n")
      let found = try run(["$.id", "--with-location", option, argument, file])
      #expect(found.lines.count == ids.count && found.status == (ids.isEmpty ? 1 : 0))
      for (row, id) in zip(found.lines, ids) {
        #expect(row.contains("\"line\":\(id),") && row.hasSuffix("\"value\":\(id)}"), "\(row)")
      }
      let number = argument.split(separator: "-").first.flatMap { Int($0) } ?? 0
      let hasBad = option == "--line" ? number <= 2 && argument != "1" : number == 1
      #expect(found.err.contains("a.log:2:9: expected a key") == hasBad, "\(found.err)")
    }
  }

  @Test(arguments: [
    ("--line", "7", "expected line 7, found 6 lines"), ("--record", "4", "expected record 4, found 3 records"),
  ])
  func `a number beyond the file is rejected`(option: String, argument: String, message: String) throws {
    try withFolder { folder in
      for end in ["\n\n", "\n{\"id\":6}"] {
        let file = try folder.file("a.log", "\n{\"id\":2,}\n{\"id\":3}\r\n \n{\"id\":5}" + end)
        let isLonger = end.hasSuffix("}") && option == "--record"
        for index in [false, true] {
          if index { #expect(try run(["index", file]).status == 0) }
          let found = try run(["$.id", option, isLonger ? "5" : argument, file])
          #expect(found.status == 2)
          let expected = isLonger ? "expected record 5, found 4 records" : message
          #expect(folder.cut(found.err) == "jsift: \(option): a.log: \(expected)\n")
        }
      }
    }
  }

  @Test func `an index of an earlier state of the file is not used`() throws {
    try withFolder { folder in
      let text = (1...9000).map { "{\"id\":\($0),\"pad\":\"\(String(repeating: "x", count: 60))\"}\n" }.joined()
      let file = try folder.file("a.log", text)
      #expect(try run(["index", file]).status == 0)
      for option in ["--line", "--record"] {
        #expect(try run(["$.id", option, "8000-8001", file]).text == "8000\n8001\n")
      }
      // The lines begin at other offsets.
      try Data(("\n{\"id\":0,\"pad\":\"y\"}\n" + text).utf8).write(to: URL(fileURLWithPath: file))
      #expect(try run(["$.id", "--line", "8000", file]).text == "7998\n")
      #expect(try run(["$.id", "--record", "8000", file]).text == "7999\n")
    }
  }

  @Test(arguments: ["--line", "--record"])
  func `lines are counted from the block that the index knows`(option: String) throws {
    try withFolder { folder in
      let line = "{\"id\":1,\"pad\":\"\(String(repeating: "x", count: 984))\"}\n"
      let file = try folder.file("a.log", String(repeating: line, count: 8000))
      #expect(try run(["index", file]).status == 0)
      let bytes = """
        strace -f -e trace=pread64,read -o trace "$JSIFT" records --count \(option) 7000 a.log &&
        awk -F' = ' '/a.log|pread64/ { sum += $NF } END { print sum }' trace
        """
      guard try shell("command -v strace", in: folder).status == 0 else { return }
      let found = try shell(bytes, in: folder)
      let numbers = found.lines.compactMap { Int($0) }
      #expect(numbers.first == 1)
      // Without the index seven megabytes are read.
      #expect(numbers.last.map { $0 < 3 << 20 } == true, "\(found.text)\(found.err)")
    }
  }

  @Test(arguments: [
    (
      "--line 0",
      "jsift: --line takes a number or a range, counted from 1, such as 40, 40-60 or 40- (to the end), not '0'"
    ),
    (
      "--line 5-4",
      "jsift: --line takes a number or a range, counted from 1, such as 40, 40-60 or 40- (to the end), not '5-4'"
    ),
    (
      "--line x",
      "jsift: --line takes a number or a range, counted from 1, such as 40, 40-60 or 40- (to the end), not 'x'"
    ),
    (
      "--record 0",
      "jsift: --record takes a number or a range, counted from 1, such as 40, 40-60 or 40- (to the end), not '0'"
    ),
    ("--line 1 --record 1", "jsift: --line and --record both select records; use only one of them"),
    ("--record 1 --split 1/2", "jsift: --record and --split both select records; use only one of them"),
    ("--record 1 --follow", "jsift: --record reads a part of the file to its end; use it without --follow"),
    ("--line 1 --range 0-5", "jsift: --line and --range both select records; use only one of them"),
    ("--line 1 --split 1/2", "jsift: --line and --split both select records; use only one of them"),
    ("--line 1 --follow", "jsift: --line reads a part of the file to its end; use it without --follow"),
    ("--line 1 --input values", "jsift: --line: expected records that are lines, found --input values"),
    ("--line 1 --first-line 2", "jsift: --first-line is the line at which a range begins"),
    (
      "--line 1 --sorted --time $.t --since 0",
      "jsift: --line: expected a file that is read from its start, found --sorted"
    ),
    (
      "--record 1 --sorted --time $.t --since 0",
      "jsift: --record: expected a file that is read from its start, found --sorted"
    ),
  ])
  func `a wrong use of the option is rejected`(line: String, message: String) throws {
    try withFolder { folder in
      let file = try folder.file("a.log", "{\"id\":1}\n")
      let found = try run(["$.id", file] + words(line))
      #expect(found.status == 2)
      #expect(found.err.hasPrefix(message), "\(found.err)")
    }
  }

  #if os(Linux)
    @Test(arguments: ["--line", "--record"])
    func `a file that cannot be read ends the search with an error`(option: String) throws {
      try withFolder { folder in
        _ = try folder.file("a.log", "{\"id\":1}\n{\"id\":2}\n")
        let found = try FaultyCalls.shell("FAIL_PREAD=a.log $FAULTS \"$JSIFT\" '$.id' \(option) 2 a.log", in: folder)
        #expect(found.err == "jsift: a.log: the input cannot be read: Input/output error\n")
        #expect(found.status == 2 && found.out.isEmpty)
      }
    }
  #endif

  @Test func `a stream and a compressed file have no lines by number`() throws {
    try withFolder { folder in
      _ = try folder.file("a.log", "{\"id\":1}\n")
      let stream = try run(["$.id", "--line", "1"], stdin: "{\"id\":1}\n")
      stream.expect(err: "jsift: --line: expected a named file, found standard input\n", status: 2)
      for option in ["--line", "--record"] {
        let other = try run(["$.id", option, "1", folder.path(".")])
        #expect(folder.cut(other.err) == "jsift: \(option): .: expected a regular file, found another kind of file\n")
        #expect(other.status == 2)
      }
      _ = try shell("gzip -k a.log", in: folder)
      let compressed = try run(["$.id", "--line", "1", folder.path("a.log.gz")])
      #expect(compressed.status == 2)
      #expect(folder.cut(compressed.err).contains("--line: a.log.gz: expected a file that is not compressed"))
      #expect(try run(["$.id", "--line", "1", folder.path("none")]).status == 2)
      // A record of a text sequence can begin in the middle of a line, so its lines would get wrong numbers.
      for (name, text, found) in [
        ("a.seq", "\u{1E}{\"id\":\n1}\n\u{1E}{\"id\":2}\n", "values in another framing (sequence)"),
        ("a.json", "{\n\"id\":1}\n", "one document"),
      ] {
        let other = try run(["$.id", "--line", "2-", try folder.file(name, text)])
        #expect(other.status == 2)
        #expect(
          folder.cut(other.err)
            == "jsift: --line: \(name): expected records that are lines, found \(found); use --input ndjson if its lines are "
            + "records\n")
      }
    }
  }
}
