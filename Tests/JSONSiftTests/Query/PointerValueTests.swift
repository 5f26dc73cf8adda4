import TestSupport
import Testing

@testable import JSONSift

@Suite struct PointerValueTests {
  private static let text =
    #"{"foo":["bar","baz"],"":0,"-":{"-":1},"01":2,"k":null,"d":1,"é":3,"d":{"x":[[5]]},"\u0061/b":4}"#

  /// The same value parsed from a text, built by a program, and changed by a program.
  private static func values() throws -> [JSON] {
    let parsed = try JSON(parsing: text)
    var changed = parsed
    changed["foo"][0] = "x"
    changed["foo"][0] = "bar"
    changed["d"]["x"][0][0] = 5
    let built: JSON = [
      "foo": ["bar", "baz"], "": 0, "-": ["-": 1], "01": 2, "k": JSON.null, "é": 3, "d": ["x": [[5]]], "a/b": 4,
    ]
    return [parsed, changed, built]
  }

  @Test(
    arguments: [
      ("/foo/0", "bar"), ("/foo/1", "baz"), ("/", 0), ("/-/-", 1), ("/01", 2), ("/k", JSON.null), ("/é", 3),
      ("/d/x/0/0", 5), ("/a~1b", 4), ("/foo", ["bar", "baz"]),
    ] as [(String, JSON)])
  func `a pointer finds the last member of a name and the element of an index`(text: String, value: JSON) throws {
    let pointer = try JSONPointer(text)
    for json in try Self.values() {
      #expect(json[pointer: pointer] == value)
      #expect(json[pointer: pointer].error == nil)
    }
  }

  static let missing: [(String, JSON.AccessError)] = [
    ("/none", .notExist), ("/none/0/x", .notExist), ("//", .wrongType), ("/e\u{301}", .notExist), ("/a", .notExist),
    ("/foo/2", .indexOutOfBounds), ("/foo/-", .indexOutOfBounds), ("/foo/-/0", .indexOutOfBounds),
    ("/foo/9223372036854775807", .indexOutOfBounds), ("/foo/9223372036854775808", .indexOutOfBounds),
    ("/foo/18446744073709551616", .indexOutOfBounds),
    ("/foo/1" + String(repeating: "0", count: 5_000), .indexOutOfBounds),
    ("/foo/1" + String(repeating: "0", count: 50) + "x", .wrongType),
    ("/foo/00", .wrongType), ("/foo/01", .wrongType), ("/foo/+1", .wrongType), ("/foo/-1", .wrongType),
    ("/foo/-0", .wrongType), ("/foo/", .wrongType), ("/foo/ 1", .wrongType), ("/foo/1 ", .wrongType),
    ("/foo/1.0", .wrongType), ("/foo/1e0", .wrongType), ("/foo/0x1", .wrongType), ("/foo/--", .wrongType),
    ("/foo/\u{661}", .wrongType), ("/foo/\u{FF11}", .wrongType), ("/foo/length", .wrongType),
    ("/foo/0/0", .wrongType), ("/k/x", .wrongType), ("/k/0", .wrongType), ("/é/-", .wrongType),
  ]

  @Test(arguments: missing)
  func `a pointer without a value returns null with the reason`(text: String, error: JSON.AccessError) throws {
    let pointer = try JSONPointer(text)
    for json in try Self.values() {
      #expect(json[pointer: pointer].error == error)
      #expect(json[pointer: pointer].type == .null)
    }
  }

