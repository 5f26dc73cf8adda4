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

  /// - Parameter fields: The fields that are shown.
  func addTimedNumbers(
    _ found: TimedNumbers.Found, _ intervals: TimeIntervals, _ fields: [Int], to content: inout ReportContent
  ) {
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
      let name = mask.text(questions.numberNames[field])
      section.rows += rows.map { [.text(name), .text($0.text), Cell($0.numbers.count)] + $0.cells }
      if let chart = chart("\(name) per \(length)", rows) { section.charts.append(chart) }
      content.findings += slow(name, rows, length)
    }
    if !section.rows.isEmpty { content.sections.append(section) }
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

  /// A sentence about intervals whose numbers are far larger than usual.
  private func slow(_ name: String, _ rows: [Interval], _ length: String) -> [String] {
    guard rows.count >= 4 else { return [] }
    // A lower quartile: what is normal is still there when half of the time something is wrong.
    let normal = rows.map(\.p95).sorted()[rows.count / 4]
    let areSlow = rows.map { row in
      // Of usual numbers one in twenty is above it; of these one in five, and not by chance.
      let share = max(0.2, Double(Self.minSlow) / Double(row.numbers.count))
      return row.p95 >= 2 * normal && share <= 1 && (row.numbers.numbers(at: [1 - share])?[0] ?? 0) > normal
    }
    let found = rows.indices.filter { areSlow[$0] }
    guard normal > 0, let peak = found.max(by: { rows[$0].p95 < rows[$1].p95 }) else { return [] }
    // The stretch around the peak with at least half of it.
    func belongs(_ index: Int) -> Bool {
      rows.indices.contains(index) && areSlow[index] && rows[index].p95 * 2 >= rows[peak].p95
    }
    var (start, end) = (peak, peak)
    while belongs(start - 1) { start -= 1 }
    while belongs(end + 1) { end += 1 }
    let stretch = Self.stretch(rows.map(\.text), start, end)
    return [
      "p95 of \(name): up to \(Chart.text(rows[peak].p95)) per \(length), \(stretch); a quarter of all intervals with numbers have at most \(Chart.text(normal))"
    ]
  }

  /// The number of large numbers that are not chance.
  private static let minSlow = 20
}
