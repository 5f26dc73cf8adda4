import Foundation

/// Draws figures as bars: SVG that is readable on light and on dark ground, with the machine and the command in it.
struct Chart {
  private var body = ""
  private var y = 0
  private static let width = 820
  private static let left = 258
  private static let longest = 400
  private static let pitch = 21

  /// Writes `speed.svg` and `memory.svg`.
  static func draw(_ figures: Comparisons, into folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // What the README shows, with one bar for JSONSift, and what the comparison shows; the others are in tables. Where they
    // were not asked, all that was.
    for (name, title, isMemory, isShort, shown) in [
      ("speed", "MB of JSON per second (longer is faster)", false, true, ["log"]),
      ("memory", "How much memory, at most: MB", true, false, ["path", "value"]),
    ] {
      let chosen = shown.compactMap { name in figures.questions.first { $0.name == name } }
      let questions = chosen.isEmpty ? figures.questions : chosen
      var chart = Chart()
      chart.head(title)
      for question in questions { chart.group(question, isMemory: isMemory, isShort: isShort) }
      chart.foot(figures)
      try Data(chart.text(title).utf8).write(to: URL(fileURLWithPath: folder + "/\(name).svg"))
      print("drawn: \(folder)/\(name).svg")
    }
  }

  private mutating func head(_ title: String) {
    y = 26
    put(16, y, title, "title")
    let x = Self.width - 346
    let styles = [(0, "ours", "JSONSift"), (92, "strict", "others, strict"), (204, "peer", "others, not strict *")]
    for (offset, style, label) in styles {
      body += "<rect class=\"\(style)\" x=\"\(x + offset)\" y=\"\(y - 10)\" width=\"12\" height=\"12\" rx=\"2\"/>\n"
      put(x + offset + 17, y, label, "small")
    }
  }

  private mutating func group(_ question: Comparisons.Question, isMemory: Bool, isShort: Bool) {
    func value(_ row: Comparisons.Row) -> Double {
      isMemory ? row.peakMegabytes : question.isStart ? row.seconds.median * 1e3 : row.megabytesPerSecond.median
    }
    let isLess = isMemory || question.isStart
    var rows = question.rows.filter { $0.kind != .floor }
      .sorted { isLess ? value($0) < value($1) : value($0) > value($1) }
    if isShort, let best = rows.first(where: { $0.kind == .ours && $0.isStrict }) {
      rows.removeAll { $0.kind == .ours && $0.name != best.name }
    }
    let most = rows.map(value).max() ?? 1
    y += 34
    put(16, y, "\(question.title), \(size(question.bytes))", "group")
    y += 8
    for row in rows {
      let found = value(row)
      let length = max(2, Int(found / max(most, 1e-9) * Double(Self.longest)))
      let style = row.kind == .ours ? "ours" : row.isStrict ? "strict" : "peer"
      let own = row.bytes == question.bytes ? "" : " (\(size(row.bytes)))"
      let label = row.name + (row.isStrict ? "" : " *") + own
      y += Self.pitch
      put(Self.left - 10, y, label, row.kind == .ours ? "label strong" : "label", anchor: "end")
      body += "<rect class=\"\(style)\" x=\"\(Self.left)\" y=\"\(y - 12)\" width=\"\(length)\" height=\"15\" rx=\"2\"/>"
      let unit = !isMemory && question.isStart ? " ms" : ""
      let figure = fixed(found, found < 10 ? 1 : 0) + unit
      put(Self.left + length + 7, y, figure, row.kind == .ours ? "label strong" : "label")
    }
  }

  private mutating func foot(_ figures: Comparisons) {
    let machine = figures.machine
    let cores = machine["cores"].map { "\($0) cores" } ?? ""
    let versions = figures.versions.sorted { $0.key < $1.key }
      .map { name, version in version.hasPrefix(name) ? version : "\(name) \(version)" }.joined(separator: ", ")
    let bytes = Set(figures.questions.flatMap { $0.rows.map(\.bytes) })
    y += 14
    let smaller = bytes.count > 1 ? "(…): a smaller file." : ""
    let rounds = figures.questions.map(\.rounds).min() ?? 0
    for line in [
      "* takes text that is no JSON, if the flaw is in a value that is not asked for; the command says which. \(smaller)",
      [machine["processor"], cores, machine["system"]].compactMap { $0 }.joined(separator: ", "),
      [machine["Swift"].map(Self.compiler), versions].compactMap { $0 }.joined(separator: ", "),
      "Whole processes, start included; median of \(rounds) rounds, all answers compared: \(figures.command)",
    ] {
      for part in Self.wrapped(line, 128) {
        y += 16
        put(16, y, part, "small")
      }
    }
  }

  /// `Swift version 6.3.1 (swift-6.3.1-RELEASE)` is `Swift 6.3.1`.
  private static func compiler(_ version: String) -> String {
    let words = version.split(separator: " ")
    guard let place = words.firstIndex(of: "version"), place + 1 < words.count else { return version }
    return "Swift " + words[place + 1]
  }

  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      if let last = lines.last, !last.isEmpty, last.count + word.count >= width { lines.append("") }
      let end = lines.count - 1
      lines[end] += (lines[end].isEmpty ? "" : " ") + word
    }
    return lines
  }

  private mutating func put(_ x: Int, _ y: Int, _ text: String, _ style: String, anchor: String = "start") {
    let escaped = text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    let end = anchor == "start" ? "" : " text-anchor=\"\(anchor)\""
    body += "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\"\(end)>\(escaped)</text>\n"
  }

  /// The colours without a media query can be read on both grounds, for readers that know none.
  private func text(_ title: String) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(y + 18)" width="\(Self.width)" \
    height="\(y + 18)" role="img" aria-label="\(title)" \
    font-family="-apple-system, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif">
    <style>
    text { fill: #737b85 }
    .title { font-size: 17px; font-weight: 600 } .group { font-size: 14px; font-weight: 600 }
    .label { font-size: 13px } .strong { font-weight: 600 } .small { font-size: 11.5px }
    .ours { fill: #e8622c } .strict { fill: #6f8fb3 } .peer { fill: #9aa3ad }
    @media (prefers-color-scheme: light) { text { fill: #1f2328 } .small { fill: #59636e } }
    @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .small { fill: #9198a1 } .peer { fill: #6e7681 } }
    </style>
    \(body)</svg>

    """
  }
}
