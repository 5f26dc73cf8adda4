import Foundation
import SwiftyJSON
import Testing

/// Section 2 of the inventory.
@Suite struct TypeTests {
  @Test func `the types have their documented raw values`() {
    #expect(allTypes.map(\.rawValue) == Array(0...6))
    #expect((0...6).map { Type(rawValue: $0) } == allTypes)
    #expect(Type(rawValue: 7) == nil && Type(rawValue: -1) == nil)
  }

  @Test func `a type can be sent to another thread`() {
    func sent<Value: Sendable>(_ value: Value) -> Value { value }
    #expect(sent(Type.number) == .number)
  }

  @Test(arguments: allTypes)
  func `a value reports its type`(type: Type) { #expect(specimen(of: type).type == type) }

  static let texts: [(String, Type)] = [
    ("0", .number), ("-1.5e3", .number), ("\"\"", .string), ("\"1\"", .string), ("true", .bool), ("false", .bool),
    ("[]", .array), ("[null]", .array), ("{}", .dictionary), (#"{"":0}"#, .dictionary), ("null", .null),
  ]

  @Test(arguments: texts)
  func `a text's value reports its type`(text: String, type: Type) throws {
    #expect(try parsed(text).type == type)
    #expect(try parsed("[\(text)]")[0].type == type)
    #expect(try parsed("{\"k\":\(text)}")["k"].type == type)
    #expect(try built(text).type == type)
  }

  @Test func `a switch over the documented cases is complete`() {
    for type in allTypes {
      let name =
        switch specimen(of: type).type {
        case .number: "number"
        case .string: "string"
        case .bool: "bool"
        case .array: "array"
        case .dictionary: "dictionary"
        case .null: "null"
        case .unknown: "unknown"
        }
      #expect(name == "\(type)")
    }
  }
}
