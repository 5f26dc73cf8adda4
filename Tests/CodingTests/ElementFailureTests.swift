import Foundation
import JSONSift
import TestSupport
import Testing

/// Stores what a decoder reports.
final class FailureLog: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: [JSONSiftDecoder.ElementFailure] = []
  var failures: [JSONSiftDecoder.ElementFailure] { lock.withLock { stored } }
  /// The path and the bytes of each failure.
  var lines: [String] { failures.map { "\($0.pathText) \(String(decoding: $0.rawBytes, as: UTF8.self))" } }

  func add(_ failure: JSONSiftDecoder.ElementFailure) { lock.withLock { stored.append(failure) } }

  func decoder(requiring paths: [JSONPath] = []) -> JSONSiftDecoder {
    let decoder = JSONSiftDecoder()
    decoder.elementFailures = paths.isEmpty ? .report(add) : .report(requiring: paths, add)
    return decoder
  }
}

extension JSONSiftDecoder.ElementFailure {
  var pathText: String { codingPath.map { $0.stringValue }.joined(separator: "/") }
}

/// A type, a text, the value without the wrong elements, and the failures.
private struct DropCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let run: @Sendable () throws -> (isExpected: Bool, value: String, lines: [String])
  let lines: [String]

  init<T: Decodable & Equatable & Sendable>(_ type: T.Type, _ text: String, _ value: T, _ lines: String...) {
    testDescription = "\(type) \(text)"
    self.lines = lines
    run = {
      let log = FailureLog()
      let decoded = try log.decoder().decode(type, from: text)
      return (decoded == value, "\(decoded)", log.lines)
    }
  }
}

private struct Order: Decodable, Equatable {
  struct Item: Decodable, Equatable { var sku: String, tags: [String]? }
  var id: Int
  var items: [Item]
  var notes: [String: [Int]]?
}

/// A type that decodes its list in a way of its own, named by the text's first element.
private enum Way: String, Decodable { case single, initializer, unkeyed, attempt, rejected, other, text }

private struct Custom: Decodable {
  private struct Rejected: Decodable {
    init(from decoder: any Decoder) throws {
      _ = try decoder.singleValueContainer().decode([[Int]].self)
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "never"))
    }
  }
  private struct Own: Error {}

  private enum CodingKeys: CodingKey { case way, list }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let list = try container.superDecoder(forKey: .list)
    switch try container.decode(Way.self, forKey: .way) {
    case .single: _ = try list.singleValueContainer().decode([Int].self)
    case .initializer: _ = try [Int](from: list)
    case .unkeyed:
      var unkeyed = try list.unkeyedContainer()
      while !unkeyed.isAtEnd { _ = try unkeyed.decode(Int.self) }
    case .attempt: _ = (try? container.decode([Int].self, forKey: .list)) ?? []
    case .rejected: _ = try? container.decode(Rejected.self, forKey: .list)
    case .other: throw Own()
    case .text: _ = try JSONSiftDecoder().decode([Int].self, from: "[1,")
    }
  }
}

/// A decoder that a type keeps.
private final class Kept: Decodable, @unchecked Sendable {
  let decoder: any Decoder
  init(from decoder: any Decoder) throws { self.decoder = decoder }
}

