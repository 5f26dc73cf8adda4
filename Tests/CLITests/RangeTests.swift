import Foundation
import TestSupport
import Testing

/// Runs of `--range` and `--split` together have the output of one run.
@Suite struct RangeTests {
  private static func rejects(in folder: Folder) throws -> String { try folder.text("rejects.ndjson") }

  /// Small enough for one reader, and large enough for several workers.
  private static func log(lines: Int) -> String {
    (0..<lines).map { line in
      switch line % 50 {
      case 7: "{\"id\":\(line),}\n"
      case 9: "\n"
      case 11: "\r\n"
      default: "{\"id\":\(line),\"level\":\"\(line % 3 == 0 ? "error" : "info")\",\"ms\":\(line % 977)}\n"
      }
    }.joined()
  }

  @Test(arguments: [["1", "200"], ["3", "200"], ["1", "60000"], ["3", "60000"]])
  func `splits of a log have the rows, locations and rejects of one run`(arguments: [String]) throws {
    let (jobs, lines) = (arguments[0], arguments[1])
    try withFolder { folder in
      let file = try folder.file("app.log", Self.log(lines: Int(lines) ?? 0))
      let rejects = folder.path("rejects.ndjson")
      let commands = [
        ["$.id", "--rejects", rejects], ["records", "--select", "ms=$.ms", "--where", "@.level == 'error'"],
        ["records", "--where", "@.ms > 150", "--rejects", rejects], ["records", "--count", "--rejects", rejects],
        ["each", "$", "--rejects", rejects],
      ]
      for command in commands {
        let isCounting = command.contains("--count")
        let keepsRejects = command.contains("--rejects")
        let arguments = command + ["-j", jobs, file]
        let whole = try run(arguments)
        let bad = keepsRejects ? try Self.rejects(in: folder) : ""
        #expect(whole.status == 0)
        for count in [1, 2, 7] {
          var out: [UInt8] = []
          var total = 0
          var found = ""
          for number in 1...count {
            let part = try run(arguments + ["--split", "\(number)/\(count)"])
            #expect(part.status == 0)
            out += part.out
            total += Int(part.text.trimmingCharacters(in: .newlines)) ?? 0
            if keepsRejects { found += try Self.rejects(in: folder) }
          }
          if isCounting { #expect("\(total)\n" == whole.text) } else { #expect(out == whole.out) }
          // Without the line number, which counts from the beginning of a part.
          let line = try Regex("\"line\":[0-9]+,")
          #expect(found.replacing(line, with: "") == bad.replacing(line, with: ""), "\(command) \(count)")
        }
      }
    }
  }

  #if Compression
    @Test(arguments: ["1", "3"])
    func `splits of a BGZF file have the rows, locations, rejects and counts of one run`(jobs: String) throws {
      try withFolder { folder in
        let text = Self.log(lines: 2000)
        let bytes = try folder.blocks(of: text, 9001)
        let file = try folder.file("app.log.gz", bytes)
        let rejects = folder.path("rejects.ndjson")
        let arguments = [
          "records", "--with-location", "--rejects", rejects, "--summary", folder.path("counts"), "-j", jobs, file,
        ]
        let plain = try run(arguments.dropLast() + [try folder.file("app.log", text)])
        let whole = try run(arguments)
        #expect(whole.text.replacing("app.log.gz", with: "app.log") == plain.text)
        let bad = try Self.rejects(in: folder)
        let counts = try folder.text("counts")
        #expect(counts.contains("\"compressedBytes\":\(bytes.count),\"bytes\":\(text.utf8.count),"))
        for count in [1, 2, 7, 30] {
          var out: [UInt8] = []
          var found = ""
          var line = 1
          var sums = [0, 0, 0]
          for number in 1...count {
            let part = try run(
              arguments + [
                "--split", "\(number)/\(count)", "--first-line", "\(line)", "--expect-size", "\(bytes.count)",
              ])
            #expect(part.status == 0)
            out += part.out
            found += try Self.rejects(in: folder)
            let counts = try folder.text("counts")
            let names = ["compressedBytes", "bytes", "lineFeeds"]
            for (index, name) in names.enumerated() {
              let number = try Regex("\"\(name)\":([0-9]+)", as: (Substring, Substring).self)
              sums[index] += counts.firstMatch(of: number).flatMap { Int($0.1) } ?? 0
            }
            line = sums[2] + 1
          }
          #expect(out == whole.out)
          #expect(found == bad)
          #expect(sums == [bytes.count, text.utf8.count, text.utf8.count { $0 == 0x0A }])
        }
      }
    }

    @Test(arguments: ["1\n", "1\n2\n"], ["1", "3"])
    func `a BGZF file that was cut where a block ends is read, and the tool says that its end is missing`(
      rest: String, jobs: String
    ) throws {
      try withFolder { folder in
        let bytes = try folder.blocks(of: rest, 2)
        let plain = Array(try shell("printf '3\\n' | gzip -n", in: folder).out)
        func read(_ bytes: [UInt8], _ name: String) throws -> Outcome {
          try run(["get", "$", "-j", jobs, folder.file(name, bytes)])
        }
        let cut = try read(Array(bytes.dropLast(28)), "cut.gz")
        #expect(cut.status == 0 && cut.text == rest)
        #expect(
          folder.cut(cut.err)
            == "jsift: cut.gz: the empty block that ends a file of BGZF is missing; the file may have been cut\n")
        let piped = try shell("cat cut.gz | \"$JSIFT\" get '$' --input ndjson", in: folder)
        #expect(piped.err.contains("standard input: the empty block"))
        // The whole file, with padding, and with a member of gzip behind it.
        for (whole, more) in [(bytes, ""), (bytes + [UInt8](repeating: 0, count: 600), ""), (bytes + plain, "3\n")] {
          let found = try read(whole, "whole.gz")
          #expect(found.status == 0 && found.text == rest + more && found.err.isEmpty, "\(found.err)")
        }
        // An error says more.
        let inside = try read(Array(bytes.dropLast(30)), "inside.gz")
        #expect(inside.status == 2 && !inside.err.contains("empty block"))
      }
    }

