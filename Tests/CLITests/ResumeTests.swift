import Foundation
import JSONSift
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that is killed at any time and restarted has the same results as a program that runs once.
@Suite struct ResumeTests {
  @Test(arguments: ["1", "2"])
  func `format begins after the line that contains the offset, and the file's start determines the framing`(
    jobs: String
  )
    throws
  {
    try withFolder { folder in
      let lines = String(repeating: "{\"a\":1}\n", count: 150_000)
      let file = try folder.file("x.ndjson", lines)
      let result = try run(["format", "--compact", "--from-offset", "3", "-j", jobs, file])
      #expect(result.out == Array(lines.utf8.dropFirst(8)))
      #expect(result.err.contains("--from-offset 3 is in the middle of a line"))
      // The input after the offset alone would be read as one document.
      let other = try folder.file("u.txt", "{\"a\":1}\n{\"a\":2}\n{\"a\":[\n1]}\n")
      let formatted = try run(["format", "--compact", "--from-offset", "16", "-j", jobs, other])
      let records = try run(["records", "--from-offset", "16", "-j", jobs, other])
      #expect(formatted.out == records.out && formatted.err == records.err && formatted.status == records.status)
      #expect(records.err.contains("2 bad records were skipped"))
    }
  }

  private static let readers = ["decoder", "records", "workers"]
  private static let kills = 100

  @Test func `a program that is killed 100 times has the counts and rejects of one run`() throws {
    var random = SeededGenerator()
    let log = Self.log(lines: 6000, &random)
    try withFolder { folder in
      _ = try folder.file("visits.ndjson", log)
      #expect(try Self.start("records", in: folder, batch: 1000).finish() == 0)
      let whole = try Self.result(in: folder)
      #expect(whole.bad > 100 && whole.visits > 4000)

      var kills = 0
      var resumed = 0
      var runs = 0
      while kills < Self.kills {
        try Self.forget(folder)
        while try Self.runOnce(in: folder, killed: kills < Self.kills, &random) {
          kills += 1
          if try Self.progress(in: folder) > 0 { resumed += 1 }
        }
        runs += 1
        let found = try Self.result(in: folder)
        #expect(found == whole, "run \(runs) after \(kills) kills, \(random)")
        guard found == whole else { return }
      }
      // A kill before the first state is stored proves nothing.
      #expect(
        resumed > Self.kills / 4, "\(resumed) of \(kills) kills fell on a program that had stored a state; \(random)")
    }
  }

  /// The results that must be equal.
  private struct Result: Equatable {
    var visits: Int
    var milliseconds: Double
    var bad: Int
    var offset: Int?
    var rejects: [UInt8]
  }

  /// Starts the program, and kills it after a moment unless it ends first. Returns whether it was killed.
  private static func runOnce(in folder: Folder, killed: Bool, _ random: inout SeededGenerator) throws -> Bool {
    let child = try start(readers[Int.random(in: 0..<readers.count, using: &random)], in: folder, batch: 40)
    guard killed else {
      #expect(child.finish() == 0, "\(String(decoding: child.err, as: UTF8.self))")
      return false
    }
    _ = child.lines(1)
    usleep(UInt32.random(in: 0...40_000, using: &random))
    child.send(signal: SIGKILL)
    let status = child.finish()
    #expect(status == -SIGKILL || status == 0, "\(String(decoding: child.err, as: UTF8.self))")
    return status == -SIGKILL
  }

  private static func start(_ reader: String, in folder: Folder, batch: Int) throws -> Child {
    try Child(
      Tool.path(of: "ResumableCount"), [folder.path, reader, "\(batch)"].map { Array($0.utf8) }, hasInput: false)
  }

  private static func forget(_ folder: Folder) throws {
    for name in ["state.json", "rejects.ndjson"] { try FileManager.default.removeItem(atPath: folder.path(name)) }
  }

  private static func progress(in folder: Folder) throws -> Int {
    let path = folder.path("state.json")
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    return try JSON(contentsOf: path)["reader"]["byteOffset"].intValue
  }

  private static func result(in folder: Folder) throws -> Result {
    let state = try JSON(contentsOf: folder.path("state.json"))
    return Result(
      visits: state["visits"].intValue, milliseconds: state["milliseconds"].doubleValue, bad: state["bad"].intValue,
      offset: state["reader"]["byteOffset"].int,
      rejects: Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("rejects.ndjson")))))
  }

  /// Visits with all kinds of bad lines among them.
  private static func log(lines: Int, _ random: inout SeededGenerator) -> String {
    var text = ""
    for line in 0..<lines {
      switch Int.random(in: 0..<16, using: &random) {
      case 0: text += ["", "  ", "\r"][line % 3]
      case 1: text += "{\"user\":\(line),\"ms\":"
      case 2: text += "{\"user\":\"none\",\"ms\":1}"
      case 3:
        text += "{\"user\":1,\"ms\":2,\"long\":\"\(String(repeating: "x", count: line % 90 == 0 ? 5000 : line % 90))\"}"
      default: text += "{\"user\":\(line),\"ms\":\(line % 50)}"
      }
      if line < lines - 1 { text += "\n" }
    }
    return text
  }
}
