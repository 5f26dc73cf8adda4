import Foundation
import Testing

/// `--sorted` searches files for the window instead of reading all records.
@Suite struct SortedTests {
  /// Lines with a time in seconds, some bad ones, and some without a time; about 1.3 MB.
  private static let log: String = {
    var lines = ""
    for index in 0..<24_000 {
      switch index % 1000 {
      case 7: lines += "{\"t\":\(index),}\n"
      case 8: lines += "{\"id\":\(index)}\n"
      case 9: lines += "\n"
      default:
        // Five seconds of disorder.
        lines += "{\"id\":\(index),\"t\":\(index - index * 7 % 6),\"ms\":\(index % 100),\"level\":\"info\"}\n"
      }
    }
    return lines
  }()
  private static let slack = ["--sorted", "--slack", "5s"]

  @Test(
    arguments: ["1", "3"], [("8000", "8200"), ("0", "12000"), ("23600", "70000"), ("24000", "24001"), ("-9", "0")])
  func `each command has the output of a run that reads all records`(jobs: String, bounds: (String, String)) throws {
    try withFolder { folder in
      let file = try folder.file("app.log", Self.log)
      let window = ["--time", "$.t", "--since", bounds.0, "--until", bounds.1, "-j", jobs, file]
      let commands = [
        ["$.id"], ["records", "--where", "@.ms > 50"], ["records", "--count"],
        ["records", "--select", "id=$.id", "--format", "csv"], ["stats", "--of", "ms=$.ms", "--by", "level=$.level"],
        ["shape"], ["shape", "--format", "types"], ["records", "--select", "id=$.id", "--format", "arrow"],
        ["$.id", "--limit", "5"],
      ]
      for command in commands {
        let all = try run(command + window)
        let found = try run(command + Self.slack + window)
        #expect(found.out == all.out && found.status == all.status, "\(command)")
      }
      #expect(try run(["$.id"] + Self.slack + window).status == (["24000", "-9"].contains(bounds.0) ? 1 : 0))
    }
  }

  @Test func `a search applies to each file, and to parts of a file`() throws {
    try withFolder { folder in
      let file = try folder.file("app.log", Self.log)
      let other = try folder.file("other.log", String(Self.log.prefix(500_000)))
      let window = ["$.id", "--time", "$.t", "--since", "1000", "--until", "4000"] + Self.slack
      let both = try run(window + [file, other])
      #expect(both.text == (try run(window + [file]).text + run(window + [other]).text))
      #expect(both.lines.count > 5900 && both.status == 0)
      let parts = try (1...5).map { try run(window + ["--split", "\($0)/5", file]) }
      #expect(parts.map(\.text).joined() == (try run(window + [file]).text))
      #expect(parts.allSatisfy { $0.status == 0 })
      let summary = try run(window + ["--split", "5/5", "--summary", "-", file])
      #expect(summary.err.contains("\"range\":[") && summary.err.contains("\"results\":0,"))
    }
  }

  #if Compression
    @Test(arguments: ["1", "3"])
    func `a file compressed in frames is searched by frames`(jobs: String) throws {
      try withFolder { folder in
        let file = try folder.file("app.log.gz", folder.blocks(of: Self.log, 30_000))
        for bounds in [("8000", "8200"), ("0", "12000"), ("23600", "70000"), ("24000", "24001")] {
          let window = ["--time", "$.t", "--since", bounds.0, "--until", bounds.1, "-j", jobs, file]
          for command in [["$.id"], ["records", "--count"], ["stats", "--of", "ms=$.ms"]] {
            let all = try run(command + window)
            let found = try run(command + Self.slack + window)
            #expect(found.out == all.out && found.status == all.status, "\(command)")
          }
        }
        let window = ["$.id", "--time", "$.t", "--since", "1000", "--until", "4000"] + Self.slack
        let parts = try (1...5).map { try run(window + ["--split", "\($0)/5", file]).text }
        #expect(parts.joined() == (try run(window + [file]).text))
        let found = try run(window + ["--summary", "-", "--count", file])
        let counts = try Regex("\"compressedBytes\":([0-9]+),", as: (Substring, Substring).self)
        let read = try #require(found.err.firstMatch(of: counts).flatMap { Int($0.1) })
        let size = try Data(contentsOf: URL(fileURLWithPath: file)).count
        #expect(read < size / 3)
      }
    }

