import JSONSift
import JSONSiftAnalysis

/// Gathers what a report asks, and writes the page at the end.
struct ReportSink: ResultSink {
  static let gathers = true
  static let stopsAtExactRecord = false

  private let questions: ReportQuestions
  private let mask: ReportMask
  private let format: ReportFormat
  private let files: [InputFile]
  private var times = TimeCounts()
  /// By question; that of times is empty.
  private var groups: [Groups]
  private var shape: JSONShape
  private var records = 0
  private var badRecords = 0
  private var places: [String] = []

  init(
    _ questions: ReportQuestions, _ shaping: JSONShape.Options, _ mask: ReportMask, _ format: ReportFormat,
    _ files: [InputFile]
  ) {
    self.questions = questions
    self.mask = mask
    self.format = format
    self.files = files
    shape = JSONShape(options: shaping)
    groups = questions.queries.map { query in
      Groups(
        numbers: query.numbers.count, distinct: 0, areTimed: query.intervals != nil,
        maxGroups: ReportQuestions.maxGroups, foldingBeyond: ReportQuestions.maxBytes)
    }
  }

  mutating func gather(_ batch: inout Batch) {
    records += batch.count
    badRecords += batch.bad.count
    for report in batch.reports where places.count < BadRecords.shown { places.append(report.place) }
    if let read = batch.shape { shape.merge(read) }
    var timed: CollectedRows?
    for (index, rows) in batch.answers.enumerated() {
      switch questions.asked[index] {
      case .times:
        times.add(rows)
        timed = rows
      case .numbers:
        var cursor = Groups.Cursor(rows, input: batch.input)
        groups[index].add(&cursor)
      case .messages: groups[index].add(counts: rows, at: timed, input: batch.input)
      case .values: groups[index].add(counts: rows, input: batch.input)
      }
    }
    batch.answers = []
  }

  mutating func finishAfterFailure() {}

  mutating func finish() {
    var content = ReportContent()
    content.files = files.map(\.name)
    (content.records, content.badRecords) = (records, badRecords)
    content.commands = [questions.countCommand(), questions.checkCommand()]
    content.places = mask.examples == .all ? places : places.map(mask.text)
    for (index, question) in questions.asked.enumerated() {
      switch question {
      case .times: addTimes(to: &content)
      case .messages:
        addPassingMessages(groups[index], to: &content)
        addMessages(groups[index], to: &content)
      case .numbers: addNumbers(groups[index], to: &content)
      case .values(let number): addValues(groups[index], number, to: &content)
      }
    }
    addShape(to: &content)
    addFields(to: &content)
    switch format {
    case .json: unsafe Output.standard.write(content.json)
    case .html: unsafe Output.standard.write(ReportPage(content).text.utf8)
    }
  }

  // MARK: Times

  /// The number of columns of a picture over time.
  private static let columns = 120

  private mutating func addTimes(to content: inout ReportContent) {
    guard let time = questions.fields.time else { return }
    let picture = times.picture(columns: Self.columns)
    guard let intervals = TimeIntervals(of: time.path, length: picture.length, questions.unit, questions.clock) else {
      return
    }
    let length = Timespan.text(picture.length)
    let hasLevels = questions.fields.level != nil
    let names = picture.values.enumerated().map { index, text -> String in
      if picture.hasOthers, index == picture.values.count - 1 { return Chart.otherPart }
      return shown(Groups.cell(text), of: questions.fields.level)
    }
    var section = ReportContent.Section(
      id: "time", title: "Over time", command: questions.timesCommand(length),
      columns: ["time"] + (hasLevels ? ["level"] : []) + ["count"], isFolded: true)
    let texts = picture.intervals.map { intervals.text(of: $0.number) }
    for (interval, text) in zip(picture.intervals, texts) {
      for (value, count) in interval.counts.enumerated() where count > 0 {
        section.rows.append([.text(text)] + (hasLevels ? [level(picture, value)] : []) + [Cell(count)])
      }
    }
    for (value, count) in picture.untimed.enumerated() where count > 0 {
      section.rows.append([.absent] + (hasLevels ? [level(picture, value)] : []) + [Cell(count)])
    }
    let untimed = picture.untimed.reduce(0, +)
    if untimed > 0 {
      section.notes.append("\(untimed) records without a time at \(time.text) are not in the pictures.")
    }
    if let first = texts.first, let last = texts.last {
      section.notes.append("The first interval of \(length) begins at \(first), the last at \(last).")
      let gaps = zip(picture.intervals, picture.intervals.dropFirst()).filter { $1.number - $0.number > 1 }
      if let widest = gaps.max(by: { $0.1.number - $0.0.number < $1.1.number - $1.0.number }) {
        let missing = widest.1.number - widest.0.number - 1
        section.notes.append(
          "\(gaps.count == 1 ? "One gap has" : "\(gaps.count) gaps have") no records; the longest is of \(missing) intervals after "
            + "\(intervals.text(of: widest.0.number)).")
      }
    }
    section.charts = charts(picture, names, intervals, length)
    content.findings += findings(picture, names, texts, length)
    content.sections.append(section)
  }

