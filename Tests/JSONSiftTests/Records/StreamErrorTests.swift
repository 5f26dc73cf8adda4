import TestSupport
import Testing

@testable import JSONSift

/// What a loop over a stream knows of the bad records.
@Suite struct StreamErrorTests {
  private static let text = "{\"id\":1}\n{\"id\":}\n{\"id\":3}\nx\n{\"id\":\"five\"}\n"
  private struct Event: Codable, Sendable { var id: Int }

  private static func records(
    _ recovery: JSONRecordOptions.Recovery? = nil, framing: JSONFraming = .lines
  ) -> JSONRecords<JSONRecord> {
    JSONRecords(bytes: Array(text.utf8), options: JSONRecordOptions(framing: framing, recovery: recovery))
  }

  private static func error(_ body: () async throws -> Void) async -> JSONError? {
    do {
      try await body()
    } catch {
      return error as? JSONError
    }
    return nil
  }

  @Test func `issue 48: an error that a loop throws has its line and column`() async throws {
    for framing in [JSONFraming.lines, .values] {
      let loops: [@Sendable (JSONRecords<JSONRecord>) async throws -> Void] = [
        { for try await _ in $0 {} }, { for try await _ in $0.decode(Event.self) {} },
        { for try await _ in $0.workers(2) {} }, { for try await _ in $0.where("@.id > 0") {} },
        { _ = try await $0.count() },
      ]
      for loop in loops {
        let error = await Self.error { try await loop(Self.records(framing: framing)) }
        #expect(error?.position == JSONError.Position(byteOffset: 15, line: 2, column: 7))
        #expect(error?.description == "line 2, column 7 (byte 15): expected a value, found '}'")
      }
    }
    let options = with(JSONRecordOptions(framing: .lines, recovery: .skip)) { $0.maxErrors = 1 }
    for workers in [nil, 2] {
      let records = JSONRecords(bytes: Array(Self.text.utf8), options: options)
      let error = await Self.error {
        if let workers { for try await _ in records.workers(workers) {} } else { for try await _ in records {} }
      }
      #expect(error?.code == .tooManyErrors && error?.position?.line == 4, "\(workers as Any)")
    }
  }

  private static func line(_ element: Result<JSONRecord, JSONBadRecord>) -> Int {
    switch element {
    case .success(let record): record.line
    case .failure(let bad): -bad.line
    }
  }

  /// The lines of good records, and negative ones of bad records; 0 for an error at the end.
  private static func lines<Stream: AsyncSequence>(_ stream: Stream) async -> [Int]
  where Stream.Element == Result<JSONRecord, JSONBadRecord> {
    var lines: [Int] = []
    do {
      for try await element in stream { lines.append(line(element)) }
    } catch {
      lines.append(0)
    }
    return lines
  }

  @Test(
    arguments: [(nil, [1, -2, 3, -4, 5]), (.report, [1, -2, 3, -4, 5]), (.skip, [1, 3, 5]), (.stop, [1, 0])]
      as [(JSONRecordOptions.Recovery?, [Int])])
  func `issue 48: the policy that is set is the policy of every reader of elements`(
    recovery: JSONRecordOptions.Recovery?, expected: [Int]
  ) async throws {
    #expect(await Self.lines(Self.records(recovery).results) == expected)
    #expect(await Self.lines(Self.records(recovery).workers(2).results) == expected)
    var options = JSONRecordOptions()
    if let recovery { options.recovery = recovery }
    var reader = try JSONRecordReader(.bytes(Array(Self.text.utf8)), options: options)
    var lines: [Int] = []
    do {
      while let element = try reader.nextResult() { lines.append(Self.line(element)) }
    } catch {
      lines.append(0)
    }
    #expect(lines == expected)
  }

  @Test func `issue 48: the stream knows how many records a loop has skipped`() async throws {
    let records = Self.records(.skip)
    #expect(records.errorCount == 0)
    for try await _ in records {}
    #expect(records.errorCount == 2)
    for try await _ in records.decode(JSON.self) {}
    #expect(records.errorCount == 2)
    let decoded = records.decode(Event.self)
    for try await _ in decoded {}
    #expect(decoded.errorCount == 3 && records.errorCount == 3)
    let parallel = decoded.workers(2)
    for try await _ in parallel {}
    #expect(parallel.errorCount == 3)
    for try await _ in records.workers({ $0["id"].int }) {}
    #expect(records.errorCount == 2)
    let stopping = Self.records(.stop)
    _ = await Self.error { for try await _ in stopping {} }
    #expect(stopping.errorCount == 1)
    let iterator = records.results.makeAsyncIterator()
    while try await iterator.next() != nil {}
    #expect(iterator.errorCount == 2)
  }

  @Test func `issue 50: a JSONError of other JSON, which a source throws, is one of reading, and thrown by each call`()
    async throws
  {
    let inner = Array("{\"p\":\"{\\\"id\\\":1}\\n\"}\n{\"p\" \"x\"}\n{\"p\":\"{\\\"id\\\":2}\\n\"}\n".utf8)
    let payloads = JSONRecords(bytes: inner).map { Array($0["p"].stringValue.utf8) }
    for recovery in [JSONRecordOptions.Recovery.stop, .skip, .report] {
      let options = JSONRecordOptions(framing: .lines, recovery: recovery)
      let records = JSONRecords(payloads, options: options)
      let (one, two) = (records.makeAsyncIterator(), records.workers(2).makeAsyncIterator())
      for next in [{ try await one.next() }, { try await two.next() }] as [() async throws -> JSONRecord?] {
        #expect(try await next()?["id"] == 1)
        for _ in 1...3 {
          let error = await Self.error { _ = try await next() }
          #expect(error?.code == .unreadable, "\(recovery)")
          #expect(error?.message.contains("line 2, column 6 (byte 26): expected ':'") == true, "\(recovery)")
        }
      }
    }
  }

  @Test func `issue 50: a loop ends where stopReason is not nil, and only there`() throws {
    let texts: [(JSONFraming, String, maximum: Int?, reason: String)] = [
      (.lines, "1\nx\n2\ny\n3\n", 1, "there are more bad records than the maximum"),
      (
        .children(of: "$"), "[1,]", nil,
        "after an error in one document, the start of the next element or member is unknown"
      ),
      (.values, "1 x", nil, "after a bad value, the start of the next one is unknown"),
    ]
    for (framing, text, maximum, reason) in texts {
      let options = with(JSONRecordOptions(framing: framing)) { $0.maxErrors = maximum }
      var reader = try JSONRecordReader(.bytes(Array(text.utf8)), options: options)
      var reasons: [String?] = []
      while reasons.count < 9 {
        do throws(JSONError) {
          guard try reader.next() != nil else { break }
        } catch {
          reasons.append(reader.stopReason)
          if reader.stopReason != nil { break }
        }
      }
      #expect(reasons.last == reason)
      #expect(reasons.dropLast().allSatisfy { $0 == nil })
    }
  }
}
