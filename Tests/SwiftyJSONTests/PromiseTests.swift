import Foundation
import SwiftyJSON
import Testing

/// Section 14 of the inventory: the promises of SwiftyJSON's README.
@Suite struct PromiseTests {
  @Test func `no subscript crashes whatever the value is`() {
    let steps: [JSONSubscriptType] = [0, -1, 999, Int.max, Int.min, "", "k", "\0", Step.first, Step.list]
    for type in allTypes {
      for first in steps {
        for second in steps {
          let json = specimen(of: type)
          let child = json[[first]][[second]]
          #expect(child.type == .null || child.exists())
          #expect(json[[first, second]].error == child.error)
          var changed = json
          changed[[first]] = 1
          changed[[first, second]] = 2
          changed[[first]][[second]] = 3
          #expect(changed.type == type)
        }
      }
    }
  }

  @Test func `setting a missing index has no effect`() {
    var json: JSON = [1, 2, 3]
    json[0] = 100
    json[1] = 200
    json[2] = 300
    json[999] = 300
    #expect(json == [100, 200, 300] && json.count == 3)
  }

  @Test func `setting a missing key adds it`() {
    var json: JSON = ["name": "Jack", "age": 25]
    json["name"] = "Mike"
    json["age"] = "25"
    json["address"] = "L.A."
    #expect(json == ["name": "Mike", "age": "25", "address": "L.A."])
  }

  @Test func `a path sets a nested value in three spellings`() {
    let start: JSON = ["name": "Jack", "age": 25, "list": ["a", "b", "c", ["what": "this"]] as [Any]]
    let end: JSON = ["name": "Jack", "age": 25, "list": ["a", "b", "c", ["what": "that"]] as [Any]]
    var json = start
    json["list"][3]["what"] = "that"
    #expect(json == end)
    json = start
    json["list", 3, "what"] = "that"
    #expect(json == end)
    json = start
    let path: [JSONSubscriptType] = ["list", 3, "what"]
    json[path] = "that"
    #expect(json == end)
  }

  @Test func `the merge example gives the printed result`() throws {
    let original: JSON = [
      "first_name": "John", "age": 20, "skills": ["Coding", "Reading"],
      "address": ["street": "Front St", "zip": "12345"],
    ]
    let update: JSON = [
      "last_name": "Doe", "age": 21, "skills": ["Writing"], "address": ["zip": "12342", "city": "New York City"],
    ]
    let updated = try original.merged(with: update)
    #expect(
      updated == [
        "first_name": "John", "last_name": "Doe", "age": 21, "skills": ["Coding", "Reading", "Writing"],
        "address": ["street": "Front St", "zip": "12342", "city": "New York City"],
      ])
    var changed = original
    try changed.merge(with: update)
    #expect(changed == updated)
  }

  @Test func `a member is removed through dictionaryObject`() {
    var json: JSON = ["a": 1, "b": ["c": 2, "d": 3]]
    json.dictionaryObject?.removeValue(forKey: "a")
    json["b"].dictionaryObject?.removeValue(forKey: "c")
    json["b"].dictionaryObject?.removeValue(forKey: "missing")
    #expect(json == ["b": ["d": 3]])
  }

  @Test func `the castNil example writes null for nil`() throws {
    let dict = ["1": 2, "2": "two", "3": nil] as [String: Any?]
    let representation = try #require(JSON(dict).rawString([.castNilToNSNull: true]))
    // The README's spelling, which the original does not implement.
    #expect(JSON(dict).rawString(options: [.castNilToNSNull: true])?.utf8.count == representation.utf8.count)
    let members = ["\"1\": 2", "\"2\": \"two\"", "\"3\": null"]
    #expect(members.allSatisfy(representation.contains))
    #expect(representation.utf8.count == members.map(\.utf8.count).reduce(0, +) + 4)
    let again = try JSONSerialization.jsonObject(with: Data(representation.utf8))
    #expect(difference(between: again, and: ["1": 2, "2": "two", "3": NSNull()] as [String: Any]) == nil)
  }
}
