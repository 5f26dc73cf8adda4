import TestSupport
import Testing

@testable import JSONSift

/// An element of a stream of decoded records: a value, or the description of a bad record.
private enum Step: Hashable, Sendable {
  case value(Order)
  case bad(String)
  case end(String)
}

private struct Order: Decodable, Hashable, Sendable {
  struct Line: Decodable, Hashable, Sendable {
    var street: String
    var count: Int
  }

  var id: Int
  var lines: [Line]
}

private func step(_ bad: JSONBadRecord) -> Step {
  .bad("\(words(bad)) \(bad.codingPath) \(bad.error.code == .typeMismatch ? bad.error.message : "")")
}

private func step(_ error: any Error) -> Step {
  if let error = error as? JSONError { return .end("\(error.code)@\(error.byteOffset)") }
  guard case DecodingError.typeMismatch(_, let context) = error else { return .end("\(error)") }
  return .end("\(context.codingPath.map { $0.stringValue }) \(context.debugDescription)")
}

private func step(_ element: Result<Order, JSONBadRecord>) -> Step {
  switch element {
  case .success(let order): .value(order)
  case .failure(let bad): step(bad)
  }
}

/// Returns the elements of the synchronous decoder, the reference for all others.
private func steps(_ source: JSONSource, _ options: JSONRecordOptions) throws -> [Step] {
  var records = try JSONRecordReader(source, options: options)
  var steps: [Step] = []
  do {
    while let element = try records.nextResult(as: Order.self) { steps.append(step(element)) }
  } catch {
    steps.append(step(error))
  }
  return steps
}

/// Returns the elements of an asynchronous stream, with the error at its end.
private func steps(_ stream: some AsyncSequence<Step, any Error>) async -> [Step] {
  var steps: [Step] = []
  do {
    for try await found in stream { steps.append(found) }
  } catch {
    steps.append(step(error))
  }
  return steps
}

private func steps(_ records: JSONRecords<JSONRecord>, workers: Int?) async -> [Step] {
  let reports = records.options.recovery == .report
  guard let workers else {
    guard reports else { return await steps(records.decode(Order.self).map { Step.value($0) }) }
    return await steps(records.decode(Order.self).results.map { step($0) })
  }
  let found = records.decode(Order.self).workers(workers)
  guard reports else { return await steps(found.map { Step.value($0) }) }
  return await steps(found.results.map { step($0) })
}

@Suite struct DecodedRecordsTests {
  private static let workerCounts: [Int?] = [nil, 1, 2, 5]

  private static let text = """
    {"id":1,"lines":[]}
    {"id":2,"lines":[{"street":"a","count":1},{"street":"b","count":"2"}]}

    {"id":3,"lines":[}
    {"id":4}
    {"lines":[{"street":"é","count":1}],"id":5}
    [6]
      {"id":7.5,"lines":[]}
    {"id":8,"lines":[{"street":null}]}
    {"id":9,"lines":[]}
    """

  @Test func `a record of another type is a reject with its coding path, position and bytes`() throws {
    let bytes = Array(Self.text.utf8)
    let found = try steps(.bytes(bytes), JSONRecordOptions(framing: .lines, recovery: .report))
    #expect(
      found == [
        .value(Order(id: 1, lines: [])),
        .bad(
          #"bad 2 20..<90 typeMismatch@84 at 2:65 70 goes on ["lines", "Index 1", "count"] "#
            + "lines[1].count: Expected to decode Int but found a string instead."),
        .bad("bad 4 92..<110 unexpectedByte@109 at 4:18 18 goes on [] "),
        .bad(#"bad 5 111..<119 typeMismatch@111 at 5:1 8 goes on [] Expected a member "lines" but found none."#),
        .value(Order(id: 5, lines: [Order.Line(street: "é", count: 1)])),
        .bad(
          "bad 7 165..<168 typeMismatch@165 at 7:1 3 goes on [] "
            + "Expected to decode Dictionary<String, Any> but found an array instead."),
        .bad(
          #"bad 8 169..<192 typeMismatch@177 at 8:9 23 goes on ["id"] "#
            + "id: The number is not representable as Int."),
        .bad(
          #"bad 9 193..<227 typeMismatch@220 at 9:28 34 goes on ["lines", "Index 0", "street"] "#
            + "lines[0].street: Cannot get value of type String -- found null value instead."),
        .value(Order(id: 9, lines: [])),
      ])
    for (line, element) in zip(Self.text.split(separator: "\n", omittingEmptySubsequences: true), found) {
      guard case .bad(let words) = element else { continue }
      #expect(words.contains(" \(line.utf8.count) goes on"), "all bytes of \(line)")
    }
  }

