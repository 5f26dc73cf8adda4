import Foundation
import Testing

/// `-j`: what is written, told and returned does not depend on the number of workers.
@Suite struct JobsTests {
  /// Records of a log, some of them bad: more than is read without workers.
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
        text += ",\"message\":\"\(String(repeating: "x", count: number % 90))\"}\n"
      }
    }
    return Array(text.utf8) + Array("{\"id\":\"last\"}".utf8)
  }

  private static let bytes = log(14_000)

  /// The arguments of a run, between the command and the file.
  private static let runs: [[String]] = [
    ["$.id"], ["-r", "$.tags[*]"], ["$.tags[1]", "--where", "@.level == 'error'"], ["$.id", "--count"],
    ["-p", "id=$.id", "-p", "none=$.none[*]", "-p", "tag=$.tags[0]"], ["$.id", "--with-location"],
    ["records"], ["records", "--where", "@.id > 9000", "--select", "n=$.id", "--select", "all=$..*"],
    ["records", "--count", "--where", "@.level == 'error'"], ["$.id", "--on-error", "stop"],
    ["records", "--on-error", "stop", "--count"], ["$.id", "--max-errors", "3"], ["$.id", "--max-errors", "100"],
    ["$.id", "--limit", "0"], ["$.id", "--limit", "1"], ["$.tags[*]", "--limit", "4321"],
    ["$.id", "--limit", "8001", "--count"], ["records", "--limit", "13000"], ["$.nothing"],
    ["each", "$.tags", "--limit", "6000"], ["$.id", "--max-record-bytes", "100"], ["$.id", "--from-offset", "400001"],
    ["$.id", "--skip-prefix"], ["records", "--input", "ndjson", "--max-depth", "1"],
  ]

  @Test(arguments: runs)
  func `a file gives the same output, messages and status with any number of workers`(arguments: [String]) throws {
    try withFolder { folder in
      #expect(Self.bytes.count > 1 << 20)
      let file = try folder.file("app.log", Self.bytes)
      let expected = try run(arguments + [file, "-j", "1"])
      for jobs in ["2", "3", "8"] {
        let found = try run(arguments + [file, "--jobs", jobs])
        #expect(found.out == expected.out, "\(jobs) workers")
        #expect(found.err == expected.err, "\(jobs) workers")
        #expect(found.status == expected.status, "\(jobs) workers")
      }
    }
  }

  @Test func `bad records are put aside the same`() throws {
    try withFolder { folder in
      let file = try folder.file("app.log", Self.bytes)
      var all: [[UInt8]] = []
      for jobs in ["1", "2", "8"] {
        let rejects = folder.path("rejects-\(jobs)")
        let found = try run(["$.id", file, "-j", jobs, "--rejects", rejects])
        #expect(found.status == 0)
        all.append([UInt8](try Data(contentsOf: URL(fileURLWithPath: rejects))))
      }
      #expect(all[0].count { $0 == 0x0A } == 28)
      #expect(all[1] == all[0])
      #expect(all[2] == all[0])
    }
  }

  @Test(arguments: [["$.id"], ["records", "--limit", "300"], ["$.id", "--on-error", "stop"]])
  func `a pipe gives the same as a file`(arguments: [String]) throws {
    try withFolder { folder in
      let file = try folder.file("app.log", Self.bytes)
      let expected = try run(arguments + [file, "-j", "1"])
      for jobs in ["1", "2", "8"] {
        let found = try run(arguments + ["-j", jobs], stdin: Self.bytes)
        #expect(found.out == expected.out)
        #expect(found.status == expected.status)
        #expect(found.err == expected.err.replacing(file, with: "standard input"))
      }
    }
  }

  @Test func `a document on a pipe is read from its first byte`() throws {
    let text = "{\n \"a\": [1, 2,\n 3]}"
    #expect(try run(["$.a[*]", "-j", "2"], stdin: text).lines == ["1", "2", "3"])
    #expect(try run(["$", "-j", "2"], stdin: "1 2 3").lines == ["1", "2", "3"])
    #expect(try run(["$.a", "-j", "2"], stdin: "").status == 1)
  }

  @Test func `a record is written when it has come, however many workers there are`() throws {
    let child = try Tool.start(["$.id", "-j", "3"])
    for number in 0..<5 {
      child.write("{\"id\":\(number)}\n")
      #expect(child.lines(number + 1).last == "\(number)")
    }
    #expect(child.finish() == 0)
  }

  @Test func `a number below 1 is refused`() throws {
    let found = try run(["$.id", "-j", "0"])
    #expect(found.status == 2)
    #expect(found.err.contains("--jobs takes a number from 1, not 0"))
  }

  @Test func `an offset in a file that is standard input holds for every number of workers`() throws {
    try withFolder { folder in
      let lines = (0..<120_000).map { "{\"id\":\(1_000_000 + $0)}" }
      _ = try folder.file("x.ndjson", lines.joined(separator: "\n") + "\n")
      // A line is 15 bytes.
      let offset = 15 * 2_000
      for jobs in [1, 2, 8] {
        let options = "--count --input ndjson --from-offset \(offset) -j \(jobs)"
        for command in ["records \(options) <x.ndjson", "'$.id' \(options) x.ndjson", "'$.id' \(options) - <x.ndjson"] {
          #expect(try shell("\"$JSIFT\" \(command)", in: folder).text == "118000\n")
        }
      }
    }
  }
}