    @Test func `disorder in a compressed file names both records`() throws {
      try withFolder { folder in
        let lines = (0..<4000).map { "{\"t\":\($0)}\n" }.reversed().joined()
        let file = try folder.file("back.log.gz", folder.blocks(of: lines, 900))
        let result = try run(["$.t", "--time", "$.t", "--since", "10", "--until", "20", "--sorted", file])
        #expect(result.status == 2)
        #expect(
          folder.cut(result.err).hasPrefix("jsift: back.log.gz: --sorted: expected times in order, found 1970-01-01T"))
      }
    }
  #endif

  @Test func `the search does not use the times of bad records`() throws {
    try withFolder { folder in
      // The record in the middle of the file has a wrong time, and half of a surrogate pair.
      for bad in 1995..<2015 {
        let lines = (0..<4000).map { number in
          number == bad
            ? "{\"t\":99999999,\"z\":\"\\ud800\"}\n"
            : "{\"t\":\(number),\"z\":\"\(String(repeating: "x", count: 90))\"}\n"
        }
        let file = try folder.file("app.log", lines.joined())
        let window = ["$.t", "--sorted", "--time", "$.t", "--since", "3000", "--until", "3002", file]
        #expect(try run(window).text == "3000\n3001\n", "\(bad)")
      }
    }
  }

  @Test func `bad records of what is read are reported, with offsets of the file`() throws {
    try withFolder { folder in
      let file = try folder.file("app.log", Self.log)
      let window = ["--time", "$.t", "--since", "8000", "--until", "8200", "--rejects", folder.path("bad"), file]
      _ = try run(["$.id"] + window)
      let all = try folder.text("bad").split(separator: "\n")
      #expect(try run(["$.id"] + Self.slack + window).status == 0)
      let some = try folder.text("bad").split(separator: "\n")
      #expect(all.count == 24 && some.count < 10 && some.count > 0)
      let offset = try Regex("\"byteOffset\":[0-9]+")
      let offsets = Set(all.compactMap { $0.firstMatch(of: offset).map { String($0.0) } })
      for line in some { #expect(line.firstMatch(of: offset).map { offsets.contains(String($0.0)) } == true) }
    }
  }

  @Test(arguments: ["1", "3"])
  func `a file that is not sorted is an error with both records`(jobs: String) throws {
    try withFolder { folder in
      let file = try folder.file("app.log", "{\"t\":5}\n{\"t\":9}\n{}\n{\"t\":3}\n{\"t\":20}\n")
      let window = ["$.t", "--time", "$.t", "--since", "1970-01-01T00:00:04Z", "--sorted", "-j", jobs, file]
      let result = try run(window)
      #expect(
        folder.cut(result.err)
          == "jsift: app.log: --sorted: expected times in order, found 1970-01-01T00:00:03Z in the record at byte 19 after "
          + "1970-01-01T00:00:09Z in the record at byte 8; use a larger --slack, or read all records without --sorted\n"
      )
      #expect(result.status == 2)
      #expect(try run(window + ["--slack", "5s"]).status == 2)
      for slack in ["6s", "6000000000ns", "0000000000006s", "1000000000s"] {
        #expect(try run(window + ["--slack", slack]).text == "5\n9\n20\n")
      }
      #expect(try run(window + ["--slack", "99999999999999999w"]).err.contains("expected a length of time such as"))
      // Found by the search, before anything is written; and by reading, in a large file.
      let lines = (0..<20_000).map { "{\"t\":\($0),\"x\":\"a long enough line for several steps\"}\n" }
      let backwards = try folder.file("backwards.log", lines.reversed().joined())
      let searched = try run(["$.t", "--time", "$.t", "--since", "10000", "--sorted", "-j", jobs, backwards])
      #expect(searched.text == "" && searched.status == 2 && searched.err.contains("expected times in order"))
      var swapped = lines
      swapped.swapAt(10_100, 10_101)
      let nearly = try folder.file("nearly.log", swapped.joined())
      let read = try run([
        "$.t", "--count", "--time", "$.t", "--since", "10000", "--sorted", "--summary", folder.path("s"), "-j", jobs,
        nearly,
      ])
      #expect(read.status == 2 && read.err.contains("found 1970-01-01T02:48:20Z"))
      #expect((try? folder.text("s")) == nil)
      #expect(try run(["$.t", "--count", "--time", "$.t", "--since", "15000", "--sorted", nearly]).text == "5000\n")
    }
  }

  #if os(Linux)
    @Test func `a file that cannot be read ends the search with an error`() throws {
      try withFolder { folder in
        _ = try folder.file("app.log", Self.log)
        let window = "--sorted --time '$.t' --since 8000 --until 8200"
        let found = try FaultyCalls.shell("FAIL_PREAD=app.log $FAULTS \"$JSIFT\" '$.id' \(window) app.log", in: folder)
        // The search begins with the byte before the middle, which shows whether a line begins there.
        let offset = Self.log.utf8.count / 2 - 1
        #expect(found.err == "jsift: app.log: the input cannot be read from byte \(offset) on: Input/output error\n")
        #expect(found.status == 2 && found.out.isEmpty)
      }
    }
  #endif

  @Test func `other inputs and options are refused with a message`() throws {
    try withFolder { folder in
      let file = try folder.file("app.log", "{\"t\":1}\n")
      let document = try folder.file("one.json", "{\"t\":1,\n\"a\":2}")
      _ = try shell("gzip -c app.log > app.log.gz; mkfifo pipe", in: folder)
      let window = ["--time", "$.t", "--since", "0"]
      let sorted = ["--sorted"] + window
      let refused: [([String], String)] = [
        (sorted, "--sorted: expected a named file, found standard input"),
        (sorted + [folder.path("pipe")], "--sorted: pipe: expected a regular file, found another kind of file"),
        (
          sorted + [folder.path("app.log.gz")],
          "--sorted: app.log.gz: expected a file that is not compressed, or is compressed in several frames as by bgzip or "
            + "pzstd; without --sorted all of it is read"
        ),
        (
          sorted + [document],
          "--sorted: one.json: expected records that are lines, found one document; use --input ndjson if its lines are "
            + "records"
        ),
        (sorted + ["--input", "values", file], "--sorted: expected records that are lines, found --input values"),
        (sorted + ["--input", "json", file], "--sorted: expected records that are lines, found --input json"),
        (sorted + ["--follow", file], "--follow: expected a file that is read from its start, found --sorted"),
        (
          sorted + ["--range", "0-", "--first-line", "2", file],
          "--first-line: expected a file that is read from its start, found --sorted"
        ),
        (sorted + ["--from-offset", "0", file], "--sorted: expected --range N- instead of --from-offset N"),
        (["--sorted", file], "--sorted: expected --time PATH, the path of a record's time, such as --time '$.time'"),
        (window + ["--slack", "5s", file], "--slack is for --sorted; use it with --sorted"),
        (sorted + ["--slack", "5", file], "--slack '5': expected a length of time such as 500ms, 5s, 2m, 1h30m or 3d"),
      ]
      for (options, message) in refused {
        let result = try run(["$.t"] + options, stdin: "{\"t\":1}\n")
        #expect(folder.cut(result.err) == "jsift: \(message)\n")
        #expect(result.status == 2 && result.text == "")
      }
      let missing = try run(["$.t"] + sorted + [folder.path("none"), file])
      #expect(missing.text == "1\n" && missing.status == 2)
    }
  }
}
