/// Writes a chart as SVG that is readable on light and on dark ground. Nothing in it is loaded from elsewhere or runs.
struct SVGChart {
  /// The width in user units. A character takes about seven.
  var width = 820
  private var body = ""
  private var y = 0

  private static let pitch = 21
  private static let thickness = 15
  private static let left = 16
  /// The height of the columns of intervals.
  private static let plotHeight = 180

  init(width: Int = 820) { self.width = width }

  /// The height so far.
  var height: Int { y + 18 }

  // MARK: Charts

  /// Appends a chart below those before it.
  mutating func add(_ chart: Chart) {
    y += 26
    put(Self.left, y, chart.title + (chart.scale.isLogarithmic ? " (logarithmic)" : ""), "group")
    legend(chart)
    if chart.isTimed { addColumns(chart) } else { addRows(chart) }
    y += 8
  }

  private mutating func legend(_ chart: Chart) {
    let isSpread = chart.rows.contains { if case .spread = $0.mark { true } else { false } }
    guard !chart.parts.isEmpty || isSpread else { return }
    y += 20
    var x = Self.left
    if isSpread { return put(x, y, "a line from minimum to maximum; marks at p50 (large), p95 and p99", "small") }
    for (part, style) in zip(chart.parts, chart.styles) {
      let part = Self.cut(part, to: 140)
      let length = 30 + Self.textWidth(part)
      if x + length > width, x > Self.left { (x, y) = (Self.left, y + 18) }
      rectangle(x, y - 10, 12, 12, style)
      put(x + 17, y, part, "small")
      x += length
    }
  }

  /// One row below the other, with horizontal bars.
  private mutating func addRows(_ chart: Chart) {
    let widest = chart.rows.reduce(0) { max($0, Self.textWidth($1.label)) }
    let figures = chart.rows.reduce(0) { max($0, Self.textWidth($1.figure)) }
    let labels = min(widest, width / 3)
    let left = Self.left + labels + 10
    let longest = max(width - left - figures - 17, 40)
    let (scale, styles) = (chart.scale, chart.styles)
    y += 20
    let top = y + 4
    for tick in scale.ticks {
      let x = left + Int(scale.share(tick) * Double(longest))
      body +=
        "<line class=\"grid\" x1=\"\(x)\" y1=\"\(top)\" x2=\"\(x)\" y2=\"\(top + chart.rows.count * Self.pitch + 4)\"/>"
      put(x, y, Chart.text(tick), "small", anchor: "middle")
    }
    for row in chart.rows {
      y += Self.pitch
      put(left - 10, y, Self.cut(row.label, to: labels), "label", anchor: "end", whole: row.label)
      var end = left
      switch row.mark {
      case .gap: break
      case .bar(let values):
        let sum = values.reduce(0, +)
        let length = sum > 0 ? max(scale.share(sum) * Double(longest), 2) : 0
        var share = 0.0
        for (index, value) in values.enumerated() where value > 0 && sum > 0 {
          let start = share * length
          share += value / sum
          rectangle(
            left + Int(start), y - 12, max(Int(share * length) - Int(start), 1), Self.thickness,
            styles.isEmpty ? chart.style : styles[index])
        }
        end = left + Int(length)
      case .spread(let spread):
        func x(_ value: Double) -> Int { left + Int(scale.share(value) * Double(longest)) }
        body += "<path class=\"whisker\" d=\"M\(x(spread.minimum)) \(y - 10)v10m0-5H\(x(spread.maximum))m0-5v10\"/>"
        for (value, radius) in [(spread.p99, 3), (spread.p95, 4), (spread.p50, 6)] {
          body += "<circle class=\"blue\" cx=\"\(x(value))\" cy=\"\(y - 5)\" r=\"\(radius)\"/>"
        }
        end = left + longest
      }
      put(end + 7, y, row.figure, "label")
    }
  }

  /// Columns side by side, with the time below them.
  private mutating func addColumns(_ chart: Chart) {
    let (scale, styles) = (chart.scale, chart.styles)
    let labels = scale.ticks.reduce(0) { max($0, Self.textWidth(Chart.text($1))) }
    // Pictures below each other have their columns below each other, as long as the numbers are short.
    let left = Self.left + max(labels, 42) + 8
    let plot = width - left - Self.left
    let rows = chart.rows.filter { !$0.isOutside }
    let slots = rows.reduce(0) { $0 + $1.slots }
    guard slots > 0 else { return }
    let slot = Double(plot) / Double(slots)
    let top = y + 14
    let height = chart.isSmall ? Self.plotHeight / 3 : Self.plotHeight
    let bottom = top + height
    for tick in scale.ticks {
      let at = bottom - Int(scale.share(tick) * Double(height))
      body += "<line class=\"grid\" x1=\"\(left)\" y1=\"\(at)\" x2=\"\(left + plot)\" y2=\"\(at)\"/>"
      put(left - 6, at + 4, Chart.text(tick), "small", anchor: "end")
    }
    var number = 0
    var nextLabel = 0
    // By part: all rectangles as one path.
    var outlines = [String](repeating: "", count: max(styles.count, 1))
    for row in rows {
      let x = Double(left) + Double(number) * slot
      number += row.slots
      guard case .bar(let values) = row.mark else { continue }
      let sum = values.reduce(0, +)
      if !chart.isCompact { body += "<g><title>\(Self.short(row.label)): \(Self.short(row.figure))</title>" }
      var share = 0.0
      let column = sum > 0 ? max(scale.share(sum) * Double(height), 1) : 0
      for (index, value) in values.enumerated() where value > 0 && sum > 0 {
        let start = share * column
        share += value / sum
        let part = max(Int((share * column).rounded()) - Int(start.rounded()), 1)
        let (top, width) = (bottom - Int(start.rounded()) - part, max(Int(x + slot) - Int(x) - (slot >= 4 ? 1 : 0), 1))
        if chart.isCompact {
          outlines[index] += "M\(Int(x)) \(top)h\(width)v\(part)h-\(width)z"
        } else {
          rectangle(Int(x), top, width, part, styles.isEmpty ? chart.style : styles[index])
        }
      }
      if !chart.isCompact { body += "</g>\n" }
      // A label stands in the middle of its column, as far as it is inside the picture and does not touch the one before.
      let half = Self.textWidth(row.label) / 2
      let center = max(Int(x + slot / 2), Self.left + half)
      if center - half >= nextLabel, center + half < width {
        body += "<line class=\"grid\" x1=\"\(Int(x))\" y1=\"\(bottom)\" x2=\"\(Int(x))\" y2=\"\(bottom + 5)\"/>"
        put(center, bottom + 18, row.label, "small", anchor: "middle")
        nextLabel = center + half + 24
      }
    }
    if chart.isCompact {
      for (index, outline) in outlines.enumerated() {
        body += "<path class=\"\((styles.isEmpty ? chart.style : styles[index]).rawValue)\" d=\"\(outline)\"/>\n"
      }
    }
    y = bottom + 24
  }

