import Foundation
import SwiftyJSON
import TestSupport
import Testing

/// Section 7 of the inventory: subscripts that write.
@Suite struct SubscriptSettingTests {
  /// Returns the value of a text, parsed and built.
  private func values(_ text: String) throws -> [JSON] { [try parsed(text), try built(text)] }

  @Test func `a key adds a member or replaces it`() throws {
    for var json in try values(#"{"a":1}"#) {
      json["b"] = 2
      json["a"] = "x"
      json[""] = [1, 2]
      #expect(json == ["a": "x", "b": 2, "": [1, 2]])
      #expect(json.count == 3)
    }
  }

  @Test func `an index in range replaces an element`() throws {
    for var json in try values("[1,2,3]") {
      json[1] = "x"
      json[0] = ["k": 1]
      json[2] = JSON.null
      #expect(json == [["k": 1], "x", NSNull()])
    }
  }

  @Test(arguments: [-1, 3, 999, Int.max, Int.min])
  func `an index outside an array is ignored`(index: Int) throws {
    for var json in try values("[1,2,3]") {
      json[index] = 300
      json[index, "a"] = 1
      json[[index]] = 1
      json[index]["a"] = 1
      json[index].int = 1
      #expect(json == [1, 2, 3] && json.error == nil)
    }
  }

  @Test func `a step of the wrong kind is ignored`() throws {
    for var json in try values(#"{"a":[1]}"#) {
      json[0] = 9
      json["a"]["k"] = 9
      json["a", "k"] = 9
      #expect(json == ["a": [1]] && json.error == nil)
    }
  }

  @Test(arguments: [Type.number, .string, .bool, .null])
  func `setting inside a scalar has no effect`(type: Type) {
    var json = specimen(of: type)
    json["a"] = 1
    json[0] = 1
    json["a"]["b"] = 1
    json["a", 0] = 1
    json[0][1] = 2
    #expect(json == specimen(of: type) && json.type == type)
  }

  @Test func `an empty path has no effect`() throws {
    for var json in try values(#"{"a":[1]}"#) {
      json[] = 5
      json[[]] = 5
      let path: [JSONSubscriptType] = []
      json[path] = 5
      #expect(json == ["a": [1]])
    }
  }

  @Test func `a path sets the value at its end`() throws {
    for var json in try values(#"{"list":[{"name":"a"},{"name":"b"}],"o":{"p":{"q":1}}}"#) {
      json["list", 1, "name"] = "c"
      json["o", "p", "q"] = [true]
      json["o", "p", "r"] = 5
      let path: [JSONSubscriptType] = ["list", 0]
      json[path] = 7
      json[["o", "s"]] = "t"
      #expect(json["list"] == [7, ["name": "c"]])
      #expect(json["o"] == ["p": ["q": [true], "r": 5] as [String: Any], "s": "t"])
    }
  }

  @Test func `a path of the user's own steps sets a value`() throws {
    for var json in try values(#"{"list":[{"name":"a"}]}"#) {
      json[Step.list, Step.first, Step.name] = "z"
      #expect(json["list"][0]["name"].string == "z")
      json[Step.list][Step.first][Step.name].string = "y"
      #expect(json["list"][0]["name"].string == "y")
      json[Step.name] = 1
      #expect(json["name"].int == 1)
    }
  }

  @Test func `a path through a missing value has no effect`() throws {
    for var json in try values(#"{"a":1,"l":[1]}"#) {
      json["q", "w"] = 9
      json["q", "w", "e"] = 9
      json["a", "w"] = 9
      json["l", 4, "w"] = 9
      json["q", 0] = 9
      let path: [JSONSubscriptType] = ["q", "w"]
      json[path] = 9
      #expect(json == ["a": 1, "l": [1]])
      #expect(!json["q"].exists())
    }
  }

  @Test func `a chain through a missing value stores null`() throws {
    for var json in try values(#"{"a":1}"#) {
      json["q"]["w"] = 9
      #expect(json["q"].type == .null && json["q"].exists())
      #expect(json == ["a": 1, "q": NSNull()])
      json["x"].dictionaryObject?["y"] = 1
      #expect(json["x"].type == .null && json["x"].exists() && json.count == 3)
      json["l"][0] = 1
      #expect(json["l"].type == .null && json["l"].exists() && json.count == 4)
    }
  }

