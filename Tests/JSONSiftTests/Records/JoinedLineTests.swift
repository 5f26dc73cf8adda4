import TestSupport
import Testing

@testable import JSONSift

/// The parts of lines that container runtimes have divided.
@Suite struct JoinedLineTests {
  /// A random log of a runtime, and what has to be found in it.
  private struct Log {
    private(set) var text: [UInt8] = []
    private(set) var found: [WrappedLog.Found] = []
    private var line = 1
    private var random: SeededGenerator

    /// The parts of a record that were written, with the line and the offset of each.
    private struct Open {
      var lines: [(line: Int, range: Range<Int>)] = []
      var bytes: [UInt8] = []
      /// The offset in the log of each byte, and of the end.
      var origins: [Int] = []
      var rest: [[UInt8]]
    }

    /// - Parameter runtime: The form of the lines.
    init(_ random: SeededGenerator, _ runtime: JSONRecordStep.Runtime) {
      self.random = random
      var open: [String: Open] = [:]
      for _ in 0..<(1 + self.random.below(24)) {
        if self.random.below(9) == 0 {
          writeOther()
          continue
        }
        let stream = self.random.pick(["stdout", "stderr"])
        var record = open[stream] ?? Open(rest: divided(runtime))
        write(&record, stream, runtime)
        open[stream] = record.rest.isEmpty ? nil : record
        if record.rest.isEmpty { end(record, runtime) }
      }
      // The records that have no last part, in the order of their first.
      for record in open.values.sorted(by: { $0.lines[0].line < $1.lines[0].line }) {
        append(.bad(line: 0, range: 0..<0, raw: "", offset: record.origins[record.origins.count - 1]), record)
      }
    }

