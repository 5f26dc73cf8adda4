/// A picture of rows that share a scale: bars of one or several parts, or the spread of numbers. `TextChart` writes it for a
/// terminal, `SVGChart` as a file.
struct Chart {
  /// What the lengths of the bars are.
  var title: String
  /// The names of the parts of a bar; empty for bars of one part.
  var parts: [String] = []
  /// Whether lengths are logarithms. The parts of a bar then divide its length by their shares.
  var isLogarithmic = false
  /// Whether the rows are intervals of time, in their order.
  var isTimed = false
  /// The colour of bars of one part.
  var style = PartStyle.blue
  /// The colours of the parts; `nil` for those that their names have.
  var partStyles: [PartStyle]?
  /// Whether the picture is one of several that are compared, and needs less room.
  var isSmall = false
  /// Whether columns have no names of their own, so that a file needs less room.
  var isCompact = false
  var rows: [Row] = []

  /// Appends a row for some intervals without records: a long gap is a short break.
  mutating func addGap(of intervals: Int128) {
    guard intervals > 0 else { return }
    rows.append(.init(label: "", mark: .gap(intervals: Int(clamping: min(intervals, 3))), figure: ""))
  }

  struct Row {
    var label: String
    let mark: Mark
    /// The number behind the mark.
    let figure: String
    /// Whether the row stands outside of the order of the others, as records without a time do.
    var isOutside = false
  }

  enum Mark {
    /// The values of the parts, at most one of each.
    case bar([Double])
    case spread(Spread)
    /// Intervals of time without records.
    case gap(intervals: Int)
  }

  /// Some numbers in ascending order: their minimum, percentiles, and maximum.
  struct Spread {
    let minimum, p50, p95, p99, maximum: Double
  }

  /// The colours of the parts, in their order.
  var styles: [PartStyle] { partStyles ?? PartStyle.of(parts) }

  /// The colour of a part. Levels of a log have the colours that people expect.
  enum PartStyle: String {
    case blue, amber, green, violet, red, grey, pale, crimson

    /// Returns the styles of parts, in their order. No two parts have the same one while there are others.
    static func of(_ parts: [String]) -> [PartStyle] {
      var known = ofLevels(parts)
      for index in known.indices where known[..<index].contains(known[index]) { known[index] = nil }
      var free: ArraySlice<PartStyle> = [blue, amber, green, violet, red, grey]
      free.removeAll { known.contains($0) }
      return known.map { style in style ?? free.popFirst() ?? .grey }
    }

    /// Returns the styles of the levels of a log; `nil` for names that are not of levels.
    static func ofLevels(_ names: [String]) -> [PartStyle?] {
      let areNumbers = names.allSatisfy { ofNumber($0) != nil || $0 == otherPart || $0 == absent }
      return names.map { ofName($0.lowercased()) ?? (areNumbers ? ofNumber($0) : nil) }
    }

    /// The numbers that pino and bunyan write: from 10 for trace to 60 for fatal.
    private static func ofNumber(_ number: String) -> PartStyle? {
      switch number {
      case "60": crimson
      case "50": red
      case "40": amber
      case "30": blue
      case "10", "20": grey
      default: nil
      }
    }

    private static func ofName(_ name: String) -> PartStyle? {
      switch name {
      case "fatal", "critical", "crit", "emergency", "emerg", "alert", "panic": crimson
      case "error", "err", "severe": red
      case "warning", "warn": amber
      case "info", "information", "informational", "notice": blue
      case "debug", "trace", "verbose", "fine": grey
      case otherPart: pale
      default: nil
      }
    }
  }

  /// The largest number of parts with a style of their own; all others are one part.
  static let maxParts = 5

  /// The label of what has no value.
  static let absent = "(none)"

  /// Returns the label of a value: a text in quotes if it would look like something else, such as a number.
  static func label(_ text: String, isText: Bool) -> String {
    let isAmbiguous = isText && (text == absent || text == otherPart || text.isEmpty || looksLikeValue(text))
    return isAmbiguous ? "\"\(text)\"" : text
  }

  private static func looksLikeValue(_ text: String) -> Bool {
    ["true", "false", "null"].contains(text) || Double(text) != nil
  }

  /// The name of the part for all values beyond ``maxParts``.
  static let otherPart = "other"

