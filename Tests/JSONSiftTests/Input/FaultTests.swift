import TestSupport
import Testing

/// Runs in simulated worlds whose system calls fail. `Scripts/simulate` runs many more of them.
@Suite struct FaultTests {
  @Test func `after any faults of the system records, output, rejects and result of a run are true`() async {
    let generator = SeededGenerator()
    let first = generator.seed % (1 << 48)
    var failures: [String] = []
    for seed in first..<(first + 300) {
      for violation in await FaultRun(seed: seed).violations() { failures.append("seed \(seed): \(violation)") }
    }
    #expect(failures.isEmpty, "\(generator): \(failures.prefix(5))")
  }
}
