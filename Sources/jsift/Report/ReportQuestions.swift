import JSONSift
import JSONSiftAnalysis

/// What a report asks of the fields of the records, and the commands that ask the same.
struct ReportQuestions {
  let fields: ReportFields
  let queries: [GroupQuery]
  let unit: JSONTimeUnit?
  let clock: LocalClock?
  /// The options and files of the command line, for commands.
  private let options: [String]
  private let inputs: [InputFile]

  /// The largest number of groups of a question; the records of all others are counted together.
  static let maxGroups = 5000
  /// The largest size of their texts, and of the examples.
  static let maxBytes = 1 << 20

  /// The queries in their order. Numbers and counts by interval are absent without such fields.
  enum Question {
    case times, messages, numbers
    case values(Int)
  }

  let asked: [Question]

  /// The names of the results of fields with numbers, and of those with few values.
  let numberNames, valueNames: [String]

  /// Whether records have lines: the elements of an array have none.
  let hasLines: Bool

  /// - Parameters:
  ///   - options: The options that all commands need to read the same records.
  ///   - hasLines: Whether records have lines.
  ///   - limits: Limits of evaluation.
  init(
    _ fields: ReportFields, of inputs: [InputFile], _ options: [String], _ unit: JSONTimeUnit?, _ clock: LocalClock?,
    _ limits: JSONLimits, hasLines: Bool
  ) {
    (self.fields, self.inputs, self.options, self.unit, self.clock) = (fields, inputs, options, unit, clock)
    let level = fields.level.map { [$0.path] } ?? []
    func query(
      _ numbers: [JSONPath] = [], by keys: [JSONPath] = [], _ intervals: TimeIntervals? = nil, template: JSONPath? = nil
    ) -> GroupQuery {
      GroupQuery(
        numbers: numbers, distinct: [], intervals: intervals, keys: keys, template: template, limits: limits)
    }
    var asked: [(Question, GroupQuery)] = []
    if let time = fields.time,
      let seconds = TimeIntervals(of: time.path, length: TimeCounts.rowLength, unit, clock)
    {
      asked.append((.times, query(by: level, seconds)))
    }
    if let message = fields.message { asked.append((.messages, query(by: level, template: message.path))) }
    if !fields.numbers.isEmpty { asked.append((.numbers, query(fields.numbers.map(\.path)))) }
    for (index, value) in fields.values.enumerated() { asked.append((.values(index), query(by: [value.path]))) }
    numberNames = Self.names(of: fields.numbers.map(\.path))
    valueNames = fields.values.flatMap { Self.names(of: [$0.path]) }
    self.hasLines = hasLines
    self.asked = asked.map(\.0)
    queries = asked.map(\.1)
  }

  /// The names of the results, as the commands name them.
  func groupNames(_ question: Question) -> GroupNames {
    let level = fields.level == nil ? [] : ["level"]
    let files = inputs.map(\.name)
    func names(_ numbers: [String], _ keys: [String] = [], _ example: [String] = []) -> GroupNames {
      GroupNames(numbers: numbers, distinct: [], keys: keys, example: example, inputs: files)
    }
    return switch question {
    case .times: names([], [GroupNames.time] + level)
    case .messages: names([], level + ["message"], GroupRows.exampleNames(hasFiles: inputs.count > 1))
    case .numbers: names(numberNames)
    case .values(let index): names([], [valueNames[index]])
    }
  }

  // MARK: Commands

  private func command(_ words: [String]) -> String {
    (["jsift"] + words + options + inputs.map { Shell.file($0.name) }).joined(separator: " ")
  }

  private func named(_ name: String, _ choice: ReportFields.Choice) -> String {
    Shell.argument("\(name)=\(choice.text)")
  }

  private var byLevel: [String] { fields.level.map { ["--by", named("level", $0)] } ?? [] }

  private var timeOptions: [String] {
    guard let time = fields.time else { return [] }
    return ["--time", Shell.argument(time.text)] + (unit.map { ["--time-unit", $0.rawValue] } ?? [])
  }

  func countCommand() -> String { command(["records", "--count"]) }
  func checkCommand() -> String { command(["check", "--count"]) }
  func shapeCommand(examples: Int) -> String { command(["shape", "--examples", "\(examples)", "--format", "ndjson"]) }

  func timesCommand(_ interval: String) -> String {
    command(["stats", "--every", interval] + timeOptions + byLevel)
  }

  /// - Parameters:
  ///   - level: The value of the level that is selected, as JSON; `nil` for all levels.
  func messagesCommand(top: Int, level: String?) -> String {
    guard let message = fields.message else { return "" }
    let template = ["--template", named("message", message), "--top", "\(top)"]
    guard let level, let field = fields.level else { return command(["stats"] + byLevel + template) }
    let condition = "@\(field.text.dropFirst()) == \(level)"
    return command(["stats"] + template + ["--where", Shell.argument(condition)])
  }

  func passingCommand(_ interval: String) -> String {
    guard let message = fields.message else { return "" }
    return command(["stats", "--every", interval] + timeOptions + byLevel + ["--template", named("message", message)])
  }

  func numbersCommand() -> String {
    command(["stats"] + zip(numberNames, fields.numbers).flatMap { ["--of", named($0, $1)] })
  }

  func valuesCommand(_ index: Int, top: Int) -> String {
    let field = fields.values[index]
    return command(["stats", "--by", named(valueNames[index], field), "--top", "\(top)"])
  }

  /// Names for the results of paths: their members. Names that columns or other paths have are changed.
  private static func names(of paths: [JSONPath]) -> [String] {
    var taken = ["name"] + NumberSummary.names + DistinctCount.names + [GroupNames.time, "example", "file", "line"]
    return paths.map { path in
      // The first '=' ends a name on the command line.
      var name = String(path.memberNames.joined(separator: ".").map { $0 == "=" ? "_" : $0 })
      if name.isEmpty { name = "value" }
      while taken.contains(name) { name += "_" }
      taken.append(name)
      return name
    }
  }
}
