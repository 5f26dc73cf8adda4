import Foundation
import SwiftyJSON
import Testing

/// Sections 13 and 15 of the inventory: names of 2016, and names that upstream has removed since.
///
/// Each test is itself deprecated, so that it can use deprecated symbols without a warning.
@Suite struct RenamesTests {
  @available(*, deprecated)
  @Test func `the old error names exist with their values`() {
    #expect(ErrorDomain == "SwiftyJSONErrorDomain" && ErrorDomain != SwiftyJSONError.errorDomain)
    let codes: [Int] = [ErrorUnsupportedType, ErrorIndexOutOfBounds, ErrorWrongType, ErrorNotExist, ErrorInvalidJSON]
    #expect(codes == [999, 900, 901, 500, 490])
  }

  @available(*, deprecated)
  @Test func `the old capitalized types are aliases`() {
    let old: [Type] = [.Number, .String, .Bool, .Array, .Dictionary, .Null, .Unknown]
    #expect(old == allTypes)
    #expect(JSON(1).type == Type.Number && JSON("a").type == .String)
    switch JSON([1]).type {
    case Type.Array: break
    default: Issue.record("an array of another type")
    }
  }

  @available(*, deprecated)
  @Test func `the old capitalized keys are aliases`() {
    guard case .index(3) = JSONKey.Index(3), case .key("a") = JSONKey.Key("a") else {
      Issue.record("another key")
      return
    }
  }

  @available(*, deprecated)
  @Test func `parse reads a text and gives null on failure`() {
    #expect(JSON.parse("[1]")[0].int == 1 && JSON.parse(#"{"a":"b"}"#)["a"].string == "b")
    for text in ["", "{", "1", "nonsense"] { #expect(JSON.parse(text).type == .null && JSON.parse(text).error == nil) }
  }

  @available(*, deprecated)
  @Test func `parse with its label of 2016 reads scalars too`() {
    #expect(JSON.parse(string: "12").int == 12 && JSON.parse(string: #""a""#).string == "a")
    #expect(JSON.parse(string: "true").bool == true && JSON.parse(string: "[1]")[0].int == 1)
    #expect(JSON.parse(string: "null").type == .null)
    for text in ["", "{", "nonsense", "1 2"] {
      #expect(JSON.parse(string: text).type == .null && JSON.parse(string: text).error == nil)
    }
  }

  /// `nil` where a `JSON?` is expected, in the forms that programs use.
  private func found(in items: [Int]) -> JSON? { items.isEmpty ? nil : JSON(items) }

  #if SwiftyJSON4
    @available(*, deprecated)
    @Test func `with the trait SwiftyJSON4 a nil literal is null`() {
      let json: JSON = nil
      #expect(json.type == .null && json.error == nil && json == JSON.null)
      var object: JSON = ["a": 1]
      object["a"] = nil
      #expect(object["a"].type == .null && object["a"].exists() && object.count == 1)
      #expect(JSON(nilLiteral: ()).type == .null)
      func literal<Value: ExpressibleByNilLiteral>(_: Value.Type) -> Value { nil }
      #expect(literal(JSON.self).type == .null)
      #expect(JSON(["a": 1])["b"] == nil)
    }
  #else
    @Test func `a JSON cannot be created from a nil literal, as in SwiftyJSON 5`() {
      let type: Any.Type = JSON.self
      #expect(!(type is any ExpressibleByNilLiteral.Type))
      #expect(found(in: []) == nil && found(in: [1]) != nil)
      #expect((found(in: []) != nil) == false)
      let people = JSON([["id": 1], ["name": "Ada"]])
      let known = people.arrayValue.compactMap { $0["id"].exists() ? $0 : nil }
      #expect(known.count == 1)
      let missing: JSON? = people[0]["name"]
      #expect(missing != nil && missing == .null)
    }
  #endif

  @available(*, deprecated)
  @Test func `the old generator iterates over the elements`() {
    let json = JSON([10, 20])
    var generator: JSONGenerator = json.generate()
    let nested: JSON.Generator = json.generate()
    #expect(generator.next()?.1.int == 10 && generator.next()?.0 == "1" && generator.next() == nil)
    #expect(Array(IteratorSequence(nested)).count == 2)
    #expect(json.underestimateCount() == 2 && JSON(1).underestimateCount() == 0)
    generator = JSON("a").generate()
    #expect(generator.next() == nil)
  }

  @available(*, deprecated)
  @Test func `URL with capitals equals url`() {
    #expect(JSON("http://a/b c").URL == URL(string: "http://a/b%20c") && JSON(1).URL == nil)
    var json: JSON = [:]
    json["u"].URL = URL(string: "http://a")
    #expect(json["u"].string == "http://a")
    json["u"].URL = nil
    #expect(json["u"].type == .null)
  }

  @available(*, deprecated)
  @Test func `an encoding can be given as its number`() {
    let utf8: UInt = String.Encoding.utf8.rawValue
    #expect(JSON([1]).rawString(utf8, options: []) == "[1]")
    #expect(JSON([1]).rawString(utf8) == "[\n  1\n]")
    #expect(JSON("é").rawString(utf8) == "é" && JSON(noJSON).rawString(utf8) == nil)
    #expect(JSON(["é"]).rawString(String.Encoding.ascii.rawValue, options: []) == nil)
  }

  @available(*, deprecated)
  @Test func `an initializer with an error parameter sets the error`() {
    var error: NSError?
    let good = unsafe JSON(data: Data("[1]".utf8), options: [], error: &error)
    #expect(good[0].int == 1 && error == nil)
    let bad = unsafe JSON(data: Data("[1".utf8), options: .allowFragments, error: &error)
    #expect(bad.type == .null && error?.domain == NSCocoaErrorDomain && error?.code == 3840)
    error = nil
    let scalar = unsafe JSON(data: Data("1".utf8), options: .allowFragments, error: &error)
    #expect(scalar.int == 1 && error == nil)
  }

  @available(*, deprecated)
  @Test func `an error has the old code and domain properties of NSError`() {
    let error = JSON([1])[4].error
    #expect(error?.code == 900 && error?.code == ErrorIndexOutOfBounds)
    #expect(JSON(["a": 1])["b"].error?.code == ErrorNotExist && JSON(1)[0].error?.code == ErrorWrongType)
    #expect(JSON(noJSON).error?.code == ErrorUnsupportedType)
    #expect(error?.domain == ErrorDomain || error?.domain == SwiftyJSONError.errorDomain)
    #expect(error?.userInfo[NSLocalizedDescriptionKey] as? String == "Array Index is out of bounds.")
    let object = error as NSError?
    #expect(object?.code == 900 && object?.localizedDescription == "Array Index is out of bounds.")
  }

  @Test func `arrays and dictionaries of values are still accepted by init`() {
    let array: [JSON] = [1, 2]
    let dictionary: [String: JSON] = ["a": 1]
    #expect(JSON(array).count == 2 && JSON(dictionary)["a"].int == 1)
  }
}
