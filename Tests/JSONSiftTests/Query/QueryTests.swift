import Testing

@testable import JSONSift

@Suite struct QueryTests {
  static let text =
    #"{"a":[{"n":1},{"n":2,"n":3},4,[5]],"b":{"x":6,"y":{"n":7}},"a":8,"":9,"\u00e9":10,"e\u0301":11,"z":null}"#

  static let queries: [(String, [String])] = [
    ("$", [text]), ("$.a", [#"[{"n":1},{"n":2,"n":3},4,[5]]"#]), ("$.a[0].n", ["1"]), ("$.a[1].n", ["2"]),
    ("$.a[2]", ["4"]), ("$.a[2].n", []), ("$.a[3][0]", ["5"]), ("$.a[4]", []), ("$.a[9007199254740991]", []),
    ("$.a[*].n", ["1", "2"]), ("$.a[1][*]", ["2", "3"]), ("$.a[*][*]", ["1", "2", "3", "5"]),
    ("$.b.*", ["6", #"{"n":7}"#]), ("$.b.*.n", ["7"]), ("$.b[0]", []), ("$.a.n", []), ("$.missing", []),
    ("$['']", ["9"]), ("$['\u{E9}']", ["10"]), ("$['e\u{301}']", ["11"]), ("$.z", ["null"]), ("$.z.x", []),
    ("$.z[*]", []), ("$.*[2]", ["4"]), ("$[0]", []), ("$[*].n", []), ("$.*.x", ["6"]),
  ]

  @Test(arguments: queries)
  func `a query selects in the order of the text`(path: String, values: [String]) throws {
    let json = try JSON(parsing: Self.text)
    #expect(try json.query(JSONPath(path)).map(\.rawText) == values)
  }

  @Test(arguments: queries)
  func `a stream selects the same values`(path: String, values: [String]) throws {
    var matches = try JSONMatches(of: path, in: .bytes(Array(Self.text.utf8)))
    var found: [String] = []
    while let match = try matches.next() { found.append(match.value.rawText) }
    #expect(found == values)
  }

  @Test func `a wildcard visits duplicates`() throws {
    let json = try JSON(parsing: #"{"a":1,"a":2,"b":3}"#)
    #expect(try json.query("$[*]").map(\.intValue) == [1, 2, 3])
    #expect(try json.query("$.a").map(\.intValue) == [1])
    #expect(json["a"].int == 2)
  }

  @Test func `a missing value has no matches, and null matches itself`() throws {
    let json = try JSON(parsing: "{}")
    #expect(try json["x"].query("$").isEmpty)
    #expect(try json["x"].query("$[*]").isEmpty)
    #expect(try JSON.null.query("$").count == 1)
  }

  @Test func `a query may start at any value`() throws {
    let json = try JSON(parsing: Self.text)
    #expect(try json["b"].query("$.y.n").map(\.intValue) == [7])
  }
}
