import Foundation
import TestSupport

/// Runs the library in simulated worlds with faults; see ``FaultRun``. `Scripts/simulate` builds and starts it.
///
///     FaultSimulator COUNT SEED [first]
///
/// Runs the seeds from SEED on. Prints the seeds whose run fails, and exits with 1 if there is one; with `first` it ends at
/// the first of them.
@main
enum FaultSimulator {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 || arguments.count == 4 && arguments[3] == "first", let count = UInt64(arguments[1]),
      let first = UInt64(arguments[2])
    else {
      print("usage: FaultSimulator COUNT SEED [first]")
      exit(2)
    }
    let start = ContinuousClock.now
    var failed = 0
    for seed in first..<(first + count) {
      let violations = await FaultRun(seed: seed).violations()
      guard !violations.isEmpty else { continue }
      failed += 1
      if arguments.count == 4 {
        print("seed \(seed): \(violations[0])")
        exit(1)
      }
      for violation in violations.prefix(3) where failed <= 20 { print("seed \(seed): \(violation)") }
    }
    for (fault, count) in FaultRun.faultCounts.sorted(by: { $0.key < $1.key }) { print("  \(count) x \(fault)") }
    let threads = threadCount()
    print(
      "seeds \(first)..<\(first + count): \(failed) failed, \(start.duration(to: .now)), \(threads.map { "\($0) threads" } ?? "")"
    )
    // The threads of the task pool and the one that waits for descriptors stay.
    let maxThreads = ProcessInfo.processInfo.activeProcessorCount + 8
    if let threads, threads > maxThreads { print("expected at most \(maxThreads) threads, found \(threads)") }
    exit(failed == 0 && threads ?? 0 <= maxThreads ? 0 : 1)
  }

  /// The number of threads of the process, after those that are about to end have ended.
  private static func threadCount() -> Int? {
    _ = usleep(20_000)
    return (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))?.count
  }
}
