import JSONSift
import TestSupport

extension FuzzTarget {
  /// Compares the records inside of records with those that parsing the strings finds, whole and in chunks, as records and as
  /// matches, with one worker and with three.
  static let unwrap = FuzzTarget(name: "unwrap") { (bytes) throws(Difference) in
    var input = FuzzInput(bytes)
    let choice = input.choice()
    var options = JSONRecordOptions(framing: choice & 128 != 0 ? .document : .lines, reading: input.options())
    options.recovery = .report
    // A limit of the outer record is not one of the inner record.
    options.reading.limits = JSONLimits()
    options.steps = steps(choice)
    let size = input.choice()
    let text = input.text
    let whole = found(text, 0, options)
    try expectEqual("chunks of \(size), steps \(options.steps.map(\.kindName))", whole, found(text, size, options))
    try expectEqual("matches, steps \(options.steps.map(\.kindName))", whole.values, matched(text, size, options))
    if options.framing == .lines, options.steps.count == 1, case .unwrap = options.steps[0].kind {
      try expectEqual("the strings by themselves", whole.values, unwrapped(text, options))
    }
  }
}

extension JSONRecordStep {
  fileprivate var kindName: String { "\(kind)" }
}

/// Returns up to three steps.
private func steps(_ choice: Int) -> [JSONRecordStep] {
  let all: [JSONRecordStep] = [.unwrap("$.log"), .each("$.r"), .each("$[*]"), .unwrap("$[0]")]
  var steps: [JSONRecordStep] = [choice & 64 != 0 ? .each("$..a") : .unwrap("$.log")]
  if choice & 8 != 0 { steps.append(all[choice & 3]) }
  if choice & 16 != 0 { steps.append(all[choice >> 1 & 3]) }
  return steps
}

private struct Found: Equatable {
  /// The text of a record, or the error code of a bad one.
  var values: [String] = []
  var lines: [Int] = []
  var bad: [JSONBadRecord] = []
  var error: JSONError?
}

private func plain(_ value: JSON) -> String {
  String(decoding: withoutBlanks(value.rawBytes), as: UTF8.self)
}

private func found(_ text: [UInt8], _ size: Int, _ options: JSONRecordOptions) -> Found {
  var found = Found()
  do throws(JSONError) {
    var reader = try JSONRecordReader(source(text, size), options: options)
    while let result = try reader.nextResult() {
      switch result {
      case .success(let record):
        found.values.append(plain(record.value))
        found.lines.append(record.line)
      case .failure(let bad):
        found.values.append("bad")
        found.bad.append(bad)
      }
    }
  } catch {
    found.error = error
  }
  return found
}

private func matched(_ text: [UInt8], _ size: Int, _ options: JSONRecordOptions) -> [String] {
  var values: [String] = []
  do throws(JSONError) {
    var options = options
    options.recovery = .stop
    var matches = try JSONMatches(of: [("", "$")], in: source(text, size), records: options)
    while true {
      do throws(JSONError) {
        guard let match = try matches.next() else { return values }
        values.append(plain(match.value))
      } catch {
        guard matches.stopReason == nil, error.code != .queryLimit else { return values }
        values.append("bad")
      }
    }
  } catch {
    return values
  }
}

/// Returns the records in the strings at `$.log`, each parsed by itself.
private func unwrapped(_ text: [UInt8], _ options: JSONRecordOptions) -> [String] {
  var values: [String] = []
  do throws(JSONError) {
    var options = options
    options.steps = []
    var reader = try JSONRecordReader(.bytes(text), options: options)
    while let result = try reader.nextResult() {
      guard case .success(let record) = result else {
        values.append("bad")
        continue
      }
      guard let inner = try record.value.query("$.log").first else { continue }
      guard let string = inner.string else {
        if inner.array != nil || inner.dictionary != nil { values.append(plain(inner)) }
        continue
      }
      let bytes = Array(string.utf8)
      let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
      if let value = try? JSON(parsing: bytes, options: options.reading) {
        values.append(plain(value))
      } else if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
        values.append("bad")
      }
    }
  } catch {
    return values
  }
  return values
}
