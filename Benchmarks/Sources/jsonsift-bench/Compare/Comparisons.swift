import Foundation

/// All figures of one run of `run compare`: what `--json` writes, and charts are drawn from.
struct Comparisons: Codable {
  /// Of this form, so that a program that reads it can tell.
  var version = 1
  let command: String
  let machine: [String: String]
  let versions: [String: String]
  let missing: [String]
  var questions: [Question] = []
  var losses: [Loss] = []

  struct Question: Codable {
    let name: String
    let title: String
    let bytes: Int
    let rounds: Int
    let isStream: Bool
    let isStart: Bool
    let baseline: String
    var rows: [Row] = []
    /// Who gave no answer or a wrong one, and is not timed.
    var leftOut: [String] = []
  }

  struct Row: Codable {
    let name: String
    let kind: Contender.Kind
    /// The last command that was timed.
    let command: [String]
    /// The file that it was given, where it is not that of the question.
    let bytes: Int
    let seconds: Spread
    /// 10⁶ bytes for each second, the start of the process among them.
    let megabytesPerSecond: Spread
    /// How many times as fast as the baseline, of rounds that ran side by side.
    let ratio: Spread
    let firstResultSeconds: Spread?
    let cpuSeconds: Double
    let peakMegabytes: Double
    /// The same command on a document or log of one record.
    let startSeconds: Double?
    /// Flaws that it did not notice, each in a value that was not asked for; see `Flaws`.
    let accepts: [String]
    let remark: String?

    var isStrict: Bool { accepts.isEmpty }
  }

  /// A question in which another program is better.
  struct Loss: Codable {
    let question: String
    /// `speed`, `first result` or `memory`.
    let measure: String
    let winner: String
    let ours: String
    let factor: Double
    /// Whether only those were compared that notice every flaw, and ours that do.
    let isStrict: Bool
  }
}

extension Comparisons {
  /// Where we lose: to each peer that is better than the best of ours, and to each that notices every flaw,
  /// where our best that does is worse. A hundredth is not told.
  mutating func findLosses() {
    losses = questions.flatMap { question in
      [
        Self.losses(question, "speed") { $0.megabytesPerSecond.median },
        Self.losses(question, "memory") { 1 / max($0.peakMegabytes, 0.001) },
        question.isStream
          ? Self.losses(question, "first result") { $0.firstResultSeconds.map { 1 / max($0.median, 1e-6) } } : [],
      ].flatMap(\.self)
    }
  }

  private static func losses(_ question: Question, _ measure: String, _ merit: (Row) -> Double?) -> [Loss] {
    var found: [Loss] = []
    for isStrict in [false, true] {
      let rows = question.rows.filter { !isStrict || $0.isStrict }
      let best = rows.filter { $0.kind == .ours }.compactMap { row in merit(row).map { (row, $0) } }
        .max { $0.1 < $1.1 }
      guard let (ours, own) = best else { continue }
      for peer in rows where peer.kind == .peer {
        guard let other = merit(peer), other > own * 1.01 else { continue }
        // Told already, against a better one of ours.
        if isStrict, found.contains(where: { $0.winner == peer.name }) { continue }
        found.append(
          Loss(
            question: question.name, measure: measure, winner: peer.name, ours: ours.name, factor: other / own,
            isStrict: isStrict))
      }
    }
    return found
  }
}
