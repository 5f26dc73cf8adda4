import JSONSift
import JSONSiftAnalysis

/// When the records were written: pictures over time, and what stands out in them.
extension ReportSink {
  func addTimes(_ timeline: ReportTally.Timeline, to content: inout ReportContent) {
    guard let time = questions.fields.time else { return }
    let (picture, intervals) = timeline
    let length = Timespan.text(picture.length)
    let hasLevels = questions.fields.level != nil
    let names = picture.values.enumerated().map { index, text -> String in
      if picture.hasOthers, index == picture.values.count - 1 { return Chart.otherPart }
      return shown(Groups.cell(text), of: questions.fields.level)
    }
    // The records of these have levels, which are not known.
    let known = picture.hasOthers ? picture.values.count - 1 : picture.values.count
    var section = ReportContent.Section(
      id: "time", title: "Over time", command: questions.timesCommand(length),
      columns: ["time"] + (hasLevels ? ["level"] : []) + ["count"], isFolded: true)
    let texts = picture.intervals.map { intervals.text(of: $0.number) }
    for (interval, text) in zip(picture.intervals, texts) {
      for (value, count) in interval.counts.enumerated() where count > 0 && value < known {
        section.rows.append([.text(text)] + (hasLevels ? [level(picture, value)] : []) + [Cell(count)])
      }
    }
    for (value, count) in picture.untimed.enumerated() where count > 0 && value < known {
      section.rows.append([.absent] + (hasLevels ? [level(picture, value)] : []) + [Cell(count)])
    }
    let untimed = picture.untimed.reduce(0, +)
    if untimed > 0 {
      section.notes.append("\(untimed) records without a time at \(mask.text(time.text)) are not in the pictures.")
    }
    if picture.hasOthers {
      section.notes.append("Levels after the first \(known) are together '\(Chart.otherPart)', and not in the table.")
    }
    if let strays = picture.strays,
      let seconds = questions.plan.intervals(TimeCounts.rowLength)
    {
      let (first, last) = (seconds.text(of: strays.rows.lowerBound), seconds.text(of: strays.rows.upperBound))
      section.notes.append(
        "\(strays.count) records have times far from all others, from about \(first) to \(last); they are not shown.")
    }
    if let first = texts.first, let last = texts.last {
      section.notes.append("The first interval of \(length) begins at \(first), the last at \(last).")
      let gaps = zip(picture.intervals, picture.intervals.dropFirst()).filter { $1.number - $0.number > 1 }
      if let widest = gaps.max(by: { $0.1.number - $0.0.number < $1.1.number - $1.0.number }) {
        let missing = widest.1.number - widest.0.number - 1
        section.notes.append(
          "\(gaps.count == 1 ? "One gap has" : "\(gaps.count) gaps have") no records; the longest is of \(missing) intervals after "
            + "\(intervals.text(of: widest.0.number)).")
      }
    }
    section.charts = charts(picture, names, intervals, length)
    content.findings += findings(picture, names, intervals, length)
    content.sections.append(section)
  }

  func level(_ picture: TimeCounts.Picture, _ value: Int) -> Cell {
    mask.cell(Groups.cell(picture.values[value]), at: questions.fields.level?.path.memberNames ?? [])
  }

