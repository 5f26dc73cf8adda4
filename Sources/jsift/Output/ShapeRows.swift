import JSONSift
import JSONSiftAnalysis

/// Writes a shape as rows, one by one: below a long name, the texts of all paths can be much larger than the input.
struct ShapeRows {
  private let shape: JSONShape
  private let records: Int
  private let isForPeople: Bool

  /// - Parameter isForPeople: Whether types, bounds and examples are combined into text for display.
  init(_ shape: JSONShape, isForPeople: Bool) {
    self.shape = shape
    records = shape.recordCount
    self.isForPeople = isForPeople
  }

  func write(_ format: RowFormat) {
    var rows = RowWriter(format, isForPeople ? ["path", "type", "count", shareName, "range", "examples"] : Self.names)
    if records > 0 { shape.forEachPath { rows.write(isForPeople ? displayCells($0) : cells($0)) } }
    rows.finish()
  }

  // MARK: For machines

  static let names = [
    "path", "types", "count", "records", "share", "parents", "min", "max", "minLength", "maxLength", "minItems",
    "maxItems", "minMembers", "maxMembers", "names", "map", "examples",
  ]

  func cells(_ path: JSONShape.Path) -> [Cell] {
    let types = path.types.map { "\"\($0.name)\":\($0.count)" }.joined(separator: ",")
    let examples = Self.examples(of: path).joined(separator: ",")
    return [
      .text(path.path), json("{" + types + "}"), Cell(path.count), Cell(path.recordCount),
      path.recordCount.map { json(Self.share($0, of: records)) } ?? .absent, Cell(path.parentCount),
      path.minNumber.map(json) ?? .absent, path.maxNumber.map(json) ?? .absent, Cell(path.characters?.lowerBound),
      Cell(path.characters?.upperBound), Cell(path.elements?.lowerBound), Cell(path.elements?.upperBound),
      Cell(path.members?.lowerBound), Cell(path.members?.upperBound), Cell(path.keyCount),
      path.isMap ? .text(path.hasMoreKeys ? "more" : "alike") : .absent,
      path.examples.isEmpty ? .absent : json("[" + examples + "]"),
    ]
  }

  private static func examples(of path: JSONShape.Path) -> [String] {
    guard unsafe SurrogatePolicy.replacesInOutput else { return path.examples }
    return path.examples.map { example in
      var text = Array(example.utf8)
      text.replaceLoneSurrogates(from: 0)
      return String(decoding: text, as: UTF8.self)
    }
  }

  private func json(_ text: String) -> Cell { .json(Array(text.utf8)) }

  /// Returns a ratio with four digits. A ratio that is neither 0 nor 1 is never rounded to these.
  private static func share(_ part: Int, of all: Int) -> String {
    if part >= all { return "1" }
    if part == 0 { return "0" }
    let digits = min(max(Int((Double(part) / Double(all) * 10000).rounded()), 1), 9999)
    var text = String(digits)
    text = String(repeating: "0", count: 4 - text.utf8.count) + text
    while text.hasSuffix("0") { text.removeLast() }
    return "0." + text
  }

  // MARK: For people

  /// For records, the share of records that contain the path; for one document, the share of objects that contain the
  /// member.
  private var shareName: String { records > 1 ? "records" : "present" }

  private func displayCells(_ path: JSONShape.Path) -> [Cell] {
    let types = path.types.map { type in
      path.types.count > 1 ? "\(type.name) \(Self.percent(type.count, of: path.count))" : type.name
    }
    let share =
      records > 1
      ? path.recordCount.map { Self.percent($0, of: records) }
      : path.parentCount.map { Self.percent(path.count, of: $0) }
    return [
      .text(Self.cutPath(path.path)), .text(types.joined(separator: ", ")), Cell(path.count),
      share.map { .text($0) } ?? .absent, .text(ranges(path).joined(separator: "; ")),
      .text(Self.cut(Self.examples(of: path).joined(separator: ", "))),
    ]
  }

  private func ranges(_ path: JSONShape.Path) -> [String] {
    var ranges: [String] = []
    if let minNumber = path.minNumber, let maxNumber = path.maxNumber {
      ranges.append(minNumber == maxNumber ? minNumber : "\(minNumber) … \(maxNumber)")
    }
    if let characters = path.characters { ranges.append(Self.range(characters, "character")) }
    if let elements = path.elements { ranges.append(Self.range(elements, "element")) }
    if path.isMap {
      let names = path.keyCount.map { "\($0) " } ?? ""
      ranges.append(path.hasMoreKeys ? "map, more than \(names)keys" : "map, \(names)similar keys")
    } else if let members = path.members {
      ranges.append(Self.range(members, "member"))
    }
    return ranges
  }

  private static func range(_ range: ClosedRange<Int>, _ noun: String) -> String {
    let plural = range.upperBound == 1 ? noun : noun + "s"
    return range.count == 1 ? "\(range.lowerBound) \(plural)" : "\(range.lowerBound)…\(range.upperBound) \(plural)"
  }

  /// Returns a rounded percentage. A share that is neither 0 nor 100 % is never shown as these.
  private static func percent(_ part: Int, of all: Int) -> String {
    if part >= all { return "100 %" }
    let percent = Int((Double(part) / Double(max(all, 1)) * 100).rounded())
    return percent == 0 ? "< 1 %" : percent == 100 ? "> 99 %" : "\(percent) %"
  }

  /// Truncates a path in the middle, because a table is held in memory until it is complete. The last steps distinguish
  /// paths below a long one.
  private static func cutPath(_ path: String) -> String {
    path.count > 120 ? path.prefix(59) + "…" + path.suffix(60) : path
  }

  private static func cut(_ text: String) -> String { text.count > 60 ? String(text.prefix(59)) + "…" : text }
}

extension JSONShape.Path {
  /// The types that occur, with their counts.
  fileprivate var types: [(name: String, count: Int)] {
    [
      ("object", objectCount), ("array", arrayCount), ("string", stringCount), ("number", numberCount),
      ("boolean", boolCount), ("null", nullCount),
    ].filter { $0.count > 0 }
  }
}
