import Foundation
import JSONSift
import Testing

@Suite struct DecodingTableTests {
  static let scalars = [
    "0", "1", "-1", "-0", "127", "128", "-128", "-129", "255", "256", "32767", "65535", "65536", "2147483647",
    "-2147483648", "4294967295", "9007199254740993", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "18446744073709551615", "1.0", "1.5", "-1.0", "0.1", "1e2", "1E+2", "1e-2", "100e-2",
    "1e308", "1e-320", "1.7976931348623157e308", "3.4028235e38", "1e38", "1e39", "1e-46", "0.0", "-0.0", "0e5",
    "123456789.125", "2.2250738585072014e-308", "5e-324", "16777217", "0.1000000000000000055511151231257827", "1e400",
    "1e-400", "-1e400", "170141183460469231731687303715884105727", "340282366920938463463374607431768211455",
    "1.0000000000000000000001", "0.30000000000000004", "123456789012345678901234567890.123456789", "true", "false",
    "null", "\"\"", "\"1\"", "\"text\"", "\"aGVsbG8=\"", "\"https://example.net/a?b=c#d\"",
    "\"6BA7B810-9DAD-11D1-80B4-00C04FD430C8\"", "\"2025-03-01T08:30:00Z\"", "[]", "[1]", "{}", "{\"a\":1}",
  ]

  private func scalarCases<T: Codable & Equatable>(_ type: T.Type, _ table: inout ConformanceTable) {
    for text in Self.scalars {
      let difference = Self.difference(type, text)
      table.decode(text, as: type, Box<T>.self, differs: difference)
      table.decode([T].self, "[\(text)]", differs: difference)
      table.decode([T?].self, "[null,\(text)]", differs: difference)
      table.decode([String: T].self, "{\"k\":\(text)}", differs: difference)
      table.decode(Wrapper<T>.self, "{\"a\":\(text),\"b\":\(text)}", differs: difference)
      table.decode(T?.self, text, differs: difference)
    }
  }

  struct Wrapper<T: Codable & Equatable>: Codable, Equatable { var a: T, b: T?, c: T? }

  /// The number of the difference in Documentation/Codable.md that a scalar shows.
  private static func difference<T>(_ type: T.Type, _ text: String) -> Int? {
    let integers: [Any.Type] = [
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self, UInt16.self,
      UInt32.self, UInt64.self, UInt128.self,
    ]
    let isInteger = integers.contains { $0 == type }
    switch text {
    case "1e-400", "1.0000000000000000000001":
      return isInteger || (type == Level.self && text.hasPrefix("1.0")) ? 3 : nil
    case "1e38": return type == Int128.self || type == UInt128.self ? 2 : nil
    case "3.4028235e38": return type == UInt128.self ? 2 : nil
    case "0e5": return type == Double.self || type == Float.self || type == Date.self ? 4 : nil
    default: return nil
    }
  }

  @Test func `scalars decode as with Foundation, alone and inside containers`() {
    var table = ConformanceTable()
    func cases<each T: Codable & Equatable>(_ type: repeat (each T).Type) { repeat scalarCases(each type, &table) }
    cases(
      Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self,
      UInt16.self, UInt32.self, UInt64.self, UInt128.self, Double.self, Float.self, String.self, Decimal.self,
      Date.self, Data.self, URL.self, UUID.self, Suit.self, Level.self)
    #expect(table.isConform, "\(table.report)")
    #expect(table.cases > 5000)
    #expect(table.shown == [1, 2, 3, 4])
  }

