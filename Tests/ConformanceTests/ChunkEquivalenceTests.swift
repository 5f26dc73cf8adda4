import JSONSift
import TestSupport
import Testing

/// Chunk boundaries must not affect events, their offsets, or errors.
@Suite struct ChunkEquivalenceTests {
  @Test func `the range of every event in the fixtures contains its text`() throws {
    var failures: [String] = []
    for example in try ConformanceCase.all() {
      failures += try Self.misplaced(in: example.input).map { "\(example): \($0)" }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test func `every fixture reads the same when it is cut at random offsets, some of them repeated`() throws {
    var generator = SeededGenerator()
    var failures: [String] = []
    for example in try ConformanceCase.all() where example.input.count > 1 {
      let whole = events(of: example.input, chunk: nil)
      for _ in 0..<4 {
        let cuts = (0..<6).map { _ in Int.random(in: 0...example.input.count, using: &generator) }.sorted()
        if let difference = whole.difference(from: events(of: example.input, cutAt: cuts)) {
          failures.append("\(example) cut at \(cuts): \(difference) as in one")
        }
      }
    }
    #expect(failures.isEmpty, "\(generator): \(summary(of: failures))")
  }

  @Test(arguments: [
    ("12", "accept", ["12"]), ("-12.5e3", "accept", ["-12.5e3"]), ("  123456", "accept", ["123456"]),
    ("true", "accept", ["true"]), ("[12", "unexpectedEnd@3", ["", "12"]),
    ("[0,-1.5", "unexpectedEnd@7", ["", "0", "-1.5"]), ("-1.", "unexpectedEnd@3", []), ("nul", "unexpectedEnd@3", []),
    ("trux", "invalidLiteral@3", []), ("-x", "invalidNumber@1", []), ("12x", "invalidNumber@2", []),
  ])
  func `a number or literal completed by the end of input has its text and offset under every chunking`(
    text: String, expected: String, texts: [String]
  ) throws {
    let bytes = Array(text.utf8)
    for size in [nil, 1, 2, 3, 4, 5] {
      let reading = events(of: bytes, chunk: size)
      #expect(reading.outcome == Outcome(expected), "in chunks of \(String(describing: size))")
      #expect(reading.events.map(\.text) == texts, "in chunks of \(String(describing: size))")
    }
    #expect(differenceOverEveryChunking(of: bytes) == nil)
  }

  @Test(.enabled(if: ThirdPartyData.has("JSONTestSuite"), "\(ThirdPartyData.absence)"))
  func `every file of JSONTestSuite reads the same under every chunking`() throws {
    var failures: [String] = []
    for folder in ["JSONTestSuite/test_parsing", "JSONTestSuite/test_transform"] {
      for file in try ThirdPartyData.files(in: folder) {
        let bytes = try file.bytes()
        failures += try Self.misplaced(in: bytes).map { "\(file): \($0)" }
        if let difference = differenceOverEveryChunking(of: bytes) { failures.append("\(file): \(difference)") }
      }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  /// A debug build would need minutes for all corpora under all chunk sizes: it reads those below 150 KB in a few sizes.
  @Test(.enabled(if: ThirdPartyData.has("corpora"), "\(ThirdPartyData.absence)"))
  func `every corpus reads the same under every chunking in release, and the small ones under some in debug`() throws {
    var failures: [String] = []
    for file in try ThirdPartyData.files(in: "corpora") {
      let bytes = try file.bytes()
      #if DEBUG
        guard bytes.count < 150_000 else { continue }
        let sizes: [Int?] = [1, 7, 64, 4096, 65536, nil]
      #else
        let sizes = EveryChunking.chunkSizes
      #endif
      #expect(events(of: bytes, chunk: nil).outcome.isAccepted, "\(file)")
      failures += try Self.misplaced(in: bytes).map { "\(file): \($0)" }
      if let difference = differenceOverEveryChunking(of: bytes, sizes: sizes) {
        failures.append("\(file): \(difference)")
      }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test(.enabled(if: ThirdPartyData.has("corpora"), "\(ThirdPartyData.absence)"))
  func `the lines of amazon_cellphones are the same records for every read size`() throws {
    let file = try #require(try ThirdPartyData.files(in: "corpora", prefix: "amazon", ending: ".ndjson").first)
    let bytes = try file.bytes()
    let lines = bytes.split(separator: 0x0A).map { $0.startIndex..<$0.endIndex }
    #expect(lines.count > 100)
    #if DEBUG
      let sizes: [Int?] = [7, 64, 4095, 4096, 4097, 65536, nil]
    #else
      let sizes: [Int?] = [1, 7, 64, 511, 4095, 4096, 4097, 65536, 262_143, 262_144, nil]
    #endif
    for size in sizes {
      for framing in [JSONFraming.lines, .values] {
        let records = EntryPoints.records(of: bytes, framing: framing, chunk: size)
        #expect(records.outcome == .accepted, "\(framing) in chunks of \(String(describing: size))")
        #expect(records.ranges == lines, "\(framing) in chunks of \(String(describing: size))")
      }
    }
  }

  @Test(arguments: isDebug ? [(1 << 20) - 1] : [(1 << 20) - 2, (1 << 20) - 1, 1 << 20, (1 << 20) + 1])
  func `a token around a million bytes has its offset under every chunking`(count: Int) throws {
    let text = [UInt8](repeating: 0x37, count: count)
    let inputs = [
      Array("[0, \"".utf8) + text + Array("\", 0]".utf8), Array("[0, \"\\n".utf8) + text + Array("\", 0]".utf8),
      Array("{\"a\":0, \"".utf8) + text + Array("\" : 0}".utf8), Array("[0, ".utf8) + text + Array(" , 0]".utf8),
      Array("[0, ".utf8) + text + Array("]".utf8), text,
    ]
    let options = JSONOptions(limits: .unlimited)
    for (index, input) in inputs.enumerated() {
      // In a debug build each input is read with one of the sizes.
      let sizes: [Int?] = isDebug ? [[1000, 4096, 65536][index % 3]] : [1000, 4096, 65536]
      let difference = differenceOverEveryChunking(of: input, sizes: sizes, options: options)
      #expect(difference == nil, "input \(index)")
      let misplaced = try Self.misplaced(in: input, options: options)
      #expect(misplaced == [], "input \(index)")
      let json = try JSON(parsing: input, options: options)
      #expect(shallowDifference(between: json, and: try JSON(parsing: json.rawBytes, options: options)) == nil)
      for (_, child) in json {
        let range = try #require(child.byteRange)
        #expect(Array(child.rawBytes) == Array(input[range]), "input \(index)")
        let again = try JSON(parsing: input[range], options: options)
        #expect(shallowDifference(between: child, and: again) == nil, "input \(index)")
      }
    }
  }

  /// The events whose text differs from the bytes at their range.
  private static func misplaced(in bytes: [UInt8], options: JSONOptions = JSONOptions()) throws -> [String] {
    var parser = JSONParser(options: options)
    var found: [String] = []
    var end = 0
    for event in events(of: bytes, chunk: nil, options: options).events {
      let source = bytes[event.range]
      if event.range.lowerBound < end { found.append("\(event) begins before the last one ends") }
      end = event.range.upperBound
      let isRight: Bool
      switch event.kind {
      case .startObject: isRight = source == [UInt8(ascii: "{")]
      case .endObject: isRight = source == [UInt8(ascii: "}")]
      case .startArray: isRight = source == [UInt8(ascii: "[")]
      case .endArray: isRight = source == [UInt8(ascii: "]")]
      case .number, .bool: isRight = source.elementsEqual(event.text.utf8)
      case .null: isRight = source.elementsEqual("null".utf8)
      case .string, .key:
        if event.isEscaped {
          isRight = isSame(try parser.parse(source).string, event.text)
        } else {
          isRight = source.count >= 2 && Array(source.dropFirst().dropLast()) == Array(event.text.utf8)
        }
      }
      if !isRight { found.append("\(event) is not what stands there") }
    }
    return found
  }
}
