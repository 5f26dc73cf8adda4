import JSONSift
import JSONSiftAnalysis

/// The names of what a report asks, and the commands that ask the same.
struct ReportQuestions {
  let plan: ReportPlan
  /// The options and files of the command line, for commands.
  private let options: [String]
  private let inputs: [InputFile]

  /// The names of the results of fields with numbers, and of those with few values.
  let numberNames, valueNames: [String]

  var fields: ReportFields { plan.fields }

  /// - Parameter options: The options that all commands need to read the same records.
  init(_ plan: ReportPlan, of inputs: [InputFile], _ options: [String]) {
    (self.plan, self.inputs, self.options) = (plan, inputs, options)
    numberNames = Self.names(of: plan.fields.numbers.map(\.path))
    valueNames = plan.fields.values.flatMap { Self.names(of: [$0.path]) }
  }

  /// The names of the results, as the commands name them.
  func groupNames(_ question: ReportPlan.Question) -> GroupNames {
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
    return ["--time", Shell.argument(time.text)] + (plan.unit.map { ["--time-unit", $0.rawValue] } ?? [])
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

  /// - Parameter interval: The length of the intervals; `nil` for all numbers together.
  func numbersCommand(_ interval: String? = nil) -> String {
    let every = interval.map { ["--every", $0] + timeOptions } ?? []
    return command(["stats"] + every + zip(numberNames, fields.numbers).flatMap { ["--of", named($0, $1)] })
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
