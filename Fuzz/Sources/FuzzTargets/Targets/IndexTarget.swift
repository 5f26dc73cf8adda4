import JSONSift
import JSONSiftAnalysis

extension FuzzTarget {
  /// Compares the records that satisfy a condition with those in the ranges that an index returns for it, before and after the
  /// index was stored.
  static let index = FuzzTarget(name: "index") { (bytes) throws(Difference) in
    var input = FuzzInput(bytes)
    var options = JSONRecordOptions(framing: .lines, reading: input.options())
    options.recovery = .report
    options.skipsPrefix = input.choice() & 1 != 0
    guard let condition = try? JSONCondition(words(input.line())) else { return }
    let text = input.text
    let read = result { () throws(JSONError) in try JSONBlockIndex(inTurn: text, paths: paths) }
    guard case .success(let index) = read else { return }
    let ranges = index.ranges(where: condition, includingBadRecords: options.skipsPrefix)
    guard let whole = found(text, condition, options, ranges: nil) else { return }
    guard let parts = found(text, condition, options, ranges: ranges) else {
      throw Difference("a range exceeds a limit", ranges, "")
    }
    try expectEqual("the records in \(ranges) that satisfy \(condition)", parts, whole)
    let stored = index.encoded()
    let again = result { () throws(JSONError) in try JSONBlockIndex(stored: stored, for: condition) }
    try expectEqual(
      "the ranges of a stored index",
      try? again.get().ranges(where: condition, includingBadRecords: options.skipsPrefix), ranges)
  }
}

private let paths: [JSONPath] = ["$.a", "$.b", "$.level", "$.a[0]", "$"]

/// Returns the records that satisfy the condition; `nil` if the evaluation exceeds its limit.
private func found(
  _ text: [UInt8], _ condition: JSONCondition, _ options: JSONRecordOptions, ranges: [JSONInputRange]?
) -> [String]? {
  var found: [String] = []
  for range in ranges.map({ $0.map { Optional($0) } }) ?? [nil] {
    var options = options
    options.range = range
    do throws(JSONError) {
      var reader = try JSONRecordReader(.bytes(text), options: options)
      while let element = try reader.nextResult() {
        guard case .success(let record) = element else { continue }
        guard try condition.holds(for: record.value, limits: options.reading.limits) else { continue }
        found.append("\(record.line) \(record.byteRange) \(words(record.value.rawBytes))")
      }
    } catch {
      return nil
    }
  }
  return found
}
