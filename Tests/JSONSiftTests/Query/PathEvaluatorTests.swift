import TestSupport
import Testing

@testable import JSONSift

@Suite struct PathEvaluatorTests {
  static let store = #"""
    {"store":{"book":[{"t":"a","price":8.95,"tags":["x","y"]},{"t":"b","price":12.99},{"t":"c","price":8.99,"isbn":"0-553"},
    {"t":"d","price":22.99,"isbn":"0-395"}],"bicycle":{"color":"red","price":399}},"max":10,"e\u0301":1,"é":2,"":3}
    """#

  static let queries: [(String, [String])] = [
    ("$..book[?@.price < 10].t", [#""a""#, #""c""#]), ("$..book[?@.isbn].t", [#""c""#, #""d""#]),
    ("$..book[?@.price < $.max].t", [#""a""#, #""c""#]), ("$..book[-1].t", [#""d""#]),
    ("$..book[:2].t", [#""a""#, #""b""#]), ("$..book[::-2].t", [#""d""#, #""b""#]),
    ("$..book[0,0].t", [#""a""#, #""a""#]), ("$..book[3,1].t", [#""d""#, #""b""#]), ("$..book[9,-9]", []),
    ("$.store..price", ["8.95", "12.99", "8.99", "22.99", "399"]), ("$..book[?count(@.*) == 2].t", [#""b""#]),
    ("$..book[?length(@.tags) == 2].t", [#""a""#]), ("$..book[?value(@..t) == 'b'].price", ["12.99"]),
    ("$..book[?@.t >= 'c'].t", [#""c""#, #""d""#]), ("$..book[?!@.isbn && @.price > 9].t", [#""b""#]),
    ("$.store.book[?@.tags[?@ == 'y']].t", [#""a""#]), ("$['\u{E9}', 'e\u{301}', '']", ["2", "1", "3"]),
    ("$.store.book[0]['price','t']", ["8.95", #""a""#]), ("$[?@ == 10]", ["10"]), ("$.store[?@.color].price", ["399"]),
    ("$.max[*]", []), ("$.max..*", []),
    ("$.store.book[?@.missing == $.missing].t", [#""a""#, #""b""#, #""c""#, #""d""#]),
    ("$.store.book[?@.missing != 1].t", [#""a""#, #""b""#, #""c""#, #""d""#]), ("$.store.book[?@.missing < 1]", []),
    ("$..book[0:9007199254740991:9007199254740991].t", [#""a""#]), ("$..book[::-9007199254740991].t", [#""d""#]),
    ("$..book[-9007199254740991:9007199254740991].t", [#""a""#, #""b""#, #""c""#, #""d""#]), ("$..book[::0]", []),
  ]

  @Test(arguments: queries)
  func `a query selects in the order of the RFC, in a parsed text and in built values`(
    path: String, values: [String]
  ) throws {
    let json = try JSON(parsing: Self.store)
    let path = try JSONPath(path)
    #expect(try json.query(path).map(\.rawText) == values)
    let built = json.rebuilt
    #expect(try built.query(path) == json.query(path))
    #expect(try built.matches(of: path).map(\.location) == json.matches(of: path).map(\.location))
  }

  @Test func `a location is a path that selects its value alone`() throws {
    let json = try JSON(parsing: Self.store)
    let matches = try json.matches(of: "$..*")
    #expect(matches.count == 26)
    for match in matches {
      let found = try json.query(JSONPath(match.location.description))
      #expect(found.map(\.byteRange) == [match.value.byteRange])
      #expect(json[match.location.steps.map { Step(jsonKey: $0) }].byteRange == match.value.byteRange)
    }
    #expect(Set(matches.map(\.location)).count == 26)
    #expect(
      try json.matches(of: "$..['\u{E9}', 'e\u{301}']").map(\.location.description) == ["$['\u{E9}']", "$['e\u{301}']"])
    #expect(try json.matches(of: "$").map(\.location.description) == ["$"])
    let odd: JSON = ["it's\\\u{1}\u{8}\n": [0]]
    #expect(try odd.matches(of: "$.*[0]").map(\.location.description) == [#"$['it\'s\\\u0001\b\n'][0]"#])
    #expect(try json.matches(of: "$..book[-1]").map(\.location.steps) == [[.key("store"), .key("book"), .index(3)]])
  }

  private struct Step: JSONSubscriptType { let jsonKey: JSON.Step }

  @Test func `of duplicate members a name selects the first, and other selectors visit each`() throws {
    let filling = (0..<70).map { "\"f\($0)\":0" }.joined(separator: ",")
    for rest in ["", "," + filling] {
      let json = try JSON(parsing: "{\"o\":{\"a\":{\"x\":1},\"a\":{\"x\":2}\(rest)}}")
      #expect(try json.query("$.o.a.x") == [1])
      #expect(try json.query("$..x") == [1, 2])
      #expect(try json.query("$.o[?@.x == 2].x") == [2])
      #expect(try json.query("$[?@.a.x == 1 && $.o.a.x == 1]").count == 1)
      #expect(try json.query("$[?@.a.x == 2 || $.o.a.x == 2]").isEmpty)
    }
  }

  @Test func `a query sees changes`() throws {
    var json = try JSON(parsing: Self.store)
    json["store"]["book"][1]["price"] = 1
    json["store"]["book"][1]["new"] = [1, ["price": 2]]
    json["store"]["book"].append(["t": "e", "price": 3])
    json["added"] = ["price": JSON.null]
    #expect(try json.query("$..book[?@.price < 5].t") == ["b", "e"])
    #expect(try json.query("$..price").map(\.stringValue) == ["8.95", "1", "2", "8.99", "22.99", "3", "399", ""])
    #expect(
      try json.matches(of: "$..[?@.price == 2 || @.price == null]").map(\.location.description)
        == ["$['added']", "$['store']['book'][1]['new'][1]"])
    #expect(try json.query("$..book[-1].t") == ["e"])
  }

  static let comparisons: [(String, Bool)] = [
    ("1 == 1.0", true), ("1 == 1e0", true), ("100 == 1E2", true), ("0.1 == 0.10", true), ("-0 == 0", true),
    ("-0.0 == 0", true), ("9007199254740993 == 9007199254740992", false),
    ("9007199254740993 > 9007199254740992.0", true), ("0.1 == 0.1000000000000000055511151231257827", false),
    ("0.1 < 0.1000000000000000055511151231257827", true), ("12345678901234567890123 > 12345678901234567890122", true),
    ("1e400 > 1e399", true), ("1e400 == 10e399", true), ("-1e400 < 1", true), ("1e-400 > 0", true),
    ("1e-400 == 0", false), ("18446744073709551616 > 18446744073709551615", true),
    ("1e19 > 18446744073709551615", false), ("1e20 > 18446744073709551615", true), ("12.99 < 13", true),
    ("-2 < -1.5", true), ("100000000000000000 == 1e17", true), ("1e18 > 999999999999999999", true),
    ("1e300 > 999999999999999999", true), ("'\u{E9}' == 'e\u{301}'", false), ("'e\u{301}' < '\u{E9}'", true),
    ("'a' < 'b'", true), ("'' < 'a'", true), ("'a' < 'ab'", true), ("'\u{FFFF}' < '\u{10000}'", true),
    ("'Z' < 'a'", true), (#"'\u0061' == "a""#, true), ("'1' == 1", false), ("'1' < 2", false), ("null == null", true),
    ("null <= null", true), ("null < null", false), ("true == true", true), ("true > false", false),
    ("true >= true", true), ("true != false", true), ("null == false", false), ("@.none == @.nothing", true),
    ("@.none <= @.nothing", true), ("@.none < @.nothing", false), ("@.none == null", false), ("@.a == @.b", true),
    ("@.a == @.c", false), ("@.a <= @.b", true), ("@.a < @.b", false), ("@.o == @.p", true), ("@.o == @.q", false),
    ("@.o != @.q", true), ("@.s == @.t", false), ("length('e\u{301}😀') == 3", true), ("length(1) == @.none", true),
    ("length(@.o) == 2", true), ("length(@.none) == length(null)", true), ("value(@.a[*]) == @.none", true),
    ("count(@.a[*]) == 2", true), ("match(1, 'a')", false), ("match('a', 1)", false),
  ]

  @Test(arguments: comparisons)
  func `values compare as the RFC defines`(comparison: String, isTrue: Bool) throws {
    let json = try JSON(
      parsing: #"""
        [{"a":[1,"x"],"b":[1.0,"\u0078"],"c":[1,"y"],"o":{"k":1,"l":[]},"p":{"l":[],"k":1e0},"q":{"k":1,"m":[]},
        "s":["\u00e9"],"t":["e\u0301"]}]
        """#)
    #expect(try json.query(JSONPath("$[?\(comparison)]")).isEmpty != isTrue)
    #expect(try json.query(JSONPath("$[?!(\(comparison))]")).isEmpty == isTrue)
    #expect(try json.rebuilt.query(JSONPath("$[?\(comparison)]")).isEmpty != isTrue)
  }

  @Test func `numbers that JSON cannot represent compare as machine numbers do`() throws {
    let json: JSON = [JSON(Double.nan), JSON(Double.infinity), 1]
    #expect(try json.query("$[?@ > 1]").count == 1)
    #expect(try json.query("$[?@ == $[0]]").isEmpty)
    #expect(try json.query("$[?@ <= $[1]]").count == 2)
  }

  @Test func `a caller may stop early`() throws {
    let json = try JSON(parsing: "[" + Array(repeating: "{\"x\":1}", count: 10_000).joined(separator: ",") + "]")
    let limits = with(JSONLimits()) { $0.querySteps = 100 }
    let query: JSONPath = "$..x"
    var evaluator = PathEvaluator(query.query.segments, from: json, root: json, limits: limits)
    #expect(try evaluator.next()?.location.description == "$[0]['x']")
    #expect(try evaluator.nextValue() == 1)
    #expect(evaluator.location.description == "$[1]['x']")
    let error = jsonError { while try evaluator.nextValue() != nil {} }
    #expect(error?.code == .queryLimit)
  }
}
