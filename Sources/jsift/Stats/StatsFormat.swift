import ArgumentParser
import JSONSift

/// A format of `jsift stats`.
enum StatsFormat: ExpressibleByArgument {
  case rows(RowFormat)
  /// Bars and lines for a terminal.
  case bars
  /// The same picture as a file.
  case svg

  init?(argument: String) {
    switch argument {
    case "bars": self = .bars
    case "svg": self = .svg
    default:
      guard let format = RowFormat(argument: argument) else { return nil }
      self = .rows(format)
    }
  }

  static var names: String { RowFormat.textNames + "|bars|svg" }

  static var allValueStrings: [String] { RowFormat.all.filter { !$0.isBinary }.map(\.name) + ["bars", "svg"] }

  var defaultValueDescription: String {
    switch self {
    case .rows(let format): format.name
    case .bars: "bars"
    case .svg: "svg"
    }
  }

  /// Writes pictures to standard output.
  func write(_ charts: [Chart]) {
    guard case .svg = self else {
      let width = unsafe Output.standard.terminalWidth
      let chart = TextChart(
        width: width ?? 80, hasBlocks: width != nil && Style.hasUnicode, hasColours: Style.isOnOutput)
      let pictures = charts.map { chart.lines(of: $0).joined(separator: "\n") + "\n" }
      return unsafe Output.standard.write(pictures.joined(separator: "\n").utf8)
    }
    var picture = SVGChart()
    for chart in charts { picture.add(chart) }
    unsafe Output.standard.write(picture.file(charts.map(\.title).joined(separator: ", ")).utf8)
  }
}

/// The scale of a picture.
enum ChartScale: String, ExpressibleByArgument, CaseIterable {
  case linear, log
}
