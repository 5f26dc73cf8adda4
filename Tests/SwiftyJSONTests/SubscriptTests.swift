import Foundation
import SwiftyJSON
import Testing

/// Section 7 of the inventory: keys, and subscripts that read.
@Suite struct SubscriptTests {
  static let text = #"{"list":[{"name":"a","tags":[1,null]},{"name":"b"}],"o":{"":7,"0":8},"n":null,"s":"x"}"#

  static func values() throws -> [JSON] { [try parsed(text), try built(text)] }

  @Test func `an index and a key are steps`() {
    guard case .index(3) = 3.jsonKey, case .key("a") = "a".jsonKey else {
      Issue.record("another step")
      return
    }
    func sent<Value: Sendable>(_ value: Value) -> Value { value }
    guard case .key("b") = sent(JSONKey.key("b")), case .index(1) = sent(JSONKey.index(1)) else {
      Issue.record("another step")
      return
    }
  }

  @Test func `an index reads an element and a key a member`() throws {
    for json in try Self.values() {
      #expect(json["list"][0]["name"].string == "a")
      #expect(json["list"][1]["name"].string == "b")
      #expect(json["o"][""].int == 7 && json["o"]["0"].int == 8)
      #expect(json["s"].string == "x")
    }
  }

  @Test func `a path is the chain of its steps`() throws {
    for json in try Self.values() {
      #expect(json["list", 1, "name"].string == "b")
      #expect(json["list", 0, "tags", 0].int == 1)
      let path: [JSONSubscriptType] = ["list", 0, "tags", 1]
      #expect(json[path].type == .null && json[path].exists())
      #expect(json[["list", 1, "name"]].string == "b")
      let keys = ["list", "name"]
      #expect(json[keys].error == .wrongType)
    }
  }

  @Test func `an empty path is the value itself`() throws {
    for json in try Self.values() + [JSON(1), JSON.null] {
      #expect(json[] == json)
      let path: [JSONSubscriptType] = []
      #expect(json[path] == json)
      #expect(json[[]] == json)
    }
    #expect(JSON(["a": 1])["b"][[]].error == .notExist)
  }

  @Test func `a user's type can be a step`() throws {
    for json in try Self.values() {
      #expect(json[Step.list][Step.first][Step.name].string == "a")
      #expect(json[Step.list, Step.first, Step.name].string == "a")
      #expect(json[Step.list, 1, "name"].string == "b")
      let path: [JSONSubscriptType] = [Step.list, Step.first, "tags", 0]
      #expect(json[path].int == 1)
      #expect(json[Step.name].error == .notExist && json[Step.first].error == .wrongType)
    }
  }

  @Test func `the first error of a chain is reported`() throws {
    for json in try Self.values() {
      #expect(json["z"]["y"][1].error == .notExist)
      #expect(json["z", "y", 1].error == .notExist)
      #expect(json["list"][9]["k"][0].error == .indexOutOfBounds)
      #expect(json["list", 9, "k", 0].error == .indexOutOfBounds)
      #expect(json["list"]["k"][0].error == .wrongType)
      #expect(json["list"][-1].error == .indexOutOfBounds)
      #expect(json["s"]["k"]["l"].error == .wrongType)
      #expect(json["n"]["k"].error == .wrongType && json["n"][0].error == .wrongType)
      #expect(json["o"]["a"].error == .notExist && json["o"][0].error == .wrongType)
    }
    #expect(JSON(noJSON)[0].error == .unsupportedType && JSON(noJSON)["k"].error == .unsupportedType)
    #expect(JSON(noJSON)[0]["k"][1].error == .unsupportedType)
    #expect(JSON([noJSON])[0][3].error == .unsupportedType)
  }

  @Test func `a missing value is null and does not exist`() throws {
    for json in try Self.values() {
      for missing in [json["z"], json["list"][2], json["list"][-1], json["s"][0], json[0], json["list"]["a"]] {
        #expect(missing.type == .null && !missing.exists() && missing == JSON.null)
        #expect(missing.int == nil && missing.stringValue == "" && missing.arrayValue.isEmpty)
      }
    }
  }
}
