import Foundation

/// The charts of README: whole programs side by side, with the machine and the command below them. The pictures are those of
/// `jsift stats --format svg`, whose sources are in the folder Charts.
enum ComparisonCharts {
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
      var picture = SVGChart()
      picture.add(title: title)
      for question in chosen.isEmpty ? figures.questions : chosen {
        picture.add(chart(question, isMemory: isMemory, isShort: isShort))
      }
      for note in notes(figures) { picture.add(note: note) }
      try Data(picture.file(title).utf8).write(to: URL(fileURLWithPath: folder + "/\(name).svg"))
      print("drawn: \(folder)/\(name).svg")
    }
  }

  private static func chart(_ question: Comparisons.Question, isMemory: Bool, isShort: Bool) -> Chart {
    func value(_ row: Comparisons.Row) -> Double {
      isMemory ? row.peakMegabytes : question.isStart ? row.seconds.median * 1e3 : row.megabytesPerSecond.median
    }
    let isLess = isMemory || question.isStart
    var rows = question.rows.filter { $0.kind != .floor }
      .sorted { isLess ? value($0) < value($1) : value($0) > value($1) }
    if isShort, let best = rows.first(where: { $0.kind == .ours && $0.isStrict }) {
      rows.removeAll { $0.kind == .ours && $0.name != best.name }
    }
    var chart = Chart(title: "\(question.title), \(size(question.bytes))")
    chart.parts = ["JSONSift", "others, strict", "others, not strict *"]
    chart.partStyles = [.amber, .blue, .grey]
    for row in rows {
      let found = value(row)
      let part = row.kind == .ours ? 0 : row.isStrict ? 1 : 2
      let own = row.bytes == question.bytes ? "" : " (\(size(row.bytes)))"
      chart.rows.append(
        .init(
          label: row.name + (row.isStrict ? "" : " *") + own, mark: .bar((0..<3).map { $0 == part ? found : 0 }),
          figure: fixed(found, found < 10 ? 1 : 0) + (!isMemory && question.isStart ? " ms" : "")))
    }
    return chart
  }

  private static func notes(_ figures: Comparisons) -> [String] {
    let machine = figures.machine
    let cores = machine["cores"].map { "\($0) cores" } ?? ""
    let versions = figures.versions.sorted { $0.key < $1.key }
      .map { name, version in version.hasPrefix(name) ? version : "\(name) \(version)" }.joined(separator: ", ")
    let bytes = Set(figures.questions.flatMap { $0.rows.map(\.bytes) })
    let smaller = bytes.count > 1 ? "(…): a smaller file." : ""
    let rounds = figures.questions.map(\.rounds).min() ?? 0
    return [
      "* takes text that is no JSON, if the flaw is in a value that is not asked for; the command says which. \(smaller)",
      [machine["processor"], cores, machine["system"]].compactMap { $0 }.joined(separator: ", "),
      [machine["Swift"].map(compiler), versions].compactMap { $0 }.joined(separator: ", "),
      "Whole processes, start included; median of \(rounds) rounds, all answers compared: \(figures.command)",
    ]
  }

  /// `Swift version 6.3.1 (swift-6.3.1-RELEASE)` is `Swift 6.3.1`.
  private static func compiler(_ version: String) -> String {
    let words = version.split(separator: " ")
    guard let place = words.firstIndex(of: "version"), place + 1 < words.count else { return version }
    return "Swift " + words[place + 1]
  }
}