  @Test(arguments: [JSONRecordOptions.Recovery.stop, .skip, .report])
  func `every source and number of workers gives the same as the synchronous decoder`(
    recovery: JSONRecordOptions.Recovery
  ) async throws {
    let bytes = Array(Self.text.utf8)
    let options = JSONRecordOptions(framing: .lines, recovery: recovery)
    let expected = try steps(.bytes(bytes), options)
    #expect(expected.count == [.stop: 2, .skip: 3, .report: 9][recovery])
    let difference = try differenceOverEveryChunking(of: bytes) { try steps(.chunks(Chunks(bytes, size: $0)), options) }
    #expect(difference == nil)
    for size in [1, 2, 7, 64, 1000] {
      for workers in Self.workerCounts {
        let records = JSONRecords(ChunkStream(bytes: bytes, size: size), options: options)
        #expect(await steps(records, workers: workers) == expected, "chunks of \(size), \(workers ?? 0) workers")
      }
    }
  }

  @Test
  func `under the policy stop the type's error is thrown, and the synchronous decoder continues on the next call`()
    async throws
  {
    let bytes = Array(Self.text.utf8)
    let words = "Expected to decode Int but found a string instead. (line 2, byte 84)"
    for workers in Self.workerCounts {
      let found = await steps(JSONRecords(bytes: bytes), workers: workers)
      #expect(found == [.value(Order(id: 1, lines: [])), .end(#"["lines", "Index 1", "count"] "# + words)])
    }
    var records = try JSONRecordReader(.bytes(bytes))
    var ids: [Int] = []
    var errors = 0
    while true {
      do {
        guard let order = try records.next(as: Order.self) else { break }
        ids.append(order.id)
      } catch {
        errors += 1
      }
    }
    #expect(ids == [1, 5, 9])
    #expect(errors == 6)
    #expect(records.errorCount == 6)
  }

  @Test(arguments: 0...7)
  func `records of another type count against the allowed number`(maxErrors: Int) async throws {
    let bytes = Array(Self.text.utf8)
    for recovery in [JSONRecordOptions.Recovery.skip, .report] {
      let options = with(JSONRecordOptions(framing: .lines, recovery: recovery)) { $0.maxErrors = maxErrors }
      let expected = try steps(.bytes(bytes), options)
      let end = [84, 109, 111, 165, 177, 220].dropFirst(maxErrors).first.map { Step.end("tooManyErrors@\($0)") }
      #expect(expected.last == end ?? .value(Order(id: 9, lines: [])))
      for workers in Self.workerCounts {
        let records = JSONRecords(ChunkStream(bytes: bytes, size: 30), options: options)
        #expect(await steps(records, workers: workers) == expected, "\(recovery), \(workers ?? 0) workers")
      }
    }
  }