    @Test func `the end of a long BGZF file is looked for when threads decompress it`() throws {
      try withFolder { folder in
        let text = (0..<60_000).map { "{\"n\":\"\($0 &* 2_654_435_761 & 0xFFFF_FFFF)\($0 &* 40_503)\"}\n" }.joined()
        let bytes = try folder.blocks(of: text, 60_000)
        for (lost, isCut) in [(0, false), (28, true)] {
          let found = try run(["--count", "$.n", "-j", "2", folder.file("long.gz", Array(bytes.dropLast(lost)))])
          #expect(found.text == "60000\n" && found.err.contains("empty block") == isCut, "\(found.err)")
        }
      }
    }

    @Test func `a gzip file that is not BGZF is one task, and the tool says so`() throws {
      try withFolder { folder in
        _ = try folder.file("x.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        _ = try shell("gzip -k x.ndjson && cat x.ndjson.gz >>two.gz && cat x.ndjson.gz >>two.gz", in: folder)
        let note =
          "jsift: gzip that is not BGZF cannot be divided: the part that contains byte 0 has all records, and every "
          + "other part has none\n"
        for (name, rows) in [("x.ndjson.gz", "1\n2\n"), ("two.gz", "1\n2\n1\n2\n")] {
          for (number, expected) in [(1, rows), (2, ""), (3, "")] {
            try run(["$.a", "--split", "\(number)/3", folder.path(name)]).expect(text: expected, err: note, status: 0)
          }
          #expect(try run(["$.a", "--split", "1/1", folder.path(name)]).err == "")
        }
      }
    }
  #endif

  @Test(arguments: ["1", "3"])
  func `an Arrow stream of a range equals the stream of a file with only its lines`(jobs: String) throws {
    try withFolder { folder in
      let lines = ["{\"id\":1,\"s\":\"a\"}\n", "bad\n", "{\"id\":2,\"s\":3}\n", "{\"id\":4}\n"]
      let file = try folder.file("app.ndjson", lines.joined())
      let columns = ["--select", "id=$.id", "--type", "id=int64", "--select", "s=$.s", "--type", "s=utf8", "-j", jobs]
      var start = 0
      for line in lines {
        let end = start + line.utf8.count
        let part = try folder.file("part.ndjson", line)
        for condition in [[], ["--where", "@.id > 1"]] {
          let arguments = ["records", "--format", "arrow"] + columns + condition
          let result = try run(arguments + ["--range", "\(start)-\(end)", file])
          #expect(result.status == 0)
          #expect(result.out == (try run(arguments + [part])).out, "\(line) \(condition)")
        }
        start = end
      }
    }
  }

  @Test(arguments: ["1", "2"])
  func `offsets are absolute, and lines are counted from --first-line`(jobs: String) throws {
    try withFolder { folder in
      let file = try folder.file("x.ndjson", "{\"a\":1}\n{\"a\":2}\nbad\n{\"a\":3}\n")
      let result = try run(["records", "--range", "1-17", "--first-line", "2", "--with-location", "-j", jobs, file])
      #expect(folder.cut(result.text) == "{\"file\":\"x.ndjson\",\"line\":2,\"byteOffset\":8,\"value\":{\"a\":2}}\n")
      #expect(folder.cut(result.err).hasPrefix("jsift: x.ndjson:3:1: expected a value, found a letter (byte 16)"))
      #expect(result.status == 0)
      #expect(try run(["$.a", "--range", "20-", "-j", jobs, file]).text == "3\n")
    }
  }

  @Test func `a part without results has status 0 and no message, except for check`() throws {
    try withFolder { folder in
      let file = try folder.file("x.ndjson", "{\"a\":1}\n{\"a\":2}\nbad\n{\"a\":3}\n")
      for arguments in [
        ["$.b", "--range", "0-5"], ["$.a", "--range", "1-8"], ["records", "--range", "28-"],
        ["$.a", "--where", "@.b == 'x'", "--range", "8-16"], ["each", "$", "--split", "2/9"],
      ] {
        let result = try run(arguments + [file])
        #expect(result.status == 0 && result.text.isEmpty && result.err.isEmpty, "\(arguments): \(result)")
      }
      #expect(try run(["check", "--range", "0-16", file]).status == 0)
      #expect(try run(["check", "--range", "0-17", file]).status == 1)
      #expect(try run(["check", "--range", "17-", file]).status == 0)
      #expect(try run(["records", "--range", "9-17", "--on-error", "stop", file]).status == 2)
    }
  }

  @Test(arguments: [
    ("--range 0-99", "expected an input of at least 99 bytes, found its end at byte 8"),
    ("--range 9-", "expected an input of at least 9 bytes, found its end at byte 8"),
    ("--range 5-3", "--range takes a start that is not after its end, not 5-3"),
    ("--range 5", "--range takes two offsets in bytes, such as 0-4096, or 4096- up to the end, not '5'"),
    ("--range -5", "not '-5'"), ("--range 1-99999999999999999999", "--range takes two offsets"),
    ("--range +1-2", "not '+1-2'"),
    ("--split 0/4", "--split takes a part from 1 to the number of parts, not 0/4"),
    ("--split 5/4", "--split takes a part from 1 to the number of parts, not 5/4"),
    ("--split 1", "--split takes a part and the number of parts, such as 1/4, not '1'"),
    ("--split 1/1 --range 0-1", "--range and --split both select bytes; use only one of them"),
    ("--first-line 3", "--first-line is the line at which a range begins; use it with --range or --split"),
    ("--split 1/2 --first-line 0", "--first-line takes a number of at least 1, not 0"),
    ("--first-offset 3", "--first-offset is the offset at which a range begins; use it with --range or --split"),
    ("--first-offset -1", "--first-offset takes a number of at least 0, not -1"),
    ("--range 0-1 --limit 1", "--range reads a part of the file to its end; use it without --limit"),
    (
      "--split 1/2 --max-errors 1", "--split reads a part of the file to its end; use it without --max-errors"
    ),
    (
      "--range 0-1 --from-offset 1", "--range reads a part of the file to its end; use it without --from-offset"
    ),
    ("--range 0-1 --input values", "--range: expected records that are lines, found --input values"),
    ("--range 0-1 --input json", "--range: expected records that are lines, found --input json"),
  ])
  func `a range that cannot be read is an error`(line: String, message: String) throws {
    let arguments = words(line)
    try withFolder { folder in
      let file = try folder.file("x.ndjson", "{\"a\":1}\n")
      for command in ["records", "check"] {
        let result = try run([command, arguments[0] + "=" + arguments[1]] + arguments.dropFirst(2) + [file])
        #expect(result.err.contains(message), "\(result.err)")
        #expect(result.status == 2)
        #expect(result.out.isEmpty)
      }
    }
  }

  @Test func `inputs without ranges are an error`() throws {
    try withFolder { folder in
      let file = try folder.file("x.ndjson", "{\"a\":1}\n")
      let piped = try run(["records", "--range", "0-1"], stdin: "1\n")
      #expect(piped.err == "jsift: --range: expected a named file, found standard input\n")
      let two = try run(["records", "--split", "1/2", file, file])
      #expect(two.err == "jsift: --split: expected one file, found 2\n")
      let followed = try run(["records", "--split", "1/2", "--follow", file])
      #expect(followed.err == "jsift: --split reads a part of the file to its end; use it without --follow\n")
      let document = try run(["records", "--range", "0-1", try folder.file("x.json", "{\n\"a\":1}")])
      #expect(
        folder.cut(document.err)
          == "jsift: x.json: expected records that are lines, or a text sequence, for a range of bytes, found "
          + "document\n")
      let fifo = try folder.fifo("fifo")
      let pipe = try shell("(cat x.ndjson > fifo) & \"$JSIFT\" records --range 0-1 fifo", in: folder)
      #expect(pipe.err.contains("expected a regular file, for a range of bytes"), "\(pipe.err) \(fifo)")
      for result in [piped, two, followed, document, pipe] { #expect(result.status == 2) }
    }
  }

  @Test func `a part whose output was not all written has status 2`() throws {
    try withFolder { folder in
      _ = try folder.file("x.ndjson", Self.log(lines: 20_000))
      let result = try shell(
        "{ \"$JSIFT\" records --split 1/2 x.ndjson; echo $? >&2; } | head -n 1 > first", in: folder)
      #expect(result.err == "2\n")
    }
  }
}
