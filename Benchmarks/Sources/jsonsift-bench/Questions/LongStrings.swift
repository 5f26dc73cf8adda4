import CRawYajl
import JSONSift

/// Does a string that comes in many reads cost in proportion to its length?
///
/// libyajl reads an open token from its start again in each call: twice the length takes it four times as long.
struct LongStrings {
  private let arguments: Arguments
  private let report: Report

  init(_ arguments: Arguments, _ report: Report) {
    self.arguments = arguments
    self.report = report
  }

  private static let chunk = 64 << 10

  func run() throws {
    report.begin("strings", "one long string in reads of \(Self.chunk >> 10) KiB")
    print(column("", 36) + right("ms", 9) + right("MB/s", 9))
    try compare("plain", "0123456789abcdef", decodedUnit: 16, arguments.plainString)
    // `\u00e9` is two bytes when it is decoded, `\n` is one.
    try compare("escaped", "\\u00e9 \\\"x\\\" \\n tail", decodedUnit: 13, arguments.escapedString)
  }

  private func compare(_ name: String, _ unit: String, decodedUnit: Int, _ count: Int) throws {
    let sizes = [count / 2, count].map { $0 / unit.utf8.count }
    let texts = sizes.map { Self.text(unit, $0) }
    let lengths = sizes.map { Length(source: $0 * unit.utf8.count, decoded: $0 * decodedUnit) }
    var samples = texts.map { _ in [Double]() }
    for _ in 0..<arguments.effort.rounds {
      for index in texts.indices {
        samples[index].append(try measure(name, texts[index], lengths[index]))
      }
    }
    for (bytes, times) in zip(texts, samples) { show("JSONPushReader, \(name)", bytes.count, Spread(times)) }
    try measureYajl(name, Self.text(unit, count / 8 / unit.utf8.count))
    let ratio = Spread(zip(samples[0], samples[1]).map { $1 / $0 })
    report.wanted("\(name), time at the double length", ratio.median, atMost: 2.5)
  }

  /// At an eighth of the length, since it takes its time.
  private func measureYajl(_ name: String, _ bytes: [UInt8]) throws {
    var status: Int32 = 0
    let time = seconds { status = raw_yajl_chunks(bytes, bytes.count, Self.chunk, 1) }
    try check(status, is: 0, "raw yajl on \(name)")
    show("raw yajl, \(name)", bytes.count, Spread([time]))
  }

  private func show(_ side: String, _ count: Int, _ time: Spread) {
    let mebibytes = fixed(Double(count) / Double(1 << 20), 1)
    print(
      column("  \(side), \(mebibytes) MiB", 36) + right(fixed(time.median * 1e3, 1), 9)
        + right(fixed(Double(count) / time.median / 1e6, 0), 9))
    report.add("\(count) bytes", side, "seconds", time)
  }

  private static func text(_ unit: String, _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x22]
    let unit = Array(unit.utf8)
    bytes.reserveCapacity(unit.count * count + 2)
    for _ in 0..<count { bytes += unit }
    bytes.append(0x22)
    return bytes
  }

  private struct Length: Equatable {
    var source = 0
    var decoded = 0
  }

  private func measure(_ name: String, _ bytes: [UInt8], _ expected: Length) throws -> Double {
    // The longest string is as long as the default limit; the question is time, not the limit.
    var reader = JSONPushReader(LengthHandler(), options: JSONOptions(limits: .unlimited))
    let chunks = stride(from: 0, to: bytes.count, by: Self.chunk).map { start in
      Array(bytes[start..<min(start + Self.chunk, bytes.count)])
    }
    let time = try seconds {
      for chunk in chunks { try reader.feed(chunk) }
      try reader.finish()
    }
    let handler = reader.handler
    try check(Length(source: handler.source, decoded: handler.decoded), is: expected, "length of the \(name) string")
    return time
  }
}

/// Decodes the one string that comes, and keeps its lengths.
private struct LengthHandler: JSONEventHandler {
  var source = 0
  var decoded = 0

  mutating func string(_ string: borrowing JSONText) throws(JSONError) -> Bool {
    source = string.source.byteCount
    decoded = string.string.utf8.count
    return true
  }

  mutating func startObject(at offset: Int) throws(JSONError) -> Bool { true }
  mutating func key(_ key: borrowing JSONText) throws(JSONError) -> Bool { true }
  mutating func endObject(at offset: Int) throws(JSONError) -> Bool { true }
  mutating func startArray(at offset: Int) throws(JSONError) -> Bool { true }
  mutating func endArray(at offset: Int) throws(JSONError) -> Bool { true }
  mutating func number(_ number: borrowing JSONText) throws(JSONError) -> Bool { true }
  mutating func bool(_ value: Bool, byteRange: Range<Int>) throws(JSONError) -> Bool { true }
  mutating func null(byteRange: Range<Int>) throws(JSONError) -> Bool { true }
}
