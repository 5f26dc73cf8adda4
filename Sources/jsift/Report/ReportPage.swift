import JSONSift

/// Writes a report as one page of HTML: without scripts, and without anything that is loaded from elsewhere.
///
/// Everything that comes from the input is escaped, and characters that are not seen, or that change the order of others, are
/// named. A policy in the head forbids scripts in any case.
struct ReportPage {
  private let content: ReportContent

  /// The largest size of a text of the input on the page, escaped. The page has at most some thousand of them.
  private static let maxText = 240
  /// The largest size of the page without its head, and of a table, in bytes.
  private static let (maxBytes, maxTable) = (490_000, 80_000)
  private static let maxName = 120
  private static let maxFiles = 30
  private static let maxCommand = 2400

  init(_ content: ReportContent) { self.content = content }

  var text: String {
    let title = "Report of " + names(of: content.files)
    var body = "<h1>\(title)</h1>\n<p class=\"lead\">\(summary)</p>\n"
    if !content.findings.isEmpty {
      body += "<h2 id=\"findings\">What stands out</h2>\n<ul>\n"
      for finding in content.findings { body += "<li>\(Self.escaped(finding, Self.maxText * 2))</li>\n" }
      body += "</ul>\n"
    }
    // Tables have what pictures, sentences and commands leave.
    let parts = content.sections.map { (start: start(of: $0), end: Self.shown($0.command) + "</section>\n") }
    let files = self.files
    var left = Self.maxBytes - body.utf8.count - files.utf8.count
    for part in parts { left -= part.start.utf8.count + part.end.utf8.count }
    for (section, part) in zip(content.sections, parts) {
      let table = self.table(section, atMost: min(left, Self.maxTable))
      left -= table.utf8.count
      body += part.start + table + part.end
    }
    body += files
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>
      \(Self.style)
      \(SVGChart.style)
      </style>
      </head>
      <body>
      <main>
      \(body)</main>
      </body>
      </html>

      """
  }

  private var summary: String {
    let files = content.files.count == 1 ? "1 file" : "\(content.files.count) files"
    let records = content.records == 1 ? "1 record" : "\(content.records) records"
    let bad = content.badRecords
    return "\(records) in \(files)"
      + (bad == 0 ? ", none of them bad." : bad == 1 ? ", and 1 bad one." : ", and \(bad) bad ones.")
  }

  private func names(of files: [String]) -> String {
    let first = files.first.map { Self.escaped($0 == "-" ? "standard input" : $0, Self.maxName) } ?? "nothing"
    return files.count > 1 ? "\(first) and \(files.count - 1) more" : first
  }

  /// The names of the files, and the first bad records.
  private var files: String {
    var text = "<h2 id=\"files\">Files</h2>\n<ul>\n"
    for file in content.files.prefix(Self.maxFiles) { text += "<li>\(names(of: [file]))</li>\n" }
    if content.files.count > Self.maxFiles { text += "<li>and \(content.files.count - Self.maxFiles) more</li>\n" }
    text += "</ul>\n"
    for command in content.commands { text += Self.shown(command) }
    guard !content.places.isEmpty else { return text }
    text += "<h2 id=\"bad\">The first bad records</h2>\n<ul>\n"
    for place in content.places { text += "<li>\(Self.escaped(place, Self.maxText))</li>\n" }
    return text + "</ul>\n"
  }

  // MARK: Sections

  /// Returns what stands before the table.
  private func start(of section: ReportContent.Section) -> String {
    var text =
      "<section aria-labelledby=\"\(section.id)\">\n<h2 id=\"\(section.id)\">\(Self.escaped(section.title, Self.maxName))</h2>\n"
    for note in section.notes { text += "<p>\(Self.escaped(note, Self.maxText * 2))</p>\n" }
    if !section.charts.isEmpty {
      var picture = SVGChart()
      for chart in section.charts { picture.add(chart) }
      text += "<div class=\"wide\">\n\(picture.part(section.title))</div>\n"
    }
    return text
  }

  private static func shown(_ command: String) -> String {
    guard !command.isEmpty else { return "" }
    let text = command.utf8.count <= maxCommand ? SVGChart.escaped(command) : command
    guard text.utf8.count <= maxCommand else {
      return "<p class=\"command\">The command for the same numbers is too long for a page; --format json has it.</p>\n"
    }
    return "<p class=\"command\">The same numbers: <code>\(text)</code></p>\n"
  }

  /// Returns the table with the rows that fit into a number of bytes.
  private func table(_ section: ReportContent.Section, atMost most: Int) -> String {
    guard !section.rows.isEmpty else { return "" }
    let columns = section.columns.indices.filter { column in
      !section.hidden.contains(section.columns[column])
        && section.rows.contains { row in if case .absent = row[column] { false } else { true } }
    }
    guard let first = columns.first else { return "" }
    var text = section.isFolded ? "<details>\n<summary>As a table</summary>\n" : ""
    text +=
      "<div class=\"wide\">\n<table>\n<caption>\(Self.escaped(section.title, Self.maxName))</caption>\n<thead><tr>"
    let isNumeric = section.columns.indices.map { column in section.rows.contains { $0[column].isNumber } }
    for column in columns {
      text +=
        "<th scope=\"col\"\(isNumeric[column] ? " class=\"number\"" : "")>\(Self.escaped(section.columns[column], Self.maxName))</th>"
    }
    text += "</tr></thead>\n<tbody>\n"
    var count = 0
    for row in section.rows {
      var line = "<tr>"
      for column in columns {
        let cell = Self.escaped(Self.shown(row[column], section.columns[column]), Self.maxText)
        if column == first, !isNumeric[column] {
          line += "<th scope=\"row\">\(cell)</th>"
        } else {
          line += isNumeric[column] ? "<td class=\"number\">\(cell)</td>" : "<td>\(cell)</td>"
        }
      }
      line += "</tr>\n"
      guard text.utf8.count + line.utf8.count <= most else { break }
      text += line
      count += 1
    }
    let others = section.command.isEmpty ? "" : " The command prints all of them."
    let note = "<p>The first \(count) of \(section.rows.count) rows.\(others)</p>\n"
    guard count > 0 else { return note }
    text += "</tbody>\n</table>\n</div>\n" + (count < section.rows.count ? note : "")
    return text + (section.isFolded ? "</details>\n" : "")
  }

  /// Returns the text of a cell. The types and examples of a path are written without the syntax of JSON around them.
  private static func shown(_ cell: Cell, _ column: String) -> String {
    guard ["types", "examples"].contains(column), case .json(let bytes) = cell, let value = try? JSON(parsing: bytes)
    else {
      return cell.plain
    }
    var texts: [String] = []
    for (name, child) in value {
      texts.append(column == "examples" ? Cell(child).plain : value.count == 1 ? name : "\(name) \(child.stringValue)")
    }
    return texts.joined(separator: ", ")
  }

  private static func escaped(_ text: String, _ most: Int) -> String { SVGChart.escaped(text, atMost: most) }

  private static let style = """
    :root { color-scheme: light dark; --text: #1f2328; --dim: #59636e; --line: #d1d9e0; --ground: #fff; --code: #f3f5f7 }
    @media (prefers-color-scheme: dark) {
    :root { --text: #e6edf3; --dim: #9198a1; --line: #3d444d; --ground: #0d1117; --code: #1b212a } }
    body { margin: 0; background: var(--ground); color: var(--text);
    font: 15px/1.5 -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif }
    main { max-width: 1100px; margin: 0 auto; padding: 16px }
    h1 { font-size: 24px; line-height: 1.25; overflow-wrap: anywhere } h2 { font-size: 18px; margin: 32px 0 8px }
    p, li { overflow-wrap: anywhere } .lead { font-size: 17px }
    .wide { overflow-x: auto } svg { min-width: 640px; width: 100%; max-width: 900px; height: auto; display: block;
    font-family: inherit }
    table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums }
    caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
    th, td { text-align: left; vertical-align: top; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line);
    max-width: 480px; overflow-wrap: break-word; font-weight: 400 }
    tbody th, tbody td { white-space: pre-wrap } thead th { font-weight: 600; white-space: nowrap } .number { text-align: right; white-space: nowrap }
    .command { color: var(--dim); font-size: 13px } code { font: 12px/1.5 ui-monospace, Menlo, Consolas, monospace;
    background: var(--code); color: var(--text); padding: 2px 5px; border-radius: 4px; overflow-wrap: anywhere }
    summary { cursor: pointer; color: var(--dim) }
    @media print { main { max-width: none } h2 { break-after: avoid } tr, svg { break-inside: avoid }
    .wide { overflow: visible } }
    """
}
