import Foundation
import SwiftyJSON
import Testing

/// Section 5 of the inventory: `merge(with:)` and `merged(with:)`.
@Suite struct MergeTests {
  /// Two texts and their merged text.
  static let merged: [(String, String, String)] = [
    ("1", "2", "2"), ("\"a\"", "\"b\"", "\"b\""), ("true", "false", "false"), ("null", "null", "null"),
    ("1", "1.5", "1.5"), ("[]", "[]", "[]"), ("{}", "{}", "{}"), ("[1]", "[]", "[1]"), ("[]", "[1]", "[1]"),
    ("[1,2]", "[2,3]", "[1,2,2,3]"), (#"["a"]"#, #"["a"]"#, #"["a","a"]"#), ("[[1]]", "[[2]]", "[[1],[2]]"),
    (#"[{"a":1}]"#, #"[{"b":2}]"#, #"[{"a":1},{"b":2}]"#), (#"{"a":1}"#, #"{"b":2}"#, #"{"a":1,"b":2}"#),
    (#"{"a":1}"#, #"{"a":2}"#, #"{"a":2}"#), (#"{"a":{"b":1}}"#, #"{"a":{"c":2}}"#, #"{"a":{"b":1,"c":2}}"#),
    (#"{"a":{"b":{"c":1,"d":2}}}"#, #"{"a":{"b":{"c":3}}}"#, #"{"a":{"b":{"c":3,"d":2}}}"#),
    (#"{"a":[1]}"#, #"{"a":[2]}"#, #"{"a":[1,2]}"#), (#"{"a":{"b":[1]}}"#, #"{"a":{"b":[1]}}"#, #"{"a":{"b":[1,1]}}"#),
    (#"{"a":1}"#, #"{"a":"x"}"#, #"{"a":"x"}"#), (#"{"a":[1]}"#, #"{"a":{"b":1}}"#, #"{"a":{"b":1}}"#),
    (#"{"a":{"b":1}}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"{"a":{"b":1}}"#, #"{"a":3}"#, #"{"a":3}"#),
    (#"{"a":1}"#, #"{"a":null}"#, #"{"a":null}"#), (#"{"a":null}"#, #"{"a":1}"#, #"{"a":1}"#),
    (#"{"a":{"b":1}}"#, #"{"a":null}"#, #"{"a":null}"#), (#"{"a":1}"#, "{}", #"{"a":1}"#),
    (#"{"a":1,"a":2}"#, "{}", #"{"a":2}"#), (#"{"a":[1],"a":[2]}"#, #"{"a":[3]}"#, #"{"a":[2,3]}"#),
    (#"{"a":[1]}"#, #"{"a":[2],"a":[3]}"#, #"{"a":[1,3]}"#), (#"{"":1}"#, #"{"":2}"#, #"{"":2}"#),
    (#"{"\u0061":1}"#, #"{"a":2}"#, #"{"a":2}"#),
  ]

  @Test(arguments: merged)
  func `two values merge as documented`(left: String, right: String, result: String) throws {
    for first in [try parsed(left), try built(left)] {
      for second in [try parsed(right), try built(right)] {
        let expected = try parsed(result)
        let merged = try first.merged(with: second)
        #expect(difference(between: merged.object, and: expected.object) == nil)
        #expect(merged == expected && merged.type == expected.type && merged.error == nil)
        var changed = first
        try changed.merge(with: second)
        #expect(changed == expected)
        #expect(try first == parsed(left) && second == parsed(right))
      }
    }
  }

  @Test func `values of different types throw and stay unchanged`() {
    for left in allTypes {
      for right in allTypes where right != left {
        var json = specimen(of: left)
        #expect(swiftyError { try json.merge(with: specimen(of: right)) } == .wrongType, "\(left) \(right)")
        #expect(swiftyError { _ = try json.merged(with: specimen(of: right)) } == .wrongType, "\(left) \(right)")
        #expect(json.type == left)
        if left != .unknown { #expect(json == specimen(of: left)) }
      }
    }
  }

  @Test func `the error of a merge is caught by its type`() {
    // The function has a typed throw of this type; here it is called through an untyped one.
    let merge: () throws -> JSON = { try JSON(1).merged(with: JSON("a")) }
    do {
      _ = try merge()
      Issue.record("merged a number with a string")
    } catch let error as SwiftyJSONError {
      #expect(error == .wrongType && error.errorCode == 901)
    } catch {
      Issue.record("\(error)")
    }
    do {
      _ = try JSON(1).merged(with: JSON("a"))
    } catch SwiftyJSONError.wrongType {
      return
    } catch {}
    Issue.record("not caught by its case")
  }

  @Test func `merging two unknown values gives the second`() throws {
    let merged = try JSON(noJSON).merged(with: JSON(Set([1])))
    #expect(merged.type == .unknown && merged.error == .unsupportedType)
  }

  @Test func `a missing value merges as null`() throws {
    #expect(try JSON.null.merged(with: JSON([1])[5]).type == .null)
    #expect(swiftyError { _ = try JSON([1])[5].merged(with: JSON(1)) } == .wrongType)
  }

  @Test func `repeated merging accumulates`() throws {
    var json: JSON = ["log": [] as [Any]]
    for number in 0..<200 { try json.merge(with: ["log": [number], "k\(number)": number]) }
    #expect(json["log"].arrayValue.map(\.intValue) == Array(0..<200))
    #expect(json.count == 201)
  }
}