  @Test func `structs, dictionaries, enums, classes and containers decode as with Foundation`() {
    var table = ConformanceTable()
    for text in [
      "{}", "{\"x\":1,\"y\":2}", "{\"y\":2,\"x\":1}", "{\"x\":1}", "{\"x\":1,\"y\":null}", "{\"x\":\"1\",\"y\":2}",
      "{\"z\":0,\"y\":2,\"w\":[{}],\"x\":1}", "{\"\\u0078\":1,\"y\":2}", "[]", "null", "1", "\"x\"",
      "{\"X\":1,\"y\":2}",
      "{\"x\":1.0,\"y\":2e0}", "{\"x\":1,\"y\":2.5}", "{\"\":0,\"x\":1,\"y\":2}", "{\"x\":{\"x\":1},\"y\":2}",
    ] {
      table.decode(Point.self, text)
      table.decode([Point].self, "[\(text)]")
      table.decode([Point?].self, "[\(text),null]")
      table.decode(Box<Point>.self, text)
      table.decode([String: Point].self, "{\"a\":\(text)}")
      table.decode([[Point]].self, "[[],[\(text)]]")
      table.decode(Shape.self, "{\"at\":{\"_0\":\(text)}}")
      table.decode(Optionals.self, "{\"point\":\(text)}")
      table.decode([Int: Point].self, "{\"7\":\(text)}")
      table.decode(Loose.self, text)
    }
    table.decode(Point.self, "{\"x\":1,\"x\":3,\"y\":2}", differs: 5)
    table.decode([String: Int].self, "{\"a\":1,\"a\":2}", differs: 5)
    table.decode([String: Int].self, "{\"e\\u0301\":1,\"\\u00e9\":2}", differs: 6)
    for text in [
      "{\"bool\":null,\"int\":null,\"string\":null}", "{\"bool\":true}", "{\"bool\":1}", "{\"int\":true}",
      "{\"int8\":300}", "{\"string\":7}", "{\"list\":[1,null]}", "{\"list\":{}}", "{\"map\":{\"a\":1}}",
      "{\"map\":[\"a\"]}", "{\"map\":{\"a\":\"b\"}}", "{\"date\":0}", "{\"date\":\"x\"}", "{\"data\":\"!\"}",
      "{\"data\":\"AAEC\"}", "{\"data\":7}", "{\"decimal\":\"1\"}", "{\"decimal\":1.10}", "{\"url\":\"\"}",
      "{\"url\":\"a b\"}", "{\"url\":7}", "{\"twice\":null}", "{\"twice\":1}", "{\"float\":\"nan\"}", "{\"double\":[]}",
      "{\"uint64\":-1}", "{\"uint64\":18446744073709551615}", "{\"float\":0.1}",
    ] {
      table.decode(Optionals.self, text)
      table.decode([Optionals].self, "[{},\(text)]")
    }
    for text in [
      "{\"none\":{}}", "{\"none\":null}", "{\"none\":1}", "{\"circle\":{\"radius\":1.5}}", "{\"circle\":{}}",
      "{\"circle\":{\"radius\":\"1\"}}", "{\"rectangle\":{\"width\":1}}",
      "{\"rectangle\":{\"width\":1,\"height\":null}}", "{\"rectangle\":{\"height\":1}}", "{\"named\":{\"_0\":\"a\"}}",
      "{\"named\":{\"_0\":null}}", "{\"named\":\"a\"}", "{\"pair\":{\"_0\":1,\"_1\":2}}", "{\"pair\":{\"_0\":1}}",
      "{\"pair\":[1,2]}", "{}", "{\"other\":{}}", "{\"none\":{},\"named\":{\"_0\":\"a\"}}", "[]", "\"none\"", "null",
    ] {
      table.decode(Shape.self, text)
      table.decode([Shape].self, "[{\"none\":{}},\(text)]")
      table.decode([String: Shape?].self, "{\"s\":\(text)}")
    }
    for text in [
      "{\"leaf\":{\"_0\":1}}", "{\"node\":{\"left\":{\"leaf\":{\"_0\":1}},\"right\":{\"leaf\":{\"_0\":2}}}}",
      "{\"node\":{\"left\":{\"leaf\":{\"_0\":1}},\"right\":{\"leaf\":{\"_0\":\"2\"}}}}",
      "{\"node\":{\"left\":{\"leaf\":{}}}}",
    ] { table.decode(Tree.self, text) }
    for text in [
      "{\"value\":1}", "{\"value\":1,\"next\":{\"value\":2}}",
      "{\"value\":1,\"next\":{\"value\":2,\"next\":{\"next\":null}}}", "{\"value\":1,\"next\":[]}",
    ] { table.decode(Chain.self, text) }
    for text in [
      "{\"name\":\"a\",\"breed\":\"b\"}", "{\"breed\":\"b\"}", "{\"name\":\"a\"}", "{\"name\":1,\"breed\":\"b\"}",
      "{\"super\":{\"name\":\"a\"},\"lives\":9}", "{\"parent\":{\"name\":\"a\"},\"lives\":9}",
      "{\"parent\":{},\"lives\":9}", "{\"super\":{\"name\":null},\"lives\":9}", "{\"lives\":9}",
      "{\"super\":null,\"lives\":9}", "{\"parent\":null,\"lives\":9}", "{\"parent\":[],\"lives\":9}",
      "[1.5,{\"name\":\"a\"},null]", "[1.5,{\"name\":\"a\"}]", "[1.5]", "[1.5,{},null]", "[1.5,null,null]", "[]",
    ] {
      table.decode(text, as: Animal.self, Dog.self, Cat.self, Fish.self)
      table.decode([Cat].self, "[\(text)]")
      table.decode([String: Fish].self, "{\"fish\":\(text)}")
    }
    for text in [
      "{\"id\":1,\"size\":{\"width\":2,\"height\":3},\"tags\":[\"a\",\"b\"],\"matrix\":[[1,2],[3]]}",
      "{\"matrix\":[[]],\"tags\":[],\"size\":{\"height\":3,\"width\":2},\"id\":1}",
      "{\"id\":1,\"size\":null,\"tags\":[],\"matrix\":[]}",
      "{\"id\":1,\"size\":[],\"tags\":[],\"matrix\":[]}", "{\"id\":1,\"size\":{},\"tags\":[],\"matrix\":[]}",
      "{\"id\":1,\"size\":{\"width\":2,\"height\":3},\"tags\":{},\"matrix\":[]}",
      "{\"id\":1,\"size\":{\"width\":2,\"height\":3},\"tags\":null,\"matrix\":[]}",
      "{\"id\":1,\"size\":{\"width\":2,\"height\":3},\"tags\":[\"a\",7],\"matrix\":[]}",
      "{\"id\":1,\"size\":{\"width\":2,\"height\":3},\"tags\":[],\"matrix\":[[1],2]}",
      "{\"id\":1,\"size\":{\"width\":2,\"height\":3},\"tags\":[],\"matrix\":[[1],null]}",
      "{\"id\":1,\"size\":{\"width\":2,\"height\":3},\"tags\":[],\"matrix\":[[1,\"x\"]]}",
      "{\"id\":1,\"size\":{\"width\":2,\"height\":3},\"tags\":[]}", "{\"id\":1,\"tags\":[],\"matrix\":[]}",
    ] {
      table.decode(Flattened.self, text)
      table.decode([Flattened].self, "[\(text)]")
    }
    for text in ["[1,2,3]", "[1,null,\"a\",2,{},[1],true,3]", "[]", "[[[]]]", "[null]", "{}", "null"] {
      table.decode(Forgiving.self, text)
      table.decode([Forgiving].self, "[\(text)]")
      table.decode(Loose.self, text)
    }
    for text in [
      "{\"1\":2}", "{\"a\":2}", "{}", "{\"1\":\"a\"}", "{\"-1\":2}", "{\"007\":3}", "[1,2]", "[1]", "[1,\"a\"]", "null",
      "{\"1.5\":2}", "[\"hearts\",1]", "[\"hearts\"]", "[\"stars\",1]", "{\"hearts\":1}", "{\"clubs\":1}",
      "{\"redHearts\":2}", "{\"other\":2}", "[]", "[{\"x\":1,\"y\":2},3]", "[{\"x\":1},3]",
    ] {
      table.decode(
        text, as: [Int: Int].self, [Suit: Int].self, [CodedSuit: Int].self, [Point: Int].self, [String: Int].self,
        Set<Int>.self, [UUID: Int].self)
    }
    for text in ["{\"a\":{},\"b\":[1,2,{}]}", "[[1],{\"b\":1}]", "1", "null", "{\"a b\":1,\"é\":2,\"3\":3}"] {
      table.decode(Probe.self, text)
      table.decode([Probe].self, "[\(text)]")
      table.decode([String: [Probe]].self, "{\"k\":[\(text),\(text)]}")
      table.decode(Box<[Box<Probe>]>.self, "[\(text)]")
    }
    let everything = """
      {"bool":true,"int":-5,"double":1.25,"float":0.1,"string":"a\\"\\u00e9\\ud83d\\ude00/","data":"AAECAw==","date":1000.5,
      "url":"https://example.net/é","uuid":"6BA7B810-9DAD-11D1-80B4-00C04FD430C8","decimal":12345678901234567890.123,
      "big":18446744073709551615,"huge":-170141183460469231731687303715884105728,"optional":null,"list":[1,2,3],
      "nested":[["a"],[]],"map":{"a":1,"b":2},"point":{"x":1,"y":2},"points":[{"x":1,"y":2},null]}
      """
    table.decode(Everything.self, everything)
    // Each member missing, null, and of another type.
    let members = [
      "bool", "int", "double", "float", "string", "data", "date", "url", "uuid", "decimal", "big", "huge", "optional",
      "list", "nested", "map", "point", "points",
    ]
    for name in members {
      guard let json = try? JSON(parsing: everything) else { continue }
      let others: [JSON] = ["?", 1.5, true, [], [:], [["x": 1]], -1, ["a": ["b": [1]]]]
      for value in [JSON.null, JSON.null] + others {
        var changed = json
        if changed[name] == value { changed.removeValue(forKey: name) } else { changed[name] = value }
        guard let bytes = try? changed.bytes() else { continue }
        table.decode(Everything.self, String(decoding: bytes, as: UTF8.self))
      }
    }
    #expect(table.isConform, "\(table.report)")
    #expect(table.cases >= 600, "\(table.cases)")
    #expect(table.shown == [1, 5, 6], "\(table.shown)")
  }

