import Foundation
import TestSupport
import Testing

@testable import JSONSift
@testable import JSONSiftAnalysis

/// Runs in simulated worlds whose system calls fail. `Scripts/check simulate` runs many more of them.
@Suite struct FaultTests {
  @Test func `after any faults of the system the records, output, rejects and result of a run are true`() async {
    let generator = SeededGenerator()
    let first = generator.seed % (1 << 48)
    var failures: [String] = []
    for seed in first..<(first + 200) {
      for violation in await FaultRun(seed: seed, hasLongInputs: false).violations() {
        failures.append("seed \(seed): \(violation)")
      }
    }
    #expect(failures.isEmpty, "\(generator): \(failures.prefix(5))")
  }

  @Test func `the same seed has the same faults`() async {
    // Without several threads, whose calls may follow each other in another order.
    for seed: UInt64 in [0, 3, 4, 5, 6, 10, 13, 16] {
      var counts: [[String: Int]] = []
      for _ in 0..<2 {
        let world = SimulatedWorld(seed: seed)
        world.interrupted = Set(SimulatedWorld.Call.allCases)
        world.short = [.read, .write]
        world.add("input", Array(String(repeating: "{\"a\":[1,2,3]}\n", count: 50).utf8), .input)
        var reader = try? JSONRecordReader(.path(world.path("input")))
        while (try? reader?.next()) != nil {}
        reader = nil
        counts.append(world.faultCounts)
        #expect(world.end() == 0)
      }
      #expect(counts[0] == counts[1])
      #expect(!counts[0].isEmpty)
    }
  }

  @Test func `a FIFO is not replaced if the system cannot return its status`() {
    let world = SimulatedWorld(seed: 1)
    world.rules = [.init(.status, .output, 1, EIO)]
    world.add("out", [], .output, kind: .pipe)
    #expect(throws: JSONError.self) { try JSON([1, 2]).write(to: world.path("out")) }
    #expect(world.file("out")?.kind == .pipe)
    #expect(world.end() == 0)
  }

  // MARK: Messages

  private static let record = "{\"n\":1,\"pad\":\"\(String(repeating: "x", count: 1_000))\"}"
  /// More than a block.
  private static let lines = Array(String(repeating: record + "\n", count: 3_000).utf8)
  /// More than the end of a document that has no positions.
  private static let document = Array(("[" + Array(repeating: record, count: 6_000).joined(separator: ",") + "]").utf8)

  /// Indexes a simulated file, as lines or as one document.
  private static func index(_ world: SimulatedWorld, isDocument: Bool) throws -> JSONBlockIndex {
    isDocument
      ? try JSONBlockIndex(of: world.path("input"), elementsOf: "$", workers: 2)
      : try JSONBlockIndex(of: world.path("input"), paths: ["$.n"], workers: 2)
  }

  @Test(arguments: [false, true])
  func `a file is not indexed if a part of it cannot be read`(isDocument: Bool) async throws {
    try await onThread {
      var failures = 0
      while true {
        let world = SimulatedWorld(seed: 1)
        // A document is read again from where one read has failed.
        world.rules = [.init(.read, .input, failures + 1, EIO, repeats: isDocument)]
        world.add("input", isDocument ? Self.document : Self.lines, .input)
        let error = jsonError { _ = try Self.index(world, isDocument: isDocument) }
        #expect(world.end() == 0)
        guard !world.mustReport.isEmpty else {
          #expect(error == nil)
          break
        }
        failures += 1
        let offset = error?.byteOffset ?? 0
        let place = offset > 0 ? " from byte \(offset) on" : ""
        #expect(error?.code == .unreadable, "read \(failures)")
        #expect(error?.message == "the input cannot be read\(place): Input/output error", "read \(failures)")
      }
      #expect(failures > 5)
    }
  }

  @Test(arguments: [false, true])
  func `a file that grows while it is indexed is not indexed`(isDocument: Bool) async throws {
    try await onThread {
      var changes = 0
      for steps in 0..<30 {
        let world = SimulatedWorld(seed: 1)
        world.add("input", isDocument ? Self.document : Self.lines, .input)
        world.changes = [(steps, .append(Array("\n ".utf8)))]
        let error = jsonError { _ = try Self.index(world, isDocument: isDocument) }
        #expect(world.end() == 0)
        guard let error else { continue }
        changes += 1
        #expect(error.code == .unreadable && error.byteOffset == 0)
        #expect(error.message == "expected a file that does not change while it is indexed, found a change")
      }
      #expect(changes > 0)
    }
  }

  @Test func `rejects keep their offsets after another process has emptied their file`() throws {
    let world = SimulatedWorld(seed: 1)
    var rejects = try JSONRejectWriter(path: world.path("rejects"))
    world.add("input", Array("!\n?\n".utf8), .input)
    var reader = try JSONRecordReader(
      .path(world.path("input")), options: JSONRecordOptions(framing: .lines, recovery: .report))
    var expected: [UInt8] = []
    while case .failure(let bad)? = try reader.nextResult() {
      if !expected.isEmpty {
        world.foreignChange = (0, .rejectsEmptied)
        expected = [UInt8](repeating: 0, count: expected.count)
      }
      try rejects.write(bad, from: "input")
      expected += JSONRejectWriter.line(bad, file: "input")
    }
    let checkpoint = try rejects.checkpoint()
    try rejects.close()
    #expect(world.file("rejects")?.bytes == expected)
    #expect(checkpoint.byteOffset == expected.count && expected.contains(0))
  }

  @Test func `an existing file that cannot be deleted is reported`() throws {
    let world = SimulatedWorld(seed: 1)
    world.rules = [.init(.remove, .output, 1, EACCES)]
    world.add("out", Array("old".utf8), .output)
    let file = try ReplacementFile(Array(world.path("out").utf8))
    let error = #expect(throws: File.Failure.self) { try file.discardBoth() }
    #expect(error?.number == EACCES)
    #expect(world.file("out")?.bytes == Array("old".utf8))
  }

  @Test func `an error of a file that is read ahead has the offset at which reading failed`() throws {
    // Long files are read ahead.
    let bytes = Array(String(repeating: Self.record + "\n", count: 10_000).utf8)
    var offsets: [Int] = []
    for number in 1...12 {
      let world = SimulatedWorld(seed: 1)
      world.rules = [.init(.read, .input, number, EIO)]
      world.add("input", bytes, .input)
      let error = jsonError {
        var window = try ReadWindow(.path(world.path("input")), readsAhead: true)
        while try window.fill() { window.use(window.count) }
      }
      let offset = error?.byteOffset ?? -1
      let place = offset > 0 ? " from byte \(offset) on" : ""
      #expect(error?.code == .unreadable)
      #expect(error?.message == "the input cannot be read\(place): Input/output error")
      offsets.append(offset)
      #expect(world.end() == 0)
    }
    #expect(offsets.first == 0 && offsets == offsets.sorted() && Set(offsets).count > 6, "\(offsets)")
  }
}
