import Foundation
import TestSupport
import Testing

/// `-j`: output, messages and exit status do not depend on the number of workers.
@Suite struct JobsTests {
  /// Records of a log, some of them bad: more than is read before workers start. A debug build is slow per record, so
  /// it gets fewer and longer ones.
  private static func log(_ records: Int) -> [UInt8] {
    var text = ""
    for number in 0..<records {
      switch number % 997 {
      case 500: text += "{\"id\":\(number),\"level\":tru}\n"
      case 700: text += "\r\n"
      case 900: text += "{\"id\":\(number)} {\"id\":0}\r\n"
      default:
        text +=
          "{\"id\":\(number),\"level\":\"\(number % 7 == 0 ? "error" : "info")\",\"tags\":[\"é\",\"b\(number % 5)\"]"
        text += ",\"message\":\"\(String(repeating: "x", count: number % 90 * (isDebug ? 3 : 1)))\"}\n"
      }
    }
    return Array(text.utf8) + Array("{\"id\":\"last\"}".utf8)
  }

  /// More than is read before workers start, also after the offset below.
  private static let bytes = log(isDebug ? 6_000 : 14_000)

  /// Numbers of workers whose results are compared with those of one worker.
  private static let manyJobs = isDebug ? ["3"] : ["2", "3", "8"]
  private static let oneAndMore = ["1"] + (isDebug ? ["3"] : ["2", "8"])

  /// The arguments of a run, between the command and the file.
  private static let runs: [[String]] = [
    ["$.id"], ["-r", "$.tags[*]"], ["$.tags[1]", "--where", "@.level == 'error'"], ["$.id", "--count"],
    ["-p", "id=$.id", "-p", "none=$.none[*]", "-p", "tag=$.tags[0]"], ["$.id", "--with-location"], ["records"],
    ["records", "--where", "@.id > \(isDebug ? 4000 : 9000)", "--select", "n=$.id", "--select", "all=$..*"],
    ["records", "--count", "--where", "@.level == 'error'"], ["$.id", "--on-error", "stop"],
    ["records", "--on-error", "stop", "--count"], ["$.id", "--max-errors", "3"], ["$.id", "--max-errors", "100"],
    ["$.id", "--limit", "0"], ["$.id", "--limit", "1"], ["$.tags[*]", "--limit", "4321"],
    ["$.id", "--limit", isDebug ? "3501" : "8001", "--count"], ["records", "--limit", isDebug ? "5500" : "13000"],
    ["$.nothing"], ["each", "$.tags", "--limit", "6000"], ["$.id", "--max-record-bytes", "100"],
    ["$.id", "--from-offset", isDebug ? "100001" : "400001"], ["$.id", "--skip-prefix"],
    ["records", "--input", "ndjson", "--max-depth", "1"],
  ]

  @Test(arguments: runs)
  func `a file gives the same output, messages and status with any number of workers`(arguments: [String]) throws {
    try withFolder { folder in
      #expect(Self.bytes.count > 1 << 20)
      let file = try folder.file("app.log", Self.bytes)
      let expected = try run(arguments + [file, "-j", "1"])
      for jobs in Self.manyJobs {
        let found = try run(arguments + [file, "--jobs", jobs])
        #expect(found.out == expected.out, "\(jobs) workers")
        #expect(found.err == expected.err, "\(jobs) workers")
        #expect(found.status == expected.status, "\(jobs) workers")
      }
    }
  }

  @Test func `the rejects file is the same with any number of workers`() throws {
    try withFolder { folder in
      let file = try folder.file("app.log", Self.bytes)
      var all: [[UInt8]] = []
      for jobs in Self.oneAndMore {
        let rejects = folder.path("rejects-\(jobs)")
        #expect(try run(["$.id", file, "-j", jobs, "--rejects", rejects]).status == 0)
        all.append([UInt8](try Data(contentsOf: URL(fileURLWithPath: rejects))))
      }
      #expect(all[0].count { $0 == 0x0A } == (isDebug ? 12 : 28))
      #expect(all.allSatisfy { $0 == all[0] })
    }
  }

  @Test func `a document on a pipe is read from its first byte`() throws {
    let text = "{\n \"a\": [1, 2,\n 3]}"
    #expect(try run(["$.a[*]", "-j", "2"], stdin: text).lines == ["1", "2", "3"])
    #expect(try run(["$", "-j", "2"], stdin: "1 2 3").lines == ["1", "2", "3"])
    #expect(try run(["$.a", "-j", "2"], stdin: "").status == 1)
  }

  @Test func `a record is written when it arrives, with any number of workers`() throws {
    let child = try Tool.start(["$.id", "-j", "3"])
    for number in 0..<5 {
      child.write("{\"id\":\(number)}\n")
      #expect(child.lines(number + 1).last == "\(number)")
    }
    #expect(child.finish() == 0)
  }

  @Test func `a number of workers below 1 is rejected`() throws {
    let found = try run(["$.id", "-j", "0"])
    #expect(found.status == 2)
    #expect(found.err.contains("--jobs takes a number of at least 1, not 0"))
  }

