import Foundation
import JSONSift
import TestSupport
import Testing

private let container = "an object, or an array with this position, for the value at 'path', found none"

/// RFC 6902.
@Suite struct JSONPatchTests {
  private static func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

  /// Values of a parsed text, and the same values created in Swift, in which parts are held twice.
  private static func forms(of text: String) throws -> [JSON] {
    let parsed = try json(text)
    var pair: JSON = [parsed.rebuilt]
    pair.append(pair[0])
    return [parsed, parsed.rebuilt, pair[0], pair[1]]
  }

  @Test(arguments: [
    (#"{"a":1}"#, #"[{"op":"add","path":"/b","value":[2]}]"#, #"{"a":1,"b":[2]}"#),
    (#"{"a":1}"#, #"[{"op":"add","path":"/a","value":null}]"#, #"{"a":null}"#),
    (#"{"a":1}"#, #"[{"op":"add","path":"","value":"x"}]"#, #""x""#),
    ("[1,3]", #"[{"op":"add","path":"/1","value":2}]"#, "[1,2,3]"),
    ("[1,3]", #"[{"op":"add","path":"/0","value":0},{"op":"add","path":"/3","value":4}]"#, "[0,1,3,4]"),
    ("[1]", #"[{"op":"add","path":"/-","value":2},{"op":"add","path":"/-","value":3}]"#, "[1,2,3]"),
    (#"{"a":{"b":[{"c":1}]}}"#, #"[{"op":"remove","path":"/a/b/0/c"}]"#, #"{"a":{"b":[{}]}}"#),
    ("[1,2,3]", #"[{"op":"remove","path":"/1"},{"op":"remove","path":"/0"}]"#, "[3]"),
    (#"{"a":{"x":1},"b":0}"#, #"[{"op":"move","from":"/a/x","path":"/b"}]"#, #"{"a":{},"b":1}"#),
    ("[1,2,3]", #"[{"op":"move","from":"/0","path":"/2"}]"#, "[2,3,1]"),
    ("[1,2,3]", #"[{"op":"move","from":"/0","path":"/-"}]"#, "[2,3,1]"),
    (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":"/a"}]"#, #"{"a":1}"#),
    (#"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
    (#"{"a":{"b":1}}"#, #"[{"op":"copy","from":"/a","path":"/a/c"}]"#, #"{"a":{"b":1,"c":{"b":1}}}"#),
    (#"{"a":1}"#, #"[{"op":"replace","path":"","value":[]},{"op":"add","path":"/0","value":7}]"#, "[7]"),
    (
      #"{"a/b":1,"m~n":2}"#, #"[{"op":"remove","path":"/a~1b"},{"op":"replace","path":"/m~0n","value":3}]"#,
      #"{"m~n":3}"#
    ),
    (
      #"{"a":[1.0,{"x":"é","y":[]}]}"#,
      #"[{"op":"test","path":"/a","value":[1,{"y":[],"x":"\u00e9"}]},{"op":"test","path":"/a/0","value":10e-1}]"#,
      #"{"a":[1.0,{"x":"é","y":[]}]}"#
    ),
  ])
  func `operations change a value as the standard says`(document: String, patch: String, expected: String) throws {
    let patch = try JSONPatch(try Self.json(patch))
    for form in try Self.forms(of: document) {
      var json = form
      try json.apply(patch)
      let wanted = try Self.json(expected)
      #expect(json == wanted)
      #expect(try JSON(parsing: json.bytes()) == wanted)
      #expect(try form == Self.json(document), "the copy has changed")
    }
  }

  @Test(arguments: [
    ("[1]", #"{"op":"add","path":"/3","value":0}"#, container),
    ("[1]", #"{"op":"add","path":"/01","value":0}"#, container),
    (#"{"a":1}"#, #"{"op":"add","path":"/a/b","value":0}"#, container),
    (#"{"a":1}"#, #"{"op":"add","path":"/x/b","value":0}"#, container),
    (#"{"a":1}"#, #"{"op":"remove","path":"/x"}"#, "a value to remove at 'path', found none"),
    (#"{"a":1}"#, #"{"op":"remove","path":""}"#, "a value to remove at 'path', found none"),
    ("[1]", #"{"op":"remove","path":"/-"}"#, "a value to remove at 'path', found none"),
    ("[1]", #"{"op":"replace","path":"/1","value":0}"#, "a value to replace at 'path', found none"),
    ("[1]", #"{"op":"replace","path":"/-","value":0}"#, "a value to replace at 'path', found none"),
    ("[1]", #"{"op":"move","from":"/1","path":"/0"}"#, "a value to move at 'from', found none"),
    ("[1,[]]", #"{"op":"move","from":"/1","path":"/1/0"}"#, "a 'path' that is not inside of 'from', found one inside"),
    ("[1]", #"{"op":"copy","from":"/a","path":"/0"}"#, "a value to copy at 'from', found none"),
    ("[1]", #"{"op":"test","path":"/0","value":"1"}"#, "a value at 'path' that equals 'value', found none"),
    (#"["é"]"#, #"{"op":"test","path":"/0","value":"e\u0301"}"#, "a value at 'path' that equals 'value', found none"),
    ("[null]", #"{"op":"test","path":"/1","value":null}"#, "a value at 'path' that equals 'value', found none"),
  ])
  func `a failed operation changes nothing, and is named`(document: String, operation: String, expected: String) throws
  {
    let added = #"{"op":"add","path":"/new","value":1}"#
    let first = document.hasPrefix("{") ? added : #"{"op":"move","from":"/0","path":"/0"}"#
    let text = "[\(first),\(operation)]"
    let patch = try JSONPatch(try Self.json(text))
    for form in try Self.forms(of: document) {
      var json = form
      let error = #expect(throws: JSONError.self) { try json.apply(patch) }
      #expect(error?.code == .patchFailed)
      #expect(error?.message == "operation 2: expected \(expected)")
      #expect(error?.byteOffset == first.utf8.count + 2)
      #expect(json == form)
      #expect(try json == Self.json(document))
    }
  }

  @Test(arguments: [
    ("{}", "expected an array of operations, found another value"),
    ("[1]", "operation 1: expected an object, found another value"),
    (#"[{"path":"/a"}]"#, "operation 1: expected add, remove, replace, move, copy or test as 'op', found none"),
    (
      #"[{"op":"spam","path":"/a"}]"#,
      "operation 1: expected add, remove, replace, move, copy or test as 'op', found another value"
    ),
    (#"[{"op":"remove"}]"#, "operation 1: expected a string as 'path', found none"),
    (#"[{"op":"remove","path":1}]"#, "operation 1: expected a string as 'path', found another value"),
    (#"[{"op":"remove","path":"a"}]"#, "operation 1, 'path': expected '/' at the start, found a letter"),
    (#"[{"op":"add","path":"/a"}]"#, "operation 1: expected a member 'value', found none"),
    (#"[{"op":"copy","path":"/a"}]"#, "operation 1: expected a string as 'from', found none"),
    (#"[{"op":"add","op":"remove","path":"/a"}]"#, "operation 1: expected one member 'op', found several"),
  ])
  func `a value that is not a patch is rejected`(text: String, message: String) throws {
    let error = #expect(throws: JSONError.self) { try JSONPatch(try Self.json(text)) }
    #expect(error?.code == .invalidPatch)
    #expect(error?.message == message)
  }

  @Test func `a patch serves many values, and its operations are counted`() throws {
    let patch = try JSONPatch([["op": "remove", "path": "/secret", "unknown": 1]])
    #expect(patch.count == 1)
    for number in 0..<3 {
      var json: JSON = ["n": number, "secret": "x"]
      try json.apply(patch)
      #expect(json == ["n": number])
    }
  }

  @Test func `members that an operation does not need may occur twice`() throws {
    var json: JSON = ["a": 1]
    try json.apply(try JSONPatch(try Self.json(#"[{"op":"remove","x":1,"path":"/a","x":2}]"#)))
    #expect(json == [:])
  }

  private struct Unsupported {}

  @Test(arguments: [
    #"{"op":"replace","path":"/a/b","value":1}"#, #"{"op":"copy","from":"/a/b","path":"/c"}"#,
    #"{"op":"test","path":"/a/b","value":null}"#, #"{"op":"add","path":"/a/b","value":1}"#,
  ])
  func `nothing is found inside of a value that JSON cannot represent`(operation: String) throws {
    var json = JSON(["a": Unsupported(), "b": 1] as [String: Any])
    let patch = try JSONPatch(try Self.json("[\(operation)]"))
    let error = #expect(throws: JSONError.self) { try json.apply(patch) }
    #expect(error?.code == .patchFailed)
    #expect(json["b"].int == 1 && json.count == 2)
  }

  /// A long container in a mapped file that was written to meanwhile: the `x` in its end is found when it is read.
  private static func damaged(_ start: String, _ end: String) throws -> JSON {
    func text(_ end: String) -> [UInt8] {
      Array("{\"a\":\(start)\(String(repeating: " ", count: 100_000))\(end),\"b\":{}}".utf8)
    }
    return try withFile(text(end.replacing("x", with: start.hasSuffix(",") ? "1" : " "))) { path in
      let json = try JSON(contentsOf: path, loading: .mapped)
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      try file.write(contentsOf: Data(text(end)))
      try file.close()
      return json
    }
  }

  @Test func `a damaged text that is read later is neither a patch nor a value that a patch finds`() throws {
    let patch = try Self.damaged(#"[{"op":"remove","path":"/b"},"#, "x]")["a"]
    #expect(throws: JSONError.self) { try JSONPatch(patch) }
    for operation in [
      #"{"op":"replace","path":"/a/b","value":1}"#, #"{"op":"copy","from":"/a/b","path":"/c"}"#,
      #"{"op":"test","path":"/a","value":null}"#, #"{"op":"copy","from":"/a","path":""}"#,
    ] {
      var json = try Self.damaged("{", "x}")
      let patch = try JSONPatch(try Self.json("[\(operation)]"))
      let error = #expect(throws: JSONError.self) { try json.apply(patch) }
      #expect(error?.code == .patchFailed, "\(operation)")
    }
  }

  @Test(arguments: [false, true])
  func `a damaged part of a merge patch or of its value counts as null, whatever was read before`(isRead: Bool) throws {
    for target in [#"{"a":1}"#, #"{"a":{"x":1}}"#] {
      let damaged = try Self.damaged("{", "x}")
      if isRead { _ = damaged["a"]["y"].error }
      var json = try Self.json(target)
      json.applyMergePatch(damaged)
      #expect(try json == Self.json(target))
      let member = try Self.damaged("{", "x}")["a"]
      let patch: JSON = ["a": member]
      if isRead { _ = member["y"].error }
      json.applyMergePatch(patch)
      #expect(try json == Self.json(#"{"a":null}"#))
    }
    var json = try Self.damaged("{", "x}")
    if isRead { _ = json["a"]["y"].error }
    json.applyMergePatch(["a": ["x": 1]])
    #expect(json["a"]["x"].int == 1)
  }

  @Test func `a test compares values of any depth`() throws {
    let text = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let options = with(JSONOptions()) { $0.limits.depth = 200_000 }
    var json = try JSON(parsing: Array(text.utf8), options: options)
    let patch = try JSONPatch([["op": "test", "path": "", "value": json]])
    try json.apply(patch)
  }
}

/// The suite of json-patch.
@Suite(.enabled(if: ThirdPartyData.has("json-patch-tests"), "\(ThirdPartyData.absence)")) struct JSONPatchSuiteTests {
  @Test(arguments: [("spec_tests.json", 17), ("tests.json", 95)])
  func `each case has the result that the suite requires`(name: String, expectedCount: Int) throws {
    let file = try #require(try ThirdPartyData.files(in: "json-patch-tests").first { $0.name == name })
    let cases = try JSON(parsing: file.bytes())
    #expect(cases.count == expectedCount)
    var failures: [String] = []
    for (number, test) in cases {
      var result = test["doc"]
      var error: JSONError?
      do throws(JSONError) { try result.apply(try JSONPatch(test["patch"])) } catch let failure { error = failure }
      let isRight =
        if test["error"].exists() {
          error != nil && result == test["doc"]
        } else {
          error == nil && (result == test["expected"] || !test["expected"].exists())
        }
      if !isRight { failures.append("\(number) \(test["comment"].stringValue): \(error?.message ?? "\(result)")") }
    }
    #expect(failures.isEmpty, "\(failures)")
  }
}
