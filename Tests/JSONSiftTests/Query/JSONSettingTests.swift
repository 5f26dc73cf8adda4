import Testing

@testable import JSONSift

@Suite struct JSONSettingTests {
  /// A value, a path, and the value after 1 was set there.
  static let created: [(String, JSONPath, String)] = [
    ("{}", "$.p.x", #"{"p":{"x":1}}"#), (#"{"p":{}}"#, "$.p.x", #"{"p":{"x":1}}"#),
    (#"{"p":{"x":[]}}"#, "$.p.x", #"{"p":{"x":1}}"#), ("{}", "$['a']['b c'][0][0]['']", #"{"a":{"b c":[[{"":1}]]}}"#),
    (#"{"list":[1,2]}"#, "$.list[2]", #"{"list":[1,2,1]}"#), (#"{"list":[7,8]}"#, "$.list[0]", #"{"list":[1,8]}"#),
    (#"{"list":[7,8]}"#, "$.list[-1]", #"{"list":[7,1]}"#), (#"{"list":[]}"#, "$.list[0].a", #"{"list":[{"a":1}]}"#),
    (#"{"a":null}"#, "$.a.b", #"{"a":{"b":1}}"#), (#"{"a":null}"#, "$.a[0]", #"{"a":[1]}"#),
    ("null", "$.a", #"{"a":1}"#), ("null", "$[0]", "[1]"), ("[1]", "$", "1"), (#"{"a":5}"#, "$.a", #"{"a":1}"#),
    ("[[],{}]", "$[1].k", #"[[],{"k":1}]"#),
  ]

  @Test(arguments: created)
  func `issue 48: set creates what is missing`(text: String, path: JSONPath, expected: String) throws {
    for var json in [try JSON(parsing: text), try JSON(parsing: text).rebuilt()] {
      let before = json
      try json.set(path, to: 1)
      #expect(try String(decoding: json.bytes(), as: UTF8.self) == expected)
      #expect(try json.query(path) == [1])
      #expect(try String(decoding: before.bytes(), as: UTF8.self) == text)
    }
  }

  /// A value, a path that cannot be set there, and the reason.
  static let refused: [(String, JSONPath, String)] = [
    (#"{"a":5}"#, "$.a.b", "at $['a']: expected an object for a name, found a number"),
    (#"{"a":"x"}"#, "$.a[0]", "at $['a']: expected an array for an index, found a string"),
    (#"{"a":[]}"#, "$.a.b", "at $['a']: expected an object for a name, found an array"),
    (#"{"a":{}}"#, "$.a[0]", "at $['a']: expected an array for an index, found an object"),
    (#"{"a":true}"#, "$.a.b.c", "at $['a']: expected an object for a name, found true or false"),
    (#"{"list":[1,2]}"#, "$.list[5]", "at $['list']: expected an index from -2 to 2, which appends, found 5"),
    (#"{"list":[1,2]}"#, "$.list[-3]", "at $['list']: expected an index from -2 to 2, which appends, found -3"),
    ("{}", "$.list[1]", "at $['list']: expected the index 0 for an array that does not exist, found 1"),
    ("{}", "$.a.b[-1]", "at $['a']['b']: expected the index 0 for an array that does not exist, found -1"),
    ("7", "$.a", "at $: expected an object for a name, found a number"),
  ]

  @Test(arguments: refused)
  func `issue 48: a value that cannot be set is an error, and changes nothing`(
    text: String, path: JSONPath, reason: String
  ) throws {
    var json = try JSON(parsing: text)
    let error = #expect(throws: JSONError.self) { try json.set(path, to: 1) }
    #expect(error?.code == .changeFailed && error?.message == reason)
    #expect(try String(decoding: json.bytes(), as: UTF8.self) == text)
  }

  @Test func `a path of several values and an absent value are errors`() throws {
    var json: JSON = ["a": [1, 2]]
    for path: JSONPath in ["$.a[*]", "$..a", "$.a[0:1]", "$.a[", "a"] {
      #expect(throws: JSONError.self) { try json.set(path, to: 1) }
      #expect((#expect(throws: JSONError.self) { try json.remove(path) })?.code == .invalidPath)
    }
    let missing = json["typo"]
    #expect((#expect(throws: JSONError.self) { try json.set("$.b", to: missing) })?.code == .unsupportedValue)
    #expect(json == ["a": [1, 2]])
  }

  @Test func `a pointer is set like a path`() throws {
    var json: JSON = [:]
    try json.set(pointer: "/a~1b/list", to: [1])
    try json.set(pointer: "/a~1b/list/-", to: 2)
    try json.set(pointer: "/a~1b/list/2", to: 3)
    try json.set(pointer: JSONPointer(tokens: ["0", "x"]), to: true)
    #expect(json == ["a/b": ["list": [1, 2, 3]], "0": ["x": true]])
    #expect((#expect(throws: JSONError.self) { try json.set(pointer: "/a~1b/list/x", to: 1) })?.code == .changeFailed)
    #expect((#expect(throws: JSONError.self) { try json.set(pointer: "a", to: 1) })?.code == .invalidPath)
    try json.set(pointer: "", to: 9)
    #expect(json == 9)
  }

  @Test func `a value is removed, or the reason is thrown`() throws {
    var json = try JSON(parsing: #"{"a":{"b":[1,2,3]},"n":null}"#)
    #expect(try json.remove("$.a.b[-1]") == 3 && json.remove("$.n") == JSON.null)
    #expect(try json.remove(pointer: "/a/b/0") == 1 && json == ["a": ["b": [2]]])
    for path: JSONPath in ["$.x", "$.a.x", "$.a.b[1]", "$.a.b.c", "$.a.b[0].x", "$"] {
      #expect((#expect(throws: JSONError.self) { try json.remove(path) })?.code == .changeFailed, "\(path)")
    }
    #expect(json == ["a": ["b": [2]]])
  }
}

extension JSON {
  /// The same value, whose containers were made in Swift.
  fileprivate func rebuilt() -> JSON {
    switch type {
    case .array: JSON(elements: arrayValue.map { $0.rebuilt() })
    case .dictionary: JSON(members: map { ($0.0, $0.1.rebuilt()) })
    default: self
    }
  }
}
