import Testing

@testable import JSONSift

@Suite struct LookupTests {
  static let sizes = [0, 1, 2, 15, 16, 17, 33, 1_000, 100_000]

  @Test(arguments: sizes)
  func `every index of an array finds its element`(count: Int) throws {
    let text = "[" + (0..<count).map { $0 % 7 == 0 ? "[\($0),{}]" : "\($0)" }.joined(separator: ",") + "]"
    let json = try JSON(parsing: text)
    #expect(json.count == count)
    var wrong = 0
    for index in 0..<count {
      let element = json[index]
      let value = index % 7 == 0 ? element[0].int : element.int
      if value != index { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(json[count].error == .indexOutOfBounds)
    #expect(json[-1].error == .indexOutOfBounds)
    #expect(json[Int.min].error == .indexOutOfBounds && json[Int.max].error == .indexOutOfBounds)
  }

  @Test(arguments: sizes)
  func `every key of an object finds its value`(count: Int) throws {
    let members = (0..<count).map { index in
      let key = index % 5 == 0 ? "\\u006bey\(index)" : "key\(index)"
      return "\"\(key)\":" + (index % 7 == 0 ? "[\(index)]" : "\(index)")
    }
    let json = try JSON(parsing: "{\(members.joined(separator: ","))}")
    #expect(json.count == count)
    var wrong = 0
    for index in 0..<count {
      let value = json["key\(index)"]
      if (index % 7 == 0 ? value[0].int : value.int) != index { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(json["key\(count)"].error == .notExist)
    #expect(json["key"].error == .notExist)
    #expect(json[""].error == .notExist)
  }

  /// Returns objects in which a lookup must find the same members by a scan and by a table.
  private func objects(_ members: [String]) throws -> [JSON] {
    let filling = (0..<20).map { "\"filling\($0)\":0" }
    let small = "{\(members.joined(separator: ","))}"
    let large = "{\((filling + members).joined(separator: ","))}"
    let around = "{\((filling.prefix(10) + members + filling.dropFirst(10)).joined(separator: ","))}"
    return try [small, large, around].map { try JSON(parsing: $0) }
  }

  @Test func `of equal keys the last wins in every spelling`() throws {
    for json in try objects([#""a":1"#, #""b":2"#, #""\u0061":3"#, #""b":null"#]) {
      #expect(json["a"].int == 3)
      #expect(json["b"].type == .null && json["b"].exists())
    }
    for json in try objects([#""\u0061":1"#, #""a":2"#]) { #expect(json["a"].int == 2) }
  }

  @Test func `an escaped key is found by its characters`() throws {
    let members = [#""\u0061":1"#, #""\"\\\/":2"#, #""\n":3"#, #""\ud83d\ude00":4"#, #""caf\u00e9":5"#]
    for json in try objects(members) {
      #expect(json["a"].int == 1)
      #expect(json["\"\\/"].int == 2)
      #expect(json["\n"].int == 3)
      #expect(json["😀"].int == 4)
      #expect(json["café"].int == 5)
      #expect(json[#"\u0061"#].error == .notExist)
    }
  }

  @Test func `keys that differ only in composition are two keys`() throws {
    for json in try objects(["\"\u{E9}\":1", "\"e\u{301}\":2"]) {
      #expect(json["\u{E9}"].int == 1)
      #expect(json["e\u{301}"].int == 2)
    }
    for json in try objects([#""\u00e9":1"#, #""e\u0301":2"#]) {
      #expect(json["\u{E9}"].int == 1)
      #expect(json["e\u{301}"].int == 2)
    }
  }

  @Test func `the empty key and the key of a zero byte are ordinary keys`() throws {
    for json in try objects([#""":1"#, #""\u0000":2"#, #""a\u0000":3"#, #""a":4"#]) {
      #expect(json[""].int == 1)
      #expect(json["\0"].int == 2)
      #expect(json["a\0"].int == 3)
      #expect(json["a"].int == 4)
      #expect(json["a\0\0"].error == .notExist)
    }
  }

  @Test func `a key that is made from a slice of a longer string is found`() throws {
    let long = "xxcafé au lait"
    for json in try objects([#""café":1"#]) { #expect(json[String(long.dropFirst(2).prefix(4))].int == 1) }
  }
}
