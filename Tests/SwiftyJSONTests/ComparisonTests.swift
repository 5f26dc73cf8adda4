import Foundation
import SwiftyJSON
import Testing

/// The results of `==`, `<`, `<=`, `>`, `>=`, and of `!=`, which is always the opposite of the first.
private struct Relations: Equatable, CustomStringConvertible {
  let answers: [Bool]

  init(_ left: JSON, _ right: JSON) {
    answers = [left == right, left < right, left <= right, left > right, left >= right, left != right]
  }

  private init(_ answers: [Bool]) { self.answers = answers }

  static let equal = Relations([true, false, true, false, true, false])
  static let less = Relations([false, true, true, false, false, true])
  static let greater = Relations([false, false, false, true, true, true])
  static let unrelated = Relations([false, false, false, false, false, true])

  var description: String {
    zip(["==", "<", "<=", ">", ">=", "!="], answers).filter(\.1).map(\.0).joined(separator: " ")
  }
}

/// Section 11 of the inventory.
@Suite struct ComparisonTests {
  @Test func `values of two types are unrelated`() {
    for left in allTypes {
      for right in allTypes where right != left {
        #expect(Relations(specimen(of: left), specimen(of: right)) == .unrelated, "\(left) \(right)")
      }
    }
    #expect(Relations(JSON(1), JSON("1")) == .unrelated && Relations(JSON(1), JSON(true)) == .unrelated)
    #expect(Relations(JSON(0), JSON(false)) == .unrelated && Relations(JSON("null"), JSON.null) == .unrelated)
    #expect(Relations(JSON([] as [Any]), JSON([:] as [String: Any])) == .unrelated)
  }

  /// Numbers in groups of equal ones, the groups in ascending order.
  private func numbers() throws -> [[JSON]] {
    [
      [JSON(-Double.infinity)], [JSON(-1e300), try parsed("-1e300"), try parsed("-10E+299")],
      [JSON(-1e30), try parsed("-1000000000000000000000000000000")],
      [JSON(Int64.min), try parsed("-9223372036854775808")],
      [JSON(-2.5), try parsed("-2.50"), JSON(Decimal(string: "-2.5") as Any)],
      [JSON(-1), try parsed("-1.0"), JSON(Int8(-1))],
      [
        JSON(0), JSON(0.0), JSON(-0.0), try parsed("0"), try parsed("-0"), try parsed("-0.0"), try parsed("0e9"),
        JSON(UInt8(0)),
      ],
      [JSON(5e-324), try parsed("5e-324")], [JSON(0.1), try parsed("0.1")],
      [JSON(0.5), try parsed("5e-1"), JSON(Float(0.5))],
      [
        JSON(1), JSON(1.0), JSON(UInt64(1)), try parsed("1"), try parsed("1.0"), try parsed("10e-1"),
        JSON(NSDecimalNumber.one),
      ],
      [JSON(255), JSON(UInt8.max), try parsed("255")], [JSON(4294967296), try parsed("4294967296.0")],
      [JSON(Int64.max), try parsed("9223372036854775807")], [JSON(UInt64.max), try parsed("18446744073709551615")],
      [JSON(1e20), try parsed("100000000000000000000"), try parsed("1e20")], [JSON(1e30), try parsed("1e30")],
      [JSON(1e300), try parsed("1e300")], [JSON(Double.infinity)],
    ]
  }

  @Test func `numbers are compared by their value`() throws {
    let groups = try numbers()
    for (i, lefts) in groups.enumerated() {
      for (j, rights) in groups.enumerated() {
        for left in lefts {
          for right in rights {
            #expect(Relations(left, right) == (i == j ? .equal : i < j ? .less : .greater), "\(left) \(right)")
          }
        }
      }
    }
  }

  @Test func `strings are compared as in Swift`() throws {
    let strings = ["", "a", "A", "b", "aa", "é", "e\u{301}", "z", "Z", "😀", "ÿ", "10", "9", "a\0", "ﬀ", "日本"]
    for left in strings {
      for right in strings {
        let expected: Relations = left == right ? .equal : left < right ? .less : .greater
        #expect(Relations(JSON(left), JSON(right)) == expected, "\(left) \(right)")
        let quoted = String(decoding: try JSONSerialization.data(withJSONObject: [right]), as: UTF8.self)
        #expect(Relations(JSON(left), try parsed(quoted)[0]) == expected, "\(left) \(right)")
      }
    }
    #expect(try parsed(#""\u00e9""#) == "é" && parsed(#""\u0065\u0301""#) == "é")
  }

  @Test func `Bools are equal or unrelated`() throws {
    for (left, right) in [(true, true), (false, false), (true, false), (false, true)] {
      let expected: Relations = left == right ? .equal : .unrelated
      #expect(Relations(JSON(left), JSON(right)) == expected)
      #expect(Relations(try parsed("\(left)"), JSON(right)) == expected)
      #expect(Relations(JSON(NSNumber(value: left)), try parsed("\(right)")) == expected)
    }
  }

