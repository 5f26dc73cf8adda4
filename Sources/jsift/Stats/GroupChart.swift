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
  /// The values of the keys of each group to show.
  private let keys: [[String]]

  /// - Parameter top: The number of groups with the most records to show; `nil` for all.
  init(_ groups: Groups, _ names: GroupNames, _ intervals: TimeIntervals?, top: Int?, isLogarithmic: Bool) {
    self.groups = groups
    self.names = names
    self.intervals = intervals
    self.isLogarithmic = isLogarithmic
    isTimed = intervals != nil && top == nil
    order = groups.order(top: top)
    keys = order.map { group in
      groups.cells(of: group, intervals).prefix(names.keys.count).map { cell in
        if case .absent = cell { "(none)" } else { cell.plain }
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
      bars("distinct \(name)" + perInterval, order.map { Double(groups.distinct($0, path: path).number) })
    }
    return spreads + distinct
  }

  // MARK: Bars

  /// Returns bars of the groups. With several keys the values of the last are the parts of a bar.
  private func bars(_ title: String, _ values: [Double]) -> Chart {
    let hasParts = names.keys.count > 1
    var chart = Chart(title: title, isLogarithmic: isLogarithmic, isTimed: isTimed && names.keys.count <= 2)
    if hasParts { chart.parts = parts(values) }
    // The groups of an interval follow each other; those of another value need not.
    var numbers: [String: Int] = [:]
    var bars: [(label: String, interval: Int128?, values: [Double])] = []
    for (index, value) in values.enumerated() {
      let label = label(index, dropping: hasParts ? 1 : 0)
      let part = hasParts ? keys[index].last.map { chart.partNumber(of: $0) } ?? 0 : 0
      let bar = numbers[label] ?? bars.count
      if bar == bars.count {
        numbers[label] = bar
        let interval = isTimed ? groups.interval(of: order[index]) : nil
        bars.append((label, interval, [Double](repeating: 0, count: max(chart.parts.count, 1))))
      }
      bars[bar].values[part] += value
    }
    var last: Int128?
    for (label, interval, values) in bars {
      if let last, let interval { chart.rows += gap(after: last, before: interval) }
      last = interval ?? last
      chart.rows.append(.init(label: label, mark: .bar(values), figure: Chart.text(values.reduce(0, +))))
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

  /// The values of the last key with the most records, in the order of their first groups, and one part for the others.
  private func parts(_ values: [Double]) -> [String] {
    var sums: [String: Double] = [:]
    var names: [String] = []
    for (index, value) in values.enumerated() {
      guard let name = keys[index].last else { continue }
      if sums[name] == nil { names.append(name) }
      sums[name, default: 0] += value
    }
    guard names.count > Chart.maxParts else { return names }
    let ranked = names.enumerated().sorted { (left, right) in
      let (most, other) = (sums[left.element] ?? 0, sums[right.element] ?? 0)
      return most != other ? most > other : left.offset < right.offset
    }
    let kept = Set(ranked.prefix(Chart.maxParts).map(\.element))
    return names.filter(kept.contains) + [Chart.otherPart]
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
    let texts = keys[index].dropLast(count)
    return texts.isEmpty ? "all" : texts.joined(separator: " · ")
  }
}

extension Chart {
  /// The number of a part by its name, or that of all others.
  fileprivate func partNumber(of name: String) -> Int { parts.firstIndex(of: name) ?? max(parts.count - 1, 0) }
}
