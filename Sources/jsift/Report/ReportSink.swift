import JSONSift
import JSONSiftAnalysis

/// Gathers what a report asks, and writes the page at the end.
struct ReportSink: ResultSink {
  static let gathers = true
  static let stopsAtExactRecord = false

  let questions: ReportQuestions
  let mask: ReportMask
  let format: ReportFormat
  let files: [InputFile]
  var times = TimeCounts()
  /// The groups of each question. Those of the question about times are empty.
  var groups: [Groups]
  var shape: JSONShape
  var records = 0
  var badRecords = 0
  var places: [String] = []

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
        maxGroups: ReportQuestions.maxGroups,
        // Without keys there is one group.
        foldingBeyond: query.numbers.isEmpty ? ReportQuestions.maxBytes : nil)
    }
  }

  mutating func gather(_ batch: inout Batch) {
    records += batch.count
    badRecords += batch.bad.count
    for report in batch.reports where places.count < BadRecords.shown { places += report.place.map { [$0] } ?? [] }
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
    let timeline = timeline()
    for (index, question) in questions.asked.enumerated() {
      switch question {
      case .times: if let timeline { addTimes(timeline, to: &content) }
      case .messages:
        if let timeline { addPassingMessages(groups[index], timeline, to: &content) }
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
}