@Suite struct ElementFailureTests {
  private static let cases = [
    DropCase([Int].self, "[1,\"a\",3,null,1.5]", [1, 3], "Index 1 \"a\"", "Index 3 null", "Index 4 1.5"),
    DropCase([String].self, "[\"a\",{\"b\":[1]}]", ["a"], "Index 1 {\"b\":[1]}"),
    DropCase([Double].self, "[1.5,true]", [1.5], "Index 1 true"),
    DropCase([Int?].self, "[1,null,\"a\"]", [1, nil], "Index 2 \"a\""),
    DropCase(ContiguousArray<Int>.self, "[1,[]]", [1], "Index 1 []"),
    DropCase(Set<Int>.self, "[3,{},3,4]", [3, 4], "Index 1 {}"),
    DropCase([[Int]].self, "[[1,\"a\"],5,[2]]", [[1], [2]], "Index 0/Index 1 \"a\"", "Index 1 5"),
    DropCase([[Int]?].self, "[null,[1,\"a\"]]", [nil, [1]], "Index 1/Index 1 \"a\""),
    DropCase([Suit].self, "[\"hearts\",\"stars\"]", [.hearts], "Index 1 \"stars\""),
    DropCase([Point].self, "[{\"x\":1,\"y\":2},{\"x\":1}]", [Point(x: 1, y: 2)], "Index 1 {\"x\":1}"),
    DropCase([URL].self, "[\"\"]", [], "Index 0 \"\""),
    DropCase([String: Int].self, "{\"a\":1,\"b\":\"c\"}", ["a": 1], "b \"c\""),
    DropCase([String: Set<Int>].self, "{\"a\":[1,\"c\"]}", ["a": [1]], "a/Index 1 \"c\""),
    DropCase([String: Int].self, "{\"a\":\"b\",\"a\":1,\"c\":1,\"c\":\"d\"}", ["a": 1], "c \"d\""),
    DropCase([Int: Int].self, "{\"1\":1,\"b\":2,\"3\":[]}", [1: 1], "b 2", "3 []"),
    DropCase([CodedSuit: Int].self, "{\"clubs\":1,\"stars\":2}", [.clubs: 1], "stars 2"),
    DropCase(
      [Point: Int].self, "[{\"x\":1,\"y\":2},3,4,5,{\"x\":3,\"y\":2},[]]", [Point(x: 1, y: 2): 3], "Index 2 4",
      "Index 5 []"),
    DropCase(
      [Order].self,
      #"[{"id":1,"items":[{"sku":"a","tags":["b",1]},{"sku":2}],"notes":{"n":[1,"x"],"o":3}},{"id":2}]"#,
      [Order(id: 1, items: [.init(sku: "a", tags: ["b"])], notes: ["n": [1]])],
      "Index 0/items/Index 0/tags/Index 1 1", #"Index 0/items/Index 1 {"sku":2}"#, #"Index 0/notes/n/Index 1 "x""#,
      "Index 0/notes/o 3", #"Index 1 {"id":2}"#),
  ]

  @Test(arguments: cases) fileprivate func `an element that is not of its type is left out and reported`(
    _ drop: DropCase
  ) throws {
    let result = try drop.run()
    #expect(result.isExpected, "\(result.value)")
    #expect(result.lines == drop.lines)
  }

  @Test func `a failure has the range in the input and the error with the path of the wrong value`() throws {
    let log = FailureLog()
    let text = #"{"id":1,"items":[{"sku":"a"},\#n {"sku":2}]}"#
    _ = try log.decoder().decode(Order.self, from: text)
    let failure = try #require(log.failures.first)
    #expect(log.failures.count == 1)
    #expect(failure.byteRange == 31..<40)
    #expect(
      failure.description == "items[1].sku: Expected to decode String but found a number instead. (line 2, byte 38)")
    #expect(failure.codingPath.last?.intValue == 1)
    guard case .typeMismatch(_, let context) = failure.error else { Issue.record("\(failure.error)"); return }
    #expect(context.codingPath.map { $0.stringValue } == ["items", "Index 1", "sku"])
  }

  // The lines are counted from the last failure on, or back.
  @Test func `failures have their lines, in the order of the text and in another`() throws {
    struct Two: Decodable { var late, early: [String] }
    let count = 1000
    let numbers = Array(repeating: "1", count: count).joined(separator: ",\n")
    let log = FailureLog()
    _ = try log.decoder().decode(Two.self, from: "{\"early\":[\(numbers)],\n\"late\":[\(numbers)]}")
    let lines = log.failures.map {
      $0.description.split(separator: "line ").last.flatMap { Int($0.prefix { $0 != "," }) }
    }
    #expect(lines == (0..<count).map { $0 + count + 1 } + (0..<count).map { $0 + 1 })
  }