  /// Appends a heading above the charts that follow.
  mutating func add(title: String) {
    y += 26
    put(Self.left, y, title, "title")
  }

  /// Appends lines of text below the charts, none longer than the picture is wide.
  mutating func add(note: String) {
    var line = ""
    for word in note.split(separator: " ") {
      if !line.isEmpty, (line.count + word.count + 1) * 13 / 2 > width - 2 * Self.left {
        y += 16
        put(Self.left, y, line, "small")
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    y += 16
    put(Self.left, y, line, "small")
  }

  // MARK: Parts of the picture

  private mutating func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ style: Chart.PartStyle) {
    body += "<rect class=\"\(style.rawValue)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\"/>"
  }

  private mutating func put(
    _ x: Int, _ y: Int, _ text: String, _ style: String, anchor: String = "start", whole: String? = nil
  ) {
    let end = anchor == "start" ? "" : " text-anchor=\"\(anchor)\""
    let title = whole.flatMap { $0 == text ? nil : "<title>\(Self.short($0))</title>" } ?? ""
    body += "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\"\(end)>\(title)\(Self.short(text))</text>\n"
  }

  /// The approximate width of a text of 12 units in height.
  private static func textWidth(_ text: String) -> Int {
    DisplayWidth.of(DisplayWidth.visible(DisplayWidth.start(of: text, maxScalars))) * 7
  }

  private static func cut(_ text: String, to width: Int) -> String {
    guard textWidth(text) > width else { return text }
    let start = DisplayWidth.visible(DisplayWidth.start(of: text, maxScalars))
    return DisplayWidth.prefix(start, max(width / 7 - 1, 1)) + "…"
  }

  /// Returns the start of a text for XML: a label may be as long as a record.
  private static func short(_ text: String) -> String {
    let start = DisplayWidth.start(of: text, maxScalars)
    let isCut = start.utf8.count < text.utf8.count
    return escaped(isCut ? start + "…" : start, atMost: maxBytes)
  }

  private static let maxScalars = 80
  /// The largest size of a text, escaped: a picture has hundreds of them.
  private static let maxBytes = 240

  /// Returns a text for XML, cut so that it has at most about `most` bytes.
  static func escaped(_ text: String, atMost most: Int) -> String {
    var kept = ""
    var left = most
    for scalar in text.unicodeScalars {
      let escaped = escaped(String(scalar))
      left -= escaped.utf8.count
      guard left >= 0 else { return kept + "…" }
      kept += escaped
    }
    return kept
  }

  /// Returns a text for XML: markup is escaped, and what a reader would not see, or see in another order, is named.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in DisplayWidth.visible(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  // MARK: Files

  /// The picture as a file of its own, with its colours.
  func file(_ title: String) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
    role="img" aria-label="\(Self.short(title))" \
    font-family="-apple-system, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif">
    <style>
    \(Self.style)
    </style>
    \(body)</svg>

    """
  }

  /// The picture as a part of a page that contains ``style``.
  func part(_ title: String) -> String {
    "<svg viewBox=\"0 0 \(width) \(height)\" role=\"img\" aria-label=\"\(Self.short(title))\">\n\(body)</svg>\n"
  }

  /// The colours without a media query can be read on both grounds, for readers that know none.
  static let style = """
    svg text { fill: #737b85 }
    .title { font-size: 17px; font-weight: 600 } .group { font-size: 14px; font-weight: 600 }
    .label { font-size: 13px } .strong { font-weight: 600 } .small { font-size: 11.5px }
    .grid { stroke: #9aa3ad; stroke-opacity: .4 } .whisker { fill: none; stroke: #6f8fb3; stroke-width: 2 }
    .blue { fill: #4f83bd } .amber { fill: #d9920a } .green { fill: #3f9a5f } .violet { fill: #8d6bb8 }
    .red { fill: #d64545 } .grey { fill: #8b949e } .pale { fill: #c0c6cd } .crimson { fill: #97154f }
    @media (prefers-color-scheme: light) { svg text { fill: #1f2328 } svg .small { fill: #59636e } }
    @media (prefers-color-scheme: dark) { svg text { fill: #e6edf3 } svg .small { fill: #9198a1 } .pale { fill: #565d66 } }
    """
}

extension Chart.Row {
  /// The number of intervals that a row stands for.
  fileprivate var slots: Int { if case .gap(let intervals) = mark { intervals } else { 1 } }
}
