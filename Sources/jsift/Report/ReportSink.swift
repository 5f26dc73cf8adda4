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
    content.files = files.map { $0.path == nil ? $0.name : mask.text($0.name) }
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
    // The records of these have levels, which are not known.
    let known = picture.hasOthers ? picture.values.count - 1 : picture.values.count
    var section = ReportContent.Section(
      id: "time", title: "Over time", command: questions.timesCommand(length),
      columns: ["time"] + (hasLevels ? ["level"] : []) + ["count"], isFolded: true)
    let texts = picture.intervals.map { intervals.text(of: $0.number) }
    for (interval, text) in zip(picture.intervals, texts) {
      for (value, count) in interval.counts.enumerated() where count > 0 && value < known {
        section.rows.append([.text(text)] + (hasLevels ? [level(picture, value)] : []) + [Cell(count)])
      }
    }
    for (value, count) in picture.untimed.enumerated() where count > 0 && value < known {
      section.rows.append([.absent] + (hasLevels ? [level(picture, value)] : []) + [Cell(count)])
    }
    let untimed = picture.untimed.reduce(0, +)
    if untimed > 0 {
      section.notes.append("\(untimed) records without a time at \(time.text) are not in the pictures.")
    }
    if picture.hasOthers {
      section.notes.append("Levels after the first \(known) are together '\(Chart.otherPart)', and not in the table.")
    }
    if let strays = picture.strays,
      let seconds = TimeIntervals(of: time.path, length: TimeCounts.rowLength, questions.unit, questions.clock)
    {
      let (first, last) = (seconds.text(of: strays.rows.lowerBound), seconds.text(of: strays.rows.upperBound))
      section.notes.append(
        "\(strays.count) records have times far from all others, from about \(first) to \(last); they are not shown.")
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

  /// Sentences about intervals with far more records of a level than others have, the worst level first; about the records of
  /// the worst levels, if they are few; and about intervals with far fewer records than others.
  private func findings(
    _ picture: TimeCounts.Picture, _ names: [String], _ texts: [String], _ length: String
  ) -> [String] {
    guard picture.intervals.count >= 4 else { return [] }
    let hasLevels = questions.fields.level != nil && names.count > 1
    var findings: [String] = []
    for value in Self.bySeverity(names) {
      let counts = picture.intervals.map { $0.counts[value] }
      let what = hasLevels ? "records of level \(names[value])" : "records"
      let sum = counts.reduce(0, +)
      let found = counts.indices.filter { counts[$0] > 0 }
      if Chart.PartStyle.ofLevel(names[value].lowercased()) == .crimson, sum < 100, let first = found.first,
        let last = found.last
      {
        findings.append("\(sum) \(what), \(Self.stretch(texts, first, last))")
        continue
      }
      guard let peak = counts.indices.max(by: { counts[$0] < counts[$1] }) else { continue }
      // A lower quartile: what is normal is still there when half of the time something is wrong.
      let normal = counts.sorted()[counts.count / 4]
      guard counts[peak] >= 10, counts[peak] > 4 * max(normal, 1) else { continue }
      // The stretch around the peak with at least half of it.
      var (start, end) = (peak, peak)
      while start > 0, counts[start - 1] * 2 >= counts[peak] { start -= 1 }
      while end + 1 < counts.count, counts[end + 1] * 2 >= counts[peak] { end += 1 }
      findings.append(
        "\(what): up to \(counts[peak]) per \(length), \(Self.stretch(texts, start, end)); a quarter of all intervals with records have at most \(normal)"
      )
    }
    return Array(findings.prefix(Self.maxFindings)) + drops(picture, texts, length)
  }

  private static let maxFindings = 4

  private static func stretch(_ texts: [String], _ start: Int, _ end: Int) -> String {
    start == end ? "at \(texts[start])" : "from \(texts[start]) to \(texts[end])"
  }

  /// A sentence about the longest stretch in which far fewer records were written than usual, apart from the ends.
  private func drops(_ picture: TimeCounts.Picture, _ texts: [String], _ length: String) -> [String] {
    let sums = picture.intervals.map { $0.counts.reduce(0, +) }
    let median = sums.sorted()[sums.count / 2]
    guard median >= 20 else { return [] }
    var longest = 0..<0
    var start: Int?
    for index in 1..<max(sums.count - 1, 1) {
      let isFollowing = picture.intervals[index].number - picture.intervals[index - 1].number == 1
      if sums[index] * 5 < median {
        start = isFollowing ? start ?? index : index
        if let start, index + 1 - start > longest.count { longest = start..<(index + 1) }
      } else {
        start = nil
      }
    }
    guard let first = longest.first, let last = longest.last else { return [] }
    let most = sums[longest].max() ?? 0
    return [
      "few records: at most \(most) per \(length), \(Self.stretch(texts, first, last)); half of all intervals with records have \(median) or more"
    ]
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
    let hasLevels = questions.fields.level != nil
    let range = Double(last - first + 1)
    let passing = groups.order(top: nil).compactMap { group -> (group: Int, span: ClosedRange<Int128>)? in
      let count = groups.count(group)
      guard count >= Self.minPassing, let rows = groups.span(of: group) else { return nil }
      let span = picture.number(ofRow: rows.lowerBound)...picture.number(ofRow: rows.upperBound)
      // Wrong clocks make no message one of all times, nor one of a short one.
      guard span.overlaps(first...last) else { return nil }
      let share = Double(min(span.upperBound, last) - max(span.lowerBound, first) + 1) / range
      // The chance that records at any times are all in such a stretch.
      var chance = Double(count)
      for _ in 1..<min(count, 4096) { chance *= share }
      return chance < 0.001 ? (group, span) : nil
    }
    let levels = passing.map { groups.cells(of: $0.group, nil)[0].plain }
    let ranks = Self.ranks(levels)
    let ranked = passing.enumerated().sorted { (left, right) in
      if hasLevels, ranks[left.offset] != ranks[right.offset] { return ranks[left.offset] < ranks[right.offset] }
      let (most, other) = (groups.count(left.element.group), groups.count(right.element.group))
      return most != other ? most > other : left.offset < right.offset
    }.prefix(Self.topPassing).map(\.element)
    guard !ranked.isEmpty else { return }
    let length = Timespan.text(picture.length)
    var section = ReportContent.Section(
      id: "passing", title: "Messages that came and went",
      notes: [
        "Messages whose first and last record are nearer each other than chance allows, those of the worst levels first."
      ],
      command: questions.passingCommand(length),
      columns: (hasLevels ? ["level"] : []) + ["message", "count", "first", "last"])
    for (group, span) in ranked {
      let keys = groups.cells(of: group, nil)
      let level = hasLevels ? [self.message(keys[0], "level")] : []
      let text = template(keys[keys.count - 1], groups.example(group))
      section.rows.append(
        level + [text, Cell(groups.count(group))]
          + [span.lowerBound, span.upperBound].map { .text(intervals.text(of: $0)) })
    }
    for row in section.rows.prefix(Self.maxFindings) {
      let cells = row.suffix(4).map(\.plain)
      content.findings.append(
        "\(cells[1]) records with the message '\(cells[0])' at \(message.text) are all in the intervals of \(length) from \(cells[2]) to \(cells[3])"
      )
    }
    content.sections.append(section)
  }

  private static let minIntervals: Int128 = 9
  private static let minPassing = 3
  private static let topPassing = 10
  private static let topMessages = 20
  private static let topMessagesOfLevel = 8

  private func addMessages(_ groups: Groups, to content: inout ReportContent) {
    guard let field = questions.fields.message else { return }
    let names = questions.groupNames(.messages)
    let table = GroupRows(groups, names, nil)
    let hidden = mask.examples == .none ? "example" : nil
    func rows(
      _ order: [(row: [Cell], group: Int)], dropping dropped: String? = nil
    ) -> (
      columns: [String], rows: [[Cell]]
    ) {
      let kept = table.columns.indices.filter { table.columns[$0] != dropped && table.columns[$0] != hidden }
      let shown = order.map { row, group in
        kept.map { index in
          table.columns[index] == "message"
            ? template(row[index], groups.example(group)) : message(row[index], table.columns[index])
        }
      }
      return (kept.map { table.columns[$0] }, shown)
    }
    var all: [[Cell]] = []
    table.forEach { all.append($0) }
    var top: [[Cell]] = []
    table.forEach(top: Self.topMessages) { top.append($0) }
    let topGroups = groups.order(top: Self.topMessages)
    var section = ReportContent.Section(
      id: "messages", title: "Messages",
      notes: [
        "Messages at \(field.text), with what varies in them replaced: \(all.count) different ones\(groups.others > 0 ? ", and \(groups.others) records with later ones, which are not counted and may be commoner" : ""). Line is where the example is."
      ],
      command: questions.messagesCommand(top: Self.topMessages, level: nil))
    (section.columns, section.rows) = rows(zip(top, topGroups).map { ($0, $1) })
    content.sections.append(section)
    guard questions.fields.level != nil else { return }
    // Levels are equal by value: 1 and 1.0, but not 1 and "1".
    var byLevel: [[UInt8]: [(row: [Cell], group: Int)]] = [:]
    var levels: [(canonical: [UInt8], cell: Cell)] = []
    for (row, group) in zip(all, groups.order(top: nil)) {
      let canonical = Array(groups.canonicalKey(group).first ?? [])
      // A condition cannot compare with an array or object.
      guard let first = canonical.first, first != UInt8(ascii: "["), first != UInt8(ascii: "{") else { continue }
      if byLevel[canonical] == nil { levels.append((canonical, row[0])) }
      byLevel[canonical, default: []].append((row, group))
    }
    guard levels.count > 1 else { return }
    for index in Self.bySeverity(levels.map(\.cell.plain)).prefix(Self.maxLevels) {
      let level = levels[index]
      let ranked = (byLevel[level.canonical] ?? []).enumerated().sorted { (left, right) in
        let (most, other) = (groups.count(left.element.group), groups.count(right.element.group))
        return most != other ? most > other : left.offset < right.offset
      }
      let chosen = ranked.prefix(Self.topMessagesOfLevel).map(\.element)
      let name = shown(level.cell, of: questions.fields.level)
      var section = ReportContent.Section(
        id: "messages-\(content.sections.count)", title: "Messages of level \(name)",
        command: questions.messagesCommand(
          top: Self.topMessagesOfLevel, level: String(decoding: level.canonical, as: UTF8.self)))
      (section.columns, section.rows) = rows(chosen, dropping: "level")
      content.sections.append(section)
    }
  }

  private static let maxLevels = 6

  /// The indices of levels, the worst first. Others are in their order.
  private static func bySeverity(_ levels: [String]) -> [Int] {
    let ranks = ranks(levels)
    return levels.indices.sorted { ranks[$0] != ranks[$1] ? ranks[$0] < ranks[$1] : $0 < $1 }
  }

  /// Numbers that are the smaller, the worse a level is.
  private static func ranks(_ levels: [String]) -> [Int] {
    let order: [Chart.PartStyle] = [.crimson, .red, .amber]
    return levels.map { level in
      Chart.PartStyle.ofLevel(level.lowercased()).flatMap { order.firstIndex(of: $0) } ?? order.count
    }
  }

  /// Returns the template of a message. If the message has something to mask, it is that of the masked message: a pattern does not
  /// find a secret whose digits are replaced.
  private func template(_ cell: Cell, _ example: MessageExample?) -> Cell {
    let names = questions.fields.message?.path.memberNames ?? []
    guard let example, !example.text.isEmpty else { return mask.cell(cell, at: names) }
    let original = Groups.cell(example.text)
    let masked = mask.cell(original, at: names)
    guard masked.plain != original.plain else { return mask.cell(cell, at: names) }
    var text: [UInt8] = []
    if case .text(let plain) = masked { text.append(quoting: plain) } else { text += Array(masked.plain.utf8) }
    return mask.cell(Groups.cell(MessageTemplate.of(text)), at: names)
  }

  private func message(_ cell: Cell, _ column: String) -> Cell {
    switch column {
    case "example": mask.cell(cell, at: questions.fields.message?.path.memberNames ?? [])
    case "level": mask.cell(cell, at: questions.fields.level?.path.memberNames ?? [])
    case "file": mask.cell(cell, at: [])
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
    var chart = Chart(title: "records by \(mask.text(questions.valueNames[number]))")
    var count = 0
    table.forEach { _ in count += 1 }
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

  private func shown(_ cell: Cell, of field: ReportFields.Choice?) -> String {
    let masked = mask.cell(cell, at: field?.path.memberNames ?? [])
    return masked.label
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
      case "min", "max": mask.cell(cell, at: names)
      case "examples": examples(cell, at: names)
      default: cell
      }
    }
  }

  /// Returns the examples of a path, each masked and then cut: a part of a secret is not recognised. They were read with
  /// ``maskedExampleBytes``; what is cut even then is not shown.
  private func examples(_ cell: Cell, at names: [String]) -> Cell {
    guard case .json(let bytes) = cell, let list = try? JSON(parsing: bytes) else { return cell }
    var shown: [UInt8] = []
    for example in list.arrayValue {
      if !shown.isEmpty { shown.append(UInt8(ascii: ",")) }
      let text = Cell(example)
      var masked = mask.cell(text, at: names)
      if case .text(let plain) = masked {
        let isCut = plain.hasSuffix("…") && plain.utf8.count >= Self.maskedExampleBytes
        let short = String(plain.prefix(39))
        masked = .text(isCut ? "…" : plain.utf8.count > 40 ? short + "…" : plain)
      }
      switch masked {
      case .text(let plain): shown.append(quoting: plain)
      case .json(let json): shown += json
      case .absent: shown += "null".utf8
      }
    }
    return .json([UInt8(ascii: "[")] + shown + [UInt8(ascii: "]")])
  }

  /// The length of examples in memory if they are to be masked.
  static let maskedExampleBytes = 2000

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