  @Test func `an offset into a file as standard input is applied with any number of workers`() throws {
    try withFolder { folder in
      // More than is read before workers start, also after the offset.
      let lines = (0..<(isDebug ? 75_000 : 120_000)).map { "{\"id\":\(1_000_000 + $0)}" }
      _ = try folder.file("x.ndjson", lines.joined(separator: "\n") + "\n")
      // A line is 15 bytes.
      let offset = 15 * 2_000
      for jobs in Self.oneAndMore {
        let options = "--count --input ndjson --from-offset \(offset) -j \(jobs)"
        for command in ["records \(options) <x.ndjson", "'$.id' \(options) x.ndjson", "'$.id' \(options) - <x.ndjson"] {
          #expect(try shell("\"$JSIFT\" \(command)", in: folder).text == "\(lines.count - 2_000)\n")
        }
      }
    }
  }

  // MARK: Several files

  /// Lines, one document, a bad document, a small file, a missing file, an empty file, values, and the first file
  /// again.
  private static func files(_ folder: Folder) throws -> [String] {
    // A document that spans several windows.
    let level = String(repeating: "error", count: isDebug ? 20 : 1)
    let elements = (0..<(isDebug ? 3_000 : 30_000)).map { "{\"id\":\($0),\n\"level\":\"\(level)\"}" }.joined(
      separator: ",\n")
    let bad = bytes.suffix(isDebug ? bytes.count / 3 : bytes.count).reversed().drop { $0 != 0x0A }
    return [
      try folder.file("a.log", bytes), try folder.file("b.json", "[\(elements)]"), folder.path("none.json"),
      try folder.file("c.ndjson", "{\"id\":1}\n{\"id\"\n{\"id\":3}\n"), try folder.file("bad.json", "[1,\n2 3]"),
      try folder.file("empty.ndjson", ""), try folder.file("values.txt", "{\"id\":1} {\"id\":2} [3 } 4"),
      try folder.file("d.log", bad + Array("{}\n".utf8)), folder.path("a.log"),
    ]
  }

  private static let runsOverFiles: [[String]] = [
    ["records"], ["records", "--count"], ["records", "--where", "@.level == 'error'"], ["$.id"],
    ["$..id", "--with-location"], ["-p", "id=$.id", "-p", "none=$.none"],
    ["$[*].id", "--limit", isDebug ? "2000" : "20000"], ["records", "--max-errors", "40"],
    ["records", "--on-error", "stop"], ["each", "$"], ["check"], ["check", "--count"], ["check", "--limit", "50"],
    ["check", "--max-errors", isDebug ? "15" : "31"], ["check", "--on-error", "stop"], ["check", "--input", "json"],
    ["$.id", "--input", "values"], ["records", "--skip-prefix"],
  ]

  @Test(arguments: runsOverFiles)
  func `several files give the same output, messages and status with any number of workers`(
    arguments: [String]
  ) throws {
    try withFolder { folder in
      let files = try Self.files(folder)
      let expected = try run(arguments + files + ["-j", "1"])
      #expect(expected.status == 1 || expected.status == 2 || arguments.contains("--limit"))
      for jobs in Self.manyJobs {
        let found = try run(arguments + files + ["-j", jobs])
        #expect(found.out == expected.out, "\(jobs) workers")
        #expect(found.err == expected.err, "\(jobs) workers")
        #expect(found.status == expected.status, "\(jobs) workers")
      }
    }
  }

  @Test(arguments: ["records", "check"])
  func `bad records of several files are written to the rejects file in the order of the files`(command: String) throws
  {
    try withFolder { folder in
      let files = try Self.files(folder)
      var all: [[UInt8]] = []
      for jobs in Self.oneAndMore {
        let rejects = folder.path("rejects-\(jobs)")
        _ = try run([command, "-j", jobs, "--rejects", rejects] + files)
        all.append([UInt8](try Data(contentsOf: URL(fileURLWithPath: rejects))))
      }
      #expect(all[0].count { $0 == 0x0A } > (isDebug ? 1_500 : 14_000))
      #expect(all.allSatisfy { $0 == all[0] })
    }
  }

  @Test func `a document and a log in FIFOs among files are read in the order of the arguments`() throws {
    try withFolder { folder in
      _ = try folder.file("a.log", Self.bytes)
      _ = try folder.file("b.json", "{\n\"id\": [7,\n8]}")
      _ = try folder.fifo("document")
      _ = try folder.fifo("lines")
      let script = """
        cat b.json >document & cat a.log >lines &
        "$JSIFT" '$.id' a.log document lines b.json -j 2 2>errors
        """
      let expected = try shell("\"$JSIFT\" '$.id' a.log b.json a.log b.json -j 1", in: folder)
      let found = try shell(script, in: folder)
      #expect(found.out == expected.out)
      #expect(found.status == expected.status)
    }
  }

  @Test func `results of standard input and of a FIFO after it are written as they arrive`() throws {
    try withFolder { folder in
      let fifo = try folder.fifo("lines")
      let child = try Tool.start(["$.id", "-j", "2", "-", fifo])
      child.write("{\"id\":1}\n")
      #expect(child.lines(1) == ["1"])
      child.closeInput()
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: fifo))
      try file.write(contentsOf: Array("{\"id\":2}\n".utf8))
      #expect(child.lines(2) == ["1", "2"])
      try file.write(contentsOf: Array("{\"id\":3}\n".utf8))
      try file.close()
      #expect(child.lines(3) == ["1", "2", "3"])
      #expect(child.finish() == 0)
    }
  }
}
