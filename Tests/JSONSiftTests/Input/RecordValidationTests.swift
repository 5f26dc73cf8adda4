import TestSupport
import Testing

@testable import JSONSift

/// Records that are not requested are skipped if they are validated. The reported errors equal those of a reader that
/// parses every record.
@Suite struct RecordValidationTests {
  /// The report of one bad line.
  struct Report: Equatable {
    let error: JSONError
    let position: JSONError.Position
    let excerpt: String
    let record: JSONBadRecord
    let checkpoint: JSONCheckpoint
  }

  private static let limit = 10_000

  /// The bad lines, and the reader's state at the end.
  static func read(
    _ source: JSONSource, _ options: JSONRecordOptions, validating: Bool
  ) throws -> ([Report], JSONCheckpoint) {
    var reader = try JSONRecordReader(source, options: options)
    if validating { reader.skipValidated() }
    var found: [Report] = []
    while found.count < limit {
      do throws(JSONError) {
        guard try reader.next() != nil else { break }
      } catch {
        // Nothing is read after a bad value.
        if found.last?.error == error { break }
        found.append(
          Report(
            error: error, position: reader.position(of: error), excerpt: reader.excerpt(of: error).text,
            record: reader.badRecord(of: error), checkpoint: reader.checkpoint))
      }
    }
    return (found, reader.checkpoint)
  }

  /// Whether validating and parsing read the same in reads of each size; a difference is recorded.
  private static func isSame(_ text: [UInt8], _ options: JSONRecordOptions, _ sizes: [Int?]) throws -> Bool {
    for size in sizes {
      func source() -> JSONSource { size.map { .chunks(chunks(of: text, size: $0)) } ?? .bytes(text) }
      let (parsed, end) = try read(source(), options, validating: false)
      let (validated, validatedEnd) = try read(source(), options, validating: true)
      guard validated == parsed, validatedEnd == end else {
        let pair =
          zip(validated, parsed).first { $0 != $1 }.map { "\($0), not \($1)" } ?? "\(validatedEnd), not \(end)"
        Issue.record("reads of \(size ?? 0): \(pair), in \(String(decoding: text, as: UTF8.self))")
        return false
      }
    }
    return true
  }

  private static func options(_ change: (inout JSONOptions) -> Void = { _ in }) -> JSONRecordOptions {
    var reading = JSONOptions()
    change(&reading)
    return JSONRecordOptions(framing: .lines, reading: reading)
  }

  static let lines = [
    "{\"a\":[1,-0.5e+3,\"x\\u00e9\\n\"],\"b\":{\"c\":null,\"d\":[true,false,{}]}}", "", " \t", "\r", "1", "\"é\"",
    " [ ] ", "[1,2", "{\"a\":tru}", "01", "-", "1e", "\"\\x\"", "\"\\ud800\"", "\"\\ud83d\\ude00\"", "\"a\tb\"", "[1]]",
    "{}{}", "{\"a\" 1}", "[1,]", "{,}", "\u{FEFF}1", "[[[[[[1]]]]]]",
    "\"" + String(repeating: "long ", count: 40) + "\"", "12345678901234567890",
    "{\"" + String(repeating: "k", count: 70) + "\":1}", "[\"\\ud800\\u0041\"]", "nul", "{\"a\":1}x", "[}", "\"open",
  ]

  static let allOptions: [JSONRecordOptions] = [
    options(), options { $0.limits.depth = 4 }, options { $0.limits.stringBytes = 60 },
    options { $0.limits.keyBytes = 20 }, options { $0.limits.numberBytes = 8 }, options { $0.limits.recordBytes = 100 },
    options { $0.limits.tapeBytes = 4096 }, options { $0.loneSurrogates = .replace },
  ]

  @Test(arguments: allOptions.indices)
  func `bad lines among good ones are reported the same under any read size`(index: Int) throws {
    let options = Self.allOptions[index]
    var random = SeededGenerator.announced()
    for _ in 0..<(isDebug ? 20 : 600) {
      var text: [UInt8] = random.below(5) == 0 ? [0xEF, 0xBB, 0xBF] : []
      for _ in 0..<random.below(30) {
        // Mostly good lines, so that runs of them occur.
        text += Array((random.below(2) == 0 ? Self.lines[0] : random.pick(Self.lines)).utf8)
        text += Array(random.pick(["\n", "\n", "\r\n", "\n\n", " \n"]).utf8)
      }
      if random.below(3) == 0, !text.isEmpty { text.removeLast() }
      for _ in 0..<random.below(3) where !text.isEmpty {
        text[random.below(text.count)] = random.pick([0x22, 0x5C, 0x7B, 0x5D, 0x0A, 0x00, 0x80, 0xFF, 0x2C, 0x31])
      }
      guard try Self.isSame(text, options, [nil, 1, 7, 64, 1 + random.below(300)]) else { return }
    }
  }

