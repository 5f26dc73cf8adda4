import Foundation
import JSONSift
import Testing

/// Each integer type as a member, as an optional member, and as an element: containers have a function of their own for each.
@Suite struct IntegerWidthTests {
  struct Members: Codable, Equatable {
    var a: Int8, b: Int16, c: Int32, d: Int64, e: Int128, f: Int
    var g: UInt8, h: UInt16, i: UInt32, j: UInt64, k: UInt128, l: UInt

    static let smallest = Members(
      a: .min, b: .min, c: .min, d: .min, e: .min, f: .min, g: 0, h: 0, i: 0, j: 0, k: 0, l: 0)
    static let largest = Members(
      a: .max, b: .max, c: .max, d: .max, e: .max, f: .max, g: .max, h: .max, i: .max, j: .max, k: .max, l: .max)

    var numbers: [String] {
      ["\(a)", "\(b)", "\(c)", "\(d)", "\(e)", "\(f)", "\(g)", "\(h)", "\(i)", "\(j)", "\(k)", "\(l)"]
    }
  }

  struct OptionalMembers: Codable, Equatable {
    var a: Int8?, b: Int16?, c: Int32?, d: Int64?, e: Int128?, f: Int?
    var g: UInt8?, h: UInt16?, i: UInt32?, j: UInt64?, k: UInt128?, l: UInt?
  }

  struct Elements: Codable, Equatable {
    var members: Members

    init(_ members: Members) { self.members = members }

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      members = Members(
        a: try list.decode(Int8.self), b: try list.decode(Int16.self), c: try list.decode(Int32.self),
        d: try list.decode(Int64.self), e: try list.decode(Int128.self), f: try list.decode(Int.self),
        g: try list.decode(UInt8.self), h: try list.decode(UInt16.self), i: try list.decode(UInt32.self),
        j: try list.decode(UInt64.self), k: try list.decode(UInt128.self), l: try list.decode(UInt.self))
    }

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(members.a)
      try list.encode(members.b)
      try list.encode(members.c)
      try list.encode(members.d)
      try list.encode(members.e)
      try list.encode(members.f)
      try list.encode(members.g)
      try list.encode(members.h)
      try list.encode(members.i)
      try list.encode(members.j)
      try list.encode(members.k)
      try list.encode(members.l)
    }
  }

  struct OptionalElements: Decodable, Equatable {
    var members: OptionalMembers

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      members = OptionalMembers(
        a: try list.decodeIfPresent(Int8.self), b: try list.decodeIfPresent(Int16.self),
        c: try list.decodeIfPresent(Int32.self), d: try list.decodeIfPresent(Int64.self),
        e: try list.decodeIfPresent(Int128.self), f: try list.decodeIfPresent(Int.self),
        g: try list.decodeIfPresent(UInt8.self), h: try list.decodeIfPresent(UInt16.self),
        i: try list.decodeIfPresent(UInt32.self), j: try list.decodeIfPresent(UInt64.self),
        k: try list.decodeIfPresent(UInt128.self), l: try list.decodeIfPresent(UInt.self))
    }
  }

  private static let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]

  private static func object(_ numbers: [String]) -> String {
    "{" + zip(names, numbers).map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  private static func array(_ numbers: [String]) -> String { "[" + numbers.joined(separator: ",") + "]" }

  private static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONSiftEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.bytes(of: value), as: UTF8.self)
  }

  @Test(arguments: [Members.smallest, .largest])
  func `the smallest and largest integer of each type is read and written exactly`(members: Members) throws {
    let decoder = JSONSiftDecoder()
    let (object, array) = (Self.object(members.numbers), Self.array(members.numbers))
    #expect(try decoder.decode(Members.self, from: object) == members)
    #expect(try decoder.decode(Elements.self, from: array) == Elements(members))
    let optional = try decoder.decode(OptionalMembers.self, from: object)
    #expect(try decoder.decode(OptionalElements.self, from: array).members == optional)
    #expect(try Self.text(members) == object)
    #expect(try Self.text(optional) == object)
    #expect(try Self.text(Elements(members)) == array)
  }

  /// For each member, the numbers next to its smallest and largest one.
  private static let outside = [
    ("-129", "128"), ("-32769", "32768"), ("-2147483649", "2147483648"),
    ("-9223372036854775809", "9223372036854775808"),
    ("-170141183460469231731687303715884105729", "170141183460469231731687303715884105728"),
    ("-9223372036854775809", "9223372036854775808"), ("-1", "256"), ("-1", "65536"), ("-1", "4294967296"),
    ("-1", "18446744073709551616"), ("-1", "340282366920938463463374607431768211456"), ("-1", "18446744073709551616"),
  ]

  @Test func `an integer next to the limits of its type is an error with the path of the value`() throws {
    func path(_ type: (some Decodable).Type, _ text: String) -> [String]? {
      do {
        _ = try JSONSiftDecoder().decode(type, from: text)
        return nil
      } catch DecodingError.dataCorrupted(let context) {
        return context.codingPath.map(\.stringValue)
      } catch {
        return ["\(error)"]
      }
    }
    for (index, limits) in Self.outside.enumerated() {
      for number in [limits.0, limits.1, "1.5"] {
        var numbers = Members.largest.numbers
        numbers[index] = number
        let (object, array) = (Self.object(numbers), Self.array(numbers))
        #expect(path(Members.self, object) == [Self.names[index]], "\(object)")
        #expect(path(OptionalMembers.self, object) == [Self.names[index]], "\(object)")
        #expect(path(Elements.self, array) == ["Index \(index)"], "\(array)")
        #expect(path(OptionalElements.self, array) == ["Index \(index)"], "\(array)")
      }
    }
  }

  @Test func `absent and null integers are nil`() throws {
    let none = OptionalMembers()
    let decoder = JSONSiftDecoder()
    let nulls = Array(repeating: "null", count: 12)
    #expect(try decoder.decode(OptionalMembers.self, from: "{}") == none)
    #expect(try decoder.decode(OptionalMembers.self, from: Self.object(nulls)) == none)
    #expect(try decoder.decode(OptionalElements.self, from: Self.array(nulls)).members == none)
    #expect(try decoder.decode(OptionalElements.self, from: "[]").members == none)
  }
}
