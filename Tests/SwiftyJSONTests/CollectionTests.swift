import Foundation
import SwiftyJSON
import TestSupport
import Testing

/// Section 6 of the inventory.
@Suite struct CollectionTests {
  @Test func `indices of one case compare by their payload`() {
    let low = Index<Any>.array(1)
    let high = Index<Any>.array(2)
    #expect(low == .array(1) && low != high && low < high && !(high < low) && high > low && low <= high && low <= low)
    #expect(Index<Any>.null == .null && !(Index<Any>.null < .null))
  }

  @Test func `indices of two cases are neither equal nor ordered`() throws {
    let json = JSON(["a": 1])
    let cases: [JSONRawIndex] = [.array(0), json.startIndex, .null]
    for (i, left) in cases.enumerated() {
      for (j, right) in cases.enumerated() where i != j {
        #expect(left != right && !(left < right) && !(left > right))
      }
    }
  }

  @Test func `the documented names of indices are types`() {
    func name<Value: Comparable>(_ type: Value.Type) -> String { "\(type)" }
    #expect(name(JSONIndex.self) == name(Index<JSON>.self))
    #expect(name(JSONRawIndex.self) == name(Index<Any>.self))
    #expect(name(JSON.Index.self) == name(JSONRawIndex.self))
    let typed: JSONIndex = .array(3)
    #expect(typed == .array(3) && typed < .array(4) && typed != .null)
  }

  @Test func `the indices of an array and an object have their cases`() {
    let array = JSON([5, 6])
    #expect(array.startIndex == .array(0) && array.endIndex == .array(2))
    #expect(array.index(after: array.startIndex) == .array(1))
    let object = JSON(["a": 1])
    guard case .dictionary = object.startIndex, case .dictionary = object.endIndex else {
      Issue.record("not the index of a dictionary")
      return
    }
    #expect(object.startIndex < object.endIndex)
    #expect(object.index(after: object.startIndex) == object.endIndex)
  }

  @Test(arguments: [Type.number, .string, .bool, .null, .unknown])
  func `a scalar is empty and its indices are null`(type: Type) {
    let json = specimen(of: type)
    #expect(json.startIndex == .null && json.endIndex == .null)
    #expect(json.index(after: json.startIndex) == .null)
    #expect(json.count == 0 && json.isEmpty && json.first == nil && json.underestimatedCount == 0)
    #expect(json.map { $0.0 }.isEmpty)
    for _ in json { Issue.record("an element of a scalar") }
  }

  @Test(arguments: allTypes)
  func `the element at the null index is null`(type: Type) {
    let (key, value) = specimen(of: type)[JSON.Index.null]
    #expect(key == "" && value == JSON.null && value.error == nil)
  }

  @Test func `iterating an array gives its elements with their index as text`() {
    for json in [JSON(["a", "b", "c"]), JSON(parseJSON: #"["a","b","c"]"#)] {
      var seen: [String] = []
      for (key, value) in json { seen.append("\(key)=\(value.stringValue)") }
      #expect(seen == ["0=a", "1=b", "2=c"])
      #expect(json.map { $0.0 } == ["0", "1", "2"])
      #expect(json.indices.map { json[$0].1.stringValue } == ["a", "b", "c"])
      #expect(json[.array(1)].0 == "1" && json[.array(1)].1.string == "b")
      #expect(json.first?.0 == "0" && json.first?.1 == "a")
      #expect(json.count == 3 && !json.isEmpty)
    }
  }

  @Test func `iterating an object gives its members in source order with duplicates`() {
    let json = JSON(parseJSON: #"{"z":1,"a":2,"m":[3],"z":4,"":5,"é":6}"#)
    let expected = ["z=1", "a=2", "m=[3]", "z=4", "=5", "é=6"]
    func text(_ member: (String, JSON)) -> String {
      "\(member.0)=\(member.1.type == .array ? "[\(member.1[0])]" : member.1.stringValue)"
    }
    #expect(json.map(text) == expected)
    #expect(json.indices.map { text(json[$0]) } == expected)
    #expect(json.count == 6 && json.underestimatedCount == 6)
    #expect(json.dictionaryValue.count == 5)
    #expect(json.first.map(text) == "z=1")
  }

  @Test func `iterating a Swift dictionary gives every member once`() {
    let source = Dictionary(uniqueKeysWithValues: (0..<100).map { ("k\($0)", $0) })
    let json = JSON(source)
    var seen: [String: Int] = [:]
    for (key, value) in json { seen[key] = value.intValue }
    #expect(seen == source && json.count == 100)
  }

  @Test func `a value is a Collection of pairs`() {
    func pairs<Values: Collection>(_ values: Values) -> [String] where Values.Element == (String, JSON) {
      values.map { $0.0 }
    }
    let json = JSON([10, 20, 30, 40])
    #expect(pairs(json) == ["0", "1", "2", "3"])
    #expect(json.filter { $0.1.intValue > 15 }.map { $0.1.intValue } == [20, 30, 40])
    #expect(json.reduce(0) { $0 + $1.1.intValue } == 100)
    #expect(json.prefix(2).map { $0.1.intValue } == [10, 20])
    #expect(json.dropFirst(3).map { $0.1.intValue } == [40])
    #expect(json.contains { $0.1 == 30 })
    #expect(json.sorted { $0.1 > $1.1 }.first?.1.int == 40)
    #expect(json.index(json.startIndex, offsetBy: 3) == .array(3))
    #expect(json.distance(from: json.startIndex, to: json.endIndex) == 4)
    #expect(json.enumerated().map { $0.offset } == [0, 1, 2, 3])
    #expect(json.compactMap { $0.1.int } == [10, 20, 30, 40])
    #expect(zip(json, 0...).allSatisfy { pair, index in pair.0 == String(index) })
    var iterator = json.makeIterator()
    #expect(iterator.next()?.1.int == 10)
    #expect(json.firstIndex { $0.1 == 20 } == .array(1))
  }

  @Test func `an index outside an array traps as in Array`() async {
    await #expect(processExitsWith: .failure) {
      let json = JSON([1, 2])
      _ = json[JSON.Index.array(2)]
    }
    await #expect(processExitsWith: .failure) {
      let json = try JSON(data: Data("[1,2]".utf8))
      _ = json[JSON.Index.array(-1)]
    }
  }

  @Test func `count takes the same time for every size`() throws {
    let numbers = (0..<100_000).map(String.init).joined(separator: ",")
    let members = (0..<100_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    let values = [
      try parsed("[\(numbers)]"), try parsed("{\(members)}"), JSON(Array(0..<100_000)),
      JSON(Dictionary(uniqueKeysWithValues: (0..<100_000).map { ("k\($0)", $0) })),
    ]
    // Counting the children of one of these by iteration would take hours.
    for json in values {
      let start = threadSeconds()
      var total = 0
      for _ in 0..<50_000 { total += json.count }
      #expect(total == 50_000 * 100_000)
      #expect(threadSeconds() - start < 5)
    }
  }
}
