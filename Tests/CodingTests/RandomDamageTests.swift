import Foundation
import JSONSift
import TestSupport
import Testing

/// An element of the damaged arrays.
private struct Item: Decodable, Equatable {
  enum Level: String, Decodable { case low, high }
  var id: Int
  var name: String?
  var level: Level
  var tags: [String]
  var scores: [String: Int8]
  var marks: Set<Int>?
  var children: [Item]
}

/// Decodes values by the rules of the documentation, from values in memory and without a decoder.
private struct Reference {
  /// The path and the range of each element that was left out.
  var failures: [String] = []

  /// Returns the elements that are valid.
  mutating func elements<T>(_ json: JSON, _ path: String, _ decode: (inout Reference, JSON, String) -> T?) -> [T]? {
    guard json.type == .array else { return nil }
    return json.arrayValue.enumerated().compactMap { element($1, path + "/Index \($0)", decode) }
  }

  mutating func members(_ json: JSON, _ path: String) -> [String: Int8]? {
    guard json.type == .dictionary else { return nil }
    var members: [String: Int8] = [:]
    for (name, value) in json {
      members[name] = element(value, path + "/" + name) { _, value, _ in
        Self.integer(value).flatMap { Int8(exactly: $0) }
      }
    }
    return members
  }

  private mutating func element<T>(_ json: JSON, _ path: String, _ decode: (inout Reference, JSON, String) -> T?) -> T?
  {
    var inside = Reference()
    guard let value = decode(&inside, json, path) else {
      failures.append("\(path.dropFirst()) \(json.byteRange ?? 0..<0)")
      return nil
    }
    failures += inside.failures
    return value
  }

  static func integer(_ json: JSON) -> Int? {
    json.type == .number ? Int(String(decoding: json.rawBytes, as: UTF8.self)) : nil
  }

  mutating func item(_ json: JSON, _ path: String) -> Item? {
    guard json.type == .dictionary, let id = Self.integer(json["id"]) else { return nil }
    let (name, marks) = (json["name"], json["marks"])
    guard name.type == .null || name.type == .string else { return nil }
    guard json["level"].type == .string, let level = Item.Level(rawValue: json["level"].stringValue) else { return nil }
    guard
      let tags = elements(json["tags"], path + "/tags", { _, tag, _ in tag.type == .string ? tag.stringValue : nil }),
      let scores = members(json["scores"], path + "/scores")
    else { return nil }
    var set: Set<Int>?
    if marks.type != .null {
      guard let values = elements(marks, path + "/marks", { _, mark, _ in Self.integer(mark) }) else { return nil }
      set = Set(values)
    }
    guard let children = elements(json["children"], path + "/children", { $0.item($1, $2) }) else { return nil }
    return Item(
      id: id, name: name.type == .null ? nil : name.stringValue, level: level, tags: tags, scores: scores, marks: set,
      children: children)
  }
}

extension SeededGenerator {
  /// Returns a text, or rarely one of another type.
  private mutating func damaged(_ text: String) -> String {
    guard pick(25) == 0 else { return text }
    let others = ["null", "true", "12", "-300", "1.5", "\"x\"", "\"low\"", "[]", "[[1],\"a\"]", "{}", "{\"id\":1}"]
    return pick(others)
  }

  fileprivate mutating func damagedArray(_ count: Int, _ element: (inout SeededGenerator) -> String) -> String {
    "[" + list(count) { $0.damaged(element(&$0)) }.joined(separator: pick(3) == 0 ? ", " : ",") + "]"
  }

  fileprivate mutating func damagedItem(_ depth: Int) -> String {
    var members = ["\"id\":" + damaged("\(pick(100))"), "\"level\":" + damaged(pick(2) == 0 ? "\"low\"" : "\"high\"")]
    if pick(2) == 0 { members.append("\"name\":" + damaged("\"a\\n\"")) }
    if pick(2) == 0 { members.append("\"marks\":" + damaged(damagedArray(4) { "\($0.pick(9))" })) }
    members.append("\"tags\":" + damaged(damagedArray(4) { "\"t\($0.pick(9))\"" }))
    let scores = (0..<pick(4)).map { "\"s\($0)\":" + damaged("\(pick(100))") }
    members.append("\"scores\":" + damaged("{" + scores.joined(separator: ",") + "}"))
    members.append("\"children\":" + damaged(depth > 0 ? damagedArray(3) { $0.damagedItem(depth - 1) } : "[]"))
    if pick(25) == 0 { members.remove(at: pick(members.count)) }
    members.shuffle(using: &self)
    return "{" + members.joined(separator: ",") + "}"
  }
}

/// Returns an array without some of the elements and members inside it, each with its key and one comma.
private func without(_ ranges: [Range<Int>], of text: String) -> Data {
  var bytes = Array(text.utf8)
  for range in ranges.sorted(by: { $0.lowerBound > $1.lowerBound }) {
    var (start, end) = (range.lowerBound, range.upperBound)
    while bytes[start - 1] == UInt8(ascii: " ") { start -= 1 }
    if bytes[start - 1] == UInt8(ascii: ":") {
      start -= 1
      repeat { start -= 1 } while !",{".utf8.contains(bytes[start - 1])
    }
    if bytes[start - 1] == UInt8(ascii: ",") {
      start -= 1
    } else if bytes[end] == UInt8(ascii: ",") {
      end += 1
    }
    bytes.removeSubrange(start..<end)
  }
  return Data(bytes)
}

@Suite struct RandomDamageTests {
  @Test func `what is left out of 10,000 damaged arrays is what a reference and Foundation reject`() throws {
    var source = SeededGenerator.announced()
    var dropped: [String: Int] = [:]
    for _ in 0..<10_000 {
      let text = source.damagedArray(4) { $0.damagedItem(2) }
      var reference = Reference()
      let expected = reference.elements(try JSON(parsing: text), "") { $0.item($1, $2) }
      let log = FailureLog()
      let items = try log.decoder().decode([Item].self, from: text)
      let failures = log.failures.map { "\($0.pathText) \($0.byteRange)" }
      try #require(
        items == expected && failures == reference.failures, "\(source)\n\(text)\n\(failures)\n\(reference.failures)")
      // Foundation decodes the text without these elements to the same value, and rejects it with any one of them.
      let ranges = log.failures.map(\.byteRange)
      let theirs = Result { try JSONDecoder().decode([Item].self, from: without(ranges, of: text)) }
      #expect(try theirs.get() == items, "\(source)\n\(text)\n\(failures)")
      for kept in ranges.indices {
        var others = ranges
        others.remove(at: kept)
        #expect(throws: DecodingError.self, "\(source)\n\(text)\n\(failures[kept]) is an element for Foundation") {
          try JSONDecoder().decode([Item].self, from: without(others, of: text))
        }
      }
      for failure in log.failures { dropped[failure.kind, default: 0] += 1 }
      // Without the option the first failure is an error.
      let strict = try? JSONSiftDecoder().decode([Item].self, from: text)
      #expect(strict == (failures.isEmpty ? expected : nil), "\(source)\n\(text)")
    }
    print("left out:", dropped.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    #expect(dropped.count == 4)
    #expect(dropped.values.allSatisfy { $0 > 100 }, "\(source) \(dropped)")
  }
}

extension JSONSiftDecoder.ElementFailure {
  fileprivate var kind: String {
    switch error {
    case .typeMismatch: "typeMismatch"
    case .valueNotFound: "valueNotFound"
    case .keyNotFound: "keyNotFound"
    default: "dataCorrupted"
    }
  }
}
