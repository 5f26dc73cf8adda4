import Foundation
import JSONSift
import TestSupport
import Testing

/// Runs in simulated worlds whose system calls fail. `Scripts/simulate` runs many more of them.
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

  @Test func `an interrupted call is repeated when a file is replaced`() throws {
    for seed: UInt64 in 0..<50 {
      let world = SimulatedWorld(seed: seed)
      world.interrupted = Set(SimulatedWorld.Call.allCases)
      world.add("out", Array("old".utf8), .output)
      try JSON([1, 2]).write(to: world.path("out"))
      #expect(world.file("out")?.bytes == Array("[1,2]".utf8))
      #expect(world.allNames == ["out"])
      #expect(world.offences.isEmpty)
      #expect(!world.isChangedSinceSynchronized)
      #expect(world.end() == 0)
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
}
