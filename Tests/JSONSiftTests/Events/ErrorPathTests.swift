import TestSupport
import Testing

@testable import JSONSift

/// Every way in which reading can end before the text does. `Scripts/check sanitizers address` runs this suite with LeakSanitizer,
/// which reports memory that such a way does not release.
@Suite struct ErrorPathTests {
  /// Stops, or throws, at the event of a number; holds memory of its own.
  private struct Stopper: JSONEventHandler {
    let stopsAt: Int
    let isThrowing: Bool
    var count = 0
    var texts: [String] = []

    /// Made anew for each use: LeakSanitizer does not follow a global variable's reference that has an enum case in spare bits.
    static var refused: JSONError {
      JSONError(code: JSONError.Code(name: "refused"), byteOffset: 0, reason: "expected no more events")
    }

    mutating func next(_ text: String = "") throws(JSONError) -> Bool {
      texts.append(text + " of an event, in memory that is not part of this value")
      count += 1
      guard count > stopsAt else { return true }
      if isThrowing { throw Self.refused }
      return false
    }

    mutating func startObject(at offset: Int) throws(JSONError) -> Bool { try next() }
    mutating func key(_ key: borrowing JSONText) throws(JSONError) -> Bool { try next(key.string) }
    mutating func endObject(at offset: Int) throws(JSONError) -> Bool { try next() }
    mutating func startArray(at offset: Int) throws(JSONError) -> Bool { try next() }
    mutating func endArray(at offset: Int) throws(JSONError) -> Bool { try next() }
    mutating func string(_ string: borrowing JSONText) throws(JSONError) -> Bool { try next(string.string) }
    mutating func number(_ number: borrowing JSONText) throws(JSONError) -> Bool { try next(number.string) }
    mutating func bool(_ value: Bool, byteRange: Range<Int>) throws(JSONError) -> Bool { try next() }
    mutating func null(byteRange: Range<Int>) throws(JSONError) -> Bool { try next() }
  }

  private static let document = Array(
    #"{"a":[1,-2.5e3,"x\ny",true,null,{"deep":[[["é\ud83d\ude00"]]]}],"b":{},"c":"plain","a key":false}"#.utf8)

  @Test func `a handler stops or throws at every event, under every chunking`() throws {
    let all = events(of: Self.document, chunk: nil).events.count
    for event in 0..<all {
      for isThrowing in [false, true] {
        for size in [1, 7, Self.document.count] {
          var reader = JSONPushReader(Stopper(stopsAt: event, isThrowing: isThrowing))
          var failure: JSONError?
          do throws(JSONError) {
            for chunk in Chunks(Self.document, size: size) { try reader.feed(chunk) }
            try reader.finish()
          } catch {
            failure = error
          }
          #expect(reader.handler.count == event + 1)
          #expect(failure == (isThrowing ? Stopper.refused : nil))
          #expect(isThrowing || reader.isStopped)
        }
      }
    }
  }

  @Test func `a reader is dropped after every byte`() throws {
    for count in 0..<Self.document.count {
      var reader = JSONPushReader(EventLog())
      try reader.feed(Self.document[..<count])
      var records = try JSONRecordReader(.bytes(Array(Self.document[..<count])), framing: .values)
      _ = try? records.next()
      _ = try? JSON(parsing: Self.document[..<count])
    }
  }

  @Test func `every rejected case ends each reader, whole and byte by byte`() throws {
    for one in try ConformanceCase.all() {
      // The long cases take seconds byte by byte in debug.
      for size in one.input.count > 1000 ? [nil] : [1, nil] {
        _ = events(of: one.input, chunk: size)
        for framing in [JSONFraming.document, .lines, .values] {
          var reader = try JSONRecordReader(.chunks(Chunks(one.input, size: size)), framing: framing)
          for _ in 0..<8 { _ = try? reader.next() }
        }
        guard var matches = try? JSONMatches(of: "$..[?@ != 0]", in: .chunks(Chunks(one.input, size: size))) else {
          continue
        }
        while let found = try? matches.next() { _ = found.value.type }
      }
      _ = try? JSON(parsing: one.input).object
      _ = try? JSONSiftDecoder().decode([String: [Int]].self, from: one.input)
    }
  }
}

extension JSON {
  /// Touches all values.
  fileprivate var object: Int { reduce(1) { $0 + $1.1.object } }
}