  @Test func `keys of dictionaries are data under a key strategy`() throws {
    let log = FailureLog()
    let decoder = log.decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let values = try decoder.decode([String: [Snake]].self, from: #"{"a_b":[{},3],"c_d":4}"#)
    #expect(values.keys.sorted() == ["a_b"])
    #expect(log.lines.last == "c_d 4")
    #expect(log.lines.dropLast().last == "a_b/Index 1 3")
  }

  @Test(arguments: ["5", "{\"a\":1}", "[1,", "[\"a\",]", "null"])
  func `a wrong outermost value, and text that is not JSON, is thrown and not reported`(_ text: String) {
    let log = FailureLog()
    #expect(throws: DecodingError.self) { try log.decoder().decode([Int].self, from: text) }
    #expect(log.failures.isEmpty)
  }

  @Test(arguments: [
    ("single", ["Index 0/list/Index 1 \"a\""]), ("initializer", [#"Index 0 {"way":"initializer","list":[1,"a"]}"#]),
    ("unkeyed", [#"Index 0 {"way":"unkeyed","list":[1,"a"]}"#]), ("attempt", ["Index 0/list/Index 1 \"a\""]),
    ("rejected", []),
  ])
  func `only values that are missing in the result are reported`(_ way: String, _ lines: [String]) throws {
    let log = FailureLog()
    _ = try log.decoder().decode([Custom].self, from: #"[{"way":"\#(way)","list":[1,"a"]}]"#)
    #expect(log.lines == lines)
  }

  @Test func `elements that a strategy decodes are reported only if its result is used`() throws {
    let log = FailureLog()
    let decoder = log.decoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let numbers = try decoder.singleValueContainer().decode([Double].self)
      guard let first = numbers.first else {
        throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no number"))
      }
      return Date(timeIntervalSince1970: first)
    }
    #expect(try decoder.decode([Date].self, from: "[[\"a\",1],[\"b\"]]") == [Date(timeIntervalSince1970: 1)])
    #expect(log.lines == ["Index 0/Index 0 \"a\"", "Index 1 [\"b\"]"])
  }

  @Test(arguments: ["other", "text"])
  func `an error of another kind is thrown, and nothing is reported`(_ way: String) throws {
    let log = FailureLog()
    let text = #"[{"way":"single","list":["a"]},{"way":"\#(way)","list":[]}]"#
    #expect(throws: (any Error).self) { try log.decoder().decode([Custom].self, from: text) }
    #expect(log.failures.isEmpty)
  }

  @Test(
    arguments: [
      ("$[0]", ["Index 1 {\"id\":2}"]), ("$[*].items[1]", ["Index 0", "Index 1 {\"id\":2}"]), ("$[*]", nil),
      ("$..tags[?@ == 1]", ["Index 0/items/Index 0", "Index 0/items/Index 1", "Index 1 {\"id\":2}"]), ("$[", nil),
    ] as [(String, [String]?)])
  func `an element that a path requires makes its collection fail`(_ path: String, _ lines: [String]?) throws {
    let log = FailureLog()
    let decoder = log.decoder(requiring: [JSONPath(stringLiteral: path)])
    let text = #"[{"id":1,"items":[{"sku":"a","tags":["b",1]},{"sku":2}]},{"id":2}]"#
    guard let lines else {
      #expect(throws: (any Error).self) { try decoder.decode([Order].self, from: text) }
      return
    }
    _ = try decoder.decode([Order].self, from: text)
    #expect(log.lines.suffix(lines.count).elementsEqual(lines) { $0.hasPrefix($1) }, "\(log.lines)")
  }

  @Test func `one element more than the limit is an error, of its record in a stream`() throws {
    let log = FailureLog()
    let decoder = JSONSiftDecoder()
    for strategy in [
      JSONSiftDecoder.ElementFailureStrategy.report(atMost: 2, log.add),
      .report(requiring: ["$.none"], atMost: 2, log.add),
    ] {
      decoder.elementFailures = strategy
      #expect(try decoder.decode([Int].self, from: "[true,1,false]") == [1])
      let outcome = Outcome { try decoder.decode([[Int]].self, from: "[[true,1],[false,null,2]]") }
      #expect(outcome.text == "valueNotFound Int at [Index 1=1, Index 1=1]")
    }
    #expect(log.failures.count == 4)
    var options = JSONRecordOptions(framing: .lines)
    options.recovery = .report
    var records = try JSONRecordReader(.bytes(Array("[1,\"a\"]\n[[],[],[]]\n[2,null]".utf8)), options: options)
    var counts: [Int?] = []
    while let result = try records.nextResult(as: [Int].self, with: decoder) {
      counts.append((try? result.get())?.count)
    }
    #expect(counts == [1, nil, 1])
    #expect(log.failures.count == 6)
  }

  @Test func `a decoder that a type keeps throws the error of an element after the decoding`() throws {
    let log = FailureLog()
    let kept = try log.decoder().decode([Kept].self, from: "[[1,\"a\"]]")
    #expect(throws: DecodingError.self) { try kept.first?.decoder.singleValueContainer().decode([Int].self) }
    #expect(log.failures.isEmpty)
  }

  @Test func `a handler may decode and may change its decoder`() throws {
    let decoder = JSONSiftDecoder()
    let log = FailureLog()
    decoder.elementFailures = .report { failure in
      decoder.elementFailures = .throw
      #expect(throws: DecodingError.self) { try decoder.decode([Int].self, from: "[true]") }
      log.add(failure)
    }
    #expect(try decoder.decode([Int].self, from: "[true,1,false]") == [1])
    #expect(log.lines == ["Index 0 true", "Index 2 false"])
  }

  @Test(arguments: [false, true])
  func `elements of records are reported with their bytes in the input`(isParallel: Bool) async throws {
    let line = #"{"id":1,"items":[{"sku":"a"},{"sku":2}]}"# + "\n"
    let text = String(repeating: line, count: 2000) + #"{"id":"2","items":[3]}"#
    let records = JSONRecords(.bytes(Array(text.utf8)), options: JSONRecordOptions(framing: .lines, recovery: .report))
    let log = FailureLog()
    var orders = 0
    var bad: [[String]] = []
    func add(_ result: Result<Order, JSONBadRecord>) {
      switch result {
      case .success: orders += 1
      case .failure(let record): bad.append(record.codingPath)
      }
    }
    if isParallel {
      for try await result in records.workers(3).decode(Order.self, with: log.decoder()).results { add(result) }
    } else {
      for try await result in records.decode(Order.self, with: log.decoder()).results { add(result) }
    }
    #expect(orders == 2000)
    #expect(bad == [["id"]])
    let starts = log.failures.map(\.byteRange.lowerBound).sorted()
    #expect(starts == (0..<2000).map { $0 * line.utf8.count + 29 })
  }
}
