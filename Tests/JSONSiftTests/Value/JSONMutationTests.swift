import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONMutationTests {
  @Test func `one change in a large document detaches only the containers on its path`() throws {
    let text =
      "{\"head\":1,\"items\":["
      + (0..<100_000).map { "{\"id\":\($0),\"user\":{\"name\":\"n\"}}" }.joined(separator: ",") + "]}"
    let original = try JSON(parsing: text)
    var json = original
    json["items"][70_000]["user"]["name"] = "changed"
    #expect(json["items"][70_000]["user"]["name"].string == "changed")
    #expect(original["items"][70_000]["user"]["name"].string == "n")
    // Each container on the path contains one replaced value, and its other children still belong to the text.
    var current = json
    for step in ["items", 70_000, "user"] as [JSONSubscriptType] {
      guard case .overlay(let branch) = current.storage else {
        Issue.record("not changed: \(step)")
        return
      }
      #expect(branch.replaced.count == 1 && branch.base != nil)
      current = current[[step]]
    }
    #expect(json["head"].byteRange == original["head"].byteRange && json["items"][69_999].byteRange != nil)
    #expect(String(decoding: try json.bytes(), as: UTF8.self).utf8.count == text.utf8.count + "changed".count - 1)
  }

  @Test func `changes in a loop are made in place`() throws {
    var json = try JSON(parsing: "{\"items\":[" + (0..<2000).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]}")
    var identity: ObjectIdentifier?
    for index in 0..<900 {
      json["items"][index]["id"].int = -index
      json["items", index, "new"] = JSON(index)
      guard case .overlay(let items) = json["items"].storage else {
        Issue.record("the array was not changed")
        return
      }
      #expect(identity == nil || identity == ObjectIdentifier(items))
      identity = ObjectIdentifier(items)
    }
    #expect(json["items"][899]["id"].int == -899 && json["items"][900]["id"].int == 900)
  }

  @Test func `removing a name removes all its members`() throws {
    var json = try JSON(parsing: #"{"a":1,"b":2,"a":3}"#)
    #expect(json.removeValue(forKey: "a") == 3)
    #expect(json.count == 1 && json["a"].error == .notExist)
    var list = try JSON(parsing: "[1,2,3]")
    #expect(list.remove(at: 1) == 2)
    #expect(list == [1, 3])
    #expect(json.remove(at: 0) == Optional.none && list.remove(at: 2) == Optional.none)
    json["b"].append(1)
    #expect(json == ["b": 2] && list == [1, 3])
  }

  @Test func `setting a duplicate member replaces the one that a subscript finds`() throws {
    var json = try JSON(parsing: #"{"a":1,"b":2,"a":3}"#)
    json["a"] = "new"
    #expect(String(decoding: try json.bytes(), as: UTF8.self) == #"{"a":1,"b":2,"a":"new"}"#)
    #expect(json.count == 3 && json["a"] == "new")
  }

  @Test func `names that differ only in composition are two members`() throws {
    var json: JSON = [:]
    json["\u{e9}"] = 1
    json["e\u{301}"] = 2
    #expect(json.count == 2 && json["\u{e9}"] == 1 && json["e\u{301}"] == 2)
  }

  @Test func `a detached value has its bytes and its range but not the document`() throws {
    let json = try JSON(parsing: "[" + String(repeating: "0,", count: 50_000) + #"{"a":[1,"x\n"],"b":{}}, 2]"#)
    let value = json[50_000]
    let own = value.detached()
    #expect(own == value && own.byteRange == value.byteRange && own.rawBytes == value.rawBytes)
    #expect(own["a"][1].string == "x\n" && own["a"][1].byteRange == value["a"][1].byteRange)
    #expect(own.tapeBytes < 200)
    #expect(json[50_001].detached() == 2)
  }
}
