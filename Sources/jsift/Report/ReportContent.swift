import JSONSift

/// What a report says: its sections in their order, each with the command that prints the same rows.
struct ReportContent {
  var files: [String] = []
  var records = 0
  var badRecords = 0
  /// The commands that print both numbers.
  var commands: [String] = []
  /// The first bad records: where they are, and why they are bad.
  var places: [String] = []
  /// Sentences about what is conspicuous.
  var findings: [String] = []
  var sections: [Section] = []

  struct Section {
    /// A word for links and programs.
    let id: String
    let title: String
    /// What the section shows, or what it leaves out.
    var notes: [String] = []
    /// The command that prints the rows; empty if they are not about the records.
    var command: String
    var columns: [String] = []
    var rows: [[Cell]] = []
    var charts: [Chart] = []
    /// The columns that only programs get.
    var hidden: Set<String> = []
    /// Whether the rows are shown only when a reader opens them: the charts say the same.
    var isFolded = false
  }

  /// The report as one JSON text, for programs.
  var json: [UInt8] {
    var bytes: [UInt8] = []
    let head: [(String, Cell)] = [
      ("records", Cell(records)), ("badRecords", Cell(badRecords)),
      ("commands", Self.list(commands.map { .text($0) })), ("files", Self.list(files.map { .text($0) })),
      ("places", Self.list(places.map { .text($0) })), ("findings", Self.list(findings.map { .text($0) })),
    ]
    let sections = self.sections.map { section -> Cell in
      let rows = section.rows.map { row -> Cell in
        var bytes: [UInt8] = []
        bytes.append(object: zip(section.columns, row))
        return .json(bytes)
      }
      var bytes: [UInt8] = []
      bytes.append(object: [
        ("id", .text(section.id)), ("title", .text(section.title)), ("command", .text(section.command)),
        ("notes", Self.list(section.notes.map { .text($0) })), ("rows", Self.list(rows)),
      ])
      return .json(bytes)
    }
    bytes.append(object: head + [("sections", Self.list(sections))])
    return bytes + [UInt8(ascii: "\n")]
  }

  private static func list(_ cells: [Cell]) -> Cell {
    var bytes: [UInt8] = []
    bytes.append(array: cells)
    return .json(bytes)
  }
}
