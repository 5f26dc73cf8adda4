import CBenchSystem
import Foundation

/// One run of a program, as `compare-meter` saw it.
struct Meter {
  /// What it printed: lines, their sum in thousandths, and how many are no numbers.
  struct Answer: Equatable, CustomStringConvertible {
    var lines: Int
    var sum: Int
    var others = 0

    var description: String {
      "\(lines) lines, sum \(fixed(Double(sum) / 1000, 1))" + (others > 0 ? ", \(others) of them no numbers" : "")
    }
  }

  let status: Int
  let answer: Answer
  let seconds: Double
  /// Until the first line was there.
  let firstSeconds: Double
  /// On all cores.
  let cpuSeconds: Double
  let peakBytes: Int

  /// - Parameter file: Is read before the clock starts, so that it is in memory.
  static func run(_ words: [String], file: String, meter: String) throws -> Meter {
    var arguments = ([meter, file] + words).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var output = [CChar](repeating: 0, count: 1024)
    let status = bench_run_child(&arguments, &output, output.count)
    let text = String(decoding: output.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let fields = text.split(whereSeparator: \.isWhitespace)
    guard status == 0, fields.count == 8, let own = Int(fields[0]), let lines = Int(fields[1]),
      let sum = Int(fields[2]), let others = Int(fields[3]), let seconds = Double(fields[4]),
      let first = Double(fields[5]), let cpu = Double(fields[6]), let peak = Int(fields[7])
    else { throw Worker.Failed(description: "compare-meter ended with status \(status): \(text)") }
    return Meter(
      status: own, answer: Answer(lines: lines, sum: sum, others: others), seconds: seconds, firstSeconds: first,
      cpuSeconds: cpu, peakBytes: peak)
  }
}
