import Foundation
import TestSupport
import Testing

/// `--line` reads the records that begin on some lines.
@Suite struct LineTests {
  private static let texts: [String: String] = [
    "line feeds": (1...4).map { "{\"id\":\($0)}\n" }.joined(),
    "no last line feed": (1...4).map { "{\"id\":\($0)}" }.joined(separator: "\n"),
    "carriage returns": (1...4).map { "{\"id\":\($0)}\r\n" }.joined(),
    "blank and bad lines": "\n{\"id\":2,}\n{\"id\":3}\r\n \n{\"id\":5}\n\n",
    "a byte order mark": "\u{FEFF}{\"id\":1}\n{\"id\":2}\n", "one line": "{\"id\":1}",
    "only blank lines": "\n\n\n",
  ]

  /// Returns the rows of a whole run whose line is in a range.
  private static func rows(_ whole: Outcome, _ lines: ClosedRange<Int>) -> [String] {
    whole.lines.filter { row in
      let object = try? JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any]
      return (object?["line"] as? Int).map { lines.contains($0) } ?? false
    }
  }

  @Test(arguments: texts.keys.sorted())
  func `any lines of a small file are those of a run over all of it`(kind: String) throws {
    let text = Self.texts[kind] ?? ""
    let count = text.utf8.split(separator: 10, omittingEmptySubsequences: false).count - (text.utf8.last == 10 ? 1 : 0)
    try withFolder { folder in
      let file = try folder.file("a.log", text)
      let whole = try run(["$.id", "--with-location", "--input", "ndjson", file])
      for first in 1...count {
        for last in first...count {
          for argument in last == first ? ["\(first)", "\(first)-\(last)"] : ["\(first)-\(last)"] {
            let found = try run(["$.id", "--with-location", "--input", "ndjson", "--line", argument, file])
            #expect(found.lines == Self.rows(whole, first...last), "\(argument)")
            #expect(found.status == (found.lines.isEmpty ? 1 : 0), "\(argument)")
          }
        }
        for argument in ["\(first)-", "\(first)-\(count + 5)", "\(first)-\(Int.max)"] {
          let found = try run(["$.id", "--with-location", "--input", "ndjson", "--line", argument, file])
          #expect(found.lines == Self.rows(whole, first...Int.max), "\(argument)")
        }
      }
      let beyond = try run(["$.id", "--input", "ndjson", "--line", "\(count + 1)", file])
      #expect(beyond.status == 2)
      let lines = count == 1 ? "1 line" : "\(count) lines"
      #expect(folder.cut(beyond.err) == "jsift: --line: a.log: expected line \(count + 1), found \(lines)\n")
    }
  }

  @Test func `random lines of a large file are the same with an index, without one, and with one of an earlier file`()
    throws
  {
    var random = SeededGenerator()
    let count = isDebug ? 20_000 : 80_000
    let text = (1...count).map { "{\"id\":\($0),\"pad\":\"\(String(repeating: "x", count: $0 % 60))\"}\n" }.joined()
    try withFolder { folder in
      let file = try folder.file("a.log", text)
      func compare(_ state: String) throws {
        for _ in 0..<20 {
          let first = Int.random(in: 1...count, using: &random)
          let last = min(first + Int.random(in: 0...(Bool.random(using: &random) ? 3 : 30_000), using: &random), count)
          let jobs = Bool.random(using: &random) ? "1" : "3"
          let found = try run(["$.id", "--with-location", "--line", "\(first)-\(last)", "-j", jobs, file])
          #expect(found.lines.count == last - first + 1, "\(state) \(first)-\(last) \(random)")
          let ends = [(found.lines.first, first), (found.lines.last, last)]
          for (row, line) in ends {
            #expect(
              row?.contains("\"line\":\(line),") == true && row?.contains("\"value\":\(line)}") == true, "\(state)")
          }
        }
      }
      try compare("no index")
      #expect(try run(["index", "-p", "$.id", file]).status == 0)
      try compare("an index")
      // This file has no index, and its lines begin at other offsets.
      _ = try folder.file("b.log", "{\"id\":0,\"pad\":\"y\"}\n" + text)
      let other = try run(["$.id", "--line", "\(count)", folder.path("b.log")])
      #expect(other.text == "\(count - 1)\n")
      try Data((text + "{\"id\":\(count + 1)}\n").utf8).write(to: URL(fileURLWithPath: file))
      try compare("an index of the file before it was extended")
      #expect(try run(["$.id", "--line", "\(count + 1)", file]).text == "\(count + 1)\n")
    }
  }

  @Test func `lines are counted from the block that the index knows`() throws {
    try withFolder { folder in
      let line = "{\"id\":1,\"pad\":\"\(String(repeating: "x", count: 984))\"}\n"
      let file = try folder.file("a.log", String(repeating: line, count: 8000))
      #expect(try run(["index", "-p", "$.id", file]).status == 0)
      let bytes = """
        strace -f -e trace=pread64,read -o trace "$JSIFT" records --count --line 7000 a.log &&
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
    (["--line", "0"], "jsift: --line takes a line from 1, or two, such as 40-60, or 40- up to the end, not '0'"),
    (["--line", "5-4"], "jsift: --line takes a line from 1, or two, such as 40-60, or 40- up to the end, not '5-4'"),
    (["--line", "x"], "jsift: --line takes a line from 1, or two, such as 40-60, or 40- up to the end, not 'x'"),
    (["--line", "1", "--range", "0-5"], "jsift: --line and --range both select records; use only one of them"),
    (["--line", "1", "--split", "1/2"], "jsift: --line and --split both select records; use only one of them"),
    (["--line", "1", "--follow"], "jsift: --line: expected the whole part to be read, found --follow"),
    (
      ["--line", "1", "--input", "values"],
      "jsift: --line: expected records that begin with a line, found --input values"
    ),
    (["--line", "1", "--first-line", "2"], "jsift: --first-line is the line at which a range begins"),
    (
      ["--line", "1", "--sorted", "--time", "$.t", "--since", "0"],
      "jsift: --line: expected a file that is read from its start, found --sorted"
    ),
  ])
  func `a wrong use of the option is rejected`(arguments: [String], message: String) throws {
    try withFolder { folder in
      let file = try folder.file("a.log", "{\"id\":1}\n")
      let found = try run(["$.id", file] + arguments)
      #expect(found.status == 2)
      #expect(found.err.hasPrefix(message), "\(found.err)")
    }
  }

  @Test func `a stream and a compressed file have no lines by number`() throws {
    try withFolder { folder in
      _ = try folder.file("a.log", "{\"id\":1}\n")
      let stream = try run(["$.id", "--line", "1"], stdin: "{\"id\":1}\n")
      #expect(stream.status == 2)
      #expect(stream.err == "jsift: --line: expected a named file, found standard input\n")
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