  @Test func `a typed setter adds its member`() throws {
    for var json in try values("{}") {
      json["new"].int = 4
      json["s"].string = "a"
      json["b"].bool = true
      json["d"].double = 1.5
      json["n"].null = NSNull()
      json["a"].arrayObject = [1]
      json["o"].dictionaryObject = ["k": 1]
      json["u"].url = URL(string: "http://a/b")
      json["num"].number = 3
      #expect(json.count == 9)
      #expect(json["new"].int == 4 && json["s"].string == "a" && json["b"].bool == true && json["d"].double == 1.5)
      #expect(json["n"].exists() && json["a"][0].int == 1 && json["o"]["k"].int == 1)
      #expect(json["u"].string == "http://a/b" && json["num"].int == 3)
    }
  }

  @Test func `a missing or unknown value is stored as null`() throws {
    for var json in try values(#"{"a":{"b":1},"l":[1,2]}"#) {
      json["x"] = json["missing"]
      #expect(json["x"].type == .null && json["x"].exists() && json["x"].error == nil)
      json["a"]["b"] = JSON(noJSON)
      #expect(json["a"]["b"].type == .null && json["a"]["b"].exists())
      json["l", 0] = JSON([1])[4]
      #expect(json["l"][0].type == .null && json["l"][0].exists() && json["l"].count == 2)
      json["l"][1] = JSON(noJSON)
      #expect(json["l"] == [NSNull(), NSNull()])
      #expect((try? json.rawData()) != nil)
    }
  }

  @Test func `a chain sets a nested value`() throws {
    for var json in try values(#"{"a":[{"b":{"c":[1,2,{"d":3}]}}]}"#) {
      json["a"][0]["b"]["c"][2]["d"] = "new"
      json["a"][0]["b"]["c"][2]["e"].int = 5
      json["a"][0]["b"]["c"][0].stringValue = "zero"
      #expect(json == ["a": [["b": ["c": ["zero", 2, ["d": "new", "e": 5] as [String: Any]] as [Any]]]]])
    }
  }

  @Test func `members keep their order when one is replaced`() throws {
    var json = try parsed(#"{"z":1,"a":2,"m":3}"#)
    json["a"] = 9
    json["new"] = 10
    #expect(json.map { "\($0.0)\($0.1.intValue)" } == ["z1", "a9", "m3", "new10"])
  }

  @Test func `a value can be stored in itself`() throws {
    for var json in try values(#"{"a":[1]}"#) {
      json["self"] = json
      json["a"][0] = json
      #expect(json["self"] == ["a": [1]])
      #expect(json["a"][0]["self"]["a"][0].int == 1)
    }
  }

  @Test func `copies are not changed`() throws {
    for original in try values(#"{"a":[1,{"b":2}],"c":{"d":3}}"#) {
      let child = original["a"][1]
      var copy = original
      var inner = child
      inner["b"] = 9
      copy["a"][1]["b"] = 5
      copy["c"] = 1
      copy["a", 0] = 0
      #expect(original == ["a": [1, ["b": 2]] as [Any], "c": ["d": 3]])
      #expect(child["b"].int == 2 && inner["b"].int == 9)
      #expect(copy == ["a": [0, ["b": 5]] as [Any], "c": 1])
    }
  }

  @Test func `the cost of many edits is proportional to their number`() throws {
    // Four times as many edits take four times as long, not sixteen times.
    func seconds(_ edits: Int, _ body: (Int) throws -> Void) rethrows -> Double {
      let start = threadSeconds()
      try body(edits)
      return threadSeconds() - start
    }
    func replacing(_ edits: Int) throws {
      var json = try parsed("{\"list\":[" + Array(repeating: "0", count: edits).joined(separator: ",") + "]}")
      for index in 0..<edits { json["list"][index] = JSON(index) }
      #expect(json["list"].arrayValue.map(\.intValue) == Array(0..<edits))
    }
    func adding(_ edits: Int) throws {
      var json: JSON = [:]
      for index in 0..<edits { json["key\(index)"].int = index }
      #expect(json.count == edits && json["key\(edits - 1)"].int == edits - 1)
    }
    let edits = isDebug ? 1_000 : 10_000
    for body in [replacing, adding] {
      let (few, many) = (try seconds(edits, body), try seconds(edits * 4, body))
      #expect(many < few * 8 + 0.05, "\(many / few) times as long")
    }
  }
}