  private func level(_ picture: TimeCounts.Picture, _ value: Int) -> Cell {
    mask.cell(Groups.cell(picture.values[value]), at: questions.fields.level?.path.memberNames ?? [])
  }

  /// One picture of all records, and one of each level with a scale of its own.
  private func charts(
    _ picture: TimeCounts.Picture, _ names: [String], _ intervals: TimeIntervals, _ length: String
  ) -> [Chart] {
    let totals = names.indices.map { value in picture.intervals.reduce(0) { $0 + $1.counts[value] } }
    let ranked = totals.indices.sorted { totals[$0] != totals[$1] ? totals[$0] > totals[$1] : $0 < $1 }
    let kept = names.count <= Chart.maxParts + 1 ? Array(names.indices) : ranked.prefix(Chart.maxParts).sorted()
    let others = names.indices.filter { !kept.contains($0) }
    let hasLevels = questions.fields.level != nil
    func chart(_ title: String, parts: [String], _ values: ([Int]) -> [Int]) -> Chart {
      var chart = Chart(title: title, parts: parts, isTimed: true)
      var last: Int128?
      for interval in picture.intervals {
        if let last, interval.number - last > 1 {
          // A long gap is a short break.
          let missing = Int(clamping: min(interval.number - last - 1, 3))
          chart.rows.append(.init(label: "", mark: .gap(intervals: missing), figure: ""))
        }
        last = interval.number
        let values = values(interval.counts)
        let figure =
          parts.isEmpty
          ? "\(values[0])" : zip(parts, values).filter { $0.1 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
        chart.rows.append(
          .init(label: intervals.text(of: interval.number), mark: .bar(values.map(Double.init)), figure: figure))
      }
      return chart
    }
    guard hasLevels, names.count > 1 else {
      return [chart("records per \(length)", parts: []) { [$0.reduce(0, +)] }]
    }
    let parts = kept.map { names[$0] } + (others.isEmpty ? [] : [Chart.otherPart])
    var charts = [
      chart("records per \(length)", parts: parts) { counts in
        kept.map { counts[$0] } + (others.isEmpty ? [] : [others.reduce(0) { $0 + counts[$1] }])
      }
    ]
    let styles = Chart.PartStyle.of(parts)
    for index in Self.bySeverity(kept.map { names[$0] }) {
      let (value, style) = (kept[index], styles[index])
      var single = chart("\(names[value]) per \(length)", parts: []) { [$0[value]] }
      (single.style, single.isSmall) = (style, true)
      charts.append(single)
    }
    return charts
  }

  /// Sentences about the intervals with far more records of a level than others have.
  private func findings(
    _ picture: TimeCounts.Picture, _ names: [String], _ texts: [String], _ length: String
  ) -> [String] {
    guard picture.intervals.count >= 4 else { return [] }
    var findings: [(ratio: Double, text: String)] = []
    for (value, name) in names.enumerated() {
      let counts = picture.intervals.map { $0.counts[value] }
      guard let peak = counts.indices.max(by: { counts[$0] < counts[$1] }) else { continue }
      let median = counts.sorted()[counts.count / 2]
      guard counts[peak] >= 10, counts[peak] > 3 * max(median, 1) else { continue }
      // The stretch around the peak with at least half of it.
      var (start, end) = (peak, peak)
      while start > 0, counts[start - 1] * 2 >= counts[peak] { start -= 1 }
      while end + 1 < counts.count, counts[end + 1] * 2 >= counts[peak] { end += 1 }
      let what = questions.fields.level == nil || names.count == 1 ? "records" : "records of level \(name)"
      let place = start == end ? "at \(texts[peak])" : "from \(texts[start]) to \(texts[end])"
      findings.append(
        (
          Double(counts[peak]) / Double(max(median, 1)),
          "\(what): up to \(counts[peak]) per \(length) \(place), where half of all intervals have at most \(median)"
        ))
    }
    return findings.sorted { $0.ratio > $1.ratio }.prefix(3).map(\.text)
  }

  // MARK: Messages

  /// The messages that do not occur over most of the time: they have begun, or have passed.
  private mutating func addPassingMessages(_ groups: Groups, to content: inout ReportContent) {
    guard let time = questions.fields.time, let message = questions.fields.message else { return }
    let picture = times.picture(columns: Self.columns)
    guard let first = picture.intervals.first?.number, let last = picture.intervals.last?.number,
      last - first >= Self.minIntervals,
      let intervals = TimeIntervals(of: time.path, length: picture.length, questions.unit, questions.clock)
    else { return }
    let passing = groups.order(top: nil).compactMap { group -> (group: Int, span: ClosedRange<Int128>)? in
      guard groups.count(group) >= Self.minPassing, let rows = groups.span(of: group) else { return nil }
      let span = picture.number(ofRow: rows.lowerBound)...picture.number(ofRow: rows.upperBound)
      return (span.upperBound - span.lowerBound + 1) * 5 <= last - first + 1 ? (group, span) : nil
    }
    let ranked = passing.enumerated().sorted { (left, right) in
      let (most, other) = (groups.count(left.element.group), groups.count(right.element.group))
      return most != other ? most > other : left.offset < right.offset
    }.prefix(Self.topPassing).map(\.element)
    guard !ranked.isEmpty else { return }
    let hasLevels = questions.fields.level != nil
    let length = Timespan.text(picture.length)
    var section = ReportContent.Section(
      id: "passing", title: "Messages that came and went",
      notes: ["Messages whose first and last record are near each other: at most a fifth of the time apart."],
      command: questions.passingCommand(length),
      columns: (hasLevels ? ["level"] : []) + ["message", "count", "first", "last"])
    for (group, span) in ranked {
      let keys = groups.cells(of: group, nil).map { $0 }
      let level = hasLevels ? [self.message(keys[0], "level")] : []
      let text = self.message(keys[keys.count - 1], "message")
      section.rows.append(
        level + [text, Cell(groups.count(group))]
          + [span.lowerBound, span.upperBound].map { .text(intervals.text(of: $0)) })
    }
    if let row = section.rows.first {
      let cells = row.suffix(4).map(\.plain)
      content.findings.append(
        "\(cells[1]) records with the message '\(cells[0])' at \(message.text) are all in the intervals of \(length) from \(cells[2]) to \(cells[3])"
      )
    }
    content.sections.append(section)
  }

  private static let minIntervals: Int128 = 9
  private static let minPassing = 10
  private static let topPassing = 10
  private static let topMessages = 20
  private static let topMessagesOfLevel = 8

  private func addMessages(_ groups: Groups, to content: inout ReportContent) {
    guard let field = questions.fields.message else { return }
    let names = questions.groupNames(.messages)
    let table = GroupRows(groups, names, nil)
    let hidden = mask.examples == .none ? "example" : nil
    func rows(_ order: [[Cell]], dropping dropped: Set<String>) -> (columns: [String], rows: [[Cell]]) {
      let kept = table.columns.indices.filter { !dropped.contains(table.columns[$0]) && table.columns[$0] != hidden }
      return (
        kept.map { table.columns[$0] }, order.map { row in kept.map { self.message(row[$0], table.columns[$0]) } }
      )
    }
    var all: [[Cell]] = []
    table.forEach { all.append($0) }
    var top: [[Cell]] = []
    table.forEach(top: Self.topMessages) { top.append($0) }
    var section = ReportContent.Section(
      id: "messages", title: "Messages",
      notes: [
        "Messages at \(field.text), with what varies in them replaced: \(all.count) different ones\(groups.others > 0 ? ", and \(groups.others) records with others after them, which are not counted here" : ""). Line is where the example is."
      ],
      command: questions.messagesCommand(top: Self.topMessages, level: nil))
    (section.columns, section.rows) = rows(top, dropping: [])
    content.sections.append(section)
    guard questions.fields.level != nil, let count = table.columns.firstIndex(of: "count") else { return }
    var byLevel: [String: [[Cell]]] = [:]
    var levels: [String] = []
    for row in all {
      let level = row[0].plain
      if case .absent = row[0] { continue }
      if byLevel[level] == nil { levels.append(level) }
      byLevel[level, default: []].append(row)
    }
    guard levels.count > 1 else { return }
    for level in Self.bySeverity(levels).prefix(Self.maxLevels).map({ levels[$0] }) {
      let ranked = (byLevel[level] ?? []).enumerated().sorted { (left, right) in
        let (most, other) = (Int(left.element[count].plain) ?? 0, Int(right.element[count].plain) ?? 0)
        return most != other ? most > other : left.offset < right.offset
      }
      guard case let chosen = ranked.prefix(Self.topMessagesOfLevel).map(\.element), let first = chosen.first else {
        continue
      }
      let value: String =
        switch first[0] {
        case .json(let json): String(decoding: json, as: UTF8.self)
        default:
          {
            var bytes: [UInt8] = []
            bytes.append(quoting: level)
            return String(decoding: bytes, as: UTF8.self)
          }()
        }
      var section = ReportContent.Section(
        id: "messages-\(content.sections.count)", title: "Messages of level \(mask.text(level))",
        command: questions.messagesCommand(top: Self.topMessagesOfLevel, level: value))
      (section.columns, section.rows) = rows(chosen, dropping: ["level"])
      content.sections.append(section)
    }
  }

  private static let maxLevels = 6

  /// The indices of levels, the worst first. Others are in their order.
  private static func bySeverity(_ levels: [String]) -> [Int] {
    let order: [Chart.PartStyle] = [.crimson, .red, .amber]
    let styles = levels.map { Chart.PartStyle.ofLevel($0.lowercased()) }
    let ranks = styles.map { style in style.flatMap { order.firstIndex(of: $0) } ?? order.count }
    return levels.indices.sorted { ranks[$0] != ranks[$1] ? ranks[$0] < ranks[$1] : $0 < $1 }
  }

  private func message(_ cell: Cell, _ column: String) -> Cell {
    switch column {
    case "example", "message": mask.cell(cell, at: questions.fields.message?.path.memberNames ?? [])
    case "level": mask.cell(cell, at: questions.fields.level?.path.memberNames ?? [])
    default: cell
    }
  }

  // MARK: Numbers and values

  private func addNumbers(_ groups: Groups, to content: inout ReportContent) {
    let names = questions.groupNames(.numbers)
    let table = GroupRows(groups, names, nil)
    var section = ReportContent.Section(id: "numbers", title: "Numbers", command: questions.numbersCommand())
    section.columns = table.columns
    var masked: Set<Int> = []
    table.forEach { row in
      let field = questions.fields.numbers[min(section.rows.count, questions.fields.numbers.count - 1)]
      // Only the bounds are numbers of the input.
      section.rows.append(
        zip(table.columns, row).map { column, cell in
          if column == "name" { return .text(mask.text(cell.plain)) }
          guard ["min", "max"].contains(column) else { return cell }
          let shown = mask.cell(cell, at: field.path.memberNames)
          if shown.plain != cell.plain { masked.insert(section.rows.count) }
          return shown
        })
    }
    let charts = GroupChart(groups, names, nil, top: nil, isLogarithmic: false).charts
    section.charts = charts.enumerated().filter { !masked.contains($0.offset) }.map { _, chart in
      var chart = chart
      chart.title = mask.text(chart.title)
      return chart
    }
    content.sections.append(section)
  }

  private static let topValues = 10

  private func addValues(_ groups: Groups, _ number: Int, to content: inout ReportContent) {
    let field = questions.fields.values[number]
    let names = questions.groupNames(.values(number))
    let table = GroupRows(groups, names, nil)
    var section = ReportContent.Section(
      id: "values-\(number + 1)", title: "Values of \(mask.text(field.text))",
      command: questions.valuesCommand(number, top: Self.topValues), isFolded: true)
    section.columns = table.columns.map(mask.text)
    var chart = Chart(title: "records by \(mask.text(ReportQuestions.name(of: field.path)))")
    var count = 0
    table.forEach { _ in count += 1 }
    table.forEach(top: Self.topValues) { row in
      let value = mask.cell(row[0], at: field.path.memberNames)
      section.rows.append([value] + row.dropFirst())
      let label = if case .absent = value { "(none)" } else { value.plain }
      chart.rows.append(.init(label: label, mark: .bar([Double(row[1].plain) ?? 0]), figure: row[1].plain))
    }
    section.charts = [chart]
    if count > Self.topValues || groups.others > 0 {
      let others = groups.others > 0 ? " at least" : ""
      section.notes.append("The \(Self.topValues) commonest of\(others) \(count) values.")
    }
    content.sections.append(section)
  }

  private func shown(_ cell: Cell, of field: ReportFields.Choice?) -> String {
    let masked = mask.cell(cell, at: field?.path.memberNames ?? [])
    if case .absent = masked { return "(none)" }
    return masked.plain
  }

  // MARK: Shape and fields

  private static let maxPaths = 200
  static let shapeExamples = 3

  private func addShape(to content: inout ReportContent) {
    let examples = mask.examples == .none ? 0 : Self.shapeExamples
    var section = ReportContent.Section(
      id: "shape", title: "Shape", command: questions.shapeCommand(examples: examples), columns: ShapeRows.names)
    section.hidden = [
      "records", "parents", "minItems", "maxItems", "minMembers", "maxMembers", "names", "map",
    ]
    guard !shape.isFull else {
      section.notes.append("There are too many different paths for a table.")
      return content.sections.append(section)
    }
    let rows = ShapeRows(shape, isForPeople: false)
    var count = 0
    if records > 0 {
      shape.forEachPath { path in
        count += 1
        guard section.rows.count < Self.maxPaths else { return }
        section.rows.append(masked(rows.cells(path), at: path.path))
      }
    }
    if count > Self.maxPaths { section.notes.append("The first \(Self.maxPaths) of \(count) paths.") }
    content.sections.append(section)
  }

  private func masked(_ cells: [Cell], at path: String) -> [Cell] {
    guard mask.examples != .all else { return cells }
    // The names of all members on the way: a wildcard stands for any.
    let names = (try? JSONPath(path))?.memberNames ?? []
    return zip(ShapeRows.names, cells).map { column, cell in
      switch column {
      case "path": .text(mask.text(cell.plain))
      case "min", "max", "examples": mask.cell(cell, at: names)
      default: cell
      }
    }
  }

  private func addFields(to content: inout ReportContent) {
    var section = ReportContent.Section(
      id: "fields", title: "How the fields were chosen", command: "",
      columns: ["field", "path", "reason"])
    func add(_ role: String, _ choice: ReportFields.Choice?) {
      let reason = choice?.reason ?? "none was found; --\(role) names one"
      section.rows.append([.text(role), choice.map { .text(mask.text($0.text)) } ?? .absent, .text(reason)])
    }
    add("time", questions.fields.time)
    add("level", questions.fields.level)
    add("message", questions.fields.message)
    for number in questions.fields.numbers { add("number", number) }
    for value in questions.fields.values { add("value", value) }
    section.notes = [
      "Bounds: \(ReportFields.maxNumbers) fields with numbers, \(ReportFields.maxValues) with few values, \(ReportQuestions.maxGroups) different values or messages each, \(Self.maxPaths) paths, \(Self.columns) intervals."
    ]
    content.sections.append(section)
  }
}
