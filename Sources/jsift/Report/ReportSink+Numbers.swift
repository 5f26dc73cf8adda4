import JSONSift
import JSONSiftAnalysis

/// How the numbers of the records change over time.
extension ReportSink {
  /// The numbers of an interval: its start, how many there are, and their percentiles, which ascend.
  private struct Interval {
    let number: Int128
    let text: String
    let numbers: Percentiles
    let p50, p95, p99: Double

    /// Returns `nil` without numbers.
    init?(_ number: Int128, _ numbers: Percentiles, _ intervals: TimeIntervals) {
      guard let named = numbers.named else { return nil }
      (self.number, self.numbers) = (number, numbers)
      (p50, p95, p99) = (named[0], named[1], named[2])
      text = intervals.text(of: number)
    }

    var cells: [Cell] {
      [p50, p95, p99].map { number in Percentiles.text(number).map { .json(Array($0.utf8)) } ?? .absent }
    }
  }

  /// - Parameter fields: The fields that may be shown.
  /// - Returns: Those that are.
  func addTimedNumbers(
    _ found: TimedNumbers.Found, _ intervals: TimeIntervals, _ fields: [Int], to content: inout ReportContent
  ) -> [Int] {
    var shown: [Int] = []
    let length = Timespan.text(found.length)
    var section = ReportContent.Section(
      id: "numbers-time", title: "Numbers over time", command: questions.numbersCommand(length),
      columns: ["name", "time", "count"] + Percentiles.names, isFolded: true)
    for field in fields {
      let rows = found.intervals.compactMap { Interval($0.number, $0.numbers[field], intervals) }
      let path = questions.fields.numbers[field].path.memberNames
      // A percentile of few numbers is one of them.
      let areShown = rows.allSatisfy { $0.cells.allSatisfy { mask.cell($0, at: path).plain == $0.plain } }
      guard rows.count > 1, areShown else { continue }
      shown.append(field)
      let name = mask.text(questions.numberNames[field])
      section.rows += rows.map { [.text(name), .text($0.text), Cell($0.numbers.count)] + $0.cells }
      if let chart = chart("\(name) per \(length)", rows) { section.charts.append(chart) }
    }
    if !section.rows.isEmpty { content.sections.append(section) }
    return shown
  }

  /// Returns columns from zero to the percentiles; `nil` if there are negative ones.
  private func chart(_ title: String, _ rows: [Interval]) -> Chart? {
    guard rows.allSatisfy({ $0.p50 >= 0 }) else { return nil }
    var chart = Chart(title: title, parts: Percentiles.names, isTimed: true)
    (chart.isSmall, chart.isCompact, chart.partStyles) = (true, true, [.blue, .amber, .red])
    var last: Int128?
    for row in rows {
      if let last { chart.addGap(of: row.number - last - 1) }
      last = row.number
      chart.rows.append(
        .init(label: row.text, mark: .bar([row.p50, row.p95 - row.p50, row.p99 - row.p95]), figure: ""))
    }
    return chart
  }

  /// The number of numbers from which on their percentiles are not chance.
  static let enoughNumbers = 20

  /// Sentences about intervals whose numbers are far larger than usual.
  func slow(_ found: TimedNumbers.Found, _ intervals: TimeIntervals, _ fields: [Int]) -> [String] {
    fields.flatMap { field in
      let rows = found.intervals.compactMap { Interval($0.number, $0.numbers[field], intervals) }
      return slow(mask.text(questions.numberNames[field]), rows, Timespan.text(found.length))
    }
  }

  private func slow(_ name: String, _ rows: [Interval], _ length: String) -> [String] {
    let usual = rows.filter { $0.numbers.count >= Self.enoughNumbers }.map(\.p95).sorted()
    // A number that always grows, such as an offset, is larger later.
    guard usual.count >= 4, !zip(rows, rows.dropFirst()).allSatisfy({ $0.p50 < $1.p50 }) else { return [] }
    // A lower quartile: what is normal is still there when half of the time something is wrong.
    let normal = usual[usual.count / 4]
    guard normal >= 0 else { return [] }
    let bound = 2 * normal
    let large = rows.map { $0.numbers.count(above: bound) }
    // The share of large numbers where they are few.
    let others = rows.indices.filter { rows[$0].p95 <= bound }
    let sum = others.reduce(0) { $0 + rows[$1].numbers.count }
    let share = Double(max(others.reduce(0) { $0 + large[$1] }, 1)) / Double(max(sum, 1))
    let areSlow = rows.indices.map { index in
      rows[index].p95 > bound && Chance.isTooMany(large[index], ofUsual: share * Double(rows[index].numbers.count))
    }
    let found = rows.indices.filter { areSlow[$0] }
    guard let peak = found.max(by: { rows[$0].p95 < rows[$1].p95 }) else { return [] }
    let stretch = Self.stretch(rows.map(\.text), around: peak) { areSlow[$0] && rows[$0].p95 * 2 >= rows[peak].p95 }
    return [
      "p95 of \(name): up to \(Chart.text(rows[peak].p95)) per \(length), \(stretch); a quarter of all intervals with numbers have at most \(Chart.text(normal))"
    ]
  }
}

/// What random events do.
enum Chance {
  /// Returns whether chance does not explain a number of events: it makes so many in less than one of a million intervals.
  /// Chernoff bounds this for Poisson's distribution.
  ///
  /// - Parameter usual: The mean number of events of an interval.
  static func isTooMany(_ count: Int, ofUsual usual: Double) -> Bool {
    let count = Double(count)
    guard count >= 5, count > usual else { return false }
    guard usual > 0 else { return true }
    return count * log(count / usual) - count + usual > 14
  }
}
