import Testing

@testable import JSONSift

@Suite struct JSONAccessTests {
  static let kinds: [(String, JSONType, Int)] = [
    ("1", .number, 0), ("\"a\"", .string, 0), (#""\n""#, .string, 0), ("true", .bool, 0), ("false", .bool, 0),
    ("null", .null, 0), ("[]", .array, 0), ("[1,2]", .array, 2), ("{}", .dictionary, 0),
    (#"{"a":1,"a":2}"#, .dictionary, 2),
  ]

  @Test(arguments: kinds)
  func `every kind of value has type, count and children`(text: String, type: JSONType, count: Int) throws {
    let json = try JSON(parsing: " \(text) ")
    #expect(json.type == type)
    #expect(json.exists() && json.error == nil)
    #expect(json.count == count && json.isEmpty == (count == 0))
    #expect(json.underestimatedCount == count)
    #expect(Array(json).count == count)
    #expect((json.array != nil) == (type == .array))
    #expect((json.dictionary != nil) == (type == .dictionary))
    #expect(json.arrayValue.count == (type == .array ? count : 0))
    #expect(json.rawText == text)
    #expect(json.byteRange == 1..<text.utf8.count + 1)
  }

  @Test func `the raw values of type and error are the documented ones`() {
    let types: [JSONType] = [.number, .string, .bool, .array, .dictionary, .null, .unknown]
    #expect(types.map(\.rawValue) == Array(0...6))
    let errors: [JSON.AccessError] = [
      .unsupportedType, .indexOutOfBounds, .elementTooDeep, .wrongType, .notExist, .invalidJSON,
    ]
    #expect(errors.map(\.rawValue) == [999, 900, 902, 901, 500, 490])
  }

  @Test func `the first failed subscript of a chain determines the error`() throws {
    let json = try JSON(parsing: #"{"a":{"b":[1,null]},"s":"x"}"#)
    #expect(json["z"]["y"][1].error == .notExist)
    #expect(json["a"]["b"][9]["k"][0].error == .indexOutOfBounds)
    #expect(json["a"][0]["b"].error == .wrongType)
    #expect(json["s"]["x"].error == .wrongType && json["s"][0].error == .wrongType)
    #expect(json["a"]["b"]["k"].error == .wrongType)
    #expect(json["a"]["b"][-1].error == .indexOutOfBounds)
    #expect(json["z"].type == .null && !json["z"].exists())
    #expect(json["a"]["b"][1].error == nil && json["a"]["b"][1].exists())
    #expect(json["a"]["b"][1]["k"].error == .wrongType)
    #expect(JSON.null.exists() && JSON.null["a"].error == .wrongType && JSON.null[0].error == .wrongType)
  }

  private enum Step: String, JSONSubscriptType {
    case list, first
    var jsonKey: JSON.Step { self == .first ? .index(0) : .key(rawValue) }
  }

  @Test func `a path subscript equals the chain of its steps`() throws {
    let json = try JSON(parsing: #"{"list":[{"name":"a"},{"name":"b"}],"0":7}"#)
    #expect(json["list", 1, "name"].string == "b")
    #expect(json[Step.list, Step.first, "name"].string == "a")
    let path: [JSONSubscriptType] = ["list", 1, "name"]
    #expect(json[path].string == "b")
    #expect(json[[] as [JSONSubscriptType]].rawText == json.rawText)
    #expect(json["0"].int == 7 && json[0].error == .wrongType)
    #expect(json["list", 9, "name", 3].error == .indexOutOfBounds)
    #expect(json["q", 9].error == .notExist)
  }

  @Test func `iteration keeps order and duplicates`() throws {
    let object = try JSON(parsing: #"{"z":1,"a":2,"z":3,"\u0061":4,"":5}"#)
    #expect(object.map { "\($0.0)=\($0.1.intValue)" } == ["z=1", "a=2", "z=3", "a=4", "=5"])
    #expect(object.dictionaryValue.mapValues(\.intValue) == ["z": 3, "a": 4, "": 5])
    let array = try JSON(parsing: #"["x",[1],{"k":2}]"#)
    #expect(array.map { "\($0.0)=\($0.1.rawText)" } == [#"0="x""#, "1=[1]", #"2={"k":2}"#])
    #expect(array.arrayValue.map(\.rawText) == [#""x""#, "[1]", #"{"k":2}"#])
    #expect(Array(try JSON(parsing: "\"abc\"")).isEmpty)
    #expect(Array(object["missing"]).isEmpty && object["missing"].count == 0)
  }

  @Test func `a value has the range and bytes of its source`() throws {
    let text = "\u{FEFF} {\"a\" : [ 1.0 , \"\\n\" ] , \"é\":{ } }"
    let bytes = Array(text.utf8)
    let json = try JSON(parsing: text)
    let values = [json, json["a"], json["a"][0], json["a"][1], json["é"]]
    #expect(values.map(\.rawText) == [String(text.dropFirst(2)), "[ 1.0 , \"\\n\" ]", "1.0", "\"\\n\"", "{ }"])
    for value in values {
      let range = try #require(value.byteRange)
      #expect(value.rawBytes.elementsEqual(bytes[range]))
      let borrowed = value.withRawBytes { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
      #expect(borrowed == value.rawBytes)
    }
    let missing = json["x"]
    #expect(missing.byteRange == nil && missing.rawBytes.isEmpty && missing.tapeBytes == 0)
    #expect(missing.withRawBytes { $0.byteCount } == 0)
    #expect(JSON.null.byteRange == nil)
  }

  @Test func `an accessor of a random document never differs from its source`() throws {
    var writer = RandomText(random: .announced())
    for _ in 0..<300 {
      let text = writer.document()
      let bytes = Array(text.utf8)
      func check(_ json: JSON) throws {
        let range = try #require(json.byteRange)
        let alone = try JSON(parsing: Array(bytes[range]))
        #expect(alone.type == json.type && alone.count == json.count)
        #expect(alone.stringValue == json.stringValue && alone.double?.bitPattern == json.double?.bitPattern)
        for (_, child) in json { try check(child) }
      }
      try check(try JSON(parsing: bytes))
    }
  }
}
