import JSONSift
import TestSupport

extension FuzzTarget {
  /// Compares readers of ranges that cover an input with one reader of all of it: records, bad records, lines, offsets, matches
  /// of a condition, and the counts of the input that each owns. The cuts are anywhere; some ranges are empty.
  static let ranges = FuzzTarget(name: "ranges") { (bytes) throws(Difference) in
    var input = FuzzInput(bytes)
    let framings: [JSONFraming] = [.lines, .textSequence, .automatic]
    var options = JSONRecordOptions(framing: framings[input.choice() % 3], reading: input.options())
    options.recovery = .report
    let flags = input.choice()
    options.skipsPrefix = flags & 1 != 0
    options.rawByteLimit = flags & 2 != 0 ? 12 : 64 << 10
    let choices = input.choices(4)
    let condition = try? JSONCondition(conditions[input.choice() % conditions.count])
    let text = input.text
    // Two bytes reach every offset of a text of this length.
    let offsets = [choices[0] << 8 | choices[1], choices[2], choices[3]].map { $0 % (text.count + 1) }
    let cuts = [0] + offsets.sorted() + [text.count]

    let whole = read(text, options)
    if whole.failure?.code == .compressedInput { return }
    guard whole.framing == .lines || whole.framing == .textSequence else {
      options.range = JSONInputRange(0..<0)
      try expect(read(text, options).failure?.code == .unreadable, "a document has no ranges")
      return
    }
    try expectEqual("the bytes that one reader owns", whole.counts.bytes, text.count)
    try expectEqual("the line feeds", whole.counts.lineFeeds, text.count { $0 == 0x0A })
    try expectEqual("the counted records", whole.counts.records, whole.elements.count)
    try expectSame(text, cuts, options, whole)
    if whole.framing == .lines { try expectWorkers(text, cuts, options, whole, isThree: flags & 4 != 0) }
    if let condition { try expectMatches(text, cuts, options, condition) }
  }
}

private let conditions = ["@.a == 1", "@.level == 'error'", "@.a && @.b", "!@.a", "match(@.a, '[a-c]+')"]

private struct Part: Equatable {
  var elements: [String] = []
  var counts = InputTally.Counts()
  var line = 1
  var framing: JSONFraming?
  var failure: JSONError?
}

private func read(_ text: [UInt8], _ options: JSONRecordOptions) -> Part {
  var part = Part()
  let tally = InputTally()
  do throws(JSONError) {
    var reader = try JSONRecordReader(JSONSource.bytes(text).counted(by: tally), options: options)
    part.framing = reader.framing
    while let element = try reader.nextResult() { part.elements.append(description(of: element, reader.framing)) }
    part.line = reader.checkpoint.line
  } catch {
    part.failure = error
  }
  part.counts = tally.counts
  return part
}

/// Returns what is compared of an element. A record of a sequence may begin inside a line, whose start a range does not know:
/// the columns of its errors count from there.
private func description(of element: Result<JSONRecord, JSONBadRecord>, _ framing: JSONFraming) -> String {
  switch element {
  case .success(let record): return "\(record.line) \(record.byteRange) \(words(record.value.rawBytes))"
  case .failure(let bad):
    let position = "line \(bad.position.line)" + (framing == .lines ? ", column \(bad.position.column)" : "")
    return "\(bad.line) \(bad.byteRange) \(bad.error), \(position): \(bad.rawBytes)"
  }
}

/// Returns the options for each range between two cuts. Lines are counted from 1 in each.
private func ranges(_ cuts: [Int], _ options: JSONRecordOptions) -> [JSONRecordOptions] {
  zip(cuts, cuts.dropFirst()).map { start, end in
    var options = options
    options.range = JSONInputRange(start..<end)
    return options
  }
}

private func expectSame(
  _ text: [UInt8], _ cuts: [Int], _ options: JSONRecordOptions, _ whole: Part
) throws(Difference) {
  var all = Part(framing: whole.framing)
  for var options in ranges(cuts, options) {
    options.range?.firstLine = all.line
    let part = read(text, options)
    try expectEqual("the failure of a range", part.failure, nil)
    all.elements += part.elements
    all.counts.bytes += part.counts.bytes
    all.counts.lineFeeds += part.counts.lineFeeds
    all.counts.records += part.counts.records
    all.line = part.line
  }
  try expectEqual("the records of ranges cut at \(cuts)", all, whole)
}

private func expectWorkers(
  _ text: [UInt8], _ cuts: [Int], _ options: JSONRecordOptions, _ whole: Part, isThree: Bool
) throws(Difference) {
  var found: [String] = []
  for var options in ranges(cuts, options) {
    options.framing = .lines
    // The number of line feeds before the first line that is owned.
    let start = text.prefix(options.range?.lowerBound ?? 0)
    let isInside = start.last.map { $0 != 0x0A } ?? false
    options.range?.firstLine = 1 + start.count { $0 == 0x0A } + (isInside ? 1 : 0)
    let read = result { () throws(JSONError) in
      try WorkersInTurn(.bytes(text), options, where: nil, workers: isThree ? 3 : 1)
    }
    guard case .success(let workers) = read, workers.failure == nil else {
      throw Difference("the workers of a range", read, "")
    }
    found += workers.results.map { description(of: $0, .lines) }
  }
  try expectEqual("the records of workers in ranges cut at \(cuts)", found, whole.elements)
}

/// Compares the matches of a condition, for each use of the prefilter.
private func expectMatches(
  _ text: [UInt8], _ cuts: [Int], _ options: JSONRecordOptions, _ condition: JSONCondition
) throws(Difference) {
  for prefilter in [JSONRecordOptions.Prefilter.never, .automatic, .always] {
    var options = options
    options.recovery = .stop
    options.prefilter = prefilter
    guard let whole = matches(text, condition, options) else { return }
    var found: [String] = []
    for options in ranges(cuts, options) {
      guard let part = matches(text, condition, options) else { throw Difference("a range exceeds a limit", cuts, "") }
      found += part
    }
    try expectEqual("the matches of \(condition) in ranges cut at \(cuts), prefilter \(prefilter)", found, whole)
  }
}

/// Returns matches and bad records with their offsets; `nil` if the evaluation exceeds its limit.
private func matches(_ text: [UInt8], _ condition: JSONCondition, _ options: JSONRecordOptions) -> [String]? {
  var found: [String] = []
  do throws(JSONError) {
    var matches = try JSONMatches(of: [("$", "$")], where: condition, in: .bytes(text), records: options)
    while true {
      do throws(JSONError) {
        guard let match = try matches.next() else { return found }
        found.append("\(match.byteRange) \(words(match.value.rawBytes))")
      } catch {
        if error.code == .queryLimit { return nil }
        let bad = matches.badRecord(of: error)
        found.append("\(bad?.byteRange ?? 0..<0) \(error)")
        if error.code.endsInput { return found }
      }
    }
  } catch {
    return nil
  }
}