    private mutating func writeOther() {
      let other = Array(random.pick(["[7]", #"{"other":1}"#, "", #"{"log":1,"stream":"stdout"}"#]).utf8)
      if !other.isEmpty { found.append(.record(text: String(decoding: other, as: UTF8.self), line: line)) }
      text += other + [0x0A]
      line += 1
    }

    /// Returns the parts of a record. They are divided at any byte, but not inside of an escape.
    private mutating func divided(_ runtime: JSONRecordStep.Runtime) -> [[UInt8]] {
      let record = random.pick([
        #"{"a":1}"#, #"{"é":"x\"y😀"}"#, "[]", #"{"a": [1, 2, {"b":"long text in a string"}]}"#, #"{"a":1"#, #"{"a" 1}"#,
        #"{"n":"\\n"}"#, "plain text", "",
      ])
      var units: [[UInt8]] = []
      for byte in record.utf8 {
        let isEscaped = runtime == .docker && (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\"))
        units.append(isEscaped ? [UInt8(ascii: "\\"), byte] : [byte])
      }
      if runtime == .docker { units.append(Array("\\n".utf8)) }
      var parts: [[UInt8]] = []
      while units.count > 1, random.below(3) > 0 {
        let count = 1 + random.below(units.count - 1)
        parts.append(Array(units[..<count].joined()))
        units.removeFirst(count)
      }
      return parts + [Array(units.joined())]
    }

    private mutating func write(_ record: inout Open, _ stream: String, _ runtime: JSONRecordStep.Runtime) {
      let content = record.rest.removeFirst()
      let start = text.count
      let head: String
      var tail = ""
      switch runtime {
      case .cri:
        let tag = record.rest.isEmpty ? random.pick(["F", "F:x"]) : random.pick(["P", "P:"])
        head = "2023-01-27T13:40:2\(line % 10).9273\(line)Z \(stream) \(tag) "
      case .docker:
        head = random.pick([#"{"log":""#, #"{"stream":"\#(stream)","log":""#, #" {"n":{"log":"x"}, "log" : ""#])
        tail = head.contains("stream") ? #""}"# : #"","time":"\#(line)", "stream":"\#(stream)" } "#
      }
      let isFirst = record.lines.isEmpty
      if isFirst, runtime == .docker {
        record.bytes += head.utf8
        record.origins += start..<(start + head.utf8.count)
      }
      text += head.utf8
      record.origins = isFirst ? record.origins : record.origins.dropLast()
      record.origins += text.count...(text.count + content.count)
      record.bytes += content
      text += content
      text += tail.utf8
      record.lines.append((line, start..<text.count))
      if isFirst { tails[start] = Array(tail.utf8) }
      text.append(0x0A)
      line += 1
    }

    /// The text behind the string of a first part, by the offset of its line.
    private var tails: [Int: [UInt8]] = [:]

    private mutating func end(_ record: Open, _ runtime: JSONRecordStep.Runtime) {
      let bytes = record.bytes + (tails[record.lines[0].range.lowerBound] ?? [])
      guard bytes.contains(where: { !$0.isJSONWhitespace }) else { return }
      if let error = jsonError({ _ = try JSON(parsing: bytes) }) {
        append(.bad(line: 0, range: 0..<0, raw: "", offset: record.origins[error.byteOffset]), record)
      } else {
        let text = String(decoding: bytes, as: UTF8.self)
        found.append(.record(text: text.trimmingPrefix(" ").description.trimmed, line: record.lines[0].line))
      }
    }

    /// Appends a bad record with the lines of its parts.
    private mutating func append(_ bad: WrappedLog.Found, _ record: Open) {
      guard case .bad(_, _, _, let offset) = bad else { return }
      let ranges = record.lines.map(\.range)
      let raw = ranges.map { String(decoding: text[$0], as: UTF8.self) }.joined(separator: "\n")
      let range = ranges[0].lowerBound..<ranges[ranges.count - 1].upperBound
      found.append(.bad(line: record.lines[0].line, range: range, raw: raw, offset: offset))
    }
  }

  private func options(_ steps: [JSONRecordStep]) -> JSONRecordOptions {
    var options = JSONRecordOptions(framing: .lines)
    options.steps = steps
    return options
  }

  @Test(arguments: [JSONRecordStep.Runtime.cri, .docker])
  func `parts are one record with the text, the lines and the errors of its parts`(
    runtime: JSONRecordStep.Runtime
  ) throws {
    var random = SeededGenerator.announced()
    for _ in 0..<(isDebug ? 300 : 10_000) {
      let log = Log(SeededGenerator(seed: random.next()), runtime)
      let sizes: [Int?] = [nil, 1 + random.below(60)]
      for size in sizes {
        let found = try readLines(log.text, options([.join(runtime)]), size: size)
        #expect(found == log.found, "\(random), \(String(decoding: log.text, as: UTF8.self))")
      }
    }
  }

  @Test(arguments: [JSONRecordStep.Runtime.cri, .docker])
  func `parts are the same under every chunking`(runtime: JSONRecordStep.Runtime) throws {
    let text = Array((0..<8).map { Log(SeededGenerator(seed: $0), runtime).text }.joined())
    #expect(
      try differenceOverEveryChunking(of: text) { try readLines(text, options([.join(runtime)]), size: $0) } == nil)
  }

  @Test func `a record in the parts of Docker is found in their string`() throws {
    let text = """
      {"log":"{\\"a\\":","stream":"stdout","time":"1"}
      {"log":"{\\"b\\" 2}\\n","stream":"stderr","time":"2"}
      {"log":"[1,","stream":"stdout","time":"3"}
      {"log":"x]}\\n","stream":"stdout","time":"4"}
      {"log":"{\\"c\\":","stream":"stdout","time":"5"}
      {"log":"3}\\n","stream":"stdout","time":"6"}

      """
    let found = try readLines(Array(text.utf8), options([.join(.docker), .unwrap("$.log")]))
    let lines = text.split(separator: "\n")
    func offset(of part: String) -> Int {
      text.utf8.count - (text.firstRange(of: part).map { text[$0.lowerBound...].utf8.count } ?? 0)
    }
    let starts = lines.map { offset(of: String($0)) }
    #expect(
      found == [
        .bad(
          line: 2, range: starts[1]..<(starts[1] + lines[1].utf8.count), raw: String(lines[1]), offset: offset(of: "2}")
        ),
        .bad(
          line: 1, range: 0..<(starts[3] + lines[3].utf8.count),
          raw: [lines[0], lines[2], lines[3]].joined(separator: "\n"), offset: offset(of: "x]}")),
        .record(text: #"{"c":3}"#, line: 5),
      ])
  }

  @Test(arguments: [nil, 1, 64])
  func `a record over the limit is bad up to its last part, and the next one is read`(size: Int?) throws {
    func line(_ tag: String, _ content: String) -> String { "2023-01-27T13:40:28.9Z stdout \(tag) \(content)\n" }
    let parts = (0..<40).map { _ in line("P", String(repeating: "1", count: 30)) }.joined()
    let long = line("P", "[") + parts + line("F", "]")
    var options = options([.join(.cri)])
    options.reading.limits.recordBytes = 100
    let found = try readLines(Array((long + line("F", "{}")).utf8), options, size: size)
    guard found.count == 2, case .bad(let number, let range, let raw, let offset) = found[0] else {
      return #expect(Bool(false), "\(found)")
    }
    #expect(number == 1)
    #expect(range == 0..<(long.utf8.count - 1))
    // Only the first parts and the last one are kept.
    #expect(raw.hasPrefix(String(long.prefix(150))) && raw.hasSuffix("F ]") && raw.utf8.count < 500)
    #expect(offset == 32)
    #expect(found[1] == .record(text: "{}", line: 43))
  }

  @Test func `the parts of more streams than there can be do not accumulate`() throws {
    let text = (0..<100).map { #"{"log":"part","stream":"s\#($0)"}"# + "\n" }.joined()
    let found = try readLines(Array(text.utf8), options([.join(.docker)]))
    #expect(found.count == 100)
    #expect(found.enumerated().allSatisfy { if case .bad(let line, _, _, _) = $1 { line == $0 + 1 } else { false } })
  }

  @Test func `a range of lines cannot be put together`() throws {
    var options = options([.join(.cri)])
    options.range = JSONInputRange(0..<10)
    #expect(jsonError { _ = try JSONRecordReader(.bytes(Array("{}".utf8)), options: options) }?.code == .unreadable)
  }
}

extension String {
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
