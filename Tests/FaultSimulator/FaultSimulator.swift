import Foundation
import TestSupport

/// Runs the library in simulated worlds with faults; see ``FaultRun``. `Scripts/check simulate` builds and starts it.
///
///     FaultSimulator COUNT SEED [first]
///
/// Runs the seeds from SEED on. Prints the seeds whose run fails, and exits with 1 if there is one; with `first` it ends at
/// the first of them.
@main enum FaultSimulator {
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
    var early: Int?
    for seed in first..<(first + count) {
      // By then each kind of run has happened.
      if seed == first + count / 2 { early = heldBytes() }
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
    // Runs that are cancelled, fail or end early must not leave memory behind.
    var hasLeaked = false
    if let early, let late = heldBytes() {
      print("memory after half of the seeds: \(early) bytes; at the end: \(late)")
      hasLeaked = count >= manySeeds && late - early > maxGrowth
      if hasLeaked { print("expected at most \(maxGrowth) bytes more") }
    }
    // The threads of the task pool and the one that waits for descriptors stay.
    let maxThreads = ProcessInfo.processInfo.activeProcessorCount + 8
    if let threads, threads > maxThreads { print("expected at most \(maxThreads) threads, found \(threads)") }
    exit(failed == 0 && !hasLeaked && threads ?? 0 <= maxThreads ? 0 : 1)
  }

  /// The memory may grow by `maxGrowth` bytes in the second half of a run. Runs of fewer than `manySeeds` seeds do not fill all
  /// caches, so their growth is not checked.
  private static let (maxGrowth, manySeeds) = (1_000_000, UInt64(100_000))

  /// The resident memory of the process, after the allocator has returned what is free; `nil` where that is not possible.
  private static func heldBytes() -> Int? {
    guard let trim = unsafe dlsym(nil, "malloc_trim") else { return nil }
    // SAFETY: this is the type of the function in glibc, the only C library that has it. Swift's module of glibc lacks it.
    _ = unsafe unsafeBitCast(trim, to: (@convention(c) (Int) -> CInt).self)(0)
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) }
  }

  /// The number of threads of the process, after those that are about to end have ended.
  private static func threadCount() -> Int? {
    _ = usleep(20_000)
    return (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))?.count
  }
}
