import TestSupport
import Testing

@testable import JSONSift

/// Returns the elements of a reader under the policy `report`, one line per element.
func elements(_ source: JSONSource, _ options: JSONRecordOptions) throws -> [String] {
  var reader = try JSONRecordReader(source, options: options)
  var lines: [String] = []
  while let element = try reader.nextResult() {
    lines.append(words(element))
    if lines.count > 10_000 { break }
  }
  return lines
}

func words(_ element: Result<JSONRecord, JSONBadRecord>) -> String {
  switch element {
  case .success(let record): "\(record.line) \(record.byteRange) \(record.value.rawText)"
  case .failure(let bad): words(bad)
  }
}

func words(_ bad: JSONBadRecord) -> String {
  "bad \(bad.line) \(bad.byteRange) \(bad.error.code)@\(bad.error.byteOffset) at \(bad.position.line):"
    + "\(bad.position.column) \(bad.rawBytes.count)\(bad.isTruncated ? " truncated" : "") \(bad.stopReason ?? "goes on")"
}

@Suite struct RecoveryTests {
  /// Every kind of bad line. None of them contains a line feed.
  static let kinds: [(name: String, bytes: [UInt8])] = [
    ("cut in a string", Array(#"{"id":1,"s":"some te"#.utf8)),
    ("cut in an escape", Array(#"{"id":1,"s":"some\u00"#.utf8)), ("cut behind a backslash", Array(#"["some\"#.utf8)),
    ("cut in a number", Array(#"{"id":-"#.utf8)), ("cut in an exponent", Array("[1.5e".utf8)),
    ("cut in a word", Array("[tru".utf8)), ("cut between", Array(#"{"id":1,"#.utf8)),
    ("two records", Array(#"{"id":1}{"id":2}"#.utf8)), ("two numbers", Array("1 2".utf8)),
    ("interleaved", Array(#"{"id":1,{"id":2,"s":"x"}"s":"y"}"#.utf8)), ("NUL bytes", [0, 0, 0, 0, 0]),
    ("NUL bytes behind", Array(#"{"id":1}"#.utf8) + [0, 0, 0]),
    ("NUL bytes in a string", Array(#"{"id":""#.utf8) + [0, 0] + Array("\"}".utf8)),
    ("invalid UTF-8", Array(#"{"s":""#.utf8) + [0xC3, 0x28, 0xFF] + Array("\"}".utf8)),
    ("a cut character", Array("\"é".utf8).dropLast()),
    ("too long", Array("[\"\(String(repeating: "long ", count: 100))\"]".utf8)),
    ("too deep", Array(String(repeating: "[", count: 12).utf8) + Array(String(repeating: "]", count: 12).utf8)),
    ("no JSON", Array("ERROR out of memory".utf8)), ("a carriage return", Array("{\"id\":1,\r".utf8)),
  ]

  static let good = [
    #"{"id":1,"s":"é€😀\n"}"#, "[1,2,3]", "-0.5e+10", "", #"{"a":{"b":[{},{}]}}"#, "null", "  {\"late\": true} ",
  ]

  static var options: JSONRecordOptions {
    var options = JSONRecordOptions()
    options.recovery = .report
    options.rawByteLimit = 64
    options.reading.limits.depth = 8
    options.reading.limits.recordBytes = 200
    return options
  }

  /// Returns a text with a bad line at an index among good ones, and the expected elements.
  static func fixture(_ bad: [UInt8], at index: Int) -> (bytes: [UInt8], elements: [String], good: [String]) {
    var bytes: [UInt8] = []
    var elements: [String] = []
    var records: [String] = []
    var lines = good.map { Array($0.utf8) }
    lines.insert(bad, at: index)
    for (number, line) in lines.enumerated() {
      let start = bytes.count
      bytes += line + (number == lines.count - 1 ? [] : [0x0A])
      if line.isEmpty { continue }
      // The reference: the line alone, as a separate text.
      let error: JSONError?
      if line.count > 200 {
        error = JSONError(.recordLimit, at: 0, limit: 200)
      } else {
        error = jsonError {
          _ = try JSON(parsing: line.last == 0x0D ? Array(line.dropLast()) : line, options: options.reading)
        }
      }
      if let error {
        let column = error.byteOffset + 1
        elements.append(
          "bad \(number + 1) \(start..<(start + line.count)) \(error.code)@\(start + error.byteOffset) "
            + "at \(number + 1):\(column) \(min(line.count, 64))\(line.count > 64 ? " truncated" : "") goes on")
      } else {
        let text = String(decoding: line, as: UTF8.self)
        let blank = text.prefix { $0 == " " }.utf8.count
        let end = start + line.count - text.reversed().prefix { $0 == " " }.count
        let value = String(decoding: bytes[(start + blank)..<end], as: UTF8.self)
        elements.append("\(number + 1) \((start + blank)..<end) \(value)")
        records.append(value)
      }
    }
    return (bytes, elements, records)
  }

  @Test(arguments: kinds, [0, 3, good.count])
  func `a bad line is reported with line and offset, and the others equal those of the clean file`(
    kind: (name: String, bytes: [UInt8]), index: Int
  ) throws {
    let fixture = Self.fixture(kind.bytes, at: index)
    #expect(fixture.elements.count(where: { $0.hasPrefix("bad") }) == 1)
    #expect(fixture.good.count == Self.good.count - 1)
    for size in 1...300 {
      let found = try elements(.chunks(chunks(of: fixture.bytes, size: size)), Self.options)
      #expect(found == fixture.elements, "chunks of \(size)")
      if found != fixture.elements { break }
    }
  }

  @Test func `all kinds in one stream are reported, and the good records equal those of the clean file`() throws {
    var bytes: [UInt8] = []
    var clean: [String] = []
    var starts: [Range<Int>] = []
    for (number, kind) in Self.kinds.enumerated() {
      let line = Self.good[number % Self.good.count]
      bytes += Array(line.utf8) + [0x0A]
      if !line.isEmpty { clean.append(line.filter { $0 != " " }) }
      starts.append(bytes.count..<(bytes.count + kind.bytes.count))
      bytes += kind.bytes + [0x0A]
    }
    for size in Array(1...300) + [bytes.count] {
      for recovery in [JSONRecordOptions.Recovery.report, .skip, .stop] {
        let options = with(Self.options) { $0.recovery = recovery }
        var reader = try JSONRecordReader(.chunks(chunks(of: bytes, size: size)), options: options)
        var good: [String] = []
        var bad: [Range<Int>] = []
        reading: while true {
          do throws(JSONError) {
            guard let element = try reader.nextResult() else { break reading }
            switch element {
            case .success(let record): good.append(record.value.rawText.filter { $0 != " " })
            case .failure(let record):
              bad.append(record.byteRange)
              #expect(record.rawBytes == Array(bytes[record.byteRange].prefix(64)))
              #expect(record.position == record.error.position(in: bytes))
            }
          } catch {
            #expect(recovery == .stop)
            bad.append(reader.badRecord(of: error).byteRange)
          }
        }
        #expect(good == clean, "chunks of \(size), \(recovery)")
        #expect(bad == (recovery == .skip ? [] : starts), "chunks of \(size), \(recovery)")
        #expect(reader.errorCount == Self.kinds.count)
      }
    }
  }

  @Test(arguments: [JSONRecordOptions.Recovery.stop, .skip, .report], [0, 1, 2])
  func `exceeding the allowed number of bad records ends the stream`(
    recovery: JSONRecordOptions.Recovery, maxErrors: Int
  ) throws {
    var options = JSONRecordOptions()
    options.recovery = recovery
    options.maxErrors = maxErrors
    var reader = try JSONRecordReader(.bytes(Array("1\nx\n2\ny\n3\nz\n4\nw\n5".utf8)), options: options)
    var found: [String] = []
    while found.count < 20 {
      do throws(JSONError) {
        guard let element = try reader.nextResult() else { break }
        switch element {
        case .success(let record): found.append(record.value.rawText)
        case .failure(let bad): found.append("bad \(bad.line)")
        }
      } catch {
        if error.code == .tooManyErrors {
          #expect(error.message == "expected at most \(maxErrors) bad records, found one more")
          found.append("too many at \(error.byteOffset)")
          #expect(jsonError { _ = try reader.nextResult() } == error)
          break
        }
        found.append("thrown \(error.byteOffset)")
      }
    }
    let offset = [2, 6, 10][maxErrors]
    let all: [String] = (0...maxErrors).flatMap { number -> [String] in
      let bad = recovery == .stop ? "thrown \(2 + number * 4)" : "bad \(2 + number * 2)"
      return recovery == .skip ? ["\(number + 1)"] : ["\(number + 1)", bad]
    }
    #expect(found == all + ["too many at \(offset)"])
  }

  @Test func `if reading cannot continue, the last element has the reason`() throws {
    var options = JSONRecordOptions(framing: .values, recovery: .report)
    let expected = [
      "1 0..<1 1", "bad 2 2..<5 unexpectedByte@4 at 2:3 3 after a bad value, the start of the next one is unknown",
    ]
    for size in 1...8 {
      #expect(try elements(.chunks(chunks(of: Array("1\n[1} 3".utf8), size: size)), options) == expected)
    }
    options.recovery = .skip
    var reader = try JSONRecordReader(.bytes(Array("1\n[1} 3".utf8)), options: options)
    #expect(try reader.next()?.value.int == 1)
    for _ in 0..<2 { #expect(jsonError { _ = try reader.next() }?.byteOffset == 4) }
    #expect(reader.stopReason != nil)
    #expect(reader.errorCount == 1)
    // The end of the value is unknown: the range ends where reading stopped.
    options.recovery = .report
    options.reading.limits.recordBytes = 8
    for size in 1...20 {
      let source = JSONSource.chunks(chunks(of: Array("7 [1,2,3,4,5,6] 8".utf8), size: size))
      let found = try elements(source, options)
      #expect(found.count == 2)
      #expect(found.last?.hasPrefix("bad 1 2..<10 recordLimit@2 at 1:3 8 after") == true, "\(found)")
    }
    #expect(
      try elements(.bytes(Array("[1".utf8)), JSONRecordOptions(framing: .document, recovery: .report)) == [
        "bad 1 0..<2 unexpectedEnd@2 at 1:3 2 one document is one record"
      ])
  }

  @Test func `next skips bad records that would be reported`() throws {
    var reader = try JSONRecordReader(.bytes(Array("1\nx\n2".utf8)), options: .init(framing: .lines, recovery: .report))
    #expect(try reader.next()?.value.int == 1)
    #expect(try reader.next()?.value.int == 2)
    #expect(try reader.next() == nil)
    #expect(reader.errorCount == 1)
  }
}
