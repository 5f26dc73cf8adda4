import Foundation

/// One figure, as it stands in the file of `--json`.
struct Figure: Codable {
  let section: String
  /// The document, log or size that was worked on.
  let subject: String
  /// Who did the work.
  let side: String
  /// What the value is: a unit, or a ratio and what to.
  let measure: String
  let value: Double
  var min: Double?
  var max: Double?
}

/// A side gave another answer than the reference. Nothing is timed after that.
struct WrongAnswer: Error, CustomStringConvertible {
  let description: String
}

func check<Answer: Equatable>(_ answer: Answer, is expected: Answer, _ what: String) throws {
  guard answer == expected else {
    throw WrongAnswer(description: "\(what): got \(answer), expected \(expected)")
  }
}

/// Prints figures as tables and keeps them.
final class Report {
  private(set) var figures: [Figure] = []
  private var section = ""

  func begin(_ name: String, _ question: String) {
    section = name
    print("\n== \(name): \(question)")
  }

  /// An empty note is an empty line.
  func note(_ text: String) { print(text.isEmpty ? "" : "   \(text)") }

  func add(_ subject: String, _ side: String, _ measure: String, _ value: Double) {
    figures.append(Figure(section: section, subject: subject, side: side, measure: measure, value: value))
  }

  func add(_ subject: String, _ side: String, _ measure: String, _ spread: Spread) {
    figures.append(
      Figure(
        section: section, subject: subject, side: side, measure: measure, value: spread.median, min: spread.min,
        max: spread.max))
  }

  /// Prints throughput, and ratios to one or two baselines.
  func table(_ subject: String, bytes: Int, baselines: [String], _ rows: [Comparison]) {
    let heads = baselines.map { column("x \($0)", 30) }.joined()
    print("\n\(subject), \(megabytes(bytes))")
    print(column("", 30) + right("MB/s", 8) + "   " + heads)
    for row in rows {
      let rate = Double(bytes) / row.seconds.median / 1e6
      let ratios = row.ratios.map { column(text($0), 30) }.joined()
      print(column("  " + row.name, 30) + right(fixed(rate, rate < 100 ? 1 : 0), 8) + "   " + ratios)
      add(subject, row.name, "MB/s", rate)
      for (baseline, ratio) in zip(baselines, row.ratios) { add(subject, row.name, "x \(baseline)", ratio) }
    }
  }

  /// Says whether what is wanted was reached. A miss is no failure: a busy machine misses too.
  func wanted(_ what: String, _ value: Double, atLeast target: Double) {
    verdict(what, value, ">= \(fixed(target, 2))", value >= target)
  }

  func wanted(_ what: String, _ value: Double, atMost target: Double) {
    verdict(what, value, "<= \(fixed(target, 2))", value <= target)
  }

  private func verdict(_ what: String, _ value: Double, _ target: String, _ isMet: Bool) {
    print("   \(what): \(fixed(value, 2)), wanted \(target): \(isMet ? "met" : "MISSED")")
    add("wanted", what, target, value)
  }

  func write(to path: String, machine: [String: String]) throws {
    struct File: Encodable {
      let machine: [String: String]
      let figures: [Figure]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(File(machine: machine, figures: figures)).write(to: URL(fileURLWithPath: path))
  }
}

// MARK: Text

func fixed(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

func megabytes(_ bytes: Int) -> String { fixed(Double(bytes) / 1e6, bytes < 10_000_000 ? 2 : 0) + " MB" }

func column(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(width - text.count, 1))
}

func right(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(width - text.count, 0)) + text }

/// `0.93 (0.90-0.95)`
func text(_ ratio: Spread) -> String {
  let digits = ratio.median < 0.1 ? 3 : ratio.median < 10 ? 2 : 1
  return "\(fixed(ratio.median, digits)) (\(fixed(ratio.min, digits))-\(fixed(ratio.max, digits)))"
}
