import Foundation
import TestSupport
import Testing

/// The behaviour that every command gets from the common driver: output, messages, rejects and status depend neither on
/// the number of workers nor on how the bytes arrive.
@Suite struct EveryCommandTests {
  /// Lines of a log, some of them long, blank, or with a carriage return. The damaged log has several kinds of bad
  /// lines.
  private static func log(_ bytes: Int, isDamaged: Bool) -> [UInt8] {
    var text: [UInt8] = []
    var number = 0
    while text.count < bytes {
      switch number % 211 {
      case 50 where isDamaged: text += "{\"id\":\(number),\"level\":tru}\n".utf8
      case 90 where isDamaged: text += Array("{\"id\":\"".utf8) + [0xC3, 0x28] + Array("\"}\n".utf8)
      case 130 where isDamaged: text += "[\(number)] 7\n".utf8
      case 150: text += "\r\n".utf8
      default:
        let pad = String(repeating: "x\\u00e9", count: number % 37 * (isDebug ? 6 : 2))
        text +=
          "{\"id\":\(number), \"ms\":\(number % 91).\(number % 7)5,\"level\":\"\(number % 7 == 0 ? "error" : "info")\","
          .utf8
        text += "\"tags\":[\"é\", {\"b\":\(number % 5)}],\"pad\":\"\(pad)\"}\(number % 31 == 0 ? "\r" : "")\n".utf8
      }
      number += 1
    }
    return text + Array("{\"id\":\"last\",\"level\":null}".utf8)
  }

  /// Every command, with options that select different ways of reading.
  private static let commands: [[String]] = [
    ["get", "$.tags[*]"], ["get", "$..b", "--with-location"],
    ["get", "-p", "id=$.id", "-p", "b=$.tags[1].b", "--where", "@.level == 'error'"],
    ["records"], ["records", "--select", "id=$.id", "--select", "b=$.tags[1].b"],
    ["records", "--select", "id=$.id", "--select", "all=$..b", "--format", "csv", "--where", "@.ms > 50"],
    ["records", "--count"], ["each", "$.tags"], ["check"], ["shape"], ["shape", "--format", "table"],
    ["stats", "--of", "ms=$.ms"],
    ["stats", "--of", "ms=$.ms", "--of", "b=$.tags[*].b", "--by", "level=$.level", "--where", "@.id != 7"],
    ["format", "--compact"], ["format", "--sort-keys"], ["records", "--limit", "3000"],
    ["get", "$.id", "--on-error", "stop"],
    ["records", "--select", "id=$.id", "--select", "none=$.none", "--format", "table"],
    ["records", "--select", "id=$.id", "--select", "none=$.none", "--format", "tsv", "--limit", "2001"],
    ["get", "$.id", "--format", "json", "--where", "@.id > 100"], ["shape", "--max-keys", "5"],
    ["shape", "--max-errors", "3"],
    [
      "edit", "--mask", "$..b", "--delete", "$.tags[0]", "--set", "$.x.y=1", "--mask-with", "stars", "--preset",
      "share",
    ],
    ["edit", "--mask", "$.id", "--where", "@.ms > 50", "--keep-bad"], ["edit", "--delete", "$.tags[?@.b]"],
    ["records", "--select", "b=$.tags[1].b", "--type", "b=int64", "--select", "level=$.level", "--format", "arrow"],
  ]

  @Test(arguments: commands)
  func `--fast changes nothing, not even for damaged input`(command: [String]) throws {
    let input = Self.log(20_000, isDamaged: true)
    let plain = try run(command + ["--input", "ndjson"], stdin: input)
    let fast = try run(command + ["--input", "ndjson", "--fast"], stdin: input)
    let isSame = fast.out == plain.out
    #expect(isSame && fast.err == plain.err && fast.status == plain.status)
  }

  /// The result of a run, including rejected records.
  private struct Result: Equatable {
    let out: [UInt8]
    let err: String
    let status: Int32
    let rejects: String
  }

  /// Runs a shell command line in which `IN` is replaced by the input.
  private func result(
    _ command: [String], jobs: String, in folder: Folder, from input: String, named name: String
  ) throws -> Result {
    let rejects = folder.path("rejects")
    try? FileManager.default.removeItem(atPath: rejects)
    let words = (command + ["-j", jobs, "--rejects", "rejects", "--input", "ndjson"]).map {
      "'\($0.replacing("'", with: "'\\''"))'"
    }
    let found = try shell(input.replacing("JSIFT", with: "\"$JSIFT\" " + words.joined(separator: " ")), in: folder)
    let text = try folder.text("rejects").replacing("\"file\":\"\(name)\"", with: "\"file\":\"app.log\"")
    let (shown, quoted) = (name == "-" ? "standard input" : name, "\"file\":\"app.log\"")
    return Result(
      out: Array(
        found.text.replacing("\"file\":\"\(name)\"", with: quoted).replacing("\(shown):", with: "app.log:").utf8),
      err: found.err.replacing(shown, with: "app.log"), status: found.status, rejects: text)
  }

  @Test(arguments: commands, isDebug ? [true] : [true, false])
  func `the output for a log depends neither on workers nor on pipes and compression`(
    command: [String], isDamaged: Bool
  ) throws {
    try withFolder { folder in
      _ = try folder.file("app.log", Self.log(1_300_000, isDamaged: isDamaged))
      _ = try folder.fifo("fifo")
      let expected = try result(command, jobs: "1", in: folder, from: "JSIFT app.log", named: "app.log")
      #expect(!expected.out.isEmpty || command == ["check"])
      #expect(expected.rejects.isEmpty != isDamaged)
      for jobs in isDebug ? ["3"] : ["2", "3", "8"] {
        let file = try result(command, jobs: jobs, in: folder, from: "JSIFT app.log", named: "app.log")
        #expect(file == expected, "\(jobs) workers")
      }
      for jobs in isDebug ? ["3"] : ["1", "3"] {
        for (name, input) in Self.ways {
          let found = try result(command, jobs: jobs, in: folder, from: input, named: name)
          #expect(found == expected, "\(input), \(jobs) workers")
        }
      }
    }
  }

  /// Other ways to deliver the bytes of a file, and the name of the input in messages. A debug build is slow and tests
  /// only one.
  private static let ways: [(name: String, input: String)] = {
    var ways = [("-", "cat app.log | JSIFT")]
    if !isDebug { ways.append(("fifo", "cat app.log >fifo & JSIFT fifo")) }
    #if Compression
      ways.append(("z.gz", "gzip -c app.log >z.gz; JSIFT z.gz"))
      if !isDebug { ways.append(("z.zst", "zstd -q -c app.log >z.zst; JSIFT z.zst")) }
    #endif
    return ways
  }()

  @Test(arguments: commands)
  func `the output for a log does not depend on the size of reads`(command: [String]) throws {
    try withFolder { folder in
      _ = try folder.file("app.log", Self.log(isDebug ? 3_000 : 30_000, isDamaged: true))
      let expected = try result(command, jobs: "1", in: folder, from: "JSIFT app.log", named: "app.log")
      for size in isDebug ? [65] : [1, 2, 3, 7, 31, 64, 65, 127, 200, 300] {
        let input = "dd if=app.log bs=\(size) 2>/dev/null | JSIFT"
        for jobs in isDebug ? ["2"] : ["1", "2"] {
          #expect(try result(command, jobs: jobs, in: folder, from: input, named: "-") == expected, "\(size) bytes")
        }
      }
    }
  }
}