  /// The scale of all rows.
  var scale: Scale {
    var (lower, upper) = (0.0, 0.0)
    var smallest = Double.infinity
    var (hasZero, areWhole) = (false, true)
    for row in rows {
      switch row.mark {
      case .gap: continue
      case .bar(let values):
        let sum = values.reduce(0, +)
        upper = max(upper, sum)
        if sum > 0 { smallest = min(smallest, sum) }
        areWhole = areWhole && sum.rounded() == sum
      case .spread(let spread):
        lower = min(lower, spread.minimum)
        upper = max(upper, spread.maximum)
        if spread.minimum > 0 { smallest = min(smallest, spread.minimum) } else { hasZero = true }
        areWhole = false
      }
    }
    // On a logarithmic scale zero is below the smallest number.
    if hasZero { smallest /= 10 }
    return Scale(
      lower, upper, ticks: isSmall ? 2 : 5, areWhole: areWhole,
      logarithmicFrom: isLogarithmic && smallest.isFinite ? smallest : nil)
  }

  /// Maps values to shares of the length of an axis.
  struct Scale {
    let lower, upper: Double
    let isLogarithmic: Bool
    /// The values at which the axis is marked: round numbers, or powers of ten.
    private(set) var ticks: [Double] = []

    /// - Parameters:
    ///   - count: About the largest number of marks.
    ///   - areWhole: Whether no mark stands between two whole numbers.
    ///   - smallest: The smallest positive value, for a logarithmic scale.
    init(_ lower: Double, _ upper: Double, ticks count: Int, areWhole: Bool, logarithmicFrom smallest: Double?) {
      let upper = upper > lower ? upper : lower + 1
      isLogarithmic = smallest != nil && lower >= 0
      guard isLogarithmic, let smallest else {
        (self.lower, self.upper) = (lower, upper)
        let least = areWhole ? 1.0 : 0
        let step = max(Self.roundStep(upper / Double(count) - lower / Double(count)), least)
        guard step > 0, step.isFinite else { return }
        var tick = (lower / step).rounded(.up) * step
        // The bound on their number holds for any rounding.
        while tick <= upper, ticks.count <= count {
          ticks.append(tick == 0 ? 0 : tick)
          tick += step
        }
        return
      }
      var power = Self.power(below: smallest)
      self.lower = power
      self.upper = max(upper, power * 10)
      while power <= self.upper, ticks.count < 400 {
        ticks.append(power)
        power *= 10
      }
      if ticks.count > 6 {
        let every = (ticks.count + 5) / 6
        ticks = ticks.enumerated().filter { $0.offset % every == 0 }.map(\.element)
      }
    }

    /// The share of the axis, from 0 to 1, that lies below a value.
    func share(_ value: Double) -> Double {
      // Halves, because the difference of two finite numbers can be infinite.
      let share =
        isLogarithmic
        ? (value > lower ? (log10(value) - log10(lower)) / (log10(upper) - log10(lower)) : 0)
        : (value / 2 - lower / 2) / (upper / 2 - lower / 2)
      return share.isFinite ? min(max(share, 0), 1) : 0
    }

    /// 1, 2 or 5 times a power of ten, the smallest that is at least `step`; or 0.
    private static func roundStep(_ step: Double) -> Double {
      guard step > 0, step.isFinite else { return 0 }
      let power = power(below: step)
      return [1, 2, 5].map { power * $0 }.first { $0 >= step } ?? power * 10
    }

    /// The largest power of ten that is at most a positive number.
    private static func power(below number: Double) -> Double {
      var power = 1.0
      while power > number, power > 1e-300 { power /= 10 }
      while power * 10 <= number { power *= 10 }
      return power
    }
  }

  /// Writes a number for people: without a fraction if it has none, otherwise with about four digits.
  static func text(_ number: Double) -> String {
    guard number.isFinite else { return "\(number)" }
    let magnitude = number.magnitude
    if magnitude >= 1e15 || (magnitude < 1e-4 && magnitude > 0) { return "\(number)" }
    if number.rounded() == number { return "\(Int64(number))" }
    var factor = 1.0
    while factor < 1e7, magnitude * factor < 1000 { factor *= 10 }
    let rounded = (number * factor).rounded() / factor
    return rounded.rounded() == rounded ? "\(Int64(rounded))" : "\(rounded)"
  }
}