  @Test(arguments: [
    (
      JSONFraming.values, "{\"id\":1,\"lines\":[]} [\n2] {\"id\":3,\n\"lines\":[{\"street\":4}]}{\"id\":5,\"lines\":[]}"
    ),
    (.textSequence, "\u{1E}{\"id\":1,\"lines\":[]}\n\u{1E}[\n2]\n\u{1E}{\"id\":3,\n\"lines\":[{\"street\":4}]}\n"),
    (.children(of: "$.a"), "{\"x\":7,\n\"a\":[{\"id\":1,\"lines\":[]},\n 2, {\"id\":3,\n\"lines\":[{\"street\":4}]}]}"),
    (.children(of: "$"), "{\"a\":{\"id\":1,\"lines\":[]},\n\"b\":[\n2],\"c\":{\"id\":3,\n\"lines\":[{\"street\":4}]}}"),
    (.document, "\n {\"id\":3,\n\"lines\":[{\"street\":4}]} "),
  ])
  func `with every framing reading continues after a value of another type`(
    framing: JSONFraming, text: String
  )
    async throws
  {
    let bytes = Array(text.utf8)
    let options = JSONRecordOptions(framing: framing, recovery: .report)
    let expected = try steps(.bytes(bytes), options)
    let four = try #require(bytes.firstIndex(of: UInt8(ascii: "4")))
    let start = try #require(bytes[..<four].lastIndex(of: UInt8(ascii: "\n"))) + 1
    let line = bytes[..<four].count { $0 == UInt8(ascii: "\n") } + 1
    let bad = expected.filter { if case .bad = $0 { true } else { false } }
    #expect(bad.count == (framing == .document ? 1 : 2))
    guard case .bad(let words)? = bad.last else { return }
    #expect(words.contains("typeMismatch@\(four) at \(line):\(four - start + 1) "))
    #expect(words.contains(" goes on [\"lines\", \"Index 0\", \"street\"] lines[0].street: Expected to decode String"))
    if framing == .values { #expect(expected.last == .value(Order(id: 5, lines: []))) }
    let difference = try differenceOverEveryChunking(of: bytes) { try steps(.chunks(Chunks(bytes, size: $0)), options) }
    #expect(difference == nil)
    for size in [1, 5, 1000] {
      for workers in Self.workerCounts {
        let records = JSONRecords(ChunkStream(bytes: bytes, size: size), options: options)
        #expect(await steps(records, workers: workers) == expected, "chunks of \(size), \(workers ?? 0) workers")
      }
    }
  }

  @Test func `a condition is evaluated before the type is decoded, by the reader and by workers`() async throws {
    let records = JSONRecords(bytes: Array(Self.text.utf8)).where("@.id == 5 || @.id == 9 || @.id == 1")
    // The third line is invalid; the second is valid, but the condition does not hold for it.
    var first: [Int] = []
    await #expect(throws: JSONError.self) {
      for try await order in records.decode(Order.self) { first.append(order.id) }
    }
    #expect(first == [1])
    for workers in Self.workerCounts {
      var found = records
      found.options.recovery = .skip
      #expect(await steps(found, workers: workers).count == 3)
      found = found.where("@.lines[0]")
      let line = Order.Line(street: "é", count: 1)
      #expect(await steps(found, workers: workers) == [.value(Order(id: 5, lines: [line]))])
    }
  }

  @Test func `the location is also reported if a type throws the error or a key strategy changes the name`() throws {
    struct Refusing: Decodable {
      struct Own: Error, CustomStringConvertible { let description = "too old" }
      enum Keys: CodingKey { case year, nestedName }
      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        let year = try values.decode(Int.self, forKey: .year)
        if year < 1900 {
          throw DecodingError.dataCorruptedError(forKey: .year, in: values, debugDescription: "too early")
        }
        if year < 2000 { throw Own() }
        _ = try values.decode([Bool].self, forKey: .nestedName)
      }
    }
    let text = "\n{\"year\": 1800}\n{\"year\": 1950}\n{\"year\": 2001, \"nested_name\": [true, 7]}\n"
    let decoder = JSONSiftDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let options = JSONRecordOptions(framing: .lines, recovery: .report)
    var records = try JSONRecordReader(.bytes(Array(text.utf8)), options: options)
    var found: [String] = []
    while let element = try records.nextResult(as: Refusing.self, with: decoder) {
      if case .failure(let bad) = element {
        found.append("\(bad.position.line):\(bad.position.column) \(bad.codingPath) \(bad.error.message)")
      }
    }
    #expect(
      found == [
        #"2:10 ["year"] year: too early"#, "3:1 [] too old",
        #"4:38 ["nestedName", "Index 1"] nestedName[1]: Expected to decode Bool but found a number instead."#,
      ])
  }

  @Test func `a reject of another type is written with its coding path`() throws {
    let options = with(JSONRecordOptions(framing: .lines, recovery: .report)) { $0.rawByteLimit = 8 }
    var records = try JSONRecordReader(.bytes(Array(Self.text.utf8)), options: options)
    var lines: [String] = []
    while let element = try records.nextResult(as: Order.self), lines.isEmpty {
      if case .failure(let bad) = element {
        lines.append(String(decoding: JSONRejectWriter.line(bad, file: "a"), as: UTF8.self))
      }
    }
    #expect(
      lines == [
        #"{"file":"a","line":2,"byteOffset":20,"offset":20,"length":70,"#
          + #""error":"lines[1].count: Expected to decode Int but found a string instead.","#
          + #""raw":"{\"id\":2,","truncated":true}"# + "\n"
      ])
  }
}