  @Test func `the empty pointer is the value itself, also a missing one`() throws {
    for json in try Self.values() { #expect(json[pointer: ""] == json) }
    #expect(JSON.null["a"][pointer: ""].error == .wrongType)
    #expect(JSON(["a": 1])["b"][pointer: "/c/d"].error == .notExist)
    #expect(JSON(5)[pointer: "/0"].error == .wrongType)
  }

  @Test func `every value of any document is found by its pointer only`() throws {
    var text = RandomText(random: .announced())
    for _ in 0..<300 {
      let source = text.document()
      let json = try JSON(parsing: source)
      var open: [(JSONPointer, JSON)] = [("", json)]
      while let (pointer, value) = open.popLast() {
        #expect(json[pointer: pointer].byteRange == value.byteRange, "\(source) \(pointer)")
        var last: [MemberName: JSON] = [:]
        for (key, child) in value {
          last[MemberName(key)] = child
        }
        for (name, child) in last { open.append((pointer.appending(name.string), child)) }
      }
    }
  }

  // MARK: Setting

  /// A value, a pointer, and the value afterwards. The new value is `"new"`.
  static let set: [(String, String, String)] = [
    (#"{"a":1}"#, "/a", #"{"a":"new"}"#), (#"{"a":1}"#, "/b", #"{"a":1,"b":"new"}"#),
    (#"{"a":1}"#, "/", #"{"a":1,"":"new"}"#),
    (#"{"a":{"b":[0,{"c":1}]}}"#, "/a/b/1/c", #"{"a":{"b":[0,{"c":"new"}]}}"#),
    (#"{"a":{}}"#, "/a/x~1y", #"{"a":{"x/y":"new"}}"#), ("[1,2]", "/1", #"[1,"new"]"#),
    ("[1,2]", "/-", #"[1,2,"new"]"#), ("[]", "/-", #"["new"]"#), (#"{"a":[[]]}"#, "/a/0/-", #"{"a":[["new"]]}"#),
    (#"{"a":{}}"#, "/a/-", #"{"a":{"-":"new"}}"#), (#"{"-":1}"#, "/-", #"{"-":"new"}"#),
    (#"{"a":1,"b":2,"a":3}"#, "/a", #"{"a":1,"b":2,"a":"new"}"#), (#"{"\u0061":1}"#, "/a", #"{"\u0061":"new"}"#),
    (#"{"0":1}"#, "/0", #"{"0":"new"}"#), (#"{"0":1}"#, "/00", #"{"0":1,"00":"new"}"#),
    (#"{"a":null}"#, "/a", #"{"a":"new"}"#), ("[{\"a\":1},[]]", "/0/b", #"[{"a":1,"b":"new"},[]]"#),
    ("{\"\u{e9}\":1}", "/e\u{301}", "{\"\u{e9}\":1,\"e\u{301}\":\"new\"}"),
  ]

  @Test(arguments: set)
  func `setting replaces a value, adds the last name, or appends at a dash`(
    text: String, pointer: String, after: String
  ) throws {
    let original = try JSON(parsing: text)
    let pointer = try JSONPointer(pointer)
    var json = original
    json[pointer: pointer] = "new"
    #expect(isSame(String(decoding: try json.bytes(), as: UTF8.self), after))
    #expect(isSame(String(decoding: try original.bytes(), as: UTF8.self), text))
    // In place, through an accessor of the value.
    var inPlace = original
    inPlace[pointer: pointer].string = "new"
    #expect(isSame(String(decoding: try inPlace.bytes(), as: UTF8.self), after))
  }

  @Test(arguments: [
    "", "/none/x", "/none/-", "/a/2", "/a/3", "/a/01", "/a/+1", "/a/-1", "/a/x", "/a/", "/a/-/0", "/a/-/-",
    "/a/99999999999999999999", "/s/x", "/s/0", "/s/-", "/n/x", "/a/0/x",
  ])
  func `setting at an unreachable location, or the whole value, has no effect`(text: String) throws {
    let original = try JSON(parsing: #"{"a":[1,2],"s":"x","n":null}"#)
    let pointer = try JSONPointer(text)
    var json = original
    json[pointer: pointer] = "new"
    #expect(json == original)
    json[pointer: pointer].string = "new"
    #expect(json == original && json.isFromText)
  }

  @Test func `a missing value is stored as null, and reading at a dash appends nothing`() throws {
    var json: JSON = ["a": [1]]
    json[pointer: "/a/-"] = json["none"]
    #expect(json == ["a": [1, JSON.null]])
    json[pointer: "/a/-"].append(5)
    json[pointer: "/a/-"].removeValue(forKey: "x")
    #expect(json == ["a": [1, JSON.null]])
  }

  @Test func `changes through a pointer are made in place`() throws {
    var json = try JSON(parsing: "{\"items\":[" + (0..<2000).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]}")
    var identity: ObjectIdentifier?
    for index in 0..<900 {
      let item = JSONPointer("/items").appending(index)
      json[pointer: item.appending("id")].int = -index
      json[pointer: item.appending("new")] = 1
      json[pointer: "/items/-"] = 7
      guard case .overlay(let items) = json["items"].storage else {
        Issue.record("the array was not changed")
        return
      }
      #expect(identity == nil || identity == ObjectIdentifier(items))
      identity = ObjectIdentifier(items)
    }
    #expect(json["items"].count == 2900 && json["items"][899]["id"] == -899 && json["items"][2899] == 7)
  }

  @Test func `a pointer sets the same value as a path subscript`() throws {
    var text = RandomText(random: .announced())
    for _ in 0..<(isDebug ? 40 : 150) {
      let json = try JSON(parsing: text.document(depth: 3))
      var open: [([JSONSubscriptType], JSON)] = [([], json)]
      while let (path, value) = open.popLast() {
        for (index, (key, child)) in value.enumerated() {
          // A member with a later duplicate is found by neither.
          let step: JSONSubscriptType = value.type == .array ? index : key
          if value[[step]].byteRange == child.byteRange { open.append((path + [step], child)) }
        }
        var byPath = json
        byPath[path] = "new"
        var byPointer = json
        byPointer[pointer: JSONPointer(tokens: path.map { "\($0)" })] = "new"
        #expect(difference(between: byPath, and: byPointer) == nil, "\(json.rawText) \(path)")
      }
    }
  }

  @Test func `a pointer of a hundred thousand tokens needs constant stack space`() throws {
    let depth = 100_000
    let options = with(JSONOptions()) { $0.limits.depth = depth + 1 }
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    var json = try JSON(parsing: Array(text.utf8), options: options)
    let pointer = JSONPointer(tokens: Array(repeating: "0", count: depth - 1))
    #expect(try JSONPointer(pointer.description) == pointer)
    #expect(json[pointer: pointer].type == .array)
    #expect(json[pointer: pointer.appending(0).appending(0)].error == .indexOutOfBounds)
    json[pointer: pointer.appending("-")] = 1
    #expect(json[pointer: pointer.appending(0)] == 1)
  }
}
