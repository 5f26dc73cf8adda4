/// Prints what `run compare` measured.
enum CompareTable {
  static let legend = """

    Each is a whole process, its start included; `start` is what the same command takes for one record. MB are 10^6
    bytes. `x` is a speed: 2.00 is twice as fast as the baseline in the same round; in brackets the lowest and highest
    round. `first` is when the first result came through a pipe; `peak` is the most memory; `wall s` is the time from start
    to end, and `cpu s` the processor time of all threads: where it is more, several ran at once.
    A * says: text that is no JSON was taken, where the flaw stood in a value that was not asked for; below stands which.
    """

  static func show(_ question: Comparisons.Question) {
    print("\n== \(question.name): \(question.title)")
    print("   \(size(question.bytes)), \(question.rounds) rounds, x \(question.baseline)\n")
    let unit = question.isStart ? "ms" : "MB/s"
    print(
      column("", 36) + right(unit, 8) + "   " + column("x", 24) + right("first ms", 9) + right("peak MB", 9)
        + right("wall s", 8) + right("cpu s", 8) + right("start ms", 10))
    for row in question.rows {
      let mark = row.isStrict ? "" : " *"
      let own = row.bytes == question.bytes ? "" : " (\(size(row.bytes)))"
      let figure = question.isStart ? row.seconds.median * 1e3 : row.megabytesPerSecond.median
      let first = row.firstResultSeconds.map { fixed($0.median * 1e3, 1) } ?? ""
      print(
        column("  " + row.name + mark + own, 36) + right(fixed(figure, figure < 100 ? 1 : 0), 8) + "   "
          + column(row.kind == .floor ? text(row.ratio) + " floor" : text(row.ratio), 24) + right(first, 9)
          + right(fixed(row.peakMegabytes, 1), 9) + right(fixed(row.seconds.median, 2), 8)
          + right(fixed(row.cpuSeconds, 2), 8)
          + right(row.startSeconds.map { fixed($0 * 1e3, 1) } ?? "", 10))
    }
    for remark in Set(question.rows.compactMap(\.remark)).sorted() {
      let names = question.rows.filter { $0.remark == remark }.map(\.name).joined(separator: ", ")
      print("   \(names): \(remark)")
    }
    for note in question.leftOut { print("   left out: \(note)") }
    var reported: Set<String> = []
    for row in question.rows {
      let accepts = row.accepts.joined(separator: ", ")
      guard !row.isStrict, reported.insert(accepts).inserted else { continue }
      let names = question.rows.filter { $0.accepts == row.accepts }.map(\.name).joined(separator: ", ")
      print("   * \(names) took: \(accepts)")
    }
  }

  static func show(_ losses: [Comparisons.Loss], in questions: [Comparisons.Question]) {
    print("\n== Where others are better than the best of ours")
    if losses.isEmpty { return print("   Nowhere, in these questions and on this machine.") }
    for measure in ["speed", "first result", "memory"] {
      let found = losses.filter { $0.measure == measure }
      if found.isEmpty { continue }
      print("\n  \(measure)")
      for loss in found {
        let strict = loss.isStrict ? ", of those without *" : ""
        print(
          column("    " + loss.question, 14) + column(loss.winner, 26) + right(fixed(loss.factor, 2), 7)
            + " x \(loss.ours)" + strict)
      }
    }
  }
}

/// A round size: the generated files are a little longer.
func size(_ bytes: Int) -> String {
  let (value, unit) = bytes >= 1_000_000_000 ? (1e9, "GB") : bytes >= 1_000_000 ? (1e6, "MB") : (1e3, "KB")
  let text = fixed(Double(bytes) / value, 1)
  return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " " + unit
}
