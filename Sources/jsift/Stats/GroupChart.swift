import JSONSift
import JSONSiftAnalysis

/// The pictures of groups: their counts as bars, or the spread of the numbers of each path.
struct GroupChart {
  private let groups: Groups
  private let names: GroupNames
  private let intervals: TimeIntervals?
  /// The groups to show, in their order.
  private let order: [Int]
  private let isLogarithmic: Bool
  /// Whether all intervals are shown in the order of time.
  private let isTimed: Bool
  /// The labels of the keys of each group to show, and what tells different values apart.
  private let keys: [[(label: String, identity: [UInt8])]]

  /// - Parameter top: The number of groups with the most records to show; `nil` for all.
  init(_ groups: Groups, _ names: GroupNames, _ intervals: TimeIntervals?, top: Int?, isLogarithmic: Bool) {
    self.groups = groups
    self.names = names
    self.intervals = intervals
    self.isLogarithmic = isLogarithmic
    isTimed = intervals != nil && top == nil
    order = groups.order(top: top)
    keys = order.map { group in
      zip(groups.cells(of: group, intervals), groups.canonicalKey(group)).prefix(names.keys.count).map { cell, text in
        (cell.label, Array(text))
      }
    }
  }

  /// The pictures, one for each path with numbers or distinct values, or that of the counts.
  var charts: [Chart] {
    let perInterval = intervals.map { " per " + Timespan.text($0.length) } ?? ""
    guard !names.numbers.isEmpty || !names.distinct.isEmpty else {
      let counts = order.map { Double(groups.count($0)) }
      return [bars("records" + perInterval, counts)]
    }
    let spreads = names.numbers.enumerated().map { path, name in
      chart(name, order.indices.map { (label($0), spread(order[$0], path)) })
    }
    let distinct = names.distinct.enumerated().map { path, name in
      bars(
        "distinct \(name)" + perInterval, order.map { Double(groups.distinct($0, path: path).number) }, areSums: false)
    }
    return spreads + distinct
  }

  // MARK: Bars

  /// Returns bars of the groups. With several keys the values of the last are the parts of a bar.
  ///
  /// - Parameter areSums: Whether the values of several groups can be added.
  private func bars(_ title: String, _ values: [Double], areSums: Bool = true) -> Chart {
    let hasParts = names.keys.count > 1 && areSums
    let isOrdered = isTimed && names.keys.count <= (areSums ? 2 : 1)
    var chart = Chart(title: title, isLogarithmic: isLogarithmic, isTimed: isOrdered)
    let parts = hasParts ? self.parts(values) : [:]
    if hasParts {
      chart.parts = [String](repeating: "", count: Set(parts.values.map(\.number)).count)
      for part in parts.values { chart.parts[part.number] = part.label }
    }
    // The groups of an interval follow each other; those of another value need not.
    var numbers: [[[UInt8]]: Int] = [:]
    var bars: [(label: String, interval: Int128?, values: [Double])] = []
    for (index, value) in values.enumerated() {
      let dropped = hasParts ? 1 : 0
      let part = hasParts ? keys[index].last.flatMap { parts[$0.identity]?.number } ?? 0 : 0
      let identity = keys[index].dropLast(dropped).map(\.identity)
      let bar = numbers[identity] ?? bars.count
      if bar == bars.count {
        numbers[identity] = bar
        let interval = isTimed ? groups.interval(of: order[index]) : nil
        bars.append(
          (label(index, dropping: dropped), interval, [Double](repeating: 0, count: max(chart.parts.count, 1))))
      }
      bars[bar].values[part] += value
    }
    var last: Int128?
    for (label, interval, values) in bars {
      if let last, let interval { chart.rows += gap(after: last, before: interval) }
      last = interval ?? last
      var row = Chart.Row(label: label, mark: .bar(values), figure: Chart.text(values.reduce(0, +)))
      row.isOutside = isOrdered && interval == nil
      chart.rows.append(row)
    }
    return chart
  }

  /// Returns rows for the intervals without records between two: one for each of a few, or one for all.
  private func gap(after last: Int128, before next: Int128) -> [Chart.Row] {
    guard let intervals, next - last > 1 else { return [] }
    let missing = next - last - 1
    guard missing > Self.maxGap else {
      return (1...missing).map { .init(label: intervals.text(of: last + $0), mark: .gap(intervals: 1), figure: "") }
    }
    let figure = "\(missing) intervals without records"
    return [.init(label: "⋮", mark: .gap(intervals: Int(clamping: missing)), figure: figure)]
  }

  /// The largest number of intervals without records that have a row each.
  private static let maxGap: Int128 = 3

  /// The parts of the values of the last key: one for each of those with the most records, in the order of their first
  /// groups, and one for all others.
  private func parts(_ values: [Double]) -> [[UInt8]: (number: Int, label: String)] {
    var sums: [[UInt8]: Double] = [:]
    var found: [(label: String, identity: [UInt8])] = []
    for (index, value) in values.enumerated() {
      guard let key = keys[index].last else { continue }
      if sums[key.identity] == nil { found.append(key) }
      sums[key.identity, default: 0] += value
    }
    let ranked = found.enumerated().sorted { (left, right) in
      let (most, other) = (sums[left.element.identity] ?? 0, sums[right.element.identity] ?? 0)
      return most != other ? most > other : left.offset < right.offset
    }
    let kept = Set(found.count > Chart.maxParts ? ranked.prefix(Chart.maxParts).map(\.offset) : Array(found.indices))
    var parts: [[UInt8]: (number: Int, label: String)] = [:]
    var number = 0
    for (index, key) in found.enumerated() {
      if kept.contains(index) {
        parts[key.identity] = (number, key.label)
        number += 1
      } else {
        parts[key.identity] = (Chart.maxParts, Chart.otherPart)
      }
    }
    return parts
  }

  // MARK: Spreads

  private func chart(_ title: String, _ spreads: [(label: String, spread: (Chart.Spread, String)?)]) -> Chart {
    var chart = Chart(title: title, isLogarithmic: isLogarithmic)
    chart.rows = spreads.map { label, found in
      guard let (spread, figure) = found else { return .init(label: label, mark: .bar([0]), figure: "no numbers") }
      return .init(label: label, mark: .spread(spread), figure: figure)
    }
    return chart
  }

  private func spread(_ group: Int, _ path: Int) -> (Chart.Spread, String)? {
    let columns = groups.numbers(group, path: path).columns
    func number(_ name: String) -> Double? { columns.first { $0.name == name }?.text.flatMap { Double($0) } }
    guard let minimum = number("min"), let maximum = number("max"), let p50 = number("p50"), let p95 = number("p95"),
      let p99 = number("p99")
    else { return nil }
    let spread = Chart.Spread(minimum: minimum, p50: p50, p95: p95, p99: p99, maximum: maximum)
    return (spread, [minimum, p50, p95, p99, maximum].map(Chart.text).joined(separator: " "))
  }

  // MARK: Labels

  /// The values of the keys of a group, without the last ones.
  private func label(_ index: Int, dropping count: Int = 0) -> String {
    let texts = keys[index].dropLast(count).map(\.label)
    return texts.isEmpty ? "all" : texts.joined(separator: " / ")
  }
}

extension Cell {
  /// The text of a value in a picture.
  var label: String {
    switch self {
    case .text(let text): Chart.label(text, isText: true)
    case .json: Chart.label(plain, isText: false)
    case .absent: Chart.absent
    }
  }
}
