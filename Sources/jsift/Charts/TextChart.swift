/// Writes a chart as lines for a terminal, or as plain characters for a pipe.
struct TextChart {
  /// The number of columns of the whole picture.
  let width: Int
  /// Whether the terminal shows block characters. Otherwise all marks are ASCII.
  let hasBlocks: Bool
  /// Whether colours distinguish the parts. Otherwise characters do.
  let hasColours: Bool

  /// The narrowest bars: labels are cut before.
  private static let minBar = 10
  /// The width of the name of a part.
  private static let maxPart = 20

  /// Returns a text of at most some columns, in which nothing is hidden.
  private func shown(_ text: String, _ most: Int) -> String {
    let visible = DisplayWidth.visible(DisplayWidth.start(of: text, 400))
    let text = hasBlocks ? visible : visible.replacing("⋮", with: "...")
    return DisplayWidth.of(text) <= most ? text : DisplayWidth.prefix(text, max(most - 3, 1)) + ellipsis
  }

  private var ellipsis: String { hasBlocks ? "…" : "..." }

  func lines(of chart: Chart) -> [String] {
    var chart = chart
    for index in chart.rows.indices { chart.rows[index].label = shown(chart.rows[index].label, width) }
    chart.parts = chart.parts.map { shown($0, Self.maxPart) }
    // A bar ends with its number, a line has its numbers below each other.
    let figureWidth = chart.rows.reduce(0) { max($0, DisplayWidth.of($1.figure)) }
    let widestLabel = chart.rows.reduce(0) { max($0, DisplayWidth.of($1.label)) }
    let labelWidth = max(min(widestLabel, max(width / 2, width - figureWidth - Self.minBar - 3)), 1)
    let barWidth = max(width - labelWidth - figureWidth - 3, Self.minBar)
    let scale = chart.scale
    var lines = [chart.title + (scale.isLogarithmic ? " (logarithmic)" : "")]
    if !chart.parts.isEmpty { lines.append(blanks(labelWidth + 1) + legend(chart)) }
    if chart.rows.contains(where: { if case .spread = $0.mark { true } else { false } }) {
      lines.append(blanks(labelWidth + 1) + spreadLegend)
    }
    lines.append(blanks(labelWidth + 1) + axis(scale, barWidth))
    let styles = chart.styles
    for row in chart.rows {
      let (mark, columns): (String, Int) =
        switch row.mark {
        case .bar(let values): bar(values, styles, chart.style, scale, barWidth)
        case .spread(let spread): (self.spread(spread, scale, barWidth), barWidth)
        case .gap: ("", 0)
        }
      var line = padded(row.label, to: labelWidth) + " " + mark
      if !row.figure.isEmpty { line += (columns > 0 ? " " : "") + row.figure }
      while line.last == " " { line.removeLast() }
      lines.append(line)
    }
    return lines
  }

  // MARK: Axis

  /// The numbers of the axis, each above its place.
  private func axis(_ scale: Chart.Scale, _ barWidth: Int) -> String {
    var axis = ""
    for tick in scale.ticks {
      let text = Chart.text(tick)
      // The first number begins at its place, the others end there.
      let place = Int((scale.share(tick) * Double(barWidth)).rounded())
      let start = axis.isEmpty ? place : place - text.utf8.count
      guard axis.isEmpty || start > axis.utf8.count else { continue }
      axis += blanks(start - axis.utf8.count) + text
    }
    return axis
  }

  private func legend(_ chart: Chart) -> String {
    zip(chart.parts, chart.styles).enumerated()
      .map { index, part in painted(glyph(index), part.1) + " " + part.0 }.joined(separator: "  ")
  }

  private var spreadLegend: String {
    (hasBlocks ? "├ min  ● p50  ◆ p95  ◇ p99  ┤ max" : "[ min  o p50  * p95  + p99  ] max") + ", and the five numbers"
  }

  // MARK: Marks

  private func bar(
    _ values: [Double], _ styles: [Chart.PartStyle], _ style: Chart.PartStyle, _ scale: Chart.Scale, _ barWidth: Int
  ) -> (text: String, columns: Int) {
    let sum = values.reduce(0, +)
    guard sum > 0 else { return ("", 0) }
    let length = scale.share(sum) * Double(barWidth)
    if styles.isEmpty {
      guard hasBlocks else {
        let columns = max(Int(length.rounded()), 1)
        return (String(repeating: "#", count: columns), columns)
      }
      let eighths = max(Int((length * 8).rounded()), 1)
      let rest = eighths % 8
      let text = String(repeating: "█", count: eighths / 8) + (rest > 0 ? Self.eighths[rest - 1] : "")
      return (painted(text, style), eighths / 8 + (rest > 0 ? 1 : 0))
    }
    var (text, columns, share) = ("", 0, 0.0)
    for (index, value) in values.enumerated() where value > 0 {
      share += value / sum
      let end = Int((length * share).rounded())
      // A part that is there is seen: its column is taken from those after it.
      let count = max(end - columns, 1)
      text += painted(String(repeating: glyph(index), count: count), styles[index])
      columns += count
    }
    return (text, columns)
  }

  private func spread(_ spread: Chart.Spread, _ scale: Chart.Scale, _ barWidth: Int) -> String {
    var cells = [String](repeating: " ", count: barWidth)
    func place(_ value: Double) -> Int { min(Int(scale.share(value) * Double(barWidth)), barWidth - 1) }
    for cell in place(spread.minimum)...max(place(spread.maximum), place(spread.minimum)) {
      cells[cell] = hasBlocks ? "─" : "-"
    }
    // The later ones are those that must be seen if several fall on one column.
    for (value, block, plain) in [
      (spread.minimum, "├", "["), (spread.maximum, "┤", "]"), (spread.p99, "◇", "+"), (spread.p95, "◆", "*"),
      (spread.p50, "●", "o"),
    ] { cells[place(value)] = hasBlocks ? block : plain }
    return cells.joined()
  }

  private static let eighths = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// The character that fills a part, if no colour tells the parts apart.
  private func glyph(_ part: Int) -> String {
    let glyphs = hasBlocks ? (hasColours ? ["█"] : ["█", "▒", "▓", "░", "▚", "·"]) : ["#", "=", "+", "-", ":", "."]
    return glyphs[part % glyphs.count]
  }

  private func painted(_ text: String, _ style: Chart.PartStyle) -> String {
    hasColours ? "\u{1B}[\(style.code)m" + text + "\u{1B}[0m" : text
  }

  // MARK: Columns

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }

  private func padded(_ text: String, to width: Int) -> String {
    let columns = DisplayWidth.of(text)
    guard columns > width else { return text + blanks(width - columns) }
    let cut = DisplayWidth.prefix(text, max(width - ellipsis.count, 0)) + ellipsis
    return cut + blanks(width - DisplayWidth.of(cut))
  }
}

extension Chart.PartStyle {
  /// The colour of a terminal.
  fileprivate var code: Int {
    switch self {
    case .blue: 34
    case .amber: 33
    case .red: 31
    case .green: 32
    case .violet: 35
    case .grey: 90
    case .pale: 37
    case .crimson: 91
    }
  }
}
