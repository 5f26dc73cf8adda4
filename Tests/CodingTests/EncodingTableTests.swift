import Foundation
import JSONSift
import Testing

@Suite struct EncodingTableTests {
  private func point(_ x: Int) -> Point { Point(x: x, y: -x) }

  @Test func `values of all types are written as Foundation writes them`() {
    var table = ConformanceTable()
    for value in [0, 1, -1, 9, 10, 99, 100, 12345, .max, .min, -10, 1_000_000_000_000_000_000] {
      table.encode(
        all: value, [value], Box(value), ["k": value], Optional(value), Int8(truncatingIfNeeded: value),
        Int16(truncatingIfNeeded: value), Int32(truncatingIfNeeded: value), Int64(value), Int128(value) * 10,
        UInt(bitPattern: value), UInt8(truncatingIfNeeded: value), UInt16(truncatingIfNeeded: value),
        UInt32(truncatingIfNeeded: value))
      table.encode(all: UInt64(bitPattern: Int64(value)), UInt128(UInt64(bitPattern: Int64(value))) * 10)
    }
    for value in [
      0.0, -0.0, 1, -1, 0.1, 1.5, 1e15, 1e16, 1e17, 1e20, 1e21, 1e22, 1e-4, 1e-5, 1e-7, 123456789.123,
      .leastNonzeroMagnitude, .greatestFiniteMagnitude, .pi,
      100, 1e100, -2.5e-10, .infinity, -.infinity, .nan,
    ] {
      table.encode(
        all: value, [value], [value, 1], Box(value), ["k": value], ["k": [value]], Float(value), [Float(value)],
        Optional(value), [Optional(value), nil], Date(timeIntervalSinceReferenceDate: value))
    }
    for value in [
      "", "a", "\"", "\\", "/", "a/b", "\n\r\t\u{8}\u{C}", "\u{0}\u{1}\u{1F}\u{7F}", "é", "日本", "😀", "e\u{301}",
      "\u{2028}", "</script>", String(repeating: "long ", count: 50), "1234567/", "12345678\"", "\u{FFFF}", "a\"b\\c/d",
      "1234567890123456/", "ü234567\n",
    ] { table.encode(all: value, [value], [value: value], Box(value), Optional(value), [Optional(value), nil]) }
    table.encode(
      all: true, [true, false], [String: Bool](), [Int](), [[Int]](), [[]] as [[Int]], [[:]] as [[String: Int]],
      Int?.none, [Int?.none, 1], [Int??.some(nil), nil], ["a": Int?.none], [1: 2], [Suit.hearts: 2],
      [CodedSuit.redHearts: 2, .clubs: 1])
    table.encode(all: [point(1): 2], Set([1]), [Suit.spades, .clubs], Level.high)
    for decimal in [
      Decimal(0), 1, -1.5, Decimal(string: "12345678901234567890.123") ?? 0,
      Decimal(sign: .minus, exponent: -50, significand: 7), Decimal(sign: .plus, exponent: 30, significand: 7), .nan,
    ] { table.encode(all: decimal, [decimal], differs: decimal.isNaN ? 8 : nil) }
    for text in ["https://example.net/a/b?c=d#e", "file:///tmp/é", "a", "mailto:a@example.net"] {
      guard let url = URL(string: text) else { continue }
      table.encode(all: url, [url], ["u": url])
    }
    for bytes: [UInt8] in [[], [0], [1, 2, 3], [255, 254, 253, 252], Array(0..<100)] {
      table.encode(all: Data(bytes), [Data(bytes)])
    }
    table.encode(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    for shape in [
      Shape.none, .circle(radius: 1.5), .rectangle(width: 1, height: nil), .rectangle(width: 1, height: 2), .named("a"),
      .pair(1, 2), .at(point(3)), .circle(radius: .nan),
    ] {
      // Foundation drops the keys of nested containers from a path.
      let difference = shape == .circle(radius: 2) || "\(shape)".contains("nan") ? 7 : nil
      table.encode(all: shape, [shape], ["s": shape], Box(shape), differs: difference)
    }
    table.encode(
      all: Tree.node(left: .leaf(1), right: .node(left: .leaf(2), right: .leaf(3))), Chain(1, Chain(2, Chain(3, nil))),
      Animal(name: "a"), Dog(name: "a", breed: "b"), [Dog(name: "a", breed: "b")],
      Cat(name: "a", lives: 9, named: true), Cat(name: "a", lives: 9, named: false), Fish(name: "a", length: 1.5),
      [Fish(name: "a", length: 1.5), Fish(name: "b", length: 2)], Fish(name: "a", length: .nan),
      Flattened(id: 1, width: 2, height: 3, tags: ["a", "b"], matrix: [[1, 2], [], [3]]),
      Flattened(id: 1, width: 2, height: 3, tags: [], matrix: []))
    table.encode([
      Flattened(id: 1, width: 2, height: 3, tags: [], matrix: []),
      Flattened(id: 2, width: 2, height: 3, tags: [], matrix: [[7]]),
    ])
    table.encode(Optionals())
    table.encode(
      Optionals(
        int: 1, list: [1], map: ["a": "b"], date: Date(timeIntervalSinceReferenceDate: 1), decimal: 1, twice: .some(nil)
      ))
    table.encode(
      Loose.object([
        "a": .array([.null, .bool(true), .int(1), .double(1.5), .string("x"), .object([:])]), "b": .array([]),
      ]))
    table.encode(all: Odd.nothing, [Odd.nothing], ["k": Odd.nothing])
    // After a failed value, Foundation's encoder traps in the next array or continues with the remainder of the old one.
    for odd in Odd.allCases where odd != .failing && odd != .failingElement {
      let difference = odd == .paths ? 7 : nil
      table.encode(all: odd, [odd, odd], ["k": odd], differs: difference)
    }
    #expect(table.isConform, "\(table.report)")
    #expect(table.cases >= 1000, "\(table.cases)")
    #expect(table.shown == [7, 8], "\(table.shown)")
  }

  @Test func `strategies give the same results as Foundation`() {
    var table = ConformanceTable()
    func both(_ set: (JSONSiftEncoder, JSONEncoder) -> Void) -> (JSONSiftEncoder, JSONEncoder) {
      let (ours, theirs) = (JSONSiftEncoder(), JSONEncoder())
      set(ours, theirs)
      return (ours, theirs)
    }
    func pair(_ ours: (JSONSiftEncoder) -> Void, _ theirs: (JSONEncoder) -> Void) -> (JSONSiftEncoder, JSONEncoder) {
      both {
        ours($0)
        theirs($1)
      }
    }
    let dates = [
      pair({ $0.dateEncodingStrategy = .secondsSince1970 }, { $0.dateEncodingStrategy = .secondsSince1970 }),
      pair({ $0.dateEncodingStrategy = .millisecondsSince1970 }, { $0.dateEncodingStrategy = .millisecondsSince1970 }),
      pair({ $0.dateEncodingStrategy = .iso8601 }, { $0.dateEncodingStrategy = .iso8601 }),
      pair({ $0.dateEncodingStrategy = .custom { _, _ in } }, { $0.dateEncodingStrategy = .custom { _, _ in } }),
      both {
        $0.dateEncodingStrategy = .custom {
          var c = $1.unkeyedContainer(); try c.encode($0.timeIntervalSince1970); try c.encode("x")
        }
        $1.dateEncodingStrategy = .custom {
          var c = $1.unkeyedContainer(); try c.encode($0.timeIntervalSince1970); try c.encode("x")
        }
      },
    ]
    for (index, (ours, theirs)) in dates.enumerated() {
      for seconds in [0, 1.5, -1e9, 1e9, 1740817800, -12_300_000_000, 253402300799, .infinity] {
        if seconds == .infinity, index == 2 { continue }
        let date = Date(timeIntervalSince1970: seconds)
        table.encode(
          all: date, [date], ["d": Optional(date)], Optionals(date: date), named: "date strategy \(index)",
          with: (ours, theirs))
      }
    }
    let datas = [
      pair({ $0.dataEncodingStrategy = .deferredToData }, { $0.dataEncodingStrategy = .deferredToData }),
      pair({ $0.dataEncodingStrategy = .custom { _, _ in } }, { $0.dataEncodingStrategy = .custom { _, _ in } }),
      both {
        $0.dataEncodingStrategy = .custom {
          var c = $1.singleValueContainer(); try c.encode($0.count)
        }
        $1.dataEncodingStrategy = .custom {
          var c = $1.singleValueContainer(); try c.encode($0.count)
        }
      },
    ]
    for (ours, theirs) in datas {
      for data in [Data(), Data([1, 2, 255])] {
        table.encode(all: data, [data], Optionals(data: data), with: (ours, theirs))
      }
    }
    let floats = both {
      $0.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "N\"N")
      $1.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "N\"N")
    }
    for value in [Double.infinity, -.infinity, .nan, 1] {
      table.encode(
        all: value, Float(value), Box(value), ["a": value], Optionals(double: value), [Optional(value)], with: floats)
      // Foundation does not escape the strings of an array that consists of Doubles only.
      if !value.isNaN { table.encode([value], ours: floats.0, theirs: floats.1) }
    }
    let snake = pair({ $0.keyEncodingStrategy = .convertToSnakeCase }, { $0.keyEncodingStrategy = .convertToSnakeCase })
    table.encode(
      Snake(oneTwo: 1, myURLProperty: "a", _leading: 2, nested: .init(innerValue: 1, byName: ["aB": 1, "c_d": 2])),
      ours: snake.0, theirs: snake.1)
    for name in [
      "a", "A", "aB", "AB", "aBC", "aBCd", "aBCdE", "myURL", "URL", "oneTwoThree", "one2Three", "one2three", "_aB",
      "aB_", "__aBC__", "a_B", "éÜ", "aÜb", "aßC", "ID", "userID", "userIDs", "x1Y2", "aǅb", "日本A", "aİb", "A1B",
      "AaBbCC", "a B", "aB C",
    ] { table.encode(all: Named(name: name), [name: 1], [name: Named(name: name)], with: snake) }
    table.encode([1: 2], ours: snake.0, theirs: snake.1)
    let custom = both {
      $0.keyEncodingStrategy = .custom {
        DecodingTableTests.DateKey(stringValue: $0.map { $0.stringValue }.joined(separator: "."))
      }
      $1.keyEncodingStrategy = .custom {
        DecodingTableTests.DateKey(stringValue: $0.map { $0.stringValue }.joined(separator: "."))
      }
    }
    table.encode(
      all: [point(1), point(2)], ["a": ["b": point(1)]], Shape.pair(1, 2), Cat(name: "a", lives: 9, named: false),
      Flattened(id: 1, width: 2, height: 3, tags: ["a"], matrix: [[1]]), with: custom)
    let same = both {
      $0.keyEncodingStrategy = .custom { _ in DecodingTableTests.DateKey(stringValue: "same") }
      $1.keyEncodingStrategy = .custom { _ in DecodingTableTests.DateKey(stringValue: "same") }
    }
    table.encode(all: point(1), [point(1), point(2)], with: same)
    #expect(table.isConform, "\(table.report)")
    #expect(table.cases >= 600, "\(table.cases)")
    #expect(table.shown == [], "\(table.shown)")
  }

  struct Named: Encodable {
    let name: String
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: DecodingTableTests.DateKey.self)
      try container.encode(1, forKey: DecodingTableTests.DateKey(stringValue: name))
    }
  }

  /// Types that use an encoder in unusual ways.
  enum Odd: Int, Encodable, CaseIterable {
    case nothing, emptyKeyed, emptyUnkeyed, emptyNested, twice, twiceNested, nestedTwice, superTwice, interleaved,
      failing, failingElement
    case failingLater, replacedByNested, escaping, nestedSingle, paths, superUnused, elementsAround, manyKeys, lateOuter

    private struct Failing: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: DecodingTableTests.DateKey.self)
        try container.encode(1, forKey: .at)
        _ = container.nestedUnkeyedContainer(forKey: DecodingTableTests.DateKey(stringValue: "open"))
        throw EncodingError.invalidValue(0, .init(codingPath: container.codingPath, debugDescription: "no"))
      }
    }

    private struct Late: Encodable {
      let body: (any Encoder) throws -> Void
      func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    func encode(to encoder: any Encoder) throws {
      typealias Key = DecodingTableTests.DateKey
      func key(_ name: String) -> Key { Key(stringValue: name) }
      switch self {
      case .nothing: break
      case .emptyKeyed: _ = encoder.container(keyedBy: Key.self)
      case .emptyUnkeyed: _ = encoder.unkeyedContainer()
      case .emptyNested:
        var container = encoder.container(keyedBy: Key.self)
        _ = container.nestedContainer(keyedBy: Key.self, forKey: key("a"))
        _ = container.nestedUnkeyedContainer(forKey: key("b"))
      case .twice:
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: key("a"))
        try container.encode([1, 2], forKey: key("b"))
        try container.encode(2, forKey: key("a"))
        try container.encode("x", forKey: key("c"))
        try container.encode(3, forKey: key("c"))
      case .twiceNested:
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Shape.pair(1, 2), forKey: key("a"))
        try container.encode(0, forKey: key("b"))
        try container.encode(Shape.named("x"), forKey: key("a"))
      case .nestedTwice:
        var container = encoder.container(keyedBy: Key.self)
        var first = container.nestedContainer(keyedBy: Key.self, forKey: key("a"))
        try first.encode(1, forKey: key("x"))
        var second = container.nestedContainer(keyedBy: Key.self, forKey: key("a"))
        try second.encode(2, forKey: key("y"))
        try first.encode(3, forKey: key("z"))
        var list = container.nestedUnkeyedContainer(forKey: key("l"))
        try list.encode(1)
        var again = container.nestedUnkeyedContainer(forKey: key("l"))
        try again.encode(again.count)
      case .superTwice:
        var container = encoder.container(keyedBy: Key.self)
        try Shape.none.encode(to: container.superEncoder())
        try container.encode(1, forKey: key("a"))
        try Shape.named("s").encode(to: container.superEncoder(forKey: key("b")))
      case .interleaved:
        var list = encoder.unkeyedContainer()
        var one = list.nestedContainer(keyedBy: Key.self)
        try list.encode(1)
        var two = list.nestedUnkeyedContainer()
        try one.encode(1, forKey: key("a"))
        try two.encode("x")
        try one.encode([2], forKey: key("b"))
        var three = two.nestedUnkeyedContainer()
        try list.encode(true)
        try three.encode(3)
        try two.encode("y")
        try list.encode(list.count)
      case .failing:
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: key("a"))
        try? container.encode(Failing(), forKey: key("b"))
        try container.encode(2, forKey: key("c"))
        try? container.encode(Double.nan, forKey: key("d"))
        try? container.encode(["x": [1.5, .nan]], forKey: key("e"))
        try? container.encode(Double.nan, forKey: key("c"))
      case .failingElement:
        var container = encoder.unkeyedContainer()
        try? container.encode(Failing())
        try container.encode(1)
        try? container.encode(Double.nan)
        try? container.encode([Double.nan])
        try container.encode(2)
      case .failingLater: try Failing().encode(to: encoder)
      case .replacedByNested:
        var container = encoder.container(keyedBy: Key.self)
        var nested = container.nestedContainer(keyedBy: Key.self, forKey: key("a"))
        try nested.encode(1, forKey: key("x"))
        try container.encode(2, forKey: key("b"))
        try container.encode(3, forKey: key("a"))
      case .escaping:
        var kept: KeyedEncodingContainer<Key>?
        var container = encoder.unkeyedContainer()
        try container.encode(
          Late {
            kept = $0.container(keyedBy: Key.self); try kept?.encode(1, forKey: key("a"))
          })
        try container.encode(2)
        try kept?.encode(3, forKey: key("b"))
        try container.encode(4)
      case .nestedSingle:
        var container = encoder.singleValueContainer()
        try container.encode(
          Late {
            var c = $0.singleValueContainer();
            try c.encode(
              Late {
                var k = $0.container(keyedBy: Key.self); try k.encode(1, forKey: key("a"))
              })
          })
      case .paths:
        var container = encoder.container(keyedBy: Key.self)
        func path(_ keys: [any CodingKey]) -> String {
          keys.map { "\($0.stringValue) \($0.intValue ?? -1)" }.joined(separator: ".")
        }
        try container.encode(path(encoder.codingPath) + path(container.codingPath), forKey: key("own"))
        var nested = container.nestedContainer(keyedBy: Key.self, forKey: key("n"))
        var list = nested.nestedUnkeyedContainer(forKey: key("l"))
        try list.encode(0)
        try list.encode(
          Late {
            var c = $0.singleValueContainer(); try c.encode(path($0.codingPath))
          })
        try list.encode(path(list.codingPath))
        let above = list.superEncoder()
        var single = above.singleValueContainer()
        try single.encode(path(above.codingPath))
      case .superUnused:
        var container = encoder.container(keyedBy: Key.self)
        _ = container.superEncoder()
        try container.encode(1, forKey: key("a"))
        var list = container.nestedUnkeyedContainer(forKey: key("l"))
        _ = list.superEncoder()
        try list.encode(1)
      case .elementsAround:
        var list = encoder.unkeyedContainer()
        try list.encode(1)
        try Shape.none.encode(to: list.superEncoder())
        try list.encode(2)
        try Shape.named("x").encode(to: list.superEncoder())
      case .manyKeys:
        var container = encoder.container(keyedBy: Key.self)
        for index in 0..<300 { try container.encode(index, forKey: key("key \(index % 150)")) }
        for index in 0..<20 { try container.encode([index], forKey: key("key \(index * 7)")) }
      case .lateOuter:
        var container = encoder.container(keyedBy: Key.self)
        var copy = container
        try container.encode(1, forKey: key("a"))
        try container.encode(
          Late { inner in
            try copy.encode(2, forKey: key("b"))
            var list = inner.unkeyedContainer()
            try list.encode("in")
            try copy.encode([3], forKey: key("c"))
            try list.encode("out")
          }, forKey: key("d"))
        try container.encode(4, forKey: key("e"))
      }
    }
  }
}
