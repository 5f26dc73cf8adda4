import JSONSift
import JSONSiftAnalysis

/// What the records say: the commonest messages, and those that came and went.
extension ReportSink {
  /// The messages that do not occur over most of the time: they have begun, or have passed.
  func addPassingMessages(_ groups: Groups, _ timeline: ReportTally.Timeline, to content: inout ReportContent) {
    let (picture, intervals) = timeline
    guard let message = questions.fields.message, let first = picture.intervals.first?.number,
      let last = picture.intervals.last?.number, last - first >= Self.minIntervals
    else { return }
    let hasLevels = questions.fields.level != nil
    // By interval: the records before it.
    let sums = picture.intervals.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.counts.reduce(0, +)) }
    let numbers = picture.intervals.map(\.number)
    func recordCount(_ span: ClosedRange<Int128>) -> Int {
      let start = numbers.firstIndex { $0 >= span.lowerBound } ?? numbers.count
      let end = numbers.firstIndex { $0 > span.upperBound } ?? numbers.count
      return sums[max(start, end)] - sums[start]
    }
    // The groups with the most records first.
    let passing = groups.order(top: .max).compactMap { group -> (group: Int, span: ClosedRange<Int128>)? in
      let count = groups.count(group)
      guard count >= Self.minPassing, let rows = groups.span(of: group) else { return nil }
      let span = picture.number(ofRow: rows.lowerBound)...picture.number(ofRow: rows.upperBound)
      // Wrong clocks make no message one of all times, nor one of a short one.
      guard span.overlaps(first...last) else { return nil }
      // The share of all other records that are in the stretch.
      let others = Double(max(recordCount(first...last) - count, 0))
      let share = (Double(max(recordCount(span) - count, 0)) + 1) / (others + 1)
      // The chance that as many records of any kind are all in such a stretch.
      var chance = Double(count)
      for _ in 1..<min(count, 4096) { chance *= share }
      return chance < 0.000_01 ? (group, span) : nil
    }
    guard !passing.isEmpty else { return }
    let levels = passing.map { hasLevels ? shown(groups.cells(of: $0.group, nil)[0], of: questions.fields.level) : "" }
    let length = Timespan.text(picture.length)
    var section = ReportContent.Section(
      id: "passing", title: "Messages that came and went",
      notes: [
        "Messages whose first and last record are nearer each other than chance allows, those of the worst levels first."
      ],
      command: questions.passingCommand(length),
      columns: (hasLevels ? ["level"] : []) + ["message", "count", "first", "last"])
    for (group, span) in Self.bySeverity(levels).prefix(Self.topPassing).map({ passing[$0] }) {
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
        "\(cells[1]) records with the message '\(cells[0])' at \(mask.text(message.text)) are all in the intervals of \(length) from \(cells[2]) to \(cells[3])"
      )
    }
    content.sections.append(section)
  }

  static let minIntervals: Int128 = 9
  static let minPassing = 3
  static let topPassing = 10
  static let topMessages = 20
  static let topMessagesOfLevel = 8

  func addMessages(_ groups: Groups, to content: inout ReportContent) {
    guard let field = questions.fields.message else { return }
    let names = questions.groupNames(.messages)
    let table = GroupRows(groups, names, nil)
    let hidden = mask.examples == .none ? "example" : nil
    func rows(of chosen: some Sequence<Int>, dropping dropped: String? = nil) -> (columns: [String], rows: [[Cell]]) {
      let kept = table.columns.indices.filter { table.columns[$0] != dropped && table.columns[$0] != hidden }
      let shown = chosen.flatMap { group in
        table.rows(of: group).map { row in
          kept.map { index in
            table.columns[index] == "message"
              ? template(row[index], groups.example(group)) : message(row[index], table.columns[index])
          }
        }
      }
      return (kept.map { table.columns[$0] }, shown)
    }
    let all = groups.order(top: nil)
    // The groups with the most records first.
    let ranked = groups.order(top: .max)
    var section = ReportContent.Section(
      id: "messages", title: "Messages",
      notes: [
        "Messages at \(mask.text(field.text)), with what varies in them replaced: \(all.count) different ones\(groups.others > 0 ? ", and \(groups.others) records with later ones, which are not counted and may be commoner" : ""). Line is where the example is."
      ],
      command: questions.messagesCommand(top: Self.topMessages, level: nil))
    (section.columns, section.rows) = rows(of: ranked.prefix(Self.topMessages))
    content.sections.append(section)
    guard questions.fields.level != nil else { return }
    // Levels are equal by value: 1 and 1.0, but not 1 and "1".
    func level(_ group: Int) -> [UInt8] { Array(groups.canonicalKey(group).first ?? []) }
    let byLevel = Dictionary(grouping: ranked, by: level)
    var levels: [(canonical: [UInt8], cell: Cell)] = []
    var known: Set<[UInt8]> = []
    for group in all {
      let canonical = level(group)
      // A condition cannot compare with an array or object.
      guard let first = canonical.first, first != UInt8(ascii: "["), first != UInt8(ascii: "{") else { continue }
      if known.insert(canonical).inserted { levels.append((canonical, groups.cells(of: group, nil)[0])) }
    }
    guard levels.count > 1 else { return }
    let shownLevels = levels.map { shown($0.cell, of: questions.fields.level) }
    for index in Self.bySeverity(shownLevels).prefix(Self.maxLevels) {
      let (level, name) = (levels[index], shownLevels[index])
      let chosen = (byLevel[level.canonical] ?? []).prefix(Self.topMessagesOfLevel)
      var section = ReportContent.Section(
        id: "messages-\(content.sections.count)", title: "Messages of level \(name)",
        command: questions.messagesCommand(
          top: Self.topMessagesOfLevel, level: String(decoding: level.canonical, as: UTF8.self)))
      if name != level.cell.label {
        section.command = ""
        section.notes.append("The level is masked, so there is no command that names it.")
      }
      (section.columns, section.rows) = rows(of: chosen, dropping: "level")
      content.sections.append(section)
    }
  }

  static let maxLevels = 6

  /// The indices of levels by their labels, the worst first. Others are in their order.
  static func bySeverity(_ levels: [String]) -> [Int] {
    let order: [Chart.PartStyle] = [.crimson, .red, .amber]
    let ranks = Chart.PartStyle.ofLevels(levels).map { $0.flatMap(order.firstIndex) ?? order.count }
    return levels.indices.sorted { ranks[$0] != ranks[$1] ? ranks[$0] < ranks[$1] : $0 < $1 }
  }

  /// Returns the template of a message. A pattern does not find a secret whose digits are replaced, so a message with something to
  /// mask is masked first.
  func template(_ cell: Cell, _ example: MessageExample?) -> Cell {
    let names = questions.fields.message?.path.memberNames ?? []
    guard let example, !example.text.isEmpty else { return mask.cell(cell, at: names) }
    let original = Groups.cell(example.text)
    let masked = mask.cell(original, at: names)
    guard masked.plain != original.plain else { return mask.cell(cell, at: names) }
    var text: [UInt8] = []
    if case .text(let plain) = masked { text.append(quoting: plain) } else { text += Array(masked.plain.utf8) }
    return mask.cell(Groups.cell(MessageTemplate.of(text)), at: names)
  }

  func message(_ cell: Cell, _ column: String) -> Cell {
    switch column {
    case "example": mask.cell(cell, at: questions.fields.message?.path.memberNames ?? [])
    case "level": mask.cell(cell, at: questions.fields.level?.path.memberNames ?? [])
    case "file": mask.cell(cell, at: [])
    default: cell
    }
  }
}