  /// Containers of which no two are equal.
  static let containers = [
    "[]", "[1]", "[2]", "[true]", "[false]", "[null]", "[\"1\"]", "[1,2]", "[2,1]", "[[]]", "[{}]", "[[1]]", "[1,1]",
    "{}", #"{"a":1}"#, #"{"a":2}"#, #"{"b":1}"#, #"{"a":true}"#, #"{"a":null}"#, #"{"a":"1"}"#, #"{"a":1,"b":1}"#,
    #"{"a":[1]}"#, #"{"a":[true]}"#, #"{"a":{}}"#, #"{"a":{"b":[1,{"c":null}]}}"#, #"{"a":{"b":[1,{"c":0}]}}"#,
    #"{"":1}"#,
  ]

  @Test func `containers are equal or unrelated`() throws {
    for (i, left) in Self.containers.enumerated() {
      for (j, right) in Self.containers.enumerated() {
        let expected: Relations = i == j ? .equal : .unrelated
        #expect(Relations(try parsed(left), try parsed(right)) == expected, "\(left) \(right)")
        #expect(Relations(try parsed(left), try built(right)) == expected, "\(left) \(right)")
        #expect(Relations(try built(left), try built(right)) == expected, "\(left) \(right)")
      }
    }
  }

  /// Texts of one value.
  static let equals: [[String]] = [
    [
      #"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, #" { "b" : 2.0 , "a" : 1e0 } "#, #"{"\u0061":1,"b":2}"#,
      #"{"a":9,"a":1,"b":2}"#, #"{"a":[],"b":2,"a":1}"#,
    ],
    [#"["é",1]"#, #"["\u00e9",1.0]"#, #"["e\u0301",1]"#, #"[ "\u0065\u0301" , 10e-1 ]"#],
    ["[0]", "[-0]", "[0.0]", "[-0.0]"], [#"{"a":{"x":1,"y":[{"p":1,"q":2}]}}"#, #"{"a":{"y":[{"q":2,"p":1}],"x":1}}"#],
    [#"{"a":{"b":{"c":[1,2,3],"d":null}},"e":"/"}"#, #"{"e":"\/","a":{"b":{"d":null,"c":[1,2,3]}}}"#],
  ]

  @Test(arguments: equals)
  func `order, spelling and overridden members make no difference`(texts: [String]) throws {
    for left in texts {
      for right in texts {
        for first in [try parsed(left), try built(left)] {
          for second in [try parsed(right), try built(right)] {
            #expect(Relations(first, second) == .equal, "\(left) \(right)")
            #expect(first.hashValue == second.hashValue, "\(left) \(right)")
          }
        }
      }
    }
  }

  @Test func `null equals null, also if it is missing`() throws {
    let nulls = [
      JSON.null, JSON(NSNull()), try parsed("null"), try parsed("[null]")[0], JSON([1])[5], JSON(["a": 1])["b"],
      JSON(1)["k"],
    ]
    for left in nulls {
      for right in nulls {
        #expect(Relations(left, right) == .equal)
        #expect(left.hashValue == right.hashValue)
      }
    }
  }

  @Test func `an unknown value equals nothing`() {
    let unknown = JSON(noJSON)
    #expect(Relations(unknown, unknown) == .unrelated && Relations(unknown, JSON(Set([1]))) == .unrelated)
    #expect(Relations(unknown, JSON.null) == .unrelated)
  }

  @Test func `the operators are functions of two values`() {
    func compare(_ operation: (JSON, JSON) -> Bool) -> Bool { operation(1, 2) }
    #expect(!compare(==) && compare(<) && compare(<=) && !compare(>) && !compare(>=) && compare(!=))
    func largest<Value: Comparable>(_ values: [Value]) -> Value? { values.max() }
    #expect(largest([JSON(1), JSON(3), JSON(2)]) == 3)
    #expect([JSON("b"), JSON("a"), JSON("c")].sorted().map(\.stringValue) == ["a", "b", "c"])
    #expect(JSON(1) == 1 && JSON("a") == "a" && JSON(true) == true && JSON([1]) == [1] && JSON(1.5) < 1.75)
  }

  @Test func `equal values have the same hash`() throws {
    for group in try numbers() {
      #expect(Set(group.map(\.hashValue)).count == 1, "\(group)")
      #expect(Set(group).count == 1)
      #expect(Set(group.map { JSON([$0]) }).count == 1 && Set(group.map { JSON(["k": $0]) }).count == 1)
    }
    #expect(Set(try numbers().joined()).count == (try numbers().count))
    #expect(JSON("é").hashValue == JSON("e\u{301}").hashValue)
    #expect(
      Set(Self.containers.map { JSON(parseJSON: $0) } + (try Self.containers.map(built))).count == Self.containers.count
    )
  }

  @Test func `values are usable as dictionary keys`() throws {
    var counts: [JSON: Int] = [:]
    for json in [
      JSON(1), try parsed("1.0"), JSON("1"), JSON(true), JSON.null, JSON([1])[3], JSON([1]), try parsed("[1]"),
    ] { counts[json, default: 0] += 1 }
    #expect(counts == [1: 2, "1": 1, true: 1, JSON.null: 2, [1]: 2])
  }
}
