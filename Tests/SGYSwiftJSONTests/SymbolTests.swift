import Foundation
import JSONSift
import SGYSwiftJSON
import Testing

/// Documented symbols that the tests of the rules use only through a model.
@Suite struct SymbolTests {
  // MARK: JSONDictionaryCreatable, JSONCollectionCreatable

  /// Sorted, so that tests can compare it.
  private struct Scores: JSONDictionaryCreatable, Equatable {
    static var keyValueTypes: (key: Any.Type, value: Any.Type) { (String.self, Int.self) }
    var members: [String]
    init(dictionary: [String: Any]) {
      members = dictionary.map { name, value in "\(name)=\(value as? Int ?? -1)" }.sorted()
    }
  }

  private struct Bag: JSONCollectionCreatable, Equatable {
    static var elementType: Any.Type { Int.self }
    var elements: [Int]
    init(array: [Any]) { elements = array.map { $0 as? Int ?? -1 } }
  }

  @Test func `a custom dictionary is created from the root of a text and from a value`() throws {
    let deserializer = SGYJSONDeserializer()
    let warnings = Warnings()
    let text = #"{"a": 1, "b": "2", "c": [], "d": null, "a": 3}"#
    let scores: Scores = try deserializer.deserialize(Data(text.utf8), observer: warnings)
    #expect(scores.members == ["a=3", "b=2"])
    // Null does not convert to Int, and is reported as such.
    #expect(Set(warnings.lines.map { $0.prefix(2) }) == ["c:", "d:"], "\(warnings.lines)")
    let json = try JSON(parsing: "[\(text)]")
    #expect(try deserializer.deserialize(json[0]) == scores)
    #expect(try (deserializer.deserialize(Data("{}".utf8)) as Scores).members == [])
  }

  @Test func `a custom collection is created from the root of a text and from a value`() throws {
    let deserializer = SGYJSONDeserializer()
    let warnings = Warnings()
    let text = #"[1, "2", {}, null, 3]"#
    let bag: Bag = try deserializer.deserialize(Data(text.utf8), observer: warnings)
    #expect(bag.elements == [1, 2, 3])
    #expect(warnings.lines.count == 2, "\(warnings.lines)")
    #expect(try deserializer.deserialize(JSON(parsing: "{\"b\":\(text)}")["b"]) == bag)
  }

  @Test(arguments: ["[]", "1", "\"s\"", "null", "{\"a\":", ""])
  func `a value that is not an object throws the documented error for a dictionary`(text: String) throws {
    let error = nsError { let _: Scores = try SGYJSONDeserializer().deserialize(Data(text.utf8)) }
    let thrown = try #require(error)
    switch try #require(SGYJSONDeserializer.DeserializeError(thrown)) {
    case .invalidDeserializedObject(_, let wanted): #expect(text == "[]" && same(wanted, [String: Any].self))
    case .jsonDeserializationError(let reason): #expect(text != "[]" && !reason.localizedDescription.isEmpty)
    }
  }

  @Test func `the standard collections report their element type and keep values that cast to it`() {
    #expect(same([Int].elementType, Int.self) && same(Set<String>.elementType, String.self))
    #expect(same(ContiguousArray<Int?>.elementType, Int?.self) && same(ArraySlice<Bool>.elementType, Bool.self))
    #expect(same(NSArray.elementType, Any.self) && same(NSSet.elementType, Any.self))
    #expect(same(NSOrderedSet.elementType, Any.self))
    let mixed: [Any] = [1, "a", 2, [3], 1]
    #expect([Int](array: mixed) == [1, 2, 1])
    #expect(Set<Int>(array: mixed) == [1, 2])
    #expect(ContiguousArray<String>(array: mixed) == ["a"])
    #expect(ArraySlice<[Int]>(array: mixed) == [[3]])
  }

  @Test func `the standard dictionaries report their types and convert names to keys`() {
    let types = [Int: Bool].keyValueTypes
    #expect(same(types.key, Int.self) && same(types.value, Bool.self))
    #expect(same(NSDictionary.keyValueTypes.key, AnyHashable.self) && same(NSDictionary.keyValueTypes.value, Any.self))
    let mixed: [String: Any] = ["1": true, "x": false, "2": "no"]
    #expect([String: Bool](dictionary: mixed) == ["1": true, "x": false])
    #expect([Int: Bool](dictionary: mixed) == [1: true])
    #expect([NSString: String](dictionary: mixed) == ["2": "no"])
    #expect([AnyHashable: Bool](dictionary: ["1": true]) == ["1": true])
    #expect([[Int]: Bool](dictionary: mixed).isEmpty)
  }

  // MARK: Dates

  private final class Event: JSONCreatableObject {
    var at: Date?
    var all: [Date] = []
  }

  @Test func `a date block of the documented type is called for each date with the value of JSONSerialization`() throws
  {
    var asked: [String] = []
    let block: SGYJSONDateConversionBlock = { value in
      asked.append(value is NSNumber ? "number" : "\(value)")
      return (value as? NSNumber).map { Date(timeIntervalSince1970: $0.doubleValue) }
    }
    let deserializer = SGYJSONDeserializer()
    deserializer.dateConversionBlock = block
    let event: Event = try deserializer.deserialize(Data(#"{"at": 5.5, "all": [1, "never", 2]}"#.utf8))
    #expect(event.at == Date(timeIntervalSince1970: 5.5))
    #expect(event.all == [Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2)])
    #expect(asked == ["number", "number", "never", "number"])
  }

  // MARK: Reading into an existing object

  private final class Plain: JSONKeyValueCreatable {
    var a: String?
    var b = 0
    var got: [String] = []
    func setValue(_ value: Any, property: String) { got.append("\(property)=\(value)") }
  }

  @Test func `an existing object gets each property once, from text and from a value`() throws {
    let text = #"{"b": 5, "a": "y", "c": 1}"#
    let fromText = Plain()
    try SGYJSONDeserializer().deserialize(Data(text.utf8), intoInstance: fromText)
    let fromValue = Plain()
    try SGYJSONDeserializer().deserialize(JSON(parsing: text), intoInstance: fromValue)
    #expect(fromText.got == ["b=5", "a=y"])
    #expect(fromValue.got == fromText.got)
  }

  // MARK: Errors of writing

  @Test func `a value without a JSON form is the documented error of writing, as an NSError`() throws {
    final class Ring { var next: Ring? }
    let ring = Ring()
    ring.next = ring
    defer { ring.next = nil }
    let error = nsError { _ = try SGYJSONSerializer().serialize(ring) }
    let thrown = try #require(error)
    switch try #require(SGYJSONSerializer.SerializeError(thrown)) {
    case .jsonSerializationError(let reason): #expect(!reason.localizedDescription.isEmpty)
    }
  }
}
