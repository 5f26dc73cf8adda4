import JSONSift
import JSONSiftAnalysis

/// What the records consist of: numbers, values of fields, the shape, and how the fields were chosen.
extension ReportSink {
  /// Returns the fields whose numbers are not masked.
  func addNumbers(_ groups: Groups, to content: inout ReportContent) -> [Int] {
    let names = questions.groupNames(.numbers)
    let table = GroupRows(groups, names, nil)
    var section = ReportContent.Section(id: "numbers", title: "Numbers", command: questions.numbersCommand())
    section.columns = table.columns
    var masked: Set<Int> = []
    table.forEach { row in
      let field = questions.fields.numbers[min(section.rows.count, questions.fields.numbers.count - 1)]
      // The bounds are numbers of the input. If one of them is masked, the others would tell it.
      let isMasked = zip(table.columns, row).contains { column, cell in
        ["min", "max"].contains(column) && mask.cell(cell, at: field.path.memberNames).plain != cell.plain
      }
      if isMasked { masked.insert(section.rows.count) }
      section.rows.append(
        zip(table.columns, row).map { column, cell in
          if column == "name" { return .text(mask.text(cell.plain)) }
          return isMasked && !["count", "absent", "wrong"].contains(column) ? .text("***") : cell
        })
    }
    let charts = GroupChart(groups, names, nil, top: nil, isLogarithmic: false).charts
    section.charts = charts.enumerated().filter { !masked.contains($0.offset) }.map { _, chart in
      var chart = chart
      chart.title = mask.text(chart.title)
      return chart
    }
    content.sections.append(section)
    return questions.fields.numbers.indices.filter { !masked.contains($0) }
  }

  static let topValues = 10

  func addValues(_ groups: Groups, _ number: Int, to content: inout ReportContent) {
    let field = questions.fields.values[number]
    let names = questions.groupNames(.values(number))
    let table = GroupRows(groups, names, nil)
    var section = ReportContent.Section(
      id: "values-\(number + 1)", title: "Values of \(mask.text(field.text))",
      command: questions.valuesCommand(number, top: Self.topValues), isFolded: true)
    section.columns = table.columns.map(mask.text)
    var chart = Chart(title: "records by \(mask.text(questions.valueNames[number]))")
    let count = groups.order(top: nil).count
    table.forEach(top: Self.topValues) { row in
      let value = mask.cell(row[0], at: field.path.memberNames)
      section.rows.append([value] + row.dropFirst())
      chart.rows.append(.init(label: value.label, mark: .bar([Double(row[1].plain) ?? 0]), figure: row[1].plain))
    }
    section.charts = [chart]
    if count > Self.topValues || groups.others > 0 {
      section.notes.append(
        groups.others == 0
          ? "The \(Self.topValues) commonest of \(count) values."
          : "Only the first \(count) different values are counted. \(groups.others) records have later ones, which may be commoner than these."
      )
    }
    content.sections.append(section)
  }

  func shown(_ cell: Cell, of field: ReportFields.Choice?) -> String {
    let masked = mask.cell(cell, at: field?.path.memberNames ?? [])
    return masked.label
  }

  // MARK: Shape and fields

  static let maxPaths = 200
  static let shapeExamples = 3

  func addShape(to content: inout ReportContent) {
    let examples = mask.examples == .none ? 0 : Self.shapeExamples
    var section = ReportContent.Section(
      id: "shape", title: "Shape", command: questions.shapeCommand(examples: examples), columns: ShapeRows.names)
    section.hidden = [
      "records", "parents", "minItems", "maxItems", "minMembers", "maxMembers", "names", "map",
    ]
    guard !tally.shape.isFull else {
      section.notes.append("There are too many different paths for a table.")
      return content.sections.append(section)
    }
    let rows = ShapeRows(tally.shape, isForPeople: false)
    var count = 0
    if records > 0 {
      tally.shape.forEachPath { path in
        count += 1
        guard section.rows.count < Self.maxPaths else { return }
        section.rows.append(masked(rows.cells(path), at: path.path))
      }
    }
    if count > Self.maxPaths { section.notes.append("The first \(Self.maxPaths) of \(count) paths.") }
    content.sections.append(section)
  }

  func masked(_ cells: [Cell], at path: String) -> [Cell] {
    guard mask.examples != .all else { return cells }
    // The names of all members on the way: a wildcard stands for any.
    let names = (try? JSONPath(path))?.memberNames ?? []
    return zip(ShapeRows.names, cells).map { column, cell in
      switch column {
      case "path": .text(mask.text(cell.plain))
      case "min", "max": mask.cell(cell, at: names)
      case "examples": examples(cell, at: names)
      default: cell
      }
    }
  }

  /// Returns the examples of a path, each masked and then cut: a part of a secret is not recognised. They were read with
  /// ``maskedExampleBytes``; what is cut even then is not shown.
  func examples(_ cell: Cell, at names: [String]) -> Cell {
    guard case .json(let bytes) = cell, let list = try? JSON(parsing: bytes) else { return cell }
    var shown: [UInt8] = []
    shown.append(
      array: list.arrayValue.map { example in
        let text = Cell(example)
        let masked = mask.cell(text, at: names)
        guard case .text(let plain) = masked else { return masked }
        let isCut = text.plain.hasSuffix("…") && text.plain.utf8.count >= Self.maskedExampleBytes
        return .text(isCut ? "…" : plain.utf8.count > 40 ? plain.prefix(39) + "…" : plain)
      })
    return .json(shown)
  }

  /// The length of examples in memory if they are to be masked.
  static let maskedExampleBytes = 400

  func addFields(to content: inout ReportContent) {
    var section = ReportContent.Section(
      id: "fields", title: "How the fields were chosen", command: "",
      columns: ["field", "path", "reason"])
    for (role, choice) in questions.fields.byRole {
      let reason = choice?.reason ?? "none was found; --\(role) names one"
      section.rows.append([.text(role.rawValue), choice.map { .text(mask.text($0.text)) } ?? .absent, .text(reason)])
    }
    section.notes = [
      "Bounds: \(ReportFields.maxNumbers) fields with numbers, \(ReportFields.maxValues) with few values, \(ReportPlan.maxGroups) different values or messages each, \(Self.maxPaths) paths, \(ReportPlan.columns) intervals."
    ]
    content.sections.append(section)
  }
}
