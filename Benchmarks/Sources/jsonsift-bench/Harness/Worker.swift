import CBenchSystem
import Foundation

/// A job in a process of its own.
struct Worker {
  /// What it counted, and how much of what it added up.
  struct Answer: Equatable {
    var count: Int
    var sum: Double
  }

  let answer: Answer
  let seconds: Double
  /// The most memory it had.
  let peakBytes: Int

  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  /// The worker for all that needs no Foundation.
  static let standard = "-worker"

  /// Runs a job, mostly its name and a file. The worker's `main.swift` knows the jobs.
  static func run(_ job: [String], by worker: String = standard) throws -> Worker {
    var words = try ([program(worker)] + job).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var output = [CChar](repeating: 0, count: 1024)
    let status = bench_run_child(&words, &output, output.count)
    let text = String(decoding: output.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let fields = text.split(whereSeparator: \.isWhitespace)
    guard status == 0, fields.count == 4, let count = Int(fields[0]), let sum = Double(fields[1]),
      let seconds = Double(fields[2]), let peak = Int(fields[3])
    else { throw Failed(description: "worker \(job.joined(separator: " ")) ended with status \(status): \(text)") }
    return Worker(answer: Answer(count: count, sum: sum), seconds: seconds, peakBytes: peak)
  }

  /// The worker lies beside this program.
  private static func program(_ worker: String) throws -> String {
    guard let own = Bundle.main.executablePath else { throw Failed(description: "cannot tell where the worker is") }
    let path = own + worker
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Failed(description: "\(path) is missing; Benchmarks/run builds it")
    }
    return path
  }
}
