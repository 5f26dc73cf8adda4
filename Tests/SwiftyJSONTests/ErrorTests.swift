import Foundation
import SwiftyJSON
import Testing

/// Section 1 of the inventory.
@Suite struct ErrorTests {
  static let errors: [(SwiftyJSONError, Int, String)] = [
    (.unsupportedType, 999, "It is an unsupported type."), (.indexOutOfBounds, 900, "Array Index is out of bounds."),
    (.elementTooDeep, 902, "Element too deep. Increase maxObjectDepth and make sure there is no reference loop."),
    (.wrongType, 901, "Couldn't merge, because the JSONs differ in type on top level."),
    (.notExist, 500, "Dictionary key does not exist."), (.invalidJSON, 490, "JSON is invalid."),
  ]

  @Test(arguments: errors)
  func `an error has its documented code and message`(error: SwiftyJSONError, code: Int, message: String) {
    #expect(error.rawValue == code)
    #expect(SwiftyJSONError(rawValue: code) == error)
    #expect(error.errorCode == code)
    #expect(error.errorUserInfo[NSLocalizedDescriptionKey] as? String == message)
    #expect(error.localizedDescription == message)
  }

  @Test(arguments: errors)
  func `an error equals its NSError`(error: SwiftyJSONError, code: Int, message: String) {
    let bridged = error as NSError
    #expect(bridged.domain == "com.swiftyjson.SwiftyJSON")
    #expect(bridged.code == code)
    #expect(bridged.localizedDescription == message)
    #expect(bridged.userInfo[NSLocalizedDescriptionKey] as? String == message)
  }

  @Test func `no other code is an error`() {
    let codes = Set(Self.errors.map(\.1))
    for code in -10...1100 where !codes.contains(code) { #expect(SwiftyJSONError(rawValue: code) == nil) }
  }

  @Test func `the error domain is the documented one`() {
    #expect(SwiftyJSONError.errorDomain == "com.swiftyjson.SwiftyJSON")
    func domain<Failure: CustomNSError & Sendable>(of type: Failure.Type) -> String { type.errorDomain }
    #expect(domain(of: SwiftyJSONError.self) == "com.swiftyjson.SwiftyJSON")
  }

  @Test(arguments: [-1, 2, 3, Int.max, Int.min])
  func `a missing index of an array is out of bounds`(index: Int) {
    #expect(JSON([1, 2])[index].error == .indexOutOfBounds)
  }

  @Test(arguments: [Type.number, .string, .bool, .null])
  func `a scalar has neither elements nor members`(type: Type) {
    #expect(specimen(of: type)[0].error == .wrongType)
    #expect(specimen(of: type)["k"].error == .wrongType)
  }
}
