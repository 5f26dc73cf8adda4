import JSONSift
import TestSupport

extension FuzzTarget {
  /// Compares the records that satisfy a condition: by the condition alone, with and without the prefilter, by one worker and
  /// by three, and as matches of a path. The input is a line with a condition, followed by the text.
  static let records = FuzzTarget(name: "records") { (bytes) throws(Difference) in
    var input = FuzzInput(bytes)
    var options = JSONRecordOptions(framing: framing(input.choice()), reading: input.options())
    options.recovery = .report
    let flags = input.choice()
    options.skipsPrefix = flags & 1 != 0
    let size = input.choice()
    let line = words(input.line())
    guard let condition = try? JSONCondition(line) else {
      if let diagnosis = JSONPath.Diagnosis(condition: line) { _ = diagnosis.description }
      return
    }
    let text = input.text
    guard let expected = filtered(text, condition, options) else { return }
    try expectMatches(text, size, condition, options, expected)
    if options.framing == .lines {
      try expectWorkers(text, size, condition, options, expected, isThree: flags & 2 != 0)
    }
  }
}

private struct Found: Equatable {
  var records: [[UInt8]] = []
  var places: [Int] = []
  var bad: [JSONBadRecord] = []

  mutating func add(_ bytes: [UInt8], _ line: Int, _ offset: Int) {
    records.append(bytes)
    places += [line, offset]
  }
}

/// Returns the records for which the condition holds; `nil` if the evaluation exceeds its limit.
private func filtered(_ text: [UInt8], _ condition: JSONCondition, _ options: JSONRecordOptions) -> Found? {
  var found = Found()
  do throws(JSONError) {
    var reader = try JSONRecordReader(.bytes(text), options: options)
    while let element = try reader.nextResult() {
      switch element {
      case .failure(let bad): found.bad.append(bad)
      case .success(let record):
        if try condition.holds(for: record.value, limits: options.reading.limits) {
          let line = reader.framing == .document ? 1 : record.line
          found.add(record.value.rawBytes, line, record.byteRange.lowerBound)
        }
      }
    }
  } catch {
    return nil
  }
  return found
}

/// Compares with the matches of `$`, for each use of the prefilter.
private func expectMatches(
  _ text: [UInt8], _ size: Int, _ condition: JSONCondition, _ options: JSONRecordOptions, _ expected: Found
) throws(Difference) {
  for prefilter in [JSONRecordOptions.Prefilter.never, .automatic, .always] {
    var options = options
    options.recovery = .stop
    options.prefilter = prefilter
    var found = Found()
    var isDocument = false
    do throws(JSONError) {
      var matches = try JSONMatches(
        of: [("$", "$")], where: condition, in: source(text, size), records: options, keepsDocument: true)
      isDocument = matches.framing == .document
      while found.bad.count <= expected.bad.count {
        do throws(JSONError) {
          guard let match = try matches.next() else { break }
          found.add(match.value.rawBytes, isDocument ? 1 : matches.recordLine ?? 1, match.byteRange.lowerBound)
        } catch {
          if error.code == .queryLimit { return }
          if let bad = matches.badRecord(of: error) { found.bad.append(bad) }
          if isDocument || matches.stopReason != nil || error.code.endsInput { break }
        }
      }
    } catch {
      if error.code == .compressedInput { return }
      throw Difference("the matches can be opened", error, "")
    }
    // With `always`, bad records may be ruled out too. A document is no record.
    if prefilter == .always || isDocument { found.bad = expected.bad }
    try expectEqual("the matches of \(condition) with the prefilter \(prefilter)", found, expected)
  }
}

private func expectWorkers(
  _ text: [UInt8], _ size: Int, _ condition: JSONCondition, _ options: JSONRecordOptions, _ expected: Found,
  isThree: Bool
) throws(Difference) {
  for prefilter in [JSONRecordOptions.Prefilter.never, .automatic] {
    var options = options
    options.prefilter = prefilter
    let count = isThree ? 3 : 1
    let read = result { () throws(JSONError) in
      try WorkersInTurn(source(text, size), options, where: condition, workers: count)
    }
    guard case .success(let workers) = read else { return }
    if let failure = workers.failure {
      if (failure as? JSONError)?.code == .queryLimit { return }
      throw Difference("\(count) workers", failure, expected)
    }
    var found = Found()
    for element in workers.results {
      switch element {
      case .failure(let bad): found.bad.append(bad)
      case .success(let record): found.add(record.value.rawBytes, record.line, record.byteRange.lowerBound)
      }
    }
    try expectEqual("the records of \(count) workers with the prefilter \(prefilter)", found, expected)
  }
}
