import Testing

@testable import JSONSift

@Suite struct QueryTests {
  static let text =
    #"{"a":[{"n":1},{"n":2,"n":3},4,[5]],"b":{"x":6,"y":{"n":7}},"a":8,"":9,"\u00e9":10,"e\u0301":11,"z":null}"#

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