  static let otherFramings: [(JSONRecordOptions, start: [String], end: [String])] =
    [JSONOptions(), JSONOptions(loneSurrogates: .replace), options { $0.limits.recordBytes = 60 }.reading].flatMap {
      reading in
      let prefixed = with(JSONRecordOptions(framing: .lines, reading: reading)) { $0.skipsPrefix = true }
      return [
        (JSONRecordOptions(framing: .values, reading: reading), [""], [" ", "\n", "", "\t\r\n"]),
        (JSONRecordOptions(framing: .textSequence, reading: reading), ["\u{1E}"], ["\n", "\n", "", " ", "\u{1E}"]),
        (prefixed, ["", "INFO ", "[7] ", "é: ", "a\u{B} ", "{} "], ["\n", "\n", "\r\n"]),
      ]
    }

  @Test(arguments: otherFramings.indices)
  func `bad values, sequences and lines with a prefix are reported the same`(index: Int) throws {
    let (options, starts, ends) = Self.otherFramings[index]
    var random = SeededGenerator.announced()
    for _ in 0..<(isDebug ? 40 : 1200) {
      var text: [UInt8] = random.below(9) == 0 ? [0xEF, 0xBB, 0xBF] : []
      for _ in 0..<random.below(12) {
        let line = random.below(4) > 0 ? random.pick(["1", "{}", "[\"a\"]", "true", "\"b\""]) : random.pick(Self.lines)
        text += Array((random.pick(starts) + line + random.pick(ends)).utf8)
      }
      for _ in 0..<random.below(2) where !text.isEmpty {
        text[random.below(text.count)] = random.pick([0x22, 0x5C, 0x7B, 0x5D, 0x0A, 0x00, 0x80, 0xFF, 0x2C, 0x31, 0x1E])
      }
      guard try Self.isSame(text, options, [nil, 1, 7, 1 + random.below(300)]) else { return }
    }
  }

  @Test(
    .enabled(if: ValidationScan.isOn, "the environment switches the validation off"),
    arguments: [JSONFraming.lines, .textSequence])
  func `the validation is suspended while undecided places follow each other, and resumes`(framing: JSONFraming) throws
  {
    let start = framing == .textSequence ? "\u{1E}" : ""
    let (bad, good) = (start + "{\"a\":01}\n", start + "{\"a\":1}\n")
    let text = String(repeating: bad, count: 20_000) + String(repeating: good, count: 50_000) + bad
    var reader = try JSONRecordReader(.bytes(Array(text.utf8)), options: JSONRecordOptions(framing: framing))
    reader.skipValidated()
    var (errors, records) = (0, 0)
    while true {
      do throws(JSONError) {
        guard try reader.next() != nil else { break }
        records += 1
      } catch {
        errors += 1
      }
    }
    #expect(errors == 20_001)
    #expect(records + reader.skippedRecords == 50_000)
    #expect(reader.undecided.count < 20)
    #expect(reader.undecided.bytes < 320_000)
  }

  @Test(arguments: [JSONRecordOptions.Recovery.stop, .skip, .report])
  func `a count equals the number of records, with a condition too`(recovery: JSONRecordOptions.Recovery) async throws {
    let text = (0..<3000).map { "{\"level\":\"\($0 % 1000 == 7 ? "error" : "info")\"}\n" }.joined()
    for framing in [JSONFraming.lines, .values] {
      let records = JSONRecords(
        bytes: Array(text.utf8), options: JSONRecordOptions(framing: framing, recovery: recovery))
      #expect(try await records.count() == 3000)
      #expect(try await records.where("@.level == 'error'").count() == 3)
    }
  }

  @Test(
    .enabled(if: ValidationScan.isOn, "the environment switches the validation off"),
    arguments: [JSONFraming.values, .textSequence, .lines])
  func `good records are counted without being parsed`(framing: JSONFraming) throws {
    let options = with(JSONRecordOptions(framing: framing)) { $0.skipsPrefix = framing == .lines }
    let text = String(repeating: (framing == .textSequence ? "\u{1E}" : "") + Self.lines[0] + "\n", count: 100)
    var reader = try JSONRecordReader(.bytes(Array(text.utf8)), options: options)
    reader.skipValidated()
    while let record = try reader.next() { #expect(record.value == .null) }
    var counter = try JSONRecordReader(.bytes(Array(text.utf8)), options: options)
    #expect(try counter.countRecords() == 100)
  }

  @Test(.enabled(if: ValidationScan.isOn, "the environment switches the validation off"))
  func `good lines are validated without being parsed`() throws {
    let text = String(repeating: Self.lines[0] + "\n\n", count: 10_000)
    var matches = RecordMatches(
      [], names: [], nil, try JSONRecordReader(.bytes(Array(text.utf8)), options: Self.options()), JSONOptions())
    #expect(try matches.next() == nil)
    #expect(matches.reader.checkpoint.byteOffset == text.utf8.count)
    #expect(matches.reader.nextLine == 20_001)
    // The number of the last parsed line.
    #expect(matches.reader.line == 0)
  }
}
