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
  var tally: ReportTally
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
    tally = ReportTally(questions.plan, JSONShape(options: shaping))
  }

  mutating func gather(_ batch: inout Batch) {
    records += batch.count
    badRecords += batch.bad.count
    for report in batch.reports where places.count < BadRecords.shown { places += report.place.map { [$0] } ?? [] }
    if let read = batch.shape { tally.shape.merge(read) }
    tally.add(batch.answers, input: batch.input)
    batch.answers = []
  }

  mutating func finishAfterFailure() {}

  mutating func finish() {
    var content = ReportContent()
    content.files = files.map { $0.path == nil ? $0.name : mask.text($0.name) }
    (content.records, content.badRecords) = (records, badRecords)
    content.commands = [questions.countCommand(), questions.checkCommand()]
    content.places = mask.examples == .all ? places : places.map(mask.text)
    let timeline = tally.timeline()
    for (index, question) in questions.plan.asked.enumerated() {
      switch question {
      case .times: if let timeline { addTimes(timeline, to: &content) }
      case .messages:
        if let timeline { addPassingMessages(tally.groups[index], timeline, to: &content) }
        addMessages(tally.groups[index], to: &content)
      case .numbers:
        let shown = addNumbers(tally.groups[index], to: &content)
        if let timeline, let numbers = tally.numbers(over: timeline.picture) {
          let fields = addTimedNumbers(numbers.found, numbers.intervals, shown, to: &content)
          if let long = tally.numbers(over: timeline.picture, withCount: Self.enoughNumbers) {
            content.findings += slow(long.found, long.intervals, fields)
          }
        }
      case .values(let number): addValues(tally.groups[index], number, to: &content)
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