  @Test func `invalid JSON is corrupted data with an empty coding path`() {
    var table = ConformanceTable()
    for text in [
      "", " ", "{", "[1,", "{\"a\"}", "{\"a\":}", "[1 2]", "nul", "tru", "01", "1.", "-", "\"a", "\"\\x\"", "[1]]",
      "{} {}", "'a'", "+1",
      "[,]", "{,}", "[1,]", "{\"a\":1,}", "\u{7F}", "\"\\u12\"", "\"\n\"", "NaN", "1e", "Infinity",
    ] {
      // Foundation accepts a trailing comma, and validates numbers and strings only when they are requested.
      let isComma = text.hasSuffix(",]") && text.count > 3 || text.hasSuffix(",}") && text.count > 3
      let isToken = ["01", "1.", "-", "\"\\x\"", "\"\n\"", "1e"].contains(text)
      let isNumber = text.first != "\""
      table.decode(Loose.self, text, differs: isComma || isToken ? 9 : nil)
      table.decode(Int.self, text, differs: isComma || (isToken && !isNumber) ? 9 : nil)
      table.decode([String: Int].self, text, differs: isComma || isToken ? 9 : nil)
    }
    #expect(table.isConform, "\(table.report)")
    #expect(table.cases >= 80)
  }

  @Test func `strategies give the same results as Foundation`() {
    var table = ConformanceTable()
    func both(_ set: (JSONSiftDecoder, JSONDecoder) -> Void) -> (JSONSiftDecoder, JSONDecoder) {
      let (ours, theirs) = (JSONSiftDecoder(), JSONDecoder())
      set(ours, theirs)
      return (ours, theirs)
    }
    func pair(_ ours: (JSONSiftDecoder) -> Void, _ theirs: (JSONDecoder) -> Void) -> (JSONSiftDecoder, JSONDecoder) {
      both {
        ours($0)
        theirs($1)
      }
    }
    // Dates.
    let dates = [
      pair({ $0.dateDecodingStrategy = .secondsSince1970 }, { $0.dateDecodingStrategy = .secondsSince1970 }),
      pair({ $0.dateDecodingStrategy = .millisecondsSince1970 }, { $0.dateDecodingStrategy = .millisecondsSince1970 }),
      pair({ $0.dateDecodingStrategy = .iso8601 }, { $0.dateDecodingStrategy = .iso8601 }),
      both {
        $0.dateDecodingStrategy = .custom {
          Date(timeIntervalSince1970: try $0.singleValueContainer().decode(Double.self) * 60)
        }
        $1.dateDecodingStrategy = .custom {
          Date(timeIntervalSince1970: try $0.singleValueContainer().decode(Double.self) * 60)
        }
      },
      both {
        $0.dateDecodingStrategy = .custom {
          try Date(timeIntervalSince1970: $0.container(keyedBy: DateKey.self).decode(Double.self, forKey: .at))
        }
        $1.dateDecodingStrategy = .custom {
          try Date(timeIntervalSince1970: $0.container(keyedBy: DateKey.self).decode(Double.self, forKey: .at))
        }
      },
    ]
    let dateTexts = [
      "0", "1.5", "-1e9", "1e400", "null", "\"x\"", "\"2025-03-01T08:30:00Z\"", "\"2025-03-01T08:30:00+01:00\"",
      "\"2024-02-29T23:59:59Z\"", "\"2023-02-29T00:00:00Z\"", "\"2025-13-01T00:00:00Z\"", "\"2025-03-01\"",
      "\"2025-03-01T08:30:00\"", "\"2025-03-01 08:30:00Z\"", "\"1999-12-31T23:59:60Z\"", "\"0001-01-01T00:00:00Z\"",
      "\"1582-10-10T00:00:00Z\"", "\"9999-12-31T23:59:59Z\"", "\"2025-03-01T24:00:00Z\"",
      "\"2025-03-01T08:30:00-0730\"", "\"2025-03-01T08:30:00z\"", "\"20250301T083000Z\"", "[]", "{\"at\":5}", "{}",
    ]
    for (index, (ours, theirs)) in dates.enumerated() {
      for text in dateTexts {
        table.decode(Date.self, text, "date strategy \(index)", ours: ours, theirs: theirs)
        table.decode([Date].self, "[\(text)]", "date strategy \(index)", ours: ours, theirs: theirs)
        table.decode([String: Date?].self, "{\"d\":\(text)}", "date strategy \(index)", ours: ours, theirs: theirs)
      }
    }
    for text in ["00.125Z", "00.1Z", "59.999999Z", "00.Z", "00.5+02:00", "00,5Z", "00.123456789012Z"] {
      table.decode(Date.self, "\"2025-03-01T08:30:\(text)\"", ours: dates[2].0, theirs: dates[2].1)
    }
    // Data.
    let datas = [
      pair({ $0.dataDecodingStrategy = .deferredToData }, { $0.dataDecodingStrategy = .deferredToData }),
      both {
        $0.dataDecodingStrategy = .custom { Data(try $0.singleValueContainer().decode(String.self).utf8) }
        $1.dataDecodingStrategy = .custom { Data(try $0.singleValueContainer().decode(String.self).utf8) }
      }, both { _, _ in },
    ]
    for (index, (ours, theirs)) in datas.enumerated() {
      for text in [
        "[1,2,255]", "[256]", "[-1]", "[\"a\"]", "\"AAEC\"", "\"AAE\"", "\"A A==\"", "\"AAEC\\n\"", "\"\"", "null", "7",
        "{}", "\"\\u0041AEC\"",
      ] {
        table.decode(Data.self, text, "data strategy \(index)", ours: ours, theirs: theirs)
        table.decode([Data].self, "[\(text)]", "data strategy \(index)", ours: ours, theirs: theirs)
      }
    }
    // Floats.
    let floats = both {
      $0.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "NaN")
      $1.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "NaN")
    }
    for text in ["\"+∞\"", "\"-∞\"", "\"NaN\"", "\"nan\"", "\"1\"", "1", "null", "\"\"", "1e400"] {
      table.decode(text, as: Double.self, Float.self, with: floats)
      if text != "\"NaN\"" {
        table.decode([Double].self, "[\(text)]", ours: floats.0, theirs: floats.1)
        table.decode([String: Float?].self, "{\"f\":\(text)}", ours: floats.0, theirs: floats.1)
      }
      table.decode(Decimal.self, text, ours: floats.0, theirs: floats.1)
      // A Date that is not a number is not equal to itself.
      if text != "\"NaN\"" { table.decode(Date.self, text, ours: floats.0, theirs: floats.1) }
    }
    // Keys.
    let snake = pair(
      { $0.keyDecodingStrategy = .convertFromSnakeCase }, { $0.keyDecodingStrategy = .convertFromSnakeCase })
    for text in [
      "{\"one_two\":1,\"my_url_property\":\"a\",\"_leading\":2}",
      "{\"oneTwo\":1,\"myURLProperty\":\"a\",\"_leading\":2}",
      "{\"one_two\":1,\"my_uRLProperty\":\"a\",\"_leading\":2,\"nested\":{\"inner_value\":1,\"by_name\":{\"a_b\":1}}}",
      "{\"one_two\":1,\"myURLProperty\":\"a\",\"_leading\":2,\"nested\":{\"innerValue\":\"x\",\"by_name\":{}}}",
      "{\"one_two\":1,\"myURLProperty\":\"a\",\"_leading\":2,\"nested\":{\"innerValue\":1,\"by_name\":{\"a_b\":\"x\"}}}",
      "{\"one__two\":1,\"myURLProperty\":\"a\",\"_leading\":2}",
      "{\"ONE_TWO\":1,\"myURLProperty\":\"a\",\"_leading\":2}",
    ] {
      table.decode(Snake.self, text, ours: snake.0, theirs: snake.1)
      table.decode([Snake].self, "[\(text)]", ours: snake.0, theirs: snake.1)
    }
    for key in [
      "a", "_", "__", "_a", "a_", "__a_b__", "a_b", "a__b", "a_b_c_d", "A_B", "aB_cD", "one_2_three", "one_2three",
      "é_ü", "a_ß_c", "x_o'neil", "x_a-b c",
      "x_ǆ", "x_ﬁn", "_a_", "a b_c d", "x_1a", "x_1A", "日_本", "x_ÉÉ", "a.b_c.d", "x_İ",
    ] {
      table.decode(Probe.self, "{\"\(key)\":1}", ours: snake.0, theirs: snake.1)
      table.decode([String: Probe].self, "{\"\(key)\":{\"\(key)\":1}}", ours: snake.0, theirs: snake.1)
      table.decode([String: Int].self, "{\"\(key)\":1}", ours: snake.0, theirs: snake.1)
      table.decode([String: [String: Int]].self, "{\"\(key)\":{\"\(key)\":\"x\"}}", ours: snake.0, theirs: snake.1)
    }
    table.decode([Int: Int].self, "{\"1\":1}", ours: snake.0, theirs: snake.1)
    table.decode([CodedSuit: Int].self, "{\"red_hearts\":1}", ours: snake.0, theirs: snake.1)
    table.decode([String: Int].self, "null", ours: snake.0, theirs: snake.1)
    table.decode([String: Int].self, "[]", ours: snake.0, theirs: snake.1)
    table.decode([String: Int]?.self, "null", ours: snake.0, theirs: snake.1)
    table.decode(
      Snake.self, "{\"one_two\":1,\"oneTwo\":2,\"myURLProperty\":\"a\",\"_leading\":2}", differs: 5, ours: snake.0,
      theirs: snake.1)
    let custom = both {
      $0.keyDecodingStrategy = .custom {
        DateKey(stringValue: String($0.map { $0.stringValue }.joined(separator: ".").reversed()).lowercased())
      }
      $1.keyDecodingStrategy = .custom {
        DateKey(stringValue: String($0.map { $0.stringValue }.joined(separator: ".").reversed()).lowercased())
      }
    }
    for text in ["{\"X\":1,\"Y\":2}", "{\"A\":{\"X\":1}}", "{\"abc\":1}", "{}", "[{\"a\":1}]"] {
      table.decode(text, as: Point.self, Probe.self, [Probe].self, [String: [String: Int]].self, with: custom)
    }
    // The values that types receive from the decoder.
    if let key = Probe.key {
      let reported = pair({ $0.userInfo[key] = "told" }, { $0.userInfo[key] = "told" })
      for text in ["1", "{\"a\":1}", "[1]"] {
        table.decode(Probe.self, text, ours: reported.0, theirs: reported.1)
        table.decode([String: [Probe]].self, "{\"k\":[\(text)]}", ours: reported.0, theirs: reported.1)
      }
    }
    #expect(table.isConform, "\(table.report)")
    #expect(table.cases >= 600, "\(table.cases)")
    #expect(table.shown == [1, 5], "\(table.shown)")
  }

  struct DateKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
    static let at = DateKey(stringValue: "at")
  }
}
