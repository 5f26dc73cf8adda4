import CRawYajl
import JSONSift

/// What does a big document cost when no memory is there yet? And what do its matches cost when it is only streamed?
struct FreshDocument {
  private let arguments: Arguments
  private let report: Report

  init(_ arguments: Arguments, _ report: Report) {
    self.arguments = arguments
    self.report = report
  }

  /// As much as JSONSift reads at once, so that libyajl gets the same chunks.
  static let chunk = 1 << 18
  static let path = "$.records[*].user.id"

  func run() throws {
    report.begin("fresh", "one big document, parsed with new memory each time, or streamed")
    var records = LogRecords(.long)
    let bytes = records.document(of: arguments.freshBytes)
    try parse(bytes, records.answer)
    try stream(bytes, records.answer)
  }

  private func parse(_ bytes: [UInt8], _ answer: LogRecords.Answer) throws {
    try check(EventCounts(walking: JSON(parsing: bytes)), is: EventCounts(yajl: bytes) ?? EventCounts(), "fresh tape")
    // One object more closes the array.
    try check(JSON(parsing: bytes)["records"].count, is: answer.records + 1, "fresh tape, records")
    let baselines = Documents.baselineSides { Int(raw_yajl_whole(bytes, bytes.count, $0)) }
    let name = "JSON(parsing:), fresh"
    // The value is dropped inside the sample: giving memory back is part of the price.
    let side = Side(name) { blackHole(try JSON(parsing: bytes).tapeBytes) }
    let rows = try compare(
      [side], to: baselines, rounds: arguments.effort.rounds, effort: arguments.effort)
    report.table("document in memory", bytes: bytes.count, baselines: Documents.baselines, rows)
    report.wanted("\(name) x yajl", rows.last?.ratios.first?.median ?? 0, atLeast: 0.8)
  }

  private func stream(_ bytes: [UInt8], _ answer: LogRecords.Answer) throws {
    let file = try TemporaryFile("fresh.json", bytes: bytes)
    let path = file.path
    func matches() throws(JSONError) -> (count: Int, sum: Int) {
      var matches = try JSONMatches(of: Self.path, in: .path(path))
      var count = 0
      var sum = 0
      while let match = try matches.next() {
        count += 1
        sum += match.value.int ?? 0
      }
      return (count, sum)
    }
    let found = try matches()
    try check(found.count, is: answer.records, "matches of \(Self.path)")
    try check(found.sum, is: answer.userIDs, "sum of the matches of \(Self.path)")
    for checks in [1, 0] as [Int32] {
      try check(raw_yajl_file(path, Self.chunk, checks), is: 0, "raw yajl on the file")
    }
    let baselines = Documents.baselineSides { Int(raw_yajl_file(path, Self.chunk, $0)) }
    let rows = try compare(
      [Side("JSONMatches") { blackHole(try matches().sum) }], to: baselines, rounds: arguments.effort.rounds,
      effort: arguments.effort)
    report.table(
      "\(Self.path), file read in \(Self.chunk >> 10) KiB", bytes: bytes.count, baselines: Documents.baselines, rows)
    report.wanted("JSONMatches x yajl", rows.last?.ratios.first?.median ?? 0, atLeast: 0.95)
  }
}
