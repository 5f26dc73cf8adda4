import Benchmark

/// A file for each room. Before anything is timed, each benchmark's answer is held against what the input says.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput, .instructions, .peakMemoryResident], scalingFactor: .one,
    maxDuration: .seconds(2), maxIterations: 1000)
  events()
  tape()
  paths()
  coding()
}

/// Ends the run where an answer is wrong: a fast wrong answer is none.
func expect<Answer: Equatable>(_ answer: Answer, _ expected: Answer, _ what: String) {
  precondition(answer == expected, "\(what): \(answer), expected \(expected)")
}

/// `try` where nothing can fail but by a mistake of ours.
func must<Result>(_ body: () throws -> Result) -> Result {
  do {
    return try body()
  } catch {
    preconditionFailure("\(error)")
  }
}