  /// One picture of all records, and one of each level with a scale of its own.
  func charts(
    _ picture: TimeCounts.Picture, _ names: [String], _ intervals: TimeIntervals, _ length: String
  ) -> [Chart] {
    let totals = names.indices.map { value in picture.intervals.reduce(0) { $0 + $1.counts[value] } }
    let ranked = totals.indices.sorted { totals[$0] != totals[$1] ? totals[$0] > totals[$1] : $0 < $1 }
    let kept = names.count <= Chart.maxParts + 1 ? Array(names.indices) : ranked.prefix(Chart.maxParts).sorted()
    let others = names.indices.filter { !kept.contains($0) }
    let hasLevels = questions.fields.level != nil
    func chart(_ title: String, parts: [String], _ values: ([Int]) -> [Int]) -> Chart {
      var chart = Chart(title: title, parts: parts, isTimed: true)
      var last: Int128?
      for interval in picture.intervals {
        if let last { chart.addGap(of: interval.number - last - 1) }
        last = interval.number
        let values = values(interval.counts)
        let figure =
          parts.isEmpty
          ? "\(values[0])" : zip(parts, values).filter { $0.1 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
        chart.rows.append(
          .init(label: intervals.text(of: interval.number), mark: .bar(values.map(Double.init)), figure: figure))
      }
      return chart
    }
    guard hasLevels, names.count > 1 else {
      return [chart("records per \(length)", parts: []) { [$0.reduce(0, +)] }]
    }
    let parts = kept.map { names[$0] } + (others.isEmpty ? [] : [Chart.otherPart])
    var charts = [
      chart("records per \(length)", parts: parts) { counts in
        kept.map { counts[$0] } + (others.isEmpty ? [] : [others.reduce(0) { $0 + counts[$1] }])
      }
    ]
    let styles = Chart.PartStyle.of(parts)
    for index in Self.bySeverity(kept.map { names[$0] }) {
      let (value, style) = (kept[index], styles[index])
      var single = chart("\(names[value]) per \(length)", parts: []) { [$0[value]] }
      (single.style, single.isSmall) = (style, true)
      charts.append(single)
    }
    return charts
  }

  /// Sentences about intervals with far more records of a level than others have, the worst level first; about the records of
  /// the worst levels, if they are few; and about intervals with far fewer records than others.
  func findings(
    _ picture: TimeCounts.Picture, _ names: [String], _ intervals: TimeIntervals, _ length: String
  ) -> [String] {
    let texts = picture.intervals.map { intervals.text(of: $0.number) }
    guard picture.intervals.count >= 4 else { return [] }
    let hasLevels = questions.fields.level != nil && names.count > 1
    let styles = Chart.PartStyle.ofLevels(names)
    var findings: [String] = []
    for value in Self.bySeverity(names) {
      let counts = picture.intervals.map { $0.counts[value] }
      let what = hasLevels ? "records of level \(names[value])" : "records"
      let sum = counts.reduce(0, +)
      let found = counts.indices.filter { counts[$0] > 0 }
      if styles[value] == .crimson, sum < 100, let first = found.first, let last = found.last {
        findings.append("\(sum) \(what), \(Self.stretch(texts, first, last))")
        continue
      }
      guard let peak = counts.indices.max(by: { counts[$0] < counts[$1] }) else { continue }
      // A lower quartile: what is normal is still there when half of the time something is wrong.
      let normal = counts.sorted()[counts.count / 4]
      // A quarter of the counts of one rate are so much below it.
      let rate = Double(normal) + Double(normal).squareRoot() + 1
      guard counts[peak] >= 10, counts[peak] > 4 * normal, Chance.isTooMany(counts[peak], ofUsual: rate) else {
        continue
      }
      let stretch = Self.stretch(texts, around: peak) { counts[$0] * 2 >= counts[peak] }
      findings.append(
        "\(what): up to \(counts[peak]) per \(length), \(stretch); a quarter of all intervals with records have at most \(normal)"
      )
    }
    return Array(findings.prefix(Self.maxFindings)) + drops(picture, intervals, length)
  }

  static let maxFindings = 4

  /// Returns the stretch of the intervals around a peak that belong to it.
  static func stretch(_ texts: [String], around peak: Int, _ belongs: (Int) -> Bool) -> String {
    var (start, end) = (peak, peak)
    while start > 0, belongs(start - 1) { start -= 1 }
    while end + 1 < texts.count, belongs(end + 1) { end += 1 }
    return stretch(texts, start, end)
  }

  static func stretch(_ texts: [String], _ start: Int, _ end: Int) -> String {
    start == end ? "at \(texts[start])" : "from \(texts[start]) to \(texts[end])"
  }

  /// A sentence about the longest stretch in which far fewer records were written than usual, or none, apart from the ends.
  private func drops(_ picture: TimeCounts.Picture, _ intervals: TimeIntervals, _ length: String) -> [String] {
    let counts = picture.intervals.map { (number: $0.number, sum: $0.counts.reduce(0, +)) }
    let median = counts.map(\.sum).sorted()[counts.count / 2]
    guard median >= 20 else { return [] }
    var longest: (start: Int128, end: Int128, most: Int)?
    var open: (start: Int128, end: Int128, most: Int)?
    for (last, next) in zip(counts, counts.dropFirst()) {
      let isLow = next.sum * 5 < median && next.number != counts.last?.number
      if next.number - last.number > 1 || isLow {
        let end = isLow ? next.number : next.number - 1
        let most = max(open?.most ?? 0, isLow ? next.sum : 0)
        let start = open?.start ?? (next.number - last.number > 1 ? last.number + 1 : next.number)
        open = (start, end, most)
        if let found = open, longest.map({ found.end - found.start > $0.end - $0.start }) ?? true { longest = found }
      }
      if !isLow { open = nil }
    }
    guard let longest else { return [] }
    let texts = [longest.start, longest.end].map { intervals.text(of: $0) }
    return [
      "\(longest.most == 0 ? "no records" : "few records: at most \(longest.most)") per \(length), \(Self.stretch(texts, 0, longest.start == longest.end ? 0 : 1)); half of all intervals with records have \(median) or more"
    ]
  }
}
